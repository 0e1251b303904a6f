"""A spot solved for one player, safely: hands of the opponent may take a value instead of entering.

The root of the spot is a decision of the opponent, in the middle of a street, or the start of one. The street
solver solves everything below it to the end of the hand, under the gadget of `sog.poker.safe_rivers`: every
hand of the opponent chooses by regret matching between the spot and a *stop value*, what it would have won at
best against the strategy that the player had there before (Burch, Johanson and Bowling 2014).

Let w(h) be the chance of an opponent's hand h, b(h) what it wins at best against the new strategy, s(h) its
stop value. Whatever the opponent does before the spot, it wins at most Σ w(h) max(0, b(h) − s(h)) more than
against the old strategy. That sum is the *excess*. A solve that has converged has none where some strategy of
the spot keeps every hand at its stop value, such as the old one; a bet that the old strategy did not know may
leave one.

Updates alternate: first the player learns, then the opponent together with its choice to enter.

Verified: tests/poker/test_safe_spots.py.
"""

from typing import Any

import numpy as np

from sog.core.arrays import F64, Float
from sog.core.errors import InputError
from sog.core.jit import ZERO, kernel
from sog.games.holdem.ranges import count_deals, met_weights
from sog.games.holdem.spot import Spot
from sog.poker.safe_rivers import BEFORE, ENTERED, GADGET_MIX, GADGET_SIZE, learn_to_enter, open_gadget
from sog.poker.spot_solver import SpotSolver
from sog.poker.visits import ANSWER, LEARN
from sog.poker.workspaces import ROOT_BOARD
from sog.solvers.cfr import PlayerState
from sog.solvers.schedules import discounts

_ONE = ((True, False), (False, True))
_BOTH = (True, True)
LEAST_SHARE = 1e-6  # of a hand that never enters, so that its strategy can be shown


class SafeSolver(SpotSolver):
    """A solve of a spot for the player who does not act first in it; it cannot be resumed from a file."""

    def __init__(
        self,
        spot: Spot,
        stops: F64,
        before: F64 | None = None,
        mix: float = GADGET_MIX,
        algorithm: str = "dcfr",
        dtype: type[np.floating[Any]] = np.float32,
        threads: int | None = None,
    ) -> None:
        """Prepare a solve at its start.

        spot: the player's range is the one that its play leads to; the opponent's has every hand that chance
            may have dealt it, whatever the opponent would have done with it.
        stops: [1326] what each hand of the opponent wins by stopping, in chips from the start of the hand on.
        before: [1326] from 0 to 1, how likely each hand of the opponent comes by the play that is thought of.
        mix: share of the opponent's range that is its choice to enter; the rest comes as `before` says. With
            1 the excess of a converged solve is smallest.
        """
        if spot.locks or spot.rake.percent:
            raise InputError("safe solves know no locked strategies and no rake")
        self.opponent = spot.betting.to_act
        self.resolver = 1 - self.opponent
        super().__init__(spot, algorithm, dtype, threads)
        if self.variant.updates != "alternating":
            raise InputError(f"{self.algorithm.name}: updates alternate in safe solves")
        self.mix = 1.0 if before is None else mix
        self._hands = self.levels[0].rows(0)[self.opponent]
        self._stops = self._count_stops(stops)
        self._coming = np.zeros(self._hands.size, self.dtype)  # of the opponent's rows at the root
        if before is not None:
            self._coming[self._hands.row] = before[self._hands.hands]
        self._gadget = np.zeros((GADGET_SIZE, self._hands.size), self.dtype)
        self._entered, self._weight = np.zeros(self._hands.size), 0.0  # sum over iterations, with weights
        workspace, player = self.root.workspaces[0], self.opponent
        ones = workspace.source.reach[self.resolver]
        reach = (self._coming, ones) if player == 0 else (ones, self._coming)
        self.root.workspaces[0] = workspace._replace(source=workspace.source._replace(reach=reach))
        self._state: PlayerState = workspace.work[player]._replace(
            reach=self._coming, values=workspace.out[player]
        )
        open_at_root(self.mix, self._gadget, self._state)
        self._is_current = False

    def _count_stops(self, stops: F64) -> Float:
        """Return stop values as rows have values: chips per deal, of all hands of a row."""
        ranges, rows = self.spot.ranges, self._hands
        weights = ranges[self.opponent] * met_weights(ranges[self.resolver]) / count_deals(ranges)
        counted = np.zeros(rows.size)
        np.add.at(counted, rows.row, (weights * stops)[rows.hands])
        return counted.astype(self.dtype)

    def _iterate(self, first: int, count: int) -> None:
        root, workspace = self.root, self.root.workspaces[0]
        if not self._is_current or count == 0:
            everything = self._make_visit(LEARN, _BOTH, np.array([1.0, 1.0, 1.0, self.variant.optimism]))
            self._enter(everything, root, workspace, ROOT_BOARD, ROOT_BOARD)
            self._is_current = True
        for row in discounts(self.variant, first, count):
            self._visit(self._make_visit(LEARN, _ONE[self.resolver], row))
            self._entered = (self._entered + self._gadget[ENTERED]) * row[2]
            self._weight = (self._weight + 1) * float(row[2])
            visit = self._make_visit(LEARN, _ONE[self.opponent], row)
            self._visit(visit)
            learn_at_root(self.mix, row, self._stops, self._gadget, self._state)
            self._enter(visit, root, workspace, ROOT_BOARD, ROOT_BOARD)

    def exploitability(self) -> float:
        """Return what a player can gain on average by answering best in the game with the gadget.

        Chips per deal of the spot's ranges; of this the opponent's part also holds for the hands that come by
        the play that was thought of.
        """
        entered, before = self._mean_entered(), self._gadget[BEFORE].astype(np.float64)
        best = self._best_values()
        won = self.mix * np.maximum(best, self._stops).sum() + (before * best).sum()
        stopped = self.mix * ((1 - entered) * self._stops).sum()
        return float(won - stopped + self._at_average(ANSWER, self.resolver)) / 2

    def excess(self) -> float:
        """Return what the opponent can win more than by stopping at best, in chips per deal of the ranges."""
        return float(np.maximum(self._best_values() - self._stops, 0).sum())

    def value(self) -> float:
        """Return what player 0 wins when both play the average policy, hands coming as they enter."""
        return self.play().value()

    def play(self) -> SpotSolver:
        """Return what both play as a solve like others, the opponent's range being the one that enters."""
        play = SpotSolver(self.played_spot(), self.algorithm.name, self.dtype.type, self._threads.size)
        for own, other in zip(self.nodes(), play.nodes(), strict=True):
            other.sums = own.sums
        play.iterations, play.seconds, play.trace = self.iterations, self.seconds, list(self.trace)
        return play

    def played_spot(self) -> Spot:
        """Return the spot with the opponent's range as it enters on average."""
        reach = self._mean_reach()
        shares = np.clip(reach / max(reach.max(), LEAST_SHARE), LEAST_SHARE, 1.0)
        ranges, rows = self.spot.ranges.copy(), self._hands
        ranges[self.opponent, rows.hands] *= shares[rows.row]
        return self.spot._replace(ranges=ranges)

    def _best_values(self) -> F64:
        """Return what the opponent's rows win at best: chips per deal."""
        self._visit(self._make_visit(ANSWER, _ONE[self.opponent], np.zeros(4)))
        self._is_current = False
        return self.root.workspaces[0].out[self.opponent].astype(np.float64)

    def _at_average(self, mode: int, player: int) -> float:
        """Return what a player wins where the opponent's hands come as they enter on average."""
        current = self._coming.copy()
        self._coming[:] = self._mean_reach()
        won = self._answer(mode, player)
        self._coming[:] = current
        return won

    def _mean_entered(self) -> F64:
        return np.asarray(self._entered / self._weight if self._weight > 0 else self._gadget[ENTERED])

    def _mean_reach(self) -> F64:
        return np.asarray(self.mix * self._mean_entered() + self._gadget[BEFORE], np.float64)


@kernel
def open_at_root(mix: float, gadget: Float, mine: PlayerState) -> None:
    """Forget the choice to enter at a spot's root; gadget and `mine.reach` modified in place."""
    rows = np.uint64(gadget.shape[1])
    open_gadget(mix, rows, rows, gadget, mine)


@kernel
def learn_at_root(mix: float, weights: F64, stops: Float, gadget: Float, mine: PlayerState) -> None:
    """Choose anew who enters at a spot's root; gadget and `mine.reach` modified in place."""
    learn_to_enter(mix, weights, ZERO, np.uint64(stops.size), stops, gadget, mine)
