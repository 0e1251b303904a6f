import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.holdem.bet_sizes import PREFLOP, RIVER, parse_bet_sizes
from sog.games.holdem.betting import IP, OOP, actor, apply, legal_moves, pot_size, start_hand
from sog.games.holdem.cards import parse_board
from sog.games.holdem.ranges import count_deals, parse_range
from sog.games.holdem.spot import Spot, make_preflop_spot, make_spot, start_figures

FULL = np.ones((2, 1326))
POT = parse_bet_sizes("100,allin")


def river(history: str = "", *added_bets: str) -> Spot:
    board = parse_board("9s7c5s4h3c")
    return make_spot(board, 200, 19_900, POT, FULL, history=history, added_bets=added_bets)


def test_a_hand_starts_before_the_flop_with_every_deal() -> None:
    spot = make_preflop_spot(POT)
    assert spot.betting == start_hand() == spot.street_start
    assert (spot.board, spot.betting.street, spot.hands.size) == ((), PREFLOP, 1_326)
    assert count_deals(spot.ranges) == 1_326 * 1_225
    assert start_figures(spot) == {"stack": 20_000, "small_blind": 50, "big_blind": 100}
    assert actor(spot.betting) == IP


def test_blinds_and_stack_before_the_flop_are_parameters() -> None:
    spot = make_preflop_spot(POT, stack=1_000, small_blind=5, big_blind=20)
    assert (spot.betting.committed, spot.betting.stack) == ((20, 5), 1_000)
    assert [move.total for move in legal_moves(spot.betting, POT)] == [5, 20, 60, 1_000]
    assert spot.name.startswith("holdem(stack=1000,small_blind=5,big_blind=20,bets=")


def test_a_spot_may_start_in_the_middle_of_a_street() -> None:
    spot = river("check,bet75")
    assert (spot.betting.committed, actor(spot.betting), pot_size(spot.betting)) == ((100, 250), OOP, 350)
    assert start_figures(spot) == {"board": "9s7c5s4h3c", "pot": 200, "stack": 19_900, "big_blind": 1}
    assert spot.history == ("check", "bet75")
    assert [move.label for move in legal_moves(spot.betting, spot.sizes)] == [
        "fold",
        "call",
        "raise100",
        "allin",
    ]
    assert make_preflop_spot(POT, history="raise250c").betting.committed == (100, 250)


def test_added_bets_count_from_the_start_of_the_spot() -> None:
    spot = river("check,bet75", "raise60", "raise60,raise2000c")
    labels = [move.label for move in legal_moves(spot.betting, spot.sizes)]
    assert labels == ["fold", "call", "raise60", "raise100", "allin"]
    raised = next(move for move in legal_moves(spot.betting, spot.sizes) if move.label == "raise60")
    after = legal_moves(apply(spot.betting, raised), spot.sizes)
    assert [move.label for move in after] == ["fold", "call", "raise100", "raise2000c", "allin"]


def test_names_tell_apart_all_that_differs() -> None:
    spots = [
        river(),
        river("check"),
        river("bet75"),
        river("", "bet75"),
        river("", "check,bet75"),
        make_preflop_spot(POT),
        make_preflop_spot(POT, np.array([parse_range("AA"), FULL[1]])),
        make_preflop_spot(POT, history="call"),
    ]
    assert len({spot.name for spot in spots}) == len(spots)
    assert river("check", "bet60").name.startswith(
        "holdem(board=9s7c5s4h3c,pot=200,stack=19900,big_blind=1,history='check',bets="
    )
    assert ",added='bet60',ranges=" in river("check", "bet60").name


def test_what_is_wrong_is_said_with_where_it_was_given() -> None:
    with pytest.raises(InputError, match="history: the hand is over after 'check,check'"):
        river("check,check")
    with pytest.raises(InputError, match="added bet: 'x' is not a move here"):
        river("", "x")
    with pytest.raises(InputError, match="3, 4 or 5 cards, not 0"):
        make_spot((), 200, 100, POT, FULL)
    aces = parse_range("AsAh")
    with pytest.raises(InputError, match=r"can meet a hand of the other$"):
        make_preflop_spot(POT, np.array([aces, aces]))


def test_nothing_is_left_to_do_after_the_small_blind_is_all_in() -> None:
    spot = make_preflop_spot(POT, stack=50)
    assert spot.betting.committed == (50, 50)
    assert actor(spot.betting) not in (OOP, IP, TERMINAL)
    assert river().betting.street == RIVER
