from itertools import combinations

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.holdem.cards import (
    HAND_INDEX,
    HANDS,
    NO_HAND,
    board_name,
    card_name,
    check_board,
    compatible_hands,
    hand_index,
    hand_name,
    parse_board,
    parse_card,
    parse_hand,
    rank_of,
    suit_of,
)


def test_cards_are_numbered_rank_by_rank_in_suit_order() -> None:
    names = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]
    assert [card_name(card) for card in range(52)] == names
    assert [parse_card(name) for name in names] == list(range(52))
    assert [parse_card(name.swapcase()) for name in names] == list(range(52))
    assert (rank_of(parse_card("Th")), suit_of(parse_card("Th"))) == (8, 1)


@pytest.mark.parametrize("name", ["", "9", "10s", "1s", "9x", "s9", "9 s", "9ss"])
def test_a_name_that_is_no_card_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=repr(name)):
        parse_card(name)


def test_hands_are_in_lexicographic_order() -> None:
    assert HANDS.tolist() == [list(pair) for pair in combinations(range(52), 2)]
    assert [hand_name(hand) for hand in (0, 1, 2, 3, 4, 51, 1324, 1325)] == [
        *("2s2h", "2s2d", "2s2c", "3s2s", "3h2s"),
        *("2h2d", "AhAc", "AdAc"),
    ]


def test_hand_numbers_and_names_invert_each_other() -> None:
    for hand, (first, second) in enumerate(combinations(range(52), 2)):
        assert hand_index(first, second) == hand_index(second, first) == hand
        name = hand_name(hand)
        assert parse_hand(name) == parse_hand(name[2:] + name[:2]) == hand
        assert rank_of(parse_card(name[:2])) >= rank_of(parse_card(name[2:]))
    assert (np.diag(HAND_INDEX) == NO_HAND).all()


@pytest.mark.parametrize(("name", "reason"), [("AhK", "'AhK'"), ("AhAh", "twice"), ("AhKx", "'Kx'")])
def test_hands_that_do_not_exist_are_refused(name: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse_hand(name)


def test_boards_keep_the_order_they_are_written_in() -> None:
    board = parse_board("9s7c5s4h3c")
    assert [card_name(card) for card in board] == ["9s", "7c", "5s", "4h", "3c"]
    assert board_name(board) == "9s7c5s4h3c"
    assert parse_board(" 9s 7c,5S\t4H 3c ") == board
    assert parse_board("") == ()
    assert len(parse_board("3s7hTdKc")) == 4
    assert check_board(board) == board


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("9s7c9s", "9s is there twice"),
        ("9s7x5s", "'7x' is not a card"),
        ("9s7c10s", "'10' is not a card"),
        ("9s7c5", "'5' is not a card"),
        ("9s7c", "not 2"),
        ("9s", "not 1"),
        ("9s7c5s4h3c2c", "not 6"),
    ],
)
def test_impossible_boards_are_refused(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse_board(text)


@pytest.mark.parametrize("board", [(0, 1), (0, 1, 1), (0, 1, 52), (-1, 0, 1), tuple(range(6))])
def test_numbers_that_are_no_board_are_refused(board: tuple[int, ...]) -> None:
    with pytest.raises(InputError):
        check_board(board)


@pytest.mark.parametrize(("text", "count"), [("", 1326), ("9s7c5s", 1176), ("3s7hTdKc", 1128)])
def test_hands_compatible_with_a_board(text: str, count: int) -> None:
    board = parse_board(text)
    expected = [not set(hand) & set(board) for hand in combinations(range(52), 2)]
    assert compatible_hands(board).tolist() == expected
    assert sum(expected) == count
