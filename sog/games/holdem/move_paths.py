"""Moves in a row, as people write them: what was played before a spot begins, and bets added to its tree.

A path is moves parted by commas, `check,bet75,raise900c`: percentages of the pot as in bet sizes, chips put
in during the round with a `c`, or `allin`. Any legal bet may be written, on the menu or not, since opponents
do not keep to a menu.

Verified: tests/games/holdem/test_move_paths.py.
"""

from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.holdem.bet_sizes import (
    MAX_PERCENT,
    MIN_PERCENT,
    STREETS,
    AddedBet,
    BetSizes,
    RemovedMove,
    parse_bet_sizes,
    replace_street,
)
from sog.games.holdem.betting import (
    Betting,
    Move,
    MoveKind,
    actor,
    apply,
    bet_word,
    chips_of,
    deal,
    exact_move,
    find_move,
    legal_moves,
    percent_move,
    percent_of,
    plain_label,
)
from sog.games.parameters import shorten

_ALL_IN = parse_bet_sizes("allin")


class Path(NamedTuple):
    """Where moves lead."""

    state: Betting
    labels: tuple[str, ...]  # of the moves


def split_moves(text: str) -> list[str]:
    """Return the moves of a path.

    >>> split_moves("check, bet 75%")
    ['check', 'bet 75%']
    """
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    if "" in words:
        raise InputError(
            f"{shorten(text)} has an empty place between commas: write moves such as check,bet75"
        )
    return words


def play_history(state: Betting, text: str) -> Path:
    """Return where moves on one street lead; refuse moves after which nobody has a choice on that street.

    >>> from sog.games.holdem.betting import start_street
    >>> play_history(start_street(3, 200, 19_900), "check,bet75").state.committed
    (100, 250)
    """
    labels: list[str] = []
    for word in split_moves(text):
        move = _read_move_after(state, labels, word)
        state = apply(state, move)
        labels.append(move.label)
        if actor(state) == TERMINAL:
            raise InputError(f"the hand is over after {','.join(labels)!r}")
        if actor(state) == CHANCE:
            street = STREETS[state.street]
            raise InputError(
                f"the {street} round is over after {','.join(labels)!r}: start on the next board instead"
            )
    return Path(state, tuple(labels))


def add_bet(sizes: BetSizes, state: Betting, text: str) -> BetSizes:
    """Return the sizes with the last move of a path added where the others lead from `state`.

    A path may go through streets; the cards between them are not named, since the bet is added whatever card
    comes. A bet that the menu has already adds nothing.

    >>> from sog.games.holdem.betting import start_street
    >>> start = start_street(3, 200, 19_900)
    >>> sizes = add_bet(parse_bet_sizes("100"), start, "check,bet60")
    >>> [move.label for move in legal_moves(apply(start, legal_moves(start, sizes)[0]), sizes)]
    ['check', 'bet60', 'bet100']
    """
    words = split_moves(text)
    if not words:
        raise InputError("no bet: write the moves that lead to it and the bet, such as check,bet60")
    labels: list[str] = []
    for word in words[:-1]:
        known = [move for move in legal_moves(state, sizes) if move.label == plain_label(word)]
        move = known[0] if known else _read_move_after(state, labels, word)
        if move.total not in _totals(state, sizes, move.kind):
            raise _after(labels, f"{move.label} is not in the tree; add it first")
        state = _deal_on(apply(state, move))
        labels.append(move.label)
    bet = _read_move_after(state, labels, words[-1])
    if bet.kind != MoveKind.BET:
        raise InputError(f"{','.join([*labels, bet.label])!r} ends with {bet.label}: only bets can be added")
    if bet.total in _totals(state, sizes, MoveKind.BET):
        return sizes
    added = AddedBet(state, bet.total, bet.label, ",".join([*labels, bet.label]))
    street = sizes.streets[state.street]
    return replace_street(sizes, state.street, street._replace(added=(*street.added, added)))


def remove_move(sizes: BetSizes, state: Betting, text: str) -> BetSizes:
    """Return the sizes without the last move of a path where the others lead from `state`.

    >>> from sog.games.holdem.betting import start_street
    >>> start = start_street(3, 200, 19_900)
    >>> [move.label for move in legal_moves(start, remove_move(parse_bet_sizes("50,100"), start, "bet50"))]
    ['check', 'bet100']
    """
    words = split_moves(text)
    if not words:
        raise InputError("no move: write the moves that lead to it and the move, such as check,bet60")
    labels: list[str] = []
    for word in words[:-1]:
        move = _find_move_after(state, labels, sizes, word)
        state = _deal_on(apply(state, move))
        labels.append(move.label)
    move = _find_move_after(state, labels, sizes, words[-1])
    if len(legal_moves(state, sizes)) == 1:
        raise _after(labels, f"{move.label} is the only move left")
    removed = RemovedMove(state, move.label, ",".join([*labels, move.label]))
    street = sizes.streets[state.street]
    return replace_street(sizes, state.street, street._replace(removed=(*street.removed, removed)))


def _find_move_after(state: Betting, labels: list[str], sizes: BetSizes, text: str) -> Move:
    """Return the move of the tree that a text means after others, which an error names."""
    if actor(state) in (TERMINAL, CHANCE):
        raise _after(labels, f"{shorten(text)} comes where there is nothing to decide")
    try:
        return find_move(state, legal_moves(state, sizes), text)
    except InputError as error:
        raise _after(labels, str(error)) from None


def read_move(state: Betting, text: str) -> Move:
    """Return the move that a text means, on the menu or not.

    >>> from sog.games.holdem.betting import start_street
    >>> read_move(start_street(3, 200, 19_900), "Bet 60%").total
    220
    """
    label, chips, percent = plain_label(text), chips_of(text), percent_of(text)
    plain = {move.label: move for move in legal_moves(state, _ALL_IN)}
    if label in plain:
        return plain[label]
    if chips is None and percent is None:
        bets = f", {bet_word(state)}75 or {bet_word(state)}300c" if "allin" in plain else ""
        raise InputError(f"{shorten(text)} is not a move here; write {', '.join(plain)}{bets}")
    if not label.startswith(bet_word(state)):
        raise InputError(f"{shorten(text)} is not a move here; it is a {bet_word(state)} here")
    if "allin" not in plain:
        raise InputError(f"{shorten(text)}: the opponent is all-in; the moves are {', '.join(plain)}")
    if chips is not None:
        return exact_move(state, chips)
    assert percent is not None
    if not MIN_PERCENT <= percent <= MAX_PERCENT:
        raise InputError(f"{shorten(text)}: a percentage is from 1 to {MAX_PERCENT:.0f}")
    return percent_move(state, percent)


def _read_move_after(state: Betting, labels: list[str], text: str) -> Move:
    """Return the move that a text means after others, which an error names."""
    if actor(state) == TERMINAL:
        raise _after(labels, f"{shorten(text)} comes after the hand is over")
    if actor(state) == CHANCE:
        raise _after(labels, f"{shorten(text)}: both players are all-in, and only cards come")
    try:
        return read_move(state, text)
    except InputError as error:
        raise _after(labels, str(error)) from None


def _after(labels: list[str], reason: str) -> InputError:
    return InputError(f"after {','.join(labels)!r}: {reason}" if labels else reason)


def _totals(state: Betting, sizes: BetSizes, kind: MoveKind) -> set[int]:
    """Return the commitments to which the moves of a kind lead."""
    return {move.total for move in legal_moves(state, sizes) if move.kind == kind}


def _deal_on(state: Betting) -> Betting:
    """Return the betting when somebody acts next, or at the end."""
    while actor(state) == CHANCE:
        state = deal(state)
    return state
