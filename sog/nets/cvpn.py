"""The counterfactual value-and-policy network (Player of Games, section 3.1 and appendix B.3).

It takes a public state's features and both players' normalised ranges, and returns for every infostate of
both players its expected value as a share of the public state's scale, and for every infostate of the acting
player logits over choices. Which of the outputs a public state uses is told by its code
(`sog.public.encoding`).

Values of the two players must cancel: with b the probability of each infostate under the ranges, the
network's values are corrected by half of `b · v`, each infostate's alike. This is done in training and in
search.

Verified: tests/nets/test_cvpn.py.
"""

import torch
from torch import Tensor, nn

from sog.core.errors import InputError
from sog.nets.spec import NetworkSpec, Sizes

ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU}


class Cvpn(nn.Module):
    """A trunk and two heads. B queries, F features, V values, L logits."""

    def __init__(self, spec: NetworkSpec, sizes: Sizes) -> None:
        super().__init__()
        self.spec, self.sizes = spec, sizes
        self.trunk: Trunk = (Mlp if spec.kind == "mlp" else ResNet)(spec, sizes)
        self.value = nn.Linear(self.trunk.width, sizes.num_values)
        self.policy = _make_policy(self.trunk, sizes)
        for head in (self.value, self.policy):  # an untrained network says "worth nothing" and "uniform"
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def forward(self, features: Tensor, ranges: Tensor, *rows: Tensor) -> tuple[Tensor, Tensor]:
        """Return values [B, V] before they are balanced, and logits [B, L].

        features: [B, F], ranges: [B, V]; rows are for networks that read them (`sog.nets.rows`).
        """
        hidden = self.trunk(features, ranges)
        return self.value(hidden), self.policy(hidden)

    def pick(
        self,
        features: Tensor,
        ranges: Tensor,
        is_valued: Tensor | None,
        lines: Tensor,
        places: Tensor,
        *rows: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Return values [B, V] before they are balanced, and the logits [R, A] of lines of policies.

        is_valued: [B, V] values that are asked for, all if None; others may be anything. lines: [R] queries;
        places: [R, A] which of a query's logits.
        """
        values, logits = self(features, ranges, *rows)
        return values, logits[lines[:, None], places]


class PlanePolicy(nn.Linear):
    """Logits of choices that are planes of a board: every square's from the square's own units.

    A dense layer would have more weights than all the rest: 76 MB for chess behind 64 channels.
    """

    def __init__(self, channels: int, planes: int) -> None:
        super().__init__(channels, planes)

    def forward(self, hidden: Tensor) -> Tensor:
        """Return [B, planes × squares]."""
        logits = super().forward(hidden.view(len(hidden), self.in_features, -1).transpose(1, 2))
        return logits.transpose(1, 2).flatten(1)


def _make_policy(trunk: "Trunk", sizes: Sizes) -> nn.Linear:
    """Return the policy's head: by squares, if choices are planes of a board, else dense."""
    if isinstance(trunk, ResNet) and sizes.is_board:
        planes, rest = divmod(sizes.num_logits, trunk.num_squares)
        if rest == 0:
            return PlanePolicy(trunk.width // trunk.num_squares, planes)
    return nn.Linear(trunk.width, sizes.num_logits)


class Trunk(nn.Module):
    """Whatever turns the inputs into `width` units."""

    width: int


class Mlp(Trunk):
    """Fully connected layers on features and ranges side by side."""

    def __init__(self, spec: NetworkSpec, sizes: Sizes) -> None:
        super().__init__()
        self.width = spec.width
        self.range_scale = sizes.num_values / 2  # a uniform range is ones: inputs of unit size learn faster
        self.layers = make_layers(spec, sizes.num_features + sizes.num_values)

    def forward(self, features: Tensor, ranges: Tensor) -> Tensor:
        """Return [B, width]."""
        hidden: Tensor = self.layers(torch.cat((features, ranges * self.range_scale), dim=1))
        return hidden


def make_layers(spec: NetworkSpec, inputs: int) -> nn.Sequential:
    """Return hidden layers."""
    layers: list[nn.Module] = []
    for _ in range(spec.layers):
        layers.append(nn.Linear(inputs, spec.width))
        if spec.normalises:
            layers.append(nn.LayerNorm(spec.width))
        layers.append(ACTIVATIONS[spec.activation]())
        inputs = spec.width
    return nn.Sequential(*layers)


class ResNet(Trunk):
    """AlphaZero's residual blocks on the planes of a board, which ranges join as constant planes."""

    def __init__(self, spec: NetworkSpec, sizes: Sizes) -> None:
        super().__init__()
        if len(sizes.features) != 3:
            raise InputError(
                "network: a resnet needs planes of a board, this game has plain features: use mlp"
            )
        self.num_planes, rows, columns = sizes.features
        self.takes_ranges = sizes.num_values > 2  # with one infostate a player, ranges say nothing
        planes = self.num_planes + (sizes.num_values if self.takes_ranges else 0)
        self.entry = nn.Sequential(
            nn.Conv2d(planes, spec.width, 3, padding=1, bias=False),
            nn.BatchNorm2d(spec.width),
            ACTIVATIONS[spec.activation](),
        )
        self.blocks = nn.Sequential(*(ResidualBlock(spec) for _ in range(spec.layers)))
        self.num_squares = rows * columns
        self.width = spec.width * self.num_squares
        self.shape = rows, columns

    def forward(self, features: Tensor, ranges: Tensor) -> Tensor:
        """Return [B, channels × squares]."""
        planes = features.view(-1, self.num_planes, *self.shape)
        if self.takes_ranges:
            planes = torch.cat((planes, ranges[:, :, None, None].expand(-1, -1, *self.shape)), dim=1)
        hidden: Tensor = self.blocks(self.entry(planes))
        return hidden.flatten(1)


class ResidualBlock(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, spec: NetworkSpec) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(spec.width, spec.width, 3, padding=1, bias=False),
            nn.BatchNorm2d(spec.width),
            ACTIVATIONS[spec.activation](),
            nn.Conv2d(spec.width, spec.width, 3, padding=1, bias=False),
            nn.BatchNorm2d(spec.width),
        )
        self.activation = ACTIVATIONS[spec.activation]()

    def forward(self, hidden: Tensor) -> Tensor:
        """Return the same shape."""
        result: Tensor = self.activation(hidden + self.body(hidden))
        return result


def balance(values: Tensor, beliefs: Tensor) -> Tensor:
    """Return values [B, V] that cancel under beliefs [B, V], each player's of which sum to one."""
    return values - (values * beliefs).sum(dim=1, keepdim=True) / 2


def make_network(spec: NetworkSpec, sizes: Sizes, seed: int) -> Cvpn:
    """Return a fresh network; equal seeds make equal ones."""
    from sog.nets.ladder import Ladder  # which are some of these
    from sog.nets.rows import Rows

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return {"rows": Rows, "ladder": Ladder}.get(spec.kind, Cvpn)(spec, sizes)
