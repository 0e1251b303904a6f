"""Kernels that visit a spot street by street, with memory for regrets and averages alone.

A street's betting tree is shared by all its boards (`sog.poker.streets`). Visiting a board means: take both
players' reach from the street above, make policies from regrets on the spot, and after the streets below have
been visited evaluate folds and showdowns, pull values up, add regrets and averages. All but regrets and
averages is work space that the next board uses again.

`mode` says what a visit is for: LEARN (an iteration of the variant), ANSWER (values of a best response to the
opponent's average policy) or MEET (values when both play their average policies).

Verified: tests/poker/test_spot_solver.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, U32, Float
from sog.core.jit import ZERO, inlined, kernel
from sog.poker.ends import Ends, evaluate_ends
from sog.poker.regret_storage import AnySums, close_sums, open_sums
from sog.public.layout import PlayerLayout
from sog.solvers.cfr import PlayerState, State, play_step
from sog.solvers.minimisers import add_regrets
from sog.solvers.policies import normalise
from sog.solvers.traversal import BEST, MEAN, pull_step, pull_values, push_reach

LEARN, ANSWER, MEET = 0, 1, 2
ENTER, LEAVE = 1, 2  # phases of a visit: reach and policies, values and learning


class Source(NamedTuple):
    """Where starts of a street come from. B boards, H hands, R starts."""

    reach: tuple[Float, Float]  # slots of the street above
    slot: tuple[U32, U32]  # [R] first slot of each start's row there
    origin: U32  # [B * H] row on the board above


class Visit(NamedTuple):
    """What is asked of a visit."""

    mode: int
    minimiser: int
    learners: tuple[bool, bool]  # whose values are asked for
    weights: F64  # [4] positive, negative, average, optimism


@inlined
def open_both(
    board: np.uint64,
    visit: Visit,
    players: tuple[PlayerLayout, PlayerLayout],
    sums: tuple[AnySums, AnySums],
    work: State,
) -> State:
    """Return both players' states with the sums of a board in them."""
    return (
        open_sums(board, visit.mode == LEARN, players[0], sums[0], work[0]),
        open_sums(board, visit.mode == LEARN, players[1], sums[1], work[1]),
    )


@inlined
def fetch_reach(board: np.uint64, player: int, source: Source, rows: np.uint64, mine: PlayerState) -> None:
    """Fill the reach of all starts from the street above; `mine.reach` modified in place."""
    slots, reach, origin = source.slot[player], source.reach[player], source.origin
    for start in range(np.uint64(slots.size)):
        first = np.uint64(slots[start])
        for row in range(rows):
            mine.reach[start * rows + row] = reach[first + np.uint64(origin[board * rows + row])]


@inlined
def play_board(visit: Visit, player: int, own: PlayerLayout, mine: PlayerState) -> None:
    """Make a player's policy on a board and push its reach; `mine` modified in place."""
    if visit.mode == LEARN:
        for number in range(own.steps.size - 1):
            play_step(np.uint64(number + 1), own, visit.minimiser, visit.weights[3] > 0, mine)
    elif visit.mode == MEET or not visit.learners[player]:
        normalise(own, mine.average, mine.policy)
        push_reach(own, mine.policy, mine.reach)


@inlined
def add_reach(first: np.uint64, factor: np.floating, mine: PlayerState) -> None:
    """Add the reach of decisions to the average, then discount it; `mine.average` modified in place."""
    for index in range(np.uint64(mine.reach.size) - first):
        slot = first + index
        mine.average[slot] = (mine.average[slot] + mine.reach[slot]) * factor


@inlined
def value_board(
    visit: Visit,
    board: np.uint64,
    player: int,
    players: tuple[PlayerLayout, PlayerLayout],
    ends: Ends,
    mine: PlayerState,
    reach: Float,
) -> None:
    """Evaluate the ends of a board, pull values up and learn from them; `mine` modified in place."""
    own = players[player]
    evaluate_ends(board, own, players[1 - player], ends, player, reach, mine.leaves)
    if visit.mode == LEARN:
        kind = mine.regret.dtype.type
        keep, drop, extra = kind(visit.weights[0]), kind(visit.weights[1]), kind(visit.weights[3])
        add_reach(np.uint64(own.steps[0]["rows"]), kind(visit.weights[2]), mine)
        for index in range(own.steps.size):
            number = np.uint64(own.steps.size - 1 - index)
            pull_step(number, own, MEAN, mine.leaves, mine.policy, mine.rows, mine.values)
            if own.steps[number]["num_actions"] > 0:
                add_regrets(number, own, keep, drop, extra, mine.values, mine.rows, mine.regret, mine.gain)
    elif visit.mode == ANSWER:
        pull_values(own, BEST, mine.leaves, mine.policy, mine.rows, mine.values)
    else:
        pull_values(own, MEAN, mine.leaves, mine.policy, mine.rows, mine.values)


@kernel
def visit_boards(
    visit: Visit,
    phases: int,
    first: np.uint64,
    count: np.uint64,
    first_out: np.uint64,
    players: tuple[PlayerLayout, PlayerLayout],
    ends: Ends,
    source: Source,
    sums: tuple[AnySums, AnySums],
    work: State,
    out: tuple[Float, Float],
) -> None:
    """Visit boards of a street; `out` [boards, starts * hands], counted from `first_out`, gets the values.

    A street with others below it is visited a board at a time: ENTER, then the streets below, then LEAVE.
    """
    rows = np.uint64(ends.boards.rows)
    for index in range(count):
        board = first + index
        state = open_both(board, visit, players, sums, work)
        if phases & ENTER:
            for player in range(2):
                fetch_reach(board, player, source, rows, state[player])
                play_board(visit, player, players[player], state[player])
        if phases & LEAVE:
            for player in range(2):
                if visit.learners[player]:
                    value_board(visit, board, player, players, ends, state[player], state[1 - player].reach)
                    close_sums(board, visit.mode == LEARN, players[player], sums[player], state[player])
                    hand_up(board - first_out, players[player], state[player], out[player])


@inlined
def hand_up(number: np.uint64, own: PlayerLayout, mine: PlayerState, out: Float) -> None:
    """Copy the values of all starts to the `number`-th place of `out`, which is modified in place."""
    size = np.uint64(own.steps[0]["rows"])
    for index in range(size):
        out[number * size + index] = mine.values[index]


@kernel
def iterate_river(
    minimiser: int,
    is_alternating: bool,
    weights: F64,
    players: tuple[PlayerLayout, PlayerLayout],
    ends: Ends,
    state: State,
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
    rows: np.uint64,
    first_out: np.uint64,
    card_board: U32,
    card_origin: U32,
    values: Float,
    place: U32,
    leaves: Float,
    rows_above: np.uint64,
) -> None:
    """Add up what all cards bring to the leaves that they follow; `leaves` modified in place.

    card_board: [C], card_origin: [C * H], values: [boards, R * H], place: [R] first place of each leaf.
    """
    starts = np.uint64(place.size)
    for start in range(starts):
        for row in range(rows_above):
            leaves[np.uint64(place[start]) + row] = 0
    for card in range(np.uint64(card_board.size)):
        board = np.uint64(card_board[card]) - first_out
        for start in range(starts):
            first, at = np.uint64(place[start]), (board * starts + start) * rows
            for row in range(rows):
                leaves[first + np.uint64(card_origin[card * rows + row])] += values[at + row]
