"""Infostates of public states, described when they are asked for."""

import numpy as np
import pytest

from sog.games.base import CHANCE, TERMINAL
from sog.games.registry import load
from sog.nets.state_batch import StateBatch
from sog.public.opening import open_store
from sog.public.store import StateStore
from tests.codes import code_of

NONE = np.zeros(0, np.int64)


def some_nodes(store: StateStore, count: int) -> list[int]:
    node = 0
    while store.num_nodes < 8 * count:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    nodes = [node for node in range(store.num_nodes) if store.actor(node) != TERMINAL]
    return [int(node) for node in np.random.default_rng(1).permutation(nodes)[:count]]


@pytest.mark.parametrize("game", ["leduc", "scotland_yard", "scotland_yard(map=london,detectives=2)"])
def test_rows_are_those_of_each_state_alone(game: str) -> None:
    store = open_store(load(game))
    nodes = np.array(some_nodes(store, 40), np.uint32)
    tables, numbers = store.codes(nodes)
    queries = np.arange(0, nodes.size, 3)
    rows = StateBatch(store, nodes, tables, numbers, NONE).rows(queries)
    at = 0
    for query in queries.tolist():
        code = code_of(store, int(nodes[query]))
        columns = np.concatenate(code.columns).astype(np.int64)
        own = slice(at, at + columns.size)
        features = code.features.astype(np.float32)[None]
        told = store.described.describe_rows(features, np.zeros(columns.size, np.int64), columns)
        np.testing.assert_array_equal(rows.columns[own], columns)
        np.testing.assert_array_equal(rows.described[own], told)
        assert rows.owners[own].tolist() == [query // 3] * columns.size
        at += columns.size
    assert at == rows.columns.size > queries.size
    assert np.any(rows.described != 0)


def test_what_infostates_are_like_is_not_kept() -> None:
    store, nodes = open_store(load("scotland_yard(map=london)")), []
    for seed in range(6):
        rng, node, rows = np.random.default_rng(seed), 0, (0, 0)
        while (actor := store.actor(node)) != TERMINAL:
            moves = int(store.legal(node)[rows[actor]]) if actor < CHANCE else 1
            node, rows = store.follow(node, rows, int(rng.integers(moves)), rng)
            nodes.append(node)
    store.codes(np.array([node for node in nodes if store.actor(node) != TERMINAL], np.uint32))
    infostates = sum(store.num_infostates(node)[0] for node in nodes)
    described = 4 * store.encoded.encoding.row_features * infostates
    assert store.num_code_bytes < described / 4
