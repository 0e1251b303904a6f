"""What searches of self-play and of the query solver found, and how it becomes examples.

A query names its public state by its route from the root: plain data that knows no store.

Values count as much as the mass of the opponent's range that is compatible with their infostate: where that
is zero the infostate cannot be, and its value is not learned; where a player's own range is zero the value
still says what coming there would be worth, and is. Policies are weighted by the player's own range.

Verified: tests/training/test_records.py.
"""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, F64, I64, U8, U32
from sog.games.base import NUM_PLAYERS
from sog.public.beliefs import weigh_opponents
from sog.public.store import StateStore
from sog.training.examples import OUTCOME, PLAYED, Contents, Examples, no_examples, pack_examples
from sog.training.run_status import DivergedError

Pair = tuple[F64, F64]
_LARGEST = 60_000.0  # that half precision can tell from infinity


class Query(NamedTuple):
    """A public belief state to be solved."""

    route: tuple[int, ...]
    ranges: Pair  # [P][H] each sums to one
    origin: int = PLAYED


class SearchTarget(NamedTuple):
    """What a search found out about a public belief state."""

    node: int  # of the store
    ranges: Pair  # [P][H]
    values: Pair  # [P][H] counterfactual, as the ranges weigh them
    policy: F64  # [A, H] of the acting player
    origin: int = PLAYED
    is_valued: bool = True  # False where the policy alone is to be learned, unless nothing is hidden


class ExampleWriter:
    """Turns what searches found into examples."""

    def __init__(self, store: StateStore) -> None:
        self._store = store

    def write(self, findings: Sequence[SearchTarget]) -> Examples:
        """Return examples whose targets are the values and policies found."""
        if not findings:
            return no_examples()
        contents = self._collect(findings)
        for index, finding in enumerate(findings):
            if not finding.is_valued and not self._store.facts.hides_nothing:
                for player in range(NUM_PLAYERS):
                    begin, end = contents.start[player][index : index + 2].tolist()
                    contents.values[player][begin:end] = np.nan
        return self._pack(findings, contents, [finding.origin for finding in findings])

    def write_outcomes(
        self,
        findings: Sequence[SearchTarget],
        infostates: Sequence[tuple[int, int]],
        returns: F64,
        bootstrap: float = 0.0,
        others: float = inf,
        rng: np.random.Generator | None = None,
    ) -> Examples:
        """Return examples whose values are what a play returned, where the play went through.

        returns: [P, N] to each player. bootstrap: share of the value that was found instead of the return. If
        there is any, infostates that the play did not go through have the values that were found; of each
        player's only so many `others`, on average, which rng draws.
        """
        contents = self._collect(findings)
        scales = np.array([self._store.value_scale(finding.node) for finding in findings])
        for player in range(NUM_PLAYERS):
            values, own = contents.values[player], _places(contents, infostates, player)
            found = np.nan_to_num(values[own])
            if bootstrap == 0:
                values[:] = np.nan
            elif others < inf and rng is not None:
                sizes = np.diff(contents.start[player])
                share = np.repeat(np.minimum(1.0, others / np.maximum(sizes - 1, 1)), sizes)
                values[rng.random(values.size) >= share] = np.nan
            values[own] = (1 - bootstrap) * returns[player] / scales + bootstrap * found
        return self._pack(findings, contents, [OUTCOME] * len(findings))

    def trace_returns(
        self,
        findings: Sequence[SearchTarget],
        infostates: Sequence[tuple[int, int]],
        utility: float,
        trace: float,
        explored: Sequence[bool] = (),
    ) -> F64:
        """Return what followed each state of a play [P, N]: λ-returns of the values found, λ being the trace.

        With 1 that is the play's outcome, of so much utility to player 0; with 0 the value of the next state.
        Where the move was `explored`, what followed says nothing: the return is the value found there.
        """
        returns = np.empty((NUM_PLAYERS, len(findings)))
        returns[0], returns[1] = utility, -utility
        if trace < 1 or any(explored):
            contents = self._collect(findings)
            scales = np.array([self._store.value_scale(finding.node) for finding in findings])
            for player in range(NUM_PLAYERS):
                found = contents.values[player][_places(contents, infostates, player)]
                found = np.nan_to_num(found) * scales
                for place in range(len(findings) - 1, -1, -1):
                    if explored and explored[place]:
                        returns[player, place] = found[place]
                    elif place + 1 < len(findings):
                        after = found[place + 1]
                        returns[player, place] = (1 - trace) * after + trace * returns[player, place + 1]
        return returns

    def mass(self, node: int, player: int, infostate: int, ranges: Pair) -> float:
        """Return the mass of the opponent's range that is compatible with a player's infostate."""
        start = np.array([0, ranges[0].size]), np.array([0, ranges[1].size])
        masses = weigh_opponents(self._store.arrays(), np.array([node], np.int32), start, ranges)
        return float(masses[player][infostate])

    def _collect(self, findings: Sequence[SearchTarget]) -> Contents:
        """Return everything that was found, the values as shares of scales, no numbers where none can be."""
        store = self._store
        nodes = np.array([finding.node for finding in findings], np.int32)
        scales, starts, ranges, values = store.arrays().nodes["value_scale"][nodes], [], [], []
        for player in range(NUM_PLAYERS):
            sizes = [finding.ranges[player].size for finding in findings]
            starts.append(np.cumsum([0, *sizes]))
            ranges.append(np.concatenate([finding.ranges[player] for finding in findings]))
            values.append(np.concatenate([finding.values[player] for finding in findings]))
        start, both = (starts[0], starts[1]), (ranges[0], ranges[1])
        masses = weigh_opponents(store.arrays(), nodes, start, both)
        for player in range(NUM_PLAYERS):
            mass = masses[player] * np.repeat(scales, np.diff(start[player]))
            possible = mass > 0
            values[player] = np.divide(values[player], mass, out=np.full(mass.size, np.nan), where=possible)
            if not (np.isfinite(mass).all() and np.abs(values[player][possible]).max(initial=0) < _LARGEST):
                raise DivergedError("training diverged: a search found values that are no numbers")
            totals = np.add.reduceat(both[player], start[player][:-1])
            both[player][:] /= np.repeat(totals, np.diff(start[player]))
        policies = [
            finding.policy.ravel() if store.actor(finding.node) < NUM_PLAYERS else np.zeros(0)
            for finding in findings
        ]
        return Contents(
            start=start,
            ranges=both,
            values=(values[0], values[1]),
            masses=masses,
            policy_start=np.cumsum([0, *(policy.size for policy in policies)]),
            policies=np.concatenate(policies),
            plane_values=np.zeros((len(findings), 0), np.float32),
            plane_bits=np.zeros((len(findings), 0), np.uint8),
        )

    def _pack(self, findings: Sequence[SearchTarget], contents: Contents, origins: list[int]) -> Examples:
        nodes = np.array([finding.node for finding in findings], np.uint32)
        if self._store.has_planes:
            planes, bits = self._planes(nodes)
            contents = contents._replace(plane_values=planes, plane_bits=bits)
        return pack_examples(contents, *self._store.codes(nodes), origins)

    def _planes(self, nodes: U32) -> tuple[F32, U8]:
        """Return the number of every plane, and a bit for each of its squares: planes have one at most."""
        shape = self._store.encoded.encoding.features
        features = np.zeros((nodes.size, int(np.prod(shape))), np.float32)
        self._store.planes.write_planes(self._store, nodes, features)
        planes = features.reshape(nodes.size, shape[0], -1)
        bits = np.packbits(planes != 0, axis=2).reshape(nodes.size, -1)
        return planes.max(axis=2, initial=0.0), bits


def _places(contents: Contents, infostates: Sequence[tuple[int, int]], player: int) -> I64:
    """Return where the infostates [N] are that a play went through."""
    own: I64 = contents.start[player][:-1] + np.array([pair[player] for pair in infostates])
    return own
