"""Kinds of values that options have, and options that many commands share.

This module must stay light: it is imported before anything is known about what the user wants.

Verified: tests/interfaces/cli/test_cli.py.
"""

import argparse
from math import inf
from pathlib import Path
from typing import NamedTuple

DEFAULT_MAX_STATES = 250_000  # as in sog.public.limits, which is slow to import
DEFAULT_ITERATIONS = 1000
_MAX_SEED = 2**63 - 1

GAME_HELP = (
    "a game by name, with parameters in parentheses where it has any: leduc, 'liars_dice(dice=1,faces=4)',"
    " 'openspiel:dark_hex(board_size=2)' (sog games lists them), or a game of your own: coin.py:Coin"
)
AGENT_HELP = "a trained agent: a training run's directory, an agent's FILE.npz, or a shipped agent's name"


class Until(NamedTuple):
    """An exploitability to stop at."""

    amount: float
    is_pot_percent: bool  # of a hold'em pot; otherwise in the game's own units


def count(text: str) -> int:
    """Read a whole number of at least 1.

    >>> count("1000"), count("1e3")
    (1000, 1000)
    """
    return _whole_number(text, ", 1 or more", 1)


def whole(text: str) -> int:
    """Read a whole number, zero or more.

    >>> whole("0")
    0
    """
    return _whole_number(text, ", 0 or more", 0)


def seed(text: str) -> int:
    """Read the number that random choices start from."""
    return _whole_number(text, f" from 0 to {_MAX_SEED}", 0, _MAX_SEED)


def _whole_number(text: str, words: str, low: int, high: float = inf) -> int:
    try:
        number = int(text)
    except ValueError:
        number = _round_number(text, low - 1)
    if not low <= number <= high:
        raise argparse.ArgumentTypeError(f"must be a whole number{words}, not {text[:40]!r}")
    return number


def _round_number(text: str, otherwise: int) -> int:
    """Read 1e3."""
    try:
        number = float(text)
    except ValueError:
        return otherwise
    return int(number) if number.is_integer() and abs(number) < 2**53 else otherwise


def stacks(text: str) -> int:
    """Read one stack, or two of which the smaller counts: what the other has beyond it cannot be lost.

    >>> stacks("900"), stacks("900,1500")
    (900, 900)
    """
    parts = text.split(",")
    if len(parts) > 2:
        raise argparse.ArgumentTypeError(f"must be one stack, or two with a comma, not {text[:40]!r}")
    return min(map(count, parts))


def positive(text: str) -> float:
    """Read a positive, finite number.

    >>> positive("1e-3")
    0.001
    """
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < inf:  # refuses NaN too
        raise argparse.ArgumentTypeError(f"must be a positive number, not {text[:40]!r}")
    return number


def until(text: str) -> Until:
    """Read an exploitability, plain or as a percentage of the pot.

    >>> until("0.3%")
    Until(amount=0.3, is_pot_percent=True)
    """
    return Until(positive(text.removesuffix("%")), text.endswith("%"))


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the game."""
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add --json."""
    parser.add_argument("--json", action="store_true", help="print the figures as JSON, and nothing else")


def add_plot(parser: argparse.ArgumentParser, words: str) -> None:
    """Add --plot."""
    parser.add_argument("--plot", metavar="FILE", type=Path, help=f"{words}: FILE ends in .png, .svg or .pdf")


def add_ray(parser: argparse.ArgumentParser, words: str) -> None:
    """Add --ray."""
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        help=f"{words} on a cluster of Ray: auto for the one that this machine belongs to, HOST:PORT of its"
        " head, or local for one on this machine alone (docs/cluster.md; needs sog[ray])",
    )


def add_random_start(parser: argparse.ArgumentParser, words: str) -> None:
    """Add --seed of choices that are the same in every run unless it is given."""
    parser.add_argument("--seed", metavar="N", type=seed, default=0, help=f"{words} (default 0)")


def add_max_states(parser: argparse.ArgumentParser) -> None:
    """Add --max-states."""
    parser.add_argument(
        "--max-states",
        metavar="N",
        type=count,
        default=DEFAULT_MAX_STATES,
        help=f"give up on a tree of more than N public states (default {DEFAULT_MAX_STATES}), or with more"
        " than ten times as many moves",
    )


def add_numbers(parser: argparse.ArgumentParser) -> None:
    """Add --dtype and --seed of solves."""
    parser.add_argument(
        "--dtype",
        choices=("int16", "float32", "float64"),
        help="precision; float32 halves the memory, int16 halves it again for hold'em spots of several"
        " streets (default float64, float32 for spots, or that of the file resumed from)",
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=seed,
        help="start of the random choices of sampling algorithms (default 0)",
    )
