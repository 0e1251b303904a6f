"""A hold'em spot from what was typed, or from a saved solution.

A solution's game name has only a hash of the ranges; what makes the spot again is kept beside it, as JSON.

Verified: tests/interfaces/cli/test_holdem_command.py, tests/interfaces/cli/test_holdem_starts.py.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.core.spec import parse_spec
from sog.games.holdem.bet_sizes import STREETS, format_bet_sizes, parse_bet_sizes
from sog.games.holdem.betting import BIG_BLIND, SMALLEST_BET, STACK, Rake
from sog.games.holdem.cards import parse_board
from sog.games.holdem.hunl import make_hunl
from sog.games.holdem.ranges import format_range, parse_range
from sog.games.holdem.spot import Spot, make_preflop_spot, make_spot, start_figures
from sog.games.holdem.teh import make_teh
from sog.games.parameters import check_arguments, shorten
from sog.games.registry import SPOTS
from sog.interfaces.cli.hand_files import read_hand
from sog.interfaces.cli.solving_arguments import SpotOptions
from sog.poker.libratus import read_subgame
from sog.solvers.checkpoint import Checkpoint

HOLDEM, TEH, _ = SPOTS
LIBRATUS_BETS = "50,100,allin/100,allin"  # of the discounted CFR paper
_LATER = (
    "history",
    "add_bet",
    "remove",
)  # what may be said about a spot that is made otherwise than by options
_START_FIELDS = ({"board", "pot", "stack", "big_blind"}, {"stack", "small_blind", "big_blind"})
_OTHER_FIELDS = {"bets", "range_oop", "range_ip", "history", "added_bets"}
_NEWER_FIELDS = {
    "removed": (),
    "rake": 0,
    "rake_cap": 0,
    "ante": 0,
    "locks": (),
}  # files of older solves lack them


_NAMED: dict[str, tuple[Callable[..., Spot], str]] = {
    "teh": (make_teh, "board, stack and seed"),
    "hunl": (make_hunl, "stack and percent, the share of the pot that may be bet"),
}


def is_spot(game: str) -> bool:
    """Whether a game's name is that of hold'em spots.

    >>> is_spot("teh(seed=7)"), is_spot("leduc")
    (True, False)
    """
    return game.partition("(")[0].strip() in SPOTS


def name_given(options: SpotOptions) -> list[str]:
    """Return the options that were typed, as they are typed."""
    return [f"--{name.replace('_', '-')}" for name, value in options._asdict().items() if value is not None]


def refuse_spot_options(options: SpotOptions, game: str) -> None:
    """Refuse what only hold'em has, for another game."""
    misplaced = name_given(options)
    if misplaced:
        raise InputError(f"{', '.join(misplaced)}: for {HOLDEM} only, not for {game}")


def spot_from_options(game: str, options: SpotOptions) -> Spot:
    """Return the spot that was typed, that has a name of its own, or that a Libratus file holds."""
    refuse_options(options, ("answer",), "is for sog solve holdem")
    name, arguments = parse_spec(game, "game")
    if name in _NAMED:
        return _named_spot(name, arguments, options)
    if arguments:
        raise InputError(f"{HOLDEM} has no parameters in parentheses: say --board, --pot, --stack, …")
    if options.libratus is not None:
        return _libratus_spot(options, options.libratus)
    if options.hand is not None:
        options = _hand_options(options, options.hand)
    refuse_options(options, ("street",), "goes with --hand")
    if options.board is None:
        return _preflop_spot(options)
    if options.pot is None or options.stack is None:
        missing = [f"--{name}" for name in ("pot", "stack") if getattr(options, name) is None]
        raise InputError(
            f"{HOLDEM} needs --board, --pot and --stack, or --libratus: {', '.join(missing)} missing"
        )
    refuse_options(
        options, ("small_blind", "ante"), "is for hands that start before the flop, without --board"
    )
    if options.rake is None:
        refuse_options(options, ("rake_cap",), "goes with --rake")
    return make_spot(
        parse_board(options.board),
        options.pot,
        options.stack,
        parse_bet_sizes(options.bets or ""),
        read_ranges(options),
        options.big_blind or SMALLEST_BET,
        rake=Rake(options.rake or 0, options.rake_cap or 0),
        locks=options.lock or (),
        **_moves(options),
    )


def check_same_spot(path: Path, saved: Spot, options: SpotOptions) -> Spot:
    """Return the spot of a saved solution; refuse options that would make it another one."""
    known = json.loads(describe_spot(saved))
    same = {name: known[name] for name in ("board", "pot", "stack", "range_oop", "range_ip", "bets")}
    same |= {"big_blind": known["big_blind"], "history": known["history"], "add_bet": known["added_bets"]}
    same |= {"remove": known["removed"], "lock": known["locks"]}
    same |= {name: known[name] or None for name in ("rake", "rake_cap")}
    for name, value in options._asdict().items():
        if value is None:
            continue
        if name not in same:
            raise InputError(f"--{name.replace('_', '-')} cannot change the spot of {path}: leave it out")
        other = spot_from_options(HOLDEM, SpotOptions(**{**same, name: value}))
        if other.name != saved.name:
            before = _later_bets(saved, same["bets"]) if name == "bets" else str(same[name])
            raise InputError(
                f"{path} was solved with --{name.replace('_', '-')} {shorten(before)},"
                f" not {shorten(str(value))}: leave the option out, or solve anew"
            )
    return saved


def _later_bets(spot: Spot, bets: str) -> str:
    """Return the parts of bet sizes that count from a spot on: those of its street and of later ones."""
    gone = STREETS[: spot.betting.street]
    parts = bets.split(";")
    return ";".join(part for part in parts if not set(part.partition(":")[0].split()) & set(gone))


def _preflop_spot(options: SpotOptions) -> Spot:
    refuse_options(options, ("pot",), "without --board: before the flop the blinds are the pot")
    refuse_options(options, ("rake", "rake_cap", "lock"), "goes with --board")
    big_blind = options.big_blind or BIG_BLIND
    return make_preflop_spot(
        parse_bet_sizes(options.bets or ""),
        read_ranges(options),
        options.stack or STACK,
        options.small_blind or big_blind // 2,
        big_blind,
        ante=options.ante or 0,
        **_moves(options),
    )


def _named_spot(name: str, arguments: dict[str, Any], options: SpotOptions) -> Spot:
    make, parameters = _NAMED[name]
    check_arguments(name, make, arguments, takes_keywords=False)
    others = [option for option in SpotOptions._fields if option not in _LATER]
    refuse_options(
        options, others, f"cannot change {name}; its parameters are {parameters}: '{name}(stack=10000)'"
    )
    return make(**arguments, **_moves(options))


def _hand_options(options: SpotOptions, hand: str) -> SpotOptions:
    """Return the options that make the spot of a hand that was played; say what it is."""
    refuse_options(
        options,
        ("board", "pot", "stack", "big_blind", "small_blind", "ante", "history"),
        "cannot be given: --hand says it",
    )
    played = read_hand(hand, options.street)
    unit = "" if played.unit == 1 else f", in 1/{played.unit} of a chip"
    figures = f"{played.board}, pot {played.pot:,}, stack {played.stack:,}{unit}"
    line = f"; the hand went {','.join(played.line)}" if played.line else ""
    print(f"{HOLDEM}: {figures}{line}", file=sys.stderr)
    return options._replace(
        board=played.board,
        pot=played.pot,
        stack=played.stack,
        big_blind=played.big_blind,
        add_bet=[*played.bets, *(options.add_bet or ())],
        hand=None,
        street=None,
    )


def _libratus_spot(options: SpotOptions, path: Path) -> Spot:
    others = [name for name in SpotOptions._fields if name not in ("libratus", "bets", "big_blind", *_LATER)]
    refuse_options(options, others, "cannot be given: --libratus says all about the spot but bets")
    subgame = read_subgame(path)
    stack = STACK - subgame.pot // 2
    if stack < 1:
        raise InputError(f"{path}: a pot of {subgame.pot} leaves nothing of stacks of {STACK}")
    sizes = parse_bet_sizes(options.bets or LIBRATUS_BETS)
    blind = options.big_blind or BIG_BLIND
    return make_spot(subgame.board, subgame.pot, stack, sizes, subgame.ranges, blind, **_moves(options))


def refuse_options(options: SpotOptions, names: Sequence[str], reason: str) -> None:
    """Refuse options of those names."""
    given = name_given(SpotOptions(**{name: getattr(options, name) for name in names}))
    if given:
        raise InputError(f"{', '.join(given)} {reason}")


def _moves(options: SpotOptions) -> dict[str, Any]:
    """Return what was said about moves: those played before, bets to add, and moves to leave out."""
    return {
        "history": options.history or "",
        "added_bets": options.add_bet or (),
        "removed": options.remove or (),
    }


def read_ranges(options: SpotOptions) -> F64:
    """Return the weights of both players: [2, 1326]."""
    ranges = []
    for player, text in (("oop", options.range_oop), ("ip", options.range_ip)):
        try:
            ranges.append(parse_range(text or ""))
        except InputError as error:
            raise InputError(f"--range-{player}: {error}") from None
    return np.array(ranges)


def spot_record(spot: Spot) -> dict[str, Any]:
    """Return what makes a spot apart from its ranges, for JSON."""
    return {
        **start_figures(spot),
        "history": ",".join(spot.history),
        "bets": format_bet_sizes(spot.sizes),
        "added_bets": spot.sizes.added_paths,
        "removed": spot.sizes.removed_paths,
        "rake": spot.rake.percent,
        "rake_cap": spot.rake.cap,
        "locks": [lock.text for lock in spot.locks],
    }


def describe_spot(spot: Spot) -> str:
    """Return everything that makes a spot, as JSON that `spot_from_solution` reads back exactly."""
    ranges = {"range_oop": format_range(spot.ranges[0]), "range_ip": format_range(spot.ranges[1])}
    return json.dumps({**spot_record(spot), **ranges})


def spot_from_solution(path: Path, saved: Checkpoint) -> Spot:
    """Return the spot of a saved solution."""
    if not saved.game.startswith(f"{HOLDEM}("):
        raise InputError(f"{path} is a solution of {saved.game}, not of a hold'em spot")
    try:
        spot = _spot_again(json.loads(saved.description))
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{path} does not say which spot it solves: {error}") from None
    if spot.name != saved.game:
        raise InputError(f"{path} is damaged: it describes another spot than {saved.game}")
    return spot


def _spot_again(said: dict[str, Any]) -> Spot:
    """Return the spot that `describe_spot` described."""
    said = {**_NEWER_FIELDS, **said}
    if set(said) - _OTHER_FIELDS - set(_NEWER_FIELDS) not in _START_FIELDS or not set(said) >= _OTHER_FIELDS:
        raise InputError("its description has other fields")
    sizes = parse_bet_sizes(said["bets"])
    ranges = np.array([parse_range(said["range_oop"]), parse_range(said["range_ip"])])
    moves = {name: said[name] for name in ("history", "added_bets", "removed")}
    if "board" not in said:
        return make_preflop_spot(
            sizes, ranges, said["stack"], said["small_blind"], said["big_blind"], ante=said["ante"], **moves
        )
    board = parse_board(said["board"])
    rake = Rake(said["rake"], said["rake_cap"])
    moves |= {"rake": rake, "locks": said["locks"]}
    return make_spot(board, said["pot"], said["stack"], sizes, ranges, said["big_blind"], **moves)
