"""Training on turn endgame hold'em: rivers are solved exactly, from beliefs that turn searches ask about.

A round draws a game (board, stacks, bet sizes), searches its turn with the network at the leaves, and
takes some of the public belief states that were asked about, each with one river: these are solved, and are
the examples. Searches ask from the first iteration, when everything is played, to the last. Before the
network has learned anything, ranges are drawn at random by strength instead (DeepStack's R(S, p), Moravčík
et al. 2017), and a share of them stays.

Verified: tests/poker/test_teh_training.py.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.bet_sizes import BetSizes
from sog.games.holdem.betting import Betting, pot_size
from sog.games.holdem.cards import NUM_CARDS, NUM_HANDS, Board
from sog.games.holdem.spot import Spot
from sog.games.holdem.strength import RIVER_CARDS
from sog.games.holdem.teh import make_teh
from sog.nets.ladder_forward import LadderForward
from sog.poker.river_examples import SIZES, SolvedRiver, pack_rivers
from sog.poker.river_queries import RiverHands, list_rivers, solve_rivers
from sog.poker.river_values import LEAST_REACH, RiverValues, bet_fractions
from sog.poker.street_training import StreetGenerator, draw_times
from sog.poker.turn_boards import NUM_RIVERS, TurnBoard
from sog.poker.turn_search import Beliefs, Leaf, TurnSearch, check_down
from sog.training.config import Config
from sog.training.context import Weights
from sog.training.examples import Examples

_SEEDS = 2**62


class RiverQuery(NamedTuple):
    """A river with the ranges that come there."""

    board: Board
    start: Betting
    ranges: F64  # [2, 1326]


class TehGenerator(StreetGenerator[LadderForward]):
    """Draws games, searches their turns, solves rivers."""

    @staticmethod
    def check(config: Config) -> None:
        """Refuse what cannot be."""
        check_config(config)

    def _make_network(self, weights: Weights) -> LadderForward:
        return LadderForward(self._config.network, SIZES.num_features, weights)

    def _play(self) -> tuple[Examples, int]:
        """Return what the rivers of one game are worth."""
        spot = make_teh(seed=int(self._rng.integers(_SEEDS)))
        network = self._choose()
        queries = self._draw(spot) if network is None else self._search(spot, network)
        solved = solve_queries(queries, spot.sizes, self._config.streets.river_iterations)
        return pack_rivers(list(solved)), int(network is not None)

    def _search(self, spot: Spot, network: LadderForward) -> list[RiverQuery]:
        """Search a turn; return some of what was asked about."""
        how, rng = self._config.streets, self._rng
        board = TurnBoard(spot.board, network.rungs)
        values = RiverValues(network, spot.sizes, how.ask_every, rivers=how.rivers, rng=rng)
        search = TurnSearch(spot, board, values)
        times = draw_times(how.queries, how.turn_iterations, rng)
        queries: list[RiverQuery] = []

        def note(iteration: int, beliefs: Beliefs) -> None:
            for _ in range(times[iteration]):
                queries.append(draw_query(beliefs, rng))

        search.run(how.turn_iterations, note)
        return queries

    def _draw(self, spot: Spot) -> list[RiverQuery]:
        """Return queries with random boards and ranges, and with bettings that the game may come to."""
        rng, how = self._rng, self._config.streets
        leaves = live_leaves(TurnSearch(spot, TurnBoard(spot.board, 2), check_down).leaves)
        chosen = rng.integers(len(leaves), size=max(1, how.queries // 8))  # a betting is laid out once
        queries = []
        for number in range(how.queries):
            board = tuple(rng.permutation(NUM_CARDS)[:RIVER_CARDS].tolist())
            ranges = draw_ranges(list_rivers([board]), rng)
            queries.append(RiverQuery(board, leaves[chosen[number % chosen.size]].start, ranges))
        return queries


def check_config(config: Config) -> None:
    """Refuse what cannot be."""
    if config.network.kind != "ladder":
        raise InputError(f"{config.game}: network.kind must be ladder, not {config.network.kind}")


def live_leaves(leaves: list[Leaf]) -> list[Leaf]:
    """Return those after which there is more to bet."""
    return [leaf for leaf in leaves if not leaf.is_over]


def draw_query(beliefs: Beliefs, rng: np.random.Generator) -> RiverQuery:
    """Return one leaf of a search, with one river."""
    live = [number for number, leaf in enumerate(beliefs.leaves) if not leaf.is_over]
    number = live[rng.integers(len(live))]
    river = beliefs.board.rivers[rng.integers(NUM_RIVERS)]
    ranges = np.zeros((NUM_PLAYERS, NUM_HANDS))
    ranges[:, beliefs.board.hands] = np.maximum(beliefs.reach[:, :, number].T, LEAST_REACH)
    return RiverQuery(river, beliefs.leaves[number].start, ranges)


def draw_ranges(rivers: RiverHands, rng: np.random.Generator) -> F64:
    """Return two ranges on a river that are random by strength: [2, 1326]."""
    ranges = np.zeros((NUM_PLAYERS, NUM_HANDS))
    for player in range(NUM_PLAYERS):
        ranges[player, rivers.hands[0]] = split_mass(rivers.hands.shape[1], rng)
    return ranges


def split_mass(count: int, rng: np.random.Generator) -> F64:
    """Return one, split at random between halves of halves: [count]."""
    mass, bounds = np.ones(1), np.array([0, count])
    while mass.size < count:
        sizes = np.diff(bounds)
        middles = bounds[:-1] + sizes // 2
        low = np.where(sizes > 1, mass * rng.random(mass.size), 0.0)
        bounds = np.unique(np.concatenate((bounds, middles)))
        halves = np.column_stack((low, mass - low)).ravel()
        mass = halves[np.column_stack((sizes > 1, np.ones(sizes.size, bool))).ravel()]
    return mass


def solve_queries(queries: list[RiverQuery], sizes: BetSizes, iterations: int) -> Iterator[SolvedRiver]:
    """Solve queries, those of one betting together."""
    groups: dict[Betting, list[RiverQuery]] = {}
    for query in queries:
        groups.setdefault(query.start, []).append(query)
    for start, group in groups.items():
        rivers = list_rivers([query.board for query in group])
        ranges = np.array([query.ranges for query in group])
        values, _ = solve_rivers(start, sizes, rivers, ranges, iterations)
        pot, behind = pot_size(start), start.stack - start.committed[0]
        for number, query in enumerate(group):
            yield SolvedRiver(
                query.board, behind / pot, bet_fractions(sizes), query.ranges, values[number] / pot
            )
