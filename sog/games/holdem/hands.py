"""Hold'em's matrices over both players' hands: who meets whom, and who beats whom.

Each board has three. MEETING has the weight with which chance deals two hands that share no card with each
other or with the board; it is every fold, up to the chips lost, and the joint weights of every state.
BEATING, of river boards, has the same weights, positive where player 0's hand wins and negative where it
loses. Both are never written out, and multiplied in linear time, eight leaves side by side
(`sog.games.holdem.showdown`). ALLIN, of boards with cards to come, has the weights times wins minus losses
over all runouts (`sog.games.holdem.allin`); it is multiplied as it stands.

Rows are the hands that the spot's first board leaves. Later cards only block some of them, so one table
serves MEETING on every board; BEATING needs the order of strength, one table for each river board that was
asked for, and ALLIN its counts: two bytes for each pair of hands, four before the flop.

Verified: tests/games/holdem/test_hands.py (against the matrices of all pairs).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sog.core.arrays import F64, I16, I32, U8, U32, U64, Float, Growable, aligned_zeros
from sog.core.jit import ONE, ZERO, inlined, inner
from sog.core.simd import LANES
from sog.games.holdem.allin import count_wins
from sog.games.holdem.cards import HANDS, NUM_CARDS, NUM_HANDS, Board, compatible_hands
from sog.games.holdem.showdown import (
    WIDTH,
    HandLists,
    Rows,
    Work,
    compare_hands,
    list_hands,
    make_work,
    meet_hands,
    place_weights,
    write_values,
)
from sog.games.holdem.strength import order_by_strength, strengths_of_boards
from sog.games.products import Index, Kernels, Leaves, register_products

MEETING, BEATING, ALLIN = range(3)  # kinds: the number of a matrix is `3 * board + kind`
_KINDS = np.uint64(3)
_NO_TABLE = 0xFFFFFFFF
_PREFLOP = 0xFFFFFFFE  # of the counts before the flop
_RANGES = ("first_row", "first_hand", "first_group")
_PLACES = ("place", "one", "two", "twin", "group_end", "weaker", "not_stronger")


class HandTables(NamedTuple):
    """The matrices of G boards, R of them on the river, over H hands; and scratch space."""

    cards: U64  # [H] a bit for each of a hand's cards
    dealt: U64  # [G] bits of the cards that came after the spot's first board
    river: U32  # [G] which of the river boards it is
    alive: tuple[U8, U8]  # [P][G * H] whether a hand may be held, and meet another
    meeting: tuple[HandLists, HandLists]  # the spot's first board
    beating: tuple[HandLists, HandLists]  # [R] river boards
    rank: U32  # [R * H] row by row: a stronger hand has a larger number
    counts: U32  # [G] which of the boards with counts it is
    allin: I16  # [M * H * H] counts of boards from the flop on
    preflop: I32  # [H * H] counts before the flop, or none
    work: Work
    batch: U32  # [LANES] nodes that are multiplied side by side


class HandBook:
    """Gathers the boards of a spot whose matrices are asked for.

    ranges: [2, 1326]; hands: [H] those that the first board leaves.
    """

    def __init__(self, board: Board, ranges: F64, hands: I32) -> None:
        self._board, self._ranges, self._hands = board, ranges, hands
        self._cards: U64 = (np.uint64(1) << HANDS[hands].astype(np.uint64)).sum(axis=1, dtype=np.uint64)
        everything = Rows(hands, np.arange(hands.size, dtype=np.int32), hands.size)
        self._meeting = list_hands(ranges, [()], [(everything, everything)], np.float64)
        self._numbers: dict[Board, int] = {}
        self._dealt = Growable(np.uint64)
        self._river = Growable(np.uint32)
        self._alive = Growable(np.uint8), Growable(np.uint8)
        self._new_rivers: list[Board] = []  # without tables yet
        self._num_rivers = 0
        self._rank = Growable(np.uint32)
        self._counts = Growable(np.uint32)
        self._num_counted = 0
        self._allin = Growable(np.int16)
        self._preflop = np.zeros(0, np.int32)
        self._ranges_of = [Growable(np.uint32) for _ in _RANGES]  # both players have the same hands
        for part in self._ranges_of:
            part.append(0)
        self._places = [Growable(np.uint16) for _ in _PLACES]
        self._deals = Growable(np.float64), Growable(np.float64)

    def meeting(self, board: Board) -> int:
        """Return the number of a board's MEETING."""
        return int(_KINDS) * self._number(board) + MEETING

    def beating(self, board: Board) -> int:
        """Return the number of a river board's BEATING."""
        number = self._number(board)
        if self._river[number] == _NO_TABLE:
            self._river[number] = self._num_rivers
            self._num_rivers += 1
            self._new_rivers.append(board)
        return int(_KINDS) * number + BEATING

    def allin(self, board: Board) -> int:
        """Return the number of the ALLIN of a board with cards to come."""
        number = self._number(board)
        if self._counts[number] == _NO_TABLE:
            counts = count_wins(board)[np.ix_(self._hands, self._hands)].ravel()
            if board:
                self._counts[number] = self._num_counted
                self._num_counted += 1
                self._allin.extend(counts)
            else:
                self._counts[number], self._preflop = _PREFLOP, counts
        return int(_KINDS) * number + ALLIN

    def _number(self, board: Board) -> int:
        key = tuple(sorted(board))
        number = self._numbers.setdefault(key, len(self._numbers))
        if number == len(self._dealt):
            self._dealt.append(sum(1 << card for card in board if card not in self._board))
            self._river.append(_NO_TABLE)
            self._counts.append(_NO_TABLE)
            self._note_alive(self._dealt[number])
        return number

    def _note_alive(self, dealt: np.uint64) -> None:
        """Note which hands each player may hold on a board, if the other has one that shares no card."""
        held = (self._ranges[:, self._hands] > 0) & ((self._cards & dealt) == 0)
        cards = HANDS[self._hands]
        for player, alive in enumerate(self._alive):
            others = held[1 - player]
            blockers = np.bincount(cards[others].ravel(), minlength=NUM_CARDS)[cards].sum(axis=1) - others
            alive.extend(held[player] & (others.sum() > blockers))

    def tables(self, dtype: npt.DTypeLike) -> HandTables:
        """Return all matrices so far, with scratch space for one caller; the next board may outgrow them."""
        self._fill_tables()
        return HandTables(
            cards=self._cards,
            dealt=self._dealt.values,
            river=self._river.values,
            alive=(self._alive[0].values, self._alive[1].values),
            meeting=(_cast(self._meeting[0], dtype), _cast(self._meeting[1], dtype)),
            beating=(self._beating(0, dtype), self._beating(1, dtype)),
            rank=self._rank.values,
            counts=self._counts.values,
            allin=self._allin.values,
            preflop=self._preflop,
            work=make_work(self._hands.size, dtype),
            batch=aligned_zeros(LANES, np.uint32),
        )

    def _beating(self, player: int, dtype: npt.DTypeLike) -> HandLists:
        """Return a player's hands on all river boards."""
        deal = self._deals[player].values.astype(dtype, copy=False)
        first_row, first_hand, first_group = (part.values for part in self._ranges_of)
        place, one, two, *rest = (part.values for part in self._places)
        heads = place, one, two  # a row stands for a single hand
        return HandLists(
            first_row, first_hand, first_hand, first_group, deal, deal, place, one, two, *heads, *rest
        )

    def _fill_tables(self) -> None:
        """Append the tables of river boards that have none yet."""
        boards = self._new_rivers
        if not boards:
            return
        rows = [self._order_rows(board) for board in boards]
        both = list_hands(self._ranges, boards, [(own, own) for own in rows], np.float64)
        self._rank.extend(np.maximum(strengths_of_boards(boards)[:, self._hands], 0).ravel())
        for name, part in zip(_RANGES, self._ranges_of, strict=True):
            part.extend(getattr(both[0], name)[1:] + part[-1])
        for name, places in zip(_PLACES, self._places, strict=True):
            places.extend(getattr(both[0], name))
        for own, deal in zip(both, self._deals, strict=True):
            deal.extend(own.deal)
        self._new_rivers = []

    def _order_rows(self, board: Board) -> Rows:
        """Return the hands that a river board leaves, by strength."""
        row_of = np.zeros(NUM_HANDS, np.int32)
        row_of[self._hands] = np.arange(self._hands.size)
        ordered = order_by_strength(board, self._hands[compatible_hands(board)[self._hands]])
        return Rows(ordered, row_of[ordered], self._hands.size)


def _cast(lists: HandLists, dtype: npt.DTypeLike) -> HandLists:
    deal = lists.deal.astype(dtype, copy=False)
    return lists._replace(weight=deal, deal=deal)


@inlined
def multiply_hands(tables: HandTables, player: Index, leaves: Leaves, reach: Float, values: Float) -> None:
    """`multiply_leaves`: MEETING of any boards side by side, others of one; values, scratch modified."""
    for kind in range(3):
        filled, last = ZERO, ZERO
        for index in range(leaves.size):
            node = np.uint64(leaves.nodes[index])
            number = np.uint64(leaves.numbers[node])
            if number % _KINDS == kind:
                if filled == WIDTH or (filled > ZERO and kind != MEETING and number != last):
                    _multiply_batch(tables, player, kind, filled, leaves, reach, values)
                    filled = ZERO
                tables.batch[filled] = node
                filled, last = filled + ONE, number
        if filled > ZERO:
            _multiply_batch(tables, player, kind, filled, leaves, reach, values)


@inner
def _multiply_batch(
    tables: HandTables,
    player: Index,
    kind: Index,
    count: np.uint64,
    leaves: Leaves,
    reach: Float,
    values: Float,
) -> None:
    """Write the products of the first `count` nodes of `tables.batch`; values and scratch modified."""
    work = tables.work
    for lane in range(WIDTH):  # lanes beyond the batch repeat its last node, and are not read
        node = np.uint64(tables.batch[min(np.uint64(lane), count - ONE)])
        work.place[lane] = leaves.other[node]["slot"]
    lists, board = tables.meeting, ZERO
    if kind == BEATING:
        first = np.uint64(leaves.numbers[np.uint64(tables.batch[ZERO])])
        lists, board = tables.beating, np.uint64(tables.river[first // _KINDS])
    own, theirs = lists[player], lists[1 - player]
    place_weights(board, theirs, reach, work)
    if kind == BEATING:
        compare_hands(board, own, theirs, work)  # wins of the own hand
    elif kind == ALLIN:
        which = tables.counts[np.uint64(leaves.numbers[np.uint64(tables.batch[ZERO])]) // _KINDS]
        if which == _PREFLOP:
            _multiply_counts(tables.preflop, ZERO, work)
        else:
            _multiply_counts(tables.allin, np.uint64(which), work)
    else:
        _clear_blocked(tables, count, leaves, work.weight)
        meet_hands(board, own, theirs, work)
        _clear_blocked(tables, count, leaves, work.result)
    is_lost = leaves.is_negated != (kind != MEETING and player == 1)
    for lane in range(count):
        node = np.uint64(tables.batch[lane])
        work.scale[lane] = -leaves.scales[node] if is_lost else leaves.scales[node]
        work.place[lane] = leaves.own[node]["value"]
    write_values(count, board, own, values, work)


@inlined
def _multiply_counts(counts: I16 | I32, which: np.uint64, work: Work) -> None:
    """Write what each hand wins with cards to come, eight leaves side by side, into `work.result`."""
    hands = np.uint64(work.result.size) // WIDTH
    start = which * hands * hands
    for hand in range(hands):
        to, row = hand * WIDTH, start + hand * hands
        for lane in range(WIDTH):
            work.result[to + lane] = 0
        for other in range(hands):
            count = work.result.dtype.type(counts[row + other])
            for lane in range(WIDTH):
                work.result[to + lane] += count * work.weight[other * WIDTH + lane]


@inlined
def _clear_blocked(tables: HandTables, count: np.uint64, leaves: Leaves, lanes: Float) -> None:
    """Write zero for hands that a board's later cards block; lanes [H, LANES] modified in place."""
    blocked = ZERO
    for lane in range(count):
        blocked |= _dealt_at(tables, leaves, np.uint64(lane))
    if blocked == ZERO:
        return
    for row in range(np.uint64(tables.cards.size)):
        if tables.cards[row] & blocked:
            for lane in range(count):
                if tables.cards[row] & _dealt_at(tables, leaves, np.uint64(lane)):
                    lanes[row * WIDTH + lane] = 0


@inlined
def _dealt_at(tables: HandTables, leaves: Leaves, lane: np.uint64) -> np.uint64:
    """Return the later cards of the board of a node in the batch."""
    number = np.uint64(leaves.numbers[np.uint64(tables.batch[lane])])
    return np.uint64(tables.dealt[number // _KINDS])


@inlined
def multiply_hand_row(
    tables: HandTables,
    player: Index,
    number: np.uint64,
    row: np.uint64,
    columns: np.uint64,
    reach: Float,
    slot: np.uint64,
) -> float:
    """`multiply_row`."""
    theirs = tables.meeting[1 - player].deal
    total = 0.0
    for column in range(columns):
        weight = float(theirs[column]) * float(reach[slot + column])
        total += weight * _sign(tables, number, row, np.uint64(column))
    total *= float(tables.meeting[player].deal[row])
    return -total if player == 1 and number % _KINDS != MEETING else total


@inlined
def hand_entry(
    tables: HandTables, number: np.uint64, row: np.uint64, column: np.uint64, columns: np.uint64
) -> float:
    """`entry`."""
    first, second = tables.meeting
    return float(first.deal[row]) * float(second.deal[column]) * _sign(tables, number, row, column)


@inlined
def _sign(tables: HandTables, number: np.uint64, row: np.uint64, column: np.uint64) -> int:
    """Return an entry's sign, 0 where two hands cannot meet; of ALLIN the count."""
    if number % _KINDS == ALLIN:
        which, size = tables.counts[number // _KINDS], np.uint64(tables.cards.size)
        if which == _PREFLOP:
            return int(tables.preflop[row * size + column])
        return int(tables.allin[(np.uint64(which) * size + row) * size + column])
    board, mine, theirs = number // _KINDS, tables.cards[row], tables.cards[column]
    if (mine & theirs) | ((mine | theirs) & tables.dealt[board]):
        return 0
    if number % _KINDS == MEETING:
        return 1
    base = np.uint64(tables.river[board]) * np.uint64(tables.cards.size)
    first, second = tables.rank[base + row], tables.rank[base + column]
    return int(first > second) - int(first < second)


@inlined
def is_hand_alive(tables: HandTables, player: Index, number: np.uint64, row: np.uint64) -> bool:
    """`is_alive`."""
    return bool(tables.alive[player][number // _KINDS * np.uint64(tables.cards.size) + row])


register_products(
    HandTables, Kernels(multiply_hands, multiply_hand_row, hand_entry, is_hand_alive, takes_runs=True)
)
