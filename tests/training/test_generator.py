from dataclasses import replace
from typing import Any

import numpy as np

from sog.games.registry import load
from sog.training.examples import OUTCOME, RECURSIVE, Examples, join_examples
from sog.training.generator import Generator, RoundOutput
from tests.training.dense import dense
from tests.training.tiny import tiny_config


def rounds(generator: Generator, count: int) -> Examples:
    outputs: list[RoundOutput] = [generator.round() for _ in range(count)]
    return join_examples([examples for output in outputs for examples in output.examples])


def are_equal(one: Examples, other: Examples) -> bool:
    return all(
        np.array_equal(ours, theirs) for ours, theirs in zip(list[Any](one), list[Any](other), strict=True)
    )


def test_same_seed_same_examples() -> None:
    config = tiny_config()
    found = [rounds(Generator(config, seed), 4) for seed in (1, 1, 2)]
    assert are_equal(found[0], found[1])
    assert found[0].size != found[2].size or not are_equal(found[0], found[2])


def test_a_generator_goes_on_from_a_state_bit_for_bit() -> None:
    config = tiny_config()
    one = Generator(config, 1)
    weights = {name: array + 0.01 for name, array in _weights(one).items()}
    rounds(one, 3)
    one.take_weights(weights, 1)
    rounds(one, 2)
    state = one.state()
    other = Generator(config, 99)
    other.restore(state)
    assert other._context.memory() == one._context.memory()
    assert are_equal(rounds(one, 5), rounds(other, 5))


def test_a_state_is_not_changed_by_going_on() -> None:
    one = Generator(tiny_config(), 1)
    rounds(one, 3)
    state = one.state()
    before = {name: array.copy() for name, array in state.items()}
    rounds(one, 3)
    assert all(np.array_equal(state[name], before[name]) for name in before)


def test_counts_are_of_the_round() -> None:
    generator = Generator(tiny_config(), 1)
    outputs = [generator.round() for _ in range(6)]
    for output in outputs:
        examples = join_examples(output.examples)
        assert output.counts.solved == np.sum(examples.heads["origin"] != OUTCOME)
        assert output.counts.searches in (0, 4)
        assert output.counts.seconds > 0
    recursive = sum(
        int(np.sum(part.heads["origin"] == RECURSIVE)) for output in outputs for part in output.examples
    )
    assert 0 < recursive <= sum(output.counts.recursive for output in outputs)


def test_new_weights_change_what_is_found() -> None:
    config = tiny_config()
    one, other = Generator(config, 1), Generator(config, 1)
    other.take_weights({name: array + 0.3 for name, array in _weights(other).items()}, 1)
    assert not are_equal(rounds(one, 1), rounds(other, 1))


def test_later_searches_are_others() -> None:
    config = tiny_config(later={"after": 10, "search": "20,0.5", "solver": "2,1"})
    one, plain = Generator(config, 1), Generator(tiny_config(), 1)
    assert are_equal(rounds(one, 2), rounds(plain, 2))
    for steps, expected in ((9, (10, 5)), (10, (20, 2))):
        one.take_weights(_weights(one), steps)
        assert (one._searcher.settings.simulations, one._solver.searcher.settings.simulations) == expected
    assert one._searcher.settings.per_update == 0.5
    assert one._searcher.settings.algorithm == config.search.algorithm  # what is not said is as before
    rounds(one, 2)
    other = Generator(config, 99)
    other.restore(one.state())
    assert other._searcher.settings.simulations == 20
    assert are_equal(rounds(one, 3), rounds(other, 3))


def _weights(generator: Generator) -> dict[str, Any]:
    return {name: value.numpy() for name, value in generator._context.network.state_dict().items()}


def test_a_small_memory_forgets_and_goes_on_and_can_be_saved_too() -> None:
    config = tiny_config(selfplay={"td1_share": 1.0}, run={"memory_mb": 1.2})
    config = replace(config, game="leduc")
    one, forgotten = Generator(config, 1), 0
    for _ in range(30):
        store = one.store
        examples = dense(load("leduc"), join_examples(one.round().examples))
        assert np.all(np.isfinite(examples.values))
        np.testing.assert_allclose(examples.ranges.reshape(-1, 2, 6).sum(axis=2), 1, rtol=1e-5)
        forgotten += one.store is not store
    assert forgotten > 3
    other = Generator(config, 99)
    other.restore(one.state())
    assert are_equal(rounds(one, 20), rounds(other, 20))


def test_little_memory_for_searches_changes_nothing_that_is_found() -> None:
    one, other = (Generator(replace(tiny_config(), game="leduc"), 1) for _ in range(2))
    for share in one._context.shares:
        share.num_bytes = 100_000
    assert are_equal(rounds(one, 12), rounds(other, 12))
    assert one._context.shares[1].at_once < 100
    third = Generator(replace(tiny_config(), game="leduc"), 2)
    third.restore(one.state())
    assert third._context.shares == tuple(replace(share, num_bytes=2**28) for share in one._context.shares)


def test_a_ground_takes_what_its_parts_take() -> None:
    one = Generator(tiny_config(), 1)
    memory = one.round().memory
    store = one.store
    assert memory["store"] == store.num_bytes > 0
    assert memory["codes"] == store.num_code_bytes > 0
    assert memory["answers"] == 0
    assert memory["lanes"] > 100_000
