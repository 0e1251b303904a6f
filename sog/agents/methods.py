"""How a bot searches, as people write it: `gtcfr:100,1`, `mcts:800`."""

from sog.core.errors import InputError
from sog.search.analysis import Method
from sog.search.puct import PuctSettings
from sog.search.settings import parse_search

MOST_SIMULATIONS = 50_000  # of one search, which keeps every position that it meets


def parse_method(text: str) -> Method:
    """Read `gtcfr:S,C`, or `S,C` for short, or `mcts:N`, or `mcts:N,B` with B positions a network call.

    Options of GT-CFR may follow by name: `gtcfr:S,C,puct_share=1`.

    >>> parse_method("mcts:800").simulations
    800
    """
    name, colon, setting = text.partition(":")
    if not colon and name != "mcts":
        name, setting = "gtcfr", text
    if name == "gtcfr":
        settings: Method = parse_search(setting)
    elif name == "mcts":
        counts = [
            int(part) if part.isascii() and part.isdigit() and len(part) < 12 else 0
            for part in setting.split(",")
        ]
        if not 1 <= len(counts) <= 2 or 0 in counts:
            raise InputError(f"cannot read the search {text[:40]!r}: write mcts:N or mcts:N,POSITIONS_A_CALL")
        settings = PuctSettings(*counts)
    else:
        raise InputError(
            f"unknown search {text[:40]!r}: write gtcfr:100,1 (GT-CFR) or mcts:800 (AlphaZero's)"
        )
    if settings.simulations > MOST_SIMULATIONS:
        raise InputError(f"{settings.simulations:,} simulations are more than {MOST_SIMULATIONS:,}")
    return settings
