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
    action_evs: F64  # [A] chips after each action, NaN where undefined


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
            np.where(is_met, strategy.action_evs[:, hand], np.nan),
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
        np.array([_mean(deals, evs) for evs in strategy.action_evs]),
    )


def _mean(weights: F64, values: F64) -> float:
    used = np.where(np.isnan(values), 0.0, weights)
    return float(used @ np.nan_to_num(values) / used.sum()) if used.any() else float("nan")


def header(strategy: NodeStrategy) -> list[str]:
    """Return the names of the columns."""
    return ["hand", "combos", *strategy.actions, "EV", "equity"]


def words(row: HandRow) -> list[str]:
    """Return a row for people: percentages, chips."""
    equity = "-" if np.isnan(row.equity) else f"{100 * row.equity:.1f}%"
    shares = (f"{100 * share:.1f}%" for share in row.policy)
    return [row.name, f"{row.combos:.2f}", *shares, _chips(row.ev), equity]


def action_words(row: HandRow) -> list[str]:
    """Return a row for people with the EV of each action under its share."""
    return ["EV", "", *(_chips(ev) for ev in row.action_evs.tolist()), "", ""]


def _chips(ev: float) -> str:
    return "-" if np.isnan(ev) else f"{ev:.2f}"


def full_header(strategy: NodeStrategy) -> list[str]:
    """Return the names of the columns for other programs."""
    return [*header(strategy), *(f"EV {action}" for action in strategy.actions)]


def numbers(row: HandRow) -> list[str]:
    """Return a row for other programs: shares from 0 to 1, nothing where a value is undefined."""
    values = [row.ev, row.equity, *row.action_evs.tolist()]
    last = ["" if np.isnan(value) else f"{value:.6g}" for value in values]
    return [row.name, f"{row.combos:.6g}", *(f"{share:.6g}" for share in row.policy), *last]
