"""Where a search begins: at the last proper subgame, or where the search before it left off.

A state in which both players have one infostate is a **proper subgame**: nothing of what was played before
matters there, so a search of it needs no gadget. Where nothing is hidden every state is one.

An opponent who has one infostate learns nothing from where a search begins, and can do no better than against
the best answer to it: to solve such a state for the player's own range is safe without a gadget, and as long
as that opponent moves and keeps one infostate, the search may begin further down.

Elsewhere, safe re-solving continues the same player's previous search on the path. It starts at the last
public state that the previous tree holds, with that player's average range and, for each infostate of the
opponent, the average counterfactual value found there, which the gadget offers as an alternative to entering.
From there a single branch leads down to the current state (Player of Games, appendix B.1 and figure 13).

The outcomes of wide chance are not listed, so no branch leads through it: a search begins after the last one,
with the ranges that come there. What the opponent could have got instead is not known there, and no gadget is
offered.

Verified: tests/search/test_resolving.py.
"""

import numpy as np

from sog.core.arrays import F64
from sog.public.store import StateStore
from sog.search.gtcfr import Task
from sog.search.result import SearchResult


def first_task(store: StateStore, current: int) -> Task:
    """Return the search of a public state of which nothing is known but the rules."""
    path = store.path(current)
    root = path[max(_last_proper(store, path), 0)]
    return _after_wide_chance(store, path, _open_task(store, root, current))


def next_task(
    store: StateStore, previous: SearchResult | None, current: int, player: int, is_safe: bool = True
) -> Task:
    """Return the search that continues `player`'s previous one, or begins anew if that is as good or better.

    Everything is divided by the sum of the player's range, which changes no decision. A player whose own
    range is zero will never be there; the state is then searched with a uniform one. An opponent who was
    thought never to come here gets a uniform range too.
    """
    if store.num_infostates(current) == (1, 1):
        task = _open_task(store, current, current)
        return task if previous is None else task._replace(reusable=previous.reusable)
    if previous is None:
        return first_task(store, current)
    path, found = store.path(current), None
    for root in reversed(path):
        if store.num_infostates(root) == (1, 1) or (found := previous.find(root)) is not None:
            break
    if found is None:
        return first_task(store, current)
    summary, opponent = previous.summary(found), 1 - player
    if store.num_infostates(root)[opponent] == 1:
        below = path[path.index(root) :]
        return _after_wide_chance(store, path, _known_task(store, below, summary.ranges, player))
    mass = float(summary.ranges[player][store.alive(root)[player]].sum())
    task = Task(root, current, _living(store, root, summary.ranges))
    if is_safe and mass > 0:
        task = task._replace(resolver=player, stop_values=summary.values[opponent] / mass)
    return _after_wide_chance(store, path, task)


def _known_task(store: StateStore, path: list[int], ranges: tuple[F64, F64], player: int) -> Task:
    """Return the search against an opponent of one infostate, from as far down a path as that goes on.

    How that opponent plays does not change the player's range.
    """
    opponent, place = 1 - player, 0
    while (
        place + 1 < len(path)
        and store.actor(path[place]) == opponent
        and store.num_infostates(path[place + 1])[opponent] == 1
    ):
        place += 1
        own = store.push(path[place], player, ranges[player])
        ranges = (own, np.ones(1)) if player == 0 else (np.ones(1), own)
    return Task(path[place], path[-1], _living(store, path[place], ranges))


def _open_task(store: StateStore, root: int, current: int) -> Task:
    first, second = store.alive(root)
    return Task(root, current, (first.astype(np.float64), second.astype(np.float64)))


def _last_proper(store: StateStore, path: list[int]) -> int:
    """Return the place on a path of the last state where both players have one infostate, or -1."""
    for place in range(len(path) - 1, -1, -1):
        if store.num_infostates(path[place]) == (1, 1):
            return place
    return -1


def _after_wide_chance(store: StateStore, path: list[int], task: Task) -> Task:
    """Return a task that begins below the last wide chance between its root and its current state."""
    begin = path.index(task.root)
    wide = [place for place in range(begin, len(path) - 1) if store.num_outcomes(path[place])]
    if not wide:
        return task
    child = path[wide[-1] + 1]
    after = _open_task(store, child, task.current)
    if wide[-1] > begin:  # what is played in between is not known
        return after
    pushed = store.push(child, 0, task.ranges[0]), store.push(child, 1, task.ranges[1])
    return after._replace(ranges=_living(store, child, pushed))


def _living(store: StateStore, node: int, ranges: tuple[F64, F64]) -> tuple[F64, F64]:
    """Return ranges of the infostates that are alive, each divided by its sum; uniform where that is zero."""
    found = []
    for alive, weights in zip(store.alive(node), ranges, strict=True):
        living = np.where(alive, weights, 0.0)
        total = living.sum()
        found.append(living / total if total > 0 else alive / max(1, int(alive.sum())))
    return found[0], found[1]
