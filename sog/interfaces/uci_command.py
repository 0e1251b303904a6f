"""`sog uci`: a chess engine for other programs, on standard input and output.

Verified: tests/interfaces/test_uci.py.
"""

import sys
from typing import NamedTuple

from sog.core.lines import Lines
from sog.games.chess.game import Chess
from sog.interfaces.uci import LONGEST_GAME, UciSession
from sog.matches.thinking import Thinker, find_agent, make_board_evaluator, parse_method


class Options(NamedTuple):
    """What was asked for."""

    agent: str
    search: str


def run(options: Options) -> int:
    """Hold a session and return the exit status."""
    settings = parse_method(options.search)
    game = Chess(max_moves=LONGEST_GAME)
    evaluator = make_board_evaluator(find_agent(options.agent, "chess"), game)
    UciSession(Thinker(game, evaluator, settings), game, Lines(sys.stdin), write_line).run()
    return 0


def write_line(line: str) -> None:
    """Send a line at once."""
    print(line, flush=True)
