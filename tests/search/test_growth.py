"""Trees grown by kernels against the public tree grown by Python, and unbiased samples of chance."""

import numpy as np
import pytest

from sog.games.base import AnyGame
from sog.games.registry import load
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.lanes import INTERIOR, LEGAL, NONE
from sog.search.resolving import first_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings
from tests.random_game import RandomGame


def searched(game: AnyGame, simulations: int, seed: int) -> Searcher:
    searcher = Searcher(open_store(game), None, SearchSettings(simulations=simulations))
    searcher.search(first_task(searcher.store, ROOT), seed)
    return searcher


STEP_FIELDS = ("num_actions", "rows", "input", "output", "first_row", "map_end")


class PlainTree:
    """A tree of steps that grows node by node, in plain Python."""

    def __init__(self, store: StateStore) -> None:
        self.store, self.nodes, self.expanded = store, [ROOT], set[int]()
        sizes = store.num_infostates(ROOT)
        self.slots: list[list[int]] = [[0], [0]]  # [P][N] of a node's row
        self.steps: list[list[tuple[int, ...]]] = [[(0, size, 0, 0, 0, 0)] for size in sizes]
        self.num_slots, self.num_rows, self.num_entries = [*sizes], [0, 0], [0, 0]

    def expand(self, place: int) -> None:
        store, node = self.store, self.nodes[place]
        self.expanded.add(place)
        actor, bases = store.actor(node), [slots[place] for slots in self.slots]
        if actor < 2:
            rows, actions = store.num_infostates(node)[actor], store.num_actions(node)
            bases[actor] = self.add_step(actor, actions, rows, self.slots[actor][place], rows * actions)
            self.num_rows[actor] += rows
        for child in store.children(node):
            self.nodes.append(child)
            for player in (0, 1):
                where = store.arrays().places[player][child]
                slot = bases[player] + int(where["start"])
                if where["is_mapped"]:
                    self.num_entries[player] += int(where["map_end"] - where["map_start"])
                    slot = self.add_step(player, 0, int(where["rows"]), 0, int(where["rows"]))
                self.slots[player].append(slot)

    def add_step(self, player: int, actions: int, rows: int, source: int, size: int) -> int:
        output = self.num_slots[player]
        entries, first_row = self.num_entries[player], self.num_rows[player]
        self.steps[player].append((actions, rows, source, output, first_row, entries))
        self.num_slots[player] += size
        return output


@pytest.mark.parametrize(
    "game",
    [*(RandomGame(seed) for seed in range(8)), load("leduc"), load("scotland_yard(map=glasses,rounds=3)")],
    ids=lambda game: game.info.name,
)
def test_grown_tree_is_the_public_tree_expanded_in_the_same_order(game: AnyGame) -> None:
    searcher = searched(game, 20, seed=3)
    lanes = searcher._lanes
    count = int(lanes.lane[0]["num_nodes"])
    nodes = lanes.nodes[0, :count]
    tree = PlainTree(searcher.store)
    parents = nodes["parent"].astype(np.int64)
    for node in [index for index in dict.fromkeys(parents.tolist()) if index != NONE]:
        tree.expand(node)
    assert tree.nodes == nodes["state"].tolist()
    for player in (0, 1):
        leaves = lanes.leaves[player, 0, :count]
        np.testing.assert_array_equal(leaves["slot"], tree.slots[player])
        rows = [searcher.store.num_infostates(node)[player] for node in tree.nodes]
        np.testing.assert_array_equal(leaves["rows"], rows)
        steps = lanes.steps[player, 0, : len(tree.steps[player])]
        for name, column in zip(STEP_FIELDS, zip(*tree.steps[player], strict=True), strict=True):
            np.testing.assert_array_equal(steps[name], column)
    np.testing.assert_array_equal(np.flatnonzero(nodes["kind"] == INTERIOR), sorted(tree.expanded))


def test_a_partial_node_holds_the_actions_that_were_chosen() -> None:
    searcher = searched(load("tictactoe"), 60, seed=1)
    lanes = searcher._lanes
    count = int(lanes.lane[0]["num_nodes"])
    nodes, rules = lanes.nodes[0, :count], searcher.store.arrays()
    assert nodes["is_partial"].any()
    assert not nodes["is_partial"][0]  # the current state has all its actions
    for node in np.flatnonzero(nodes["kind"] == INTERIOR):
        actor = int(rules.nodes[nodes["state"][node]]["actor"])
        row = lanes.steps[actor, 0, nodes["decision"][node]]["first_row"]
        children = int(np.count_nonzero(nodes["parent"] == node))
        assert lanes.marks[actor, 0, LEGAL, row] == children
    assert count < 9 + 61  # a node a simulation, no more


def value_of_jack(result: SearchResult, node: int) -> float:
    found = result.find(node)
    assert found is not None
    return float(result.summary(found).values[0][0])


@pytest.mark.parametrize("kept", [1, 4])
def test_sampled_outcomes_are_unbiased(kept: int) -> None:
    """A jack's value under uniform play, estimated from some of the public cards, is right on average."""
    store = open_store(load("leduc"))
    deal = next(iter(store.children(next(iter(store.children(ROOT))))))
    values = {}
    for limit in (0, kept):
        settings = SearchSettings(simulations=1, depth=1000, max_outcomes=limit, alternates=False)
        searcher = Searcher(store, None, settings)
        values[limit] = [
            value_of_jack(searcher.search(first_task(store, ROOT), seed), deal)
            for seed in range(1 if limit == 0 else 300)
        ]
    spread = np.std(values[kept]) / np.sqrt(len(values[kept]))
    assert spread > 0
    assert abs(np.mean(values[kept]) - values[0][0]) < 4 * spread
