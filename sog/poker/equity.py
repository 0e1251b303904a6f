"""What hands are worth at a node if both players check from there to the showdown.

All rivers after a board are gone through once, each with the hands that it leaves both ranges, by strength
(`sog.poker.streets`): some milliseconds from the flop on.

Verified: tests/poker/test_equity.py (against every pair of hands and every runout).
"""

import numpy as np

from sog.core.arrays import F64, I64, U32, Float
from sog.core.jit import kernel
from sog.games.holdem.showdown import WIDTH, HandLists, Work, compare_hands, make_work, range_of
from sog.poker.streets import Level


def win_showdowns(levels: list[Level], depth: int, board: int, player: int, reach: Float) -> F64:
    """Return wins minus losses of each of a player's rows on a board, over all rivers and hands of the row.

    levels: of the whole spot; depth, board: where one is. reach: [rows of the opponent there], which counts
    beside the weights of its range.
    """
    boards, times = np.array([board, board + 1]), np.ones(1, np.uint32)
    rows: tuple[I64, I64] = (
        np.arange(levels[depth].num_rows(0, board)),
        np.arange(levels[depth].num_rows(1, board)),
    )
    for level, below in zip(levels[depth:], levels[depth + 1 :], strict=False):
        deals = level.deals
        assert deals is not None
        after = deals.first_board[boards[0] : boards[1] + 1].astype(np.int64)
        times = np.repeat(times, np.diff(after)) * deals.copies[after[0] : after[-1]]
        first, second = (_lead_down(level, below, number, boards, after, rows[number]) for number in (0, 1))
        rows, boards = (first, second), np.array([after[0], after[-1]])
    last, size = levels[-1].lists, levels[depth].num_rows(player, board)
    won = np.zeros(size)
    most = max(levels[-1].most_rows(0), levels[-1].most_rows(1))
    _check_down(
        np.uint64(boards[0]), np.uint64(boards[1] - boards[0]), times.astype(np.uint32),
        last[player], last[1 - player], rows[player].astype(np.uint32), rows[1 - player].astype(np.uint32),
        np.ascontiguousarray(reach, last[0].weight.dtype), make_work(most, last[0].weight.dtype), won,
    )  # fmt: skip
    return won


def _lead_down(level: Level, below: Level, player: int, boards: I64, after: I64, rows: I64) -> I64:
    """Return for each row on the boards below the row on the first board that it comes from.

    boards: the range of boards of this level; after: where those below each begin; rows: the same of this.
    """
    deals, here, there = level.deals, level.lists[player].first_row, below.lists[player].first_row
    assert deals is not None
    first = there[after].astype(np.int64)
    begin = here[boards[0] : boards[1]].astype(np.int64) - int(here[boards[0]])
    origin = deals.origin[player][first[0] : first[-1]].astype(np.int64)
    found: I64 = rows[origin + np.repeat(begin, np.diff(first))]
    return found


@kernel
def _check_down(
    first: np.uint64,
    count: np.uint64,
    times: U32,
    mine: HandLists,
    theirs: HandLists,
    my_rows: U32,
    their_rows: U32,
    reach: Float,
    work: Work,
    won: F64,
) -> None:
    """Add wins minus losses on river boards, each `times` over; work and `won` modified in place.

    my_rows, their_rows: [rows of these boards] the row above that each comes from.
    """
    my_first, their_first = np.uint64(mine.first_row[first]), np.uint64(theirs.first_row[first])
    for index in range(count):
        board = first + index
        base, rows = range_of(theirs.first_row, board)
        for row in range(rows):
            weight = theirs.weight[base + row] * reach[np.uint64(their_rows[base - their_first + row])]
            for lane in range(WIDTH):
                work.weight[row * WIDTH + lane] = weight
        for lane in range(WIDTH):
            work.weight[rows * WIDTH + lane] = 0
        compare_hands(board, mine, theirs, work)
        base, _ = range_of(mine.first_row, board)
        heads, num_heads = range_of(mine.first_head, board)
        for head in range(num_heads):
            place = np.uint64(mine.head_place[heads + head])
            own = base + place // WIDTH
            alike = mine.deal[own] / mine.weight[own]
            above = np.uint64(my_rows[own - my_first])
            won[above] += np.float64(times[index]) * alike * work.result[place]
