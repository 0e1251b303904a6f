"""ReBeL's warm start (appendix J) of tabular CFR: what `sog.search.update.imitate` does in a growing tree."""

import numpy as np

from sog.core.arrays import F64
from sog.core.jit import kernel
from sog.public.layout import Layout, PlayerLayout
from sog.public.terminals import Terminals, evaluate_terminals
from sog.solvers.cfr import PlayerState, State, add_to_average, play_step
from sog.solvers.evaluation import Profile
from sog.solvers.minimisers import add_regrets
from sog.solvers.schedules import MINIMISERS, Variant, discounts
from sog.solvers.traversal import BEST, pull_values, push_reach, take_mean


def warm_start(
    variant: Variant, iterations: int, layout: Layout, terminals: Terminals, policy: Profile, state: State
) -> None:
    """Put a solve where `iterations` of playing `policy` might have brought it .

    Each decision's regrets are those of its policy against a best response below it, added as often as there
    are iterations to imitate; the average is the policy's. state modified in place.
    """
    weights = discounts(variant, 1, iterations)
    for player, own in enumerate(layout.players):
        state[player].policy[:] = policy[player]
        push_reach(own, state[player].policy, state[player].reach)
    for player, own in enumerate(layout.players):
        mine, other = state[player], layout.players[1 - player]
        reach = state[1 - player].reach
        evaluate_terminals(own, other, terminals, player, reach, mine.leaves)
        pull_values(own, BEST, mine.leaves, mine.faced, mine.rows, mine.values)
        for average in weights[:, 2]:
            add_to_average(average, mine)
    for player, own in enumerate(layout.players):
        _imitate(own, MINIMISERS.index(variant.minimiser), weights, state[player])


@kernel
def _imitate(own: PlayerLayout, minimiser: int, weights: F64, mine: PlayerState) -> None:
    """Add the same regrets once for each row of `weights`; `mine` modified in place."""
    kind = mine.regret.dtype.type
    for index in range(1, own.steps.size):
        number = np.uint64(index)
        if own.steps[number]["num_actions"] > 0:
            take_mean(number, own, mine.policy, mine.values, mine.rows)
            for iteration in range(weights.shape[0]):
                keep, drop, extra = (
                    kind(weights[iteration, 0]),
                    kind(weights[iteration, 1]),
                    kind(weights[iteration, 3]),
                )
                add_regrets(number, own, keep, drop, extra, mine.values, mine.rows, mine.regret, mine.gain)
        play_step(number, own, minimiser, weights[0, 3] > 0, mine)
