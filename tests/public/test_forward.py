"""The forward index against the flows that it is made from."""

import numpy as np
import pytest

from sog.games.base import NUM_PLAYERS, AnyGame
from sog.games.registry import load
from sog.public.enumeration import enumerate_game
from tests.public.test_pair_rule import entries
from tests.random_game import RandomGame

GAMES = [
    load("kuhn"),
    load("goofspiel(cards=4)"),
    load("scotland_yard(map=glasses)"),
    load("openspiel:dark_hex(board_size=2)"),
    *(RandomGame(seed) for seed in range(20)),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_every_slot_knows_where_it_leads(game: AnyGame) -> None:
    store, layout = whole = enumerate_game(game)
    arrays, kinds = store.arrays(), set()
    for place in np.flatnonzero((layout.actor < NUM_PLAYERS) & (layout.num_children > 0)).tolist():
        node, actor, rows = int(layout.nodes[place]), int(layout.actor[place]), layout.size
        record = arrays.nodes[node]
        num_slots = int(record["num_actions"]) * int(rows[actor][place])
        expected: list[list[tuple[int, int]]] = [[] for _ in range(num_slots)]
        for child in layout.children(place):
            for source, target in entries(whole, child, actor):
                expected[source].append((int(layout.nodes[child]), target))
        kinds.add(bool(record["is_direct"]))
        assert record["is_plain"] == (record["is_direct"] and rows[0][place] == rows[1][place] == 1)
        if record["is_direct"]:
            children = [int(layout.nodes[child]) for child in layout.children(place)]
            width = int(rows[actor][place])
            assert expected == [[(children[slot // width], slot % width)] for slot in range(num_slots)]
            for child in layout.children(place):
                others = entries(whole, child, 1 - actor)
                assert others == [(row, row) for row in range(int(rows[1 - actor][place]))]
            continue
        for slot in range(num_slots):
            start = int(record["forward"]) + slot
            found = slice(int(arrays.forward_start[start]), int(arrays.forward_start[start + 1]))
            pairs = zip(arrays.forward_child[found], arrays.forward_target[found], strict=True)
            assert [(int(child), int(target)) for child, target in pairs] == expected[slot]
    assert kinds
