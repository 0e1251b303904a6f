"""What regret-based pruning could skip at most: leaves below moves that no hand of their player may want.

A move is pruned on a board where the regrets of all the player's hands are negative. The leaves below it need
no value for that player, until a regret may have come back. The shares are what is found with a bound of
zero and no bookkeeping, so they are the most that pruning could save of the leaves' evaluation.

    python -m benchmarks holdem_pruning
"""

import numpy as np

from benchmarks.holdem_variants import turn_spot
from sog.core.arrays import I64, Bools
from sog.games.base import NUM_PLAYERS
from sog.poker.spot_solver import SpotSolver
from sog.poker.workspaces import ROOT_BOARD, StreetNode

VARIANTS = ("dcfr(gamma=3)", "dcfr(beta=0.5,gamma=3)")  # the default, and what the paper advises for pruning
ITERATIONS = (20, 60, 120, 220)


def main() -> None:
    """Print both players' shares after some iterations."""
    print("turn Td9d6hQc: river leaves of both players below moves that all hands regret")
    for variant in VARIANTS:
        solver = SpotSolver(turn_spot(), variant, threads=1)
        for iterations in ITERATIONS:
            solver.advance(iterations - solver.iterations)
            first, second = (share_pruned(solver, player) for player in range(NUM_PLAYERS))
            print(f"  {variant:24} {iterations:4} iterations {first:6.1%} {second:6.1%}", flush=True)


def share_pruned(solver: SpotSolver, player: int) -> float:
    """Return the share of a player's leaves on all rivers that lie below a pruned move, on any street."""
    root, leaves, pruned = solver.root, 0, 0
    above = spread(find_pruned(root, ROOT_BOARD, player), inputs_of(root, player))
    for node in root.below:
        inputs, slots = inputs_of(node, player), node.units[player].leaves["slot"]
        for board in range(len(node.level.boards)):
            is_pruned = find_pruned(node, board, player)
            is_pruned[: node.slots[player].size] = above[node.slots[player]]  # slots of the starts
            leaves, pruned = leaves + slots.size, pruned + int(spread(is_pruned, inputs)[slots].sum())
    return pruned / leaves


def find_pruned(node: StreetNode, board: int, player: int) -> Bools:
    """Return which moves all hands on a board regret: [slots], for one hand."""
    own, sums = node.units[player], node.sums[player]
    rows, ends = node.level.rows(board)[player], node.level.lists[player].first_row
    slots, starts = node.street.layout.num_slots[player], int(own.steps[0]["rows"])
    # The blocks of boards overlap by the rows of the starts, and the last one ends with the array.
    base = sums.regret.size - (slots - starts) * int(ends[-1] - ends[board]) - starts * rows.size
    table = sums.regret[base : base + slots * rows.size].reshape(slots, rows.size)
    pruned: Bools = np.all(table[:, np.unique(rows.row)] < 0, axis=1)
    pruned[:starts] = False
    return pruned


def inputs_of(node: StreetNode, player: int) -> I64:
    """Return the slot before each slot: [slots], its own for those of the starts."""
    inputs = np.arange(node.street.layout.num_slots[player])
    for step in node.units[player].steps[1:]:
        first = int(step["output"])
        inputs[first : first + max(1, int(step["num_actions"]))] = int(step["input"])
    return inputs


def spread(is_pruned: Bools, inputs: I64) -> Bools:
    """Return which slots are pruned or lie below one that is; a slot comes after the one before it."""
    spread = is_pruned.copy()
    for slot, before in enumerate(inputs.tolist()):
        spread[slot] |= spread[before]
    return spread


if __name__ == "__main__":
    main()
