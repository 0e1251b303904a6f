"""Searches of a hold'em river: on the whole tree the tabular solver, on a growing one better and better."""

import numpy as np
import pytest

from sog.core.arrays import U64
from sog.core.jit import ZERO, kernel
from sog.evaluation.searching import SearchEvaluation
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import HANDS, NUM_HANDS, parse_board
from sog.games.holdem.spot import Spot, make_spot
from sog.public.enumeration import enumerate_game
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.public.store_arrays import StoreArrays
from sog.search.gtcfr import Searcher, Task
from sog.search.lanes import AVERAGE, REGRET, Lanes
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings
from sog.search.simulation import draw_pair
from sog.solvers.cfr import iterate, make_state
from sog.solvers.schedules import REGRET_MATCHING, discounts
from sog.solvers.solver import Solver
from tests.games.holdem.test_hands import matrices_of, some_spot

WHOLE = 1000
PAPER = ("9s7c5s4h3c", 200, 19_900, "river:100,allin")  # the river of the public-state CFR paper


def paper_spot(stack: int = PAPER[2]) -> Spot:
    board, pot, _, bets = PAPER
    return make_spot(parse_board(board), pot, stack, parse_bet_sizes(bets), np.ones((2, NUM_HANDS)))


@kernel
def fill_pairs(arrays: StoreArrays, lanes: Lanes, drawn: U64) -> None:
    for index in range(drawn.shape[0]):
        drawn[index] = draw_pair(arrays, lanes, 0, ZERO)


def draw_pairs(arrays: StoreArrays, lanes: Lanes, count: int) -> U64:
    drawn = np.zeros((count, 2), np.uint64)
    fill_pairs(arrays, lanes, drawn)
    return drawn


def turn_spot() -> Spot:
    ranges = np.random.default_rng(3).random((2, NUM_HANDS))
    return make_spot(parse_board("9s7c5s4h"), 200, 100, parse_bet_sizes("turn:allin;river:none"), ranges)


@pytest.mark.parametrize(
    "spot", [paper_spot(), some_spot(3, 2000), turn_spot()], ids=["paper", "ranges", "turn"]
)
def test_whole_tree_equals_the_tabular_solver_iterate_by_iterate(spot: Spot) -> None:
    solver = Solver(spot, "dcfr", np.float64)
    store, variant = open_store(spot), SearchSettings().variant
    for iterations in (1, 2, 3, 20):
        settings = SearchSettings(simulations=1, per_update=1 / iterations, depth=WHOLE, alternates=False)
        searcher = Searcher(store, None, settings)
        everything = np.ones(spot.hands.size), np.ones(spot.hands.size)  # hands without weight as well
        result = searcher.search(Task(ROOT, ROOT, everything), seed=0)
        assert result.statistics.nodes == solver.layout.num_nodes
        state = make_state(solver.layout, REGRET_MATCHING, np.float64)
        weights = discounts(variant, 1, iterations)
        players, payoffs = solver.layout.players, solver.evaluation.terminals
        iterate(REGRET_MATCHING, False, weights, players, payoffs, state)
        for player in (0, 1):
            size = solver.layout.num_slots[player]
            slots = searcher._lanes.slots[player, 0]
            np.testing.assert_allclose(slots[REGRET, :size], state[player].regret, atol=1e-9)
            scale = (iterations + 1) ** variant.gamma  # weights t^γ instead of discounts
            np.testing.assert_allclose(slots[AVERAGE, :size] / scale, state[player].average, atol=1e-9)


def test_same_seed_same_result_bit_for_bit_alone_and_in_company() -> None:
    store = open_store(paper_spot(1000))
    searcher = Searcher(store, None, SearchSettings(simulations=30))
    task = first_task(store, ROOT)
    one = searcher.search(task, seed=7)
    together = searcher.search_many([task] * 3, [6, 7, 8])
    np.testing.assert_array_equal(one.policy, together[1].policy)
    np.testing.assert_array_equal(one.visits, together[1].visits)
    assert np.any(one.visits != together[0].visits)
    assert one.visits.sum() == 29


def test_pairs_are_drawn_from_the_joint_belief() -> None:
    """Ranges of a few hands, some of which share cards: shares of pairs are those of the product."""
    spot = some_spot()
    store = open_store(spot)
    searcher = Searcher(store, None, SearchSettings(simulations=1))
    searcher.search(first_task(store, ROOT), seed=3)
    lanes, arrays = searcher._lanes, store.arrays()
    rng = np.random.default_rng(1)
    live = np.flatnonzero((HANDS[spot.hands] < 12).all(axis=1) & (spot.ranges[:, spot.hands] > 0).all(axis=0))
    ranges = np.zeros((2, spot.hands.size))
    ranges[:, live[:8]] = rng.random((2, 8))
    for player in (0, 1):
        lanes.slots[player, 0, AVERAGE, : spot.hands.size] = ranges[player]
    drawn = draw_pairs(arrays, lanes, 20_000)
    found = np.zeros((spot.hands.size, spot.hands.size))
    np.add.at(found, tuple(drawn.T), 1 / len(drawn))
    expected = matrices_of(spot)[0] * np.outer(*ranges)
    expected /= expected.sum()
    assert np.all(found[expected == 0] == 0)
    np.testing.assert_allclose(found, expected, atol=4 * np.sqrt(0.25 / len(drawn)))
    assert 0 < np.count_nonzero(expected) < 64  # some pairs share a card


def test_ranges_that_cannot_meet_are_drawn_from_chance_alone() -> None:
    store = open_store(some_spot())
    searcher = Searcher(store, None, SearchSettings(simulations=1))
    searcher.search(first_task(store, ROOT), seed=3)
    lanes, size = searcher._lanes, store.num_infostates(ROOT)[0]
    lanes.slots[:, 0, AVERAGE, :size] = 0
    pairs = [(row, column) for row, column in draw_pairs(store.arrays(), lanes, 50).tolist()]
    matrix = matrices_of(some_spot())[0]
    assert len(set(pairs)) > 40
    assert all(matrix[pair] > 0 for pair in pairs)


def test_exploitability_falls_with_search() -> None:
    """Values of zero: only the search itself knows anything."""
    evaluation = SearchEvaluation(enumerate_game(paper_spot(800)))
    found = [
        evaluation.sample(SearchSettings(simulations=size), None, seed=1).exploitability
        for size in (3, 30, 300)
    ]
    assert found[0] > found[1] > found[2]


class PotShare:
    """Every hand is worth a share of the pot to player 0, and as much less to player 1."""

    name = "pot share"
    has_priors = False

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        batch.values[0][:] = 0.25
        batch.values[1][:] = -0.25


def test_answers_count_by_the_pot_and_the_hands_one_can_meet() -> None:
    spot = some_spot()
    store = open_store(spot)
    searcher = Searcher(store, PotShare(), SearchSettings(simulations=1, alternates=False))
    result = searcher.search(first_task(store, ROOT), seed=0)
    check = result.find(store.children(ROOT)[0])
    assert check is not None
    values, meeting = result.summary(check).values, matrices_of(spot)[0]
    share = 1 / len(store.children(ROOT))  # player 0's first policy is uniform
    np.testing.assert_allclose(values[0], 0.25 * 201 * meeting.sum(axis=1), rtol=1e-9)
    np.testing.assert_allclose(values[1], -0.25 * 201 * share * meeting.sum(axis=0), rtol=1e-9)
