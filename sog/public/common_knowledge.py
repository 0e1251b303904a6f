"""Public states of games without public observations: what both players know that both know.

Two histories belong to one public state if a chain of "one of the players cannot tell these apart" joins
them. Nothing then says that it is public whose turn it is: in dark games a player who hits a hidden piece
tries again, unseen. So a public state *schedules* one actor, and the histories in which another is to
move wait; a player's tries end before the other one moves, and no infostate is cut in two. That no decision
infostate stands in two public states is checked when all of them are known (`sog.public.enumeration`).

Verified: tests/public/test_common_knowledge.py.
"""

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar

from sog.games.base import CHANCE


class _Move(Protocol):
    @property
    def private(self) -> tuple[Hashable, Hashable]: ...


_AnyMove = TypeVar("_AnyMove", bound=_Move)


def schedule(actors: set[int], previous: int) -> int:
    """Choose who moves: chance first, then the player who moved last, then the other."""
    if CHANCE in actors:
        return CHANCE
    return previous if previous in actors else min(actors)


def group_by_common_knowledge(moves: Sequence[_AnyMove], is_terminal: Sequence[bool]) -> list[list[_AnyMove]]:
    """Split moves into components linked by equal infostates; that the game is over is always public."""
    parent = list(range(len(moves)))

    def find(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    first: dict[tuple[int, bool, Hashable], int] = {}
    for index, move in enumerate(moves):
        for player, seen in enumerate(move.private):
            other = first.setdefault((player, is_terminal[index], seen), index)
            parent[find(index)] = find(other)
    groups: dict[int, list[_AnyMove]] = {}
    for index, move in enumerate(moves):
        groups.setdefault(find(index), []).append(move)
    return list(groups.values())
