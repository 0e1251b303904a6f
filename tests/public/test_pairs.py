import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.games.registry import load
from sog.public import pairs
from sog.public.enumeration import enumerate_game
from sog.public.pairs import PairGraph, collect_pairs
from sog.solvers.evaluation import Evaluation
from tests.random_game import RandomGame

GAMES = [
    "kuhn",
    "leduc",
    "goofspiel(cards=4)",
    "scotland_yard(map=glasses,rounds=2)",
    "scotland_yard(map=glasses,rounds=4)",
    "openspiel:dark_hex(board_size=2)",
]


def uniform_value(graph: PairGraph, row: int = 0) -> float:
    """Return player 0's value of a row when both players play uniformly."""
    record = graph.rows[row]
    if record["actor"] == TERMINAL:
        return float(record["utility"])
    moves = graph.moves[record["move_start"] : record["move_start"] + record["num_moves"]]
    weights = moves["chance"] if record["actor"] == CHANCE else np.full(moves.size, 1 / moves.size)
    assert weights.sum() == pytest.approx(1)
    values = [uniform_value(graph, int(after)) for after in moves["row"]]
    return float(weights @ values)


def check_uniform_play(game: AnyGame) -> PairGraph:
    """The graph under uniform play has the value of exact evaluation."""
    whole = enumerate_game(game)
    graph, _ = collect_pairs(whole)
    evaluation = Evaluation(whole.layout, whole.terminals())
    assert uniform_value(graph) == pytest.approx(evaluation.value(evaluation.uniform_policy()))
    return graph


@pytest.mark.parametrize("name", GAMES)
def test_uniform_play_reaches_the_same_value(name: str) -> None:
    """In these games a pair of infostates leaves nothing open: rows are worlds, one for one."""
    graph = check_uniform_play(load(name))
    store, layout = enumerate_game(load(name))
    assert graph.rows.size == sum(len(store.enumerated.worlds(store, node)) for node in layout.nodes)
    np.testing.assert_allclose(graph.moves["chance"][~_is_chance(graph)], 1.0)


def _is_chance(graph: PairGraph) -> np.ndarray:
    """Return whether each move is chance's."""
    return np.repeat(graph.rows["actor"] == CHANCE, graph.rows["num_moves"])


@pytest.mark.parametrize("seed", range(30))
def test_facts_that_both_players_ignore_are_chance(seed: int) -> None:
    graph = check_uniform_play(RandomGame(seed))
    np.testing.assert_allclose(graph.moves["chance"][~_is_chance(graph)], 1.0)


def test_some_random_games_have_such_facts() -> None:
    added = [
        np.count_nonzero((odds.weight == 0) & (graph.rows["actor"] == CHANCE))
        for graph, odds in (collect_pairs(enumerate_game(RandomGame(seed))) for seed in range(30))
    ]
    assert any(added)


def test_slots_are_those_of_the_layout() -> None:
    whole = enumerate_game(load("leduc"))
    (graph, odds), layout = collect_pairs(whole), whole.layout
    assert odds.weight.min() > 0
    for player in (0, 1):
        acts = graph.rows["actor"] == player
        rows = graph.rows[acts]
        places = np.flatnonzero(layout.actor == player)
        expected = {
            int(slot)
            for place in places
            for row in range(layout.size[player][place])
            for slot in layout.slots_of(int(place), row, 1)
        }
        assert set(rows["slot"].tolist()) == expected
        others = {
            int(layout.slot[1 - player][place]) + row
            for place in places
            for row in range(layout.size[1 - player][place])
        }
        assert set(odds.other[acts].tolist()) == others


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "MOST_PAIRS", 1000)
    with pytest.raises(InputError, match="leduc has too many worlds"):
        collect_pairs(enumerate_game(load("leduc")))
