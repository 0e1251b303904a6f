"""How players of a match are written, and how they are made.

    WHO@METHOD:SETTING          an agent of ours: untrained, a training run, an agent's file, a shipped agent;
                                METHOD:SETTING is gtcfr:S,C or mcts:N (AlphaZero's), gtcfr:100,1 if left out
    uci:COMMAND?NAME=VALUE&…    a chess engine; nodes, depth and movetime limit its searches, other names are
                                options of its own
    gtp:COMMAND                 a Go engine
    mcts:N, openspiel-mcts:N    UCT with N random rollouts, ours or OpenSpiel's
    random                      any legal move

`NAME=` before any of these gives the player a shorter name in tables and records.

Verified: tests/matches/test_players.py.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.registry import load
from sog.matches.contestants import (
    AgentContestant,
    OpenSpielContestant,
    RandomContestant,
    RolloutContestant,
    openspiel_name,
)
from sog.matches.engine_process import find_program
from sog.matches.gtp_engine import GtpEngine
from sog.matches.play import Contestant
from sog.matches.thinking import UNTRAINED, Method, find_agent, make_board_evaluator, parse_method
from sog.matches.uci_engine import LIMITS, UciEngine
from sog.nets.agents import load_agent

USUAL_METHOD = "gtcfr:100,1"
_NAMED = re.compile(r"([^:@?=/()]+)=(.+)", re.DOTALL)
_LONGEST_NAME = 80


@dataclass(frozen=True)
class AgentSpec:
    """A network of ours and how it searches."""

    agent: str
    method: Method


@dataclass(frozen=True)
class UciSpec:
    """A chess engine."""

    command: str
    settings: dict[str, str] = field(hash=False)


@dataclass(frozen=True)
class GtpSpec:
    """A Go engine."""

    command: str


@dataclass(frozen=True)
class RolloutSpec:
    """A search without a network."""

    simulations: int
    is_openspiel: bool


@dataclass(frozen=True)
class RandomSpec:
    """Nobody in particular."""


Spec = AgentSpec | UciSpec | GtpSpec | RolloutSpec | RandomSpec


@dataclass(frozen=True)
class Entrant:
    """Somebody who takes part in a match."""

    name: str
    spelling: str  # without the name
    spec: Spec


def parse_entrants(texts: Sequence[str]) -> list[Entrant]:
    """Return all players of a match, by different names."""
    entrants = [parse_entrant(text) for text in texts]
    names = [entrant.name for entrant in entrants]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two players are called {name!r}: give one a name, as in NAME={name}")
    if len(entrants) < 2:
        raise InputError("a match needs two players or more")
    return entrants


def parse_entrant(text: str) -> Entrant:
    """Read one player.

    >>> parse_entrant("weak=untrained@mcts:10").name
    'weak'
    >>> parse_entrant("uci:stockfish?Skill Level=0&nodes=1").spec
    UciSpec(command='stockfish', settings={'Skill Level': '0', 'nodes': '1'})
    """
    named = _NAMED.fullmatch(text)
    name, spelling = (named[1].strip(), named[2]) if named else (_shorten(text.strip()), text)
    spelling = spelling.strip()
    if not name or not spelling or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise InputError(
            f"cannot use {text[:40]!r} as a player: its name must be 1 to {_LONGEST_NAME} letters"
        )
    return Entrant(name, spelling, _parse_spec(spelling))


def _shorten(spelling: str) -> str:
    """Return what a player without a name of its own is called: its spelling, or the end of a long one."""
    return spelling if len(spelling) <= _LONGEST_NAME else f"…{spelling[1 - _LONGEST_NAME :]}"


def find_game(entrants: Sequence[Entrant]) -> AnyGame:
    """Return the game that players say they play, if any of them does."""
    for entrant in entrants:
        spec = entrant.spec
        if isinstance(spec, AgentSpec) and spec.agent != UNTRAINED:
            return load(load_agent(spec.agent).game)
    for entrant in entrants:
        if isinstance(entrant.spec, UciSpec):
            return load("chess")
        if isinstance(entrant.spec, GtpSpec):
            return load("go")
    raise InputError("which game? Name it: --game chess, --game 'go(size=9)', --game connect_four")


def check_entrant(entrant: Entrant, game: AnyGame) -> str:
    """Refuse a player who cannot play the game; return what tells a trained agent from others of its name."""
    spec = entrant.spec
    if isinstance(spec, AgentSpec):
        agent = find_agent(spec.agent, game.info.name.partition("(")[0])
        digest = hashlib.sha256()
        for name, weights in sorted({} if agent is None else agent.weights.items()):
            digest.update(name.encode() + np.ascontiguousarray(weights).tobytes())
        return "" if agent is None else digest.hexdigest()[:16]
    if isinstance(spec, UciSpec | GtpSpec):
        protocol, words = (
            ("uci", "UCI engines play chess") if isinstance(spec, UciSpec) else ("gtp", "GTP engines play Go")
        )
        if game.notation.engines != protocol:
            raise InputError(f"{entrant.name}: {words}, not {game.info.name}")
        find_program(spec.command)
    if isinstance(spec, RolloutSpec) and spec.is_openspiel:
        openspiel_name(game)
    return ""


def make_contestant(entrant: Entrant, game: AnyGame, patience: float) -> Contestant:
    """Return a player, ready to play; engines are started."""
    spec = entrant.spec
    if isinstance(spec, AgentSpec):
        import torch  # slow to import

        torch.set_num_threads(1)  # small networks are slower on several cores, which can play other games
        agent = find_agent(spec.agent, game.info.name.partition("(")[0])
        return AgentContestant(game, make_board_evaluator(agent, game), spec.method)
    if isinstance(spec, UciSpec):
        return UciEngine(spec.command, spec.settings, patience)
    if isinstance(spec, GtpSpec):
        return GtpEngine(spec.command, game, patience)
    if isinstance(spec, RolloutSpec):
        if spec.is_openspiel:
            return OpenSpielContestant(game, spec.simulations)
        return RolloutContestant(spec.simulations)
    return RandomContestant()


def _parse_spec(text: str) -> Spec:
    for prefix, read in _READERS.items():
        if text.startswith(f"{prefix}:"):
            return read(text.removeprefix(f"{prefix}:"))
    if text == "random":
        return RandomSpec()
    agent, _, method = text.rpartition("@") if "@" in text else (text, "", "")
    return AgentSpec(agent, parse_method(method or USUAL_METHOD))


def _parse_uci(text: str) -> UciSpec:
    command, _, query = text.partition("?")
    settings: dict[str, str] = {}
    for part in filter(None, query.split("&")):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise InputError(f"cannot read {part[:40]!r}: write uci:COMMAND?NAME=VALUE&NAME=VALUE")
        if name in LIMITS and not (value.isascii() and value.isdigit() and 0 < int(value[:12]) < 10**9):
            raise InputError(f"{name} must be a whole number, 1 or more, not {value[:40]!r}")
        settings[name.strip()] = value.strip()
    return UciSpec(command, settings)


def _parse_rollouts(is_openspiel: bool) -> Callable[[str], RolloutSpec]:
    def read(text: str) -> RolloutSpec:
        return RolloutSpec(_count(text, 10_000_000), is_openspiel)

    return read


def _count(text: str, most: int) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
    if not 1 <= number <= most:
        raise InputError(f"simulations must be a whole number from 1 to {most:,}, not {text[:40]!r}")
    return number


_READERS: dict[str, Callable[[str], Spec]] = {
    "uci": _parse_uci,
    "gtp": GtpSpec,
    "mcts": _parse_rollouts(is_openspiel=False),
    "openspiel-mcts": _parse_rollouts(is_openspiel=True),
}
