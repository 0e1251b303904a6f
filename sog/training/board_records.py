"""Examples of positions on a board, small enough that a replay can hold a million of them.

With nothing hidden an example is planes, one value and a policy over the legal moves. Planes are a bit a
square and a number a plane, exact since a plane has one number other than zero at most; policies name their
moves. Chess takes 2.8 kB instead of 50. Before the learner sees a batch it is unpacked, each example turned
by a symmetry of the game that is drawn anew each time.

Verified: tests/training/test_board_records.py.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sog.core.arrays import F32, F64, I8, I64
from sog.games.base import AnyGame
from sog.nets.spec import Sizes
from sog.public.store import StateStore
from sog.training.records import ILLEGAL, OUTCOME, Examples, Finding, allocate_examples

U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
F16 = npt.NDArray[np.float16]


class BoardExamples(NamedTuple):
    """N examples. P planes, W bytes of a plane, K moves at most."""

    bits: U8  # [N, P, W] squares that are not zero
    numbers: F32  # [N, P] what they are
    values: F32  # [N] targets for the player to move, as shares of the largest utility
    moves: U16  # [N, K]
    shares: F16  # [N, K] of the moves in the policy, ILLEGAL where there is none
    origins: I8  # [N]

    @property
    def size(self) -> int:
        """N."""
        return len(self.values)


def allocate_board_examples(sizes: Sizes, count: int) -> BoardExamples:
    """Return empty examples."""
    planes, rows, columns = sizes.features
    most = sizes.most_legal or sizes.choices
    return BoardExamples(
        bits=np.zeros((count, planes, -(-rows * columns // 8)), np.uint8),
        numbers=np.zeros((count, planes), np.float32),
        values=np.zeros(count, np.float32),
        moves=np.zeros((count, most), np.uint16),
        shares=np.full((count, most), ILLEGAL, np.float16),
        origins=np.zeros(count, np.int8),
    )


class BoardWriter:
    """Turns what searches found about positions into examples."""

    def __init__(self, store: StateStore, sizes: Sizes) -> None:
        self._store, self._sizes = store, sizes
        self._scale = store.facts.max_utility

    def write(self, findings: Sequence[Finding]) -> BoardExamples:
        """Return examples whose targets are the values and policies found."""
        examples = self._write(findings)
        examples.values[:] = self._signs(findings) * self._values(findings)
        examples.origins[:] = [finding.origin for finding in findings]
        return examples

    def write_outcomes(
        self,
        findings: Sequence[Finding],
        infostates: Sequence[tuple[int, int]],
        utility: float,
        bootstrap: float = 0.0,
    ) -> BoardExamples:
        """Return examples whose values are a play's outcome for player 0.

        bootstrap: share of the value that was found instead of the outcome.
        """
        examples = self._write(findings)
        values = (1 - bootstrap) * utility / self._scale + bootstrap * self._values(findings)
        examples.values[:] = self._signs(findings) * values
        examples.origins[:] = OUTCOME
        return examples

    def _values(self, findings: Sequence[Finding]) -> F64:
        """Return the values found for player 0, as shares of the largest utility."""
        values = np.array([finding.values[0][0] for finding in findings])
        masses = np.array([finding.ranges[1][0] for finding in findings])
        shares = np.zeros(values.size)
        np.divide(values, masses * self._scale, out=shares, where=masses > 0)
        return shares

    def _signs(self, findings: Sequence[Finding]) -> F64:
        """Return 1 where player 0 is to move, -1 where player 1 is."""
        return np.array([1.0 - 2.0 * self._store.actor(finding.node) for finding in findings])

    def mass(self, node: int, player: int, infostate: int, ranges: tuple[F64, F64]) -> float:
        """Return the mass of the opponent's range that is compatible with a player's infostate."""
        return float(ranges[1 - player][0])

    def _write(self, findings: Sequence[Finding]) -> BoardExamples:
        """Return examples without values."""
        examples = allocate_board_examples(self._sizes, len(findings))
        features = np.zeros((len(findings), self._sizes.num_features), np.float32)
        nodes, planes_of = np.array([finding.node for finding in findings], np.uint32), self._store.planes
        planes_of.write_planes(self._store, nodes, features)
        counts, actions = planes_of.list_actions(self._store, nodes)
        planes = features.reshape(len(findings), self._sizes.features[0], -1)
        examples.bits[:] = np.packbits(planes != 0, axis=2)
        examples.numbers[:] = planes.max(axis=2, initial=0.0)
        for index, (finding, moves) in enumerate(
            zip(findings, np.split(actions, np.cumsum(counts)[:-1]), strict=True)
        ):
            examples.moves[index, : moves.size] = moves
            examples.shares[index, : moves.size] = finding.policy[:, 0]
        return examples


class BoardUnpacker:
    """Turns compact examples into what the learner takes."""

    def __init__(self, game: AnyGame, sizes: Sizes) -> None:
        self._sizes = sizes
        self._num_squares = sizes.features[1] * sizes.features[2]
        symmetries = game.symmetries
        squares = np.array(symmetries.squares if symmetries else [range(self._num_squares)], np.int64)
        self._sources: I64 = np.argsort(squares, axis=1)  # [S, squares] where each square comes from
        self._choices: I64 = np.array(
            symmetries.choices if symmetries else [range(sizes.choices)], np.int64
        )  # [S, C]

    def unpack(self, packed: BoardExamples, rng: np.random.Generator) -> Examples:
        """Return the same examples, each seen from a side that is drawn at random."""
        count, sizes = packed.size, self._sizes
        examples = allocate_examples(sizes, count)
        turns = rng.integers(len(self._sources), size=count)
        planes = np.unpackbits(packed.bits, axis=2, count=self._num_squares)
        turned = np.take_along_axis(planes, self._sources[turns][:, None, :], axis=2)
        np.multiply(
            turned, packed.numbers[:, :, None], out=examples.features.reshape(turned.shape), casting="unsafe"
        )
        examples.ranges[:] = examples.beliefs[:] = examples.value_weights[:] = 1
        examples.values[:, 0], examples.values[:, 1] = packed.values, -packed.values
        rows, columns = np.nonzero(packed.shares != ILLEGAL)
        choices = self._choices[turns[rows], packed.moves[rows, columns]]
        shares: Any = packed.shares[rows, columns]
        examples.policies[rows, 0, choices] = shares
        examples.policy_weights[:] = 1
        examples.origins[:] = packed.origins
        return examples
