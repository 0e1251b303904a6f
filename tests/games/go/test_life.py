"""Benson's theorem against its own words: a chain is safe if no order of the other's moves takes it."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.games.go.life import BLACK, EMPTY, WHITE, Board, dead_stones, safe_chains

SIZE = 3


def read(*lines: str) -> Board:
    return Board(len(lines), [".XO".index(cell) for line in reversed(lines) for cell in line])


def test_two_eyes_are_safe() -> None:
    board = read(".X.XO", "XXXXO", "OOOOO", ".....", ".....")
    assert [len(chain) for chain in safe_chains(board, BLACK)[0]] == [6]
    assert safe_chains(board, WHITE)[0] == []
    assert dead_stones(board) == frozenset()


def test_a_stone_without_room_for_eyes_is_dead() -> None:
    board = read(".X.X..", "XXXXXX", "......", "......", "XXXXXX", ".XO.X.")
    assert dead_stones(board) == frozenset({2})


def test_room_for_two_eyes_is_left_alone() -> None:
    board = read("X.X.X", "XXXXX", ".....", "..O..", ".....")
    assert len(safe_chains(board, BLACK)[0]) == 1
    assert dead_stones(board) == frozenset()


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Boards on which every chain has a liberty."""
    cells = draw(st.lists(st.sampled_from([EMPTY, BLACK, BLACK, WHITE]), min_size=9, max_size=9))
    board = Board(SIZE, cells)
    for colour in (BLACK, WHITE):
        for chain in board.parts(board.points_of(colour)):
            if not board.touching(chain) & board.points_of(EMPTY):
                for point in chain:
                    cells[point] = EMPTY
    return Board(SIZE, tuple(cells))


@settings(deadline=None, max_examples=60)
@given(boards(), st.sampled_from([BLACK, WHITE]))
def test_safe_chains_are_never_taken(board: Board, colour: int) -> None:
    """The other player moves alone, in any order."""
    always = board.points_of(colour)
    for position in reachable(board, BLACK + WHITE - colour):
        always &= position.points_of(colour)
    safe = frozenset[int]().union(*safe_chains(board, colour)[0])
    assert safe == always


@cache
def reachable(board: Board, mover: int) -> frozenset[Board]:
    """Return all positions after moves of one player."""
    found, new = {board}, [board]
    while new:
        position = new.pop()
        for point in position.points_of(EMPTY):
            after = _put(position, point, mover)
            if after not in found:
                found.add(after)
                new.append(after)
    return frozenset(found)


def _put(board: Board, point: int, mover: int) -> Board:
    """Return the board with a stone more; the same board if that is suicide."""
    cells = list(board.colours)
    cells[point] = mover
    now = Board(board.size, tuple(cells))
    for chain in now.parts(now.points_of(BLACK + WHITE - mover)):
        if not now.touching(chain) & now.points_of(EMPTY):
            for taken in chain:
                cells[taken] = EMPTY
    after = Board(board.size, tuple(cells))
    (own,) = [chain for chain in after.parts(after.points_of(mover)) if point in chain]
    return after if after.touching(own) & after.points_of(EMPTY) else board


@pytest.mark.parametrize("size", [2, 19])
def test_empty_boards(size: int) -> None:
    assert dead_stones(Board(size, [EMPTY] * size**2)) == frozenset()
