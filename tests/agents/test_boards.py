"""Bots that search positions."""

import pytest

from sog.agents.boards import BoardBot
from sog.agents.bot import Explanation, Limits
from sog.agents.making import make_evaluator
from sog.agents.methods import Method
from sog.agents.seated import UniformBot
from sog.agents.table import Table
from sog.core.errors import InputError
from sog.games.registry import load
from sog.search.puct import PuctSettings
from sog.search.settings import SearchSettings

GAME = load("tictactoe")
EVALUATOR = make_evaluator(None, GAME)
BOTH = pytest.mark.parametrize("method", [SearchSettings(150), PuctSettings(150)], ids=["gtcfr", "puct"])
WINNING = (0b000_000_011, 0b000_011_000)  # crosses complete the first row, noughts threaten the second


@BOTH
def test_any_move_never_wins(method: Method) -> None:
    """Without having learned anything: it sees what is about to happen."""
    for seed in range(6):
        bot, seat = BoardBot(EVALUATOR, method), seed % 2
        table = Table(GAME, (bot, UniformBot()) if seat == 0 else (UniformBot(), bot), seed)
        while not table.is_over:
            table.step()
        assert GAME.returns(table.play.world)[seat] >= 0


@BOTH
def test_it_explains_itself(method: Method) -> None:
    bot = BoardBot(EVALUATOR, method)
    bot.begin(GAME, 0, seed=1, world=WINNING)
    thought = bot.explain()
    names = [GAME.action_name(WINNING, action) for action in GAME.legal_actions(WINNING)]
    assert thought.names == names
    assert (names[thought.best], thought.value, thought.variation) == ("c3", 1.0, ("c3",))
    assert bot.act(names) == thought.best


@BOTH
def test_the_same_seed_plays_the_same_game(method: Method) -> None:
    games = []
    for seed in (1, 1):
        table = Table(GAME, (BoardBot(EVALUATOR, method), UniformBot()), seed)
        while not table.is_over:
            table.step()
        games.append(table.play.actions)
    assert games[0] == games[1]


@BOTH
def test_it_stops_in_time_and_when_it_is_told(method: Method) -> None:
    bot, moves, looks = BoardBot(EVALUATOR, method), ["x"] * 9, list[Explanation]()
    bot.begin(GAME, 0, seed=1)

    def watch(simulations: int, seconds: float, look: object) -> bool:
        assert callable(look)
        looks.append(look())
        return len(looks) == 2

    bot.act(moves, Limits(simulations=50_000), watch)
    assert len(looks) == 2
    assert bot.explain().simulations < 50_000
    bot.act(moves, Limits(simulations=50_000, seconds=0.0))
    assert bot.explain().simulations < 50_000


def test_games_that_hide_something_are_refused() -> None:
    with pytest.raises(InputError, match="hide nothing"):
        BoardBot(EVALUATOR, PuctSettings(5)).begin(load("kuhn"), 0, seed=0)
