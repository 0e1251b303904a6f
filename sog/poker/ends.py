"""Folds and showdowns of a street, evaluated eight at a time on one board after another.

Which leaves of a street's betting end the hand, and for how many chips, does not depend on the cards: ends
are gathered once, in batches of one kind.

Verified: tests/poker/test_spot_solver.py (against the whole tree, whose terminals are matrices).
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import Float, Records
from sog.core.jit import ONE, inlined
from sog.core.simd import LANES
from sog.games.holdem.betting import Betting, Rake, at_stake, is_showdown, rake_chips
from sog.games.holdem.showdown import (
    WIDTH,
    HandLists,
    Work,
    compare_hands,
    meet_hands,
    place_weights,
    range_of,
    write_values,
)
from sog.public.layout import PlayerLayout

SHOWDOWN = 2  # otherwise the player who folded

END = np.dtype(
    [
        ("leaf", "u4"),  # number of the frontier node
        ("folded", "u4"),  # the player who folded, or SHOWDOWN
        ("scale", "f8"),  # chips at stake, times chance's probability of the cards dealt since the root
        ("rake", "f8"),  # chips that the house takes from the winner, times the same
    ]
)
BATCH = np.dtype(
    [
        ("is_showdown", "u4"),
        ("start", "u4"),  # range in ends
        ("count", "u4"),  # LANES at most
    ]
)


class Ends(NamedTuple):
    """The ends of a street with the boards that it is visited on. E ends, N batches."""

    ends: Records  # [E] END
    batches: Records  # [N] BATCH: ends of one kind, evaluated side by side
    lists: tuple[HandLists, HandLists]
    work: Work


def collect_ends(leaves: list[tuple[int, Betting]], chance: float, rake: Rake) -> tuple[Records, Records]:
    """Return END and BATCH records of leaves at which the hand is over."""
    ends: list[tuple[int, int, float, float]] = []
    batches = []
    for showdown in (False, True):
        kind = [end for end in leaves if is_showdown(end[1]) == showdown]
        for start in range(0, len(kind), LANES):
            batches.append((showdown, len(ends) + start, min(LANES, len(kind) - start)))
        ends += [
            (
                leaf,
                SHOWDOWN if showdown else betting.folded,
                at_stake(betting) * chance,
                rake_chips(betting, rake) * chance,
            )
            for leaf, betting in kind
        ]
    return np.array(ends, END), np.array(batches, BATCH)


@inlined
def rake_batch(board: np.uint64, start: np.uint64, count: np.uint64, ends: Ends, mine: HandLists) -> None:
    """Take the rake r of showdowns from wins minus losses D, which become `D - (r/2) / (s - r/2) · M`.

    With W wins, T ties and M hands met, the value is `s D - r (W + T/2)`, and W + T/2 is (M + D) / 2. The
    sums in the work space are those over all of the opponent's hands.
    """
    work, is_free = ends.work, True
    for lane in range(WIDTH):
        end = ends.ends[start + min(np.uint64(lane), count - ONE)]
        work.scale[lane] = end["rake"] / 2 / (end["scale"] - end["rake"] / 2)
        is_free = is_free and end["rake"] == 0
    if not is_free:
        base, heads = range_of(mine.first_head, board)
        for index in range(heads):
            head = base + index
            place, twin = np.uint64(mine.head_place[head]), np.uint64(mine.twin[head])
            one, two = np.uint64(mine.head_one[head]), np.uint64(mine.head_two[head])
            for lane in range(WIDTH):
                met = work.total[lane] - work.by_card[one + lane] - work.by_card[two + lane]
                work.result[place + lane] -= work.scale[lane] * (met + work.weight[twin + lane])


@inlined
def evaluate_ends(
    board: np.uint64,
    own: PlayerLayout,
    other: PlayerLayout,
    ends: Ends,
    player: int,
    reach: Float,
    values: Float,
) -> None:
    """Fill `player`'s values of a street's ends on a board; values and work space modified in place."""
    mine, theirs, work = ends.lists[player], ends.lists[1 - player], ends.work
    for number in range(ends.batches.size):
        batch = ends.batches[number]
        start, count = np.uint64(batch["start"]), np.uint64(batch["count"])
        for lane in range(WIDTH):  # lanes beyond the batch repeat its last end, and are not read
            end = ends.ends[start + min(np.uint64(lane), count - ONE)]
            work.place[lane] = other.leaves[np.uint64(end["leaf"])]["slot"]
        place_weights(board, theirs, reach, work)
        if batch["is_showdown"]:
            compare_hands(board, mine, theirs, work)
            rake_batch(board, start, count, ends, mine)
        else:
            meet_hands(board, mine, theirs, work)
        for lane in range(count):
            end = ends.ends[start + lane]
            is_lost = end["folded"] == np.uint32(player)
            won = end["scale"] - (end["rake"] / 2 if batch["is_showdown"] else end["rake"])
            work.scale[lane] = -end["scale"] if is_lost else won
            work.place[lane] = own.leaves[np.uint64(end["leaf"])]["value"]
        write_values(count, board, mine, values, work)
