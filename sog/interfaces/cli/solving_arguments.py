"""Options of the commands that look at games and solve them.

This module must stay light: it is imported before anything is known about what the user wants.

Verified: tests/interfaces/cli/test_cli.py.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

from sog.interfaces.cli.option_types import (
    DEFAULT_ITERATIONS,
    add_game,
    add_json,
    add_max_states,
    add_numbers,
    add_plot,
    add_random_start,
    count,
    positive,
    stacks,
    until,
)

DEFAULT_ROWS = 30
ALGORITHM_HELP = (
    "cfr, cfr+, lcfr, lcfr+, dcfr, pcfr+, fp, linear-fp, flop, mccfr, linear-mccfr or outcome-mccfr,"
    " with options in parentheses: 'dcfr(alpha=1.5,beta=0,gamma=2)'"
)


class SpotOptions(NamedTuple):
    """The options that make a hold'em spot; None where nothing was said."""

    board: str | None = None
    pot: int | None = None
    stack: int | None = None
    range_oop: str | None = None
    range_ip: str | None = None
    bets: str | None = None
    big_blind: int | None = None
    small_blind: int | None = None
    history: str | None = None
    add_bet: list[str] | None = None
    remove: list[str] | None = None
    rake: float | None = None
    rake_cap: float | None = None
    ante: int | None = None
    lock: list[str] | None = None
    libratus: Path | None = None
    hand: str | None = None
    street: str | None = None
    answer: Path | None = None


def games_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog games`."""
    add_json(parser)


def show_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog show`."""
    add_game(parser)
    add_json(parser)
    parser.add_argument("--depth", metavar="N", type=count, help="look at the first N moves only")
    parser.add_argument(
        "--tree", metavar="FILE", type=Path, help="draw the public tree: FILE ends in .svg, .png or .pdf"
    )
    add_max_states(parser)


def check_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog check`."""
    add_game(parser)
    for name, default, words in (
        ("--plays", 100, "games played at random if there are too many histories"),
        ("--max-histories", 50_000, "histories that are all played"),
    ):
        parser.add_argument(
            name, metavar="N", type=count, default=default, help=f"{words} (default {default})"
        )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=positive,
        default=20.0,
        help="begin no further play at random after S seconds (default 20)",
    )
    add_random_start(parser, "start of the random plays")
    add_json(parser)


def solve_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog solve`."""
    add_game(parser)
    parser.add_argument(
        "--algorithm",
        metavar="NAME",
        help=f"{ALGORITHM_HELP} (default dcfr; for holdem 'dcfr(gamma=3)')",
    )
    parser.add_argument(
        "--iterations",
        metavar="N",
        type=count,
        help=f"stop after N iterations in total (default {DEFAULT_ITERATIONS} if no other limit is given)",
    )
    parser.add_argument(
        "--until",
        metavar="X",
        type=until,
        help="stop once the exploitability is X or less; for holdem also a percentage of the pot: 0.3%%",
    )
    parser.add_argument(
        "--seconds", metavar="S", type=positive, help="stop after S seconds of iterations and measuring"
    )
    parser.add_argument("--save", metavar="FILE.npz", type=Path, help="write the solution, to play or resume")
    parser.add_argument(
        "--without-rivers",
        action="store_true",
        help="with --save, for holdem: leave rivers out, which are most of the file; a river is solved again"
        " when it is looked at, and the solve cannot be resumed",
    )
    parser.add_argument("--resume", metavar="FILE.npz", type=Path, help="go on from a saved solution")
    add_json(parser)
    add_plot(parser, "draw the exploitability")
    parser.add_argument("--strategy", action="store_true", help="print how every infostate plays")
    parser.add_argument(
        "--rows",
        metavar="N",
        type=count,
        help=f"with --strategy: print at most N infostates of each player (default {DEFAULT_ROWS};"
        " JSON has all)",
    )
    add_numbers(parser)
    add_max_states(parser)
    _add_spot(parser)


def _add_spot(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("a hold'em spot (GAME is holdem)")
    group.add_argument(
        "--board", metavar="CARDS", help="three to five cards: 9s7c5s4h3c (default none: before the flop)"
    )
    group.add_argument(
        "--pot",
        metavar="CHIPS",
        type=count,
        help="chips in the pot at the start of the street, half from each player",
    )
    group.add_argument(
        "--stack",
        metavar="CHIPS",
        type=stacks,
        help="chips that each player has left at the start of the street; before the flop, of the hand"
        " (default there 20000); 900,1500 if they differ: the smaller counts",
    )
    for player, words in (("oop", "the player out of position, who acts first"), ("ip", "the other player")):
        group.add_argument(
            f"--range-{player}",
            metavar="RANGE",
            help=f"hands of {words}: 'TT+,AKs,A5s-A2s:0.5,AhKh' (default all)",
        )
    group.add_argument(
        "--bets",
        metavar="SIZES",
        help="percentages of the pot, or chips such as 150c, by street, raises after a slash:"
        " 'turn:50,allin;oop river:75,allin/2.5x;donk river:25;cap:3' (default 100,allin)",
    )
    group.add_argument(
        "--big-blind",
        metavar="CHIPS",
        type=count,
        help="the smallest bet (default 1 chip; 100 before the flop)",
    )
    group.add_argument(
        "--small-blind", metavar="CHIPS", type=count, help="before the flop (default half the big blind)"
    )
    group.add_argument(
        "--history",
        metavar="MOVES",
        help="moves made on this street before the spot starts: 'check,bet75', 'bet150c'; ranges are those"
        " after them",
    )
    group.add_argument(
        "--add-bet",
        metavar="MOVES",
        action="append",
        help="add one bet to the tree, after the moves that lead to it: 'check,bet60'; may be given again",
    )
    group.add_argument(
        "--remove",
        metavar="MOVES",
        action="append",
        help="leave one move out of the tree, after the moves that lead to it; may be given again",
    )
    group.add_argument(
        "--lock",
        metavar="LOCK",
        action="append",
        help="fix how hands play at one point: 'check,bet75 > call TT+,AQ:0.5 | fold 22'; may be given again",
    )
    group.add_argument("--rake", metavar="PERCENT", type=positive, help="percent of each pot for the house")
    group.add_argument(
        "--rake-cap", metavar="CHIPS", type=positive, help="with --rake: at most so many chips"
    )
    group.add_argument("--ante", metavar="CHIPS", type=count, help="of each player, before the flop")
    group.add_argument(
        "--libratus",
        metavar="FILE",
        type=Path,
        help="take board, pot and ranges from a Libratus subgame file (default bets 50,100,allin/100,allin)",
    )
    group.add_argument(
        "--hand",
        metavar="FILE[#N]",
        help="take board, pot, stacks and the bets that were made from a hand that was played: a PHH file or"
        " a PokerStars hand history, the N-th of several (needs PokerKit: pip install 'sog[poker]')",
    )
    group.add_argument(
        "--street",
        choices=("flop", "turn", "river"),
        help="with --hand: where the spot begins (default: the first street that two players begin)",
    )
    group.add_argument(
        "--answer",
        metavar="FILE.npz",
        type=Path,
        help="answer a bet that a saved solve does not have, given by --add-bet 'check,bet60': solve the rest"
        " of the hand anew, safely, from the decision to bet on",
    )


def ranges_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog ranges`."""
    parser.add_argument("range", metavar="RANGE", help="hands: 'TT+,AKs,A5s-A2s:50%%,25%%'")
    parser.add_argument("--board", metavar="CARDS", help="leave out what holds one of these cards")
    add_json(parser)


def show_strategy_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog show-strategy`."""
    parser.add_argument(
        "solution", metavar="SOLUTION.npz", type=Path, help="written by sog solve holdem --save"
    )
    parser.add_argument(
        "--node",
        metavar="MOVES",
        default="",
        help="moves and cards that lead there: 'check,bet100', 'check,check,Ah,bet50' (default: the start)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print every hand's probabilities, reach, EV and equity as JSON"
    )
    parser.add_argument("--all", action="store_true", help="with --json: the strategy at every node")
    parser.add_argument("--png", metavar="FILE", type=Path, help="draw it: FILE ends in .png, .svg or .pdf")
    parser.add_argument(
        "--by",
        choices=("grid", "class", "hand"),
        default="grid",
        help="print the grid, or a table of all actions, EV and equity by class of hands or by hand",
    )
    parser.add_argument("--csv", metavar="FILE.csv", type=Path, help="write that table, by hand or by class")


def browse_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog browse`."""
    parser.add_argument(
        "solution", metavar="SOLUTION.npz", type=Path, help="written by sog solve holdem --save"
    )


def report_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog report`."""
    parser.add_argument("game", metavar="holdem", help="the game: holdem")
    parser.add_argument(
        "--flops",
        metavar="SUBSET",
        required=True,
        help="25 or 85 flops that stand for all, each with its weight; all 1,755 (all); or flops by name,"
        " with weights if you like: QsJh2h,AhAd7c:2",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        required=True,
        help="the report's folder; a report that is there goes on",
    )
    parser.add_argument(
        "--node",
        metavar="MOVES",
        default="",
        help="report on the decision after these moves (default: first)",
    )
    parser.add_argument(
        "--until",
        metavar="X",
        type=until,
        help="solve each flop until its exploitability is X or less, in chips or percent of the pot"
        " (default 0.5%%)",
    )
    parser.add_argument("--iterations", metavar="N", type=count, help="of each flop at most")
    parser.add_argument("--algorithm", metavar="NAME", help="see sog solve --help")
    parser.add_argument("--dtype", choices=("int16", "float32", "float64"), help="see sog solve --help")
    parser.add_argument(
        "--save-solves", action="store_true", help="keep each solve without rivers, for sog browse"
    )
    add_plot(parser, "draw the table")
    add_json(parser)
    _add_spot(parser)


def compare_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog compare`."""
    add_game(parser)
    parser.add_argument(
        "--algorithms",
        metavar="LIST",
        default="cfr,cfr+,lcfr,dcfr",
        help="separated by commas (default cfr,cfr+,lcfr,dcfr); see sog solve --help for names and options",
    )
    parser.add_argument(
        "--iterations",
        metavar="N",
        type=count,
        help=f"of each algorithm (default {DEFAULT_ITERATIONS} if --seconds is not given)",
    )
    parser.add_argument("--seconds", metavar="S", type=positive, help="stop each algorithm after S seconds")
    add_plot(parser, "draw all curves")
    add_json(parser)
    add_numbers(parser)
    add_max_states(parser)
    _add_spot(parser)
