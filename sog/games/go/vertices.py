"""Points as people and engines write them: `D4`, `pass`. Columns skip the letter I; line 1 is the lowest.

Verified: tests/games/go/test_vertices.py.
"""

from functools import cache

from sog.core.errors import InputError
from sog.games.parameters import shorten

COLUMNS = "ABCDEFGHJKLMNOPQRST"
PASS = "pass"
MAX_SIZE = 19  # lines


@cache
def vertex_names(size: int) -> tuple[str, ...]:
    """Return the names of all actions on a board of that size.

    >>> vertex_names(9)[0], vertex_names(9)[-2], vertex_names(9)[-1]
    ('A1', 'J9', 'pass')
    """
    return (*(f"{COLUMNS[column]}{row + 1}" for row in range(size) for column in range(size)), PASS)


def parse_vertex(size: int, text: str) -> int:
    """Return the action that a vertex names, in upper or lower case.

    >>> parse_vertex(9, "b1"), parse_vertex(9, "PASS")
    (1, 81)
    """
    word = text.strip()
    if word.lower() == PASS:
        return size * size
    try:
        return vertex_names(size).index(word.upper())
    except ValueError:
        raise InputError(
            f"{shorten(text)} is no vertex of a board of {size} lines, such as {COLUMNS[size - 1]}{size}"
        ) from None
