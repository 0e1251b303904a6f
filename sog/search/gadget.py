"""The gadget of safe re-solving: above the root, every infostate of the opponent may take its old value.

The searching player's range at the root is fixed. Each infostate of the opponent chooses by regret matching+
to *terminate*, for the counterfactual value that the search before gave it, or to *follow* into the tree. The
range with which the opponent enters is the probability of following, mixed with the range of the search
before (Student of Games, "Modified continual re-solving"; α = 0.5). So the opponent cannot do better than it
already could, whatever made it come here.

`is_normalised`: the follow range is made to sum to one before it is mixed, so that iterations in which most
infostates would rather terminate count as much as others. Otherwise the opponent is dealt its infostates
evenly, and mass that terminates is lost to the tree. Infostates that are dead, since chance rules them out,
do not follow.

Verified: tests/search/test_gadget.py.
"""

import numpy as np

from sog.core.jit import inner
from sog.search.lanes import (
    ALIVE,
    FOLLOW,
    FOLLOW_REGRET,
    NO_GADGET,
    REACH,
    STOP_REGRET,
    STOP_VALUE,
    VALUE,
    Index,
    Lanes,
)


def open_gadgets(lanes: Lanes, count: int) -> None:
    """Forget all regrets of the first lanes: every infostate follows half of the time; lanes modified."""
    lanes.roots[:count, FOLLOW] = 0.5
    lanes.roots[:count, ALIVE] = 1.0
    lanes.roots[:count, FOLLOW_REGRET] = 0.0
    lanes.roots[:count, STOP_REGRET] = 0.0


@inner
def mix_root_ranges(lanes: Lanes, lane: Index, mix: float, is_normalised: bool) -> None:
    """Write both players' reach at the root; lanes modified in place."""
    resolver = np.int64(lanes.lane[lane]["resolver"])
    for player in range(2):
        rows = np.uint64(lanes.steps[player, lane, 0]["rows"])
        for row in range(rows):
            lanes.slots[player, lane, REACH, row] = lanes.roots[lane, player, row]
        if resolver == NO_GADGET or player == resolver:
            continue
        total = 0.0
        for row in range(rows):
            alive = lanes.roots[lane, ALIVE, row]
            total += alive * lanes.roots[lane, FOLLOW, row] if is_normalised else alive
        if total > 0:
            for row in range(rows):
                before = lanes.slots[player, lane, REACH, row]
                follow = lanes.roots[lane, ALIVE, row] * lanes.roots[lane, FOLLOW, row]
                lanes.slots[player, lane, REACH, row] = mix * follow / total + (1 - mix) * before


@inner
def learn_gadget(lanes: Lanes, lane: Index, turn: Index) -> None:
    """Compare following with terminating, and choose anew in the opponent's turn; lanes modified."""
    resolver = np.int64(lanes.lane[lane]["resolver"])
    opponent = 1 - resolver
    if resolver == NO_GADGET or turn == resolver:
        return
    state = lanes.roots[lane]
    for row in range(np.uint64(lanes.steps[opponent, lane, 0]["rows"])):
        value, stop, follow = (
            lanes.slots[opponent, lane, VALUE, row],
            state[STOP_VALUE, row],
            state[FOLLOW, row],
        )
        mean = follow * value + (1 - follow) * stop
        state[FOLLOW_REGRET, row] = max(0.0, state[FOLLOW_REGRET, row] + value - mean)
        state[STOP_REGRET, row] = max(0.0, state[STOP_REGRET, row] + stop - mean)
        total = state[FOLLOW_REGRET, row] + state[STOP_REGRET, row]
        state[FOLLOW, row] = state[FOLLOW_REGRET, row] / total if total > 0 else 0.5
