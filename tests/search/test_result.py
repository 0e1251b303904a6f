"""Averages of states that came late into a tree, by hand; averages of whole trees, history by history."""

from collections import defaultdict

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame
from sog.games.registry import load
from sog.public.derived import DerivedView
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher, Task
from sog.search.iteration_snapshot import IterationSnapshot
from sog.search.rebel import first_subgame
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings
from sog.solvers.schedules import VARIANTS
from tests.public.world_moves import move_world
from tests.random_game import RandomGame


class One:
    """Every infostate of player 0 is worth one utility, and of player 1 minus that."""

    name = "one"
    has_priors = False

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        for query, node in enumerate(batch.nodes.tolist()):
            scale = store.value_scale(node)
            batch.values[0][batch.rows(0, query)] = 1 / scale
            batch.values[1][batch.rows(1, query)] = -1 / scale


def test_a_state_is_averaged_over_the_iterations_since_it_came() -> None:
    """Kuhn from the start: each simulation adds one more state on the way to the first decision."""
    store = open_store(load("kuhn"))
    searcher = Searcher(store, One(), SearchSettings(simulations=3))
    result = searcher.search(first_task(store, ROOT), seed=0)
    for node in store.path(int(result.states.max()))[1:]:
        found = result.find(node)
        if found is None:
            continue
        weights = store.joint_weights(node)
        ranges = result.summary(found).ranges
        values = result.summary(found).values
        np.testing.assert_allclose(values[0], (weights @ ranges[1]), atol=1e-12)
        np.testing.assert_allclose(values[1], -(ranges[0] @ weights), atol=1e-12)
    assert result.statistics.nodes == 5  # the start, two deals, check and bet


def test_values_of_both_players_cancel_at_every_state() -> None:
    """With values of zero at leaves the players' expected values are opposite everywhere in the tree."""
    store = open_store(load("leduc"))
    result = Searcher(store, None, SearchSettings(simulations=1, per_update=1 / 50, depth=6)).search(
        first_task(store, ROOT), seed=0
    )
    summary = result.summary(0)
    assert abs(summary.values[0].sum() + summary.values[1].sum()) < 1e-9
    assert result.has_values.all()


class Walk:
    """One iteration of a search of the whole game, history by history: reach and counterfactual values."""

    def __init__(self, store: StateStore, snapshot: IterationSnapshot, root_ranges: tuple[F64, F64]) -> None:
        self.store, self.snapshot, self.places = store, snapshot, snapshot.places()
        self.reach: dict[tuple[int, int], F64] = {}  # by node and player
        self.values: defaultdict[tuple[int, int], F64] = defaultdict(lambda: np.zeros(()))
        for node in self.places:
            for player, size in enumerate(store.num_infostates(node)):
                self.reach[node, player], self.values[node, player] = np.zeros(size), np.zeros(size)
        view = store.view
        assert isinstance(view, DerivedView)
        self.view = view
        for place, (_, row, column, chance) in enumerate(view.worlds(store, ROOT)):
            self.visit(ROOT, place, chance, [float(root_ranges[0][row]), float(root_ranges[1][column])])

    def follow(self, node: int, place: int, move: int) -> tuple[int, int]:
        """Return the child that a move leads to, and the world there."""
        return move_world(self.store, node, place, move)

    def visit(self, node: int, place: int, chance: float, own: list[float]) -> float:
        """Add a history to the sums of its public state; return what it is worth to player 0."""
        state, game = self.view.state(self.store, node), self.view.game
        utility, present = 0.0, state.worlds[place]
        if state.actor == TERMINAL:
            utility = float(game.returns(present)[0])
        elif state.actor == CHANCE:
            for move, (_, share) in enumerate(game.chance_outcomes(present)):
                utility += share * self.visit(*self.follow(node, place, move), chance * share, own)
        else:
            infostate = int(state.rows[state.actor, place])
            policy = self.snapshot.choices(self.places[node], state.actor)[:, infostate]
            for move in range(len(state.legal[infostate])):
                after = [reach * (policy[move] if player == state.actor else 1) for player, reach in
                         enumerate(own)]  # fmt: skip
                child, below = self.follow(node, place, move)
                utility += policy[move] * self.visit(child, below, chance, after)
        for player, sign in enumerate((1, -1)):
            row = int(state.rows[player, place])
            self.reach[node, player][row] = own[player]
            self.values[node, player][row] += sign * chance * own[1 - player] * utility
        return utility


@pytest.mark.parametrize("alternates", [False, True])
@pytest.mark.parametrize("algorithm", ["lcfr", "dcfr"])
@pytest.mark.parametrize("game", [RandomGame(3), RandomGame(6), RandomGame(14), load("kuhn")],
                         ids=lambda game: game.info.name)  # fmt: skip
def test_ranges_and_values_are_weighted_means_of_what_iterations_played(
    game: AnyGame, algorithm: str, alternates: bool
) -> None:
    """Σ t^γ x_t / Σ t^γ of reach and of counterfactual values, at every public state of the whole game."""
    store, iterations = open_store(game), 4
    ranges = np.full(1, 0.5), np.full(1, 0.25)
    settings = SearchSettings(
        simulations=1,
        per_update=1 / iterations,
        depth=1000,
        algorithm=algorithm,
        alternates=alternates,
    )
    searcher, walks = Searcher(store, None, settings), []
    for iteration in range(1, iterations + 1):
        result = searcher.search(Task(ROOT, ROOT, ranges, snapshot_iteration=iteration), seed=0)
        assert result.snapshot is not None
        walks.append(Walk(store, result.snapshot, ranges))
    weights = np.arange(1.0, iterations + 1) ** VARIANTS[algorithm].gamma
    weights /= weights.sum()
    for node in result.states.tolist():
        found = result.find(node)
        assert found is not None
        summary = result.summary(found)
        for player in range(NUM_PLAYERS):
            reach = sum(
                weight * walk.reach[node, player] for weight, walk in zip(weights, walks, strict=True)
            )
            values = sum(
                weight * walk.values[node, player] for weight, walk in zip(weights, walks, strict=True)
            )
            np.testing.assert_allclose(summary.ranges[player], reach, atol=1e-12)
            np.testing.assert_allclose(summary.values[player], values, atol=1e-12)


def test_who_never_comes_is_told_what_the_best_action_would_be_worth() -> None:
    """Fictitious play of modified rock-paper-scissors, against a player 0 whose range is empty.

    Player 1 is then indifferent, and answers with its first action. Player 0 faces the average of that, the
    uniform policy included.
    """
    payoffs = np.array([[0.0, -1, 2], [1, 0, -2], [-2, 2, 0]])
    store, iterations = open_store(load("rps")), 5
    settings = SearchSettings(
        simulations=1, per_update=1 / iterations, depth=1000, algorithm="fp", alternates=False,
        leaf_ranges="average",
    )  # fmt: skip
    result = Searcher(store, None, settings).search(Task(ROOT, ROOT, (np.zeros(1), np.ones(1))), seed=0)
    sums, found = np.full(3, 1 / 3), []
    for _ in range(iterations):
        found.append((payoffs @ sums).max() / sums.sum())
        sums += np.array([1.0, 0, 0])
    assert result.summary(0).values[0][0] == pytest.approx(np.mean(found))


@pytest.mark.parametrize("threshold", [0.0, 0.3, 1.0])
def test_unlikely_moves_are_not_played(threshold: float) -> None:
    store = open_store(load("leduc"))
    task = first_task(store, first_subgame(store).node)
    whole = Searcher(store, None, SearchSettings(simulations=20)).search(task, seed=1).policy
    settings = SearchSettings(simulations=20, threshold=threshold)
    policy = Searcher(store, None, settings).search(task, seed=1).policy
    for ours, theirs in zip(policy.T, whole.T, strict=True):
        kept = [share if share >= threshold * max(theirs) else 0.0 for share in theirs]
        np.testing.assert_allclose(ours, np.array(kept) / sum(kept), atol=1e-12)
    assert (policy == 0).any() == (threshold > 0)
