"""A hold'em spot from what was typed, or from a saved solution.

A solution's game name has only a hash of the ranges; what makes the spot again is kept beside it, as JSON.

Verified: tests/interfaces/test_holdem_command.py.
"""

import json
from pathlib import Path

import numpy as np

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import format_bet_sizes, parse_bet_sizes
from sog.games.holdem.betting import BIG_BLIND, STACK, pot_size
from sog.games.holdem.cards import board_name, parse_board
from sog.games.holdem.libratus import read_subgame
from sog.games.holdem.ranges import format_range, parse_range
from sog.games.holdem.spot import Spot, make_spot
from sog.interfaces.arguments import SpotOptions
from sog.solvers.checkpoint import Checkpoint

HOLDEM = "holdem"
LIBRATUS_BETS = "50,100,allin/100,allin"  # of the discounted CFR paper
_FIELDS = {"board", "pot", "stack", "big_blind", "bets", "range_oop", "range_ip"}


def name_given(options: SpotOptions) -> list[str]:
    """Return the options that were typed, as they are typed."""
    return [f"--{name.replace('_', '-')}" for name, value in options._asdict().items() if value is not None]


def refuse_spot_options(options: SpotOptions, game: str) -> None:
    """Refuse what only hold'em has, for another game."""
    misplaced = name_given(options)
    if misplaced:
        raise InputError(f"{', '.join(misplaced)}: for {HOLDEM} only, not for {game}")


def spot_from_options(options: SpotOptions) -> Spot:
    """Return the spot that was typed or that a Libratus file holds."""
    if options.libratus is not None:
        return _libratus_spot(options, options.libratus)
    if options.board is None or options.pot is None or options.stack is None:
        missing = [f"--{name}" for name in ("board", "pot", "stack") if getattr(options, name) is None]
        raise InputError(
            f"holdem needs --board, --pot and --stack, or --libratus: {', '.join(missing)} missing"
        )
    ranges = [_read_range("oop", options.range_oop), _read_range("ip", options.range_ip)]
    return make_spot(
        parse_board(options.board),
        options.pot,
        options.stack,
        parse_bet_sizes(options.bets or ""),
        np.array(ranges),
        options.big_blind,
    )


def _libratus_spot(options: SpotOptions, path: Path) -> Spot:
    doubled = set(name_given(options)) - {"--libratus", "--bets", "--big-blind"}
    if doubled:
        raise InputError(
            f"--libratus says all about the spot but bets: {', '.join(sorted(doubled))} cannot be given"
        )
    subgame = read_subgame(path)
    stack = STACK - subgame.pot // 2
    if stack < 1:
        raise InputError(f"{path}: a pot of {subgame.pot} leaves nothing of stacks of {STACK}")
    sizes = parse_bet_sizes(options.bets or LIBRATUS_BETS)
    return make_spot(subgame.board, subgame.pot, stack, sizes, subgame.ranges, options.big_blind or BIG_BLIND)


def _read_range(player: str, text: str | None) -> np.ndarray:
    try:
        return parse_range(text or "")
    except InputError as error:
        raise InputError(f"--range-{player}: {error}") from None


def spot_stack(spot: Spot) -> int:
    """Return the chips that each player has left at the start of a spot."""
    return spot.betting.stack - spot.betting.committed[0]


def describe_spot(spot: Spot) -> str:
    """Return everything that makes a spot, as JSON that `spot_from_solution` reads back exactly."""
    return json.dumps(
        {
            "board": board_name(spot.board),
            "pot": pot_size(spot.betting),
            "stack": spot_stack(spot),
            "big_blind": spot.betting.big_blind,
            "bets": format_bet_sizes(spot.sizes),
            "range_oop": format_range(spot.ranges[0]),
            "range_ip": format_range(spot.ranges[1]),
        }
    )


def spot_from_solution(path: Path, saved: Checkpoint) -> Spot:
    """Return the spot of a saved solution."""
    if not saved.game.startswith(f"{HOLDEM}("):
        raise InputError(f"{path} is a solution of {saved.game}, not of a hold'em spot")
    try:
        said = json.loads(saved.description)
        if set(said) != _FIELDS:
            raise InputError("its description has other fields")
        spot = make_spot(
            parse_board(said["board"]),
            said["pot"],
            said["stack"],
            parse_bet_sizes(said["bets"]),
            np.array([parse_range(said["range_oop"]), parse_range(said["range_ip"])]),
            said["big_blind"],
        )
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{path} does not say which spot it solves: {error}") from None
    if spot.name != saved.game:
        raise InputError(f"{path} is damaged: it describes another spot than {saved.game}")
    return spot
