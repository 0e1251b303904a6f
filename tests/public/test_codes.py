import numpy as np

from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.nets.codes import BLOCK, Codes
from sog.public.opening import open_store


def test_codes_say_what_the_encoder_says() -> None:
    store = open_store(load("leduc"))
    node = 0
    while node < 200:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    codes = Codes(store)
    nodes = [node for node in range(200) if store.actor(node) != TERMINAL][::-1]
    numbers = codes.numbers(np.array(nodes, np.int32))
    assert codes.nodes == sorted(nodes)
    assert codes.size == len(nodes) > BLOCK
    tables = codes.tables()
    for node, number in zip(nodes, numbers.tolist(), strict=True):
        code, record = store.encoded.encode(store, node), tables.codes[number]
        np.testing.assert_array_equal(codes.features[number], code.features)
        np.testing.assert_array_equal(codes.block(number // BLOCK)[number % BLOCK], code.features)
        for name, columns in zip(("first_rows", "second_rows"), code.columns, strict=True):
            start = int(record[name])
            assert tables.rows[start : start + columns.size].tolist() == columns.tolist()
        start = int(record["choices"])
        assert tables.choices[start : start + code.choices.size].tolist() == code.choices.ravel().tolist()
        assert record["actor"] == store.actor(node)
    assert codes.numbers(np.array(nodes[:3], np.int32)).tolist() == numbers[:3].tolist()  # once is enough
    assert codes.size == len(nodes)
