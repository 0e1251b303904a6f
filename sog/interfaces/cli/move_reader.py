"""What a person may type for a move: its name, the beginning of it, or its number.

Numbers belong to actions, so that a move has the same number all through a game; they are used where a game
has few actions and their names are no numbers themselves. Games with a notation of their own read it first:
SAN and UCI in chess, vertices in Go.

Verified: tests/interfaces/cli/test_move_reader.py.
"""

from typing import Any, NamedTuple

from sog.games.base import AnyGame
from sog.interfaces.output import columns, shorten

_MOST_NUMBERED = 30  # actions of a game
_FEW = 12  # moves that are listed without being asked for
_EXAMPLES = 4
_WIDTH = 88


class Choices(NamedTuple):
    """The moves of one turn."""

    names: list[str]  # as people write them
    labels: list[str]  # numbers, or nothing

    @property
    def listed(self) -> list[str]:
        """The moves with what to type for each."""
        pairs = zip(self.labels, self.names, strict=True)
        return [f"{label}: {name}" if label else name for label, name in pairs]

    @property
    def are_few(self) -> bool:
        """Whether they may be listed at every turn."""
        return len(self.names) <= _FEW

    @property
    def groups(self) -> dict[str, list[str]]:
        """The last words of moves by their first ones, if names of two words go together; or nothing.

        >>> Choices(["taxi 5", "taxi 53", "bus 53", "double"], [""] * 4).groups
        {'taxi': ['5', '53'], 'bus': ['53'], 'double': []}
        """
        groups: dict[str, list[str]] = {}
        for name in self.names:
            first, *rest = name.split()
            groups.setdefault(first, []).extend(rest)
        are_pairs = all(len(name.split()) <= 2 for name in self.names)
        return groups if are_pairs and not any(self.labels) and len(groups) < len(self.names) else {}

    def told(self) -> list[str]:
        """Return the moves as they are listed at every turn: nothing if there are too many."""
        if groups := self.groups:
            return [
                "Your moves:",
                *(f"  {first} {' '.join(rest)}".rstrip() for first, rest in groups.items()),
            ]
        return [f"Your moves: {'   '.join(self.listed)}"] if self.are_few else []

    def table(self) -> list[str]:
        """Return all moves in columns."""
        width = max(map(len, self.listed)) + 3
        count = max(1, _WIDTH // width)
        rows = [self.listed[start : start + count] for start in range(0, len(self.listed), count)]
        return columns(rows, gap=3)

    def expected(self) -> str:
        """Return what a wrong answer should have been."""
        pairs = list(zip(self.names, self.labels, strict=True))
        some = pairs[:: -(-len(pairs) // _EXAMPLES)]
        told = [f"{name} ({label})" if label else name for name, label in some]
        if len(some) == len(pairs):
            return f"type {' or '.join(told)}"
        return f"type one of {len(pairs)} moves, such as {', '.join(told)}; moves lists all"


def list_choices(game: AnyGame, world: Any) -> Choices:
    """Return the moves of the player to move."""
    actions = game.legal_actions(world)
    names = [game.notation.name(world, action) for action in actions]
    is_numbered = game.info.num_actions <= _MOST_NUMBERED and not any(name.isdigit() for name in names)
    return Choices(names, [str(action + 1) if is_numbered else "" for action in actions])


def read_move(game: AnyGame, world: Any, choices: Choices, answer: str) -> int | str:
    """Return the number of the move that an answer means among the legal ones, or what is wrong with it."""
    action = game.notation.find(world, answer)
    if action is not None:
        return game.legal_actions(world).index(action)
    found = find_name(choices, answer)
    if len(found) == 1:
        return found[0]
    said = shorten(repr(answer), 40)
    if found:
        could = " or ".join(choices.names[move] for move in found[:_EXAMPLES])
        return f"{said} could be {could}{' or another' * (len(found) > _EXAMPLES)}."
    return f"{said} is no move here: {choices.expected()}."


def find_name(choices: Choices, answer: str) -> list[int]:
    """Return the moves that an answer may mean: by name or number, else by how the words of a name begin.

    >>> find_name(Choices(["pass", "bet"], ["1", "2"]), "B")
    [1]
    >>> find_name(Choices(["taxi 5", "taxi 53", "bus 53"], [""] * 3), "t 53")
    [1]
    """
    wanted = _folded(answer)
    if not wanted:
        return []
    names = [_folded(name) for name in choices.names]
    for tried in (
        [name == answer for name in choices.names],
        [label == wanted for label in choices.labels],
        [name == wanted for name in names],
        [name.startswith(wanted) for name in names],
        [_begins(name, wanted) for name in names],
        [name.split()[-1:] == [wanted] for name in names],
    ):
        if any(tried):
            return [move for move, is_meant in enumerate(tried) if is_meant]
    return []


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def _begins(name: str, wanted: str) -> bool:
    """Return whether every word of an answer begins a word of the name, the last one being whole."""
    words, parts = name.split(), wanted.split()
    return (
        len(parts) == len(words) > 1
        and words[-1] == parts[-1]
        and all(word.startswith(part) for word, part in zip(words, parts, strict=True))
    )
