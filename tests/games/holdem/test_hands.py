"""Hands multiplied by kernels against the matrices of all pairs, written out."""

import numpy as np
import numpy.typing as npt
import pytest

from sog.core.arrays import F64, Bools, Float
from sog.core.jit import kernel
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import HANDS, NUM_HANDS, Board, compatible_hands, parse_board
from sog.games.holdem.hands import ALLIN, BEATING, MEETING, HandBook, HandTables
from sog.games.holdem.ranges import count_deals
from sog.games.holdem.spot import Spot, make_spot
from sog.games.holdem.strength import board_strengths
from sog.games.products import LEAF, Leaves, entry, is_alive, multiply_leaves, multiply_row

BOARD = "9s7c5s4h3c"
LATER: dict[int, list[Board]] = {
    5: [()],
    4: [(), (0,), (51,), (20,)],
    3: [(), (0,), (51,), (0, 51), (33, 7), (50, 49)],
}


def some_spot(seed: int = 0, stack: int = 300, num_cards: int = 5) -> Spot:
    """Return a spot in which a third of the hands have no weight."""
    ranges = np.random.default_rng(seed).random((2, NUM_HANDS))
    ranges[ranges < 0.3] = 0
    board = parse_board(BOARD[: 2 * num_cards])
    return make_spot(board, 201, stack, parse_bet_sizes("river:100,allin"), ranges)


def matrices_of(spot: Spot, board: Board | None = None) -> dict[int, F64]:
    """Return player 0's matrices on a board, pair by pair."""
    board, hands, (first, second) = board or spot.board, spot.hands, spot.ranges
    cards, is_free = HANDS[hands], compatible_hands(board)[hands]
    shares = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    meeting = np.outer(first[hands] * is_free, second[hands] * is_free) * ~shares / count_deals(spot.ranges)
    if len(board) == 4:
        counts = np.zeros(meeting.shape, np.int8)
        for card in set(range(52)) - set(board):
            strengths = board_strengths((*board, card))[hands].astype(np.int32)
            alive = strengths >= 0
            counts += np.sign(strengths[:, None] - strengths[None, :]).astype(np.int8) * np.outer(
                alive, alive
            )
        return {MEETING: meeting, ALLIN: meeting * counts}
    if len(board) < 5:
        return {MEETING: meeting}
    strengths = board_strengths(board)[hands]
    return {MEETING: meeting, BEATING: meeting * np.sign(strengths[:, None] - strengths[None, :])}


@kernel
def multiply(tables: HandTables, player: int, leaves: Leaves, reach: Float, values: Float) -> None:
    multiply_leaves(tables, player, leaves, reach, values)


@kernel
def multiply_one(tables: HandTables, player: int, number: int, row: int, reach: Float, slot: int) -> float:
    columns = np.uint64(tables.cards.size)
    return multiply_row(tables, player, np.uint64(number), np.uint64(row), columns, reach, np.uint64(slot))


@kernel
def fill_matrix(tables: HandTables, number: int, matrix: F64) -> None:
    columns = np.uint64(matrix.shape[1])
    for row in range(matrix.shape[0]):
        for column in range(matrix.shape[1]):
            matrix[row, column] = entry(tables, np.uint64(number), np.uint64(row), np.uint64(column), columns)


@kernel
def fill_alive(tables: HandTables, player: int, number: int, alive: Bools) -> None:
    for row in range(alive.size):
        alive[row] = is_alive(tables, player, np.uint64(number), np.uint64(row))


def collect(spot: Spot) -> tuple[HandBook, dict[int, F64]]:
    """Return the book of a spot, and the matrices of several boards by number."""
    book = HandBook(spot.board, spot.ranges, spot.hands)
    matrices = {}
    for cards in LATER[len(spot.board)]:
        board = (*spot.board, *cards)
        for kind, matrix in matrices_of(spot, board).items():
            find = {MEETING: book.meeting, BEATING: book.beating, ALLIN: book.allin}[kind]
            matrices[find(board)] = matrix
    return book, matrices


@pytest.mark.parametrize("is_negated", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("num_cards", [5, 4, 3])
def test_products_equal_those_of_the_whole_matrices(
    num_cards: int, dtype: type[np.floating], is_negated: bool
) -> None:
    spot, rng = some_spot(num_cards=num_cards), np.random.default_rng(5)
    book, matrices = collect(spot)
    tables, rows, count = book.tables(dtype), spot.hands.size, 41
    numbers = rng.choice(list(matrices), count).astype(np.uint32)
    scales, reach = rng.normal(size=count).astype(dtype), rng.random(3 * rows).astype(dtype)
    leaf = np.zeros(count, LEAF)
    leaf["rows"], leaf["value"] = rows, rows * np.arange(count)
    leaf["slot"] = rng.integers(0, 2 * rows, count)
    some = rng.permutation(count)[:35]
    for nodes in (some, some[np.argsort(numbers[some], kind="stable")]):
        leaves = Leaves(
            nodes.astype(np.uint32), np.uint64(nodes.size), leaf, leaf, numbers, scales, is_negated
        )
        for player in (0, 1):
            values = np.full(count * rows, np.nan, dtype)
            multiply(tables, player, leaves, reach, values)
            for node in range(count):
                found = values[node * rows :][:rows]
                if node not in nodes:
                    assert np.isnan(found).all()
                    continue
                matrix = matrices[int(numbers[node])]
                matrix = (-1 if is_negated else 1) * (matrix if player == 0 else matrix.T)
                expected = scales[node] * (matrix @ reach[leaf["slot"][node] :][:rows].astype(np.float64))
                close = 1e-14 if dtype is np.float64 else 2e-5 * np.abs(expected).max()
                np.testing.assert_allclose(found, expected, rtol=1e-9, atol=close)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("num_cards", [5, 3])
def test_single_rows_and_entries(num_cards: int, dtype: npt.DTypeLike) -> None:
    spot = some_spot(num_cards=num_cards)
    book, matrices = collect(spot)
    tables, rows = book.tables(dtype), spot.hands.size
    reach = np.random.default_rng(5).random(3 * rows).astype(dtype)
    for number, matrix in matrices.items():
        found = np.zeros((rows, rows))
        fill_matrix(tables, number, found)
        np.testing.assert_allclose(found, matrix, rtol=1e-6, atol=1e-18)
        assert number % 3 != MEETING or found.min() == 0  # joint weights are never negative
        for player in (0, 1):
            seen = matrix if player == 0 else matrix.T
            for row in range(0, rows, 100):
                product = multiply_one(tables, player, number, row, reach, 7)
                assert product == pytest.approx(float(seen[row] @ reach[7:][:rows]), rel=1e-4, abs=1e-9)


def test_a_board_has_one_number_in_any_order() -> None:
    spot = some_spot(num_cards=3)
    book = HandBook(spot.board, spot.ranges, spot.hands)
    assert book.beating((*spot.board, 0, 51)) == book.beating((*spot.board, 51, 0))
    assert book.meeting((*spot.board, 0, 51)) == book.beating((*spot.board, 51, 0)) - 1
    assert book.tables(np.float64).beating[0].first_hand.tolist() == [0, 1_081]


def test_scratch_space_belongs_to_one_caller() -> None:
    spot = some_spot()
    book, _ = collect(spot)
    first, second = book.tables(np.float64), book.tables(np.float64)
    assert not np.shares_memory(first.work.weight, second.work.weight)
    assert np.shares_memory(first.rank, second.rank)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("held", [6, 200])
def test_hands_that_meet_none_are_dead(player: int, held: int) -> None:
    """Out of the range, blocked by the board, or by all hands of a narrow range."""
    rng, board = np.random.default_rng(held), parse_board("9s7c5s4h")
    ranges = np.zeros((2, NUM_HANDS))
    for own in ranges:
        own[rng.choice(np.flatnonzero((HANDS < 12).all(axis=1)), min(held, 60), replace=False)] = rng.random()
        own[rng.choice(NUM_HANDS, held, replace=False)] = rng.random(held)
    spot = make_spot(board, 200, 100, parse_bet_sizes("turn:allin;river:none"), ranges)
    book, matrices = collect(spot)
    tables = book.tables(np.float64)
    for number, matrix in matrices.items():
        if number % 2 == MEETING:
            alive = np.zeros(spot.hands.size, np.bool_)
            fill_alive(tables, player, number, alive)
            np.testing.assert_array_equal(alive, matrix.any(axis=1 - player))
            assert 0 < np.count_nonzero(alive) < alive.size
