"""Which stones can never be captured, and which can never live: Benson's theorem (1976).

A chain of one colour is **safe** if it stays on the board even though its owner always passes. A region is
what the stones of that colour enclose: empty points and the other's stones. A region is vital to a chain if
all of its empty points are liberties of the chain. Chains with two vital regions are safe, as long as the
regions touch safe chains alone. The other's stones in a region of safe chains are dead if there are not two
points for eyes: points that touch no stone around the region. Suicide is forbidden.

Verified: tests/games/go/test_life.py.
"""

from collections.abc import Sequence
from typing import NamedTuple

EMPTY, BLACK, WHITE = 0, 1, 2
Points = frozenset[int]  # numbered by lines, as actions are


class Board(NamedTuple):
    """Stones on the points of a square."""

    size: int
    colours: Sequence[int]  # [S²] EMPTY, BLACK or WHITE

    def near(self, point: int) -> list[int]:
        """Return the points beside a point."""
        row, column = divmod(point, self.size)
        around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        return [self.size * r + c for r, c in around if 0 <= r < self.size and 0 <= c < self.size]

    def touching(self, points: Points) -> Points:
        """Return the points beside points, these left out."""
        return frozenset(q for point in points for q in self.near(point)) - points

    def parts(self, points: Points) -> list[Points]:
        """Return points as sets of those that hang together, in the order of their first points."""
        left, found = set(points), list[Points]()
        for point in sorted(points):
            if point in left:
                part, border = {point}, [point]
                while border:
                    new = {q for p in border for q in self.near(p) if q in left} - part
                    part |= new
                    border = list(new)
                left -= part
                found.append(frozenset(part))
        return found

    def points_of(self, *colours: int) -> Points:
        """Return all points that hold one of the colours."""
        return frozenset(point for point, colour in enumerate(self.colours) if colour in colours)


def chains(board: Board) -> list[Points]:
    """Return all chains of either colour."""
    return [chain for colour in (BLACK, WHITE) for chain in board.parts(board.points_of(colour))]


def dead_stones(board: Board) -> Points:
    """Return the stones that can never live, since what surrounds them can never be captured.

    >>> picture = [".....", ".....", ".....", "XXXXX", ".XXO."]
    >>> stones = [".XO".index(cell) for line in reversed(picture) for cell in line]
    >>> sorted(dead_stones(Board(5, stones)))
    [3]
    """
    dead = set[int]()
    for colour in (BLACK, WHITE):
        safe, regions = safe_chains(board, colour)
        stones = frozenset[int]().union(*safe)
        for region in regions:
            eyes = [point for point in region if not stones & set(board.near(point))]
            if len(eyes) < 2:
                dead |= region & board.points_of(BLACK + WHITE - colour)
    return frozenset(dead)


def safe_chains(board: Board, colour: int) -> tuple[list[Points], list[Points]]:
    """Return the safe chains of a colour, and the regions that they alone enclose."""
    own = board.points_of(colour)
    safe, empty = board.parts(own), board.points_of(EMPTY)
    regions = board.parts(frozenset(range(board.size**2)) - own)
    while True:
        stones = frozenset[int]().union(*safe)
        regions = [region for region in regions if board.touching(region) <= stones]
        kept = [
            chain for chain in safe if sum(region & empty <= board.touching(chain) for region in regions) >= 2
        ]
        if len(kept) == len(safe):
            return safe, regions
        safe = kept
