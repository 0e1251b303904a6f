"""What is proven about positions that a search has met: who wins, and in how many moves at most.

A position is won for the player to move if one move leads to a won one, and lost if all moves lead to lost
ones. The store of a search has all children of every position that was expanded, ends of the game included,
so one pass over it from the last position to the first finds every proof that it holds.

Verified: tests/search/test_proofs.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import U32
from sog.core.jit import ONE, ZERO, kernel
from sog.games.base import NUM_PLAYERS, TERMINAL
from sog.public.following import utility_of
from sog.public.store import StateStore
from sog.public.store_arrays import StoreArrays

OPEN = 2  # a winner that is no player: nothing is proven, or the game is drawn
_OPEN = np.uint32(OPEN)


class Proofs(NamedTuple):
    """Of all nodes of a store."""

    winner: U32  # [N] player, or OPEN
    plies: U32  # [N] moves of both players until the game is over: no more than these

    def best_child(self, children: range, player: int) -> int:
        """Return where a proven node goes on: the shortest win, or the longest loss."""
        won = [child for child in children if self.winner[child] == player]
        if won:
            return min(won, key=lambda child: int(self.plies[child]))
        return max(children, key=lambda child: int(self.plies[child]))


def prove(store: StateStore) -> Proofs:
    """Return what a store proves, in a game in which nothing is hidden.

    >>> from sog.games.registry import load
    >>> from sog.public.opening import open_store
    >>> game = load("tictactoe")
    >>> store = open_store(game, (0b000_000_011, 0b000_011_000))  # crosses complete a row
    >>> store.expand([0])
    >>> proofs = prove(store)
    >>> int(proofs.winner[0]), int(proofs.plies[0])
    (0, 1)
    """
    winner, plies = np.full(store.num_nodes, OPEN, np.uint32), np.zeros(store.num_nodes, np.uint32)
    _prove(store.arrays(), winner, plies)
    return Proofs(winner, plies)


@kernel
def _prove(arrays: StoreArrays, winner: U32, plies: U32) -> None:
    """Prove all nodes, children before parents; winner and plies [N] modified in place."""
    count = np.uint64(winner.size)
    for index in range(count):
        node = count - ONE - np.uint64(index)
        record = arrays.nodes[node]
        if record["actor"] == TERMINAL:
            utility = utility_of(arrays, node, ZERO, ZERO)
            if utility != 0.0:
                winner[node] = 0 if utility > 0.0 else 1
        elif record["actor"] < NUM_PLAYERS and record["is_expanded"] != 0:
            mover, first = np.uint32(record["actor"]), np.uint64(record["first_child"])
            shortest, longest, is_lost = ZERO, ZERO, True
            for ordinal in range(np.uint64(record["num_children"])):
                child = first + np.uint64(ordinal)
                length = np.uint64(plies[child]) + ONE
                if winner[child] == mover:
                    if shortest == ZERO or length < shortest:
                        shortest = length
                elif winner[child] == _OPEN:
                    is_lost = False
                longest = max(longest, length)
            if shortest > ZERO:
                winner[node], plies[node] = mover, shortest
            elif is_lost:
                winner[node], plies[node] = np.uint32(1) - mover, longest
