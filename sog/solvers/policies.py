"""Policies over the slots of a tree: from sums to probabilities, and to tables that people read."""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import Float
from sog.core.jit import kernel
from sog.games.base import NUM_PLAYERS
from sog.public.derived import WAITING
from sog.public.tree import PlayerLayout, PublicTree


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


def tabulate(tree: PublicTree[Any], policy: tuple[Float, Float]) -> list[Choice]:
    """Return every decision of a profile by name, in the order of the tree."""
    choices = []
    for node in range(tree.num_nodes):
        player = int(tree.actor[node])
        if player >= NUM_PLAYERS or not tree.is_expanded[node]:
            continue
        state = tree.states[node]
        steps, step = tree.steps[player], int(tree.decision_step[node])
        rows, output = int(steps.rows[step]), int(steps.output[step])
        for infostate in range(rows):
            names = tree.view.action_names(state, infostate)
            if names == [WAITING]:
                continue
            slots = output + infostate + rows * np.arange(len(names))
            name = tree.view.infostate_name(state, player, infostate)
            choices.append(Choice(player, name, names, policy[player][slots].tolist()))
    return choices
