"""Sound self-play (Player of Games, algorithm 2): games in lockstep, every decision searched and re-solved.

Each player of each game continues its own previous search, under the gadget. What is played is the search's
policy mixed with the uniform one. All games' searches share their batches of queries.

Verified: tests/training/test_selfplay.py.
"""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64
from sog.core.rng import make_rng
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.public.atlas import ROOT, Atlas
from sog.search.gtcfr import Searcher
from sog.search.resolving import next_task
from sog.search.result import SearchResult, Summary
from sog.training.config import SelfPlayConfig
from sog.training.records import OUTCOME, Examples, ExampleWriter, Finding, Query
from sog.training.solving import read_queries

_SEEDS = 2**63


class Visit(NamedTuple):
    """A searched state of a play."""

    finding: Finding
    infostates: tuple[int, int]


@dataclass
class Play:
    """One game under way."""

    rng: np.random.Generator
    is_played_out: bool
    node: int = ROOT
    world: int = 0  # row of the node's state
    moves: int = 0
    last: list[SearchResult | None] = field(default_factory=lambda: [None] * NUM_PLAYERS)
    visits: list[Visit] = field(default_factory=list)


@dataclass
class PlayCounts:
    """What self-play has done."""

    games: int = 0
    resigned: int = 0
    searches: int = 0
    moves: int = 0

    def copy(self) -> "PlayCounts":
        """Return what stands now."""
        return replace(self)


class Harvest(NamedTuple):
    """What a round of self-play brought in."""

    examples: list[Examples]  # of outcomes
    queries: list[Query]


class Actor:
    """Plays many games against itself, one move of each at a time."""

    def __init__(
        self, searcher: Searcher, writer: ExampleWriter, config: SelfPlayConfig, rng: np.random.Generator
    ) -> None:
        self._searcher, self._writer, self._config, self._rng = searcher, writer, config, rng
        self.counts = PlayCounts()
        self._plays = [self._begin() for _ in range(config.games)]

    @property
    def _atlas(self) -> Atlas:
        return self._searcher.atlas

    def advance(self) -> Harvest:
        """Bring every game to its next decision, search there, and move."""
        examples: list[Examples] = []
        for index, play in enumerate(self._plays):
            while not self._await_decision(play):
                examples += self._finish(play)
                play = self._plays[index] = self._begin()
        settings = self._searcher.settings
        tasks = []
        for play in self._plays:
            actor = self._atlas.actor(play.node)
            tasks.append(next_task(self._atlas, play.last[actor], play.node, actor, settings.is_safe))
        seeds = [int(play.rng.integers(_SEEDS)) for play in self._plays]
        results = self._searcher.search_many(tasks, seeds, self._config.queries)
        self.counts.searches += len(results)
        queries: list[Query] = []
        for index, (play, result) in enumerate(zip(self._plays, results, strict=True)):
            queries += read_queries(self._searcher, result)
            if not self._move(play, result):
                self.counts.games += 1
                self.counts.resigned += 1
                self._plays[index] = self._begin()
        return Harvest(examples, queries)

    def state(self) -> dict[str, Any]:
        """Return everything to go on with; it refers to the atlas."""
        return {"plays": self._plays, "rng": self._rng}

    def move_to(self, searcher: Searcher, writer: ExampleWriter) -> None:
        """Go on with all games on another atlas."""
        for play in self._plays:
            _move_play(play, self._atlas, searcher.atlas)
        self._searcher, self._writer = searcher, writer

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state, on an atlas that was charted in the same order."""
        self._plays, self._rng = state["plays"], state["rng"]

    def _begin(self) -> Play:
        seed, coin = int(self._rng.integers(_SEEDS)), self._rng.random()
        return Play(make_rng(seed), bool(coin < self._config.never_resigns))

    def _await_decision(self, play: Play) -> bool:
        """Let chance move until a player is to; return whether that comes before the end."""
        game = self._atlas.view.game
        while (actor := self._atlas.actor(play.node)) != TERMINAL:
            world = self._atlas.states[play.node].worlds[play.world]
            if game.actor(world) != actor:
                self._follow(play, 0)  # dark games let others wait
            elif actor == CHANCE:
                chances = [chance for _, chance in game.chance_outcomes(world)]
                self._follow(play, int(play.rng.choice(len(chances), p=chances)))
            else:
                return play.moves < self._config.max_moves
        return False

    def _move(self, play: Play, result: SearchResult) -> bool:
        """Make the move that a search advises; return False if the player resigns instead."""
        atlas, config = self._atlas, self._config
        state = atlas.states[play.node]
        actor = state.actor
        play.last[actor] = result._replace(queries=None)
        infostates = int(state.rows[0, play.world]), int(state.rows[1, play.world])
        found = result.find(play.node)
        assert found is not None
        summary = result.summary(found)
        if config.td1_share > 0:
            finding = Finding(play.node, summary.ranges, summary.values, result.policy, OUTCOME)
            play.visits.append(Visit(finding, infostates))
        if not play.is_played_out and self._value(play.node, summary, infostates) < config.resign_below:
            return False
        legal = len(state.legal[infostates[actor]])
        policy = result.policy[:legal, infostates[actor]]
        mixed: F64 = (1 - config.uniform_mix) * policy / policy.sum() + config.uniform_mix / legal
        if play.moves < config.greedy_after:
            move = int(play.rng.choice(legal, p=mixed / mixed.sum()))
        else:
            move = int(mixed.argmax())
        self._follow(play, move)
        play.moves += 1
        self.counts.moves += 1
        return True

    def _value(self, node: int, summary: Summary, infostates: tuple[int, int]) -> float:
        """Return what the acting player expects at its infostate, as a share of the largest utility."""
        facts = self._writer.facts(node)
        own, other = infostates[facts.actor], summary.ranges[1 - facts.actor]
        weights = facts.weights[own] if facts.actor == 0 else facts.weights[:, own]
        mass = float(weights @ other)
        value = float(summary.values[facts.actor][own])
        return value / (mass * self._atlas.view.game.info.max_utility) if mass > 0 else 0.0

    def _finish(self, play: Play) -> list[Examples]:
        """Count a game that is over, or too long; return examples of its outcome for some of its states."""
        self.counts.games += 1
        view, state = self._atlas.view, self._atlas.states[play.node]
        if state.actor != TERMINAL:
            return []  # stopped in the middle: there is no outcome
        utility = view.game.returns(state.worlds[play.world])[0]
        return [
            self._writer.write_outcome(visit.finding, visit.infostates, utility)
            for visit in play.visits
            if play.rng.random() < self._config.td1_share
        ]

    def _follow(self, play: Play, move: int) -> None:
        """Make a move by its number among the world's moves."""
        play.node, play.world = self._atlas.follow(play.node, play.world, move)


def _move_play(play: Play, old: Atlas, new: Atlas) -> None:
    """Find a game's place in another atlas; play modified in place.

    Of its searches only what lies on the path stays, from where the next ones continue.
    """
    before = old.path(play.node)
    play.node = new.locate(old.route(play.node))
    after = dict(zip(before, new.path(play.node), strict=True))
    for player, result in enumerate(play.last):
        if result is not None:
            has_values = result.has_values & np.isin(result.atlas_nodes, before)
            nodes = [after.get(node, ROOT) for node in result.atlas_nodes.tolist()]
            play.last[player] = result._replace(
                current=after[result.current],
                atlas_nodes=np.array(nodes, np.uint32),
                has_values=has_values,
                memory=None,
            )
    play.visits = [
        visit._replace(finding=visit.finding._replace(node=after[visit.finding.node]))
        for visit in play.visits
    ]
