"""Kernels between a batch of queries and a network's arrays.

`write_ranges` puts every query's ranges where the network takes them; `read_values` picks the values of the
query's own infostates and makes them cancel under its beliefs; `read_priors` turns logits of legal choices
into probabilities.

Verified: tests/nets/test_evaluator.py.
"""

from typing import Any

import numpy as np

from sog.core.arrays import F32, I32
from sog.core.jit import inlined, kernel
from sog.games.base import NUM_PLAYERS
from sog.games.products import Index, multiply_row
from sog.games.view import UNUSED
from sog.nets.codes import CodeTables
from sog.public.evaluator import Batch


@inlined
def _first_row(tables: CodeTables, code: np.uint64, player: Index) -> np.uint64:
    record = tables.codes[code]
    return np.uint64(record["first_rows"] if player == 0 else record["second_rows"])


@kernel
def write_ranges(tables: CodeTables, codes: I32, batch: Batch, inputs: F32) -> None:
    """Fill inputs [B, V]: zero wherever a query has no infostate."""
    for query in range(codes.size):
        for column in range(inputs.shape[1]):
            inputs[query, column] = 0
        for player in range(NUM_PLAYERS):
            first = _first_row(tables, np.uint64(codes[query]), player)
            start = np.uint64(batch.start[player][query])
            for row in range(np.uint64(batch.start[player][query + 1]) - start):
                inputs[query, np.uint64(tables.rows[first + row])] = batch.ranges[player][start + row]


@kernel
def read_values(matrices: Any, tables: CodeTables, codes: I32, outputs: F32, batch: Batch) -> None:
    """Fill the batch's values from outputs [B, V] and balance them; batch modified in place."""
    for query in range(codes.size):
        code = np.uint64(codes[query])
        number = np.uint64(tables.codes[code]["joint"])
        error = 0.0
        for player in range(NUM_PLAYERS):
            first = _first_row(tables, code, player)
            start, rival = np.uint64(batch.start[player][query]), np.uint64(batch.start[1 - player][query])
            columns = np.uint64(batch.start[1 - player][query + 1]) - rival
            total, mean = 0.0, 0.0
            for index in range(np.uint64(batch.start[player][query + 1]) - start):
                row = np.uint64(index)
                value = outputs[query, np.uint64(tables.rows[first + row])]
                batch.values[player][start + row] = value
                share = batch.ranges[player][start + row]
                if share > 0:
                    share *= multiply_row(
                        matrices, player, number, row, columns, batch.ranges[1 - player], rival
                    )
                    total += share
                    mean += share * value
            error += mean / total if total > 0 else 0.0
        for player in range(NUM_PLAYERS):
            start = np.uint64(batch.start[player][query])
            for index in range(np.uint64(batch.start[player][query + 1]) - start):
                batch.values[player][start + index] -= 0.5 * error


@kernel
def read_priors(
    tables: CodeTables, codes: I32, logits: F32, num_first: int, num_choices: int, batch: Batch
) -> None:
    """Fill the batch's priors from logits [B, R × C]: a softmax over each infostate's own choices.

    num_first: infostates of the player whose numbers come first.
    """
    width = np.uint64(num_choices)
    for query in range(codes.size):
        record = tables.codes[np.uint64(codes[query])]
        if record["actor"] >= NUM_PLAYERS:
            continue
        actor = np.int64(record["actor"])
        rows = np.uint64(batch.start[actor][query + 1] - batch.start[actor][query])
        slot = np.uint64(batch.prior_start[query])
        num_actions = (np.uint64(batch.prior_start[query + 1]) - slot) // rows
        first, choices = _first_row(tables, np.uint64(codes[query]), actor), np.uint64(record["choices"])
        for row in range(rows):
            number = np.int64(tables.rows[first + row])
            line = np.uint64(number - num_first if number >= num_first else number) * width
            highest, total = -np.inf, 0.0
            for action in range(num_actions):
                choice = tables.choices[choices + action * rows + row]
                if choice != UNUSED:
                    highest = max(highest, np.float64(logits[query, line + np.uint64(choice)]))
            for action in range(num_actions):
                choice = tables.choices[choices + action * rows + row]
                prior = 0.0
                if choice != UNUSED:
                    prior = np.exp(np.float64(logits[query, line + np.uint64(choice)]) - highest)
                elif highest == -np.inf and action == 0:
                    prior = 1.0  # somebody who has nothing to do but wait
                batch.priors[slot + action * rows + row] = prior
                total += prior
            for action in range(num_actions):
                batch.priors[slot + action * rows + row] /= total
