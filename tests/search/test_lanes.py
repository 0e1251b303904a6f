"""What lanes take: as much as they fill, within a share, whatever the search."""

from pathlib import Path

import numpy as np
import pytest

from sog.core.arrays import MB, num_bytes, sparse_zeros
from sog.core.errors import InputError
from sog.games.registry import load
from sog.public.evaluator import Batch, Evaluator
from sog.public.opening import open_store
from sog.public.store import StateStore
from sog.search.gtcfr import Searcher, Task
from sog.search.lanes import (
    Capacity,
    LaneShare,
    allocate_lanes,
    capacity_of,
    enlarge,
    filled_bytes,
    filled_capacity,
)
from sog.search.resolving import first_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings

SETTINGS = SearchSettings(simulations=120)


class Echo:
    """Answers with something that depends on the range."""

    name, has_priors = "echo", False

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        for values, ranges in zip(batch.values, batch.ranges, strict=True):
            values[:] = ranges - 0.3


def tasks_of_leduc(
    share: LaneShare | None = None, evaluator: Evaluator | None = None
) -> tuple[Searcher, list[Task]]:
    store = open_store(load("leduc"))
    deal = store.children(0)[0]
    tasks = [first_task(store, store.children(deal)[0]), first_task(store, deal)]
    return Searcher(store, evaluator, SETTINGS, share), [*tasks, *tasks, tasks[0]]


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4_096


def assert_equal(one: SearchResult, other: SearchResult) -> None:
    np.testing.assert_array_equal(one.policy, other.policy)
    np.testing.assert_array_equal(one.ranges[0], other.ranges[0])
    np.testing.assert_array_equal(one.values[1], other.values[1])
    assert one.statistics._replace(seconds=0) == other.statistics._replace(seconds=0)


def test_searches_that_do_not_fit_side_by_side_find_the_same() -> None:
    searcher, tasks = tasks_of_leduc()
    expected = searcher.search_many(tasks, range(5))
    share = LaneShare(2.5 * filled_bytes(searcher._lanes, 5) / 5)
    few, tasks = tasks_of_leduc(share)
    for one, other in zip(few.search_many(tasks, range(5)), expected, strict=True):
        assert_equal(one, other)
    assert share.at_once == 2
    assert few.num_bytes <= share.num_bytes < searcher.num_bytes
    assert_equal(few.search_many(tasks, range(5))[3], expected[3])


def test_queries_of_searches_that_were_given_up_are_forgotten() -> None:
    evaluator = Echo()
    searcher, tasks = tasks_of_leduc(evaluator=evaluator)
    tasks = [tasks[1], *([tasks[0]] * 30)]
    expected = searcher.search_many(tasks, range(31))
    largest = filled_bytes(searcher._lanes, 31) / 31
    for size in np.linspace(2.5, 28.5, 14):
        few, _ = tasks_of_leduc(LaneShare(size * largest), evaluator)
        for one, other in zip(few.search_many(tasks, range(31)), expected, strict=True):
            assert_equal(one, other)


def test_a_search_that_does_not_fit_is_refused_with_the_numbers() -> None:
    searcher, tasks = tasks_of_leduc(LaneShare(0.05 * MB))
    with pytest.raises(InputError, match=r"one search takes 0.1 MB and more, it may take 0.1 MB"):
        searcher.search_many(tasks, range(5))


def test_what_lanes_take_is_known() -> None:
    lanes = allocate_lanes(3, Capacity())
    assert num_bytes(lanes) == sum(part.nbytes for part in lanes)
    assert filled_bytes(lanes, 3) == 0
    searcher, tasks = tasks_of_leduc()
    searcher.search_many(tasks, range(5))
    assert searcher.num_bytes == sum(part.nbytes for part in searcher._lanes)
    filled = [filled_bytes(searcher._lanes, count) for count in range(6)]
    assert 0 == filled[0] < filled[1] < filled[5] < searcher.num_bytes
    lanes = searcher._lanes
    nodes, counts = int(lanes.lane[0]["num_nodes"]), lanes.counts[:, 0].tolist()
    parts = [lanes.nodes[0, :nodes], lanes.matrix[0, :nodes], lanes.scale[0, :nodes]]
    parts += [lanes.lists[0, :, :nodes], lanes.priors[0, : int(lanes.lane[0]["num_priors"])]]
    for player, (steps, slots, _, maps, values) in enumerate(counts):
        parts += [lanes.steps[player, 0, :steps], lanes.leaves[player, 0, :nodes]]
        parts += [lanes.maps[player, 0, :, :maps], lanes.leaf_rows[player, 0, :, :values]]
        parts += [lanes.slots[player, 0, :, :slots], lanes.marks[player, 0, :, :slots]]
    assert filled[1] == sum(part.nbytes for part in parts)


def test_only_what_is_short_of_room_gets_more() -> None:
    searcher, tasks = tasks_of_leduc()
    searcher.search_many(tasks, range(5))
    room, filled = capacity_of(searcher._lanes), filled_capacity(searcher._lanes)
    assert filled.nodes == searcher._lanes.lane["num_nodes"].max() > Capacity().nodes
    for name in ("nodes", "slots", "maps", "values", "priors"):
        taken = getattr(filled, name)
        assert taken <= getattr(room, name) <= max(4 * taken, getattr(Capacity(), name)), name
    larger = room.doubled(filled)
    assert larger.roots == room.roots
    assert larger.priors == room.priors * (2 if 2 * filled.priors > room.priors else 1)
    assert room.doubled(Capacity(0, 0, 0, 0, 0, 0, 0)).maps == 2 * room.maps


def test_only_iterations_that_are_kept_take_room() -> None:
    searcher, tasks = tasks_of_leduc()
    searcher.search(tasks[0], 1)
    assert capacity_of(searcher._lanes).fields == 9
    snapshot = searcher.search(tasks[0]._replace(snapshot_iteration=3), 1).snapshot
    assert snapshot is not None
    assert capacity_of(searcher._lanes).fields == 11


def test_zeros_take_memory_where_they_are_written() -> None:
    before, zeros = resident(), sparse_zeros((64, 1_000, 500))
    zeros[:, 0, 0] = 1.0
    assert zeros.sum(axis=(1, 2)).tolist() == [1.0] * 64
    assert zeros.flags.writeable
    assert zeros.nbytes > 240 * MB
    assert resident() - before < 20 * MB


def test_a_large_lane_does_not_make_the_others_large() -> None:
    lanes = allocate_lanes(64, Capacity(), is_sparse=True)
    lanes.lane["num_nodes"][0] = 100
    before = resident()
    larger = enlarge(lanes, Capacity(2**14, 2**17, 2**15, 2**16), is_sparse=True)
    assert num_bytes(larger) > 2_000 * MB
    assert resident() - before < 50 * MB


def test_a_look_copies_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher, tasks = tasks_of_leduc()
    made: list[int] = []

    def allocate(num_lanes: int, capacity: Capacity) -> object:
        made.append(num_lanes)
        return allocate_lanes(num_lanes, capacity)

    seen: list[SearchResult] = []

    def stop(simulations: int) -> bool:
        monkeypatch.setattr("sog.search.gtcfr.allocate_lanes", allocate)
        seen.append(searcher.look())
        return simulations > 60

    found = searcher.search_many(tasks, range(5), should_stop=stop)
    assert made == [1] * len(seen)
    assert len(seen) > 2
    assert found[0].statistics.updates >= seen[-1].statistics.updates > seen[0].statistics.updates
    assert seen[-1].policy.shape == found[0].policy.shape
