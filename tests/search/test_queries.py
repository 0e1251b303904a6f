"""Which leaves are asked about again, by a plain version that looks at every iteration."""

from collections import Counter

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import HANDS, NUM_HANDS, parse_board, parse_card
from sog.games.holdem.spot import make_spot
from sog.games.registry import load
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher, Task
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings

ITERATIONS = 30


class Fixed:
    """Finds every infostate worth the same whenever it is asked, and counts the questions."""

    name = "fixed"
    has_priors = False

    def __init__(self) -> None:
        self.asked: Counter[int] = Counter()

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        self.asked.update(batch.nodes.tolist())
        for query, node in enumerate(batch.nodes.tolist()):
            rng = np.random.default_rng(node)
            for player in range(NUM_PLAYERS):
                rows = batch.rows(player, query)
                batch.values[player][rows] = rng.uniform(-1, 1, rows.stop - rows.start)


def shares_of(reach: list[F64]) -> list[F64]:
    """Return ranges that sum to one, uniform for a player who never comes."""
    return [own / own.sum() if own.sum() > 0 else np.full(own.size, 1 / own.size) for own in reach]


@pytest.mark.parametrize("stale", [0.0, 0.02, 0.1, 0.5])
def test_leaves_are_asked_about_again_when_their_ranges_have_moved_enough(stale: float) -> None:
    """Answers are fixed, so play is the same whatever is asked: kept iterations tell the ranges of each."""
    store = open_store(load("leduc"))
    current = store.children(store.children(ROOT)[0])[0]
    sizes = store.num_infostates(current)
    ranges = np.linspace(1, 2, sizes[0]), np.linspace(3, 0, sizes[1])

    def searcher(evaluator: Fixed, limit: float) -> Searcher:
        return Searcher(
            store,
            evaluator,
            SearchSettings(simulations=1, per_update=1 / ITERATIONS, depth=2, alternates=False, stale=limit),
        )

    evaluator = Fixed()
    result = searcher(evaluator, stale).search(Task(current, current, ranges), seed=0)
    wanted: Counter[int] = Counter()
    asked: dict[int, list[F64]] = {}
    for iteration in range(1, ITERATIONS + 1):
        task = Task(current, current, ranges, snapshot_iteration=iteration)
        snapshot = searcher(Fixed(), 0.0).search(task, seed=0).snapshot
        assert snapshot is not None
        for place in snapshot.open_places():
            node = int(snapshot.nodes[place]["state"])
            reach = [snapshot.reach_at(place, player) for player in range(NUM_PLAYERS)]
            if not any(own.sum() > 0 for own in reach):
                continue
            shares, before = shares_of(reach), asked.get(node, [np.zeros(own.size) for own in reach])
            moved = sum(float(np.abs(new - old).sum()) for new, old in zip(shares, before, strict=True))
            likely = max(own.sum() / root.sum() for own, root in zip(reach, ranges, strict=True))
            if moved * likely >= stale:
                asked[node] = shares
                wanted[node] += 1
    assert evaluator.asked == wanted
    assert result.statistics.queries == wanted.total()
    assert (wanted.total() < ITERATIONS * len(wanted)) == (stale > 0)


class Asked(Fixed):
    """Remembers the ranges of the last question about each leaf."""

    def __init__(self) -> None:
        super().__init__()
        self.ranges: dict[int, list[F64]] = {}

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        super().evaluate(store, batch)
        for query, node in enumerate(batch.nodes.tolist()):
            own = [batch.ranges[player][batch.rows(player, query)].copy() for player in range(NUM_PLAYERS)]
            self.ranges[node] = own


def test_leaves_are_never_asked_about_infostates_that_are_dead() -> None:
    """On the turn, with hands out of the range; player 1's all have the deuce of clubs, which may come."""
    board, rng = parse_board("9s7c5s4h"), np.random.default_rng(5)
    ranges = rng.random((2, NUM_HANDS)) * (rng.random((2, NUM_HANDS)) < 0.5)
    spot = make_spot(board, 200, 100, parse_bet_sizes("turn:allin;river:none"), ranges)
    store = open_store(spot)
    cards = HANDS[spot.hands]
    deuce = (cards == parse_card("2c")).any(axis=1)
    task = first_task(store, ROOT)
    np.testing.assert_array_equal(task.ranges[0] > 0, store.joint_weights(ROOT).any(axis=1))
    task = task._replace(ranges=(task.ranges[0], np.where(deuce, task.ranges[1], 0.0)), snapshot_iteration=1)
    evaluator = Asked()
    settings = SearchSettings(simulations=1, depth=3, alternates=False)
    snapshot = Searcher(store, evaluator, settings).search(task, seed=0).snapshot
    assert snapshot is not None
    num_dead = num_stand_ins = 0
    for place in snapshot.open_places():
        node = int(snapshot.nodes[place]["state"])
        joint = store.joint_weights(node)
        for player, shares in enumerate(evaluator.ranges[node]):
            alive = joint.any(axis=1 - player)
            reach = np.where(alive, snapshot.reach_at(place, player), 0.0)
            stand_in = np.where(alive, 1.0, 0.0)
            wanted = reach if reach.sum() > 0 else stand_in
            np.testing.assert_allclose(shares, wanted / wanted.sum(), atol=1e-12)
            assert not shares[~alive].any()
            num_dead += int(np.count_nonzero(snapshot.reach_at(place, player)[~alive]))
            num_stand_ins += reach.sum() == 0
    assert len(snapshot.open_places()) > 48
    assert num_dead > 1000  # there was something to leave out
    assert num_stand_ins == 1
