"""Hands that were played become spots; PokerKit reads them and says what they come to."""

import sys
from pathlib import Path

import numpy as np
import pytest
from pokerkit import Automation, NoLimitTexasHoldem, StandardHighHand

from sog.core.errors import InputError
from sog.games.holdem.cards import HANDS, board_name, card_name
from sog.games.holdem.strength import board_strengths
from sog.interfaces.cli.hand_files import read_hand
from tests.interfaces.conftest import Sog

# Tom Dwan against Phil Ivey, Full Tilt Poker's Million Dollar Cash Game, season 5: PokerKit's own example.
DWAN = """
variant = "NT"
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = [
  "d dh p1 Ac2d", "d dh p2 ????", "d dh p3 7h6h", "p3 cbr 7000", "p1 cbr 23000", "p2 f", "p3 cc",
  "d db Jc3d5c", "p1 cbr 35000", "p3 cc", "d db 4h", "p1 cbr 90000", "p3 cbr 232600", "p1 cbr 1067100",
  "p3 cc", "p1 sm Ac2d", "p3 sm 7h6h", "d db Jh",
]
"""
STARS = """PokerStars Hand #1234567890: Hold'em No Limit ($0.50/$1.00 USD) - 2024/01/01 12:00:00 ET
Table 'Alpha' 6-max Seat #1 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($87.50 in chips)
Seat 3: Cal ($120 in chips)
Bob: posts small blind $0.50
Cal: posts big blind $1
*** HOLE CARDS ***
Dealt to Ann [Qs Qh]
Ann: raises $1.50 to $2.50
Bob: folds
Cal: calls $1.50
*** FLOP *** [Jh 7c 2d]
Cal: checks
Ann: bets $3.25
Cal: calls $3.25
*** TURN *** [Jh 7c 2d] [5s]
Cal: checks
Ann: checks
*** RIVER *** [Jh 7c 2d 5s] [Kd]
Cal: bets $8
Ann: folds
Uncalled bet ($8) returned to Cal
Cal collected $11.50 from pot
*** SUMMARY ***
Total pot $12 | Rake $0.50
Board [Jh 7c 2d 5s Kd]
"""


@pytest.fixture
def dwan(tmp_path: Path) -> Path:
    path = tmp_path / "dwan.phh"
    path.write_text(DWAN)
    return path


@pytest.fixture
def stars(tmp_path: Path) -> Path:
    path = tmp_path / "stars.txt"
    path.write_text(STARS + "\n\n\n" + STARS.replace("87.50", "90"))
    return path


def test_a_phh_file(dwan: Path) -> None:
    flop = read_hand(str(dwan))
    assert (flop.board, flop.unit, flop.big_blind) == ("Jc3d5c", 1, 2000)
    assert flop.pot == 2 * 23_000 + 2_000 + 3 * 500
    assert flop.stack == 553_500 - 500 - 23_000  # Ivey has less
    assert flop.line == ("bet35000c", "call", "bet90000c", "raise232600c", "allin", "call")
    assert flop.bets[1] == "bet35000c,call,bet90000c"
    turn = read_hand(str(dwan), "turn")
    assert (turn.board, turn.pot, turn.stack) == ("Jc3d5c4h", flop.pot + 70_000, flop.stack - 35_000)
    assert turn.line == flop.line[2:]


def test_a_pokerstars_hand_in_hundredths(stars: Path) -> None:
    spot = read_hand(str(stars))
    assert spot == read_hand(f"{stars}#2")
    assert (spot.board, spot.pot, spot.stack, spot.big_blind, spot.unit) == ("Jh7c2d", 550, 9750, 100, 100)
    assert spot.line == ("check", "bet325c", "call", "check", "check", "bet800c", "fold")
    river = read_hand(str(stars), "river")
    assert (river.board, river.pot, river.stack) == ("Jh7c2d5sKd", 1200, 9425)


def test_pots_and_stacks_are_those_of_pokerkit(tmp_path: Path) -> None:
    """Random hands, played by PokerKit to the flop between two of three players."""
    rng = np.random.default_rng(3)
    for number in range(20):
        stacks = rng.integers(200, 900, 3).tolist()
        opening = int(rng.integers(20, 60))
        state = NoLimitTexasHoldem.create_state(
            (Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING,
             Automation.CARD_BURNING, Automation.HOLE_DEALING),
            True, 2, (5, 10), 10, stacks, 3,
        )  # fmt: skip
        state.complete_bet_or_raise_to(opening)
        state.fold()
        state.check_or_call()
        state.deal_board(3)
        board = "".join(repr(card) for row in state.board_cards for card in row)
        actions = ", ".join(f'"{word}"' for word in (f"p3 cbr {opening}", "p1 f", "p2 cc", f"d db {board}"))
        deals = '"d dh p1 ????", "d dh p2 ????", "d dh p3 ????", '
        path = tmp_path / f"{number}.phh"
        path.write_text(
            f'variant = "NT"\nantes = [2, 2, 2]\nblinds_or_straddles = [5, 10, 0]\nmin_bet = 10\n'
            f"starting_stacks = {stacks}\nactions = [{deals}{actions}]\n"
        )
        spot = read_hand(str(path))
        assert spot.pot == state.total_pot_amount
        assert spot.stack == min(state.stacks[1], state.stacks[2])
        assert spot.line == ()


def test_the_hands_own_line_is_solved(sog: Sog, stars: Path, tmp_path: Path) -> None:
    solution = tmp_path / "hand.npz"
    ranges = ["--range-oop", "AJ,KQ,77", "--range-ip", "QQ,AK,A7s"]
    words = ["--hand", stars, "--street", "river", *ranges, "--bets", "50", "--iterations", "20"]
    result = sog("solve", "holdem", *words, "--save", solution, "--json")
    assert "pot 1,200, stack 9,425, in 1/100 of a chip; the hand went bet800c,fold" in result.err
    assert result.json["added_bets"] == ["bet800c"]
    assert sog("show-strategy", solution, "--node", "bet800c").status == 0


def test_what_cannot_be_used_is_named_in_one_line(sog: Sog, dwan: Path, stars: Path, tmp_path: Path) -> None:
    def complaint(*words: object) -> str:
        return sog("solve", "holdem", *words, "--iterations", "1").complaint

    assert "--board cannot be given: --hand says it" in complaint("--hand", dwan, "--board", "QsJh2h")
    assert "--street goes with --hand" in complaint("--street", "turn")
    assert "do not begin the river" in complaint("--hand", dwan, "--street", "river")
    assert "has 2 hands" in complaint("--hand", f"{stars}#3")
    assert "cannot be read" in complaint("--hand", tmp_path / "none.phh")
    other = tmp_path / "other.txt"
    other.write_text("no hand")
    assert "is neither a PHH nor a PokerStars hand" in complaint("--hand", other)
    other.write_text(STARS.replace("Cal: checks\n", "", 1).replace("Cal: calls", "Dan: calls"))
    assert "--hand" in complaint("--hand", other)
    other.with_suffix(".phh").write_text(DWAN.replace('"NT"', '"PO"'))
    assert "--hand" in complaint("--hand", other.with_suffix(".phh"))


def test_without_pokerkit(monkeypatch: pytest.MonkeyPatch, dwan: Path) -> None:
    monkeypatch.setitem(sys.modules, "pokerkit", None)
    with pytest.raises(InputError, match="pip install"):
        read_hand(str(dwan))


def test_strengths_order_hands_as_pokerkit_does() -> None:
    rng = np.random.default_rng(11)
    for _ in range(25):
        board = tuple(rng.choice(52, 5, replace=False).tolist())
        strengths = board_strengths(board)
        hands = rng.choice(np.flatnonzero(strengths >= 0), 12, replace=False)
        theirs = [
            StandardHighHand.from_game("".join(card_name(int(c)) for c in HANDS[hand]), board_name(board))
            for hand in hands
        ]
        for one, first in zip(hands, theirs, strict=True):
            for two, second in zip(hands, theirs, strict=True):
                assert (strengths[one] < strengths[two]) == (first < second)
                assert (strengths[one] == strengths[two]) == (first == second)
