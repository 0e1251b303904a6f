"""Queries of all kinds, and how each is answered.

A query is a public state and both players' ranges. River starts are solved exactly (`river_queries`). Starts
of the turn, the flop and the hand are searched: all betting of the street, and a network's values where cards
would come. A state before a card is worth the mean of the street's starts over all cards, each counted by the
mass of the opponent's range that a hand meets there; of flops some are drawn, as often as they come.

Verified: tests/poker/test_street_queries.py.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, F64
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.bet_sizes import BetSizes
from sog.games.holdem.betting import NOBODY, Betting, deal, pot_size
from sog.games.holdem.cards import BOARD_SIZES, NUM_CARDS, NUM_HANDS, Board, compatible_hands
from sog.games.holdem.flops import FLOP_CARDS
from sog.games.holdem.hand_records import HandState
from sog.games.holdem.ranges import count_deals, met_weights
from sog.games.holdem.spot import Spot
from sog.games.holdem.strength import strengths_of_boards
from sog.poker.hand_examples import SolvedState
from sog.poker.hand_network import LEAST_REACH, HandNetwork, describe_state, find_beliefs
from sog.poker.river_examples import win_showdowns
from sog.poker.river_queries import list_rivers, solve_rivers
from sog.poker.street_boards import StreetBoard, places_of
from sog.poker.turn_search import Beliefs, LeafValues, TurnSearch, check_down

LEAST_SHARE = 1e-6  # of a range: a hand without any has no policy and no value
_AVERAGED = 2.0  # weights of iterations in a start's values: their number to this power


class StreetQuery(NamedTuple):
    """A public state with the ranges that come there."""

    state: HandState
    ranges: F64  # [2, 1326]


Note = Callable[[int, Beliefs], None]  # is told of every iteration, and what it asks about


class StreetLeaves:
    """Values of a search's leaves by a network that is asked about the states before the card."""

    def __init__(self, network: HandNetwork, state: HandState, every: int = 1) -> None:
        """every: how many times in a row a network's answers are used."""
        self._network, self._state, self._every = network, state, every
        self._asked = 0
        self._values: F32 = np.zeros(0, np.float32)
        self._features: F32 = np.zeros((0, 0), np.float32)

    def __call__(self, beliefs: Beliefs) -> F32:
        """Return values beside those of checking down, times what hands meet: [H, players, L]."""
        board, count = beliefs.board, len(beliefs.leaves)
        reach = np.zeros((count, NUM_PLAYERS, NUM_HANDS), np.float32)
        least = LEAST_REACH * beliefs.reach.max()
        reach[:, :, board.hands] = np.maximum(beliefs.reach, least).transpose(2, 1, 0)
        places = np.broadcast_to(board.places, (count, NUM_HANDS))
        if self._asked % self._every == 0:
            if len(self._features) != count:
                self._features = np.array(
                    [describe_state(self._before(leaf.start)) for leaf in beliefs.leaves]
                )
            self._values, met = self._network(self._features, reach, places)
        else:
            met, _ = find_beliefs(reach, places)
        self._asked += 1
        beside = (met * self._values)[:, list(beliefs.players)]
        found: F32 = board.runouts * beside[:, :, board.hands].transpose(2, 1, 0)
        return found

    def _before(self, start: Betting) -> HandState:
        """Return the state before the card of a leaf; `start`: of the next street."""
        return before_card(self._state, start)


def before_card(state: HandState, start: Betting) -> HandState:
    """Return the state of a street in which the card is due after which the next street starts."""
    closed = start._replace(street=start.street - 1, to_act=NOBODY, num_moves=2)
    return state._replace(betting=closed, added=0)


class SearchedStreet:
    """A search of a start, whose values are means over its iterations."""

    def __init__(self, query: StreetQuery, board: StreetBoard, values: LeafValues) -> None:
        state = query.state
        self._ranges, self._board = lift(query.ranges, state.board), board
        betting = state.betting
        self._spot = Spot(state.board, betting, state.sizes, self._ranges, betting, ())
        self.search = TurnSearch(self._spot, board, values)
        self._state = state

    def run(self, iterations: int, note: Note | None = None) -> SolvedState:
        """Return what hands win beside checking down."""
        won, total = np.zeros((NUM_PLAYERS, NUM_HANDS)), 0.0
        for number in range(iterations):
            self.search.run(1, note)
            weight = float((number + 1) ** _AVERAGED)
            won += weight * np.array(self.search.values())
            total += weight
        met = np.array([met_weights(theirs) for theirs in self._ranges[::-1]])
        per_deal = self._ranges * met / count_deals(self._ranges)
        worth = np.divide(won / total, per_deal, out=np.zeros_like(won), where=per_deal > 0)
        down = check_downs(self._board, self._ranges, met)
        beside = worth / pot_size(self._state.betting) - down
        return SolvedState(self._state, self._board.places, self._ranges, beside)


def check_downs(board: StreetBoard, ranges: F64, met: F64) -> F64:
    """Return what hands win in pots per unit of what they meet if both check to the end: [2, 1326]."""
    found = np.zeros_like(ranges)
    own = ranges[:, board.hands].astype(np.float32)
    won = board.check_down(own[::-1].T[:, :, None])[:, :, 0].T / (2 * board.runouts)
    np.divide(won, met[:, board.hands], out=won, where=met[:, board.hands] > 0)
    found[:, board.hands] = won
    return found


def lift(ranges: F64, board: Board) -> F64:
    """Return ranges whose hands are shares of one, none that the board leaves of nothing: [2, 1326]."""
    alive = compatible_hands(board)
    shares = np.where(alive, ranges, 0.0)
    shares /= shares.sum(axis=1, keepdims=True)
    shares = np.where(alive, np.maximum(shares, LEAST_SHARE), 0.0)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def search_start(
    query: StreetQuery,
    board: StreetBoard,
    network: HandNetwork | None,
    iterations: int,
    every: int = 1,
    note: Note | None = None,
) -> SolvedState:
    """Return the answer to a start before the river; without a network leaves are checked down."""
    values = check_down if network is None else StreetLeaves(network, query.state, every)
    return SearchedStreet(query, board, values).run(iterations, note)


def solve_river_starts(queries: Sequence[StreetQuery], iterations: int) -> list[SolvedState]:
    """Return the answers to river starts, those of one betting solved together."""
    groups: dict[tuple[Betting, BetSizes], list[int]] = {}
    for number, query in enumerate(queries):
        groups.setdefault((query.state.betting, query.state.sizes), []).append(number)
    found: dict[int, SolvedState] = {}
    for (betting, sizes), numbers in groups.items():
        boards = [queries[number].state.board for number in numbers]
        ranges = np.array(
            [lift(queries[number].ranges, board) for number, board in zip(numbers, boards, strict=True)]
        )
        values, _ = solve_rivers(betting, sizes, list_rivers(boards), ranges, iterations)
        strengths = strengths_of_boards(boards)
        for index, number in enumerate(numbers):
            hands = np.flatnonzero(compatible_hands(boards[index])).astype(np.int32)
            beside = values[index] / pot_size(betting)
            beside[:, hands] -= win_showdowns(strengths[index], hands, ranges[index])
            found[number] = SolvedState(
                queries[number].state, places_of(boards[index]), ranges[index], beside
            )
    return [found[number] for number in range(len(queries))]


def next_boards(board: Board, flops: int, rng: np.random.Generator) -> list[Board]:
    """Return all boards that a card makes of a board; before the flop so many that are drawn."""
    left = [card for card in range(NUM_CARDS) if card not in board]
    if board:
        return [(*board, card) for card in left]
    return [tuple(sorted(rng.permutation(NUM_CARDS)[:FLOP_CARDS].tolist())) for _ in range(flops)]


def mean_over_cards(
    queries: Sequence[StreetQuery], boards: Sequence[Board], places: F32, network: HandNetwork
) -> list[SolvedState]:
    """Return the answers to states before a card that have a board in common, from those after each card.

    boards: [N] after the card; places: [N, 1326] on them.
    """
    answers = []
    here = places_of(queries[0].state.board)
    for query in queries:
        state, ranges = query.state, lift(query.ranges, query.state.board)
        reach = np.where(places[:, None] >= 0, ranges.astype(np.float32), np.float32(0))
        start = state._replace(betting=deal(state.betting))
        features = np.array([describe_state(start._replace(board=board)) for board in boards])
        values, met = network(features, reach, places)
        mass = met.sum(axis=0, dtype=np.float64)
        won = (met * values).sum(axis=0, dtype=np.float64)
        beside = np.divide(won, mass, out=np.zeros_like(won), where=mass > 0)
        answers.append(SolvedState(state, here, ranges, beside))
    return answers


def start_after(query: StreetQuery, board: Board) -> StreetQuery:
    """Return the start of the next street, a state before the card being dealt one."""
    assert len(board) in BOARD_SIZES
    state = query.state
    ranges = np.where(compatible_hands(board), query.ranges, 0.0)
    return StreetQuery(state._replace(betting=deal(state.betting), board=board), ranges)


def draw_leaf(
    beliefs: Beliefs, state: HandState, rng: np.random.Generator, explores: float
) -> StreetQuery | None:
    """Return what a search asked about at one leaf after which there is more to bet; None if nobody goes on.

    Leaves are drawn by how often both players come there, or, with the probability `explores`, alike.
    """
    live = [number for number, leaf in enumerate(beliefs.leaves) if not leaf.is_over]
    if not live:
        return None
    ranges = np.zeros((len(live), NUM_PLAYERS, NUM_HANDS))
    ranges[:, :, beliefs.board.hands] = beliefs.reach[:, :, live].transpose(2, 1, 0)
    if ranges.max() <= 0:  # everybody goes all-in or folds
        return None
    number = int(rng.integers(len(live)))
    if rng.random() >= explores:
        mass = np.array([count_deals(own) for own in ranges])
        if mass.sum() > 0:
            number = int(rng.choice(len(live), p=mass / mass.sum()))
    least = LEAST_REACH * ranges.max()
    own = np.maximum(ranges[number], least) * compatible_hands(state.board)
    return StreetQuery(before_card(state, beliefs.leaves[live[number]].start), own)
