"""Answers to bets that a solved spot does not have: the rest of the hand solved anew, safely.

The new spot begins with the opponent's decision, with the bet added to its moves, and goes on to the end of
the hand (`sog.poker.safe_spots`). Nothing of the old solve is needed below it but what its strategy there is
worth: each hand of the opponent stops with what it wins at best against the old strategy and the old moves.

Verified: tests/poker/test_safe_spots.py.
"""

from typing import NamedTuple, TypeVar

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.bet_sizes import AddedBet, BetSizes, RemovedMove
from sog.games.holdem.cards import NUM_HANDS, compatible_hands
from sog.games.holdem.move_paths import add_bet, split_moves
from sog.games.holdem.spot import Spot
from sog.poker.safe_rivers import GADGET_MIX
from sog.poker.safe_spots import SafeSolver
from sog.poker.solved_spot import Node, SolvedSpot

_Own = TypeVar("_Own", AddedBet, RemovedMove)


class Question(NamedTuple):
    """A decision of a solved spot, as a spot of its own, and what the opponent who acts there has."""

    spot: Spot  # the opponent's range is what chance may have dealt it
    stops: F64  # [1326] chips from the start of the hand that its hands win at best
    before: F64  # [1326] from 0 to 1: with which share they come there


def ask(solved: SolvedSpot, moves: str) -> Question:
    """Return the decision before the last of some moves, a bet, which its spot has besides its own moves.

    moves: with cards, `check,bet60` or `check,check,2c,bet60`. The bet may be on the menu already.
    """
    *words, bet = split_moves(moves) or [""]
    if not bet:
        raise InputError("no bet: write the moves that lead to it and the bet, such as check,bet60")
    if solved.spot.locks or solved.spot.rake.percent:
        raise InputError("spots with locked strategies or rake cannot be answered safely")
    if not solved.solver.has_rivers:
        raise InputError("the solve was saved without rivers: what hands win at best is not known")
    try:
        node = solved.find(",".join(words))
    except InputError as error:
        raise InputError(str(error).removeprefix("--node").lstrip(",: ")) from None
    opponent, street, made = node.betting.to_act, node.street, _moves_of(node)
    reach = np.array([solved.reach(node, player) for player in range(NUM_PLAYERS)])
    ranges = reach.copy()
    ranges[opponent] = solved.spot.ranges[opponent] * compatible_hands(node.scene.cards)
    spot = solved.spot._replace(
        board=node.scene.cards,
        betting=node.betting,
        sizes=add_bet(_rebase(solved.spot.sizes, _moves_to(node)), node.betting, bet),
        ranges=np.clip(ranges, 0, 1),
        street_start=solved.spot.street_start if node.scene.above == () else street.bettings[_start(node)],
        history=(*solved.spot.history, *made) if node.scene.above == () else made,
    )
    before = np.zeros(NUM_HANDS)
    held = ranges[opponent] > 0
    before[held] = reach[opponent][held] / ranges[opponent][held]
    return Question(spot, solved.best_values(node), np.clip(before, 0, 1))


def answer_bet(
    solved: SolvedSpot,
    moves: str,
    mix: float = GADGET_MIX,
    algorithm: str = "dcfr",
    threads: int | None = None,
) -> SafeSolver:
    """Return a solve, at its start, that answers the bet at the end of these moves safely.

    mix: see `SafeSolver`; with 1 the opponent's range is nothing but its choice to enter.

    >>> from sog.games.holdem.bet_sizes import parse_bet_sizes
    >>> from sog.games.holdem.cards import parse_board
    >>> from sog.games.holdem.spot import make_spot
    >>> spot = make_spot(parse_board("9s7c5s4h3c"), 200, 400, parse_bet_sizes("100"), np.ones((2, 1326)))
    >>> from sog.poker.spot_solver import SpotSolver
    >>> solver = SpotSolver(spot, threads=1)
    >>> _ = solver.run(iterations=100)
    >>> answer = answer_bet(SolvedSpot(spot, solver), "check,bet70", threads=1)
    >>> answer.run(iterations=200).exploitability < 0.2  # chips
    True
    """
    question = ask(solved, moves)
    before = None if mix == 1 else question.before
    return SafeSolver(question.spot, question.stops, before, mix, algorithm, threads=threads)


def _start(node: Node) -> int:
    """Return the node at which the street of a node begins."""
    number, layout = node.number, node.street.layout
    while number not in node.street.starts:
        number = int(layout.parent[number])
    return number


def _moves_of(node: Node) -> tuple[str, ...]:
    """Return the labels of the moves of a node's street that lead to it."""
    return tuple(node.street.path(node.number)[1:])


def _moves_to(node: Node) -> tuple[str, ...]:
    """Return the labels of all moves that lead to a node, without cards."""
    path = node.scene.paths[int(node.street.path(node.number)[0])]
    above = [word for word in path.split(",") if word and not _is_card(word)]
    return (*above, *_moves_of(node))


def _is_card(word: str) -> bool:
    return len(word) == 2 and word[0] in "23456789TJQKA" and word[1] in "cdhs"


def _rebase(sizes: BetSizes, made: tuple[str, ...]) -> BetSizes:
    """Return sizes whose added bets and removed moves are told from a later start; others are left out."""
    streets = [
        street._replace(
            added=tuple(moved for own in street.added for moved in _shorten(own, made)),
            removed=tuple(moved for own in street.removed for moved in _shorten(own, made)),
        )
        for street in sizes.streets
    ]
    return BetSizes(streets[0], streets[1], streets[2], streets[3], sizes.limits)


def _shorten(own: _Own, made: tuple[str, ...]) -> list[_Own]:
    words = own.path.split(",")
    if tuple(words[: len(made)]) != made or len(words) == len(made):
        return []
    return [own._replace(path=",".join(words[len(made) :]))]
