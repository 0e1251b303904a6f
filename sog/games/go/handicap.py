"""Where handicap stones are put (GTP 2, section 4.1.1): corners, then the middles of sides, and the centre.

Verified: tests/interfaces/protocols/test_gtp.py, against GNU Go.
"""

from sog.core.errors import InputError

_ORDERS = {  # of columns and lines: 0 low, 1 in the middle, 2 high
    2: "00 22",
    3: "00 22 02",
    4: "00 22 02 20",
    5: "00 22 02 20 11",
    6: "00 22 02 20 01 21",
    7: "00 22 02 20 01 21 11",
    8: "00 22 02 20 01 21 10 12",
    9: "00 22 02 20 01 21 10 12 11",
}
_SMALLEST = 7


def most_fixed(size: int) -> int:
    """Return how many stones have a fixed place on a board of that size."""
    if size < _SMALLEST:
        return 0
    return 4 if size == _SMALLEST or size % 2 == 0 else 9


def fixed_handicap(size: int, count: int) -> list[int]:
    """Return the points of so many stones, as actions.

    >>> fixed_handicap(9, 2)
    [20, 60]
    """
    if not 2 <= count <= most_fixed(size):
        raise InputError("invalid number of stones")
    edge = 3 if size >= 13 else 2
    places = (edge, size // 2, size - 1 - edge)
    return [size * places[int(pair[1])] + places[int(pair[0])] for pair in _ORDERS[count].split()]
