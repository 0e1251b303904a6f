"""Networks for answering alone: no norms, and on boards no modules.

Norms that have learned their statistics become part of the convolutions. What is left of a residual network
is a list of convolutions: calling modules for them takes as long as the convolutions of one position do.

Verified: tests/nets/test_folding.py.
"""

import copy
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

from sog.nets.cvpn import Cvpn, ResNet

Answering = Callable[..., tuple[Tensor, Tensor]]
"""Takes features [B, F], ranges [B, V] and perhaps rows, returns values [B, V] and logits [B, L]."""


def make_answering(network: Cvpn) -> Answering:
    """Return a function that answers as a network does at present, whatever that learns later."""
    folded = fold_norms(network)
    if folded.spec.kind == "resnet" and isinstance(folded.trunk, ResNet) and not folded.trunk.takes_ranges:
        return PlainResNet(folded, folded.trunk)
    return folded


class PlainResNet:
    """A folded residual network that has no use for ranges."""

    def __init__(self, network: Cvpn, trunk: ResNet) -> None:
        self._planes, self._shape = trunk.num_planes, trunk.shape
        first, *others = [layer for layer in trunk.modules() if isinstance(layer, nn.Conv2d)]
        self._entry = first.weight, first.bias
        self._blocks = [
            (one.weight, one.bias, two.weight, two.bias)
            for one, two in zip(others[::2], others[1::2], strict=True)
        ]
        self._value, self._policy = network.value.forward, network.policy.forward
        self._activate = torch.relu_ if network.spec.activation == "relu" else functional.gelu

    def __call__(self, features: Tensor, ranges: Tensor) -> tuple[Tensor, Tensor]:
        """Return values and logits."""
        activate, convolve = self._activate, torch.conv2d
        planes = features.view(-1, self._planes, *self._shape)
        hidden = activate(convolve(planes, *self._entry, padding=1))
        for weight, bias, last_weight, last_bias in self._blocks:
            inside = activate(convolve(hidden, weight, bias, padding=1))
            hidden = activate(convolve(inside, last_weight, last_bias, padding=1).add_(hidden))
        flat = hidden.flatten(1)
        return self._value(flat), self._policy(flat)


def fold_norms(network: Cvpn) -> Cvpn:
    """Return a copy that answers the same, faster; a network without such norms is copied as it is."""
    folded = copy.deepcopy(network).eval().requires_grad_(False)
    for module in list(folded.modules()):
        if isinstance(module, nn.Sequential):
            _fold(module)
    return folded.to(memory_format=torch.channels_last)  # type: ignore[call-overload,no-any-return]


def _fold(layers: nn.Sequential) -> None:
    """Fold every norm that follows a convolution; layers modified in place."""
    for number in range(len(layers) - 1):
        layer, norm = layers[number], layers[number + 1]
        if isinstance(layer, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
            layers[number], layers[number + 1] = fuse_conv_bn_eval(layer, norm), nn.Identity()
