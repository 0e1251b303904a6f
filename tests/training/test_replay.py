import numpy as np

from sog.core.rng import make_rng
from sog.nets.spec import Sizes
from sog.training.records import PLAYED, RECURSIVE, Examples, Query, allocate_examples
from sog.training.replay import QueryQueue, Replay

SIZES = Sizes((2,), (1, 1), 3)


def numbered(first: int, count: int, origin: int = PLAYED) -> Examples:
    examples = allocate_examples(SIZES, count)
    examples.features[:, 0] = np.arange(first, first + count)
    examples.origins[:] = origin
    return examples


def queries(first: int, count: int, origin: int) -> list[Query]:
    return [Query((number,), (np.ones(1), np.ones(1)), origin) for number in range(first, first + count)]


def test_the_oldest_examples_make_room() -> None:
    replay = Replay(SIZES, capacity=5, updates_per_example=1.0)
    replay.add(numbered(0, 3))
    assert replay.size == 3
    replay.add(numbered(3, 4))
    assert replay.size == 5
    assert replay.added == 7
    assert sorted(replay.all().features[:, 0]) == [2, 3, 4, 5, 6]


def test_every_example_in_the_window_is_drawn_equally_often() -> None:
    replay = Replay(SIZES, capacity=8, updates_per_example=1e6)
    replay.add(numbered(0, 12))
    drawn = replay.draw(80_000, make_rng(3)).features[:, 0]
    numbers, counts = np.unique(drawn, return_counts=True)
    assert numbers.tolist() == list(range(4, 12))
    assert np.all(np.abs(counts / 10_000 - 1) < 0.05)


def test_the_account_allows_so_many_draws_and_no_more() -> None:
    replay = Replay(SIZES, capacity=100, updates_per_example=2.0)
    assert not replay.can_draw(1)
    replay.add(numbered(0, 16))
    steps = 0
    while replay.can_draw(10):
        replay.draw(10, make_rng(steps))
        steps += 1
    assert steps == 3  # 32 draws
    assert replay.draws_left == 2
    replay.add(numbered(16, 4))
    assert replay.can_draw(10)


def test_arrays_restore_a_replay_that_goes_on_alike() -> None:
    first = Replay(SIZES, capacity=5, updates_per_example=1.5)
    first.add(numbered(0, 7))
    second = Replay(SIZES, capacity=5, updates_per_example=1.5)
    second.restore({name: array.copy() for name, array in first.arrays().items()})
    for replay in (first, second):
        replay.add(numbered(7, 2, RECURSIVE))
    assert first.draws_left == second.draws_left
    assert first.origins() == second.origins() == {PLAYED: 3, RECURSIVE: 2}
    one, other = (replay.draw(20, make_rng(1)) for replay in (first, second))
    np.testing.assert_array_equal(one.features, other.features)


def test_the_queue_is_bounded_and_recursive_queries_have_half_of_it_at_most() -> None:
    queue = QueryQueue(capacity=10)
    queue.extend(queries(0, 50, RECURSIVE))
    assert len(queue) == 5
    queue.extend(queries(100, 50, PLAYED))
    assert len(queue) == 15
    assert [query.route[0] for query in queue.waiting()] == [*range(45, 50), *range(140, 150)]  # the newest


def test_both_kinds_are_taken_in_proportion_oldest_first() -> None:
    queue = QueryQueue(capacity=100)
    queue.extend([*queries(0, 10, RECURSIVE), *queries(100, 30, PLAYED)])
    taken = queue.pop(20)
    assert [query.route[0] for query in taken] == [*range(5), *range(100, 115)]
    assert len(queue) == 20
    assert len(queue.pop(1000)) == 20
    assert queue.pop(5) == []
