"""Where a search begins: at the start of the game, or where the search before it left off.

Safe re-solving continues the same player's previous search on the path. It starts at the last public state
that the previous tree holds, with that player's average range and, for each infostate of the opponent, the
average counterfactual value found there, which the gadget offers as an alternative to entering. From there a
single branch leads down to the current state (Player of Games, appendix B.1 and figure 13). Where nothing is
hidden there is nothing to be safe against: a search begins at the current state.

Verified: tests/search/test_resolving.py.
"""

import numpy as np

from sog.core.arrays import F64
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Task
from sog.search.result import SearchResult


def first_task(store: StateStore, current: int) -> Task:
    """Return the search of a public state from the start of the game: nothing is known but the rules."""
    sizes = store.num_infostates(ROOT)
    return Task(ROOT, current, (np.ones(sizes[0]), np.ones(sizes[1])))


def next_task(
    store: StateStore, previous: SearchResult | None, current: int, player: int, is_safe: bool = True
) -> Task:
    """Return the search that continues `player`'s previous one; from the start if there is none to continue.

    What the previous search remembers goes along, for a warm start.

    Everything is divided by the sum of the player's range, which changes no decision. A player whose own
    range is zero will never be there; the state is then searched with a uniform one. An opponent who was
    thought never to come here gets a uniform range too.
    """
    if store.is_perfect_information:  # nothing that was played before matters
        sizes = store.num_infostates(current)
        task = Task(current, current, (np.ones(sizes[0]), np.ones(sizes[1])))
        return task if previous is None else task._replace(memory=previous.memory)
    if previous is None:
        return first_task(store, current)
    for root in reversed(store.path(current)):
        found = previous.find(root)
        if found is not None:
            break
    else:
        return first_task(store, current)
    summary, opponent = previous.summary(found), 1 - player
    mass = float(summary.ranges[player].sum())
    own, other = _normalised(summary.ranges[player]), _normalised(summary.ranges[opponent])
    ranges = (own, other) if player == 0 else (other, own)
    masses = float(summary.ranges[0].sum()), float(summary.ranges[1].sum())
    task = Task(root, current, ranges, memory=previous.memory, masses=masses)
    if not is_safe or mass <= 0:
        return task
    return task._replace(resolver=player, stop_values=summary.values[opponent] / mass)


def _normalised(weights: F64) -> F64:
    """Return the weights divided by their sum, uniform where they are all zero."""
    total = weights.sum()
    return weights / total if total > 0 else np.full(weights.size, 1 / weights.size)
