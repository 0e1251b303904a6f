"""Kernels that visit a spot street by street, with memory for regrets and averages alone.

A street's betting tree is shared by all its boards (`sog.poker.streets`). Visiting a board means: lay the
tree out for the hands that it leaves each player, take both players' reach from the street above, make
policies from regrets on the spot, and after the streets below have been visited evaluate folds and showdowns,
pull values up, add regrets and averages. All but regrets and averages is work space that the next board uses
again.

`mode` says what a visit is for: LEARN (an iteration of the variant), ANSWER (values of a best response to the
opponent's average policy) or MEET (values when both play their average policies).

Verified: tests/poker/test_spot_solver.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, U16, U32, Float
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.poker.ends import Ends, evaluate_ends
from sog.poker.regret_storage import AnySums, Need, close_sums, count_slots, open_sums
from sog.public.layout import PlayerLayout
from sog.solvers.cfr import PlayerState, State, play_step
from sog.solvers.minimisers import add_regrets, match_regrets
from sog.solvers.traversal import HIGHEST, MEAN, pull_step, pull_values

LEARN, ANSWER, MEET = 0, 1, 2
ENTER, LEAVE = 1, 2  # phases of a visit: reach and policies, values and learning

Layouts = tuple[PlayerLayout, PlayerLayout]


class Source(NamedTuple):
    """Where starts of a street come from, for each player. P boards above, R rows, S starts."""

    reach: tuple[Float, Float]  # slots of the street above
    slot: tuple[U32, U32]  # [S] slot of each start there, for one hand
    first_row: tuple[U32, U32]  # [P + 1] rows of the boards above
    origin: tuple[U16, U16]  # [R] row on the board above


class Visit(NamedTuple):
    """What is asked of a visit."""

    mode: int
    minimiser: int
    learners: tuple[bool, bool]  # whose values are asked for
    weights: F64  # [4] positive, negative, average, optimism


@inlined
def fit_layout(rows: np.uint64, unit: PlayerLayout, own: PlayerLayout) -> None:
    """Make a layout for one hand the layout for so many; `own`'s steps and leaves modified in place."""
    if np.uint64(own.leaves[ZERO]["rows"]) == rows:
        return
    for number in range(np.uint64(unit.steps.size)):
        one, step = unit.steps[number], own.steps[number]
        step["rows"], step["input"] = np.uint64(one["rows"]) * rows, np.uint64(one["input"]) * rows
        step["output"] = np.uint64(one["output"]) * rows
        step["first_row"] = np.uint64(one["first_row"]) * rows
    for number in range(np.uint64(unit.leaves.size)):
        single, leaf = unit.leaves[number], own.leaves[number]
        leaf["rows"], leaf["slot"] = rows, np.uint64(single["slot"]) * rows
        leaf["value"] = np.uint64(single["value"]) * rows


@inlined
def needs(visit: Visit, phases: int, player: int) -> Need:
    """Return which sums of a player have to be at hand."""
    is_first, is_learning = (phases & ENTER) != 0, visit.mode == LEARN
    # What was opened on entering is still there on leaving.
    return Need(is_first and is_learning, is_first and (visit.learners[player] if is_learning else True))


@inlined
def fetch_reach(
    board: np.uint64, above: np.uint64, player: int, source: Source, first_row: U32, mine: PlayerState
) -> None:
    """Fill the reach of all starts from the board above; `mine.reach` modified in place."""
    slots, reach, origin = source.slot[player], source.reach[player], source.origin[player]
    rows_above = np.uint64(source.first_row[player][above + ONE] - source.first_row[player][above])
    base = np.uint64(first_row[board])
    rows = np.uint64(first_row[board + ONE]) - base
    for start in range(np.uint64(slots.size)):
        first = np.uint64(slots[start]) * rows_above
        for row in range(rows):
            mine.reach[start * rows + row] = reach[first + np.uint64(origin[base + row])]


@inlined
def play_board(visit: Visit, player: int, own: PlayerLayout, mine: PlayerState) -> None:
    """Make a player's policy on a board and push its reach; `mine` modified in place."""
    for index in range(np.uint64(own.steps.size) - ONE):
        number = index + ONE
        if visit.mode == LEARN:
            play_step(number, own, visit.minimiser, visit.weights[3] > 0, mine)
        elif visit.mode == MEET or not visit.learners[player]:  # averages share as positive regrets do
            match_regrets(number, own, False, mine.average, mine.gain, mine.rows, mine.policy, mine.reach)


@inlined
def add_reach(own: PlayerLayout, factor: np.floating, mine: PlayerState) -> None:
    """Add the reach of decisions to the average, then discount it; `mine.average` modified in place."""
    first = np.uint64(own.steps[ZERO]["rows"])
    for index in range(count_slots(own) - first):
        slot = first + index
        mine.average[slot] = (mine.average[slot] + mine.reach[slot]) * factor


@inlined
def value_board(
    visit: Visit, board: np.uint64, player: int, players: Layouts, ends: Ends, mine: PlayerState, reach: Float
) -> None:
    """Evaluate the ends of a board, pull values up and learn from them; `mine` modified in place."""
    own = players[player]
    evaluate_ends(board, own, players[1 - player], ends, player, reach, mine.leaves)
    if visit.mode == LEARN:
        kind = mine.regret.dtype.type
        keep, drop, extra = kind(visit.weights[0]), kind(visit.weights[1]), kind(visit.weights[3])
        add_reach(own, kind(visit.weights[2]), mine)
        for index in range(own.steps.size):
            number = np.uint64(own.steps.size - 1 - index)
            pull_step(number, own, MEAN, mine.leaves, mine.policy, mine.rows, mine.values)
            if own.steps[number]["num_actions"] > 0:
                add_regrets(number, own, keep, drop, extra, mine.values, mine.rows, mine.regret, mine.gain)
    else:
        rule = HIGHEST if visit.mode == ANSWER else MEAN
        pull_values(own, rule, mine.leaves, mine.policy, mine.rows, mine.values)


@kernel
def visit_boards(
    visit: Visit,
    phases: int,
    above: np.uint64,
    first: np.uint64,
    count: np.uint64,
    first_out: np.uint64,
    units: Layouts,
    players: Layouts,
    ends: Ends,
    source: Source,
    sums: tuple[AnySums, AnySums],
    work: State,
    out: tuple[Float, Float],
) -> None:
    """Visit boards of a street below one board; `out` gets the values of their starts, from `first_out` on.

    A street with others below it is visited a board at a time: ENTER, then the streets below, then LEAVE.
    units: the layouts for one hand; players: those for the rows of a board, modified in place.
    """
    for index in range(count):
        board = first + index
        rows = ends.lists[0].first_row, ends.lists[1].first_row
        for player in range(2):
            here = np.uint64(rows[player][board + ONE] - rows[player][board])
            fit_layout(here, units[player], players[player])
        state = (
            open_sums(board, needs(visit, phases, 0), units[0], players[0], rows[0], sums[0], work[0]),
            open_sums(board, needs(visit, phases, 1), units[1], players[1], rows[1], sums[1], work[1]),
        )
        if phases & ENTER:
            for player in range(2):
                fetch_reach(board, above, player, source, rows[player], state[player])
                play_board(visit, player, players[player], state[player])
        if phases & LEAVE:
            for player in range(2):
                if visit.learners[player]:
                    value_board(visit, board, player, players, ends, state[player], state[1 - player].reach)
                    if visit.mode == LEARN:
                        close_sums(
                            board, units[player], players[player], rows[player], sums[player], state[player]
                        )
                    row = np.uint64(rows[player][board] - rows[player][first_out])
                    hand_up(row, units[player], players[player], state[player], out[player])


@inlined
def hand_up(row: np.uint64, unit: PlayerLayout, own: PlayerLayout, mine: PlayerState, out: Float) -> None:
    """Copy the values of all starts to the places of a board's rows in `out`, which is modified in place."""
    first = row * np.uint64(unit.steps[ZERO]["rows"])
    for index in range(np.uint64(own.steps[ZERO]["rows"])):
        out[first + index] = mine.values[index]


@kernel
def fit_board(board: np.uint64, units: Layouts, players: Layouts, ends: Ends) -> None:
    """Make layouts for one hand those for the rows of a board; `players` modified in place."""
    for player in range(2):
        first_row = ends.lists[player].first_row
        fit_layout(np.uint64(first_row[board + ONE] - first_row[board]), units[player], players[player])


@kernel
def iterate_river(
    minimiser: int, is_alternating: bool, weights: F64, players: Layouts, ends: Ends, state: State
) -> None:
    """Run an iteration for each row of `weights` on a street with one board and none below; state modified.

    The same as visits one by one, in a single call: on the river an iteration takes a tenth of a millisecond.
    """
    for iteration in range(weights.shape[0]):
        for turn in range(2 if is_alternating else 1):
            learners = turn == 0 or not is_alternating, turn == 1 or not is_alternating
            visit = Visit(LEARN, minimiser, learners, weights[iteration])
            for player in range(2):
                if learners[player]:
                    value_board(visit, ZERO, player, players, ends, state[player], state[1 - player].reach)
            for player in range(2):
                if learners[player]:
                    play_board(visit, player, players[player], state[player])


@kernel
def collect_cards(
    first: np.uint64,
    count: np.uint64,
    copies: U32,
    first_row: U32,
    origin: U16,
    values: Float,
    place: U32,
    rows_above: np.uint64,
    leaves: Float,
) -> None:
    """Add up what all cards after a board bring to the leaves that they follow; `leaves` modified in place.

    first, count: the boards that stand for the cards; copies, first_row, origin: of their level;
    values: [R rows of these boards * S starts], board by board; place: [S] of each leaf, for one hand.
    """
    starts, base = np.uint64(place.size), np.uint64(first_row[first])
    for start in range(starts):
        for row in range(rows_above):
            leaves[np.uint64(place[start]) * rows_above + row] = 0
    for index in range(count):
        board = first + index
        times, here = values.dtype.type(copies[board]), np.uint64(first_row[board])
        rows = np.uint64(first_row[board + ONE]) - here
        for start in range(starts):
            to, at = np.uint64(place[start]) * rows_above, (here - base) * starts + start * rows
            for row in range(rows):
                leaves[to + np.uint64(origin[here + row])] += times * values[at + row]
