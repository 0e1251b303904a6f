import numpy as np
import pytest

from sog.games.holdem.cards import HANDS, NUM_HANDS, parse_board
from sog.games.holdem.strength import IMPOSSIBLE, strengths_of_boards
from sog.poker.street_boards import find_places
from sog.poker.turn_boards import NUM_LEFT, TurnBoard

BOARD = parse_board("3s7hTdKs")


@pytest.fixture(scope="module")
def board() -> TurnBoard:
    return TurnBoard(BOARD, 16)


def test_equity_adds_up_the_showdowns_of_all_rivers(board: TurnBoard) -> None:
    strengths = strengths_of_boards([(*BOARD, card) for card in range(52) if card not in BOARD])
    rng = np.random.default_rng(0)
    for first, second in rng.integers(NUM_LEFT, size=(200, 2)).tolist():
        one, two = board.hands[first], board.hands[second]
        expected = 0
        if not set(HANDS[one]) & set(HANDS[two]):
            for river in strengths:
                if IMPOSSIBLE not in (river[one], river[two]):
                    expected += np.sign(river[one] - river[two])
        assert board.equity[first, second] == expected
    assert np.abs(board.equity).max() == 44


def test_a_place_is_the_share_of_weaker_hands_equals_counted_half() -> None:
    strengths = strengths_of_boards([parse_board("3s7hTdKs2c"), parse_board("AsKsQsJsTs")])
    places = find_places(strengths, 11)
    for mine, found in zip(strengths, places, strict=True):
        left = mine[mine != IMPOSSIBLE]
        for hand in range(0, NUM_HANDS, 7):
            if mine[hand] != IMPOSSIBLE:
                below = (left < mine[hand]).sum() + (left == mine[hand]).sum() / 2
                assert found[hand] == pytest.approx(10 * below / left.size, abs=1e-4)
    assert set(places[1][strengths[1] != IMPOSSIBLE].tolist()) == {5.0}  # everybody plays the board


def test_masses_on_rivers_follow_from_those_before(board: TurnBoard) -> None:
    """A hand meets `met − T_c + r(ac) + r(bc)` on river c, and 44 rivers come to each pair of hands."""
    rng = np.random.default_rng(1)
    reach = rng.random((NUM_LEFT, 2)).astype(np.float32)
    met, by_card, tables = board.met(reach), board.card_rows @ reach, board.tables
    weights = np.zeros((NUM_HANDS, 2))
    weights[board.hands] = reach
    total = np.zeros((NUM_LEFT, 2))
    for number, river in enumerate(board.rivers):
        rows = tables.row[number]
        mass = met[rows] - by_card[river[-1]] + reach[tables.first[number]] + reach[tables.second[number]]
        total[rows] += mass
        if number % 16 == 0:
            for row, own in list(zip(rows, mass, strict=True))[:40]:
                blocked = {river[-1], *HANDS[board.hands[row]].tolist()}
                slow = sum(
                    weights[hand] for hand in board.hands.tolist() if not blocked & set(HANDS[hand].tolist())
                )
                assert own == pytest.approx(slow, rel=1e-5)
    assert total == pytest.approx(44 * met, rel=1e-5)


def test_hands_with_the_river_are_found(board: TurnBoard) -> None:
    tables = board.tables
    for number in (0, 20, 47):
        card = int(tables.cards[number])
        for row, first, second in zip(
            tables.row[number], tables.first[number], tables.second[number], strict=True
        ):
            one, two = board.cards[row]
            assert set(board.cards[first].tolist()) == {int(one), card}
            assert set(board.cards[second].tolist()) == {int(two), card}
