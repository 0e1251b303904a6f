"""Count how often each hand wins against each other over all 1,712,304 boards that they leave.

Boards that are alike but for the names of suits are taken once (134,459 of 2,598,960), with how many they
stand for. What is counted on them says how a hand does on a board; the sum over the 24 renamings of the suits
of both makes it the sum over all boards. Only pairs of hands that differ by more than suits and order are
kept: 47,008 whole numbers.

    python scripts/preflop_allins.py          # writes sog/games/data/preflop_allins.npy
"""

import time
from itertools import combinations, permutations
from pathlib import Path

import numpy as np

import sog.games
from sog.core.arrays import I32, I64
from sog.games.holdem.allin import NUM_PAIRS, PREFLOP_FILE, add_runouts, mirror, pair_numbers
from sog.games.holdem.cards import HANDS, NUM_CARDS, NUM_HANDS, NUM_SUITS
from sog.games.holdem.isomorphism import rename_cards, rename_hands
from sog.games.holdem.strength import RIVER_CARDS, strengths_of_boards

AT_ONCE = 2_048  # boards


def find_boards() -> tuple[I32, I64]:
    """Return boards of five cards that differ by more than suits [B, 5], and how many each stands for."""
    boards = np.array(list(combinations(range(NUM_CARDS), RIVER_CARDS)), np.int32)
    powers = NUM_CARDS ** np.arange(RIVER_CARDS, dtype=np.int64)
    first = boards @ powers
    for suits in permutations(range(NUM_SUITS)):
        np.minimum(first, np.sort(rename_cards(suits)[boards], axis=1) @ powers, out=first)
    found, counts = np.unique(first, return_counts=True)
    return (found[:, None] // powers % NUM_CARDS).astype(np.int32), counts


def main() -> None:
    """Write the file."""
    started = time.process_time()
    boards, times = find_boards()
    counts = np.zeros((NUM_HANDS, NUM_HANDS), np.int32)
    for start in range(0, len(boards), AT_ONCE):
        chunk = slice(start, start + AT_ONCE)
        add_runouts(strengths_of_boards(boards[chunk].tolist()), times[chunk].astype(np.int32), counts)
        if start % (16 * AT_ONCE) == 0:
            print(
                f"{start:,} of {len(boards):,} boards, {time.process_time() - started:.0f} CPU-seconds",
                flush=True,
            )
    half = mirror(counts, HANDS).astype(np.int64)
    whole = np.zeros_like(half)
    renamings = [rename_hands(suits) for suits in permutations(range(NUM_SUITS))]
    for hands in renamings:
        whole += half[np.ix_(hands, hands)]
    assert not (whole % len(renamings)).any()
    whole //= len(renamings)
    numbers, signs = pair_numbers()
    kept = np.zeros(NUM_PAIRS, np.int32)
    used = signs != 0
    kept[numbers[used]] = (signs * whole)[used]
    assert np.array_equal(np.where(used, signs * kept[np.maximum(numbers, 0)], 0), whole)
    path = Path(sog.games.__file__).parent / "data" / PREFLOP_FILE
    np.save(path, kept)
    print(f"{path.name}: {path.stat().st_size:,} bytes, {time.process_time() - started:.0f} CPU-seconds")


if __name__ == "__main__":
    main()
