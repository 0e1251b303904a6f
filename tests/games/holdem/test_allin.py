"""Counts of wins over all runouts, against each runout by itself."""

from itertools import combinations

import numpy as np
import pytest

from sog.core.arrays import U64
from sog.core.jit import kernel
from sog.games.holdem.allin import NUM_PAIRS, count_wins, num_runouts, pair_numbers
from sog.games.holdem.cards import HANDS, NUM_HANDS, parse_board, parse_hand
from sog.games.holdem.hand_order import BEST_FIRST
from sog.games.holdem.range_grid import CELLS
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.strength import StrengthTables, evaluate_bits, strength_tables


@kernel
def compare(first: U64, second: U64, left: U64, board: np.uint64, due: int, tables: StrengthTables) -> int:
    """Return wins minus losses of a hand's two bits against another's, card after card."""
    one, two = board | first[0] | first[1], board | second[0] | second[1]
    won, count = 0, left.size
    for a in range(count if due > 4 else 1):
        for b in range(a + 1 if due > 4 else 0, count if due > 3 else 1):
            for c in range(b + 1 if due > 3 else 0, count if due > 2 else 1):
                for d in range(c + 1 if due > 2 else 0, count if due > 1 else 1):
                    more = np.uint64(0)
                    if due > 4:
                        more |= left[a]
                    if due > 3:
                        more |= left[b]
                    if due > 2:
                        more |= left[c]
                    if due > 1:
                        more |= left[d]
                    for e in range(d + 1 if due > 1 else 0, count):
                        cards = more | left[e]
                        mine = evaluate_bits(one | cards, tables)
                        theirs = evaluate_bits(two | cards, tables)
                        won += int(mine > theirs) - int(mine < theirs)
    return won


def bits_of(cards: list[int]) -> U64:
    return np.array([1 << (16 * (card % 4) + card // 4) for card in cards], np.uint64)


def count_one(board: tuple[int, ...], first: int, second: int) -> int:
    hands = HANDS[[first, second]].tolist()
    used = {*board, *hands[0], *hands[1]}
    left = bits_of([card for card in range(52) if card not in used])
    whole = np.uint64(bits_of(list(board)).sum())
    return compare(bits_of(hands[0]), bits_of(hands[1]), left, whole, 5 - len(board), strength_tables())


@pytest.mark.parametrize("board", ["3s7hTdKs", "3s7sTs", "7h7dTc", ""])
def test_counts_are_those_of_every_runout(board: str) -> None:
    cards, rng = parse_board(board), np.random.default_rng(len(board))
    counts = count_wins(cards)
    assert np.array_equal(counts, -counts.T)
    assert np.abs(counts).max() <= num_runouts(cards)
    pairs = [(parse_hand("AsAh"), parse_hand("KdKc")), (parse_hand("AsKs"), parse_hand("QhQd"))]
    while len(pairs) < (5 if not cards else 40):
        first, second = rng.integers(NUM_HANDS, size=2).tolist()
        pairs.append((first, second))
    tried = 0
    for first, second in pairs:
        held = HANDS[[first, second]].ravel().tolist()
        if len({*held, *cards}) < 4 + len(cards):
            assert counts[first, second] == 0
        else:
            assert counts[first, second] == count_one(cards, first, second)
            tried += 1
    assert tried > 3


def test_pairs_differ_by_more_than_suits() -> None:
    numbers, signs = pair_numbers()
    assert numbers.max() == NUM_PAIRS - 1
    assert np.unique(numbers[signs != 0]).size == NUM_PAIRS
    shared = [
        len({*HANDS[one].tolist(), *HANDS[two].tolist()}) < 4 for one, two in combinations(range(60), 2)
    ]
    assert [signs[one, two] == 0 for one, two in combinations(range(60), 2)] == shared


def test_classes_stand_by_their_equity() -> None:
    """The order of the 169 classes was computed otherwise; aces win 85.2 % of the pot."""
    counts = count_wins(())
    deals = 1_225 * num_runouts(())
    equity = (1 + counts.sum(axis=1) / deals) / 2
    assert equity[parse_hand("AsAh")] == pytest.approx(0.852, abs=5e-4)
    assert equity[parse_hand("3h2s")] == pytest.approx(0.323, abs=5e-4)
    best = [equity[parse_range(name) > 0] for name in BEST_FIRST]
    assert all(np.ptp(own) < 1e-12 for own in best)
    means = np.array([own.mean() for own in best])
    assert np.sort(means)[::-1] == pytest.approx(means, abs=1e-4)
    assert CELLS.size == NUM_HANDS
