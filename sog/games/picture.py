"""What a person in a seat is shown of a game: lines of text whose parts may have a style.

A game draws itself (`Game.show`) from its whole history, hidden facts included, but a picture must depend on
nothing that the seat cannot know: two histories that a seat cannot tell apart have the same picture. Games
that do not draw themselves are told in words (`observations`).

Verified: tests/games/test_pictures.py.
"""

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from sog.games.base import AnyGame

_RECENT = 12  # public observations that are told again


class Style(Enum):
    """What a part of a picture is; terminals give it a colour."""

    PLAIN = "plain"
    FIRST = "first"  # belongs to player 0
    SECOND = "second"  # belongs to player 1
    FAINT = "faint"  # coordinates


class Span(NamedTuple):
    """A piece of a line."""

    text: str
    style: Style = Style.PLAIN


Picture = list[tuple[Span, ...]]
OWNERS = (Style.FIRST, Style.SECOND)


class History(NamedTuple):
    """A game as far as it has gone: everything, hidden facts too."""

    worlds: Sequence[Any]  # the present one last
    actions: Sequence[int]  # one fewer: each leads from a world to the next

    @property
    def world(self) -> Any:
        """How the game stands."""
        return self.worlds[-1]

    @property
    def last(self) -> int | None:
        """The last action, if there was any."""
        return self.actions[-1] if self.actions else None


def lines(text: str) -> Picture:
    """Return plain text as a picture."""
    return [(Span(line),) for line in text.splitlines()]


def text_of(picture: Picture) -> str:
    """Return a picture without styles."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in picture)


def stone(first: int, second: int, bit: int) -> Span:
    """Return what stands on a square of two bit masks: an X of player 0, an O of player 1, or nothing."""
    if first >> bit & 1:
        return Span("X", Style.FIRST)
    return Span("O", Style.SECOND) if second >> bit & 1 else Span(".")


def grid(
    cells: Sequence[Sequence[Span]],
    columns: Sequence[str],
    rows: Sequence[str],
    marked: Sequence[tuple[int, int]] = (),
) -> Picture:
    """Draw a board, the top row first, with its coordinates; marked squares are in brackets.

    >>> print(text_of(grid([[Span("X"), Span(".")]], "ab", "1", [(0, 0)])))
    1 [X] .
       a  b
    """
    width = max(map(len, rows), default=1)
    picture: Picture = []
    for row, (name, line) in enumerate(zip(rows, cells, strict=True)):
        spans = [Span(f"{name:>{width}} ", Style.FAINT)]
        for column, cell in enumerate(line):
            left, right = "[]" if (row, column) in marked else "  "
            spans += [Span(left), cell, Span(right)]
        picture.append(tuple(spans))
    picture.append((Span(" " * (width + 1) + "".join(f"{name:^3}" for name in columns), Style.FAINT),))
    return picture


def you_or_opponent(player: int, seat: int) -> str:
    """Return how a person is told of a player."""
    return "you" if player == seat else "opponent"


def observations(game: "AnyGame", history: History, seat: int) -> Picture:
    """Tell in words what a seat has seen: for games that do not draw themselves."""
    public, private = list[str](), list[str]()
    for before, action, after in zip(history.worlds, history.actions, history.worlds[1:], strict=False):
        seen, own = (
            game.public_observation(before, action, after),
            game.private_observation(seat, before, action, after),
        )
        if seen is None:  # the private observation is everything that the player knows
            private = [str(own)]
            continue
        public.append(str(seen))
        if game.actor(before) == seat and (name := game.action_name(before, action)) != str(seen):
            private.append(name)
        if own is not None:
            private.append(str(own))
    if not public:
        return lines("\n".join(["You know:", *(f"  {line}" for line in " ".join(private).splitlines())]))
    told = f"{'… ' if len(public) > _RECENT else ''}{'; '.join(public[-_RECENT:])}"
    known = [] if game.info.is_perfect_information else [f"You alone know: {', '.join(private) or 'nothing'}"]
    return lines("\n".join([f"Both have seen: {told}", *known]))
