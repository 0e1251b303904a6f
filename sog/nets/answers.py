"""Kernels between a batch of queries and a network's arrays.

`write_ranges` puts every query's ranges where the network takes them; `read_values` picks the values of the
query's own infostates and makes them cancel under its beliefs; `read_priors` turns logits of legal choices
into probabilities.

Verified: tests/nets/test_evaluator.py.
"""

import numpy as np

from sog.core.arrays import F32, F64, I32, I64
from sog.core.jit import inlined, kernel
from sog.games.base import NUM_PLAYERS
from sog.games.products import Index
from sog.games.view import UNUSED
from sog.nets.spec import Logits
from sog.public.beliefs import Pair
from sog.public.codes import CodeTables
from sog.public.evaluator import Batch


@inlined
def _first_column(tables: CodeTables, code: np.uint64, player: Index) -> np.uint64:
    record = tables.codes[code]
    return np.uint64(record["first_columns"] if player == 0 else record["second_columns"])


@kernel
def write_ranges(tables: CodeTables, codes: I32, batch: Batch, inputs: F32) -> None:
    """Fill inputs [B, V]: zero wherever a query has no infostate."""
    for query in range(codes.size):
        for column in range(inputs.shape[1]):
            inputs[query, column] = 0
        for player in range(NUM_PLAYERS):
            first = _first_column(tables, np.uint64(codes[query]), player)
            start = np.uint64(batch.start[player][query])
            for row in range(np.uint64(batch.start[player][query + 1]) - start):
                inputs[query, np.uint64(tables.columns[first + row])] = batch.ranges[player][start + row]


@kernel
def read_values(tables: CodeTables, codes: I32, outputs: F32, masses: Pair, batch: Batch) -> None:
    """Fill the batch's values from outputs [B, V] and balance them; batch modified in place.

    masses: [P][infostates] of the opponent's range that is compatible with each infostate.
    """
    for query in range(codes.size):
        code, error = np.uint64(codes[query]), 0.0
        for player in range(NUM_PLAYERS):
            first = _first_column(tables, code, player)
            start = np.uint64(batch.start[player][query])
            total, mean = 0.0, 0.0
            for index in range(np.uint64(batch.start[player][query + 1]) - start):
                value = outputs[query, np.uint64(tables.columns[first + np.uint64(index)])]
                batch.values[player][start + index] = value
                share = batch.ranges[player][start + index] * masses[player][start + index]
                total += share
                mean += share * value
            error += mean / total if total > 0 else 0.0
        for player in range(NUM_PLAYERS):
            start = np.uint64(batch.start[player][query])
            for index in range(np.uint64(batch.start[player][query + 1]) - start):
                batch.values[player][start + index] -= 0.5 * error


@kernel
def read_priors(
    tables: CodeTables, codes: I32, wanted: I64, logits: F32, where: Logits, batch: Batch
) -> None:
    """Fill the batch's priors from logits [W, L]: a softmax over each infostate's own choices.

    wanted: [W] the queries that ask for priors.
    """
    for index in range(wanted.size):
        query = wanted[index]
        record = tables.codes[np.uint64(codes[query])]
        if record["actor"] < NUM_PLAYERS:
            actor = np.int64(record["actor"])
            rows = np.uint64(batch.start[actor][query + 1] - batch.start[actor][query])
            slot = np.uint64(batch.prior_start[query])
            num_actions = (np.uint64(batch.prior_start[query + 1]) - slot) // rows
            first = _first_column(tables, np.uint64(codes[query]), actor)
            for row in range(rows):
                number = np.int64(tables.columns[first + row])
                if number >= where.num_first:
                    number -= where.num_first
                line = np.uint64(where.start[actor] + number * where.width[actor])
                choices = tables.choices[np.uint64(record["choices"]) + row :: rows][:num_actions]
                _soften(logits[index][line:], choices, batch.priors[slot + row :: rows][:num_actions])


@inlined
def _soften(logits: F32, choices: I32, priors: F64) -> None:
    """Write the softmax over choices [A] that are used; priors [A] modified in place."""
    highest, total = -np.inf, 0.0
    for action in range(choices.size):
        if choices[action] != UNUSED:
            highest = max(highest, np.float64(logits[np.uint64(choices[action])]))
    for action in range(choices.size):
        prior = 0.0
        if choices[action] != UNUSED:
            prior = np.exp(np.float64(logits[np.uint64(choices[action])]) - highest)
        elif highest == -np.inf and action == 0:
            prior = 1.0  # an infostate that has nothing to do but wait
        priors[action] = prior
        total += prior
    for action in range(choices.size):
        priors[action] /= total
