"""The subgame files that Libratus's authors published (github.com/CMU-EM/LibratusEndgames).

A file is four options, each followed by its values, parted by white space:

- `-round`: 1 before the flop … 4 river;
- `-board`: its cards, such as `7s9h9cTc`;
- `-pot`: the chips in it, half from each player;
- `-reach`: 2,652 weights from 0 to 1: 1,326 of the player out of position, then 1,326 of the button. Hands
  are ordered 2s2h, 2s2d, 2s2c, 2s3s, 2s3h, …, AdAc, which is the order of this package (`cards`).

The stacks at the start of the hand were 20,000 with blinds of 50 and 100.

Verified: tests/poker/test_libratus.py.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.bet_sizes import FLOP, MAX_CHIPS, STREETS
from sog.games.holdem.cards import BOARD_SIZES, NUM_HANDS, Board, compatible_hands, hand_name, parse_board
from sog.games.parameters import shorten

OPTIONS = ("round", "board", "pot", "reach")
PLAYERS = ("player out of position", "button")


class Subgame(NamedTuple):
    """The start of a subgame at the beginning of a street."""

    street: int  # FLOP … RIVER
    board: Board
    pot: int
    ranges: F64  # [2, 1326] weights of the hands of player 0 (out of position) and player 1


def read_subgame(path: str | Path) -> Subgame:
    """Return the subgame in a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a text file") from None
    try:
        return parse_subgame(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def parse_subgame(text: str) -> Subgame:
    """Return the subgame that a file's text describes."""
    values = _parse_options(text)
    street = _parse_whole("round", values["round"], FLOP + 1, len(STREETS)) - 1
    board = parse_board("".join(values["board"]))
    size = BOARD_SIZES[street]
    if len(board) != size:
        raise InputError(
            f"-board has {len(board)} cards, but round {street + 1} ({STREETS[street]}) has {size}"
        )
    return Subgame(
        street=street,
        board=board,
        pot=_parse_whole("pot", values["pot"], 2, MAX_CHIPS),
        ranges=_parse_reach(values["reach"], board),
    )


def _parse_options(text: str) -> dict[str, list[str]]:
    """Return the words that follow each option."""
    values: dict[str, list[str]] = {}
    name = ""
    for word in text.split():
        if word[1:] in OPTIONS and word[0] == "-":
            name = word[1:]
            if name in values:
                raise InputError(f"-{name} is there twice")
            values[name] = []
        elif not name:
            raise InputError(f"a file starts with one of -{', -'.join(OPTIONS)}, not with {shorten(word)}")
        else:
            values[name].append(word)
    for name in OPTIONS:
        if not values.get(name):
            raise InputError(f"-{name} is missing" if name not in values else f"-{name} has no value")
    return values


def _parse_whole(name: str, words: list[str], low: int, high: int) -> int:
    text = " ".join(words)
    is_number = text.isascii() and text.isdigit() and len(text) < 20
    if not is_number or not low <= int(text) <= high:
        raise InputError(f"-{name} must be a whole number from {low} to {high}, not {shorten(text)}")
    return int(text)


def _parse_reach(words: list[str], board: Board) -> F64:
    """Return the weights of both players: [2, 1326]."""
    if len(words) != NUM_PLAYERS * NUM_HANDS:
        raise InputError(f"-reach must have {NUM_PLAYERS * NUM_HANDS} numbers, not {len(words)}")
    ranges = np.array([_parse_weight(word, place) for place, word in enumerate(words)])
    ranges = ranges.reshape(NUM_PLAYERS, NUM_HANDS)
    for player, hand in np.argwhere((ranges > 0) & ~compatible_hands(board)):
        name = hand_name(int(hand))
        raise InputError(f"-reach gives the {PLAYERS[player]} {name}, which holds a card of the board")
    for player in range(NUM_PLAYERS):
        if not ranges[player].any():
            raise InputError(f"-reach gives the {PLAYERS[player]} no hand at all")
    return ranges


def _parse_weight(word: str, place: int) -> float:
    try:
        weight = float(word)
    except ValueError:
        weight = np.nan
    if not 0 <= weight <= 1:
        player, hand = divmod(place, NUM_HANDS)
        raise InputError(
            f"-reach of the {PLAYERS[player]}, {hand_name(hand)}: a number from 0 to 1, not {shorten(word)}"
        )
    return weight
