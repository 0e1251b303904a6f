"""`sog browse SOLUTION`: walk through a solved hold'em spot, moves and cards in, strategies out.

Verified: tests/interfaces/cli/test_browse_command.py.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.holdem.betting import actor, legal_moves, pot_size
from sog.games.holdem.cards import NUM_CARDS, board_name, card_name
from sog.interfaces.cli.holdem_solves import open_solution, spot_title
from sog.interfaces.cli.show_strategy_command import where
from sog.interfaces.output import columns
from sog.poker.scenes import node_path
from sog.poker.solved_spot import Node, NodeStrategy, SolvedSpot
from sog.poker.strategy_grid import grid_lines, has_colours, legend_line
from sog.poker.strategy_list import (
    HandRow,
    action_words,
    header,
    rows_by_class,
    rows_by_hand,
    whole_row,
    words,
)

HELP = """\
a move (check, bet75, call, allin)   go on
a card (Ah)                          the next card, where one comes
back, start                          one step back, or to the start
classes, hands                       all actions of each class, or of each hand, with EV and equity
AKs, AhKh                            one class, or one hand, with the EV of each action
grid                                 the grid again
quit                                 leave"""


_HAND = re.compile("([2-9tjqka]{2}[so]?)|([2-9tjqka][shdc]){2}")


class Options(NamedTuple):
    """The options of `sog browse`."""

    solution: Path


def run(options: Options) -> int:
    """Read lines until there are no more; answer each."""
    solved = SolvedSpot(*open_solution(options.solution))
    walk = Walk(solved)
    print("\n".join([spot_title(solved.spot), "", *walk.answer("grid"), "", "help lists what you can type"]))
    for line in _lines():
        word = line.strip()
        if word.lower() in ("quit", "exit", "q"):
            break
        if word:
            try:
                print("\n".join(walk.answer(word)))
            except InputError as error:
                print(f"  {str(error).removeprefix('--node, ').removeprefix('--node: ')}")
    return 0


def _lines() -> Iterator[str]:
    """Give what is typed, with a prompt where somebody types."""
    while True:
        if sys.stdin.isatty():
            print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            return
        yield line


class Walk:
    """Where one is in a solved spot, and how one came there."""

    def __init__(self, solved: SolvedSpot) -> None:
        self._solved, self._path = solved, [solved.start()]

    def answer(self, word: str) -> list[str]:
        """Return what to print after a word."""
        plain, node = word.lower(), self._path[-1]
        if plain == "help":
            return HELP.splitlines()
        if plain in ("back", "start"):
            self._path = self._path[: max(1, len(self._path) - 1) if plain == "back" else 1]
        elif plain in ("classes", "hands"):
            return self._table(node, plain == "hands")
        elif (rows := self._find(node, plain)) is not None:
            return rows
        elif plain != "grid":
            self._path.append(self._solved.step(node, word))
        return self._show(self._path[-1])

    def _show(self, node: Node) -> list[str]:
        mover = actor(node.betting)
        path = node_path(node.scene, node.number).replace(",", ", ")
        if mover == TERMINAL:
            return [f"{path}: the hand is over, pot {pot_size(node.betting):,}; back or start"]
        if mover == CHANCE:
            example = next(card for card in range(NUM_CARDS) if card not in node.scene.cards)
            board = board_name(node.scene.cards)
            return [f"{path}: board {board}; a card comes, such as {card_name(example)}"]
        strategy, is_coloured = self._solved.strategy(node), has_colours(sys.stdout)
        moves = ", ".join(move.label for move in legal_moves(node.betting, self._solved.spot.sizes))
        lines = [where(strategy), "", *grid_lines(strategy, is_coloured), ""]
        lines += [legend_line(strategy, is_coloured)]
        return [*lines, f"all hands: EV {whole_row(strategy, strategy.ev).ev:.2f} chips; moves: {moves}"]

    def _table(self, node: Node, is_by_hand: bool) -> list[str]:
        if actor(node.betting) in (TERMINAL, CHANCE):
            raise InputError("nobody decides here")
        strategy, equity = self._solved.strategy(node), self._solved.equity(node)
        rows = [*_rows(strategy, equity, is_by_hand), whole_row(strategy, equity)]
        return columns([header(strategy), *(words(row) for row in rows)], gap=2)

    def _find(self, node: Node, word: str) -> list[str] | None:
        """Return the row of a class or hand and its actions' EV, if the word names one that gets here."""
        if actor(node.betting) in (TERMINAL, CHANCE) or not _HAND.fullmatch(word):
            return None
        strategy, equity = self._solved.strategy(node), self._solved.equity(node)
        found = [row for row in _rows(strategy, equity, len(word) == 4) if row.name.lower() == word]
        lines = [line for row in found for line in (words(row), action_words(row))]
        return columns([header(strategy), *lines], gap=2) if found else None


def _rows(strategy: NodeStrategy, equity: F64, is_by_hand: bool) -> Iterator[HandRow]:
    return (rows_by_hand if is_by_hand else rows_by_class)(strategy, equity)
