import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.matches.contestants import AgentContestant, OpenSpielContestant, RolloutContestant, openspiel_name
from sog.matches.kinds import begin_play, open_game, read_opening
from sog.matches.play import Contestant, Opening, referee
from sog.matches.thinking import make_board_evaluator, parse_method
from sog.search.puct import PuctSettings
from sog.search.settings import SearchSettings

SCHOLAR = "e4 e5 Qh5 Nc6 Bc4 Nf6"


@pytest.mark.parametrize(
    "method", [SearchSettings(simulations=200), PuctSettings(simulations=200)], ids=["gtcfr", "mcts"]
)
def test_agents_mate_in_one(method: SearchSettings | PuctSettings) -> None:
    game = open_game(load("chess"))
    opening = read_opening(game, SCHOLAR)
    play = begin_play(game, opening)
    agent = AgentContestant(game, make_board_evaluator(None, game), method)
    agent.begin(play, 1)
    play.add(agent.choose(play))
    assert play.names[-1] == "h5f7"
    agent.close()


@pytest.mark.parametrize(
    ("name", "line", "best"), [("connect_four", "d e d e d e", "d"), ("tictactoe", "b2 a3 a1 c1", "c3")]
)
@pytest.mark.parametrize("method", ["gtcfr:100,1", "mcts:100,4"])
def test_agents_play_small_games(name: str, line: str, best: str, method: str) -> None:
    game = open_game(load(name))
    opening = read_opening(game, line)
    play = begin_play(game, opening)
    agent = AgentContestant(game, make_board_evaluator(None, game), parse_method(method))
    agent.begin(play, 1)
    assert play.game.action_name(play.world, agent.choose(play)) == best


@pytest.mark.parametrize("name", ["connect_four", "breakthrough(rows=5,columns=4)", "tictactoe"])
def test_openspiels_bot_plays_our_games(name: str) -> None:
    pytest.importorskip("pyspiel")
    game = open_game(load(name))
    bots: tuple[Contestant, Contestant] = (OpenSpielContestant(game, 30), RolloutContestant(30))
    for number in range(2):
        play = begin_play(game, Opening())
        verdict = referee(play, bots if number else bots[::-1], 7)
        assert verdict.forfeit is None


def test_openspiels_bot_and_ours_win_where_one_move_wins() -> None:
    pytest.importorskip("pyspiel")
    game = open_game(load("connect_four"))
    opening = read_opening(game, "d e d e d e")
    for bot in (OpenSpielContestant(game, 200), RolloutContestant(200)):
        play = begin_play(game, opening)
        bot.begin(play, 3)
        assert play.game.action_name(play.world, bot.choose(play)) == "d"


def test_openspiel_has_not_all_games() -> None:
    assert openspiel_name(load("breakthrough(rows=6,columns=5)")) == "breakthrough(rows=6,columns=5)"
    with pytest.raises(InputError, match="not go"):
        openspiel_name(load("go"))
