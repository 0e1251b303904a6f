import pytest

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.holdem.bet_sizes import RIVER, TURN, BetSizes
from sog.games.holdem.betting import (
    OOP,
    Betting,
    actor,
    apply,
    deal,
    find_move,
    legal_moves,
    pot_size,
)
from sog.games.holdem.cards import board_name
from sog.games.holdem.teh import make_teh


def labels(state: Betting, sizes: BetSizes) -> list[str]:
    return [move.label for move in legal_moves(state, sizes)]


def test_the_game_on_which_the_paper_measures() -> None:
    teh = make_teh()
    assert (board_name(teh.board), teh.betting.street, actor(teh.betting)) == ("3s7hTdKs", TURN, OOP)
    assert (pot_size(teh.betting), teh.betting.stack, teh.betting.big_blind) == (2_000, 20_000, 100)
    assert (teh.ranges.sum(axis=1) == 1_128).all()
    assert teh.hands.size == 1_128


def test_three_raise_sizes_first_and_two_later_on_both_streets() -> None:
    teh = make_teh()
    turn = teh.betting
    assert [move.total for move in legal_moves(turn, teh.sizes)] == [1_000, 2_000, 3_000, 20_000]
    river = deal(apply(apply(turn, legal_moves(turn, teh.sizes)[0]), legal_moves(turn, teh.sizes)[0]))
    assert river.street == RIVER
    for state in (turn, river):
        assert labels(state, teh.sizes) == ["check", "bet50", "bet100", "allin"]
        bet = apply(state, find_move(state, legal_moves(state, teh.sizes), "bet50"))
        assert labels(bet, teh.sizes) == ["fold", "call", "raise75", "allin"]
        assert [move.total for move in legal_moves(bet, teh.sizes)][2] == 2_000 + 3_000  # 0.75 of 4,000 more


def count_decisions(state: Betting, sizes: BetSizes) -> int:
    """Decisions below, those of the river counted for each of its 48 cards."""
    if actor(state) == TERMINAL:
        return 0
    if actor(state) == CHANCE:
        return 48 * count_decisions(deal(state), sizes)
    return 1 + sum(count_decisions(apply(state, move), sizes) for move in legal_moves(state, sizes))


def test_the_size_of_the_game() -> None:
    """28 decisions on the turn, and 156 on each river after the lines that get there."""
    teh = make_teh()
    assert count_decisions(teh.betting, teh.sizes) == 28 + 48 * 156


def test_a_seed_draws_a_training_game() -> None:
    assert make_teh(seed=7).name == make_teh(seed=7).name
    drawn = [make_teh(seed=seed) for seed in range(200)]
    assert len({teh.name for teh in drawn}) == 200
    stacks = [teh.betting.stack for teh in drawn]
    assert 5_000 <= min(stacks) < 7_000
    assert 48_000 < max(stacks) <= 50_000
    assert len({card for teh in drawn for card in teh.board}) == 52
    for teh in drawn:
        assert len(set(teh.board)) == 4
        assert pot_size(teh.betting) == 2_000
        assert teh.sizes.turn == teh.sizes.river
        (small, large), (later,) = teh.sizes.turn.first.percents, teh.sizes.turn.raises.percents
        assert max(abs(small - 50), abs(large - 100), abs(later - 75)) <= 10
        assert teh.sizes.turn.first.allin
        assert teh.sizes.turn.raises.allin
    moved = [teh.sizes.turn.raises.percents[0] - 75 for teh in drawn]
    assert min(moved) < -9
    assert max(moved) > 9


def test_what_is_given_is_not_drawn() -> None:
    teh = make_teh(board="2c3d4h5s", stack=6_000, seed=3)
    assert (board_name(teh.board), teh.betting.stack) == ("2c3d4h5s", 6_000)
    assert teh.sizes == make_teh(seed=3).sizes != make_teh().sizes
    assert make_teh(stack=6_000).sizes == make_teh().sizes
    assert make_teh(history="check", added_bets=["bet60"]).sizes.added_paths == ["bet60"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"board": "2c3d4h"}, "teh starts on the turn: a board of four cards, not 3"),
        ({"board": "2c3d4h4h"}, "4h is there twice"),
        ({"board": 234}, "board must be four cards in quotes"),
        ({"stack": 1_000}, "teh: stack must be a whole number from 1001"),
        ({"seed": -1}, "teh: seed must be a whole number from 0"),
        ({"seed": "x"}, "teh: seed must be a whole number from 0"),
    ],
)
def test_impossible_parameters_are_refused(arguments: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make_teh(**arguments)  # type: ignore[arg-type]
