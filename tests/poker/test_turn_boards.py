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


@pytest.mark.parametrize("rivers", [slice(None), slice(7, 8), slice(40, 44)])
def test_showdowns_are_added_up_over_rivers(board: TurnBoard, rivers: slice) -> None:
    """Against pairs of hands one by one."""
    strengths = strengths_of_boards(board.rivers)[rivers]
    reach = np.random.default_rng(0).random((NUM_LEFT, 2, 5)).astype(np.float32)
    reach[::3, 1] = 0
    found = board.check_down(reach, rivers)
    for row in range(0, NUM_LEFT, 97):
        own, expected = int(board.hands[row]), np.zeros((2, 5))
        for river in strengths:
            left = river[board.hands] != IMPOSSIBLE
            apart = ~np.isin(board.cards, HANDS[own]).any(axis=1)
            won = np.sign(int(river[own]) - river[board.hands]) * (left & apart)
            expected += np.tensordot(won if river[own] != IMPOSSIBLE else 0 * won, reach, axes=1)
        assert found[row] == pytest.approx(expected, abs=2e-5 * 1_000 * len(strengths))


def test_what_one_wins_the_other_loses(board: TurnBoard) -> None:
    reach = np.random.default_rng(1).random((NUM_LEFT, 2, 1)).astype(np.float32)
    won = board.check_down(reach[:, ::-1])
    first, second = (won * reach).sum(axis=0)[:, 0]
    assert first == pytest.approx(-second, rel=1e-3)
    assert abs(first) > 1_000


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
    (met, by_card), tables = board.meet(reach), board.tables
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
