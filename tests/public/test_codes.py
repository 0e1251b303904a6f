import numpy as np

from sog.games.base import NUM_PLAYERS, TERMINAL
from sog.games.registry import load
from sog.public.opening import open_store
from sog.public.store import StateStore
from tests.codes import code_of


def leduc() -> tuple[StateStore, list[int]]:
    store = open_store(load("leduc"))
    node = 0
    while node < 200:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    return store, [node for node in range(200) if store.actor(node) != TERMINAL][::-1]


def test_codes_say_what_the_encoder_says_of_each_state_alone() -> None:
    store, nodes = leduc()
    store.codes(np.array(nodes[50:70], np.uint32))
    tables, numbers = store.codes(np.array(nodes, np.uint32))
    assert numbers.size == np.unique(numbers).size == len(nodes)
    for node, number in zip(nodes, numbers.tolist(), strict=True):
        code, record = code_of(store, node), tables.codes[number]
        features = np.zeros(code.features.size)
        used = slice(int(record["features"]), int(record["features_end"]))
        features[tables.feature[used]] = tables.value[used]
        np.testing.assert_array_equal(features, code.features)
        for name, columns in zip(("first_columns", "second_columns"), code.columns, strict=True):
            start = int(record[name])
            assert tables.columns[start : start + columns.size].tolist() == columns.tolist()
        start = int(record["choices"])
        assert tables.choices[start : start + code.choices.size].tolist() == code.choices.ravel().tolist()
        assert record["actor"] == store.actor(node)


def test_kept_codes_stay_where_they_are_and_those_of_boards_are_told_anew() -> None:
    store, nodes = leduc()
    first = store.codes(np.array(nodes[:3], np.uint32))[1]
    store.codes(np.array(nodes[3:9], np.uint32))
    assert store.codes(np.array(nodes[:3], np.uint32))[1].tolist() == first.tolist()
    board = open_store(load("connect_four"))
    children = list(board.children(0))
    for asked in (children[:2], children[1:4]):
        tables, numbers = board.codes(np.array(asked, np.uint32))
        assert numbers.tolist() == list(range(len(asked)))
        for node, number in zip(asked, numbers.tolist(), strict=True):
            record, code = tables.codes[number], code_of(board, node)
            start = int(record["choices"])
            assert tables.choices[start : start + 7].tolist() == code.choices[:, 0].tolist()
            for player, name in enumerate(("first_columns", "second_columns")):
                assert player < NUM_PLAYERS
                assert tables.columns[int(record[name])] == code.columns[player][0]


def test_what_codes_take_is_known() -> None:
    store, nodes = leduc()
    few = store.num_code_bytes
    tables, _ = store.codes(np.array(nodes, np.uint32))
    parts = [*tables, np.zeros(store.num_nodes, np.int32)]
    filled = sum(part.itemsize * 2 ** max(4, (part.size - 1).bit_length()) for part in parts)
    assert few < filled == store.num_code_bytes
    assert store.coded().tolist() == sorted(nodes)
    other, _ = leduc()
    for node in nodes:
        other.codes(np.array([node], np.uint32))
    assert other.num_code_bytes == store.num_code_bytes  # whatever the way
