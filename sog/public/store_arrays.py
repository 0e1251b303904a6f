"""The arrays of a store of public states, as kernels see them."""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import U32, Records

NODE = np.dtype(
    [
        ("actor", "u4"),
        ("num_actions", "u4"),  # A of the acting player, 0 where no player acts
        ("legal_start", "u4"),  # in legal: the counts of the acting player's infostates
        ("first_child", "u4"),  # children stand side by side
        ("num_children", "u4"),
        ("num_outcomes", "u4"),  # of wide chance, whose outcomes are not listed; 0 elsewhere
        ("is_expanded", "u4"),
        ("is_direct", "u4"),  # the k-th action leads all infostates, in their order, to the k-th child
        ("is_plain", "u4"),  # direct, with one infostate a player
        ("forward", "u4"),  # in forward_start: the actor's slots, unless the node is direct
        ("joint", "u4"),  # matrix of joint weights
        ("payoff", "u4"),  # matrix of payoffs, where the game is over
        ("joint_scale", "f8"),
        ("payoff_scale", "f8"),
        ("value_scale", "f8"),  # what evaluators' answers are multiplied by
    ]
)
PLACE = np.dtype(
    [
        ("rows", "u4"),  # infostates of a player in a node
        ("start", "u4"),  # first source in the parent, where the map is contiguous
        ("is_mapped", "u4"),  # whether it is not
        ("map_start", "u4"),  # range in map_source and map_target
        ("map_end", "u4"),
    ]
)


class StoreArrays(NamedTuple):
    """The store as kernels see it; expanding another node may leave the arrays behind."""

    nodes: Records  # [N] NODE
    places: tuple[Records, Records]  # [P][N] PLACE
    map_source: U32  # [M] slot or infostate of the parent, ascending in each node
    map_target: U32  # [M] infostate of the child
    legal: U32  # [D] numbers of legal actions, 1 for an infostate that waits
    forward_start: U32  # range of a slot's entries in the two arrays below
    forward_child: U32  # node
    forward_target: U32  # infostate there
    matrices: Any  # tables of payoffs and of joint weights (`sog.games.products`)
