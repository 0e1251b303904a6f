"""Networks of kind `ladder`: infostates stand in an order, and only their place in it is known.

A place is a number from 0 to K - 1 on a ladder of K rungs (in hold'em: how many of the board's hands are
weaker). An infostate belongs to the two rungs next to its place, to each by how near it is:

    p = Σ_h b(h) φ(h)                   beliefs of both players, pooled on rungs
    z = W · trunk(features, K p)        values of both players, one for each rung
    v(h) = φ(h) · z                     read between rungs

φ has two numbers other than zero and their sum is one, so pooling and reading are linear in the infostates,
and values are balanced by a shift of z. There is no policy: searches that use it need none.

Verified: tests/nets/test_ladder.py.
"""

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn

from sog.core.arrays import F32
from sog.core.errors import InputError
from sog.nets.cvpn import Cvpn, make_layers
from sog.nets.ladder_forward import LadderForward
from sog.nets.spec import NetworkSpec, Sizes


class Ladder(Cvpn):
    """A network that pools beliefs and reads values on rungs. B queries, V infostates, K rungs."""

    def __init__(self, spec: NetworkSpec, sizes: Sizes) -> None:
        nn.Module.__init__(self)  # it has no trunk and no heads of the common kind
        if sizes.row_features != 1:
            raise InputError("network: kind ladder needs a game that says where its infostates stand")
        self.spec, self.sizes, self.rungs = spec, sizes, spec.row_units
        self.layers = make_layers(spec, sizes.num_features + 2 * spec.row_units)
        self.value = nn.Linear(spec.width, 2 * spec.row_units)
        for parameter in self.value.parameters():  # "worth nothing" at first
            nn.init.zeros_(parameter)

    def forward(self, features: Tensor, ranges: Tensor, *rows: Tensor) -> tuple[Tensor, Tensor]:
        """Return values [B, V] before they are balanced, and no logits.

        features: [B, F]; ranges: [B, V] beliefs, one in all for each player; rows: the last has places [B, V]
        as shares of the ladder.
        """
        places = rows[-1] * (self.rungs - 1)
        below = places.long().clamp(max=self.rungs - 2)
        above = places - below
        below[:, self.sizes.private[0] :] += self.rungs  # the other player's ladder
        pooled = features.new_zeros(len(features), 2 * self.rungs)
        pooled = pooled.scatter_add(1, below, ranges * (1 - above))
        pooled = pooled.scatter_add(1, below + 1, ranges * above)
        rungs = self.value(self.layers(torch.cat((features, self.rungs * pooled), dim=1)))
        values = rungs.gather(1, below) * (1 - above) + rungs.gather(1, below + 1) * above
        return values, features.new_zeros(len(features), 1)


def forward_of(network: Ladder) -> LadderForward:
    """Return the same network without torch."""
    weights: Mapping[str, F32] = {
        name: np.ascontiguousarray(weight.detach().numpy(), np.float32)
        for name, weight in network.state_dict().items()
    }
    return LadderForward(network.spec, network.sizes.num_features, weights)
