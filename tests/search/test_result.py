"""Averages of states that came late into a tree, by hand."""

import numpy as np

from sog.games.registry import load
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings


class One:
    """Every infostate of player 0 is worth one utility, and of player 1 minus that."""

    name = "one"
    has_priors = False

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        for query, node in enumerate(batch.nodes.tolist()):
            scale = store.value_scale(node)
            batch.values[0][batch.rows(0, query)] = 1 / scale
            batch.values[1][batch.rows(1, query)] = -1 / scale


def test_a_state_is_averaged_over_the_iterations_since_it_came() -> None:
    """Kuhn from the start: each simulation adds one more state on the way to the first decision."""
    store = open_store(load("kuhn"))
    searcher = Searcher(store, One(), SearchSettings(simulations=3))
    result = searcher.search(first_task(store, ROOT), seed=0)
    for node in store.path(int(result.states.max()))[1:]:
        found = result.find(node)
        if found is None:
            continue
        weights = store.joint_weights(node)
        ranges = result.summary(found).ranges
        values = result.summary(found).values
        np.testing.assert_allclose(values[0], (weights @ ranges[1]), atol=1e-12)
        np.testing.assert_allclose(values[1], -(ranges[0] @ weights), atol=1e-12)
    assert result.statistics.nodes == 5  # the start, two deals, check and bet


def test_values_of_both_players_cancel_at_every_state() -> None:
    """With values of zero at leaves the players' expected values are opposite everywhere in the tree."""
    store = open_store(load("leduc"))
    result = Searcher(store, None, SearchSettings(simulations=1, per_update=1 / 50, depth=6)).search(
        first_task(store, ROOT), seed=0
    )
    summary = result.summary(0)
    assert abs(summary.values[0].sum() + summary.values[1].sum()) < 1e-9
    assert result.has_values.all()
