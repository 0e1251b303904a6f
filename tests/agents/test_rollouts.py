import pytest

from sog.agents.bot import Limits
from sog.agents.rollouts import MctsBot, MctsSettings, OpenSpielBot, openspiel_name
from sog.agents.seated import UniformBot, WorldBot
from sog.agents.table import Table
from sog.core.errors import InputError
from sog.games.registry import load
from tests.agents.test_searching import against_uniform, play_out


def test_mcts_never_loses_tictactoe() -> None:
    game, bot, other, wins = load("tictactoe"), MctsBot(MctsSettings(simulations=1000)), UniformBot(), 0
    for seed in range(20):
        first, second = play_out(game, (bot, other), seed), -play_out(game, (other, bot), seed)
        assert first >= 0
        assert second >= 0
        wins += (first > 0) + (second > 0)
    assert wins > 20


def test_mcts_follows_chance() -> None:
    game = load("openspiel:pig(players=2,winscore=8,horizon=40)")
    assert against_uniform(game, MctsBot(MctsSettings(simulations=100)), 40) > 0.25


def test_mcts_stops_in_time_and_begins_anywhere() -> None:
    game, bot = load("tictactoe"), MctsBot(MctsSettings(simulations=100_000, solve=False))
    bot.begin(game, 0, seed=1, world=(0b000_000_011, 0b000_011_000))
    assert bot.act([""] * 5, Limits(simulations=300)) == 0  # the third of a row
    bot.act([""] * 5, Limits(seconds=0.0))
    assert bot.explain().simulations == 1
    with pytest.raises(InputError, match="needs perfect information"):
        bot.begin(load("kuhn"), 0, seed=0)
    bot.begin(game, 1, seed=0)
    with pytest.raises(ValueError, match="'z9' is no move here"):
        bot.observe("z9", None)


@pytest.mark.parametrize("name", ["connect_four", "breakthrough(rows=5,columns=4)", "tictactoe"])
def test_openspiels_bot_plays_our_games(name: str) -> None:
    pytest.importorskip("pyspiel")
    game = load(name)
    theirs, ours = OpenSpielBot(game, 30), MctsBot(MctsSettings(30))
    play_out(game, (theirs, ours), 7)
    play_out(game, (ours, theirs), 7)


def test_openspiels_bot_and_ours_win_where_one_move_wins() -> None:
    pytest.importorskip("pyspiel")
    game = load("connect_four")
    line = [3, 4, 3, 4, 3, 4]
    bots: list[WorldBot] = [OpenSpielBot(game, 200), MctsBot(MctsSettings(200))]
    for bot in bots:
        table = Table(game, (bot, UniformBot()), 3, opening=line)
        table.step()
        assert table.play.names[-1] == "d"


def test_openspiel_has_not_all_games() -> None:
    assert openspiel_name(load("breakthrough(rows=6,columns=5)")) == "breakthrough(rows=6,columns=5)"
    with pytest.raises(InputError, match="not go"):
        openspiel_name(load("go"))
