"""Which network: its architecture as data, and the sizes that a game gives it."""

from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.base import Encoding

KINDS = ("mlp", "resnet", "rows", "ladder")
ACTIVATIONS = ("relu", "gelu")
MAX_LAYERS, MAX_WIDTH = 64, 8192


@dataclass(frozen=True)
class NetworkSpec:
    """An architecture; hold'em's in the papers is `NetworkSpec("mlp", layers=6, width=2048)`."""

    kind: str = "mlp"
    layers: int = 3  # hidden layers, or residual blocks
    width: int = 128  # units, or channels
    activation: str = "relu"
    normalises: bool = True  # LayerNorm after every hidden layer
    row_units: int = 32  # of kinds rows and ladder: K
    row_embeds: bool = True  # of kind rows: a row is known by its number too, not by its features alone
    row_odds: bool = False  # of kind rows: values are chances of winning, read out as logits
    row_near: bool = (
        False  # of kind rows: the range next to an infostate counts in its value, as its own does
    )

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("kind", self.kind, KINDS),
            ("activation", self.activation, ACTIVATIONS),
        ):
            if value not in choices:
                raise InputError(f"network: {name} must be one of {', '.join(choices)}, not {value!r}")
        for name, number, high in (
            ("layers", self.layers, MAX_LAYERS),
            ("width", self.width, MAX_WIDTH),
            ("row_units", self.row_units, MAX_WIDTH),
        ):
            if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= high:
                raise InputError(f"network: {name} must be a whole number from 1 to {high}, not {number!r}")


class Logits(NamedTuple):
    """Where a network's logits are: infostate r of player p has the choice c at `start + r * width + c`."""

    start: tuple[int, int]  # [P]
    width: tuple[int, int]  # [P]
    num_first: int  # infostates of the player whose numbers come first


class Sizes(NamedTuple):
    """What a game's network takes and returns."""

    features: tuple[int, ...]
    private: tuple[int, int]  # values of player 0's infostates come first
    choices: int | tuple[int, int]  # a pair: each player has logits of its own
    row_features: int = 0  # d
    in_rows: tuple[tuple[int, int], ...] = ()  # [start, end) of features that rows tell of
    near: tuple[tuple[int, ...], ...] = ()  # columns next to each

    def with_own_logits(self) -> "Sizes":
        """Return the same with logits of its own for each player."""
        return self._replace(choices=(self.choices, self.choices)) if isinstance(self.choices, int) else self

    @property
    def is_board(self) -> bool:
        """Whether there are planes of a board, and nothing is hidden."""
        return len(self.features) == 3 and self.private == (1, 1)

    @property
    def num_features(self) -> int:
        """F."""
        return prod(self.features)

    @property
    def beside_rows(self) -> list[int]:
        """Features that networks of kind rows see apart from rows."""
        told = {feature for start, end in self.in_rows for feature in range(start, end)}
        return [feature for feature in range(self.num_features) if feature not in told]

    @property
    def num_values(self) -> int:
        """V, of both players together."""
        return sum(self.private)

    @property
    def num_logits(self) -> int:
        """L: of either player, or, where both use the same, of the player with more infostates."""
        if isinstance(self.choices, int):
            return max(self.private) * self.choices
        return sum(rows * choices for rows, choices in zip(self.private, self.choices, strict=True))

    @property
    def logits(self) -> Logits:
        """Where infostates find their logits."""
        first, choices = self.private[0], self.choices
        if isinstance(choices, int):
            return Logits((0, 0), (choices, choices), first)
        return Logits((0, first * choices[0]), choices, first)


def sizes_of(encoding: Encoding) -> Sizes:
    """Return the sizes of a network for a game with this encoding."""
    return Sizes(
        features=encoding.features,
        private=encoding.private,
        choices=encoding.choices,
        row_features=encoding.row_features,
        in_rows=encoding.in_rows,
        near=encoding.near,
    )
