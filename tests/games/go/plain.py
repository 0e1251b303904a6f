"""The rules once more, in the plainest Python: boards are tuples, everything is flooded anew."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

Cells = tuple[int, ...]  # [S²] 0 empty, 1 black, 2 white; by lines from the bottom left


def _neighbours(size: int, point: int) -> Iterator[int]:
    row, column = divmod(point, size)
    for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= r < size and 0 <= c < size:
            yield r * size + c


def _region(size: int, cells: Cells, start: int) -> tuple[set[int], set[int]]:
    """Return the points that hold the same as `start` and hang together, and what else they touch."""
    region, border, stack = {start}, set(), [start]
    while stack:
        for point in _neighbours(size, stack.pop()):
            if cells[point] != cells[start]:
                border.add(cells[point])
            elif point not in region:
                region.add(point)
                stack.append(point)
    return region, border


@dataclass(frozen=True)
class PlainGo:
    size: int
    cells: Cells
    player: int = 0
    passes: int = 0
    seen: frozenset[Cells] = frozenset()

    @staticmethod
    def start(size: int) -> "PlainGo":
        cells = (0,) * (size * size)
        return PlainGo(size, cells, seen=frozenset({cells}))

    def after(self, action: int) -> "PlainGo | None":
        """Return what a move leads to, `None` if it is illegal."""
        if action == self.size**2:
            return replace(self, player=1 - self.player, passes=self.passes + 1)
        if self.cells[action]:
            return None
        cells = list(self.cells)
        cells[action] = 1 + self.player
        for colour in (2 - self.player, 1 + self.player):  # the opponent's stones are taken off first
            for point in [p for p in range(self.size**2) if cells[p] == colour]:
                region, border = _region(self.size, tuple(cells), point)
                if 0 not in border and colour == 1 + self.player:
                    return None
                if 0 not in border:
                    for stone in region:
                        cells[stone] = 0
        after = tuple(cells)
        if after in self.seen:
            return None
        return PlainGo(self.size, after, 1 - self.player, 0, self.seen | {after})

    def legal(self) -> tuple[int, ...]:
        return tuple(action for action in range(self.size**2 + 1) if self.after(action))

    def lead(self) -> int:
        """Return black's area less white's."""
        total = 0
        for point, cell in enumerate(self.cells):
            reached = {cell} if cell else _region(self.size, self.cells, point)[1]
            total += (reached == {1}) - (reached == {2})
        return total

    def lines(self) -> list[str]:
        cells = "".join(".XO"[cell] for cell in self.cells)
        return [cells[row * self.size : (row + 1) * self.size] for row in reversed(range(self.size))]
