"""Choose small sets of flops that stand for all 1,755, each flop with the number of flops it stands for.

Three steps, none of them random:

1. Flops are told apart by suits and pairs: three suits, two or one; paired or not (three of a kind count as
   paired). Each of these five kinds gets its share of the set, by how many of the 22,100 flops it has.
2. A kind's flops, ordered by their ranks from high to low, are cut into as many groups of (nearly) equally
   many flops. Each group has one flop in the set, whose weight is the group's flops.
3. Which one? A flop is described by two numbers for each of the 169 classes of hands: how many of all hands a
   hand of the class beats on the turn, in the mean over its hands and all 49 turn cards, and how much that
   varies (draws vary most). Classes count by their hands, good hands more: those of the best 10 % fully, of
   the best 20, 30, 40 and 50 % by a fifth less each. The flops are chosen so that the weighted mean of the
   set's numbers comes closest to that of all flops: begun with the middle flop of each group, then group by
   group the best one, until nothing changes.

    python scripts/flop_subsets.py            # writes sog/games/data/flops_25.csv and flops_85.csv

It takes about half a minute.
"""

from functools import cache
from pathlib import Path

import numpy as np

from sog.core.arrays import F64, I32, U64
from sog.core.jit import ONE, kernel
from sog.games.holdem.cards import NUM_CARDS, NUM_HANDS, NUM_SUITS
from sog.games.holdem.flops import NUM_FLOPS, SUBSETS, Flop, all_flops
from sog.games.holdem.hand_order import top_hands
from sog.games.holdem.range_grid import CELLS, NUM_CELLS
from sog.games.holdem.strength import (
    IMPOSSIBLE,
    StrengthTables,
    card_bit,
    evaluate_bits,
    strength_tables,
)

PERCENTS = (10, 20, 30, 40, 50)
_DATA = Path(__file__).resolve().parent.parent / "sog" / "games" / "data"


@kernel
def fill_turns(board: U64, turns: U64, tables: StrengthTables, strengths: I32) -> None:
    """Fill the strength of every hand on a flop and each turn card. strengths: [T, 1326], in place."""
    for index in range(np.uint64(turns.size)):
        known = card_bit(turns[index])
        for place in range(np.uint64(board.size)):
            known |= card_bit(board[place])
        hand = np.uint64(0)
        for first in range(np.uint64(NUM_CARDS)):
            one = card_bit(np.uint64(first))
            for step in range(np.uint64(NUM_CARDS) - np.uint64(first) - ONE):
                two = card_bit(np.uint64(first) + np.uint64(step) + ONE)
                is_free = known & one == 0 and known & two == 0
                strengths[index, hand] = evaluate_bits(known | one | two, tables) if is_free else IMPOSSIBLE
                hand += ONE


def describe_flop(flop: Flop) -> F64:
    """Return the mean and the deviation of what each class beats, weighed by its hands: [338]."""
    turns = np.array([card for card in range(NUM_CARDS) if card not in flop.board], np.uint64)
    strengths = np.empty((turns.size, NUM_HANDS), np.int32)
    fill_turns(np.array(flop.board, np.uint64), turns, strength_tables(), strengths)
    shares = np.full(strengths.shape, np.nan)
    for number, row in enumerate(strengths):
        is_there = row != IMPOSSIBLE
        ladder = np.sort(row[is_there])
        below, above = (np.searchsorted(ladder, row[is_there], side) for side in ("left", "right"))
        shares[number, is_there] = (below + above) / 2 / ladder.size
    is_there = ~np.isnan(shares)
    cells = np.broadcast_to(CELLS, shares.shape)
    hands = np.bincount(cells[is_there], minlength=NUM_CELLS)
    mean = np.bincount(cells[is_there], shares[is_there], NUM_CELLS) / np.maximum(hands, 1)
    square = np.bincount(cells[is_there], shares[is_there] ** 2, NUM_CELLS) / np.maximum(hands, 1)
    weights = np.sqrt(np.bincount(CELLS, _playing_weights(), NUM_CELLS) / NUM_HANDS)
    return np.concatenate([weights * mean, weights * np.sqrt(np.maximum(square - mean**2, 0))])


@cache
def _playing_weights() -> F64:
    """Return how much each hand counts: [1326]."""
    weights = np.zeros(NUM_HANDS)
    for percent in PERCENTS:
        weights[top_hands(percent)] += 1 / len(PERCENTS)
    return weights


def kind_of(flop: Flop) -> tuple[int, bool]:
    """Return how many suits a flop has, and whether it is paired."""
    ranks, suits = ({card // NUM_SUITS for card in flop.board}, {card % NUM_SUITS for card in flop.board})
    return len(suits), len(ranks) < len(flop.board)


def share_out(size: int, counts: dict[tuple[int, bool], float]) -> dict[tuple[int, bool], int]:
    """Return how many flops of each kind a set has: by largest remainders, one at least."""
    shares = {kind: size * count / NUM_FLOPS for kind, count in counts.items()}
    given = {kind: max(1, int(share)) for kind, share in shares.items()}
    for kind in sorted(shares, key=lambda own: shares[own] - given[own], reverse=True):
        given[kind] += sum(given.values()) < size
    assert sum(given.values()) == size
    return given


def cut(own: list[int], counts: F64, size: int) -> list[list[int]]:
    """Return flops in order as groups that have about equally many."""
    middles = np.cumsum(counts[own]) - counts[own] / 2
    number = np.minimum((middles / counts[own].sum() * size).astype(int), size - 1)
    return [[own[place] for place in np.flatnonzero(number == group)] for group in range(size)]


def choose(groups: list[list[int]], features: F64, counts: F64) -> list[int]:
    """Return a flop of each group. features: [F, 338]; counts: [F]."""
    weights = [counts[group].sum() / NUM_FLOPS for group in groups]
    chosen = [
        group[int(np.searchsorted(np.cumsum(counts[group]), counts[group].sum() / 2))] for group in groups
    ]
    missing = np.asarray(weights) @ features[chosen] - counts @ features / NUM_FLOPS
    before: list[int] = []
    while chosen != before:
        before = list(chosen)
        for place, (group, weight) in enumerate(zip(groups, weights, strict=True)):
            without = missing - weight * features[chosen[place]]
            errors = ((without + weight * features[group]) ** 2).sum(axis=1)
            chosen[place] = group[int(errors.argmin())]
            missing = without + weight * features[chosen[place]]
    return chosen


def main() -> None:
    """Write the subsets."""
    flops = all_flops()
    features = np.array([describe_flop(flop) for flop in flops])
    counts = np.array([flop.weight for flop in flops])
    kinds = {
        kind: [n for n, flop in enumerate(flops) if kind_of(flop) == kind] for kind in map(kind_of, flops)
    }
    for size in SUBSETS:
        given = share_out(size, {kind: counts[own].sum() for kind, own in kinds.items()})
        groups = [group for kind, number in given.items() for group in cut(kinds[kind], counts, number)]
        chosen = choose(groups, features, counts)
        rows = [(number, counts[group].sum()) for number, group in zip(chosen, groups, strict=True)]
        assert sum(weight for _, weight in rows) == NUM_FLOPS
        lines = ["flop,weight", *(f"{flops[number].name},{weight:.0f}" for number, weight in sorted(rows))]
        (_DATA / f"flops_{size}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
