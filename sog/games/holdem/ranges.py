"""Ranges: a weight from 0 to 1 for each of the 1,326 hands, written as players write them.

A range is a list of tokens, parted by commas or spaces:

- `AA`, `AKs` (suited), `AKo` (offsuit), `AK` (both), `AhKh` (one hand);
- `TT+`: the pair and all higher ones; `A2s+`: the kicker rises to just below the first card (A2s … AKs);
- `77-55`, `A5s-A2s`: from one to the other, the first card fixed; `JTs-54s`: both cards fall together;
- `25%`: the best hands, by their equity against any two cards (`hand_order`);
- `random`: every hand.

Each may end in a weight, `KQo:0.5` or `KQo:50%`; without one it is 1. `[50]A8s+,KQ[/50]` gives several tokens
one weight, in percent. A hand named twice has the weight of the later token, so `AKs,AhKh:0.5` is AKs with
one hand at half. Nothing at all is the full range. Cases, spaces and empty places between commas do not
matter.

Verified: tests/games/holdem/test_ranges.py.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, I32
from sog.core.errors import InputError
from sog.games.holdem.cards import (
    HANDS,
    NUM_CARDS,
    NUM_HANDS,
    NUM_RANKS,
    RANKS,
    SUITS,
    Mask,
    board_name,
    compatible_hands,
    hand_name,
    parse_hand,
)
from sog.games.holdem.hand_order import top_hands
from sog.games.holdem.range_grid import CELLS, NUM_CELLS, find_cell
from sog.games.parameters import shorten

_EVERYTHING = "random"
_ACE = NUM_RANKS - 1
_HAND = re.compile(f"([{RANKS}][{SUITS}]){{2}}", re.IGNORECASE)
_GROUP = re.compile(f"([{RANKS}])([{RANKS}])([so]?)", re.IGNORECASE)
_WEIGHT = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(e-?[0-9]+)?", re.IGNORECASE)
_TOP = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)%")
_BRACKET = re.compile(r"\[([^\]/]*)\]([^\[\]]*)\[/\1\]")
_EXAMPLES = "write hands as AA, AKs, AKo, AK, AhKh, TT+, A2s+, 77-55, A5s-A2s or 25%"


class _Group(NamedTuple):
    """Hands of two ranks: a pair, suited, offsuit or both."""

    high: int
    low: int
    suffix: str  # "s", "o", or "" for both and for pairs


def parse_range(text: str) -> F64:
    """Return the weights of a range: [1326].

    >>> weights = parse_range("TT+, AKs:0.5")
    >>> float(weights.sum())
    32.0
    """
    tight = re.sub(r"\s*([-:])\s*|\s+(?=[+%])", lambda match: match[1] or "", text.strip())
    if not tight:
        return np.ones(NUM_HANDS)
    weights = np.zeros(NUM_HANDS)
    tokens = [token for token in re.split(r"[\s,]+", _BRACKET.sub(_spread_weight, tight)) if token]
    if not tokens:
        raise InputError(f"range {shorten(text)} names no hand")
    for number, token in enumerate(tokens, start=1):
        try:
            hands, weight = _parse_token(token)
        except InputError as error:
            raise InputError(f"range, token {number} {shorten(token)}: {error}") from None
        weights[hands] = weight
    return weights


def _spread_weight(bracket: re.Match[str]) -> str:
    """Return the tokens in brackets, each with the weight that the brackets name."""
    return ",".join(f"{token}:{bracket[1]}%" for token in re.split(r"[\s,]+", bracket[2]) if token)


def _parse_token(token: str) -> tuple[I32, float]:
    """Return the hands that a token names, and their weight."""
    body, colon, number = token.partition(":")
    weight = 1.0
    if colon:
        plain = number.removesuffix("%")
        weight = float(plain) / (100 if plain != number else 1) if _WEIGHT.fullmatch(plain) else np.nan
        if not 0 <= weight <= 1:
            raise InputError(f"a weight is a number from 0 to 1, or a percentage, not {shorten(number)}")
    if body.lower() == _EVERYTHING:
        return np.arange(NUM_HANDS, dtype=np.int32), weight
    if match := _TOP.fullmatch(body):
        return top_hands(float(match[1])), weight
    if _HAND.fullmatch(body):
        return np.array([parse_hand(body)], np.int32), weight
    return _hands_of(_expand(body)), weight


def _expand(body: str) -> list[_Group]:
    """Return the groups that a group, `group+` or `group-group` stands for."""
    if body.endswith("+"):
        group = _parse_group(body[:-1])
        if _is_pair(group):
            return [_Group(rank, rank, "") for rank in range(group.low, NUM_RANKS)]
        return [group._replace(low=low) for low in range(group.low, group.high)]
    first, dash, second = body.partition("-")
    if not dash:
        return [_parse_group(body)]
    lower, upper = sorted((_parse_group(first), _parse_group(second)))
    rise, climb = upper.high - lower.high, upper.low - lower.low
    is_alike = lower.suffix == upper.suffix and _is_pair(lower) == _is_pair(upper)
    if not is_alike or rise not in (0, climb):
        raise InputError(
            "both ends must be pairs, share their first card, or be equally far apart, and alike in s or o"
        )
    return [
        _Group(lower.high + (step if rise else 0), lower.low + step, lower.suffix)
        for step in range(climb + 1)
    ]


def _is_pair(group: _Group) -> bool:
    return group.high == group.low


def _parse_group(text: str) -> _Group:
    match = _GROUP.fullmatch(text)
    if match is None:
        raise InputError(f"{shorten(text)} is not a hand; {_EXAMPLES}")
    low, high = sorted(RANKS.index(match[place].upper()) for place in (1, 2))
    if high == low and match[3]:
        raise InputError(f"the pair {shorten(text[:2])} is neither suited nor offsuit")
    return _Group(high, low, match[3].lower())


def _hands_of(groups: Iterable[_Group]) -> I32:
    """Return the hands of several groups: [hands]."""
    is_named = np.zeros(NUM_CELLS, np.bool_)
    for group in groups:
        if group.suffix != "o":
            is_named[find_cell(group.high, group.low, True)] = True
        if group.suffix != "s":
            is_named[find_cell(group.high, group.low, False)] = True
    return np.flatnonzero(is_named[CELLS]).astype(np.int32)


def format_range(weights: F64) -> str:
    """Return a short text that `parse_range` reads back exactly. weights: [1326].

    >>> format_range(parse_range("AhAs, 22+, AK, A2s:.25, A3s:.25"))
    '22+,AK,A3s-A2s:0.25'
    """
    if weights.shape != (NUM_HANDS,) or not ((weights >= 0) & (weights <= 1)).all():
        raise InputError("a range has 1,326 weights from 0 to 1")
    if (weights == weights[0]).all():
        return _token("random", float(weights[0]))
    highest, lowest = np.zeros(NUM_CELLS), np.ones(NUM_CELLS)
    np.maximum.at(highest, CELLS, weights)
    np.minimum.at(lowest, CELLS, weights)
    is_even = highest == lowest
    tokens = []
    for weight in np.unique(weights[weights > 0])[::-1]:
        whole = is_even & (highest == weight)
        names = _name_cells(whole) if whole.any() else []
        odd = np.flatnonzero((weights == weight) & ~is_even[CELLS])
        names += [hand_name(int(hand)) for hand in odd[::-1]]
        tokens += [_token(name, float(weight)) for name in names]
    return ",".join(tokens)


def _token(name: str, weight: float) -> str:
    return name if weight == 1 else f"{name}:{weight!r}"  # the shortest text that reads back exactly


def _name_cells(is_named: Mask) -> list[str]:
    """Return tokens for whole cells, from the aces down. is_named: [169]."""
    pairs = [rank for rank in range(NUM_RANKS) if is_named[find_cell(rank, rank, True)]]
    names = [_name_run(_Group(start, start, ""), _Group(end, end, "")) for start, end in _runs(pairs)]
    for high in range(_ACE, 0, -1):
        suited = [low for low in range(high) if is_named[find_cell(high, low, True)]]
        offsuit = [low for low in range(high) if is_named[find_cell(high, low, False)]]
        kinds = [("", suited)] if suited == offsuit else [("s", suited), ("o", offsuit)]
        for suffix, lows in kinds:
            for start, end in _runs(lows):
                names.append(_name_run(_Group(high, start, suffix), _Group(high, end, suffix)))
    return names


def _runs(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last of each run of consecutive ranks, the highest run first."""
    runs: list[tuple[int, int]] = []
    for rank in ranks:
        if runs and runs[0][1] == rank - 1:
            runs[0] = (runs[0][0], rank)
        else:
            runs.insert(0, (rank, rank))
    return runs


def _name_run(lowest: _Group, highest: _Group) -> str:
    """Return the token for the groups from the lowest to the highest."""
    if lowest == highest:
        return _name_group(lowest)
    is_open = highest.high == _ACE if _is_pair(highest) else highest.low == highest.high - 1
    return _name_group(lowest) + "+" if is_open else f"{_name_group(highest)}-{_name_group(lowest)}"


def _name_group(group: _Group) -> str:
    return RANKS[group.high] + RANKS[group.low] + group.suffix


def restrict_range(weights: F64, board: Sequence[int]) -> F64:
    """Return the range without the hands that hold a card of the board; refused if nothing is left."""
    restricted = np.where(compatible_hands(board), weights, 0.0)
    if not restricted.any():
        reason = f"all its hands hold a card of {board_name(board)}" if weights.any() else "its weights are 0"
        raise InputError(f"no hand of the range is left: {reason}")
    return restricted


def met_weights(weights: F64) -> F64:
    """Return the total weight of the hands that share no card with each hand. Both: [1326]."""
    by_card = np.zeros(NUM_CARDS)
    for place in range(2):
        np.add.at(by_card, HANDS[:, place], weights)
    met: F64 = weights.sum() - by_card[HANDS[:, 0]] - by_card[HANDS[:, 1]] + weights
    return met


def count_deals(ranges: F64) -> float:
    """Return the total weight of all pairs of hands that share no card; ranges: [2, 1326]."""
    return float(ranges[0] @ met_weights(ranges[1]))
