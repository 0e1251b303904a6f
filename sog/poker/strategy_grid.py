"""The 13×13 grid of a hold'em strategy in the terminal, in colours where there are any.

Each cell has the name of its hands and, below, its main action by letter and percentage. Colours share a
cell's width among the actions. A cell that no hand gets to stays empty.

Verified: tests/interfaces/cli/test_holdem_command.py.
"""

import os
from collections.abc import Sequence
from typing import TextIO

import numpy as np

from sog.core.arrays import F64
from sog.games.holdem.cards import NUM_RANKS
from sog.games.holdem.range_grid import cell_name, grid_means
from sog.poker.solved_spot import NodeStrategy

FOLD_COLOUR, PASSIVE_COLOUR = "#56B4E9", "#3DAA82"
BET_COLOURS = ("#F2C14E", "#E69F00", "#D55E00", "#A33E5C", "#6B3FA0")  # from small to large
_WIDTH = 5
_RESET = "\x1b[0m"
_PASSIVE = {"fold": "F", "check": "X", "call": "C"}
_SIZES = "BDEGHIJKLMNOPQRSTUVWYZ"  # letters of the bets between, as far as they go


def has_colours(stream: TextIO) -> bool:
    """Whether a stream is a terminal whose user has not asked for plain text."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def action_colours(actions: Sequence[str]) -> list[str]:
    """Return a colour for each action: fold, check or call, then bets from light to dark.

    >>> action_colours(["check", "bet100"])
    ['#3DAA82', '#D55E00']
    """
    bets = [action for action in actions if action not in _PASSIVE]
    places = np.linspace(0, len(BET_COLOURS) - 1, len(bets) + 2)[1:-1]
    hues = dict(zip(bets, map(_blend, places), strict=True))
    return [FOLD_COLOUR if action == "fold" else hues.get(action, PASSIVE_COLOUR) for action in actions]


def _blend(place: float) -> str:
    """Return the colour at a place among those of bets, mixed where it lies between two."""
    known = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in BET_COLOURS]
    mixed = [np.interp(place, range(len(known)), part) for part in zip(*known, strict=True)]
    return "#" + "".join(f"{round(part):02X}" for part in mixed)


def action_letters(actions: Sequence[str]) -> list[str]:
    """Return a letter for each action: F, X (check), C, A (all-in), and B, D, E, … for the sizes between.

    >>> action_letters(["fold", "call", "raise50", "raise100", "allin"])
    ['F', 'C', 'B', 'D', 'A']
    """
    known = {**_PASSIVE, "allin": "A"}
    sizes = [action for action in actions if action not in known]
    known |= dict(zip(sizes, _SIZES, strict=False))
    return [known.get(action, "?") for action in actions]


def cell_shares(strategy: NodeStrategy) -> F64:
    """Return how often each cell plays each action over all its deals, else NaN: [A, 13, 13]."""
    return np.array([grid_means(row, strategy.reach * strategy.met) for row in strategy.policy])


def grid_lines(strategy: NodeStrategy, is_coloured: bool) -> list[str]:
    """Return the grid in lines, two for each row."""
    shares = cell_shares(strategy)
    letters, colours = action_letters(strategy.actions), action_colours(strategy.actions)
    lines = []
    for row in range(NUM_RANKS):
        names, plays = "", ""
        for column in range(NUM_RANKS):
            share = shares[:, row, column]
            is_empty = bool(np.isnan(share).any())
            main = 0 if is_empty else int(share.argmax())
            play = "." if is_empty else f"{letters[main]}{100 * share[main]:.0f}"
            cells = [cell_name(row, column).ljust(_WIDTH), play.ljust(_WIDTH)]
            if is_coloured and not is_empty:
                cells = [_paint(cell, share, colours) for cell in cells]
            names, plays = names + cells[0], plays + cells[1]
        lines += [names.rstrip(), plays.rstrip()]
    return lines


def legend_line(strategy: NodeStrategy, is_coloured: bool) -> str:
    """Return what letters and colours mean, with each action's share of all hands."""
    parts = []
    letters, colours = action_letters(strategy.actions), action_colours(strategy.actions)
    for letter, colour, action, share in zip(
        letters, colours, strategy.actions, action_shares(strategy), strict=True
    ):
        mark = f"{_background(colour)} {letter} {_RESET}" if is_coloured else letter
        parts.append(f"{mark} {action} {100 * share:.1f}%")
    return "   ".join(parts)


def action_shares(strategy: NodeStrategy) -> F64:
    """Return how often each action is played over all deals that get to the node: [A], NaN if none does."""
    weights = strategy.reach * strategy.met
    if not weights.any():
        return np.full(len(strategy.actions), np.nan)
    shares: F64 = strategy.policy @ weights / weights.sum()
    return shares


def _paint(cell: str, share: F64, colours: Sequence[str]) -> str:
    """Return a cell whose width is shared among the colours."""
    ends = np.floor(np.cumsum(share) * len(cell) + 0.5).astype(int)
    painted, start = "", 0
    for end, colour in zip(ends, colours, strict=True):
        if end > start:
            painted += _background(colour) + cell[start:end]
            start = end
    return painted + _RESET


def _background(colour: str) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"\x1b[38;2;20;20;20;48;2;{red};{green};{blue}m"
