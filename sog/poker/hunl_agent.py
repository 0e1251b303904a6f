"""How heads-up no-limit hold'em is trained on (`sog train hunl`).

The network's losses on examples that it has not learned from are told by kind; how strong its agents play is
not measured yet.
"""

from sog.poker.hand_examples import EXAMPLE_BYTES, StateBatchMaker
from sog.poker.hand_network import KINDS, SIZES
from sog.poker.hunl_training import HunlGenerator
from sog.training.queries import QueryTraining

_MAKER = StateBatchMaker()

TRAINING = QueryTraining(
    SIZES,
    _MAKER,
    HunlGenerator.check,
    HunlGenerator,
    kinds=KINDS,
    find_kinds=_MAKER.kinds,
    example_bytes=EXAMPLE_BYTES,
)
