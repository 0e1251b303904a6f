"""Everything that a training run may be told, as data: table 3 of Player of Games and what goes with it.

A configuration is a TOML file with the sections below; what it leaves out has the defaults, and what it has
too much is refused. `configs/` holds presets for games (`docs/training.md` says what each number does).

Verified: tests/training/test_config.py.
"""

import json
import tomllib
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any

from sog.core.errors import InputError
from sog.core.tables import as_table, fill
from sog.nets.spec import NetworkSpec
from sog.search.puct import PuctSettings
from sog.search.rebel import PLAYED_ITERATIONS, RebelSettings
from sog.search.settings import SearchSettings, parse_search

OPTIMISERS = ("adam", "sgd")
METHODS = SOG, REBEL, ALPHAZERO = ("sog", "rebel", "alphazero")
MAX_STEPS = 10**12  # as good as no limit


# In turns, players would ask the network twice an update.
SELF_PLAY_SEARCH = SearchSettings(
    simulations=50,
    alternates=False,
    prior_temperature=10.0,
    algorithm="cfr+(gamma=2)",  # its few iterations at once are steadier than DCFR's
)
QUERY_SEARCH = replace(SELF_PLAY_SEARCH, simulations=10, per_update=0.2)


@dataclass(frozen=True)
class SelfPlayConfig:
    """Algorithm 2 of Player of Games."""

    games: int = 64  # in lockstep
    uniform_mix: float = 0.1  # ε
    first_mix: float = inf  # the same for player 0; inf: as much as for player 1
    mixed_games: float = 1.0  # share of games in which the uniform policy is mixed in
    mixed_moves: float = inf  # of a game, in each a number of moves up to this; later ones are as searched
    greedy_after: float = inf  # moves
    max_moves: float = inf
    resign_below: float = -inf  # value as a share of the largest utility
    never_resigns: float = 0.2  # share of games that are played out even so
    td1_share: float = 0.0  # of searched states that become examples with the game's outcome
    bootstrap: float = 0.0  # share of the search's own value in those examples, and all of it elsewhere
    trace: float = 1.0  # λ of the returns in those examples: 1 for the outcome, 0 for the next state's value
    cuts_traces: bool = False  # a move drawn from the uniform share says nothing of the states before it
    others: float = inf  # infostates of each player that learn what was found elsewhere, on average, at most
    queries: float = 12.0  # per search, on average
    recursive_queries: float = 0.2  # per solved query, on average


@dataclass(frozen=True)
class LaterConfig:
    """Other searches for the rest of a run: shallow ones soon fill the replay, deeper ones say more."""

    after: float = inf  # gradient steps
    search: str = ""  # of self-play, as for `sog evaluate --search`; what it does not say is as before
    solver: str = ""


@dataclass(frozen=True)
class AlphaZeroConfig(PuctSettings):
    """The search of AlphaZero's self-play, and what it plays."""

    simulations: int = 100
    noise_share: float = 0.25  # of the root's prior
    noise_alpha: float = 1.0  # of Dirichlet's distribution: about 10 over the usual number of moves
    temperature: float = 1.0  # moves are played as often as visited, to the power 1/T


@dataclass(frozen=True)
class StreetsConfig:
    """Games whose queries are streets of hold'em, solved exactly; in place of search, solver and selfplay."""

    turn_iterations: int = 100  # of a search of self-play, on other streets too
    ask_every: int = 1  # iterations between two times that it asks the network
    rivers: int = 48  # of teh, that stand for all cards when the turn's leaves are valued, drawn each time
    river_iterations: int = 150  # of a query
    queries: int = 64  # of each search, or, of all streets, of each hand
    flops: int = 8  # drawn for the mean over flops of a state before the flop
    random_steps: int = 500  # gradient steps before self-play: ranges are random until then
    random_share: float = 0.1  # of games, from then on


@dataclass(frozen=True)
class ReplayConfig:
    """Buffers between the actors, the solver and the learner."""

    examples: int = 100_000
    queries: int = 10_000
    updates_per_example: float = 20.0  # gradient updates that an example is used in, on average
    warm_up: int = 2_000  # examples before the first step


@dataclass(frozen=True)
class LearnerConfig:
    """The loss and its optimiser."""

    batch: int = 256
    optimiser: str = "adam"
    learning_rate: float = 3e-3
    decay_rate: float = 0.5  # d
    decay_steps: float = 5_000.0  # T
    cooldown: float = 0.0  # share of the run, at its end, over which the rate falls to zero
    momentum: float = 0.9  # of sgd
    weight_decay: float = 0.0
    value_weight: float = 1.0
    policy_weight: float = 0.1
    huber: float = 0.1  # error at which the value loss becomes linear
    clip: float = 1.0  # largest norm of a gradient
    averaging: float = 0.998  # EMA of weights that play and are saved; 0 for none


@dataclass(frozen=True)
class RunConfig:
    """How long, and how often to look."""

    begins_from: str = ""  # an agent, for its weights; none: random ones
    steps: int = 20_000  # gradient steps
    minutes: float = inf
    checkpoint_minutes: float = 1.0
    refresh_steps: int = 25  # between two handovers of weights to the actors
    evaluate_minutes: float = 1.0  # between two measurements of exploitability, where it is cheap
    evaluate_search: str = "100,1"  # of the agents that are measured, as for `sog evaluate --search`
    evaluate_seeds: int = 2  # agents
    playthroughs: int = 16  # of ReBeL's agents, which are measured by what they play
    played_iterations: int = PLAYED_ITERATIONS  # of ReBeL's agents; self-play may do with fewer
    played_search: str = ""  # of the run's agents in play, unless told otherwise; none: the usual one
    log_steps: int = 100  # between two lines of metrics
    memory_mb: float = 1024.0  # of each process that plays: public states, codes, answers, trees of searches
    threads: int = 1  # of the learner
    seed: int = 0


@dataclass(frozen=True)
class Config:
    """A training run of one game."""

    game: str = ""
    method: str = SOG  # "rebel" and "alphazero" have sections of their own in place of search and solver
    network: NetworkSpec = field(default_factory=NetworkSpec)
    search: SearchSettings = SELF_PLAY_SEARCH
    solver: SearchSettings = QUERY_SEARCH
    later: LaterConfig = field(default_factory=LaterConfig)
    rebel: RebelSettings = field(default_factory=RebelSettings)
    alphazero: AlphaZeroConfig = field(default_factory=AlphaZeroConfig)
    streets: StreetsConfig = field(default_factory=StreetsConfig)
    selfplay: SelfPlayConfig = field(default_factory=SelfPlayConfig)
    replay: ReplayConfig = field(default_factory=ReplayConfig)
    learner: LearnerConfig = field(default_factory=LearnerConfig)
    run: RunConfig = field(default_factory=RunConfig)

    @property
    def played(self) -> RebelSettings | None:
        """How the run's agents play, if they are ReBeL's; others leave it to whoever asks them."""
        if self.method != REBEL:
            return None
        return replace(self.rebel, iterations=self.run.played_iterations)


def searches_of(config: Config, steps: int) -> tuple[SearchSettings, SearchSettings]:
    """Return the searches of self-play and of the solver after so many gradient steps."""
    first, later = (config.search, config.solver), config.later
    if steps < later.after:
        return first
    told = later.search, later.solver
    search, solver = (parse_search(text, own) if text else own for text, own in zip(told, first, strict=True))
    return search, solver


def load_config(path: Path) -> Config:
    """Read a TOML file."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except RecursionError:
        raise InputError(f"{path} is no TOML file: it is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{path} is no TOML file: {error}") from None
    return make_config(content, str(path))


def make_config(content: dict[str, Any], source: str) -> Config:
    """Return the configuration of nested tables, every key and value checked.

    >>> make_config({"learner": {"batch": 64}}, "here").learner.batch
    64
    """
    if "max_states" in (content.get("selfplay") or ()):
        raise InputError(f"{source}: there is no selfplay.max_states any more: run.memory_mb says it in MB")
    config = fill(Config(), content, source)
    check(config, source)
    return config


def as_tables(config: Config) -> dict[str, Any]:
    """Return a configuration as nested tables that `make_config` reads."""
    return as_table(config)


def as_toml(config: Config) -> str:
    """Return a configuration as the text of a file that `load_config` reads."""
    lines = [f"game = {json.dumps(config.game)}", f"method = {json.dumps(config.method)}"]
    for name, section in as_tables(config).items():
        if isinstance(section, dict):
            lines += ["", f"[{name}]", *(f"{key} = {_as_toml(value)}" for key, value in section.items())]
    return "\n".join(lines) + "\n"


def check(config: Config, source: str) -> None:
    """Refuse numbers that no run can use."""
    _ = config.played  # which checks its iterations
    for text in config.run.evaluate_search.split():
        parse_search(text)
    if config.run.played_search:
        parse_search(config.run.played_search)
    if config.later.after < inf:
        searches_of(config, MAX_STEPS)
    play, replay, learner, run = config.selfplay, config.replay, config.learner, config.run
    if config.method not in METHODS:
        raise InputError(f"{source}: method must be one of {', '.join(METHODS)}, not {config.method!r}")
    if learner.optimiser not in OPTIMISERS:
        raise InputError(
            f"{source}: learner.optimiser must be one of {', '.join(OPTIMISERS)}, not {learner.optimiser!r}"
        )
    for name, value, low, high in (
        ("selfplay.games", play.games, 1, 100_000),
        ("selfplay.uniform_mix", play.uniform_mix, 0, 1),
        ("selfplay.first_mix", play.first_mix, 0, inf),
        ("selfplay.mixed_games", play.mixed_games, 0, 1),
        ("selfplay.mixed_moves", play.mixed_moves, 0, inf),
        ("selfplay.greedy_after", play.greedy_after, 0, inf),
        ("selfplay.max_moves", play.max_moves, 1, inf),
        ("selfplay.never_resigns", play.never_resigns, 0, 1),
        ("selfplay.td1_share", play.td1_share, 0, 1),
        ("selfplay.bootstrap", play.bootstrap, 0, 1),
        ("selfplay.trace", play.trace, 0, 1),
        ("selfplay.others", play.others, 0, inf),
        ("selfplay.queries", play.queries, 0, 1e6),
        ("selfplay.recursive_queries", play.recursive_queries, 0, 0.99),  # one or more would never end
        ("later.after", config.later.after, 0, inf),
        ("alphazero.temperature", config.alphazero.temperature, 0, 1e6),
        ("streets.turn_iterations", config.streets.turn_iterations, 1, 1e6),
        ("streets.ask_every", config.streets.ask_every, 1, 1e6),
        ("streets.rivers", config.streets.rivers, 1, 48),
        ("streets.river_iterations", config.streets.river_iterations, 1, 1e6),
        ("streets.queries", config.streets.queries, 1, 1e4),
        ("streets.flops", config.streets.flops, 1, 1e4),
        ("streets.random_steps", config.streets.random_steps, 0, MAX_STEPS),
        ("streets.random_share", config.streets.random_share, 0, 1),
        ("replay.examples", replay.examples, 1, 1e9),
        ("replay.queries", replay.queries, 1, 1e9),
        ("replay.updates_per_example", replay.updates_per_example, 1e-6, 1e6),
        ("replay.warm_up", replay.warm_up, 1, replay.examples),
        ("learner.batch", learner.batch, 1, 1e6),
        ("learner.learning_rate", learner.learning_rate, 1e-12, 1e3),
        ("learner.decay_rate", learner.decay_rate, 1e-12, 1),
        ("learner.decay_steps", learner.decay_steps, 1, 1e15),
        ("learner.cooldown", learner.cooldown, 0, 1),
        ("learner.momentum", learner.momentum, 0, 1),
        ("learner.weight_decay", learner.weight_decay, 0, 1e3),
        ("learner.value_weight", learner.value_weight, 0, 1e6),
        ("learner.policy_weight", learner.policy_weight, 0, 1e6),
        ("learner.huber", learner.huber, 1e-9, 1e9),
        ("learner.clip", learner.clip, 1e-9, inf),
        ("learner.averaging", learner.averaging, 0, 0.999999),
        ("run.steps", run.steps, 0, MAX_STEPS),
        ("run.minutes", run.minutes, 0, inf),
        ("run.checkpoint_minutes", run.checkpoint_minutes, 0, inf),
        ("run.refresh_steps", run.refresh_steps, 1, 1e9),
        ("run.evaluate_minutes", run.evaluate_minutes, 0, inf),
        ("run.evaluate_seeds", run.evaluate_seeds, 1, 1e6),
        ("run.playthroughs", run.playthroughs, 1, 1e6),
        ("run.log_steps", run.log_steps, 1, 1e9),
        ("run.memory_mb", run.memory_mb, 1e-3, 1e9),
        ("run.threads", run.threads, 1, 1024),
        ("run.seed", run.seed, 0, 2**63 - 1),
    ):
        if not low <= value <= high:
            raise InputError(f"{source}: {name} must be from {low:g} to {high:g}, not {value:g}")


def _as_toml(value: Any) -> str:
    return repr(value) if isinstance(value, float) else json.dumps(value)
