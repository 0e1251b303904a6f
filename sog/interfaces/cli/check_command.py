"""`sog check GAME`: play a game through, and say which of its promises it breaks.

Verified: tests/interfaces/cli/test_check_command.py.
"""

from typing import NamedTuple

from sog.games.registry import load
from sog.interfaces.cli.arguments import FAILED
from sog.interfaces.output import print_json
from sog.public.checking import check


class Options(NamedTuple):
    """The options of `sog check`."""

    game: str
    plays: int
    max_histories: int
    seconds: float
    seed: int
    json: bool


def run(options: Options) -> int:
    """Check and print; the exit status says whether every promise was kept."""
    game = load(options.game)
    report = check(game, options.max_histories, options.plays, options.seconds, options.seed)
    if options.json:
        figures = report._asdict()
        print_json({**figures, "broken": [broken._asdict() for broken in report.broken]})
    else:
        print(report)
    return 0 if report.is_good else FAILED
