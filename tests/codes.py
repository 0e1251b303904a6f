"""The code of one public state, dense: what tests compare with."""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, I32
from sog.games.base import NUM_PLAYERS
from sog.public.store import StateStore


class Code(NamedTuple):
    """What one public state uses of a network."""

    features: F32  # [F]
    rows: tuple[I32, I32]  # [P][H] number of each infostate among its player's
    columns: tuple[I32, I32]  # [P][H] among both players'
    choices: I32  # [A, H] of the acting player, [0, 0] where none acts


def code_of(store: StateStore, node: int) -> Code:
    """Return a node's code."""
    nodes, encoding = np.array([node], np.uint32), store.encoded.encoding
    codes, features = (
        store.encoded.encode(store, nodes),
        np.zeros((1, int(np.prod(encoding.features))), np.float32),
    )
    if codes.features is None:
        store.planes.write_planes(store, nodes, features)
    else:
        features[0, codes.features.feature] = codes.features.value
    first = encoding.private[0]
    rows = [np.where(columns >= first, columns - first, columns) for columns in codes.columns]
    actor, shape = store.actor(node), (0, 0)
    if actor < NUM_PLAYERS:
        shape = store.num_actions(node), store.num_infostates(node)[actor]
    return Code(features[0], (rows[0], rows[1]), codes.columns, codes.choices.reshape(shape))
