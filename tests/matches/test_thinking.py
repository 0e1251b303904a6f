from typing import Any

import numpy as np
import pytest

from sog.core.arrays import F32
from sog.core.errors import InputError
from sog.games.go.game import Go
from sog.games.registry import load
from sog.matches.thinking import Limits, Thinker, make_board_evaluator, never_stop, parse_method
from sog.nets.asked import Asked
from sog.nets.evaluator import NetworkEvaluator
from sog.search.puct import PuctSettings
from sog.search.settings import SearchSettings


class Counting:
    """Counts the positions that a network is asked about."""

    def __init__(self, evaluator: NetworkEvaluator) -> None:
        self._network, self.count = evaluator._forward, 0
        evaluator._forward = self

    def __call__(self, asked: Asked, ranges: F32) -> Any:
        self.count += len(ranges)
        return self._network(asked, ranges)


def test_methods() -> None:
    assert parse_method("80,2") == parse_method("gtcfr:80,2") == SearchSettings(simulations=80, per_update=2)
    assert parse_method("gtcfr:8,1,puct_share=1,learns_everywhere=1,warm_start=0.2") == SearchSettings(
        simulations=8, puct_share=1.0, learns_everywhere=True, warm_start=0.2
    )
    assert parse_method("mcts:80") == PuctSettings(simulations=80)
    assert parse_method("mcts:80,8") == PuctSettings(simulations=80, batch=8)
    for wrong in (
        "",
        "80",
        "mcts",
        "mcts:",
        "mcts:0",
        "mcts:x",
        "mcts:8,",
        "mcts:8,8,8",
        "mcts:99999",
        "gtcfr:60000,1",
        "gtcfr:80,1,",
        "gtcfr:80,1,puct_share",
        "gtcfr:80,1,puct_share=2",
        "gtcfr:80,1,puct_share=nan",
        "gtcfr:80,1,root_actions=1.5",
        "gtcfr:80,1,root_actions=inf",
        "gtcfr:80,1,learns_everywhere=2",
        "gtcfr:80,1,depth=0",
        "gtcfr:80,1,exploration=-1",
        "gtcfr:80,1,max_outcomes=-1",
        "gtcfr:80,1,root_actions=-1",
        "uct:5",
    ):
        with pytest.raises(InputError):
            parse_method(wrong)


@pytest.mark.parametrize("method", ["300,1", "mcts:300"])
@pytest.mark.parametrize("name", ["go(size=3)", "chess(fen='7k/8/8/8/8/8/5P2/K7 w - - 0 1')"])
def test_a_search_goes_on_from_the_last_one(method: str, name: str) -> None:
    """After the best move and the reply that was expected, many positions are known already."""
    game = load(name)
    evaluator = make_board_evaluator(None, game)
    counting = Counting(evaluator)
    thinker = Thinker(game, evaluator, parse_method(method))
    world = game.initial_world()
    first = thinker.think(world, Limits(300), 1)
    asked = counting.count
    assert asked > 100
    for action in first.variation[:2]:
        world = game.apply(world, action)
    second = thinker.think(world, Limits(300), 2)
    again = counting.count - asked
    evaluator.forget()
    anew = Thinker(game, evaluator, parse_method(method)).think(world, Limits(300), 2)
    assert second.simulations == anew.simulations  # those of the last search are not counted
    if method == "300,1":  # what was asked about before is in the tree
        assert again < counting.count - asked - again
    else:  # weights are visits
        assert sum(second.weights) > sum(anew.weights)
    assert second.actions == list(game.legal_actions(world))


def test_other_positions_begin_anew() -> None:
    game = Go(size=5)
    thinker = Thinker(game, make_board_evaluator(None, game), parse_method("mcts:30"))
    start = game.initial_world()
    best = thinker.think(start, Limits(30), 1).best
    other = next(action for action in game.legal_actions(start) if action != best)
    world = game.apply(start, other)
    assert thinker.think(world, Limits(30), 1).actions == list(game.legal_actions(world))
    assert sum(thinker.think(world, Limits(30), 1).weights) >= 59  # the same one again goes on
    thinker.forget()
    assert sum(thinker.think(world, Limits(30), 1).weights) <= 31


@pytest.mark.parametrize("method", ["200,1", "200,10", "mcts:200"])
def test_looking_changes_nothing(method: str) -> None:
    game = Go(size=5)
    evaluator, looks = make_board_evaluator(None, game), list[float]()

    def watch(simulations: int, seconds: float, look: object) -> bool:
        assert callable(look)
        thought = look()
        looks.append(thought.value)
        assert thought.variation[0] == thought.best
        return False

    world = game.initial_world()
    watched, alone = (
        Thinker(game, evaluator, parse_method(method)).think(world, Limits(200), 5, how)
        for how in (watch, never_stop)
    )
    assert len(looks) > 10
    assert np.isfinite(looks).all()
    assert watched.weights == alone.weights
    assert watched.value == alone.value
