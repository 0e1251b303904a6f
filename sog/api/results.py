"""What the functions of the API have in common."""

from collections.abc import Sequence
from pathlib import Path

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.registry import load
from sog.solvers.policies import Choice

AnyPath = str | Path


class Printed:
    """A result that notebooks show as it prints."""

    def __repr__(self) -> str:
        return str(self)


def as_game(game: str | AnyGame) -> AnyGame:
    """Return a game, by its name if it is one."""
    return load(game) if isinstance(game, str) else game


def policy_of(strategy: Sequence[Choice], infostate: str) -> dict[str, float]:
    """Return how an infostate of a strategy plays."""
    for choice in strategy:
        if choice.infostate.strip() == infostate.strip():
            return dict(zip(choice.actions, choice.probabilities, strict=True))
    names = ", ".join(repr(choice.infostate.strip()) for choice in strategy[:3])
    raise InputError(f"no player decides in the infostate {infostate!r}: they are called {names}, …")
