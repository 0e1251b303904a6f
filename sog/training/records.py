"""What passes between actors, the query solver and the learner: plain data that knows no store.

A query names its public state by its route from the root. An example is written in a network's own
coordinates, so that a learner needs no game. Weights of values are the mass of the opponent's range that is
compatible with an infostate: where that is zero the infostate cannot be, and its value is not learned; where
a player's own range is zero the value still says what coming there would be worth, and is. Policies are
weighted by the player's own range.

Verified: tests/training/test_records.py.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, F64, I8, I64, Bools
from sog.games.base import NUM_PLAYERS
from sog.games.view import UNUSED, Code
from sog.nets.spec import Sizes
from sog.public.store import StateStore
from sog.training.belief_kernels import write_belief, write_values

ILLEGAL = -1.0  # in a policy: a choice that an infostate has not
OUTCOME, PLAYED, RECURSIVE = 0, 1, 2  # an example's origin: TD(1), a query of self-play or of the solver


class Query(NamedTuple):
    """A public belief state to be solved."""

    route: tuple[int, ...]
    ranges: tuple[F64, F64]  # [P][H] each sums to one
    origin: int = PLAYED


class Examples(NamedTuple):
    """N examples. F features, V values, R rows and C choices of a policy."""

    features: F32  # [N, F]
    ranges: F32  # [N, V]
    beliefs: F32  # [N, V] probability of each infostate, one in all for each player
    values: F32  # [N, V] targets, as shares of the state's scale
    value_weights: F32  # [N, V]
    policies: F32  # [N, R, C] targets, ILLEGAL for what is not a legal choice
    policy_weights: F32  # [N, R]
    origins: I8  # [N]

    @property
    def size(self) -> int:
        """N."""
        return len(self.features)


def allocate_examples(sizes: Sizes, count: int) -> Examples:
    """Return empty examples."""
    values = (count, sizes.num_values)
    return Examples(
        features=np.zeros((count, sizes.num_features), np.float32),
        ranges=np.zeros(values, np.float32),
        beliefs=np.zeros(values, np.float32),
        values=np.zeros(values, np.float32),
        value_weights=np.zeros(values, np.float32),
        policies=np.full((count, sizes.num_rows, sizes.choices), ILLEGAL, np.float32),
        policy_weights=np.zeros((count, sizes.num_rows), np.float32),
        origins=np.zeros(count, np.int8),
    )


def join_examples(parts: list[Examples]) -> Examples:
    """Return all examples of several lots, one at least."""
    return Examples(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


class StateFacts(NamedTuple):
    """What examples of one public state have in common."""

    code: Code
    columns: tuple[I64, I64]  # [P][H] where each infostate stands among the values
    weights: F64  # [H0, H1] joint
    scale: float
    actor: int
    is_used: Bools  # [A, H] slots of the acting player
    lines: I64  # [slots in use] row of the policy
    choices: I64  # [slots in use]


class Finding(NamedTuple):
    """What a search found out about a public belief state."""

    node: int  # of the store
    ranges: tuple[F64, F64]  # [P][H]
    values: tuple[F64, F64]  # [P][H] counterfactual, as the ranges weigh them
    policy: F64  # [A, H] of the acting player
    origin: int = PLAYED
    is_valued: bool = True  # False where the policy alone is to be learned, unless nothing is hidden


class ExampleWriter:
    """Turns what searches found into examples."""

    def __init__(self, store: StateStore, sizes: Sizes) -> None:
        self._store, self._sizes = store, sizes
        self._facts: dict[int, StateFacts] = {}

    def write(self, findings: Sequence[Finding]) -> Examples:
        """Return examples whose targets are the values and policies found."""
        examples = allocate_examples(self._sizes, len(findings))
        for index, finding in enumerate(findings):
            facts = self.facts(finding.node)
            masses = self._write_belief(examples, index, facts, finding)
            if finding.is_valued:
                write_values(
                    facts.columns, masses, facts.scale, finding.values, examples.values[index],
                    examples.value_weights[index],
                )  # fmt: skip
        return examples

    def write_outcomes(
        self,
        findings: Sequence[Finding],
        infostates: Sequence[tuple[int, int]],
        utility: float,
        bootstrap: float = 0.0,
    ) -> Examples:
        """Return examples whose values are a play's outcome for player 0, where the play went through.

        bootstrap: share of the value that was found instead of the outcome.
        """
        examples = allocate_examples(self._sizes, len(findings))
        for index, (finding, own) in enumerate(zip(findings, infostates, strict=True)):
            facts = self.facts(finding.node)
            self._write_belief(examples, index, facts, finding)
            for player, sign in enumerate((1.0, -1.0)):
                column, infostate = facts.columns[player][own[player]], own[player]
                mass = self.mass(finding.node, player, infostate, finding.ranges)
                found = float(finding.values[player][infostate]) / mass if mass > 0 else 0.0
                worth = (1 - bootstrap) * sign * utility + bootstrap * found
                examples.values[index, column] = worth / facts.scale
                examples.value_weights[index, column] = 1
        examples.origins[:] = OUTCOME
        return examples

    def mass(self, node: int, player: int, infostate: int, ranges: tuple[F64, F64]) -> float:
        """Return the mass of the opponent's range that is compatible with a player's infostate."""
        weights = self.facts(node).weights
        return float((weights[infostate] if player == 0 else weights[:, infostate]) @ ranges[1 - player])

    def facts(self, node: int) -> StateFacts:
        """Return what is known of a node."""
        found = self._facts.get(node)
        if found is None:
            found = self._facts[node] = self._look(node)
        return found

    def _write_belief(
        self, examples: Examples, index: int, facts: StateFacts, finding: Finding
    ) -> tuple[F64, F64]:
        """Write everything but the values; return the masses [P][H] that are compatible with infostates."""
        ranges = finding.ranges
        masses = np.empty(ranges[0].size), np.empty(ranges[1].size)
        write_belief(
            facts.columns, facts.weights, ranges, masses, examples.ranges[index], examples.beliefs[index]
        )
        examples.features[index] = facts.code.features
        examples.origins[index] = finding.origin
        if facts.actor < NUM_PLAYERS:
            examples.policies[index, facts.lines, facts.choices] = finding.policy[facts.is_used]
            own = ranges[facts.actor]
            examples.policy_weights[index, facts.code.rows[facts.actor]] = own / own.sum()
        return masses

    def _look(self, node: int) -> StateFacts:
        store, code = self._store, self._store.encoded.encode(self._store, node)
        actor = store.actor(node)
        is_used = code.choices != UNUSED
        lines = np.zeros(0, np.int64)
        if actor < NUM_PLAYERS:
            lines = np.broadcast_to(code.rows[actor], code.choices.shape)[is_used].astype(np.int64)
        return StateFacts(
            code=code,
            columns=(code.columns[0].astype(np.int64), code.columns[1].astype(np.int64)),
            weights=store.joint_weights(node),
            scale=store.value_scale(node),
            actor=actor,
            is_used=is_used,
            lines=lines,
            choices=code.choices[is_used].astype(np.int64),
        )
