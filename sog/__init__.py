"""Student of Games: one search-and-learning algorithm for perfect- and imperfect-information games.

This module is the whole public API. Its names are imported when they are first used, so that `import sog`
is quick.

>>> import sog
>>> sog.load("kuhn").info.num_actions
3
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sog.agents.bot import Bot, Explanation, Limits
    from sog.api.evaluating import EvaluateResult, check, evaluate
    from sog.api.playing import make_bot
    from sog.api.searching import SearchResult, search
    from sog.api.solving import SolveResult, solve
    from sog.api.training import TrainResult, train
    from sog.core.errors import InputError, InputWarning
    from sog.games.base import CHANCE, TERMINAL, Encoding, Game, GameInfo, OpenGame
    from sog.games.registry import load
    from sog.matches.match import MatchResult, play_match

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "TERMINAL",
    "Bot",
    "Encoding",
    "EvaluateResult",
    "Explanation",
    "Game",
    "GameInfo",
    "InputError",
    "InputWarning",
    "Limits",
    "MatchResult",
    "OpenGame",
    "SearchResult",
    "SolveResult",
    "TrainResult",
    "check",
    "evaluate",
    "load",
    "make_bot",
    "play_match",
    "search",
    "solve",
    "train",
]
_PLACES = {
    "sog.agents.bot": ("Bot", "Explanation", "Limits"),
    "sog.api.playing": ("make_bot",),
    "sog.matches.match": ("MatchResult", "play_match"),
    "sog.api.evaluating": ("EvaluateResult", "check", "evaluate"),
    "sog.api.searching": ("SearchResult", "search"),
    "sog.api.solving": ("SolveResult", "solve"),
    "sog.api.training": ("TrainResult", "train"),
    "sog.core.errors": ("InputError", "InputWarning"),
    "sog.games.base": ("CHANCE", "TERMINAL", "Encoding", "Game", "GameInfo", "OpenGame"),
    "sog.games.registry": ("load",),
}


def __getattr__(name: str) -> Any:
    for module, names in _PLACES.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 'sog' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
