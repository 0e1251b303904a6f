"""`sog gtp`: a Go engine for other programs, on standard input and output.

Verified: tests/interfaces/protocols/test_gtp.py.
"""

import sys
from typing import NamedTuple

from sog.agents.making import make_evaluator
from sog.agents.methods import parse_method
from sog.agents.specs import find_agent
from sog.core.errors import InputError
from sog.core.lines import Lines
from sog.games.go.game import Go
from sog.games.registry import load
from sog.interfaces.protocols.gtp import GtpSession
from sog.nets.torch_forward import use_threads
from sog.search.analysis import Analyst


class Options(NamedTuple):
    """What was asked for."""

    agent: str
    search: str
    threads: int


def run(options: Options) -> int:
    """Hold a session and return the exit status."""
    use_threads(options.threads)
    method, agent = parse_method(options.search), find_agent(options.agent, "go")
    learned = load(agent.game) if agent is not None else Go()
    assert isinstance(learned, Go)

    def make_analyst(game: Go) -> Analyst:
        if agent is not None and game.size != learned.size:
            raise InputError(f"the agent plays on boards of {learned.size} lines")
        return Analyst(game, make_evaluator(agent, game), method)

    session = GtpSession(make_analyst, _write, learned.size, learned.komi)
    lines = Lines(sys.stdin)  # bytes that are no text end the session as the end of the lines does
    while not session.is_over and (line := lines.wait()) is not None:
        session.answer(line)
    return 0


def _write(text: str) -> None:
    print(text, end="", flush=True)
