"""The public states that a network is asked about."""

from typing import NamedTuple

from sog.core.arrays import I32, I64, U32
from sog.public.codes import CodeTables
from sog.public.store import StateStore


class StateBatch(NamedTuple):
    """B public states, by nodes of a store and by their codes."""

    store: StateStore
    nodes: U32  # [B]
    tables: CodeTables
    numbers: I32  # [B] codes in the tables
    wanted: I64  # [W] those whose logits are asked for
