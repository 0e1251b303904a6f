"""Tromp and Taylor's area score: a player owns the player's stones and what reaches no other stones.

Verified: tests/games/go/test_rules.py, tests/games/go/test_gnugo.py.
"""

import numpy as np

from sog.core.jit import ONE, ZERO, inlined
from sog.games.go.layout import BLACK, COUNTS, EMPTY, WHITE, Board, GoRules, neighbours_of

_TOUCHES_BLACK, _TOUCHES_WHITE = np.uint64(1 << BLACK), np.uint64(1 << WHITE)


@inlined
def utility(rules: GoRules, board: Board) -> float:
    """Return what black wins: 1 with more points than white's and the komi, −1 with fewer, 0 with as many."""
    lead = area_lead(rules, board) - rules.komi
    return float(np.sign(lead))


@inlined
def area_lead(rules: GoRules, board: Board) -> float:
    """Return black's points less white's, before the komi.

    Regions of empty points are gathered inside the list of empty points, which is in any order anyway: the
    region that is being filled is a stretch of it, and grows by moving points to its end.
    """
    empties, place = board.empties, board.place
    lead = float(board.facts[COUNTS + BLACK]) - float(board.facts[COUNTS + WHITE])
    num_empty, start = board.facts[COUNTS + EMPTY], ZERO
    while start < num_empty:
        touches, end, i = ZERO, start + ONE, start
        while i < end:
            for q in neighbours_of(np.uint64(empties[i]), rules.stride):
                held, at = np.uint64(board.colour[q]), np.uint64(place[q])
                touches |= ONE << held
                if held == np.uint64(EMPTY) and at >= end:
                    moved = np.uint64(empties[end])
                    empties[end], empties[at] = q, moved
                    place[q], place[moved] = end, at
                    end += ONE
            i += ONE
        touches &= _TOUCHES_BLACK | _TOUCHES_WHITE
        if touches == _TOUCHES_BLACK:
            lead += float(end - start)
        elif touches == _TOUCHES_WHITE:
            lead -= float(end - start)
        start = end
    return lead
