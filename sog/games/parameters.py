"""Checks of a game's parameters: one sentence that names the offending value."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

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


def check_arguments(
    name: str, make: Callable[..., object], arguments: dict[str, Any], takes_keywords: bool = True
) -> None:
    """Refuse parameters that a game's factory has not, and a lack of those that it needs.

    takes_keywords: whether what can be given by keyword alone is a part of the game.
    """
    parameters = inspect.signature(make).parameters
    known = {
        key: value
        for key, value in parameters.items()
        if value.kind is value.POSITIONAL_OR_KEYWORD or (takes_keywords and value.kind is value.KEYWORD_ONLY)
    }
    takes_all = any(value.kind is value.VAR_KEYWORD for value in parameters.values())
    for key in arguments:
        if key not in known and not takes_all:
            choices = ", ".join(known) or "none"
            raise InputError(f"{name} has no parameter {key!r} (its parameters: {choices})")
    missing = [key for key, value in known.items() if value.default is value.empty and key not in arguments]
    if missing:
        raise InputError(f"{name} needs the parameter {missing[0]!r}")
