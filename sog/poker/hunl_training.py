"""Training on heads-up no-limit hold'em: queries of all kinds, from hands that searches play.

A round draws a hand (stack, bet size), searches it before the flop, and goes on with states that the search
asked about: a flop, its turn, a river come, and each street's search is an answer and asks the next queries
(recursive queries of Student of Games). States before a card are answered by means over cards
(`street_queries`), rivers exactly. So streets are learned from the river up, all at once.

How many queries of each kind a round solves goes by need: by the error of the network's answers to that kind,
as it was lately, with a floor. Before the network has learned anything, and in a share of the rounds, rivers
with random ranges are solved.

Verified: tests/poker/test_hunl_training.py.
"""

from typing import Any

import numpy as np

from sog.core.arrays import F64
from sog.games.holdem.bet_sizes import RIVER, STREETS
from sog.games.holdem.betting import BIG_BLIND, start_street
from sog.games.holdem.cards import NUM_CARDS, Board
from sog.games.holdem.flops import FLOP_CARDS
from sog.games.holdem.hunl import DRAWN_STACKS, draw_hand
from sog.games.holdem.strength import RIVER_CARDS
from sog.poker.hand_examples import SolvedState, pack_states
from sog.poker.hand_network import KINDS, HandNetwork, check_spec, describe_state
from sog.poker.river_queries import list_rivers
from sog.poker.street_boards import StreetBoard, places_of
from sog.poker.street_queries import (
    StreetQuery,
    draw_leaf,
    mean_over_cards,
    next_boards,
    search_start,
    solve_river_starts,
    start_after,
)
from sog.poker.street_training import StreetGenerator, draw_times
from sog.poker.teh_training import draw_ranges
from sog.poker.turn_search import Beliefs
from sog.training.config import Config
from sog.training.context import Weights
from sog.training.examples import Examples

EXPLORES = 0.5  # share of queries whose leaf is drawn alike, not by how often it is come to
FLOOR = 0.04  # of a kind's share of the queries
KEEPS = 0.95  # of a kind's error, when another answer is measured
SEARCHED = 4  # starts of a street that a round searches at most
_STARTS = len(STREETS)  # kinds of starts come first
_PREFLOP_RANGES = np.ones((2, 1_326))


class HunlGenerator(StreetGenerator[HandNetwork]):
    """Plays hands, and answers queries of all kinds."""

    def __init__(self, config: Config, seed: int) -> None:
        super().__init__(config, seed)
        self._errors = np.ones(len(KINDS))

    @staticmethod
    def check(config: Config) -> None:
        """Refuse networks that cannot answer."""
        check_spec(config.network)

    def _make_network(self, weights: Weights) -> HandNetwork:
        return HandNetwork(self._config.network, weights)

    def _own_state(self) -> dict[str, Any]:
        return {"errors": self._errors}

    def _restore_own(self, state: dict[str, Any]) -> None:
        self._errors = state["errors"]

    def _play(self) -> tuple[Examples, int]:
        """Return what the states of one hand are worth."""
        how, network = self._config.streets, self._choose()
        if network is None:
            return pack_states(solve_river_starts(self._draw_rivers(), how.river_iterations)), 0
        solved = self.play_hand(network)
        for one in solved:
            self._note_error(one, network)
        return pack_states(solved), sum(one.kind < RIVER for one in solved)

    @property
    def shares(self) -> F64:
        """The share of each kind in the queries: by need."""
        return np.asarray(FLOOR + (1 - FLOOR * len(KINDS)) * self._errors / self._errors.sum())

    def play_hand(self, network: HandNetwork) -> list[SolvedState]:
        """Draw a hand and search it street by street; return the answers to what was asked on the way."""
        rng, how = self._rng, self._config.streets
        hand = draw_hand(rng)
        wanted = rng.multinomial(how.queries, self.shares)
        starts, solved = [StreetQuery(hand, _PREFLOP_RANGES)], []
        for street in range(RIVER):
            before, after = int(wanted[_STARTS + street]), int(wanted[street + 1])
            if street + 1 < RIVER:
                after = min(max(after, 1), SEARCHED)
            asked: list[StreetQuery] = []
            board = StreetBoard(starts[0].state.board)
            for start in starts:
                count = -(-(before + after) // len(starts))
                answer, found = self._search(start, board, network, count)
                solved.append(answer)
                asked += found
            if not asked:  # both are all-in, whatever they do
                break
            asked = [asked[place] for place in rng.permutation(len(asked))]
            solved += self._average(asked[:before], network)
            starts = self._deal(asked[before : before + after] or asked[:1])
        else:
            solved += solve_river_starts(starts, how.river_iterations) if wanted[RIVER] else []
        return solved

    def _search(
        self, start: StreetQuery, board: StreetBoard, network: HandNetwork, count: int
    ) -> tuple[SolvedState, list[StreetQuery]]:
        """Return the answer to a start, and so many queries of those that its search asked."""
        how, rng = self._config.streets, self._rng
        times, asked = draw_times(count, how.turn_iterations, rng), []

        def note(iteration: int, beliefs: Beliefs) -> None:
            for _ in range(times[iteration]):
                query = draw_leaf(beliefs, start.state, rng, EXPLORES)
                asked.extend([] if query is None else [query])

        return search_start(start, board, network, how.turn_iterations, how.ask_every, note), asked

    def _average(self, queries: list[StreetQuery], network: HandNetwork) -> list[SolvedState]:
        """Return the answers to states before a card, which have a board in common."""
        if not queries:
            return []
        boards = next_boards(queries[0].state.board, self._config.streets.flops, self._rng)
        places = np.array([places_of(board) for board in boards])
        return mean_over_cards(queries, boards, places, network)

    def _deal(self, queries: list[StreetQuery]) -> list[StreetQuery]:
        """Return starts of the next street: with one card for all, but rivers, which are not searched."""
        is_last = len(queries[0].state.board) == RIVER_CARDS - 1
        cards = self._draw_cards(queries[0].state.board)
        return [
            start_after(query, self._draw_cards(query.state.board) if is_last else cards) for query in queries
        ]

    def _draw_cards(self, board: Board) -> Board:
        """Return a board with the next cards, drawn at random."""
        left = [card for card in self._rng.permutation(NUM_CARDS).tolist() if card not in board]
        return (*board, *left[: 1 if board else FLOP_CARDS])

    def _draw_rivers(self) -> list[StreetQuery]:
        """Return rivers with random boards and ranges, of a hand that may come to them."""
        rng = self._rng
        hand, queries = draw_hand(rng), []
        for _ in range(max(1, self._config.streets.queries // 8)):  # a betting is laid out once
            pot = int(np.exp(rng.uniform(np.log(2 * BIG_BLIND), np.log(DRAWN_STACKS[1]))))
            behind = max(hand.betting.stack - pot // 2, BIG_BLIND)
            betting = start_street(RIVER, 2 * (pot // 2), behind, BIG_BLIND)
            for _ in range(8):
                board = tuple(rng.permutation(NUM_CARDS)[:RIVER_CARDS].tolist())
                ranges = draw_ranges(list_rivers([board]), rng)
                queries.append(StreetQuery(hand._replace(betting=betting, board=board), ranges))
        return queries

    def _note_error(self, solved: SolvedState, network: HandNetwork) -> None:
        """Measure the network's answer against one that was just found."""
        reach = solved.ranges.astype(np.float32)[None]
        values, met = network(describe_state(solved.state)[None], reach, solved.places[None])
        error = np.abs(values[0] - solved.beside)
        huber = np.where(error <= 1, error**2 / 2, error - 0.5)
        mean = float((huber * met[0]).sum() / max(met[0].sum(), 1e-12))
        self._errors[solved.kind] = KEEPS * self._errors[solved.kind] + (1 - KEEPS) * mean
