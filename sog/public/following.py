"""Following a pair of infostates through the store: by joint weights alone, without worlds.

`P(child, s0', s1' | s0, s1, action) = C_child(s0', s1') / C(s0, s1)` (`sog.games.view`). At a decision the
acting infostate's slot leads to few children, mostly one, which the forward index names; what the other
player's infostate becomes in a child is arithmetic where its map is contiguous and found by halving where it
is not.

Verified: tests/public/test_following.py, tests/public/test_pair_rule.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, U32, Records
from sog.core.jit import ONE, ZERO, inlined, inner, kernel
from sog.games.base import CHANCE, NUM_PLAYERS
from sog.games.products import LEAF, Index, Leaves, entry, multiply_leaves
from sog.public.store_arrays import StoreArrays


class FollowWork(NamedTuple):
    """Work space of `weigh_rows`."""

    leaves: Records  # [P, 1] LEAF
    numbers: U32  # [2] of the matrix, and zero, the leaf
    ones: F64  # [H] of the player with more infostates


def make_work(rows: int) -> FollowWork:
    """Return work space for so many infostates."""
    return FollowWork(np.zeros((NUM_PLAYERS, 1), LEAF), np.zeros(2, np.uint32), np.ones(rows))


@inlined
def find_targets(
    arrays: StoreArrays, player: Index, child: np.uint64, source: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return the first target of a player's slot or infostate in a child, and how many there are.

    The first one is a place in `map_target` where the map is not contiguous: read it with `target_at`.
    """
    place = arrays.places[player][child]
    if not place["is_mapped"]:
        start = np.uint64(place["start"])
        if source < start or source >= start + np.uint64(place["rows"]):
            return ZERO, ZERO
        return source - start, ONE
    low, high = np.uint64(place["map_start"]), np.uint64(place["map_end"])
    end = high
    while low < high:
        middle = (low + high) >> ONE
        if np.uint64(arrays.map_source[middle]) < source:
            low = middle + ONE
        else:
            high = middle
    count = ZERO
    while low + count < end and np.uint64(arrays.map_source[low + count]) == source:
        count += ONE
    return low, count


@inlined
def target_at(
    arrays: StoreArrays, player: Index, child: np.uint64, first: np.uint64, index: np.uint64
) -> np.uint64:
    """Return one of the targets that `find_targets` found."""
    if arrays.places[player][child]["is_mapped"]:
        return np.uint64(arrays.map_target[first + index])
    return first


@inlined
def joint_entry(arrays: StoreArrays, node: np.uint64, row: np.uint64, column: np.uint64) -> float:
    """Return chance's probability of a pair of infostates."""
    record, columns = arrays.nodes[node], np.uint64(arrays.places[1][node]["rows"])
    weight: float = entry(arrays.matrices, np.uint64(record["joint"]), row, column, columns)
    return weight * float(record["joint_scale"])


@inner
def weigh_child(arrays: StoreArrays, child: np.uint64, source0: np.uint64, source1: np.uint64) -> float:
    """Return the joint weight of all pairs in a child that come from one slot or infostate of each player."""
    first, rows = find_targets(arrays, 0, child, source0)
    second, columns = find_targets(arrays, 1, child, source1)
    total = 0.0
    for i in range(rows):
        row = target_at(arrays, 0, child, first, np.uint64(i))
        for j in range(columns):
            total += joint_entry(arrays, child, row, target_at(arrays, 1, child, second, np.uint64(j)))
    return total


@inner
def draw_targets(
    arrays: StoreArrays, child: np.uint64, source0: np.uint64, source1: np.uint64, left: float
) -> tuple[np.uint64, np.uint64]:
    """Return the pair in a child at which the weights, one pair after the other, exceed `left`.

    The last pair with a weight if they never do.
    """
    first, rows = find_targets(arrays, 0, child, source0)
    second, columns = find_targets(arrays, 1, child, source1)
    found = ZERO, ZERO
    for i in range(rows):
        row = target_at(arrays, 0, child, first, np.uint64(i))
        for j in range(columns):
            column = target_at(arrays, 1, child, second, np.uint64(j))
            weight = joint_entry(arrays, child, row, column)
            if weight > 0 and left >= 0:
                found = row, column
                left -= weight
    return found


@inner
def follow_action(
    arrays: StoreArrays,
    node: np.uint64,
    row: np.uint64,
    column: np.uint64,
    action: np.uint64,
    uniform: float,
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the child and the pair after an action of the acting infostate, or an outcome of listed chance.

    A slot may feed several children (a detective's move ends the game only if Mr. X is there): the pair's
    joint weights say which, as they do of chance's; `uniform` in [0, 1) decides where they leave a choice.
    """
    record = arrays.nodes[node]
    first = np.uint64(record["first_child"])
    if record["is_direct"]:
        return first + action, row, column
    actor, source0, source1 = np.int64(record["actor"]), row, column
    begin, count = ZERO, np.uint64(record["num_children"])
    if actor != CHANCE:
        slot = action * np.uint64(arrays.places[actor][node]["rows"]) + (row if actor == 0 else column)
        source0, source1 = (slot, column) if actor == 0 else (row, slot)
        start = np.uint64(record["forward"]) + slot
        begin = np.uint64(arrays.forward_start[start])
        count = np.uint64(arrays.forward_start[start + ONE]) - begin
    left, child, last = uniform * joint_entry(arrays, node, row, column), ZERO, ZERO
    for index in range(count):
        candidate = first + index if actor == CHANCE else np.uint64(arrays.forward_child[begin + index])
        if candidate == last:
            continue  # a slot may split in a child, which is weighed as a whole
        last = candidate
        weight = weigh_child(arrays, candidate, source0, source1)
        if weight > 0:
            child = candidate
            if left < weight:
                break
            left -= weight
    row, column = draw_targets(arrays, child, source0, source1, left)
    return child, row, column


@kernel
def follow_play(
    arrays: StoreArrays,
    node: np.uint64,
    row: np.uint64,
    column: np.uint64,
    action: np.uint64,
    uniform: float,
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """`follow_action`, for calls from Python."""
    return follow_action(arrays, node, row, column, action, uniform)


@kernel
def follow_child(
    arrays: StoreArrays, child: np.uint64, row: np.uint64, column: np.uint64, uniform: float
) -> tuple[np.uint64, np.uint64]:
    """Return the pair in a child of chance, drawn among those that a pair may become there."""
    return draw_targets(arrays, child, row, column, uniform * weigh_child(arrays, child, row, column))


@kernel
def utility_of(arrays: StoreArrays, node: np.uint64, row: np.uint64, column: np.uint64) -> float:
    """Return player 0's utility of a pair of infostates where the game is over."""
    record, columns = arrays.nodes[node], np.uint64(arrays.places[1][node]["rows"])
    payoff: float = entry(arrays.matrices, np.uint64(record["payoff"]), row, column, columns)
    return payoff * float(record["payoff_scale"]) / joint_entry(arrays, node, row, column)


@kernel
def weigh_rows(arrays: StoreArrays, node: np.uint64, player: int, work: FollowWork, weights: F64) -> None:
    """Write how much joint weight each infostate of a player has [H]; weights and work modified in place."""
    for side in range(2):
        work.leaves[side, 0]["rows"] = arrays.places[side][node]["rows"]
    work.numbers[0] = arrays.nodes[node]["joint"]
    leaves = Leaves(
        nodes=work.numbers[1:],
        size=ONE,
        own=work.leaves[player],
        other=work.leaves[1 - player],
        numbers=work.numbers,
        scales=work.ones,
        is_negated=player == NUM_PLAYERS,  # never, and no constant: those are compiled once more
    )
    multiply_leaves(arrays.matrices, player, leaves, work.ones, weights)


@kernel
def joint_matrix(arrays: StoreArrays, node: np.uint64, matrix: F64) -> None:
    """Write the joint weights [H0, H1] of a node; matrix modified in place."""
    for i in range(matrix.shape[0]):
        row = np.uint64(i)
        for j in range(matrix.shape[1]):
            column = np.uint64(j)
            matrix[row, column] = joint_entry(arrays, node, row, column)
