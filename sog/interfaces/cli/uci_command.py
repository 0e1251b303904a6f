"""`sog uci`: a chess engine for other programs, on standard input and output.

Verified: tests/interfaces/protocols/test_uci.py.
"""

import sys
from typing import NamedTuple

from sog.core.lines import Lines
from sog.interfaces.protocols.uci import Engine, UciSession


class Options(NamedTuple):
    """What was asked for."""

    agent: str
    search: str
    threads: int


def run(options: Options) -> int:
    """Hold a session and return the exit status."""

    def load() -> Engine:
        from sog.interfaces.protocols.uci_search import ChessEngine  # slow to import

        return ChessEngine.load(options.agent, options.search)

    UciSession(load, Lines(sys.stdin), write_line, options.threads).run()
    return 0


def write_line(line: str) -> None:
    """Send a line at once."""
    print(line, flush=True)
