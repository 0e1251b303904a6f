"""What a network sees of a position: AlphaGo Zero's 17 planes (Silver et al. 2017).

Planes 2 k and 2 k + 1 are the stones of the player to move and of the opponent k moves ago, k from 0 to 7,
empty before the start of the game; plane 16 is all ones if black is to move. Points are in the order of
actions.

Verified: tests/games/go/test_planes.py.
"""

import numpy as np

from sog.core.arrays import F32
from sog.core.jit import ONE, ZERO, inlined
from sog.games.go.layout import NUM_MOVES, NUM_REMEMBERED, TO_PLAY, Board, GoRules

NUM_PLANES = 2 * NUM_REMEMBERED + 1


@inlined
def write_planes(rules: GoRules, board: Board, planes: F32, at: np.uint64) -> None:
    """Write [NUM_PLANES, S, S] numbers to `planes` from `at` on."""
    number, player, area = board.facts[NUM_MOVES], board.facts[TO_PLAY], rules.pass_action
    remembered = np.uint64(NUM_REMEMBERED)
    for plane in range(2 * NUM_REMEMBERED):
        ago, is_opponent = np.uint64(plane) >> ONE, np.uint64(plane) & ONE
        slot = np.uint64(2) * ((number + remembered - ago) % remembered) + (player ^ is_opponent)
        start = at + np.uint64(plane) * area
        for action in range(area):
            word = board.past[slot * rules.num_masks + (action >> np.uint64(6))]
            planes[start + action] = float((word >> (action & np.uint64(63))) & ONE)
    start = at + np.uint64(2 * NUM_REMEMBERED) * area
    for action in range(area):
        planes[start + action] = 1.0 if player == ZERO else 0.0
