"""Hold'em's matrices for searches, never written out: who meets whom, and who beats whom.

On a river board there are two matrices over hands, both multiplied in linear time by the kernels of
`sog.public.showdown`, eight leaves at a time. MEETING has the weight with which chance deals two hands that
share no card; it is every fold, up to the chips lost, and the joint weights of every state. BEATING has the
same weights, positive where player 0's hand wins and negative where it loses.

Verified: tests/public/test_hands.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, U32, aligned_zeros
from sog.core.errors import InputError
from sog.core.jit import ONE, ZERO, inlined, inner
from sog.core.lanes import LANES
from sog.games.holdem.betting import NOBODY, OOP, at_stake
from sog.games.holdem.strength import RIVER_CARDS
from sog.public.holdem import HoldemState, HoldemView
from sog.public.products import Kernels, register_products
from sog.public.showdown import (
    WIDTH,
    Boards,
    Work,
    collect_boards,
    compare_hands,
    make_work,
    meet_hands,
    weigh_placed_hands,
    write_values,
)
from sog.public.tree import PlayerLayout

MEETING, BEATING = range(2)  # the numbers of the matrices


class HandTables(NamedTuple):
    """One river board, its hands by strength, and work space."""

    boards: Boards  # one board
    work: Work
    batch: U32  # [LANES] nodes that are multiplied side by side


class HandBook:
    """The matrices of a river spot."""

    def __init__(self, view: HoldemView) -> None:
        spot = view.spot
        if len(spot.board) < RIVER_CARDS:
            raise InputError(
                f"search: cards are still to come after {len(spot.board)} of {RIVER_CARDS}; only river spots"
                " can be searched yet"
            )
        boards = collect_boards(spot, [spot.board], [spot.hands], np.float64)
        assert boards.is_sorted[0]
        assert boards.num_hands[0] == boards.rows
        self._tables = HandTables(boards, make_work(boards.rows, np.float64), aligned_zeros(LANES, np.uint32))

    def add(self, state: HoldemState, is_over: bool) -> tuple[int, float]:
        """Return number and scale of a state's payoffs, if it is over, or of its joint weights."""
        if not is_over:
            return MEETING, 1.0
        stake = at_stake(state.betting)
        if state.betting.folded == NOBODY:
            return BEATING, stake
        return MEETING, -stake if state.betting.folded == OOP else stake

    def tables(self) -> HandTables:
        """Return the tables."""
        return self._tables


@inlined
def multiply_hands(
    tables: HandTables,
    player: int,
    nodes: U32,
    count: np.uint64,
    own: PlayerLayout,
    other: PlayerLayout,
    numbers: I32,
    scales: F64,
    reach: F64,
    values: F64,
) -> None:
    """`multiply_leaves` of hands, leaves of one matrix side by side; values and work space modified."""
    for number in range(2):
        filled = ZERO
        for index in range(count):
            node = np.uint64(nodes[index])
            if numbers[node] == number:
                tables.batch[filled] = node
                filled += ONE
            if filled == WIDTH or (filled > ZERO and index + ONE == count):
                _multiply_batch(tables, player, number, filled, own, other, scales, reach, values)
                filled = ZERO


@inner
def _multiply_batch(
    tables: HandTables,
    player: int,
    number: int,
    count: np.uint64,
    own: PlayerLayout,
    other: PlayerLayout,
    scales: F64,
    reach: F64,
    values: F64,
) -> None:
    """Write the products of the first `count` nodes of `tables.batch`; values and work space modified."""
    boards, work = tables.boards, tables.work
    for lane in range(WIDTH):  # lanes beyond the batch repeat its last node; nobody reads them
        node = np.uint64(tables.batch[min(np.uint64(lane), count - ONE)])
        work.place[lane] = other.leaves[node]["slot"]
    weigh_placed_hands(ZERO, boards.deal[1 - player], reach, boards, work)
    if number == BEATING:
        compare_hands(ZERO, boards, work)  # for the own hand: the sign is right for both players
    else:
        meet_hands(ZERO, boards, work)
    sign = -1.0 if player == 1 and number == MEETING else 1.0
    for lane in range(count):
        node = np.uint64(tables.batch[lane])
        work.scale[lane] = sign * scales[node]
        work.place[lane] = own.leaves[node]["value"]
    write_values(count, ZERO, boards, boards.deal[player], values, work)


@inlined
def multiply_hand_row(
    tables: HandTables,
    player: int,
    number: np.uint64,
    row: np.uint64,
    columns: np.uint64,
    reach: F64,
    slot: np.uint64,
) -> float:
    """`multiply_row` of MEETING."""
    boards = tables.boards
    mine, theirs = boards.deal[player], boards.deal[1 - player]
    one, two = boards.first_card[row], boards.second_card[row]
    total = 0.0
    for column in range(columns):
        first, second = boards.first_card[column], boards.second_card[column]
        if first != one and first != two and second != one and second != two:
            total += float(theirs[column]) * reach[slot + column]
    total *= float(mine[row])
    return total if player == 0 else -total


register_products(HandTables, Kernels(multiply_hands, multiply_hand_row))
