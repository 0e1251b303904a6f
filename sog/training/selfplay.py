"""Sound self-play (Player of Games, algorithm 2): games in lockstep, every decision searched and re-solved.

An **actor** plays; what to play an **advisor** says, who searches for all games at once. GT-CFR's lets
each player of each game continue its own previous search, under the gadget; AlphaZero's is in
`sog.training.alphazero`. What is played is the search's policy mixed with the uniform one. All games'
searches share their batches of queries.

Verified: tests/training/test_selfplay.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, NamedTuple, Protocol

import numpy as np

from sog.core.arrays import F64
from sog.core.rng import make_rng
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.resolving import next_task
from sog.search.result import SearchResult, Summary
from sog.training.config import SelfPlayConfig
from sog.training.examples import OUTCOME, Examples
from sog.training.records import ExampleWriter, Query, SearchTarget
from sog.training.solving import read_queries

_SEEDS = 2**63


class Visit(NamedTuple):
    """A searched state of a play."""

    target: SearchTarget
    infostates: tuple[int, int]
    is_explored: bool = False  # the move was drawn from the uniform share


@dataclass
class Play:
    """One game under way."""

    rng: np.random.Generator
    is_played_out: bool
    node: int = ROOT
    rows: tuple[int, int] = (0, 0)  # infostate of each player
    moves: int = 0
    last: list[SearchResult | None] = field(default_factory=lambda: [None] * NUM_PLAYERS)
    visits: list[Visit] = field(default_factory=list)
    mix: tuple[float, float] = (0.0, 0.0)  # share of the uniform policy in what each player plays
    mixed_moves: float = inf  # for so many moves


@dataclass
class PlayCounts:
    """What self-play has done."""

    games: int = 0
    resigned: int = 0
    score: float = 0.0  # of player 0 in all games that were not stopped, as shares of the largest utility
    searches: int = 0
    moves: int = 0

    def copy(self) -> "PlayCounts":
        """Return what stands now."""
        return replace(self)


class SelfPlayOutput(NamedTuple):
    """What a round of self-play brought in."""

    examples: list[Examples]  # of outcomes
    queries: list[Query]


class Advice(NamedTuple):
    """What a search says about the state that a play is in."""

    policy: F64  # [A] of the acting infostate, to be played
    target: SearchTarget
    value: float  # to whoever acts, as a share of the largest utility
    queries: list[Query]


class Advisor(Protocol):
    """Searches the present states of many plays."""

    @property
    def store(self) -> StateStore:
        """The store that plays refer to."""

    def advise(self, plays: Sequence[Play]) -> list[Advice]:
        """Return advice for each play, in all of which a player is to move; plays modified in place."""


class SearchAdvisor:
    """GT-CFR, each search continuing the same player's last one; with nothing hidden, the last one's tree."""

    def __init__(self, searcher: Searcher, writer: ExampleWriter, queries: float) -> None:
        """queries: kept of each search, on average."""
        self._searcher, self._writer, self._queries = searcher, writer, queries

    @property
    def store(self) -> StateStore:
        """The searcher's store."""
        return self._searcher.store

    def advise(self, plays: Sequence[Play]) -> list[Advice]:
        """Search all states side by side; each play keeps what its next searches need."""
        store, is_safe = self.store, self._searcher.settings.is_safe
        tasks = []
        for play in plays:
            actor = store.actor(play.node)
            tasks.append(next_task(store, play.last[actor], play.node, actor, is_safe))
        seeds = [int(play.rng.integers(_SEEDS)) for play in plays]
        results = self._searcher.search_many(tasks, seeds, self._queries)
        return [self._read(play, result) for play, result in zip(plays, results, strict=True)]

    def _read(self, play: Play, result: SearchResult) -> Advice:
        store, queries = self.store, read_queries(self._searcher, result)
        actor = store.actor(play.node)
        kept = result._replace(queries=None)
        if not store.facts.hides_nothing:
            play.last[actor] = kept
        elif result.reusable is not None:  # nothing is hidden: either player goes on with the other's search
            play.last = [kept, kept]
        found = result.find(play.node)
        assert found is not None
        summary = _copy(result.summary(found))
        own = play.rows[actor]
        mass = self._writer.mass(play.node, actor, own, summary.ranges)
        most = store.facts.max_utility
        value = float(summary.values[actor][own]) / (mass * most) if mass > 0 else 0.0
        policy = result.policy[: int(store.legal(play.node)[own]), own]
        target = SearchTarget(play.node, summary.ranges, summary.values, result.policy, OUTCOME)
        return Advice(policy, target, value, queries)


class Actor:
    """Plays many games against itself, one move of each at a time."""

    def __init__(
        self, advisor: Advisor, writer: ExampleWriter, config: SelfPlayConfig, rng: np.random.Generator
    ) -> None:
        self._advisor, self._writer, self._config, self._rng = advisor, writer, config, rng
        self.counts = PlayCounts()
        self._plays = [self._begin() for _ in range(config.games)]

    @property
    def _store(self) -> StateStore:
        return self._advisor.store

    def advance(self) -> SelfPlayOutput:
        """Bring every game to its next decision, search there, and move."""
        examples: list[Examples] = []
        for index, play in enumerate(self._plays):
            while not self._await_decision(play):
                examples += self._finish(play)
                play = self._plays[index] = self._begin()
        advice = self._advisor.advise(self._plays)
        self.counts.searches += len(advice)
        queries: list[Query] = []
        for index, (play, heard) in enumerate(zip(self._plays, advice, strict=True)):
            queries += heard.queries
            if not self._move(play, heard):
                examples += self._resign(play)
                self._plays[index] = self._begin()
        return SelfPlayOutput(examples, queries)

    def state(self) -> dict[str, Any]:
        """Return everything to go on with; it refers to the store."""
        return {"plays": self._plays, "rng": self._rng}

    def move_to(self, advisor: Advisor, writer: ExampleWriter) -> None:
        """Go on with all games on another store."""
        advisor.store.reach([self._store.route(play.node) for play in self._plays])
        for play in self._plays:
            _move_play(play, self._store, advisor.store)
        self._advisor, self._writer = advisor, writer

    def take_advice(self, advisor: Advisor) -> None:
        """Go on with other searches on the same store."""
        self._advisor = advisor

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state, on a store that was charted in the same order."""
        self._plays, self._rng = state["plays"], state["rng"]

    def _begin(self) -> Play:
        config, seed, coin = self._config, int(self._rng.integers(_SEEDS)), self._rng.random()
        is_mixed = config.mixed_games == 1 or self._rng.random() < config.mixed_games
        mix = (min(config.first_mix, config.uniform_mix), config.uniform_mix) if is_mixed else (0.0, 0.0)
        moves = inf if config.mixed_moves == inf else self._rng.random() * config.mixed_moves
        return Play(make_rng(seed), bool(coin < config.never_resigns), mix=mix, mixed_moves=moves)

    def _await_decision(self, play: Play) -> bool:
        """Let chance move until a player is to; return whether that comes before the end."""
        while (actor := self._store.actor(play.node)) != TERMINAL:
            if actor != CHANCE and not self._store.waiting(play.node)[play.rows[actor]]:
                return play.moves < self._config.max_moves
            self._follow(play, 0)
        return False

    def _move(self, play: Play, advice: Advice) -> bool:
        """Make the move that a search advises; return False if the player resigns instead."""
        config, policy, legal = self._config, advice.policy, advice.policy.size
        if config.td1_share > 0:
            play.visits.append(Visit(advice.target, play.rows))
        if not play.is_played_out and advice.value < config.resign_below:
            return False
        mix = play.mix[self._store.actor(play.node)] if play.moves < play.mixed_moves else 0.0
        mixed: F64 = (1 - mix) * policy / policy.sum() + mix / legal
        if play.moves < config.greedy_after:
            shares = mixed.cumsum()
            move = int((shares / shares[-1]).searchsorted(play.rng.random(), side="right"))
        else:
            move = int(mixed.argmax())
        if config.cuts_traces and config.td1_share > 0:
            share = mix / legal / float(mixed[move])
            play.visits[-1] = play.visits[-1]._replace(is_explored=bool(play.rng.random() < share))
        self._follow(play, move)
        play.moves += 1
        self.counts.moves += 1
        return True

    def _finish(self, play: Play) -> list[Examples]:
        """Count a game that is over, or too long; return examples of its outcome for some of its states."""
        self.counts.games += 1
        if self._store.actor(play.node) != TERMINAL:
            return []  # stopped in the middle: there is no outcome
        return self._write_outcomes(play, self._store.utility(play.node, play.rows))

    def _resign(self, play: Play) -> list[Examples]:
        """Count a game as lost by whoever is to move; return examples as of any other."""
        self.counts.games += 1
        self.counts.resigned += 1
        most = self._store.facts.max_utility
        return self._write_outcomes(play, -most if self._store.actor(play.node) == 0 else most)

    def _write_outcomes(self, play: Play, utility: float) -> list[Examples]:
        """Return examples of some states of a play that was worth so much to player 0."""
        config, writer = self._config, self._writer
        self.counts.score += utility / self._store.facts.max_utility
        kept = [place for place in range(len(play.visits)) if play.rng.random() < config.td1_share]
        if not kept:
            return []
        targets, infostates, explored = zip(*play.visits, strict=True)
        returns = writer.trace_returns(targets, infostates, utility, config.trace, explored)[:, kept]
        if len(kept) < len(targets):
            targets, infostates, _ = zip(*(play.visits[place] for place in kept), strict=True)
        examples = writer.write_outcomes(
            targets, infostates, returns, config.bootstrap, config.others, play.rng
        )
        return [examples]

    def _follow(self, play: Play, move: int) -> None:
        """Make a move of the acting infostate; where chance moves, draw an outcome."""
        play.node, play.rows = self._store.follow(play.node, play.rows, move, play.rng)


def _copy(summary: Summary) -> Summary:
    """Return a copy that does not keep the arrays of a whole search alive."""
    ranges, values = summary
    return Summary((ranges[0].copy(), ranges[1].copy()), (values[0].copy(), values[1].copy()))


def _move_play(play: Play, old: StateStore, new: StateStore) -> None:
    """Find a game's place in another store; play modified in place.

    Of its searches only what lies on the path stays, from where the next ones continue.
    """
    before = old.path(play.node)
    play.node = new.locate(old.route(play.node))
    after = dict(zip(before, new.path(play.node), strict=True))
    for player, result in enumerate(play.last):
        if result is not None:
            has_values = result.has_values & np.isin(result.states, before)
            nodes = [after.get(node, ROOT) for node in result.states.tolist()]
            play.last[player] = result._replace(
                current=after[result.current],
                states=np.array(nodes, np.uint32),
                has_values=has_values,
                reusable=None,
            )
    play.visits = [
        visit._replace(target=visit.target._replace(node=after[visit.target.node])) for visit in play.visits
    ]
