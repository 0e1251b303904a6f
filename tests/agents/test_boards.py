from collections.abc import Callable

import pytest

from sog.agents.boards import BoardBot
from sog.agents.bot import Explanation, Limits
from sog.agents.making import make_evaluator
from sog.agents.methods import parse_method
from sog.agents.seated import UniformBot
from sog.agents.table import Table
from sog.games.registry import load


@pytest.mark.parametrize("method", ["gtcfr:100,1", "mcts:100"])
def test_a_board_is_searched_within_limits_and_explained(method: str) -> None:
    game = load("connect_four")
    bot, other = BoardBot(make_evaluator(None, game), parse_method(method)), UniformBot()
    table = Table(game, (bot, other), 0, opening=[3, 4])
    names, looks = [game.action_name(table.play.world, action) for action in range(7)], list[Explanation]()

    def watch(simulations: int, seconds: float, look: Callable[[], Explanation]) -> bool:
        looks.append(look())
        return len(looks) == 3

    move = bot.act(names, Limits(simulations=20_000), watch)
    explanation = bot.explain()
    assert len(looks) == 3
    assert explanation.simulations < 20_000
    assert explanation.names == looks[0].names == names
    assert explanation.variation[0] == names[move]
    assert explanation.value is not None
    assert sum(explanation.weights) == pytest.approx(1)
    bot.act(names, Limits(seconds=0.0))
    assert bot.explain().simulations < 100
    table.step(Limits(simulations=30))
    table.step()
    assert bot.explain().simulations > 30  # of its own settings, after moves that it has heard of


def test_what_is_proven_is_played() -> None:
    game = load("tictactoe")
    bot = BoardBot(make_evaluator(None, game), parse_method("gtcfr:400,1"))
    bot.begin(game, 0, seed=1, world=(0b000_000_011, 0b000_011_000))
    names = ["c3", "c2", "a1", "b1", "c1"]
    assert bot.act(names) == 0
    assert bot.explain().value == 1.0
    assert bot.explain().variation == (game.action_name((0b000_000_011, 0b000_011_000), 2),)
