"""Ways to turn a board over or around, as maps of its squares.

Squares are numbered row by row, as in planes. The first map of every list leaves the board as it is.

Verified: tests/games/test_symmetry.py.
"""

from collections.abc import Sequence

SquareMap = tuple[int, ...]  # where each square goes


def mirror_squares(rows: int, columns: int) -> list[SquareMap]:
    """Return the maps that leave left and right as they are, and that exchange them.

    >>> mirror_squares(2, 3)[1]
    (2, 1, 0, 5, 4, 3)
    """
    squares = range(rows * columns)
    return [tuple(squares), tuple(square + columns - 1 - 2 * (square % columns) for square in squares)]


def square_symmetries(size: int) -> list[SquareMap]:
    """Return the eight symmetries of a square board.

    >>> sorted(board[0] for board in square_symmetries(3))
    [0, 0, 2, 2, 6, 6, 8, 8]
    """
    identity, mirror = mirror_squares(size, size)
    turn = tuple((square % size) * size + size - 1 - square // size for square in identity)
    maps = [identity, mirror]
    for _ in range(3):
        maps += [follow(maps[-2], turn), follow(maps[-1], turn)]
    return maps


def follow(first: Sequence[int], second: Sequence[int]) -> SquareMap:
    """Return the map that does one after the other."""
    return tuple(second[square] for square in first)
