"""Locked strategies in a street's sums: policies are shares of regrets and averages, which stay as given.

Verified: tests/poker/test_locks.py.
"""

from collections.abc import Sequence

import numpy as np

from sog.core.arrays import F64, I32, U8
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.locks import Lock
from sog.poker.regret_storage import AVERAGE_STEPS, REGRET_STEPS, AnySums, ShortSums
from sog.poker.streets import Level, Street
from sog.public.layout import NO_STEP


def lock_street(
    street: Street, level: Level, sums: tuple[AnySums, AnySums], locks: Sequence[Lock]
) -> tuple[U8, U8]:
    """Write locked strategies into sums; return which rows they are, as `visits.visit_boards` takes them."""
    layout = street.layout
    flags = [np.zeros(0, np.uint8) for _ in range(NUM_PLAYERS)]
    for lock in locks:
        player = lock.state.to_act
        for node, betting in enumerate(street.bettings):
            if betting == lock.state and layout.decision_step[node] != NO_STEP:
                if not flags[player].size:
                    rows = int(level.lists[player].first_row[-1])
                    flags[player] = np.zeros(layout.num_rows[player] * rows, np.uint8)
                for board in range(len(level.boards)):
                    _lock_board(street, level, sums[player], lock, node, board, flags[player])
    return flags[0], flags[1]


def _lock_board(
    street: Street, level: Level, sums: AnySums, lock: Lock, node: int, board: int, flags: U8
) -> None:
    """Write a locked strategy into the sums of a decision on a board; sums and flags modified in place."""
    player, layout = lock.state.to_act, street.layout
    number, rows = int(layout.decision_step[node]), level.rows(board)[player]
    steps, first_row = layout.players[player].steps, level.lists[player].first_row
    is_locked = lock.is_locked[rows.hands]
    row, policy = rows.row[is_locked], lock.policy[:, rows.hands[is_locked]]
    before = layout.num_rows[player] * int(first_row[board])
    flags[before + int(steps[number]["first_row"]) * rows.size + row] = 1
    starts, later = int(steps[0]["rows"]), int(first_row[-1] - first_row[board])
    block = sums.regret.size - (layout.num_slots[player] - starts) * later - starts * rows.size
    slots = block + (int(steps[number]["output"]) + np.arange(len(policy))[:, None]) * rows.size + row
    _write(sums, board * steps.size + number, slots, policy)


def _write(sums: AnySums, place: int, slots: I32, policy: F64) -> None:
    """Write shares into slots; place: of the scale, in sixteen bits."""
    if isinstance(sums, ShortSums):
        sums.regret_scale[place] = sums.average_scale[place] = 1
        sums.regret[slots], sums.average[slots] = np.round(policy * REGRET_STEPS), policy * AVERAGE_STEPS
    else:
        sums.regret[slots] = sums.average[slots] = policy
