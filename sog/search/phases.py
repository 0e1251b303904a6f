"""What a lane does next: the phases of GT-CFR as kernels, until one needs something that is not there.

    PLANT    begin the tree with the path from its root to the current state  `sog.search.growth`
    PRIME    look once before the current state is expanded, for its prior
    START    make the first tree below it
    LOOK     begin an update: reach, terminals, queries about open leaves      `sog.search.update`
    LEARN    finish it with the answers
    GROW     simulations, then LOOK again                                      `sog.search.simulation`
    DONE

The kernel returns after some tens of milliseconds of work in any case, so that a search can be stopped and
watched.

Verified: tests/search/test_gtcfr.py, tests/search/test_stopping.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64
from sog.core.jit import inner, kernel
from sog.public.store_arrays import StoreArrays
from sog.search.appending import has_room
from sog.search.growth import add_others, plant_branch
from sog.search.lanes import (
    ANSWERS,
    AVERAGE,
    BATCH_ROOM,
    BOTH,
    DONE,
    GROW,
    LEARN,
    LOOK,
    NOTHING,
    OPEN,
    PLANT,
    PRIME,
    REACH,
    ROOM,
    SLOTS,
    SPARE,
    START,
    TIME,
    Lanes,
)
from sog.search.queries import Buffer, write_queries
from sog.search.reach_free import set_full_reach, update_reach_free
from sog.search.simulation import Expansion, expand_pending, forget_losses, simulate
from sog.search.update import answer, apply_answers, imitate, keep_iteration, learn, look, sum_reach

# Work before the kernel returns, in slots that an update passes over: a slot takes about 15 ns, a simulation
# or an expansion as long as some hundred slots.
WORK = 2_000_000
_SIMULATION_WORK = 300
_MOST_IN_A_ROW = 4_096  # simulations or expansions before the work is counted


class Plan(NamedTuple):
    """The settings as kernels see them. What is None is not compiled along."""

    updates_per_phase: int
    simulations_per_phase: int
    tree_share: float
    simulations: int
    depth: int
    root_actions: int  # 0 for all
    has_priors: bool
    mix: float
    is_normalised: bool
    asks_average: bool  # leaves are asked about the averages of regret matching
    takes_growth: bool  # an answer times the sums of reach has grown by this iteration's value
    stale: float
    prior_iterations: int | None  # which play the prior
    reach_free: bool | None  # every state learns as if the game began there
    uniform_weight: float | None  # fictitious play: that of the first policy


@kernel
def advance(
    num_lanes: int,
    arrays: StoreArrays,
    lanes: Lanes,
    plan: Plan,
    how: Expansion,
    weights: F64,
    buffer: Buffer | None,
) -> int:
    """Take each lane as far as it gets on its own; lanes and buffer modified in place.

    Without a buffer open leaves are worth nothing. Return what lanes wait for, a bit for each kind (TIME: to
    be called again); 0 when all are done.
    """
    waits, work = 0, 0
    for lane in range(num_lanes):
        record = lanes.lane[lane]
        if record["waits_for"] != ANSWERS:
            record["waits_for"] = NOTHING
        while record["phase"] != DONE and record["waits_for"] == NOTHING:
            if work > WORK:
                record["waits_for"] = TIME
            elif record["phase"] == GROW:
                work += _SIMULATION_WORK * _grow(arrays, lanes, lane, plan, how)
            elif record["phase"] == START:
                work += _SIMULATION_WORK * _start(arrays, lanes, lane, plan, how)
            elif record["phase"] == PLANT:
                _plant(arrays, lanes, lane, plan)
            elif record["phase"] == LEARN:
                _learn(
                    arrays, lanes, lane, plan, weights, buffer, plan.reach_free, plan.uniform_weight,
                    plan.prior_iterations,
                )  # fmt: skip
            else:
                _look(arrays, lanes, lane, plan, weights, buffer, plan.reach_free, plan.uniform_weight)
                work += int(lanes.counts[0, lane, SLOTS]) + int(lanes.counts[1, lane, SLOTS])
        if record["waits_for"] != NOTHING:
            waits |= 1 << int(record["waits_for"])
    return waits


@inner
def _plant(arrays: StoreArrays, lanes: Lanes, lane: int, plan: Plan) -> None:
    """Begin the tree, if there is room for it."""
    record = lanes.lane[lane]
    if plant_branch(arrays, lanes, lane):
        record["phase"] = PRIME if plan.has_priors else START
    else:
        record["waits_for"] = ROOM


@inner
def _start(arrays: StoreArrays, lanes: Lanes, lane: int, plan: Plan, how: Expansion) -> int:
    """Make the first tree: everything to a depth below the current state, with all or some actions.

    Return how many nodes were looked at; after many of them the rest is left for the next call. Where the
    prior counts as played, level by level: the evaluator is asked for a level's priors first.
    """
    record, count = lanes.lane[lane], 0
    base = lanes.nodes[lane, np.uint64(record["current"])]["depth"]
    while record["cursor"] < record["num_nodes"]:
        if count == _MOST_IN_A_ROW:
            return count
        count += 1
        node = lanes.nodes[lane, np.uint64(record["cursor"])]
        is_below = record["cursor"] == record["current"] or node["depth"] > base
        if node["kind"] == OPEN and is_below and node["depth"] < base + np.uint32(record["level"]):
            record["pending"] = record["cursor"]
            expand_pending(arrays, lanes, lane, how, np.int64(plan.root_actions))
            if record["waits_for"] != NOTHING:
                return count
        elif node["is_partial"] and record["cursor"] == record["current"] and plan.root_actions == 0:
            if not has_room(arrays, lanes, lane, np.uint64(node["state"])):
                record["waits_for"] = ROOM
                return count
            add_others(arrays, lanes, lane, np.uint64(record["cursor"]))
        record["cursor"] += np.uint64(1)
    if record["level"] < np.uint64(plan.depth):
        record["level"] += np.uint64(1)
        record["cursor"], record["phase"] = np.uint64(0), np.uint64(PRIME)
    else:
        record["phase"] = LOOK
    return count


@inner
def _look(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: int,
    plan: Plan,
    weights: F64,
    buffer: Buffer | None,
    reach_free: bool | None,
    uniform_weight: float | None,
) -> None:
    """Begin an update, or look once before the current state is expanded, to learn its prior."""
    record = lanes.lane[lane]
    own = weights[np.uint64(record["iteration"])]
    if reach_free is None:
        look(arrays, lanes, lane, plan.mix, plan.is_normalised, uniform_weight, own[3])
        if plan.asks_average:
            sum_reach(lanes, lane, own[2])
    else:
        set_full_reach(lanes, lane)
    if buffer is not None:
        field = REACH if uniform_weight is None and not plan.asks_average else SPARE
        written = write_queries(arrays, lanes, lane, buffer, field, plan.stale)
        if written < 0:
            record["waits_for"] = BATCH_ROOM
            return
        if written > 0:
            record["waits_for"] = ANSWERS
    record["phase"] = START if record["phase"] == PRIME else LEARN


@inner
def _learn(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: int,
    plan: Plan,
    weights: F64,
    buffer: Buffer | None,
    reach_free: bool | None,
    uniform_weight: float | None,
    prior_iterations: int | None,
) -> None:
    """Finish an update."""
    record, has_values = lanes.lane[lane], buffer is not None
    own, turn = weights[np.uint64(record["iteration"])], np.int64(record["turn"])
    if buffer is not None and reach_free is None:
        faces_spare = plan.takes_growth or uniform_weight is not None
        apply_answers(arrays, lanes, lane, faces_spare, plan.takes_growth, own[2])
    if prior_iterations is not None and record["iteration"] == 0:
        _imitate(lanes, lane, plan, weights, has_values, prior_iterations)
        return
    is_kept = turn != 0 and record["iteration"] + np.uint64(1) == record["snapshot_iteration"]
    if is_kept and uniform_weight is None:
        keep_iteration(lanes, lane, SPARE if plan.asks_average else REACH)
    if uniform_weight is not None:
        answer(arrays, lanes, lane, own[2], has_values, uniform_weight)
        if is_kept:
            keep_iteration(lanes, lane, AVERAGE)
    elif reach_free is not None:
        update_reach_free(arrays, lanes, lane, own)
    else:
        learn(lanes, lane, own, has_values, turn)
    if turn != BOTH:
        record["turn"] = 1 - turn
        if turn == 0:
            record["phase"] = LOOK
            return
    record["iteration"] += np.uint64(1)
    record["updates_left"] -= np.uint64(1)
    if record["updates_left"] > 0:
        record["phase"] = LOOK
        return
    share = np.uint64(np.ceil(plan.tree_share * record["num_nodes"]))
    record["simulations_left"] = max(np.uint64(plan.simulations_per_phase), share)
    record["simulations"] += record["simulations_left"]
    record["phase"] = DONE if record["simulations"] >= np.uint64(plan.simulations) else GROW


@inner
def _imitate(
    lanes: Lanes, lane: int, plan: Plan, weights: F64, has_values: bool, prior_iterations: int
) -> None:
    """Finish the first iterations at once, in all of which the prior is played."""
    record = lanes.lane[lane]
    count = min(np.uint64(prior_iterations), record["updates_left"])
    if np.uint64(0) < record["snapshot_iteration"] <= count:
        keep_iteration(lanes, lane, SPARE if plan.asks_average else REACH)
    imitate(lanes, lane, weights[: np.int64(count)], has_values, plan.takes_growth)
    record["iteration"] += count
    record["updates_left"] -= count
    record["phase"] = LOOK if record["updates_left"] > 0 else DONE


@inner
def _grow(arrays: StoreArrays, lanes: Lanes, lane: int, plan: Plan, how: Expansion) -> int:
    """Run the simulations of a phase, until one needs something that is not there, or many of them.

    Return how many there were.
    """
    record, count = lanes.lane[lane], 0
    while count < _MOST_IN_A_ROW:
        expand_pending(arrays, lanes, lane, how, how.top_actions)
        if record["waits_for"] != NOTHING:
            return count
        if record["simulations_left"] == 0:
            forget_losses(lanes, lane)
            record["updates_left"] = plan.updates_per_phase
            record["phase"] = LOOK
            return count
        record["simulations_left"] -= np.uint64(1)
        simulate(arrays, lanes, lane, how)
        count += 1
    return count
