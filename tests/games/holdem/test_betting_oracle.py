"""OpenSpiel's universal_poker knows the same betting rules; every legal raise is an action there.

It refuses stacks below the big blind: those are in test_betting.py.
"""

from functools import cache
from typing import Any

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.games.base import CHANCE, TERMINAL
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.betting import (
    IP,
    NOBODY,
    Betting,
    Move,
    MoveKind,
    actor,
    apply,
    at_stake,
    deal,
    exact_move,
    legal_moves,
    start_hand,
)

pyspiel = pytest.importorskip("pyspiel")

FOLD, CALL = 0, 1  # OpenSpiel's actions; any other is the total commitment after a raise
KINDS = {FOLD: {MoveKind.FOLD}, CALL: {MoveKind.CHECK, MoveKind.CALL}}
NO_BETS = parse_bet_sizes("none")


@cache
def universal_poker(stack: int) -> Any:
    return pyspiel.load_game(
        "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,"
        "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,bettingAbstraction=fullgame,"
        f"stack={stack} {stack})"
    )


def deal_out(state: Betting) -> Betting:
    while actor(state) == CHANCE:
        state = deal(state)
    return state


def is_legal(state: Betting, total: int) -> bool:
    try:
        exact_move(state, total - state.round_start)
    except InputError:
        return False
    return True


def find(state: Betting, action: int) -> Move:
    if action > CALL:
        return exact_move(state, action - state.round_start)
    return next(move for move in legal_moves(state, NO_BETS) if move.kind in KINDS[action])


def choose(actions: list[int], rng: np.random.Generator) -> int:
    """Fold seldom, so that hands last; raise by the least, by the most, or by anything."""
    raises = [action for action in actions if action > CALL]
    if FOLD in actions and rng.random() < 0.1:
        return FOLD
    if not raises or rng.random() < 0.5:
        return CALL
    return int(rng.choice([raises[0], raises[-1], rng.choice(raises)]))


@pytest.mark.parametrize("stack", [100, 101, 150, 1_000, 20_000])
def test_legal_moves_are_those_of_openspiel(stack: int) -> None:
    rng = make_rng(stack)
    for _ in range(60):
        theirs, ours = universal_poker(stack).new_initial_state(), start_hand(stack)
        while not theirs.is_terminal():
            if theirs.is_chance_node():
                theirs.apply_action(int(rng.choice(theirs.legal_actions())))
                continue
            ours = deal_out(ours)
            assert actor(ours) == theirs.current_player()
            actions = theirs.legal_actions()
            kinds = {move.kind for move in legal_moves(ours, NO_BETS)}
            assert (MoveKind.FOLD in kinds) == (FOLD in actions)
            raises = {action for action in actions if action > CALL}
            edges = {min(raises), min(raises) - 1, max(raises), max(raises) + 1} if raises else {stack}
            assert {total for total in edges if is_legal(ours, total)} == edges & raises
            action = choose(actions, rng)
            ours = apply(ours, find(ours, action))
            theirs.apply_action(action)
        ours = deal_out(ours)
        assert actor(ours) == TERMINAL
        won = theirs.returns()[0]
        if ours.folded == NOBODY:
            assert abs(won) in (at_stake(ours), 0)
        else:
            assert won == (at_stake(ours) if ours.folded == IP else -at_stake(ours))
