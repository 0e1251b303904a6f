import numpy as np
import pytest

from sog.core.rng import make_rng
from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.public.beliefs import weigh_opponents
from sog.public.opening import open_store


@pytest.mark.parametrize(
    "name",
    [
        "kuhn",
        "leduc",
        "liars_dice(dice=1,faces=3)",
        "scotland_yard(map=glasses,rounds=2)",
        "openspiel:dark_hex(board_size=2)",
    ],
)
def test_masses_are_joint_weights_times_the_opponents_range(name: str) -> None:
    """The rows of joint weights are player 0's."""
    store, rng = open_store(load(name)), make_rng(4)
    node = 0
    while node < store.num_nodes < 60:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    nodes = rng.permutation(store.num_nodes)[:30]
    ranges = [[rng.random(store.num_infostates(int(node))[player]) for node in nodes] for player in (0, 1)]
    first, second = (np.cumsum([0, *(part.size for part in ranges[player])]) for player in (0, 1))
    both = np.concatenate(ranges[0]), np.concatenate(ranges[1])
    masses = weigh_opponents(store.arrays(), nodes.astype(np.int32), (first, second), both)
    for index, node in enumerate(nodes.tolist()):
        weights = store.joint_weights(node)
        mine = masses[0][first[index] : first[index + 1]], masses[1][second[index] : second[index + 1]]
        np.testing.assert_allclose(mine[0], weights @ ranges[1][index])
        np.testing.assert_allclose(mine[1], ranges[0][index] @ weights)
