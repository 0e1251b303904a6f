"""All plays of a game as one flat graph, for algorithms that sample them.

A **row** is a pair of infostates in a public state, one of each player, that chance makes possible. Its
**moves** lead to rows of child nodes, with `P = C_child / C` (`sog.games.view`). A row in which a player acts
knows the slots of the acting infostate in the layout, so sampled regrets land where the traversal's do. Where
an action may lead to several pairs, because of facts that both players ignore, it leads to a further row, in
which chance chooses among them.

Verified: tests/public/test_pairs.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, I64, U32, U64, Records
from sog.core.errors import InputError
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.public.enumeration import Enumeration
from sog.public.following import joint_entry, utility_of
from sog.public.forward import entry_at, num_entries
from sog.public.layout import Layout
from sog.public.store_arrays import StoreArrays

MOST_PAIRS = 20_000_000  # possible or not

ROW = np.dtype(
    [
        ("actor", "u4"),
        ("slot", "u4"),  # players: slot of the acting infostate's first action
        ("stride", "u4"),  # players: from one action's slot to the next
        ("move_start", "u4"),  # range in moves
        ("num_moves", "u4"),
        ("utility", "f8"),  # terminal rows: player 0's
    ]
)
MOVE = np.dtype([("row", "u4"), ("chance", "f8")])  # where a move leads, and chance's probability of it
_STEP = np.dtype([("source", "u4"), ("ordinal", "u4"), ("target", "u4"), ("chance", "f8")])


class PairGraph(NamedTuple):
    """All rows of a game; row 0 is the root's."""

    rows: Records  # [R] ROW
    moves: Records  # [E] MOVE, in the order of a row's actions or outcomes


class PairOdds(NamedTuple):
    """How likely the rows of a graph are: 0 in the further rows of chance."""

    weight: F64  # [R] chance's probability of the pair
    other: U32  # [R] where a player acts: slot of the other player's infostate


class _Cells(NamedTuple):
    """All pairs of infostates of N nodes, possible or not, one node's after the other's, row by row."""

    first: U64  # [N] of each node
    weight: F64  # [cells] joint weight
    utility: F64  # [cells] at terminals
    number: U32  # [cells] row of a possible pair


def collect_pairs(whole: Enumeration) -> tuple[PairGraph, PairOdds]:
    """Gather the possible pairs of a game that is wholly enumerated."""
    arrays, layout = whole.store.arrays(), whole.layout
    sizes = layout.size[0].astype(np.int64) * layout.size[1]
    if sizes.sum() > MOST_PAIRS:
        raise InputError(f"{whole.store.facts.name} has too many worlds to go through them one by one")
    first = (np.cumsum(sizes) - sizes).astype(np.uint64)
    cells = _Cells(first, np.zeros(sizes.sum()), np.zeros(sizes.sum()), np.zeros(sizes.sum(), np.uint32))
    _weigh_cells(arrays, layout.nodes, cells)
    possible = np.flatnonzero(cells.weight)
    cells.number[possible] = np.arange(possible.size)
    node = np.repeat(np.arange(sizes.size), sizes)[possible]
    rows, other = _make_rows(layout, cells, possible, node)
    parent = layout.parent.astype(np.uint32)
    steps = np.zeros(_list_steps(arrays, layout.nodes, parent, cells, np.zeros(0, _STEP)), _STEP)
    _list_steps(arrays, layout.nodes, parent, cells, steps)
    graph = _sort_moves(rows, steps)
    odds = PairOdds(np.zeros(graph.rows.size), np.zeros(graph.rows.size, np.uint32))
    odds.weight[: rows.size], odds.other[: rows.size] = cells.weight[possible], other
    return graph, odds


def _make_rows(layout: Layout, cells: _Cells, possible: I64, node: I64) -> tuple[Records, U32]:
    """Return the rows of possible cells, in the nodes given, without their moves; and `PairOdds.other`."""
    rows, other = np.zeros(possible.size, ROW), np.zeros(possible.size, np.uint32)
    rows["actor"] = layout.actor[node]
    rows["utility"] = np.round(cells.utility[possible], 12)  # quotients: equal utilities shall be equal
    pair = np.divmod(possible - cells.first[node].astype(np.int64), layout.size[1][node])
    for player in range(NUM_PLAYERS):
        acts = rows["actor"] == player
        steps = layout.players[player].steps[layout.decision_step[node[acts]]]
        rows["slot"][acts], rows["stride"][acts] = steps["output"] + pair[player][acts], steps["rows"]
        other[acts] = layout.slot[1 - player][node[acts]] + pair[1 - player][acts]
    return rows, other


def _sort_moves(rows: Records, steps: Records) -> PairGraph:
    """Sort steps by row and ordinal, with a row of chance wherever an action has several outcomes."""
    is_chance = rows["actor"][steps["source"]] == CHANCE
    steps["ordinal"][is_chance] = np.arange(np.count_nonzero(is_chance))
    steps = steps[np.lexsort((steps["ordinal"], steps["source"]))]
    is_first = np.ones(steps.size, np.bool_)
    is_first[1:] = np.any([steps[key][1:] != steps[key][:-1] for key in ("source", "ordinal")], axis=0)
    group = np.cumsum(is_first) - 1
    is_split = np.bincount(group, minlength=1)[group] > 1
    splits = steps[is_split & is_first]
    chance = np.zeros(splits.size, ROW)
    chance["actor"] = CHANCE
    added = steps[is_split]
    added["source"] = rows.size + np.cumsum(is_first[is_split]) - 1
    splits["target"], splits["chance"] = rows.size + np.arange(splits.size), 1.0
    steps = np.concatenate([steps[~is_split], splits, added])
    rows = np.concatenate([rows, chance])
    steps = steps[np.lexsort((steps["ordinal"], steps["source"]))]
    moves = np.zeros(steps.size, MOVE)
    moves["row"], moves["chance"] = steps["target"], steps["chance"]
    rows["num_moves"] = np.bincount(steps["source"], minlength=rows.size)
    rows["move_start"][1:] = np.cumsum(rows["num_moves"])[:-1]
    return PairGraph(rows, moves)


@kernel
def _weigh_cells(arrays: StoreArrays, nodes: U32, cells: _Cells) -> None:
    """Fill joint weights, and utilities of possible pairs at terminals; cells modified in place."""
    for index in range(nodes.size):
        node, cell = np.uint64(nodes[index]), cells.first[index]
        is_over = arrays.nodes[node]["actor"] == TERMINAL
        for i in range(np.uint64(arrays.places[0][node]["rows"])):
            for j in range(np.uint64(arrays.places[1][node]["rows"])):
                row, column = np.uint64(i), np.uint64(j)
                cells.weight[cell] = joint_entry(arrays, node, row, column)
                if is_over and cells.weight[cell] > 0:
                    cells.utility[cell] = utility_of(arrays, node, row, column)
                cell += ONE


@kernel
def _list_steps(arrays: StoreArrays, nodes: U32, parent: U32, cells: _Cells, steps: Any) -> np.uint64:
    """Return how many steps lead from a possible pair to another; as many as there is room for are filled."""
    count = ZERO
    for below in range(nodes.size - 1):
        index = np.uint64(below) + ONE
        node, above = np.uint64(nodes[index]), np.uint64(parent[index])
        places = arrays.places[0][node], arrays.places[1][node]
        columns = np.uint64(places[1]["rows"])
        for i in range(num_entries(places[0])):
            source0, row = entry_at(places[0], arrays.map_source, arrays.map_target, np.uint64(i))
            for j in range(num_entries(places[1])):
                source1, column = entry_at(places[1], arrays.map_source, arrays.map_target, np.uint64(j))
                cell = cells.first[index] + row * columns + column
                if cells.weight[cell] > 0:
                    if count < np.uint64(steps.size):
                        origin, ordinal = _origin(arrays, np.uint64(nodes[above]), source0, source1)
                        start = cells.first[above] + origin
                        steps[count]["source"] = cells.number[start]
                        steps[count]["ordinal"] = ordinal
                        steps[count]["target"] = cells.number[cell]
                        steps[count]["chance"] = cells.weight[cell] / cells.weight[start]
                    count += ONE
    return count


@inlined
def _origin(
    arrays: StoreArrays, node: np.uint64, source0: np.uint64, source1: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return the pair of infostates that sources stand for, as a cell of the node, and the action taken."""
    actor = np.uint64(arrays.nodes[node]["actor"])
    rows, columns = np.uint64(arrays.places[0][node]["rows"]), np.uint64(arrays.places[1][node]["rows"])
    ordinal = ZERO
    if actor == ZERO:
        ordinal, source0 = source0 // rows, source0 % rows
    elif actor == ONE:
        ordinal, source1 = source1 // columns, source1 % columns
    return source0 * columns + source1, ordinal
