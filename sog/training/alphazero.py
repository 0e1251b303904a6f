"""AlphaZero's self-play (Silver et al. 2018): the same games in lockstep, advised by MCTS instead of GT-CFR.

Every position that is played becomes an example: how often the search visited each move, and how the game
ended. Noise in the root's prior and, for some moves, chance in the choice keep games apart. Replay, learner
and checkpoints are those of sound self-play.

Verified: tests/training/test_alphazero.py.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.games.board_view import is_board_game
from sog.games.registry import load
from sog.public.store import StateStore
from sog.search.puct import PuctResult
from sog.search.puct_forest import PuctForest
from sog.training.config import AlphaZeroConfig, Config
from sog.training.context import SelfPlayContext, State, Weights
from sog.training.examples import OUTCOME
from sog.training.generator import RoundOutput
from sog.training.plain import pack, unpack
from sog.training.records import ExampleWriter, SearchTarget
from sog.training.run_status import Counts
from sog.training.selfplay import Actor, Advice, Play, Visit

_SEEDS = 2**63
_KINDS = (SearchTarget, Play, Visit)


class PuctAdvisor:
    """AlphaZero's MCTS, each game in its own tree."""

    def __init__(self, forest: PuctForest, config: AlphaZeroConfig) -> None:
        self.forest, self._config = forest, config

    @property
    def store(self) -> StateStore:
        """The forest's store."""
        return self.forest.store

    def advise(self, plays: Sequence[Play]) -> list[Advice]:
        """Search all positions side by side."""
        seeds = [int(play.rng.integers(_SEEDS)) for play in plays]
        results = self.forest.search([play.node for play in plays], seeds)
        return [self._read(play, result) for play, result in zip(plays, results, strict=True)]

    def _read(self, play: Play, result: PuctResult) -> Advice:
        value = result.value if self.store.actor(play.node) == 0 else -result.value
        target = SearchTarget(
            node=play.node,
            ranges=(np.ones(1), np.ones(1)),
            values=(np.array([value]), np.array([-value])),
            policy=result.policy()[:, None],
            origin=OUTCOME,
        )
        share = result.value / self.store.facts.max_utility
        return Advice(result.policy(self._config.temperature), target, share, [])


def check_board(game: str) -> None:
    """Refuse a game that AlphaZero cannot learn."""
    if not is_board_game(load(game)):
        raise InputError(f"{game}: AlphaZero learns only games on a board without secrets")


class AlphaZeroGenerator:
    """Plays, and makes examples of games that are over."""

    def __init__(self, config: Config, seed: int) -> None:
        check_board(config.game)
        self._config, self._context = config, SelfPlayContext(config)
        # Noise is what explores, and outcomes are all there is to learn from.
        told = replace(config.selfplay, uniform_mix=0.0, queries=0.0, td1_share=1.0, bootstrap=0.0, trace=1.0)
        self._actor = Actor(*self._open(), told, make_rng(seed + 1))

    def _open(self) -> tuple[PuctAdvisor, ExampleWriter]:
        """Make searches on its present store; return what the actor needs."""
        context, how = self._context, self._config.alphazero
        games = self._config.selfplay.games
        self._forest = PuctForest(context.store, context.evaluator, how, games)
        return PuctAdvisor(self._forest, how), context.writer

    @property
    def store(self) -> StateStore:
        """The positions met so far."""
        return self._context.store

    def take_weights(self, weights: Weights, steps: int) -> None:
        """Go on with new weights of the network."""
        self._context.take_weights(weights)

    def round(self) -> RoundOutput:
        """Make one move in every game."""
        started, before = time.process_time(), self._actor.counts.copy()
        output, after = self._actor.advance(), self._actor.counts
        counts = Counts(
            games=after.games - before.games,
            resigned=after.resigned - before.resigned,
            score=after.score - before.score,
            searches=after.searches - before.searches,
            moves=after.moves - before.moves,
            seconds=time.process_time() - started,
        )
        memory = {**self._context.memory(), "lanes": self._forest.num_bytes}
        if self._context.is_crowded:  # go on with the games under way alone, their trees anew
            self._context.clear()
            self._actor.move_to(*self._open())
            self._context.settle()
        return RoundOutput(output.examples, counts, 0, memory)

    def state(self) -> State:
        """Return everything to go on with."""
        state = {
            **self._context.state(),
            "trees": self._forest.state(),
            "actor": self._actor.state(),
        }
        return pack(state, _KINDS)

    def restore(self, packed: State) -> None:
        """Go on from a state; for a generator that has done nothing yet."""
        state = unpack(packed, _KINDS)
        self._context.restore(state)
        self._forest.restore(state["trees"])
        self._actor.restore(state["actor"])
