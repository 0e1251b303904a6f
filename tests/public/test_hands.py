"""Hands multiplied by kernels against the matrices of all pairs, written out."""

import numpy as np
import pytest

from sog.core.arrays import F64, I32, U32
from sog.core.errors import InputError
from sog.core.jit import kernel
from sog.games.base import TERMINAL
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.betting import NOBODY
from sog.games.holdem.cards import HANDS, NUM_HANDS, parse_board
from sog.games.holdem.spot import Spot, count_deals, make_spot
from sog.games.holdem.strength import board_strengths
from sog.public.hands import BEATING, MEETING, HandTables
from sog.public.holdem import HoldemView
from sog.public.products import multiply_leaves, multiply_row
from sog.public.store import ROOT, StateStore
from sog.public.tree import LEAF, PlayerLayout, PublicTree, grow_fully

BOARD = "9s7c5s4h3c"


def river_spot(seed: int = 0, stack: int = 300) -> Spot:
    ranges = np.random.default_rng(seed).random((2, NUM_HANDS))
    ranges[ranges < 0.3] = 0
    return make_spot(parse_board(BOARD), 201, stack, parse_bet_sizes("river:100,allin"), ranges)


def matrices_of(spot: Spot) -> dict[int, F64]:
    """Return player 0's matrices, pair by pair."""
    hands, (first, second) = spot.hands, spot.ranges
    cards, strengths = HANDS[hands], board_strengths(spot.board)[hands]
    shares = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    meeting = np.outer(first[hands], second[hands]) * ~shares / count_deals(spot)
    beating = meeting * np.sign(strengths[:, None].astype(float) - strengths[None, :])
    return {MEETING: meeting, BEATING: beating}


@kernel
def multiply(
    tables: HandTables,
    player: int,
    nodes: U32,
    own: PlayerLayout,
    other: PlayerLayout,
    numbers: I32,
    scales: F64,
    reach: F64,
    values: F64,
) -> None:
    count = np.uint64(nodes.size)
    multiply_leaves(tables, player, nodes, count, own, other, numbers, scales, reach, values)


@kernel
def multiply_one(tables: HandTables, player: int, row: int, reach: F64, slot: int) -> float:
    number, columns = np.uint64(MEETING), np.uint64(tables.boards.rows)
    return multiply_row(tables, player, number, np.uint64(row), columns, reach, np.uint64(slot))


def test_products_equal_those_of_the_whole_matrices() -> None:
    spot, rng = river_spot(), np.random.default_rng(5)
    rows, tables, matrices = spot.hands.size, StateStore(spot).arrays().patterns, matrices_of(spot)
    layout = grow_fully(PublicTree(HoldemView(spot))).layout()
    count = 21
    numbers = rng.integers(0, 2, count).astype(np.int32)
    scales, reach = rng.normal(size=count), rng.random(3 * rows)
    nodes = rng.permutation(count).astype(np.uint32)
    leaves = np.zeros(count, LEAF)
    leaves["rows"], leaves["value"] = rows, rows * np.arange(count)
    leaves["slot"] = rng.integers(0, 2 * rows, count)
    for player in (0, 1):
        own, other = (layout.players[side]._replace(leaves=leaves) for side in (player, 1 - player))
        values = np.full(count * rows, np.nan)
        multiply(tables, player, nodes, own, other, numbers, scales, reach, values)
        for node in range(count):
            matrix = matrices[int(numbers[node])]
            matrix = matrix if player == 0 else -matrix.T
            expected = scales[node] * (matrix @ reach[leaves["slot"][node] :][:rows])
            np.testing.assert_allclose(values[node * rows :][:rows], expected, rtol=1e-9, atol=1e-14)
        for row in range(0, rows, 100):
            matrix = matrices[MEETING] if player == 0 else -matrices[MEETING].T
            found = multiply_one(tables, player, row, reach, 7)
            assert found == pytest.approx(float(matrix[row] @ reach[7:][:rows]), rel=1e-9)


def test_who_folds_loses_the_stake() -> None:
    """Half of the pot of 201 and what was called: a pair of hands that meet is worth that to who stays."""
    store, folds, node = StateStore(river_spot()), 0, ROOT
    while node < store.num_nodes:
        if store.actor(node) != TERMINAL:
            store.children(node)
        else:
            record, state = store.arrays().nodes[node], store.states[node]
            loser = state.betting.folded
            if loser != NOBODY:
                assert record["pattern"] == MEETING
                assert np.sign(record["scale"]) == (-1 if loser == 0 else 1)
                assert loser == store.actor(store.parents[node])  # who had to answer
                assert abs(record["scale"]) >= 201 / 2
                folds += 1
        node += 1
    assert folds > 3


def test_the_store_expands_a_spot_as_its_public_tree() -> None:
    spot = river_spot()
    tree, store = grow_fully(PublicTree(HoldemView(spot))), StateStore(spot)
    node = ROOT
    while node < store.num_nodes:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    assert store.observations == tree.observations
    assert store.parents == tree.parent.values.tolist()
    assert store.arrays().nodes["value_scale"][ROOT] == 201  # the pot
    assert store.arrays().worlds.size == 0


def test_cards_to_come_are_refused() -> None:
    spot = make_spot(parse_board("9s7c5s4h"), 200, 300, parse_bet_sizes("100"), np.ones((2, NUM_HANDS)))
    with pytest.raises(InputError, match="only river spots"):
        StateStore(spot)


def test_worlds_are_not_there_to_be_gone_through() -> None:
    with pytest.raises(InputError, match="too many worlds"):
        StateStore(river_spot()).view.joint_weights(None)  # type: ignore[arg-type]
