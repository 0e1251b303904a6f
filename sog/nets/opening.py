"""The evaluator of a network, whichever kind it is: of positions on a board, or of infostates.

Verified: tests/nets/test_agents.py.
"""

from sog.nets.boards import BoardEvaluator
from sog.nets.cvpn import Cvpn
from sog.nets.evaluator import NetworkEvaluator

AnyNetworkEvaluator = NetworkEvaluator | BoardEvaluator


def open_evaluator(
    network: Cvpn, name: str = "network", is_fast: bool = True, has_priors: bool = True
) -> AnyNetworkEvaluator:
    """Return the evaluator that asks a network.

    has_priors: False leaves the policy head out, for searches that have no use for priors; a board's comes
    along in any case.
    """
    if network.sizes.is_board:
        return BoardEvaluator(network, name)
    return NetworkEvaluator(network, name, is_fast, has_priors)
