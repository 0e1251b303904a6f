"""How bots are written, in matches and as opponents of people.

    WHO@METHOD:SETTING          an agent of ours: untrained, a training run, an agent's file, a shipped agent;
                                METHOD:SETTING is gtcfr:S,C or mcts:N (AlphaZero's); if it is left out,
                                the search that an agent brings along, ReBeL's subgames for one that has
                                learned with them, or gtcfr:100,1
    uci:COMMAND?NAME=VALUE&…    a chess engine; nodes, depth and movetime limit its searches, other names are
                                options of its own
    gtp:COMMAND                 a Go engine
    mcts:N, openspiel-mcts:N    UCT with N random rollouts, ours or OpenSpiel's, where nothing is hidden
    is-mcts:N                   IS-MCTS with N simulations, where something is
    pimbot:N                    a program that plays one kind of game (`sog.games.programs`)
    solved, FILE.npz            a policy: of a solve that is made first, or of one that `sog solve` has saved
    uniform, random             any legal move

`mcts` and `is-mcts` take options by name too: `is-mcts(simulations=1000,final=visits)`.

Verified: tests/matches/test_players.py.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from sog.agents.engine_process import find_program
from sog.agents.methods import parse_method
from sog.agents.rollouts import MctsSettings, openspiel_name
from sog.agents.tabular import IsMctsSettings
from sog.agents.uci_engine import LIMITS
from sog.core.errors import InputError
from sog.core.spec import parse_spec
from sog.games.base import AnyGame
from sog.games.own_files import warn_if_changed
from sog.games.parameters import choice, shorten, whole_number
from sog.games.programs import PROGRAMS, open_program
from sog.games.registry import SPOTS, load
from sog.nets.agents import Agent, load_agent
from sog.search.analysis import Method
from sog.search.is_mcts import FINAL_RULES
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.checkpoint import is_solution, load_checkpoint

UNTRAINED = "untrained"
USUAL_METHOD = "gtcfr:100,1"
UNIFORM = ("uniform", "random")
_SHORT = re.compile(r"([\w-]+):(\d+)")
_MOST_SIMULATIONS = {"mcts": 10_000_000, "openspiel-mcts": 10_000_000, "is-mcts": 100_000_000}
_MOST_EXPLORATION = 1e9


@dataclass(frozen=True)
class AgentSpec:
    """A network of ours and how it searches."""

    agent: str
    method: Method | None  # None: as it has learned


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
class OpenSpielSpec:
    """OpenSpiel's MCTS bot."""

    simulations: int = 1000


@dataclass(frozen=True)
class SolutionSpec:
    """A policy of the whole game."""

    path: str | None  # None: solve it first


@dataclass(frozen=True)
class UniformSpec:
    """Any legal move."""


@dataclass(frozen=True)
class ProgramSpec:
    """A program that plays one kind of game."""

    name: str
    settings: str


Spec = (
    AgentSpec
    | UciSpec
    | GtpSpec
    | MctsSettings
    | IsMctsSettings
    | OpenSpielSpec
    | ProgramSpec
    | SolutionSpec
    | UniformSpec
)


def parse_bot(text: str) -> Spec:
    """Read how a bot is written.

    >>> parse_bot("is-mcts:50").simulations
    50
    >>> parse_bot("uci:stockfish?Skill Level=0&nodes=1")
    UciSpec(command='stockfish', settings={'Skill Level': '0', 'nodes': '1'})
    """
    text = text.strip()
    program, _, settings = text.partition(":")
    if program in PROGRAMS:
        return ProgramSpec(program, settings)
    for prefix, read in _READERS.items():
        if text.startswith(f"{prefix}:"):
            return read(text.removeprefix(f"{prefix}:"))
    if text in UNIFORM:
        return UniformSpec()
    if text == "solved":
        return SolutionSpec(None)
    name = re.split(r"[:(]", text, maxsplit=1)[0].strip()
    if name in _ROLLOUTS:
        return _parse_rollouts(name, text)
    if is_solution(Path(text)):
        return SolutionSpec(text)
    agent, _, method = text.rpartition("@") if "@" in text else (text, "", "")
    usual = parse_method(USUAL_METHOD) if agent == UNTRAINED else None
    return AgentSpec(agent, parse_method(method) if method else usual)


def game_of(spec: Spec) -> str | None:
    """Return the game that a bot says it plays, if it does."""
    if isinstance(spec, AgentSpec) and spec.agent != UNTRAINED:
        return load_agent(spec.agent).game
    if isinstance(spec, SolutionSpec) and spec.path is not None:
        return load_checkpoint(Path(spec.path)).game
    return None


def engine_game(spec: Spec) -> str | None:
    """Return the game that an engine's protocol is for."""
    return "chess" if isinstance(spec, UciSpec) else "go" if isinstance(spec, GtpSpec) else None


def check_bot(spec: Spec, game: AnyGame) -> str:
    """Refuse a bot that cannot play a game; return what tells a trained one from others of its name."""
    if isinstance(spec, AgentSpec):
        agent = find_agent(spec.agent, game.info.name.partition("(")[0])
        digest = hashlib.sha256()
        for name, weights in sorted({} if agent is None else agent.weights.items()):
            digest.update(name.encode() + np.ascontiguousarray(weights).tobytes())
        return "" if agent is None else digest.hexdigest()[:16]
    if isinstance(spec, UciSpec | GtpSpec):
        protocol, words = ("uci", "UCI engines play chess")
        if isinstance(spec, GtpSpec):
            protocol, words = ("gtp", "GTP engines play Go")
        if game.notation.engines != protocol:
            raise InputError(f"{words}, not {game.info.name}")
        find_program(spec.command)
    if isinstance(spec, OpenSpielSpec):
        openspiel_name(game)
    if isinstance(spec, ProgramSpec):
        open_program(spec.name, spec.settings, game)
    if isinstance(spec, MctsSettings) and not game.info.is_perfect_information:
        raise InputError(f"mcts needs perfect information, and {game.info.name} hides something: try is-mcts")
    if isinstance(spec, IsMctsSettings) and game.info.is_perfect_information:
        raise InputError(f"{game.info.name} hides nothing: try mcts:{spec.simulations}")
    if isinstance(spec, SolutionSpec) and spec.path is not None:
        saved = load_checkpoint(Path(spec.path))
        if saved.game != game.info.name:
            raise InputError(f"{spec.path} is a solution of {saved.game}, not of {game.info.name}")
        try:
            parse_algorithm(saved.algorithm)
        except InputError as error:
            raise InputError(f"{spec.path}: {error}") from None
        warn_if_changed(saved.source, game.info.name, spec.path)
        return f"{saved.fingerprint} {saved.iterations}"
    return ""


def find_agent(name: str, kind: str) -> Agent | None:
    """Return the agent of a name, which must have learned a kind of game; None for the untrained one."""
    if name == UNTRAINED:
        return None
    agent = load_agent(name)
    learned = agent.game if agent.game in SPOTS else load(agent.game).info.name
    if learned.partition("(")[0] != kind:
        raise InputError(f"{name} is an agent of {learned}, not of {kind}")
    return agent


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


def _parse_rollouts(name: str, text: str) -> Spec:
    """Read `NAME`, `NAME:N` or `NAME(option=value,…)`."""
    short = _SHORT.fullmatch(text)
    if ":" in text and not short:
        raise InputError(f"cannot read {shorten(text)}: write {name}:N or {name}(key=value,...)")
    options = {"simulations": int(short[2][:19])} if short else parse_spec(text, "search")[1]
    known = [each.name for each in fields(_ROLLOUTS[name])]
    for key, value in options.items():
        if key not in known:
            raise InputError(f"{name} has no option {key!r} (its options: {', '.join(known)})")
        _check_option(name, key, value)
    return _ROLLOUTS[name](**options)


def _check_option(name: str, key: str, value: object) -> None:
    if key == "simulations":
        whole_number(name, key, value, 1, _MOST_SIMULATIONS[name])
    elif key == "final":
        choice(name, key, value, FINAL_RULES)
    elif key == "solve":
        if not isinstance(value, bool):
            raise InputError(f"{name}: solve must be True or False, not {shorten(value)}")
    elif isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST_EXPLORATION:
        limit = f"{_MOST_EXPLORATION:g}"
        raise InputError(f"{name}: {key} must be a number from 0 to {limit}, not {shorten(value)}")


_READERS: dict[str, Callable[[str], Spec]] = {"uci": _parse_uci, "gtp": GtpSpec}
_ROLLOUTS: dict[str, type[MctsSettings] | type[IsMctsSettings] | type[OpenSpielSpec]] = {
    "mcts": MctsSettings,
    "is-mcts": IsMctsSettings,
    "openspiel-mcts": OpenSpielSpec,
}
