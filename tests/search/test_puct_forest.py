import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.nets.cvpn import make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.opening import open_store
from sog.public.store import ROOT
from sog.search.puct import PuctSettings
from sog.search.puct_forest import PuctForest

SETTINGS = PuctSettings(simulations=60, noise_share=0.25)


def make_evaluator() -> NetworkEvaluator:
    encoding = load("connect_four").encoding
    assert encoding is not None
    return NetworkEvaluator(make_network(NetworkSpec("mlp", 1, 8), sizes_of(encoding), seed=0))


@pytest.mark.parametrize("batch", [1, 4])
def test_every_tree_finds_what_it_would_find_alone(batch: int) -> None:
    settings = PuctSettings(simulations=90, noise_share=0.25, batch=batch)
    store = open_store(load("connect_four"))
    forest = PuctForest(store, make_evaluator(), settings, trees=5)
    singles = [PuctForest(store, make_evaluator(), settings) for _ in range(5)]
    nodes = [ROOT] * 5
    for turn in range(6):  # trees outgrow their first room, and go on below the moves that are played
        seeds = [10 * turn + number for number in range(5)]
        found = forest.search(nodes, seeds)
        for number, single in enumerate(singles):
            alone = single.search([nodes[number]], [seeds[number]])[0]
            np.testing.assert_array_equal(found[number].visits, alone.visits)
            assert found[number].value == pytest.approx(alone.value)
            assert found[number].variation == alone.variation
            best = int(np.argmax(alone.visits))
            nodes[number] = store.children(nodes[number])[best if number else 6]
        if turn == 3:
            nodes[4], singles[4] = ROOT, PuctForest(store, make_evaluator(), settings)  # a new game


def test_trees_are_restored() -> None:
    first = PuctForest(open_store(load("connect_four")), make_evaluator(), SETTINGS, trees=3)
    first.search([ROOT] * 3, [1, 2, 3])
    second = PuctForest(open_store(load("connect_four")), make_evaluator(), SETTINGS, trees=3)
    for node in first.store.expanded:
        second.store.children(node)
    second.restore(first.state())
    nodes = list(first.store.children(ROOT))[:3]
    for ours, theirs in zip(*(forest.search(nodes, [4, 5, 6]) for forest in (first, second)), strict=True):
        np.testing.assert_array_equal(ours.visits, theirs.visits)
    assert ours.visits.sum() > SETTINGS.simulations  # what was found before is still there


def test_what_cannot_be_searched_is_refused() -> None:
    with pytest.raises(InputError, match="nothing is hidden"):
        PuctForest(open_store(load("kuhn")), make_evaluator(), SETTINGS, trees=1)
    store = open_store(load("connect_four"))
    node = store.locate([0, 1, 0, 1, 0, 1, 0])
    with pytest.raises(InputError, match="the game is over"):
        PuctForest(store, make_evaluator(), SETTINGS, trees=1).search([node], [0])
