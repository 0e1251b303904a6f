"""Checks of a game's parameters: one sentence that names the offending value."""

from collections.abc import Sequence

from sog.core.errors import InputError


def whole_number(game: str, name: str, value: object, low: int, high: int) -> int:
    """Return `value` if it is a whole number from `low` to `high`.

    >>> whole_number("liars_dice", "dice", 2, 1, 5)
    2
    """
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{game}: {name} must be a whole number from {low} to {high}, not {shorten(value)}")
    return value


def choice(game: str, name: str, value: object, choices: Sequence[str]) -> str:
    """Return `value` if it is one of the words in `choices`.

    >>> choice("goofspiel", "bids", "shown", ("hidden", "shown"))
    'shown'
    """
    if not isinstance(value, str) or value not in choices:
        raise InputError(f"{game}: {name} must be one of {', '.join(choices)}, not {shorten(value)}")
    return value


def shorten(value: object, width: int = 60) -> str:
    """Return the value as it was written, cut to one short line."""
    text = repr(value)
    return text if len(text) <= width else text[: width - 1] + "…"
