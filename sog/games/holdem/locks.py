"""Locked strategies: how some hands play at one point of the betting, whatever a solve would find better.

A lock is written `check,bet75 > call TT+,AQs:0.5 | fold 99-22`: the moves that lead to the point (none for
the start), then for each move the hands that make it, with probabilities where ranges have weights. What is
left of a hand's probability is shared equally by the moves that are not named. Hands that are not named are
free. As with added bets, cards are not named: the lock holds whatever card comes.

Verified: tests/poker/test_locks.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, Bools
from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import BetSizes
from sog.games.holdem.betting import Betting, find_move, legal_moves
from sog.games.holdem.cards import NUM_HANDS, hand_name
from sog.games.holdem.move_paths import follow_path
from sog.games.holdem.ranges import parse_range
from sog.games.parameters import shorten

_ROUNDING = 1e-9


class Lock(NamedTuple):
    """A strategy that is given. A moves."""

    state: Betting
    policy: F64  # [A, 1326]
    is_locked: Bools  # [1326]
    text: str


def read_lock(sizes: BetSizes, start: Betting, text: str) -> Lock:
    """Return the lock that a text means in the tree from `start` on."""
    path, arrow, rest = text.partition(">")
    if not arrow:
        raise InputError(
            f"{shorten(text)}: write moves, >, and who plays what: 'check,bet75 > call TT+,AQ:0.5'"
        )
    state = follow_path(sizes, start, path)
    moves = legal_moves(state, sizes)
    policy, is_named = np.zeros((len(moves), NUM_HANDS)), np.zeros(len(moves), np.bool_)
    is_locked = np.zeros(NUM_HANDS, np.bool_)
    for part in rest.split("|"):
        word, _, hands = part.strip().partition(" ")
        place = moves.index(find_move(state, moves, word))
        if is_named[place]:
            raise InputError(f"{moves[place].label} is there twice")
        if not hands.strip():
            raise InputError(f"{moves[place].label}: name the hands, or random for all")
        policy[place] = parse_range(hands)
        is_named[place] = True
        is_locked |= policy[place] > 0
    total = policy.sum(axis=0)
    over = np.flatnonzero(total > 1 + _ROUNDING)
    if over.size:
        raise InputError(f"{hand_name(int(over[0]))} plays with probability {total[over[0]]:g}, more than 1")
    if is_named.all():
        policy[:, is_locked] /= total[is_locked]
    else:
        policy[np.ix_(~is_named, is_locked)] = (1 - total[is_locked]).clip(0) / np.count_nonzero(~is_named)
    return Lock(state, policy, is_locked, text.strip())
