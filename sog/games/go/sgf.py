"""Records of games in SGF, the format that Go programs exchange (FF[4]): the main line, in and out.

Variations and comments are left out on reading. What else a record says of the start of a game is kept:
stones put on the board before the first move (handicap), and who begins.

Verified: tests/games/go/test_sgf.py.
"""

import re
from collections.abc import Iterator
from math import isfinite
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.go.vertices import MAX_SIZE
from sog.games.parameters import shorten

_LETTERS = "abcdefghijklmnopqrs"
_PLAYERS = "BW"
_NAMES = ("black", "white")
_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:\\.|[^\]\\])*)\])", re.DOTALL)
_OLD_PASS = "tt"  # how boards of up to 19 lines used to write a pass

Node = dict[str, list[str]]  # values by property


class SgfRecord(NamedTuple):
    """A game as it was played."""

    size: int = 19
    komi: float = 0.0
    stones: tuple[tuple[int, int], ...] = ()  # to begin with: points and players
    first: int = 0  # the player who begins
    moves: tuple[int, ...] = ()  # actions, the players in turn
    names: tuple[str, str] = ("", "")  # of black and white
    result: str = ""  # "B+3.5", "W+R", "0", or nothing if it is not known


def read_sgf(text: str) -> SgfRecord:
    """Return the main line of the first game in a file.

    >>> read_sgf("(;SZ[9]KM[7.5];B[ee];W[ce])").moves
    (40, 38)
    """
    nodes = _main_line(text)
    root = nodes[0]
    size, komi = _size(root), _komi(root)
    stones: dict[int, int] = {}
    for player, key in enumerate(("AB", "AW")):
        for value in root.get(key, []):
            stones.update(dict.fromkeys(_points(value, size), player))
    played = [
        (_PLAYERS.index(key), _action(value, size))
        for node in nodes
        for key, values in node.items()
        if key in ("B", "W")
        for value in values[:1]
    ]
    first = played[0][0] if played else _to_play(root)
    for number, (player, _) in enumerate(played):
        if player != (first + number) % 2:
            raise InputError(f"SGF: move {number + 1}: {_NAMES[player]} plays twice in a row")
    return SgfRecord(
        size=size,
        komi=komi,
        stones=tuple(sorted(stones.items())),
        first=first,
        moves=tuple(action for _, action in played),
        names=(_text(root, "PB"), _text(root, "PW")),
        result=_text(root, "RE"),
    )


def write_sgf(record: SgfRecord) -> str:
    """Return the record as the text of a file.

    >>> print(write_sgf(SgfRecord(size=9, komi=7.5, moves=(40, 81), result="B+R")), end="")
    (;GM[1]FF[4]CA[UTF-8]AP[sog]SZ[9]KM[7.5]RU[Chinese]RE[B+R]
    ;B[ee];W[])
    """
    size = record.size
    head = f";GM[1]FF[4]CA[UTF-8]AP[sog]SZ[{size}]KM[{record.komi:g}]RU[Chinese]"
    for key, value in (("PB", record.names[0]), ("PW", record.names[1]), ("RE", record.result)):
        if value:
            head += f"{key}[{_escaped(value)}]"
    for player, key in enumerate(("AB", "AW")):
        points = "".join(f"[{_point(action, size)}]" for action, owner in record.stones if owner == player)
        head += f"{key}{points}" if points else ""
    if record.stones or record.first:
        head += f"PL[{_PLAYERS[record.first]}]"
    moves = [
        f";{_PLAYERS[(record.first + number) % 2]}[{_point(action, size)}]"
        for number, action in enumerate(record.moves)
    ]
    lines = ["".join(moves[start : start + 10]) for start in range(0, len(moves), 10)]
    return "\n".join([f"({head}", *lines]) + ")\n"


def _main_line(text: str) -> list[Node]:
    """Return the nodes up to the first closing bracket: until there, every opening one leads further down."""
    nodes: list[Node] = []
    values: list[str] | None = None
    for mark, key, value in _tokens(text):
        if mark == ")":
            break
        if mark == ";":
            nodes.append({})
        elif mark != "(":
            if not nodes or (not key and values is None):
                raise InputError("SGF: a value without a node or a property")
            if key:  # lower case letters are an old way to write long names
                capitals = "".join(letter for letter in key if letter.isupper())
                values = nodes[-1].setdefault(capitals, [])
            elif values is not None:
                values.append(value)
            continue
        values = None
    else:
        raise InputError("SGF: the record breaks off before its closing bracket")
    if not nodes:
        raise InputError("SGF: a record without nodes")
    return nodes


def _tokens(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield brackets and semicolons, properties, and values, from the first opening bracket on."""
    at = text.find("(")
    if at < 0:
        raise InputError("SGF: no record here, which would begin with an opening bracket")
    while match := _TOKEN.match(text, at):
        mark, key, value = match.groups()
        yield mark or "", key or "", value or ""
        at = match.end()
    if text[at:].strip():
        raise InputError(f"SGF: cannot read {shorten(text[at : at + 20])}")


def _size(root: Node) -> int:
    if _text(root, "GM") not in ("", "1"):
        raise InputError(f"SGF: a record of another game: GM[{_text(root, 'GM')[:20]}]")
    text = _text(root, "SZ") or "19"
    width, _, height = text.partition(":")
    if not (
        width.isascii() and width.isdigit() and 2 <= int(width[:4]) <= MAX_SIZE and height in ("", width)
    ):
        raise InputError(f"SGF: the size must be from 2 to {MAX_SIZE}, not {shorten(text)}")
    return int(width)


def _komi(root: Node) -> float:
    text = _text(root, "KM")
    try:
        komi = float(text or 0)
    except ValueError:
        komi = float("nan")
    if not isfinite(komi):
        raise InputError(f"SGF: the komi must be a number, not {shorten(text)}")
    return komi


def _to_play(root: Node) -> int:
    return 1 if _text(root, "PL").upper().startswith("W") else 0


def _text(root: Node, key: str) -> str:
    value = (root.get(key) or [""])[0]
    return re.sub(r"\\(.)", r"\1", re.sub(r"\\\r?\n", "", value), flags=re.DOTALL).strip()


def _escaped(text: str) -> str:
    return re.sub(r"([\]\\:])", r"\\\1", text)


def _action(value: str, size: int) -> int:
    word = value.strip()
    if word == "" or (word == _OLD_PASS and size <= 19):
        return size * size
    if len(word) != 2 or any(letter not in _LETTERS[:size] for letter in word):
        raise InputError(f"SGF: {shorten(value)} is no point of a board of {size} lines")
    column, row = (_LETTERS.index(letter) for letter in word)
    return (size - 1 - row) * size + column


def _points(value: str, size: int) -> list[int]:
    """Return the points of `ab` or of a rectangle, `ab:cd`."""
    corner, _, opposite = value.strip().partition(":")
    one, two = _action(corner, size), _action(opposite or corner, size)
    if size * size in (one, two):
        raise InputError(f"SGF: {shorten(value)} is no point of a board of {size} lines")
    rows, columns = sorted((one // size, two // size)), sorted((one % size, two % size))
    return [
        row * size + column
        for row in range(rows[0], rows[1] + 1)
        for column in range(columns[0], columns[1] + 1)
    ]


def _point(action: int, size: int) -> str:
    if action == size * size:
        return ""
    row, column = divmod(action, size)
    return _LETTERS[column] + _LETTERS[size - 1 - row]
