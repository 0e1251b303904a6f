"""Exploitability of an agent on a board that is small enough to ask it about every position.

Different ways lead to the same position, so positions are merged where the derived public tree of a game has
a state for each way: tic-tac-toe has 5,478 positions and 549,946 ways. The agent searches each position once
and plays the move that it likes best; the best answer to that is found by going through all positions
backwards.

Verified: tests/evaluation/test_positions.py.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sog.core.arrays import F64, I64
from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame
from sog.public.evaluator import Evaluator
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.resolving import next_task
from sog.search.settings import SearchSettings

MOST_POSITIONS = 10_000
_LANES = 128  # searched side by side

Play = Callable[[StateStore, Sequence[int]], list[int]]  # nodes of the store to ordinals of moves


class Positions:
    """Every position of a game, with the places of its children.

    >>> from sog.games.registry import load
    >>> Positions(load("tictactoe")).num_positions
    5478
    """

    def __init__(self, game: AnyGame, limit: int = MOST_POSITIONS) -> None:
        self.game, self.store = game, open_store(game)
        if not self.store.has_planes:
            raise InputError(f"{game.info.name} is not played on a board without secrets")
        self._nodes = [ROOT]  # of the store, one for each position
        self._children: list[I64] = []
        worlds = [game.initial_world()]
        places: dict[Any, int] = {worlds[0]: 0}
        while len(self._children) < len(worlds):
            world = worlds[len(self._children)]
            children = []
            if game.actor(world) != TERMINAL:
                nodes = self.store.children(self._nodes[len(self._children)])
                for action, node in zip(game.legal_actions(world), nodes, strict=True):
                    after = game.apply(world, action)
                    if after not in places:
                        places[after] = len(worlds)
                        worlds.append(after)
                        self._nodes.append(node)
                    children.append(places[after])
            self._children.append(np.array(children, np.int64))
            if len(worlds) > limit:
                raise InputError(f"{game.info.name} has more than {limit:,} positions")
        self._actors = [game.actor(world) for world in worlds]
        self._worlds = worlds

    @property
    def num_positions(self) -> int:
        """How many there are, with those in which the game is over."""
        return len(self._nodes)

    def exploitability(self, play: Play) -> float:
        """Return what best answers win on average against an agent that plays both sides, in utilities."""
        decisions = [place for place, actor in enumerate(self._actors) if actor < NUM_PLAYERS]
        moves = dict(
            zip(decisions, play(self.store, [self._nodes[place] for place in decisions]), strict=True)
        )
        return sum(self._answer(moves, player) for player in range(NUM_PLAYERS)) / NUM_PLAYERS

    def _answer(self, moves: dict[int, int], player: int) -> float:
        """Return the most that a player can win against the agent."""
        sign = 1.0 if player == 0 else -1.0
        values: F64 = np.zeros(self.num_positions)
        for place in reversed(range(self.num_positions)):  # children come after their parents
            if self._actors[place] == TERMINAL:
                values[place] = sign * self.game.returns(self._worlds[place])[0]
            elif self._actors[place] == player:
                values[place] = values[self._children[place]].max()
            else:
                values[place] = values[self._children[place][moves[place]]]
        return float(values[0])


def find_positions(game: AnyGame) -> Positions | None:
    """Return all positions of a game, None if they are too many or no positions of a board."""
    try:
        return Positions(game)
    except InputError:
        return None


def greedy_player(evaluator: Evaluator | None, settings: SearchSettings, seed: int) -> Play:
    """Return an agent that searches a position and plays what the search likes best."""

    def play(store: StateStore, nodes: Sequence[int]) -> list[int]:
        searcher, moves = Searcher(store, evaluator, settings), list[int]()
        for start in range(0, len(nodes), _LANES):
            chunk = nodes[start : start + _LANES]
            tasks = [next_task(store, None, node, store.actor(node)) for node in chunk]
            seeds = [seed * 2**32 + node for node in chunk]
            moves += [int(np.argmax(result.policy[:, 0])) for result in searcher.search_many(tasks, seeds)]
        return moves

    return play
