import numpy as np
import pytest

from sog.games.base import CHANCE, TERMINAL
from sog.games.registry import load
from sog.public.tree import build_tree
from sog.public.worlds import collect_worlds


@pytest.mark.parametrize(
    "name", ["kuhn", "leduc", "goofspiel(cards=4)", "scotland_yard(map=glasses,rounds=2)"]
)
def test_uniform_play_reaches_the_same_value(name: str) -> None:
    """The graph's rows, walked backwards under uniform play, give the value of the tree's evaluation."""
    from sog.solvers.evaluation import Evaluation

    tree = build_tree(load(name))
    graph = collect_worlds(tree)
    values = graph.rows["utility"].copy()
    for row in range(graph.rows.size - 1, -1, -1):
        record = graph.rows[row]
        if record["actor"] == TERMINAL:
            continue
        moves = graph.moves[record["move_start"] : record["move_start"] + record["num_moves"]]
        weights = moves["chance"] if record["actor"] == CHANCE else np.full(moves.size, 1 / moves.size)
        assert weights.sum() == pytest.approx(1)
        values[row] = float(weights @ values[moves["row"]])
    evaluation = Evaluation(tree)
    assert values[0] == pytest.approx(evaluation.value(evaluation.uniform_policy()))
