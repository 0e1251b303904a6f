from typing import NamedTuple

from sog.games.base import CHANCE
from sog.public.common_knowledge import group_by_common_knowledge, schedule


class Move(NamedTuple):
    name: str
    private: tuple[str, str]


def names(groups: list[list[Move]]) -> set[frozenset[str]]:
    return {frozenset(move.name for move in group) for group in groups}


def test_chains_of_doubt_join_histories() -> None:
    moves = [
        Move("a", ("x", "1")),
        Move("b", ("x", "2")),  # player 0 cannot tell a from b
        Move("c", ("y", "2")),  # player 1 cannot tell b from c, so a and c share a public state too
        Move("d", ("z", "3")),
    ]
    assert names(group_by_common_knowledge(moves, [False] * 4)) == {frozenset("abc"), frozenset("d")}


def test_the_end_of_the_game_is_public() -> None:
    moves = [Move("a", ("x", "1")), Move("b", ("x", "1"))]
    assert names(group_by_common_knowledge(moves, [False, True])) == {frozenset("a"), frozenset("b")}


def test_the_last_mover_finishes_first() -> None:
    assert schedule({0, 1}, previous=1) == 1
    assert schedule({0, 1}, previous=0) == 0
    assert schedule({0, 1}, previous=CHANCE) == 0
    assert schedule({0, CHANCE}, previous=0) == CHANCE
    assert schedule({1}, previous=0) == 1
