"""What the learner sees of packed examples: dense inputs and targets of a batch.

A policy has a line for each infostate of the acting player, with its legal choices alone, wherever the
network keeps their logits. A board is turned by a symmetry of its game, drawn anew each time.

Verified: tests/training/test_records.py, tests/training/test_board_records.py.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F32, I64, U8, Records
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import NUM_PLAYERS, Symmetries
from sog.games.products import Index
from sog.nets.spec import Logits, Sizes
from sog.training.examples import BYTE, OUTCOME, U16, Examples, column_at

ILLEGAL = -1.0  # in a policy: no choice


class TrainingBatch(NamedTuple):
    """N examples. F features, V values; R lines of policies with at most A choices."""

    features: F32  # [N, F]
    ranges: F32  # [N, V] one in all for each player
    beliefs: F32  # [N, V] probability of each infostate, one in all for each player
    values: F32  # [N, V] targets, as shares of the state's scale
    value_weights: F32  # [N, V]
    lines: I64  # [R] whose they are
    logits: I64  # [R, A] which of the example's logits
    policies: F32  # [R, A] targets, ILLEGAL where a line has fewer choices
    policy_weights: F32  # [R] one in all for each example with an actor
    owners: I64  # [M] whose each infostate is; none unless the network reads rows
    columns: I64  # [M]
    described: F32  # [M, d] what it is like


def make_value_batch(features: F32, beliefs: F32, values: F32, weights: F32, described: F32) -> TrainingBatch:
    """Return a batch without policies, whose network reads beliefs alone."""
    nothing = np.zeros(0, np.int64)
    return TrainingBatch(
        features=features,
        ranges=beliefs,
        beliefs=beliefs,
        values=values,
        value_weights=weights,
        lines=nothing,
        logits=np.zeros((0, 1), np.int64),
        policies=np.full((0, 1), ILLEGAL, np.float32),
        policy_weights=np.zeros(0, np.float32),
        owners=nothing,
        columns=nothing,
        described=described,
    )


Describe = Callable[[F32, I64, I64], F32]


class BatchMaker:
    """Makes batches of examples of one game."""

    def __init__(self, sizes: Sizes, symmetries: Symmetries | None, describe: Describe | None = None) -> None:
        """describe: `describe_rows` of the game, for networks that read rows."""
        self._sizes, self._describe = sizes, describe
        self._squares = self._turned = None
        if sizes.is_board:
            num_squares = sizes.features[1] * sizes.features[2]
            squares = symmetries.squares if symmetries else [range(num_squares)]
            self._squares = np.argsort(np.array(squares, np.int64), axis=1)  # [S, squares] where each is from
            choices = symmetries.choices if symmetries else [range(sizes.num_logits)]
            self._turned = np.array(choices, np.int64)  # [S, C]

    def make(self, examples: Examples, rng: np.random.Generator) -> TrainingBatch:
        """Return a batch; rng draws the sides that boards are seen from."""
        count, sizes, heads = examples.size, self._sizes, examples.heads
        rows = np.where(heads["actor"] == 1, heads["rows"][:, 1], heads["rows"][:, 0]).astype(np.int64)
        rows[heads["actor"] >= NUM_PLAYERS] = 0
        most = np.zeros(1, np.int64)
        floats = examples.halves.view(np.float16).astype(np.float32)
        num_bits = 0
        if self._squares is not None:
            num_bits = sizes.features[0] * -(-self._squares.shape[1] // 8)
        find_most(heads, examples.numbers, num_bits > 0, most)
        shape = int(rows.sum()), int(most[0])
        values = (count, sizes.num_values)
        batch = TrainingBatch(
            features=np.zeros((count, sizes.num_features), np.float32),
            ranges=np.zeros(values, np.float32),
            beliefs=np.zeros(values, np.float32),
            values=np.zeros(values, np.float32),
            value_weights=np.zeros(values, np.float32),
            lines=np.repeat(np.arange(count), rows),
            logits=np.zeros(shape, np.int64),
            policies=np.full(shape, ILLEGAL, np.float32),
            policy_weights=np.zeros(shape[0], np.float32),
            owners=np.zeros(0, np.int64),
            columns=np.zeros(0, np.int64),
            described=np.zeros((0, 0), np.float32),
        )
        read(heads, examples.numbers, floats, examples.bytes, num_bits, sizes.logits, batch)
        if self._squares is not None and self._turned is not None:
            turns = rng.integers(len(self._squares), size=count)
            self._read_planes(examples, floats, turns, batch)
            batch.logits[:] = self._turned[turns[batch.lines][:, None], batch.logits]
        return batch if self._describe is None else self._describe_rows(self._describe, examples, batch)

    def _describe_rows(self, describe: Describe, examples: Examples, batch: TrainingBatch) -> TrainingBatch:
        """Return the batch with all rows of its examples."""
        sizes = examples.heads["rows"].sum(axis=1, dtype=np.int64)
        owners, columns = np.repeat(np.arange(examples.size), sizes), np.zeros(sizes.sum(), np.int64)
        list_columns(examples.heads, examples.numbers, columns)
        return batch._replace(
            owners=owners, columns=columns, described=describe(batch.features, owners, columns)
        )

    def _read_planes(self, examples: Examples, floats: F32, turns: I64, batch: TrainingBatch) -> None:
        """Write the planes of boards, turned; the batch's features are modified in place."""
        assert self._squares is not None
        num_planes, num_squares = self._sizes.features[0], self._squares.shape[1]
        width = -(-num_squares // 8)
        places = examples.heads["bytes"][:, None] + np.arange(num_planes * width, dtype=np.uint64)
        bits = examples.bytes[places].reshape(-1, num_planes, width)
        planes = np.unpackbits(bits, axis=2, count=num_squares)
        turned = np.take_along_axis(planes, self._squares[turns][:, None, :], axis=2)
        numbers = floats[examples.heads["halves"][:, None] + np.arange(num_planes, dtype=np.uint64)]
        features = batch.features.reshape(turned.shape)
        np.multiply(turned, numbers[:, :, None], out=features, casting="unsafe")


@inlined
def num_columns(head: Any, player: Index) -> np.uint64:
    """Return how many numbers tell a player's columns."""
    return ONE if head["in_order"][player] else np.uint64(head["rows"][player])


@kernel
def find_most(heads: Records, numbers: U16, is_board: bool, most: I64) -> None:
    """Find the most choices that any line has; most [1] modified in place."""
    for index in range(np.uint64(heads.size)):
        head = heads[index]
        if head["actor"] <= 1:
            at = np.uint64(head["numbers"]) + num_columns(head, 0) + num_columns(head, 1)
            at += ZERO if is_board else np.uint64(head["features"])
            lines = ONE if head["is_alike"] else np.uint64(head["rows"][np.uint64(head["actor"])])
            for row in range(lines):
                most[0] = max(most[0], np.int64(numbers[at + row]))


@kernel
def list_columns(heads: Records, numbers: U16, columns: I64) -> None:
    """Write the columns of all infostates of examples that have no planes; columns modified in place."""
    at = ZERO
    for index in range(np.uint64(heads.size)):
        head = heads[index]
        first = np.uint64(head["numbers"]) + np.uint64(head["features"])
        for player in range(2):
            for row in range(np.uint64(head["rows"][player])):
                columns[at] = column_at(head, numbers, first, player, np.uint64(row))
                at += ONE
            first += num_columns(head, player)


@kernel
def read(
    heads: Records, numbers: U16, floats: F32, octets: U8, num_bits: int, where: Logits, batch: TrainingBatch
) -> None:
    """Write everything but planes; batch modified in place."""
    line = ZERO
    for index in range(np.uint64(heads.size)):
        head = heads[index]
        number, half = np.uint64(head["numbers"]), np.uint64(head["halves"])
        octet = np.uint64(head["bytes"]) + np.uint64(num_bits)
        if num_bits == 0:
            for place in range(np.uint64(head["features"])):
                batch.features[index, np.uint64(numbers[number + place])] = floats[half + place]
            number += np.uint64(head["features"])
        half += np.uint64(head["features"])
        value = half + np.uint64(head["rows"][0]) + np.uint64(head["rows"][1])
        own_columns, own_ranges = number, half
        for player in range(2):
            rows = np.uint64(head["rows"][player])
            if player == 1 and head["actor"] == 1:
                own_columns, own_ranges = number, half
            total, joint, mass = 0.0, 0.0, 0.0
            for row in range(rows):
                total += floats[half + row]
                mass += octets[octet + row]
                joint += floats[half + row] * octets[octet + row]
            for row in range(rows):
                column = np.uint64(column_at(head, numbers, number, player, np.uint64(row)))
                batch.ranges[index, column] = floats[half + row] / total
                if joint > 0:
                    batch.beliefs[index, column] = floats[half + row] * octets[octet + row] / joint
                target = floats[value + row]
                if not np.isnan(target):
                    batch.values[index, column] = target
                    weight = 1.0 if head["origin"] == OUTCOME else octets[octet + row] * (rows / mass)
                    batch.value_weights[index, column] = weight
            number += num_columns(head, player)
            half, octet, value = half + rows, octet + rows, value + rows
        if head["actor"] <= 1:
            actor = np.uint64(head["actor"])
            rows, total = np.uint64(head["rows"][actor]), 0.0
            choice = number + (ONE if head["is_alike"] else rows)
            for row in range(rows):
                total += floats[own_ranges + row]
            for row in range(rows):
                place_of = column_at(head, numbers, own_columns, np.int64(actor), np.uint64(row))
                if place_of >= where.num_first:
                    place_of -= where.num_first
                begin = where.start[np.int64(actor)] + place_of * where.width[np.int64(actor)]
                batch.policy_weights[line] = floats[own_ranges + row] / total
                count = np.uint64(numbers[number] if head["is_alike"] else numbers[number + row])
                sum_of = 0.0
                for place in range(count):
                    share = (octets[octet + place] / BYTE) ** 2
                    sum_of += share
                    batch.logits[line, place] = begin + np.int64(numbers[choice + place])
                    batch.policies[line, place] = share
                for place in range(count):
                    batch.policies[line, place] /= sum_of
                octet, line = octet + count, line + ONE
                if not head["is_alike"]:
                    choice += count
