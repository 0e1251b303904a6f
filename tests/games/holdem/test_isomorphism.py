from itertools import permutations

import numpy as np
import pytest

from sog.core.arrays import F64, I64
from sog.core.errors import InputError
from sog.games.holdem.cards import (
    card_name,
    compatible_hands,
    hand_name,
    parse_board,
    parse_card,
    parse_hand,
)
from sog.games.holdem.isomorphism import (
    NO_ORBIT,
    find_card_orbits,
    find_symmetries,
    fix_card,
    rename_cards,
    rename_hands,
)
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.strength import board_strengths, strengths_of_boards

FULL = np.ones((2, 1326))
SUITS = "shdc"


def rename(name: str, suits: tuple[int, ...]) -> str:
    """The oracle: suits renamed in the names of cards; ranks are upper case or digits."""
    return name.translate({ord(SUITS[suit]): SUITS[image] for suit, image in enumerate(suits)})


def plain_symmetries(board: str, ranges: F64) -> list[list[int]]:
    cards = {board[start : start + 2] for start in range(0, len(board), 2)}
    possible = np.flatnonzero(compatible_hands(parse_board(board)))
    found = []
    for suits in permutations(range(4)):
        if {rename(card, suits) for card in cards} != cards:
            continue
        images = [parse_hand(rename(hand_name(int(hand)), suits)) for hand in possible]
        if (ranges[:, images] == ranges[:, possible]).all():
            found.append(list(suits))
    return found


def two_ranges(first: str, second: str) -> F64:
    return np.stack([parse_range(first), parse_range(second)])


@pytest.mark.parametrize(
    ("board", "first", "second", "order"),
    [
        ("", "", "", 24),
        ("9s7s5s", "", "", 6),
        ("AsAhKd", "", "", 2),
        ("2s2h2d", "AKs,22+", "random:0.5", 6),
        ("2s2h3d3c", "", "", 4),
        ("9s7c5h", "", "", 1),
        ("3s7hTdKc", "", "", 1),
        ("9s7s5s2s", "AKs", "", 6),
        ("9s7s5s", "AhKh", "", 2),
        ("9s7s5s", "AhKh", "AdKd", 1),
        ("9s7s5s", "AhKh,AdKd", "AcKc", 2),
        ("9s7s5s", "AsKs", "AhKd:0.5,AdKh:0.5", 2),
        ("9s7s5s", "AhKd", "", 1),
        ("9s7s5s", "AA,9s8h", "", 6),
    ],
)
def test_the_group_is_that_of_brute_force(board: str, first: str, second: str, order: int) -> None:
    ranges = two_ranges(first, second)
    symmetries = find_symmetries(parse_board(board), ranges)
    assert symmetries.tolist() == plain_symmetries(board, ranges)
    assert symmetries.tolist()[0] == [0, 1, 2, 3]
    assert len(symmetries) == order


def test_weights_must_be_exactly_equal() -> None:
    ranges = FULL.copy()
    ranges[1, parse_hand("AhKh")] = np.nextafter(1.0, 0.0)
    assert find_symmetries(parse_board("9s7s5s"), ranges).tolist() == [[0, 1, 2, 3], [0, 1, 3, 2]]


def test_impossible_input_is_refused() -> None:
    with pytest.raises(InputError):
        find_symmetries((0, 1), FULL)
    with pytest.raises(InputError):
        find_symmetries((), np.ones(1326))


@pytest.mark.parametrize("suits", list(permutations(range(4))))
def test_renaming(suits: tuple[int, ...]) -> None:
    cards, hands = rename_cards(suits), rename_hands(suits)
    assert [card_name(int(card)) for card in cards] == [rename(card_name(card), suits) for card in range(52)]
    assert hands.tolist() == [parse_hand(rename(hand_name(hand), suits)) for hand in range(1326)]


@pytest.mark.parametrize(
    ("board", "first", "count"),
    [
        ("9s7s5s", "", 23),
        ("AsAhKd", "", 12 + 12 + 13),
        ("9s7c5h", "", 49),
        ("2s2h3d3c", "", 11 + 11 + 2),
        ("9s7s5s", "AhKh", 10 + 13 + 13),
    ],
)
def test_orbits(board: str, first: str, count: int) -> None:
    cards = parse_board(board)
    ranges = two_ranges(first, "")
    group = plain_symmetries(board, ranges)
    expected = {
        frozenset(parse_card(rename(card_name(card), tuple(suits))) for suits in group)
        for card in range(52)
        if card not in cards
    }
    orbits = find_card_orbits(find_symmetries(cards, ranges), cards)
    found = [set(np.flatnonzero(orbits.orbit_of == orbit).tolist()) for orbit in range(len(orbits.sizes))]
    assert set(map(frozenset, found)) == expected
    assert orbits.representatives.tolist() == [min(orbit) for orbit in found] == sorted(map(min, expected))
    assert orbits.sizes.tolist() == [len(orbit) for orbit in found]
    assert orbits.sizes.sum() == 52 - len(cards)
    assert [card for card in range(52) if orbits.orbit_of[card] == NO_ORBIT] == sorted(cards)
    assert len(expected) == count


@pytest.mark.parametrize("board", ["9s7s5s2s", "2s2h3d3c", "AsAhAdKc", "KsKh7d7h", "3s7hTdKc"])
def test_hand_maps_carry_strengths_and_ranges_to_the_representative(board: str) -> None:
    cards = parse_board(board)
    ranges = two_ranges("AKs,QQ-99:0.5,A9o", "random:0.25,22+")
    orbits = find_card_orbits(find_symmetries(cards, ranges), cards)
    for card in range(52):
        if card in cards:
            continue
        representative = int(orbits.representatives[orbits.orbit_of[card]])
        hands = orbits.hand_maps[card]
        assert sorted(hands.tolist()) == list(range(1326))
        here, there = board_strengths((*cards, card)), board_strengths((*cards, representative))
        np.testing.assert_array_equal(here, there[hands])
        possible = compatible_hands((*cards, card))
        np.testing.assert_array_equal(ranges[:, possible], ranges[:, hands[possible]])
        if card == representative:
            assert hands.tolist() == list(range(1326))


def test_fixing_a_card_keeps_the_group_of_the_root() -> None:
    flop = parse_board("7s5c2d")
    root = find_symmetries(flop, FULL)
    turn = parse_card("7h")
    assert len(fix_card(root, turn)) == 1
    assert len(find_symmetries((*flop, turn), FULL)) == 2  # alike only if the hand starts on the turn
    monotone = find_symmetries(parse_board("9s7s5s"), FULL)
    assert len(fix_card(monotone, parse_card("2s"))) == 6
    assert fix_card(monotone, parse_card("2h")).tolist() == [[0, 1, 2, 3], [0, 1, 3, 2]]


def river_scores(boards: list[tuple[int, ...]], opponent: F64) -> I64:
    """How many opponents each hand beats on each board, whole numbers so that sums are exact: [B, 1326]."""
    scores = np.zeros((len(boards), 1326), np.int64)
    for row, strengths in enumerate(strengths_of_boards(boards)):
        weights = np.where(strengths >= 0, opponent, 0).astype(np.int64)
        order = np.argsort(strengths, kind="stable")
        below = np.cumsum(weights[order]) - weights[order]
        first = np.searchsorted(strengths[order], strengths[order], side="left")
        scores[row, order] = np.where(strengths[order] >= 0, below[first], 0)
    return scores


@pytest.mark.parametrize(
    ("board", "opponent"), [("9s7s5s", "22+,AKs"), ("AsAhKd", "random"), ("2s2h2d", "A2s+,KQo")]
)
def test_all_runouts_of_a_flop_add_up_from_representatives(board: str, opponent: str) -> None:
    flop, weights = parse_board(board), parse_range(opponent)
    deck = [card for card in range(52) if card not in flop]
    everything = np.zeros(1326, np.int64)
    for turn in deck:
        rivers = [(*flop, turn, river) for river in deck if river != turn]
        everything += river_scores(rivers, weights).sum(axis=0)

    root = find_symmetries(flop, weights[np.newaxis])
    turns = find_card_orbits(root, flop)
    num_solved = 0
    turn_values = np.zeros((52, 1326), np.int64)
    for turn in turns.representatives.tolist():
        rivers_of = find_card_orbits(fix_card(root, turn), (*flop, turn))
        cards = rivers_of.representatives.tolist()
        solved = river_scores([(*flop, turn, river) for river in cards], weights)
        num_solved += len(cards)
        for river in deck:
            if river != turn:
                turn_values[turn] += solved[rivers_of.orbit_of[river], rivers_of.hand_maps[river]]
    total = np.zeros(1326, np.int64)
    for turn in deck:
        representative = turns.representatives[turns.orbit_of[turn]]
        total += turn_values[representative, turns.hand_maps[turn]]
    np.testing.assert_array_equal(total, everything)
    assert num_solved < 49 * 48
    assert everything.sum() > 0


@pytest.mark.parametrize("board", ["9s7s5s", "AsAhKd", "2s2h2d", "9s7c5h"])
def test_every_runout_of_a_flop_has_the_strengths_of_its_representative(board: str) -> None:
    """Turn, then river: what the maps of both streets say of a hand is so for each of 49 * 48 runouts."""
    flop, ranges = parse_board(board), two_ranges("AKs,QQ-99:0.5,A9o", "random:0.25,22+")
    root = find_symmetries(flop, ranges)
    turns = find_card_orbits(root, flop)
    assert turns.sizes.sum() == 49
    for orbit, turn in enumerate(turns.representatives.tolist()):
        rivers = find_card_orbits(fix_card(root, turn), (*flop, turn))
        assert rivers.sizes.sum() == 48
        assert rivers.sizes.tolist() == np.bincount(rivers.orbit_of[rivers.orbit_of >= 0]).tolist()
        solved = strengths_of_boards([(*flop, turn, river) for river in rivers.representatives.tolist()])
        for card in np.flatnonzero(turns.orbit_of == orbit).tolist():
            hands = turns.hand_maps[card]
            (cards,) = (
                rename_cards(suits)
                for suits in root.tolist()
                if np.array_equal(rename_hands(suits), hands) and rename_cards(suits)[card] == turn
            )
            later = [river for river in range(52) if river not in (*flop, card)]
            images = cards[later]
            found = strengths_of_boards([(*flop, card, river) for river in later])
            maps = rivers.hand_maps[images][:, hands]
            np.testing.assert_array_equal(found, solved[rivers.orbit_of[images][:, None], maps])
