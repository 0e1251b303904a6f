"""A hand that was played, from a file, as a spot to solve: `--hand FILE`.

Files are read by PokerKit (`pip install 'sog[poker]'`): PHH (`.phh`, or `.phhs` with several hands) and
PokerStars' hand histories. The spot begins on the first street after the flop that two players begin, or on
the one asked for; what was bet from there on is added to the tree, so that the hand's own line is in it.
Chips are whole numbers: amounts with a decimal point are told in hundredths.

Verified: tests/interfaces/cli/test_hand_files.py.
"""

import warnings
from collections.abc import Iterator
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.bet_sizes import FLOP, STREETS
from sog.games.holdem.betting import OOP, Betting, actor, apply, bet_word, deal, start_street
from sog.games.holdem.cards import BOARD_SIZES
from sog.games.holdem.move_paths import read_move

_NO_LIMIT = "NT"
_CENTS = 100
_BETS, _CALLS, _FOLDS = "cbr", "cc", "f"


class PlayedSpot(NamedTuple):
    """Where a street of a hand began, and how it went on. Chips are multiplied by `unit`."""

    board: str
    pot: int
    stack: int  # the smaller one
    big_blind: int
    line: tuple[str, ...]  # the moves from there on, over all streets
    bets: tuple[str, ...]  # the paths of `line` that end with a bet, as --add-bet takes them
    unit: int  # 1, or 100 where amounts have decimals


class _Start(NamedTuple):
    """What PokerKit says of the beginning of a street."""

    street: int
    board: str
    pot: Any
    stack: Any
    first: int  # who acts first


def read_hand(text: str, street: str | None = None) -> PlayedSpot:
    """Return the spot of a hand: `FILE`, or `FILE#3` for the third of a file."""
    name, _, number = text.rpartition("#") if text.rpartition("#")[2].isdigit() else (text, "", "1")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PokerKit has opinions on fields that do not matter here
            return _make_spot(_pick(_hands(Path(name)), int(number), name), street)
    except InputError as error:
        raise InputError(f"--hand {text}: {error}") from None


def _hands(path: Path) -> Iterator[Any]:
    """Go through the hands of a file."""
    try:
        from pokerkit import HandHistory  # an extra
    except ImportError:
        raise InputError("PokerKit reads hands: pip install 'sog[poker]'") from None
    try:
        text = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError("is not a text file") from None
    try:
        if text.lstrip().startswith("PokerStars"):
            with redirect_stderr(StringIO()):  # where PokerKit prints what it then raises
                yield from HandHistory.from_pokerstars(text, error_status=True)
        elif path.suffix == ".phhs":
            yield from HandHistory.loads_all(text)
        else:
            yield HandHistory.loads(text)
    except (ValueError, KeyError, TypeError, StopIteration) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"is neither a PHH nor a PokerStars hand ({reason})") from None


def _pick(hands: Iterator[Any], number: int, name: str) -> Any:
    count = 0
    for hand in hands:
        count += 1
        if count == number:
            return hand
    raise InputError(f"{name} has {count} hand{'s' if count > 1 else ''}")


def _make_spot(hand: Any, street: str | None) -> PlayedSpot:
    if hand.variant != _NO_LIMIT:
        raise InputError(f"its game is {hand.variant}, not no-limit hold'em ({_NO_LIMIT})")
    if street is not None and street not in STREETS[FLOP:]:
        raise InputError(f"--street is {', '.join(STREETS[FLOP:])}, not {street}")
    start, moves = _play(hand, street)
    amounts = [start.pot, start.stack, *(amount for _, amount in moves if amount is not None)]
    big_blind = max(_values(hand.blinds_or_straddles))
    unit = 1 if all(amount == int(amount) for amount in (*amounts, big_blind)) else _CENTS
    pot, stack, blind = (round(unit * amount) for amount in (start.pot, start.stack, big_blind))
    if stack < 1:
        raise InputError("nobody has chips left to bet there")
    blind = min(blind, pot // NUM_PLAYERS)
    line, bets = _follow(start_street(start.street, pot, stack, blind), moves, unit)
    return PlayedSpot(start.board, pot, stack, blind, line, bets, unit)


def _values(blinds: Any) -> list[Any]:
    return list(blinds.values()) if isinstance(blinds, dict) else list(blinds)


def _play(hand: Any, street: str | None) -> tuple[_Start, list[tuple[str, Any]]]:
    """Return the beginning of a street between two players, and their moves from there on."""
    start, moves, known = None, [], 0
    try:
        for state, action in hand.state_actions:
            words = (action or "").split()
            if start is not None and len(words) > 1 and words[1] in (_BETS, _CALLS, _FOLDS):
                moves.append((words[1], _amount(hand, words)))
            cards = [card for row in state.board_cards for card in row]
            if state.actor_index is None or len(cards) == known or len(cards) not in BOARD_SIZES[FLOP:]:
                continue
            known, here = len(cards), BOARD_SIZES.index(len(cards))
            players = [seat for seat, is_in in enumerate(state.statuses) if is_in]
            if start is None and len(players) == NUM_PLAYERS and street in (None, STREETS[here]):
                stack = min(state.stacks[seat] for seat in players)
                board = "".join(map(repr, cards))
                start = _Start(here, board, state.total_pot_amount, stack, state.actor_index)
    except ValueError as error:
        raise InputError(f"cannot be played: {str(error).splitlines()[0]}") from None
    if start is None:
        where = "a street after the flop" if street is None else f"the {street}"
        raise InputError(f"two players with chips do not begin {where} in this hand")
    return start, moves


def _amount(hand: Any, words: list[str]) -> Any:
    """Return what a bet comes to in its round; None for other moves."""
    return hand.parse_value(words[2]) if words[1] == _BETS else None


def _follow(
    state: Betting, moves: list[tuple[str, Any]], unit: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return moves as labels, and the paths that end with a bet."""
    labels: list[str] = []
    bets: list[str] = []
    for kind, amount in moves:
        while actor(state) >= NUM_PLAYERS and state.folded < OOP and state.street + 1 < len(STREETS):
            state = deal(state)
        if actor(state) >= NUM_PLAYERS:  # the larger stack is asked once more where nothing can be added
            break
        chips = 0 if amount is None else round(unit * amount)
        if kind == _FOLDS:
            word = "fold"
        elif kind == _CALLS:
            word = "call" if len(set(state.committed)) > 1 else "check"
        else:
            is_all = state.round_start + chips >= state.stack
            word = "allin" if is_all else f"{bet_word(state)}{chips}c"
        move = read_move(state, word)
        labels.append(move.label)
        if kind == _BETS:
            bets.append(",".join(labels))
        state = apply(state, move)
    return tuple(labels), tuple(bets)
