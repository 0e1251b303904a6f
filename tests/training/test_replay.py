from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sog.core.rng import make_rng
from sog.training.examples import EXAMPLE, PLAYED, RECURSIVE, Examples
from sog.training.records import Query
from sog.training.replay import QueryQueue, Replay
from sog.training.shards import FOLDER, ShardFolder, read_shards


def numbered(first: int, count: int, origin: int = PLAYED) -> Examples:
    """Return examples with a number each and parts of different sizes."""
    numbers = np.arange(first, first + count)
    heads = np.zeros(count, EXAMPLE)
    sizes = 1 + numbers % 3
    for name in ("numbers", "halves", "bytes"):
        heads[name] = np.cumsum(sizes) - sizes
    heads["origin"] = origin
    pool = np.repeat(numbers, sizes)
    return Examples(heads, pool.astype(np.uint16), pool.astype(np.uint16), pool.astype(np.uint8))


def numbers_of(examples: Examples) -> list[int]:
    """Return the numbers of examples, all of whose parts must agree."""
    starts = [examples.heads[name].tolist() for name in ("numbers", "halves", "bytes")]
    found = [int(examples.numbers[start]) for start in starts[0]]
    for pool, places in zip(list[Any](examples)[1:], starts, strict=True):
        parts = pairwise((*places, pool.size))
        for number, (start, end) in zip(found, parts, strict=True):
            wanted = number % 256 if pool.itemsize == 1 else number
            assert pool[start:end].tolist() == [wanted] * (1 + number % 3)
    return found


def queries(first: int, count: int, origin: int) -> list[Query]:
    return [Query((number,), (np.ones(1), np.ones(1)), origin) for number in range(first, first + count)]


def test_the_oldest_examples_make_room() -> None:
    replay = Replay(capacity=5, updates_per_example=1.0)
    replay.add(numbered(0, 3))
    assert replay.size == 3
    replay.add(numbered(3, 4))
    assert replay.size == 5
    assert replay.added == 7
    assert numbers_of(replay.all()) == [2, 3, 4, 5, 6]


def test_every_example_in_the_window_is_drawn_equally_often() -> None:
    replay = Replay(capacity=8, updates_per_example=1e6)
    replay.add(numbered(0, 12))
    drawn = numbers_of(replay.draw(80_000, make_rng(3)))
    numbers, counts = np.unique(drawn, return_counts=True)
    assert numbers.tolist() == list(range(4, 12))
    assert np.all(np.abs(counts / 10_000 - 1) < 0.05)


def test_the_account_allows_so_many_draws_and_no_more() -> None:
    replay = Replay(capacity=100, updates_per_example=2.0)
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


def saved(replay: Replay, folder: Path, warn: Any = pytest.fail) -> dict[str, Any]:
    """Return what a checkpoint holds, its shards read back."""
    state = replay.save(ShardFolder(folder, 3))
    return {**state, "shards": read_shards(folder, state["shards"], warn)}


def test_a_saved_replay_goes_on_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sog.training.replay.SHARD_BYTES", 400)
    first, second = (Replay(capacity=50, updates_per_example=1.5) for _ in range(2))
    for start in range(0, 77, 7):
        first.add(numbered(start, 7))
    second.restore(saved(first, tmp_path))
    assert len(list((tmp_path / FOLDER).iterdir())) > 3
    for replay in (first, second):
        replay.add(numbered(77, 2, RECURSIVE))
    assert first.draws_left == second.draws_left
    assert first.origins() == second.origins() == {PLAYED: 48, RECURSIVE: 2}
    assert numbers_of(second.all()) == list(range(29, 79))
    one, other = (numbers_of(replay.draw(20, make_rng(1))) for replay in (first, second))
    assert one == other


def test_a_shard_is_written_once_and_removed_when_no_checkpoint_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sog.training.replay.SHARD_BYTES", 400)
    replay, folder = Replay(capacity=30, updates_per_example=1.0), ShardFolder(tmp_path, 2)
    ages: dict[str, int] = {}
    needed: list[set[str]] = []
    for start in range(0, 200, 10):
        replay.add(numbered(start, 10))
        needed.append(set(replay.save(folder)["shards"]))
        folder.clean(replay.added - replay.size)
        for path in (tmp_path / FOLDER).glob("*"):
            assert ages.setdefault(path.name, path.stat().st_mtime_ns) == path.stat().st_mtime_ns
        left = {path.name for path in (tmp_path / FOLDER).glob("*")}
        assert set().union(*needed[-2:]) <= left
    assert len(left) < len(ages) - 5


def test_a_damaged_shard_costs_its_examples_and_older_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sog.training.replay.SHARD_BYTES", 400)
    replay = Replay(capacity=100, updates_per_example=1.0)
    for start in range(0, 90, 9):
        replay.add(numbered(start, 9))
    names = replay.save(ShardFolder(tmp_path, 3))["shards"]
    path = tmp_path / FOLDER / names[1]
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)
    warnings: list[str] = []
    again = Replay(capacity=100, updates_per_example=1.0)
    again.restore(saved(replay, tmp_path, warnings.append))
    assert len(warnings) == 1
    assert "is damaged" in warnings[0]
    left = int(names[2].partition("-")[0])
    assert numbers_of(again.all()) == list(range(left, 90))
    assert again.added == 90


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
