from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt
import pytest

from sog.core.arrays import I32, I64
from sog.core.errors import InputError
from sog.core.jit import kernel
from sog.core.rng import make_rng
from sog.games.holdem.cards import HANDS, card_name, compatible_hands, parse_board, parse_card, parse_hand
from sog.games.holdem.strength import (
    CLASS_SHIFT,
    IMPOSSIBLE,
    StrengthTables,
    board_strengths,
    card_bit,
    evaluate_bits,
    order_by_strength,
    strength_tables,
    strengths_of_boards,
)

CLASS_NAMES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
FIVE_CARD_HANDS = {
    "straight flush": 40,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "pair": 1_098_240,
    "high card": 1_302_540,
}
SEVEN_CARD_HANDS = {
    "straight flush": 41_584,
    "four of a kind": 224_848,
    "full house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "three of a kind": 6_461_620,
    "two pair": 31_433_400,
    "pair": 58_627_800,
    "high card": 23_294_460,
}


def cards_of(text: str) -> tuple[int, ...]:
    return tuple(parse_card(text[start : start + 2]) for start in range(0, len(text), 2))


def strength_class(strength: int) -> int:
    """Return a strength's class, an index into `CLASS_NAMES`."""
    return strength >> CLASS_SHIFT


@kernel
def evaluate_cards(cards: I32, tables: StrengthTables) -> int:
    bits = np.uint64(0)
    for place in range(cards.size):
        bits |= card_bit(np.uint64(cards[place]))
    return evaluate_bits(bits, tables)


def evaluate(cards: tuple[int, ...]) -> int:
    return int(evaluate_cards(np.array(cards, np.int32), strength_tables()))


def plain_strength(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The oracle: class and tie-breaking ranks of five cards, in plain Python."""
    counts = Counter(card // 4 for card in cards)
    shape = sorted(counts.values(), reverse=True)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    is_flush = len({card % 4 for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3]
        is_straight = True
    else:
        is_straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    if is_straight:
        return (8 if is_flush else 4, ranks[0])
    if is_flush:
        return (5, *ranks)
    classes = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    return (classes[tuple(shape)], *ranks)


def plain_best(cards: tuple[int, ...]) -> tuple[int, ...]:
    return max(plain_strength(five) for five in combinations(cards, 5))


@kernel
def fill_five_card_strengths(tables: StrengthTables, strengths: I32) -> None:
    index = 0
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    bits = card_bit(np.uint64(a)) | card_bit(np.uint64(b))
                    bits |= card_bit(np.uint64(c)) | card_bit(np.uint64(d))
                    for e in range(d):
                        strengths[index] = evaluate_bits(bits | card_bit(np.uint64(e)), tables)
                        index += 1


@kernel
def count_seven_card_classes(tables: StrengthTables, counts: I64) -> None:
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    four = card_bit(np.uint64(a)) | card_bit(np.uint64(b))
                    four |= card_bit(np.uint64(c)) | card_bit(np.uint64(d))
                    for e in range(d):
                        five = four | card_bit(np.uint64(e))
                        for f in range(e):
                            six = five | card_bit(np.uint64(f))
                            for g in range(f):
                                counts[evaluate_bits(six | card_bit(np.uint64(g)), tables) >> 26] += 1


def named(counts: npt.NDArray[np.int64]) -> dict[str, int]:
    return {name: int(count) for name, count in zip(CLASS_NAMES, counts, strict=True)}


def test_all_five_card_hands_by_class() -> None:
    strengths = np.zeros(2_598_960, np.int32)
    fill_five_card_strengths(strength_tables(), strengths)
    assert named(np.bincount(strengths >> 26, minlength=9)) == FIVE_CARD_HANDS
    values, counts = np.unique(strengths, return_counts=True)
    assert values.size == 7_462
    assert counts[-1] == 4  # royal flushes


@pytest.mark.slow
def test_all_seven_card_hands_by_class() -> None:
    counts = np.zeros(9, np.int64)
    count_seven_card_classes(strength_tables(), counts)
    assert named(counts) == SEVEN_CARD_HANDS
    assert counts.sum() == 133_784_560


@pytest.mark.parametrize("deck", [52, 20])  # few ranks make pairs, full houses and ties frequent
@pytest.mark.parametrize("num_cards", [5, 6, 7])
def test_random_hands_order_as_the_best_five_in_plain_python(num_cards: int, deck: int) -> None:
    rng = make_rng(num_cards)
    hands = [tuple(int(card) for card in rng.permutation(deck)[:num_cards]) for _ in range(1_500)]
    plain = [plain_best(hand) for hand in hands]
    fast = [evaluate(hand) for hand in hands]
    assert [strength_class(strength) for strength in fast] == [best[0] for best in plain]
    order = sorted(range(len(hands)), key=lambda index: plain[index])
    for lower, upper in pairwise(order):
        assert (fast[lower] < fast[upper]) == (plain[lower] < plain[upper])
        assert (fast[lower] == fast[upper]) == (plain[lower] == plain[upper])


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("AsKhQdJc9s8h7d", "AsKhQdJcTs3h2d"),
        ("As2s3s4s5h9cTc", "6s2s3s4s5h9cTc"),  # the wheel is the lowest straight
        ("AsAhAdKcKsKh2d", "AsAhAdAcKs3h2d"),
        ("QsQhQdKcKs3h2d", "KsKhKdQcQs3h2d"),
        ("KsKhQdQcJsJh9d", "KsKhQdQcJsJhAd"),  # the third pair's rank or a higher kicker plays
        ("As2s3s4s5s6h7d", "2s3s4s5s6s7hAd"),
        ("AsKsQsJs9s2h2d", "5h5d5c2s2h3d8c"),
    ],
)
def test_order_of_particular_hands(weaker: str, stronger: str) -> None:
    assert evaluate(cards_of(weaker)) < evaluate(cards_of(stronger))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("AsKsQhJdTc3h2d", "AdKhQcJsTs9c9d"),
        ("KsKhQdQcJsJhTd", "KsKhQdQcJs5h4d"),
        ("AsAhKdQcJs4h2d", "AdAcKsQhJd9s8c"),
        ("KsKhKdQcQsJhJd", "KsKhKdQcQs5h5d"),
        ("KsKhKdQcQsQh2d", "KsKhKdQcQsJhTd"),
        ("AsAhAdAcKsKhKd", "AsAhAdAcKs3h2d"),
        ("AsKsQsJs9s7s2s", "AsKsQsJs9sAhAd"),
    ],
)
def test_cards_that_do_not_play_do_not_count(first: str, second: str) -> None:
    assert evaluate(cards_of(first)) == evaluate(cards_of(second))


@pytest.mark.parametrize("text", ["9s7c5s4h3c", "2s2h2d2cAs", "AsKsQsJsTs", "AsAhKdKc7s"])
def test_board_strengths_are_the_hands_strengths(text: str) -> None:
    board = parse_board(text)
    strengths = board_strengths(board)
    possible = compatible_hands(board)
    assert strengths.shape == (1326,)
    assert strengths.dtype == np.int32
    for hand, (first, second) in enumerate(HANDS.tolist()):
        expected = evaluate((*board, first, second)) if possible[hand] else IMPOSSIBLE
        assert strengths[hand] == expected


def test_the_nuts_of_the_river_spot() -> None:
    strengths = board_strengths(parse_board("9s7c5s4h3c"))
    assert strengths.max() == strengths[parse_hand("8s6d")]
    assert CLASS_NAMES[strength_class(int(strengths.max()))] == "straight"


def test_all_rivers_of_a_turn_at_once() -> None:
    turn = parse_board("3s7hTdKc")
    rivers = [(*turn, card) for card in range(52) if card not in turn]
    strengths = strengths_of_boards(rivers)
    assert strengths.shape == (48, 1326)
    for row, river in zip(strengths, rivers, strict=True):
        np.testing.assert_array_equal(row, board_strengths(river), card_name(river[4]))


@pytest.mark.parametrize("board", [(0, 1, 2), (0, 1, 2, 3, 3), (0, 1, 2, 3, 52)])
def test_only_a_river_has_strengths(board: tuple[int, ...]) -> None:
    with pytest.raises(InputError):
        board_strengths(board)


@pytest.mark.parametrize("text", ["9s7c5s4h3c", "AsAhAdAcKs", "TsJsQsKsAs", "2c2d3h3s9d"])
def test_hands_in_order_of_strength_keep_equals_apart(text: str) -> None:
    board = parse_board(text)
    hands = np.flatnonzero(compatible_hands(board)).astype(np.int32)
    ordered = order_by_strength(board, hands)
    np.testing.assert_array_equal(np.sort(ordered), hands)
    assert np.all(np.diff(board_strengths(board)[ordered]) >= 0)

    def neighbours(order: I32) -> int:
        return sum(bool(set(HANDS[one]) & set(HANDS[two])) for one, two in pairwise(order))

    assert neighbours(ordered) < 0.5 * neighbours(hands)
