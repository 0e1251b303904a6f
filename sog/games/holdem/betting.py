"""The betting of heads-up no-limit hold'em: a state is a value, rules are pure functions.

Player 0 is out of position (the big blind) and acts first from the flop on; player 1 has the button (the
small blind) and acts first before the flop. Chips are whole numbers. Both players may commit the same number
of chips in a hand, the smaller stack: what the other has beyond it can never be lost.

Sizes (`bet_sizes`) become chips like this. A bet or raise of p percent matches what the opponent has
committed and adds p percent of the pot after that call, rounded to the nearest chip. Then:

- a raise is at least the big blind and at least as large as the round's previous raise (Brown and Sandholm,
  "Solving imperfect-information games via discounted regret minimization", experimental setup). A smaller
  size is lifted to that minimum, so that a small bet is still on the menu where one was wanted, and is called
  by its chips;
- a first bet of fewer chips than the minimum is lifted too, but a raise to too few chips is left out: it has
  been overtaken, and lifting it would let both players raise by the minimum again and again;
- a size that reaches the stack is all-in, on the menu or not; all-in may be less than the minimum raise;
- sizes that come to the same number of chips are one move, with the label of the larger percentage.

Labels are `fold`, `check`, `call`, `allin`, `bet75` and `raise100` (percentages), `bet325c` and `raise900c`
(chips put in during the round), `raise2.5x` (times the opponent's bet), `bete` and `bet2e` (geometric).

Verified: tests/games/holdem/test_betting.py (the river tree of the public-state CFR paper node by node, legal
raises against OpenSpiel's universal_poker).
"""

import re
from collections.abc import Sequence
from enum import Enum
from math import inf
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.holdem.bet_sizes import (
    FLOP,
    MAX_CHIPS,
    PREFLOP,
    RIVER,
    BetSizes,
    Menu,
    StreetSizes,
    format_geometric,
    format_percent,
    format_times,
)
from sog.games.parameters import shorten, whole_number

OOP, IP = 0, 1  # out of position, in position
NOBODY = -1
STACK, SMALL_BLIND, BIG_BLIND = 20_000, 50, 100
SMALLEST_BET = 1  # where no big blind is known

_EXACT = re.compile("(?:bet|raise)(?:=([0-9]{1,10})c?|([0-9]{1,10})c)")
_PERCENT_BET = re.compile(r"(bet|raise)([0-9]+\.?[0-9]*|\.[0-9]+)")


class MoveKind(Enum):
    """What a move does."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"  # bets, raises and all-in alike


class Move(NamedTuple):
    """A legal move."""

    kind: MoveKind
    total: int  # chips the player has committed in the hand after it
    label: str


class Betting(NamedTuple):
    """Everything about the betting that decides what may happen next; all of it is public."""

    street: int  # PREFLOP … RIVER
    committed: tuple[int, int]  # chips of each player in the pot since the hand began
    to_act: int  # who moves next, NOBODY when the round is over
    folded: int  # who has folded, or NOBODY
    num_moves: int  # in this round
    num_raises: int  # bets and raises in this round; blinds do not count
    last_raise: int  # by how many chips the round's last bet or raise went up, 0 before the first
    round_start: int  # what each player had committed when the round began
    stack: int  # the most a player may commit in the hand
    big_blind: int  # the smallest bet
    dead: int  # chips in the pot beyond what both have committed, from both in halves: antes, an odd chip
    aggressor: int = NOBODY  # who bet last in this round or, before its first bet, in the round before


class Rake(NamedTuple):
    """What the house takes from a pot that is won after the flop."""

    percent: float = 0
    cap: float = 0  # chips at most; 0 for any number


def rake_chips(state: Betting, rake: Rake) -> float:
    """Return what is taken from the pot of a terminal state; a bet that was not called goes back first."""
    chips = rake.percent / 100 * (2 * min(state.committed) + state.dead)
    return min(chips, rake.cap) if rake.cap else chips


def start_hand(
    stack: int = STACK, small_blind: int = SMALL_BLIND, big_blind: int = BIG_BLIND, ante: int = 0
) -> Betting:
    """Return the betting before the flop, blinds and antes posted. `stack`: what each starts the hand with.

    A stack that a blind exceeds is posted whole. If the small blind takes it all, nobody has a choice left.

    >>> start_hand(80).committed, start_hand(40).to_act == NOBODY
    ((80, 50), True)
    """
    big_blind = whole_number("holdem", "big blind", big_blind, 1, MAX_CHIPS)
    small_blind = whole_number("holdem", "small blind", small_blind, 0, big_blind)
    ante = whole_number("holdem", "ante", ante, 0, MAX_CHIPS)
    stack = whole_number("holdem", "stack", stack, 1 + ante, MAX_CHIPS) - ante
    return Betting(
        street=PREFLOP,
        committed=(min(big_blind, stack), min(small_blind, stack)),
        to_act=IP if small_blind < stack else NOBODY,
        folded=NOBODY,
        num_moves=0,
        num_raises=0,
        last_raise=big_blind,
        round_start=0,
        stack=stack,
        big_blind=big_blind,
        dead=2 * ante,
    )


def start_street(street: int, pot: int, stack: int, big_blind: int = BIG_BLIND) -> Betting:
    """Return the betting at the start of a street from the flop on, half of the pot from each player.

    `stack` is what each player has left. The big blind is at most half the pot, since both have paid it.

    >>> state = start_street(RIVER, 200, 19_900)
    >>> state.committed, state.stack
    ((100, 100), 20000)
    """
    street = whole_number("holdem", "street", street, FLOP, RIVER)
    pot = whole_number("holdem", "pot", pot, 2, MAX_CHIPS)
    stack = whole_number("holdem", "stack", stack, 0, MAX_CHIPS)
    big_blind = whole_number("holdem", "big blind", big_blind, 1, pot // 2)
    share = pot // 2
    return _open_round(street, (share, share), stack=share + stack, big_blind=big_blind, dead=pot - 2 * share)


def _open_round(
    street: int,
    committed: tuple[int, int],
    *,
    stack: int,
    big_blind: int,
    dead: int,
    aggressor: int = NOBODY,
) -> Betting:
    """Return the start of a round after the flop; nobody acts if both are all-in."""
    return Betting(
        street=street,
        committed=committed,
        to_act=OOP if committed[OOP] < stack else NOBODY,
        folded=NOBODY,
        num_moves=0,
        num_raises=0,
        last_raise=0,
        round_start=committed[OOP],
        stack=stack,
        big_blind=big_blind,
        dead=dead,
        aggressor=aggressor,
    )


def actor(state: Betting) -> int:
    """Return who moves next: a player, CHANCE when a card is due, TERMINAL after a fold or at showdown."""
    if state.folded != NOBODY:
        return TERMINAL
    if state.to_act != NOBODY:
        return state.to_act
    return CHANCE if state.street < RIVER else TERMINAL


def is_showdown(state: Betting) -> bool:
    """Whether the hands are compared now."""
    return actor(state) == TERMINAL and state.folded == NOBODY


def pot_size(state: Betting) -> int:
    """Return the chips in the pot."""
    return sum(state.committed) + state.dead


def at_stake(state: Betting) -> float:
    """Return what the loser of a terminal state loses, and the winner wins, in chips.

    Winnings count from the start of the hand; an odd chip of the pot came from both in halves.
    """
    return min(state.committed) + state.dead / 2


def legal_moves(state: Betting, sizes: BetSizes, exact: Sequence[int] = ()) -> list[Move]:
    """Return the moves of the player to act: fold or check, call, then bets from small to large.

    The bets that were added to `sizes` at this state are among them. `exact` has bets beside the menu, in
    chips put in during the round (see `exact_move`).

    >>> from sog.games.holdem.bet_sizes import parse_bet_sizes
    >>> [move.label for move in legal_moves(start_street(RIVER, 200, 19_900), parse_bet_sizes("50,allin"))]
    ['check', 'bet50', 'allin']
    """
    own, other = state.committed[state.to_act], state.committed[1 - state.to_act]
    moves = [Move(MoveKind.CHECK, own, "check")]
    if other > own:
        moves = [Move(MoveKind.FOLD, own, "fold"), Move(MoveKind.CALL, other, "call")]
    street = sizes.streets[state.street]
    if other < state.stack:
        bets = {move.total: move for move in (exact_move(state, chips) for chips in exact)}
        added = [bet for bet in street.added if bet.state == state]
        bets |= {bet.total: Move(MoveKind.BET, bet.total, bet.label) for bet in added}
        bets |= _menu_moves(state, sizes)
        moves += [bets[total] for total in sorted(bets)]
    removed = [move.label for move in street.removed if move.state == state]
    return [move for move in moves if move.label not in removed] if removed else moves


def _menu_moves(state: Betting, sizes: BetSizes) -> dict[int, Move]:
    """Return the bets of the menu by the commitment after them."""
    cap, threshold, merge = sizes.limits
    if cap and state.num_raises >= cap:
        return {}
    menu = _find_menu(state, sizes.streets[state.street])
    moves = _chip_moves(state, menu)
    moves += [move for times in menu.times if (move := times_move(state, times)) is not None]
    moves += [geometric_move(state, streets) for streets in menu.geometric]
    moves += [percent_move(state, percent) for percent in menu.percents]
    moves += [_all_in(state)] * menu.allin
    own = state.committed[state.to_act]
    most = own + threshold / 100 * (state.stack - own) if threshold else state.stack
    bets = {move.total: move for move in (_all_in(state) if m.total >= most else m for m in moves)}
    return _merge(state, bets, 1 + merge / 100) if merge else bets


def _find_menu(state: Betting, street: StreetSizes) -> Menu:
    """Return the sizes from which the player to act chooses."""
    own = street.oop if state.to_act == OOP else street.ip
    is_donk = state.to_act == OOP and state.aggressor == IP
    if street.donk is not None and is_donk and not state.num_raises:
        return street.donk
    if state.num_raises:
        return street.raises if own is None else own.raises
    return street.first if own is None else own.first


def _merge(state: Betting, bets: dict[int, Move], ratio: float) -> dict[int, Move]:
    """Return bets without those that are close to a larger one, pot and bet together."""
    matched = max(state.committed)
    kept: dict[int, Move] = {}
    last = inf
    for total in sorted(bets, reverse=True):
        size = 2 * matched + state.dead + (total - matched)
        if last / size >= ratio:
            kept[total], last = bets[total], size
    return kept


def _chip_moves(state: Betting, menu: Menu) -> list[Move]:
    least, most = (total - state.round_start for total in (_least_total(state), state.stack))
    return [
        exact_move(state, min(max(chips, least), most))
        for chips in menu.chips
        if chips >= least or not state.num_raises
    ]


def times_move(state: Betting, times: float) -> Move | None:
    """Return the raise to so many times the opponent's bet; None if there is none, or it is too small."""
    total = state.round_start + int(times * (max(state.committed) - state.round_start) + 0.5)
    if total >= state.stack:
        return _all_in(state)
    if total < _least_total(state):
        return None
    return Move(MoveKind.BET, total, bet_word(state) + format_times(times))


def geometric_move(state: Betting, streets: int) -> Move:
    """Return the bet of the share of the pot that is all-in after so many streets (0: on the river).

    >>> geometric_move(start_street(FLOP, 100, 1_300, 1), 0).total  # the pot three times: 100, 300, 900
    150
    """
    matched = max(state.committed)
    pot = 2 * matched + state.dead
    times = (1 + 2 * (state.stack - matched) / pot) ** (1 / (streets or RIVER + 1 - state.street))
    move = percent_move(state, 50 * (times - 1))
    is_lifted = move.label == "allin" or move.label.endswith("c")
    return move if is_lifted else move._replace(label=bet_word(state) + format_geometric(streets))


def percent_move(state: Betting, percent: float) -> Move:
    """Return the bet or raise of a percentage of the pot, lifted to the minimum; all-in at the stack.

    >>> percent_move(start_street(RIVER, 200, 19_900), 75)
    Move(kind=<MoveKind.BET: 'bet'>, total=250, label='bet75')
    """
    matched = max(state.committed)
    pot = 2 * matched + state.dead
    total, least = matched + int(percent * pot / 100 + 0.5), _least_total(state)
    if max(total, least) >= state.stack:
        return _all_in(state)
    if total < least:
        return exact_move(state, least - state.round_start)
    return Move(MoveKind.BET, total, bet_word(state) + format_percent(percent))


def exact_move(state: Betting, chips: int) -> Move:
    """Return the bet, or the raise to, an exact number of chips put in during the round.

    >>> exact_move(start_street(RIVER, 200, 19_900), 325)
    Move(kind=<MoveKind.BET: 'bet'>, total=425, label='bet325c')
    """
    total, label = state.round_start + chips, f"{bet_word(state)}{chips}c"
    least = min(_least_total(state), state.stack)
    if max(state.committed) >= state.stack:
        raise InputError(f"{label}: the opponent is all-in")
    if not least <= total <= state.stack:
        low, high = least - state.round_start, state.stack - state.round_start
        raise InputError(f"{label}: from {low}c to {high}c are possible here")
    return _all_in(state) if total == state.stack else Move(MoveKind.BET, total, label)


def _all_in(state: Betting) -> Move:
    return Move(MoveKind.BET, state.stack, "allin")


def _least_total(state: Betting) -> int:
    """Return the commitment after the smallest raise."""
    return max(state.committed) + max(state.big_blind, state.last_raise)


def bet_word(state: Betting) -> str:
    """Return what a bet is called here: a bet over a bet, or over the blinds, is a raise."""
    return "raise" if max(state.committed) > state.round_start else "bet"


def find_move(state: Betting, moves: Sequence[Move], text: str) -> Move:
    """Return the one of several moves that a person means by `check`, `bet75`, `all-in`, `raise900c`, …

    A percentage that comes to the chips of another size, such as all-in, names that one too.

    >>> from sog.games.holdem.bet_sizes import parse_bet_sizes
    >>> state = start_street(RIVER, 200, 19_900)
    >>> find_move(state, legal_moves(state, parse_bet_sizes("50,allin")), "bet100c").label
    'bet50'
    """
    label = plain_label(text)
    for move in moves:
        if move.label == label:
            return move
    total = _named_total(state, text)
    for move in moves:
        if move.kind == MoveKind.BET and move.total == total:
            return move
    raise InputError(f"{shorten(text)} is not a move here; the moves are {', '.join(m.label for m in moves)}")


def _named_total(state: Betting, text: str) -> int | None:
    """Return the commitment after a bet that a text names in chips or percent; None if it does not."""
    chips, percent = chips_of(text), percent_of(text)
    if chips is not None:
        return state.round_start + chips
    if percent is None or not plain_label(text).startswith(bet_word(state)):
        return None
    return percent_move(state, percent).total


def percent_of(text: str) -> float | None:
    """Return the percentage of the pot that a bet or raise names, `bet75`; None if it names none."""
    match = _PERCENT_BET.fullmatch(plain_label(text))
    return None if match is None else float(match[2])


def plain_label(text: str) -> str:
    """Return a move's label as it is written here, of what a person has written.

    >>> plain_label("Bet 75%"), plain_label("all-in")
    ('bet75', 'allin')
    """
    return re.sub(r"[\s%]", "", text.lower()).replace("all-in", "allin")


def chips_of(text: str) -> int | None:
    """Return the chips that a move names, `bet325c` or `bet=325`; None if it names none."""
    match = _EXACT.fullmatch(plain_label(text))
    return None if match is None else int(match[1] or match[2])


def apply(state: Betting, move: Move) -> Betting:
    """Return the betting after a move of the player to act.

    A check or a call ends the round unless it is the round's first move; so does a call that leaves nothing
    to bet.
    """
    player = state.to_act
    if move.kind == MoveKind.FOLD:
        return state._replace(to_act=NOBODY, folded=player, num_moves=state.num_moves + 1)
    committed = (move.total, state.committed[1]) if player == OOP else (state.committed[0], move.total)
    after = state._replace(committed=committed, to_act=1 - player, num_moves=state.num_moves + 1)
    if move.kind == MoveKind.BET:
        raised = move.total - max(state.committed)
        return after._replace(num_raises=state.num_raises + 1, last_raise=raised, aggressor=player)
    is_over = state.num_moves > 0 or min(committed) >= state.stack
    return after._replace(to_act=NOBODY) if is_over else after


def deal(state: Betting) -> Betting:
    """Return the betting after the next street's cards; asked only where chance acts."""
    return _open_round(
        state.street + 1,
        state.committed,
        stack=state.stack,
        big_blind=state.big_blind,
        dead=state.dead,
        aggressor=state.aggressor if state.num_raises else NOBODY,
    )
