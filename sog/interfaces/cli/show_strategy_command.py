"""`sog show-strategy SOLUTION`: how every hand plays at a node of a solved hold'em spot.

Verified: tests/interfaces/cli/test_holdem_command.py.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.core.files import write_file
from sog.games.holdem.cards import board_name, hand_name
from sog.games.holdem.spot import Spot
from sog.interfaces.cli.holdem_solves import open_solution, spot_title
from sog.interfaces.cli.holdem_spots import spot_record
from sog.interfaces.output import PICTURES, check_output, columns, print_json
from sog.poker.solved_spot import PLAYERS, NodeStrategy, SolvedSpot
from sog.poker.strategy_grid import grid_lines, has_colours, legend_line
from sog.poker.strategy_list import (
    full_header,
    header,
    numbers,
    rows_by_class,
    rows_by_hand,
    whole_row,
    words,
)

_DIGITS, _CHIP_DIGITS = 6, 2


class Options(NamedTuple):
    """The options of `sog show-strategy`."""

    solution: Path
    node: str
    json: bool
    all: bool
    png: Path | None
    by: str
    csv: Path | None


def run(options: Options) -> int:
    """Print the strategy at a node as a grid or as JSON, or at all nodes as JSON; draw it if asked to."""
    check_output("--png", options.png, PICTURES)
    check_output("--csv", options.csv, (".csv",))
    if options.all and (not options.json or options.node or options.png is not None):
        raise InputError("--all goes with --json, and without --node and --png")
    solved = SolvedSpot(*open_solution(options.solution))
    if options.all:
        for line in _whole_lines(solved):
            print(line)
        return 0
    node = solved.find(options.node)
    strategy, equity = solved.strategy(node), solved.equity(node)
    if options.png is not None:
        from sog.interfaces.plots.strategy_picture import draw_strategy  # matplotlib is slow to import

        draw_strategy(spot_title(solved.spot), where(strategy), strategy, options.png)
    if options.csv is not None:
        rows = rows_by_class if options.by == "class" else rows_by_hand
        table = [full_header(strategy), *(numbers(row) for row in rows(strategy, equity))]
        write_file(options.csv, "".join(f"{','.join(row)}\n" for row in table).encode())
    if options.json:
        print_json(
            {
                "spot": spot_record(solved.spot),
                **_node_record(strategy),
                "hands": _hand_records(strategy, equity),
            }
        )
    else:
        print("\n".join(_lines(solved.spot, strategy, equity, options.by)))
    return 0


def _lines(spot: Spot, strategy: NodeStrategy, equity: F64, by: str) -> list[str]:
    if by != "grid":
        rows = (rows_by_class if by == "class" else rows_by_hand)(strategy, equity)
        table = [header(strategy), *(words(row) for row in rows), words(whole_row(strategy, equity))]
        return [spot_title(spot), where(strategy), "", *columns(table, gap=2)]
    is_coloured = has_colours(sys.stdout)
    whole = whole_row(strategy, equity)
    means = f"EV {whole.ev:.2f} chips, equity {100 * whole.equity:.1f}%"
    if not strategy.reach.any():
        means = "no hand gets here"
    return [
        spot_title(spot),
        where(strategy),
        "",
        *grid_lines(strategy, is_coloured),
        "",
        legend_line(strategy, is_coloured),
        f"all hands: {means}",
    ]


def where(strategy: NodeStrategy) -> str:
    """Return the moves to a node, its board and pot, and who acts."""
    moves = strategy.path.replace(",", ", ") or "at the start"
    board, player = board_name(strategy.board), PLAYERS[strategy.player]
    return f"{moves}: board {board}, pot {strategy.pot:,}, player {player} to act"


def _node_record(strategy: NodeStrategy) -> dict[str, Any]:
    return {
        "node": strategy.path,
        "player": strategy.player,
        "board": board_name(strategy.board),
        "pot": strategy.pot,
        "actions": strategy.actions,
    }


def _hand_records(strategy: NodeStrategy, equity: F64) -> list[dict[str, Any]]:
    """Return all hands of the range that the board leaves, with what they do and are worth."""
    records = []
    for hand in np.flatnonzero(~np.isnan(equity)):
        policy, evs = strategy.policy[:, hand], strategy.action_evs[:, hand]
        records.append(
            {
                "hand": hand_name(int(hand)),
                "reach": _rounded(strategy.reach[hand]),
                "policy": dict(zip(strategy.actions, _rounded(policy), strict=True)),
                "ev": _rounded(strategy.ev[hand], _CHIP_DIGITS),
                "action_evs": dict(zip(strategy.actions, _rounded(evs, _CHIP_DIGITS), strict=True)),
                "equity": _rounded(equity[hand]),
            }
        )
    return records


def _whole_lines(solved: SolvedSpot) -> Iterator[str]:
    """Write the strategy at every node as JSON, line by line: it may be too large for one text."""
    hands = solved.spot.hands
    yield "{"
    yield f'  "spot": {json.dumps(spot_record(solved.spot))},'
    yield f'  "hands": {json.dumps([hand_name(int(hand)) for hand in hands])},'
    yield '  "nodes": ['
    comma = ""
    for node in solved.decisions():
        strategy = solved.strategy(node)
        record = {
            **_node_record(strategy),
            "reach": _rounded(strategy.reach[hands]),
            "policy": _rounded(strategy.policy[:, hands]),
            "ev": _rounded(strategy.ev[hands], _CHIP_DIGITS),
        }
        yield f"{comma}    {json.dumps(record)}"
        comma = ","
    yield "  ]"
    yield "}"


def _rounded(values: F64, digits: int = _DIGITS) -> Any:
    """Return numbers for JSON, None for NaN."""
    rounded = np.round(np.asarray(values), digits) + 0.0  # no negative zeros
    objects = np.array(rounded, dtype=object)
    objects[np.isnan(rounded)] = None
    return objects.tolist()
