"""A policy as a table: what each infostate plays how often.

Verified: tests/interfaces/cli/test_strategy_table.py.
"""

from collections.abc import Sequence
from typing import Any

from sog.games.base import NUM_PLAYERS
from sog.interfaces.output import columns, shorten
from sog.solvers.policies import Choice

_LONGEST_NAME = 60


def table_lines(choices: Sequence[Choice], max_rows: int) -> list[str]:
    """Return the table in lines, player by player, the earliest decisions first."""
    lines = []
    for player in range(NUM_PLAYERS):
        own = [choice for choice in choices if choice.player == player]
        shown = own[:max_rows]
        lines += ["", f"player {player}"]
        lines += [f"  {line}" for line in columns([_row(choice) for choice in shown], gap=3)]
        if len(own) > len(shown):
            left_out = len(own) - len(shown)
            lines.append(f"  … and {left_out:,} more infostates (--rows {len(own)} shows all)")
    return lines


def table_records(choices: Sequence[Choice]) -> list[dict[str, Any]]:
    """Return the whole table for JSON."""
    return [
        {
            "player": choice.player,
            "infostate": choice.infostate.strip(),
            "policy": dict(zip(choice.actions, choice.probabilities, strict=True)),
        }
        for choice in choices
    ]


def _row(choice: Choice) -> list[str]:
    shares = [
        f"{name} {_percent(probability)}"
        for name, probability in zip(choice.actions, choice.probabilities, strict=True)
    ]
    name = shorten(choice.infostate, _LONGEST_NAME)
    return ["at the start" if name == "|" else name, *shares]


def _percent(probability: float) -> str:
    return f"{100 * probability:5.1f}%"
