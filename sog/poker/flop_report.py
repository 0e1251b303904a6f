"""One setting on many flops: a row of figures for each, and what they come to over all.

A flop counts by its weight (how many flops it stands for) times the deals that it leaves both ranges.

Verified: tests/interfaces/cli/test_report_command.py.
"""

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.flops import Flop
from sog.games.holdem.ranges import count_deals
from sog.poker.solved_spot import SolvedSpot
from sog.poker.strategy_grid import action_shares
from sog.poker.strategy_list import whole_row

_PLAYERS = ("oop", "ip")
_FIXED = ("flop", "weight", "deals", "exploitability", "player", "reach", "ev", "pot", "equity")


class FlopRow(NamedTuple):
    """A solved flop at one node. A actions."""

    flop: str
    weight: float  # flops that it stands for
    deals: float  # weight of the deals that the flop leaves
    exploitability: float  # percent of the pot
    player: str  # who acts at the node: oop or ip
    reach: float  # share of deals that get to the node
    ev: float  # of that player, chips, over the deals that get there
    pot: float  # chips in the pot at the node
    equity: float  # share of the pot
    actions: tuple[str, ...]
    frequencies: tuple[float, ...]  # [A]


def describe_flop(solved: SolvedSpot, flop: Flop, node: str, exploitability: float) -> FlopRow:
    """Return the row of a solved flop. exploitability: in percent of the pot."""
    place = solved.find(node)
    strategy, equity = solved.strategy(place), solved.equity(place)
    whole, deals = whole_row(strategy, equity), count_deals(solved.spot.ranges)
    met = count_deals(np.array([solved.reach(place, player) for player in range(NUM_PLAYERS)]))
    return FlopRow(
        flop=flop.name,
        weight=flop.weight,
        deals=deals,
        exploitability=exploitability,
        player=_PLAYERS[strategy.player],
        reach=met / deals,
        ev=whole.ev,
        pot=strategy.pot,
        equity=whole.equity,
        actions=tuple(strategy.actions),
        frequencies=tuple(action_shares(strategy).tolist()),
    )


def mean_row(rows: Sequence[FlopRow]) -> FlopRow:
    """Return the means over flops: of reach by deals, of the others by the deals that get to the node."""
    deals = np.array([row.weight * row.deals for row in rows])
    here = deals * [row.reach for row in rows]
    first = rows[0]

    def mean(values: Sequence[float], weights: np.ndarray) -> float:
        numbers = np.array(values)
        used = np.where(np.isnan(numbers), 0.0, weights)
        return float(used @ np.nan_to_num(numbers) / used.sum()) if used.any() else float("nan")

    columns = zip(*(row.frequencies for row in rows), strict=True)
    return first._replace(
        flop="all",
        weight=sum(row.weight for row in rows),
        deals=float(deals.sum() / sum(row.weight for row in rows)),
        exploitability=mean([row.exploitability for row in rows], deals),
        reach=mean([row.reach for row in rows], deals),
        ev=mean([row.ev for row in rows], here),
        equity=mean([row.equity for row in rows], here),
        frequencies=tuple(mean(column, here) for column in columns),
    )


def write_rows(rows: Sequence[FlopRow]) -> str:
    """Return rows as CSV, shares from 0 to 1; `read_rows` reads it back."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*_FIXED, *rows[0].actions])
    for row in rows:
        figures = [getattr(row, name) for name in _FIXED] + list(row.frequencies)
        table.writerow([_write(figure) for figure in figures])
    return text.getvalue()


def _write(figure: str | float) -> str:
    if isinstance(figure, str):
        return figure
    return "" if np.isnan(figure) else f"{figure:.8g}"


def read_rows(text: str) -> list[FlopRow]:
    """Return the rows of a table."""
    header, *lines = csv.reader(text.splitlines())
    count = len(_FIXED)
    if tuple(header[:count]) != _FIXED or any(len(line) != len(header) for line in lines):
        raise InputError("is not a table of flops")
    try:
        return [_read(dict(zip(_FIXED, line, strict=False)), header[count:], line[count:]) for line in lines]
    except ValueError:
        raise InputError("is not a table of flops") from None


def _read(fixed: dict[str, str], actions: list[str], shares: list[str]) -> FlopRow:
    figures = {name: _number(text) for name, text in fixed.items() if name not in ("flop", "player")}
    return FlopRow(
        flop=fixed["flop"],
        player=fixed["player"],
        actions=tuple(actions),
        frequencies=tuple(_number(share) for share in shares),
        **figures,
    )


def _number(text: str) -> float:
    return float(text) if text else float("nan")
