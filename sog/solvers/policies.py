"""Policies over the slots of a layout: from sums to probabilities, and to tables that people read."""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import Float
from sog.core.jit import kernel
from sog.public.enumeration import Enumeration
from sog.public.layout import NO_STEP, PlayerLayout


class Choice(NamedTuple):
    """How one infostate plays."""

    player: int
    infostate: str
    actions: list[str]
    probabilities: list[float]


@kernel
def normalise(own: PlayerLayout, sums: Float, policy: Float) -> None:
    """Write each decision row's share of `sums`, uniform where they are zero; policy modified in place."""
    for number in range(1, own.steps.size):
        step = own.steps[number]
        if step["num_actions"] == 0:  # a relay, which has no rows of its own
            continue
        rows, first = np.uint64(step["rows"]), np.uint64(step["first_row"])
        for row in range(rows):
            legal = np.uint64(own.legal[first + row])
            total = 0.0
            slot = np.uint64(step["output"]) + row
            for _ in range(np.uint64(step["num_actions"])):
                total += sums[slot]
                slot += rows
            slot = np.uint64(step["output"]) + row
            for action in range(np.uint64(step["num_actions"])):
                uniform = 1 / legal if action < legal else 0.0
                policy[slot] = sums[slot] / total if total > 0 else uniform
                slot += rows


def average_policy(own: PlayerLayout, sums: Float) -> Float:
    """Return the policy whose sum of weighted reach (or of weighted probabilities) is `sums`."""
    policy = np.ones_like(sums)
    normalise(own, sums, policy)
    return policy


def tabulate(whole: Enumeration, policy: tuple[Float, Float]) -> list[Choice]:
    """Return every decision of a profile by name, in the order of the layout."""
    store, layout = whole
    named, choices = store.named, []
    for place in np.flatnonzero(layout.decision_step != NO_STEP).tolist():
        node, player = int(layout.nodes[place]), int(layout.actor[place])
        for row in np.flatnonzero(store.waiting(node) == 0).tolist():
            slots = layout.slots_of(place, row, int(store.legal(node)[row]))
            choices.append(
                Choice(
                    player,
                    named.infostate_name(store, node, player, row),
                    named.action_names(store, node, row),
                    policy[player][slots].tolist(),
                )
            )
    return choices
