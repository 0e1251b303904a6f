"""A hold'em strategy in rows: what each class of hands, or each hand, plays, and what it is worth.

Verified: tests/interfaces/cli/test_browse_command.py.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, Bools
from sog.games.holdem.cards import NUM_RANKS, hand_name
from sog.games.holdem.range_grid import CELLS, NUM_CELLS, cell_name
from sog.poker.solved_spot import NodeStrategy


class HandRow(NamedTuple):
    """One hand, or a class of hands: means over the deals that get to the node. A actions."""

    name: str
    combos: float  # weight with which it gets there
    policy: F64  # [A]
    ev: float  # chips, NaN where undefined
    equity: float  # share of the pot, NaN where undefined


def rows_by_class(strategy: NodeStrategy, equity: F64) -> Iterator[HandRow]:
    """Go through the classes of which a hand gets to the node, from the aces down as the grid is read."""
    for cell in range(NUM_CELLS):
        hands = (cell == CELLS) & (strategy.reach > 0)
        if hands.any():
            yield _row(cell_name(*divmod(cell, NUM_RANKS)), strategy, equity, hands)


def rows_by_hand(strategy: NodeStrategy, equity: F64) -> Iterator[HandRow]:
    """Go through the hands that get to the node, class by class."""
    reached = np.flatnonzero(strategy.reach > 0)
    for hand in reached[np.argsort(CELLS[reached], kind="stable")].tolist():
        is_met = strategy.met[hand] > 0
        yield HandRow(
            hand_name(hand),
            float(strategy.reach[hand]),
            strategy.policy[:, hand],
            float(strategy.ev[hand]) if is_met else float("nan"),
            float(equity[hand]) if is_met else float("nan"),
        )


def whole_row(strategy: NodeStrategy, equity: F64) -> HandRow:
    """Return all hands together."""
    return _row("all", strategy, equity, strategy.reach > 0)


def _row(name: str, strategy: NodeStrategy, equity: F64, hands: Bools) -> HandRow:
    deals = np.where(hands, strategy.reach * strategy.met, 0.0)
    weights = deals if deals.any() else np.where(hands, strategy.reach, 0.0)  # met by none: their own weight
    policy = strategy.policy @ weights / max(weights.sum(), np.finfo(np.float64).tiny)
    return HandRow(
        name,
        float(strategy.reach[hands].sum()),
        policy,
        _mean(deals, strategy.ev),
        _mean(deals, equity),
    )


def _mean(weights: F64, values: F64) -> float:
    used = np.where(np.isnan(values), 0.0, weights)
    return float(used @ np.nan_to_num(values) / used.sum()) if used.any() else float("nan")


def header(strategy: NodeStrategy) -> list[str]:
    """Return the names of the columns."""
    return ["hand", "combos", *strategy.actions, "EV", "equity"]


def words(row: HandRow) -> list[str]:
    """Return a row for people: percentages, chips."""
    ev = "-" if np.isnan(row.ev) else f"{row.ev:.2f}"
    equity = "-" if np.isnan(row.equity) else f"{100 * row.equity:.1f}%"
    return [row.name, f"{row.combos:.2f}", *(f"{100 * share:.1f}%" for share in row.policy), ev, equity]


def numbers(row: HandRow) -> list[str]:
    """Return a row for other programs: shares from 0 to 1, nothing where a value is undefined."""
    last = ["" if np.isnan(value) else f"{value:.6g}" for value in (row.ev, row.equity)]
    return [row.name, f"{row.combos:.6g}", *(f"{share:.6g}" for share in row.policy), *last]
