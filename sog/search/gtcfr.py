"""Growing-tree counterfactual regret minimisation (Student of Games, "Search via GT-CFR").

    until the simulations are used up:
        look, ask, learn      regret updates on the tree as it stands      `sog.search.update`
        grow                  simulations that add public states           `sog.search.simulation`

Searches run side by side in lanes: a kernel takes each lane as far as it gets and returns to Python where the
game's rules are wanted for a public state that nobody has met before, or answers of the evaluator, which all
lanes then ask for in one batch. Each lane has its own random numbers, so that a search finds the same alone
and in company.

The growth after the last update would not be looked at, so it is left out.

Verified: tests/search/test_gtcfr.py.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, MB, num_bytes
from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.public.evaluator import Evaluator, PolicyEvaluator
from sog.public.store import StateStore
from sog.search.gadget import open_gadgets
from sog.search.lanes import (
    ALIVE,
    ANSWERS,
    BATCH_ROOM,
    BOTH,
    CURRENT_LIST,
    DRAWN_LIST,
    LANES_PART,
    NO_GADGET,
    NUM_SLOT_FIELDS,
    OUTCOMES,
    PLANT,
    PRIME,
    ROOM,
    START,
    STOP_VALUE,
    SUCCESSORS,
    Capacity,
    LaneShare,
    allocate_lanes,
    capacity_of,
    copy_lane,
    enlarge,
    filled_bytes,
    filled_capacity,
)
from sog.search.phases import Plan, advance
from sog.search.queries import (
    Buffer,
    allocate_buffer,
    batch_of,
    enlarge_buffer,
    faced_of,
    read_answers,
)
from sog.search.query_log import QueryLog
from sog.search.result import SearchResult, read_result, summarise
from sog.search.settings import SearchSettings
from sog.search.simulation import Expansion
from sog.search.tree_reuse import ReusableTree, keep_tree, reuse_tree

_HIDDEN_TEMPERATURE = 10.0  # of priors, with hidden information
_MOST_EMPTY = 8  # times the memory for lanes that they may take if they were full
_AT_ONCE = 8  # nodes whose successors are asked for before a search may be stopped


class Task(NamedTuple):
    """Where a search begins and what it knows."""

    root: int  # node of the store where the tree begins
    current: int  # node of the store, at or below the root, for which the policy is wanted
    ranges: tuple[F64, F64]  # [P][H] at the root
    resolver: int | None = None  # the searching player, if its opponent stands under a gadget
    stop_values: F64 | None = None  # [H] what the opponent's infostates get for terminating
    reusable: ReusableTree | None = None  # tree of the search before, to go on with
    snapshot_iteration: int = 0  # whose policies are wanted, counted from 1; 0 for none
    stops_there: bool = False  # after the kept iteration, whatever comes later is of no use


class Searcher:
    """Runs searches on one store with one evaluator; without an evaluator every leaf is worth zero.

    >>> from sog.games.registry import load
    >>> from sog.public.opening import open_store
    >>> from sog.search.resolving import first_task
    >>> store = open_store(load("kuhn"))
    >>> deal = store.children(0)[0]
    >>> bet = store.children(deal)[0]
    >>> searcher = Searcher(store, None, SearchSettings(simulations=100))
    >>> searcher.search(first_task(store, bet), seed=1).policy.shape
    (2, 3)
    """

    def __init__(
        self,
        store: StateStore,
        evaluator: Evaluator | None,
        settings: SearchSettings,
        share: LaneShare | None = None,
    ) -> None:
        """share: of memory, for lanes; modified where not all searches fit side by side."""
        self.store, self.evaluator, self.settings = store, evaluator, settings
        self._share, self._is_tight = share or LaneShare(), False
        if settings.prior_iterations > 0 and (evaluator is None or not evaluator.has_priors):
            raise InputError("search: prior_iterations need an evaluator that knows policies")
        self._tells_apart = settings.leaf_ranges == "both"
        if self._tells_apart and not (evaluator is None or isinstance(evaluator, PolicyEvaluator)):
            raise InputError(
                f"search: sound CFR-AVE needs an evaluator that plays, such as exact, not {evaluator.name}"
            )
        self._lanes = allocate_lanes(1, self._share.capacity)
        self._buffer = _first_buffer()
        self._weights = settings.weights()
        is_perfect = store.facts.hides_nothing
        self._is_reach_free = store.has_planes and settings.can_be_reach_free and evaluator is not None
        if settings.warm_start > 0 and not self._is_reach_free:
            raise InputError(
                "search: warm_start goes on with trees of boards that hide nothing, with learns_everywhere=1"
            )
        uniform_weight = 0.0 if is_perfect else 1.0  # so that every infostate keeps a reach
        self._plan = Plan(
            updates_per_phase=settings.updates_per_phase,
            simulations_per_phase=settings.simulations_per_phase,
            tree_share=settings.tree_share,
            simulations=settings.simulations,
            depth=settings.depth,
            root_actions=settings.root_actions,
            has_priors=evaluator is not None and evaluator.has_priors,
            mix=settings.gadget_mix,
            is_normalised=settings.gadget_normalises,
            asks_average=settings.leaf_ranges != "current" and not settings.is_fictitious,
            takes_growth=settings.leaf_ranges == "average" and not settings.is_fictitious,
            stale=settings.stale,
            prior_iterations=settings.prior_iterations or None,
            reach_free=self._is_reach_free or None,
            uniform_weight=uniform_weight if settings.is_fictitious else None,
        )
        self._alternates = settings.alternates
        if settings.alternates is None:
            self._alternates = not is_perfect and settings.leaf_ranges == "current"
        self._temperature = settings.prior_temperature or (1.0 if is_perfect else _HIDDEN_TEMPERATURE)
        top_actions = settings.top_actions
        if top_actions is None:
            top_actions = 1 if is_perfect else 0
        self._expansion = Expansion(
            exploration=settings.exploration,
            puct_share=settings.puct_share,
            uses_average=settings.expansion_policy == "average",
            top_actions=top_actions,
            max_outcomes=settings.max_outcomes,
            uses_losses=settings.simulations_per_phase > 1 or settings.tree_share > 0,
            uses_prior=settings.first_policy == "prior",
            prior_regret=settings.prior_regret,
        )

    def search(
        self,
        task: Task,
        seed: int,
        kept_queries: float = 0.0,
        should_stop: Callable[[int], bool] | None = None,
    ) -> SearchResult:
        """Run one search; `should_stop` is told the simulations so far, some times a second at least.

        That is, from the first update on. A search that is stopped finishes the update that it is in.
        """
        return self.search_many([task], [seed], kept_queries, should_stop)[0]

    def search_many(
        self,
        tasks: Sequence[Task],
        seeds: Sequence[int],
        kept_queries: float = 0.0,
        should_stop: Callable[[int], bool] | None = None,
    ) -> list[SearchResult]:
        """Run searches side by side, as many as memory is for; each finds what it would find alone.

        kept_queries: how many of its queries each search keeps, picked at random, on average; inf for all.
        """
        if len(tasks) != len(seeds):
            raise ValueError(f"{len(tasks)} tasks and {len(seeds)} seeds")
        for seed in seeds:
            if not 0 <= seed < 2**64:
                raise InputError(f"search: a seed must be from 0 to 2^64 - 1, not {seed}")
        found: list[SearchResult] = []
        while len(found) < len(tasks):
            part = slice(len(found), len(found) + self._share.at_once)
            found += self._search_part(tasks[part], seeds[part], kept_queries, should_stop)
        return found

    def _search_part(
        self,
        tasks: Sequence[Task],
        seeds: Sequence[int],
        kept_queries: float,
        should_stop: Callable[[int], bool] | None,
    ) -> list[SearchResult]:
        """Run searches side by side; return none of them where that takes too much memory."""
        started = time.perf_counter()
        self._reserve(tasks)
        self._plant(tasks, seeds)
        log = QueryLog() if kept_queries > 0 else None
        if not self._run(len(tasks), log, should_stop):
            return []
        keeps = self.settings.warm_start > 0
        trees = [keep_tree(self._lanes, lane) if keeps else None for lane in range(len(tasks))]
        arrays = self.store.arrays()
        summarise(arrays, self._lanes, len(tasks), self._is_reach_free)
        kept = None if log is None else log.pick(seeds, kept_queries)
        seconds = (time.perf_counter() - started) / len(tasks)
        return [
            read_result(
                arrays,
                self._lanes,
                lane,
                seconds,
                self.settings,
                None if kept is None else kept[lane],
                trees[lane],
            )
            for lane in range(len(tasks))
        ]

    def look(self) -> SearchResult:
        """Return what the first search has found so far, in the middle of it (for `should_stop`)."""
        arrays, lanes = self.store.arrays(), allocate_lanes(1, capacity_of(self._lanes))
        copy_lane(self._lanes, 0, lanes, 0)
        summarise(arrays, lanes, 1, self._is_reach_free)
        return read_result(arrays, lanes, 0, 0.0, self.settings)

    def _reserve(self, tasks: Sequence[Task]) -> None:
        """Make sure that there is a lane for each task and room for its root and its memory."""
        capacity, size = capacity_of(self._lanes), self._lanes.lane.size
        if self._is_tight:  # empty lanes, of the same room unless that is far too much for so many
            size = 0
            if self._share.is_exceeded(len(tasks), capacity, _MOST_EMPTY):
                capacity = Capacity()
        roots = max(
            capacity.roots, *(size for task in tasks for size in self.store.num_infostates(task.root))
        )
        wanted = capacity._replace(
            roots=roots, slots=max(roots, capacity.slots), values=max(roots, capacity.values)
        )
        if any(task.snapshot_iteration for task in tasks):
            wanted = wanted._replace(fields=NUM_SLOT_FIELDS)
        if len(tasks) > size or wanted != capacity:
            self._is_tight = self._share.is_exceeded(max(len(tasks), size), wanted)
            self._lanes = allocate_lanes(max(len(tasks), size), wanted, self._is_tight)

    def _is_crowded(self, num_lanes: int) -> bool:
        """Return whether lanes take more memory than they may; if so, the next ones are fewer."""
        most = self._share.num_bytes
        if not self._is_tight:
            return False
        taken, is_alone = filled_bytes(self._lanes, num_lanes), num_lanes == 1
        if taken <= most and (is_alone or num_bytes(self._lanes) <= _MOST_EMPTY * most):
            return False
        self._buffer = _first_buffer()  # without the queries of searches that are given up
        if is_alone:
            raise InputError(
                f"search: one search takes {taken / MB:,.1f} MB and more, it may take {most / MB:,.1f} MB"
                f" (of run.memory_mb = {most / LANES_PART / MB:,.0f})"
            )
        self._share.at_once = num_lanes // 2
        return True

    def _plant(self, tasks: Sequence[Task], seeds: Sequence[int]) -> None:
        """Begin all searches."""
        branches = [self._branch(task) for task in tasks]
        self.store.expand([node for branch in branches for node in branch])
        firsts = [0 if task.reusable is None else self._factors(task, task.reusable)[0] for task in tasks]
        count = len(tasks)
        records = self._lanes.lane[:count]
        records["iteration"] = records["first_iteration"] = firsts
        while max(map(len, branches)) > capacity_of(self._lanes).nodes:
            self._enlarge()
        reused = [self._reuse_tree(lane, task) for lane, task in enumerate(tasks)]
        lanes, records = self._lanes, self._lanes.lane[:count]
        records["path_length"] = [len(branch) for branch in branches]
        for lane, branch in enumerate(branches):
            if not reused[lane]:
                lanes.lists[lane, CURRENT_LIST, : len(branch)] = branch
        lanes.rng[:count, 0] = np.array(seeds, np.uint64)
        settings = self.settings
        records["simulations"], records["updates_left"] = 0, settings.updates_per_phase
        for lane, task in enumerate(tasks):
            if task.stops_there:
                records["updates_left"][lane] = min(task.snapshot_iteration, settings.updates_per_phase)
        records["phase"] = np.where(reused, PRIME if self._plan.has_priors else START, PLANT)
        records["level"] = 1 if settings.prior_iterations > 0 else settings.depth
        records["turn"] = 0 if self._alternates else BOTH
        records["resolver"] = [NO_GADGET if task.resolver is None else task.resolver for task in tasks]
        records["snapshot_iteration"] = [task.snapshot_iteration for task in tasks]
        open_gadgets(lanes, count)
        _check_ranges(tasks)
        for lane, task in enumerate(tasks):
            for player, weights in enumerate(task.ranges):
                lanes.roots[lane, player, : weights.size] = weights
            if task.stop_values is not None and task.resolver is not None:
                alive = self.store.alive(task.root)[1 - task.resolver]
                lanes.roots[lane, STOP_VALUE, : alive.size] = task.stop_values
                lanes.roots[lane, ALIVE, : alive.size] = alive

    def _branch(self, task: Task) -> list[int]:
        """Return the nodes from a task's root to its current state."""
        _check_task(self.store, task)
        if task.root == task.current:
            return [task.current]
        path = self.store.path(task.current)
        return path[path.index(task.root) :]

    def _reuse_tree(self, lane: int, task: Task) -> bool:
        """Begin a lane with the tree that its task remembers, if it has the current state; return whether."""
        reusable = task.reusable
        found = None if reusable is None else reusable.find(task.current)
        if reusable is None or found is None:
            return False
        factors = np.array(self._factors(task, reusable)[1:])
        moved = np.zeros(reusable.tree.nodes.size, np.uint32)
        while not reuse_tree(
            self.store.arrays(), reusable.tree, np.uint64(found), self._lanes, lane, factors, moved
        ):
            self._enlarge()
        return True

    def _factors(self, task: Task, reusable: ReusableTree) -> tuple[int, float, float]:
        """Return as how many iterations a tree counts, and by what regrets and averages are multiplied.

        A share of the iterations in which the current state was decided upon; regrets and weights of averages
        are scaled to be those of so many.
        """
        age = reusable.age(task.current)
        first = round(self.settings.warm_start * age)
        if first == 0:
            return 0, 0.0, 0.0
        if max(first, reusable.iterations) + self.settings.num_updates > len(self._weights):
            self._weights = self.settings.weights(2 * max(first, reusable.iterations))
        before = self._weights[reusable.iterations - age : reusable.iterations, 2].sum()
        return first, first / age, self._weights[:first, 2].sum() / before

    def _run(self, num_lanes: int, log: QueryLog | None, should_stop: Callable[[int], bool] | None) -> bool:
        """Take all lanes to their end; return False if they take too much memory on the way."""
        plan = self._plan
        while True:
            waits = advance(
                num_lanes,
                self.store.arrays(),
                self._lanes,
                plan,
                self._expansion,
                self._weights,
                None if self.evaluator is None else self._buffer,
            )
            is_stopped = False
            if waits & 1 << SUCCESSORS:
                nodes = self._pending(num_lanes, SUCCESSORS)[1]
                step = len(nodes) if should_stop is None else _AT_ONCE
                for start in range(0, len(nodes), step):
                    self.store.expand(nodes[start : start + step])
                    is_stopped = is_stopped or self._should_stop(should_stop)
            if waits & 1 << OUTCOMES:
                self._make_outcomes(num_lanes)
            if waits & 1 << ROOM:
                self._enlarge()
            if waits & 1 << BATCH_ROOM:
                self._buffer = enlarge_buffer(self._buffer)
            elif waits == 1 << ANSWERS:
                self._ask(log)
            elif not waits:
                return True
            if self._is_crowded(num_lanes):
                return False
            if is_stopped or self._should_stop(should_stop):
                plan, should_stop = plan._replace(simulations=1, updates_per_phase=1), None
                records = self._lanes.lane[:num_lanes]
                records["updates_left"] = np.minimum(records["updates_left"], 1)

    def _should_stop(self, should_stop: Callable[[int], bool] | None) -> bool:
        """Return whether searches should end soon; they go on until the first has finished an update."""
        first = self._lanes.lane[0]
        if should_stop is None or first["iteration"] <= first["first_iteration"]:
            return False
        return should_stop(int(first["simulations"]))

    def _pending(self, num_lanes: int, wait: int) -> tuple[list[int], list[int]]:
        """Return the lanes that wait for something, and the store's nodes that they are about to expand."""
        records = self._lanes.lane[:num_lanes]
        lanes = np.flatnonzero(records["waits_for"] == wait)
        nodes = self._lanes.nodes["state"][lanes, records["pending"][lanes]]
        return lanes.tolist(), nodes.tolist()

    def _make_outcomes(self, num_lanes: int) -> None:
        """Have the store make the outcomes of wide chance that lanes have drawn."""
        for lane, node in zip(*self._pending(num_lanes, OUTCOMES), strict=True):
            drawn = self._lanes.lists[lane, DRAWN_LIST, : int(self._lanes.lane[lane]["num_drawn"])]
            drawn[:] = self.store.outcomes(node, drawn.tolist())

    def _ask(self, log: QueryLog | None) -> None:
        """Have the evaluator answer all queries."""
        assert self.evaluator is not None
        batch = batch_of(self._buffer)
        if self._tells_apart and isinstance(self.evaluator, PolicyEvaluator):
            self.evaluator.evaluate_faced(self.store, batch, faced_of(self._buffer))
        else:
            self.evaluator.evaluate(self.store, batch)
        if log is not None:
            log.add(batch, self._buffer.places[: batch.nodes.size, 0])
        read_answers(self.store.arrays(), self._lanes, self._buffer, self._temperature)

    def _enlarge(self) -> None:
        self._share.capacity = capacity = capacity_of(self._lanes).doubled(filled_capacity(self._lanes))
        self._is_tight = self._share.is_exceeded(self._lanes.lane.size, capacity)
        self._lanes = enlarge(self._lanes, capacity, self._is_tight)

    @property
    def num_bytes(self) -> int:
        """What lanes take."""
        lanes = self._lanes
        return filled_bytes(lanes, lanes.lane.size) if self._is_tight else num_bytes(lanes)


def _first_buffer() -> Buffer:
    return allocate_buffer(64, 1024, 2048)


def _check_task(store: StateStore, task: Task) -> None:
    """Refuse what cannot be searched."""
    if store.actor(task.current) == TERMINAL:
        raise InputError("search: the game is over, there is nothing to search")
    sizes = store.num_infostates(task.root)
    if (task.ranges[0].size, task.ranges[1].size) != sizes:
        raise ValueError(
            f"ranges of {[weights.size for weights in task.ranges]} infostates instead of {sizes}"
        )
    if task.snapshot_iteration < 0:
        raise ValueError(f"there is no iteration {task.snapshot_iteration}")


def _check_ranges(tasks: Sequence[Task]) -> None:
    """Refuse ranges that are none, those of all tasks at once."""
    weights = np.concatenate([weights for task in tasks for weights in task.ranges])
    if not (np.all(np.isfinite(weights)) and np.all(weights >= 0)):
        raise InputError("search: ranges must be finite and not negative")
