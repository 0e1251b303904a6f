"""Answers to queries of each kind against slow ones."""

import numpy as np
import pytest

from sog.core.arrays import F32
from sog.games.holdem.bet_sizes import RIVER, TURN, BetSizes, parse_bet_sizes
from sog.games.holdem.betting import deal, pot_size, start_street
from sog.games.holdem.cards import HANDS, NUM_HANDS, compatible_hands, parse_board
from sog.games.holdem.hand_records import HandState
from sog.games.holdem.hunl import one_size
from sog.games.holdem.ranges import count_deals
from sog.games.holdem.spot import make_spot
from sog.poker.hand_network import find_beliefs
from sog.poker.spot_solver import SpotSolver
from sog.poker.street_boards import StreetBoard, places_of
from sog.poker.street_queries import (
    StreetQuery,
    before_card,
    check_downs,
    draw_leaf,
    lift,
    mean_over_cards,
    next_boards,
    search_start,
    solve_river_starts,
    start_after,
)
from sog.poker.turn_search import Beliefs

TURN_BOARD = parse_board("3s7hTdKc")


def turn_state(sizes: BetSizes | None = None) -> HandState:
    return HandState(start_street(TURN, 200, 500, 100), TURN_BOARD, sizes or one_size(75.0))


def random_ranges(seed: int, board: tuple[int, ...] = TURN_BOARD) -> np.ndarray:
    return np.random.default_rng(seed).random((2, NUM_HANDS)) ** 4 * compatible_hands(board)


class ByHand:
    """Answers that are a function of the hand, of the card that came and of what is met: no network."""

    def __init__(self) -> None:
        self.seen = 0

    def __call__(self, features: F32, reach: F32, places: F32) -> tuple[F32, F32]:
        met, _ = find_beliefs(reach, places)
        values = np.sin(np.arange(NUM_HANDS) + self.seen + np.arange(len(features))[:, None, None] * 7.0)
        values = np.where(places[:, None] >= 0, values, 0) * np.array([1, -1])[None, :, None]
        return values.astype(np.float32), met


def test_means_over_cards_count_each_card_by_what_is_met() -> None:
    state = before_card(turn_state(), deal(turn_state().betting))
    boards = next_boards(TURN_BOARD, 0, np.random.default_rng(0))
    assert len(boards) == 48
    places = np.array([places_of(board) for board in boards])
    query = StreetQuery(state, random_ranges(1))
    network = ByHand()
    answer = mean_over_cards([query], boards, places, network)[0]  # type: ignore[arg-type]
    ranges = lift(query.ranges, TURN_BOARD)
    values, _ = network(np.zeros((48, 1), np.float32), np.zeros((48, 2, NUM_HANDS), np.float32), places)
    for hand in np.random.default_rng(2).choice(np.flatnonzero(compatible_hands(TURN_BOARD)), 25).tolist():
        for player in (0, 1):
            won = mass = 0.0
            for number, board in enumerate(boards):
                if board[-1] in HANDS[hand]:
                    continue
                blocked = np.isin(HANDS, [*HANDS[hand], board[-1]]).any(axis=1)
                met = ranges[1 - player][~blocked].sum()
                won, mass = won + met * values[number, player, hand], mass + met
            assert answer.beside[player, hand] == pytest.approx(won / mass, abs=1e-6)


def test_flops_are_drawn() -> None:
    rng = np.random.default_rng(0)
    boards = next_boards((), 500, rng)
    assert all(len(set(board)) == 3 for board in boards)
    paired = np.mean([len({card // 4 for card in board}) < 3 for board in boards])
    assert paired == pytest.approx(1 - 48 * 44 / (51 * 50), abs=0.05)  # as often as they come


def test_searches_find_the_values_of_the_whole_spot() -> None:
    """Nothing is bet on the river, so checking down is exact at the leaves."""
    sizes = parse_bet_sizes("turn:75,allin;river:none")
    state, ranges = turn_state(sizes), random_ranges(3)
    board = StreetBoard(TURN_BOARD)
    answer = search_start(StreetQuery(state, ranges), board, None, 150)
    whole = SpotSolver(make_spot(TURN_BOARD, 200, 500, sizes, answer.ranges, 100), "dcfr", threads=1)
    whole.advance(150)
    met, _ = find_beliefs(answer.ranges.astype(np.float32)[None], answer.places[None])
    worth = answer.beside + check_downs(board, answer.ranges, met[0].astype(np.float64))
    chips = (
        (answer.ranges * met[0] * worth).sum(axis=1) * pot_size(state.betting) / count_deals(answer.ranges)
    )
    assert chips[0] == pytest.approx(whole.value(), abs=1.0)
    assert chips.sum() == pytest.approx(0, abs=1.0)


def test_river_starts_are_solved_together_and_alone_alike() -> None:
    boards = [parse_board("3s7hTdKc2c"), parse_board("3s7hTdKcAc")]
    queries = []
    for number, pot in enumerate((200, 600, 200)):
        board = boards[number % 2]
        state = HandState(start_street(RIVER, pot, 500, 100), board, one_size(60.0))
        queries.append(StreetQuery(state, random_ranges(number, board)))
    together = solve_river_starts(queries, 30)
    for query, one in zip(queries, together, strict=True):
        alone = solve_river_starts([query], 30)[0]
        assert one.state == query.state
        np.testing.assert_array_equal(one.beside, alone.beside)
        alive = compatible_hands(query.state.board)
        assert (one.beside[:, ~alive] == 0).all()
        _, beliefs = find_beliefs(one.ranges.astype(np.float32)[None], one.places[None])
        assert (one.beside * beliefs[0]).sum() == pytest.approx(0, abs=1e-3)


def test_queries_are_what_a_search_asks() -> None:
    """A leaf's state and ranges, a card dealt: the start of the river."""
    state, rng, asked = turn_state(), np.random.default_rng(0), []

    def note(iteration: int, beliefs: Beliefs) -> None:
        asked.append(draw_leaf(beliefs, state, rng, 0.5))

    search_start(StreetQuery(state, random_ranges(5)), StreetBoard(TURN_BOARD), None, 4, 1, note)
    assert len(asked) == 4
    for query in asked:
        assert query is not None
        assert (query.ranges[:, compatible_hands(TURN_BOARD)] > 0).all()
        river = start_after(query, (*TURN_BOARD, 0))
        assert river.state.betting.street == RIVER
        assert river.state.betting.committed[0] == river.state.betting.committed[1]
        assert (river.ranges[:, ~compatible_hands(river.state.board)] == 0).all()
