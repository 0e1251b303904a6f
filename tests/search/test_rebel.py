"""Subgames of a fixed depth: tabular CFR when deep enough, and what an iteration leaves behind."""

from dataclasses import replace

import numpy as np
import pytest

from sog.core.arrays import F64, Float
from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.games.base import NUM_PLAYERS
from sog.games.registry import load
from sog.public.enumeration import enumerate_game
from sog.public.evaluator import Batch, Evaluator
from sog.public.opening import open_store
from sog.public.store import StateStore
from sog.search.evaluators import RolloutEvaluator
from sog.search.exact import ExactEvaluator
from sog.search.gtcfr import Searcher
from sog.search.lanes import NONE
from sog.search.rebel import (
    ALGORITHMS,
    RebelSettings,
    first_subgame,
    open_subgames,
    sample_leaf,
)
from sog.search.result import SearchResult
from sog.solvers.cfr import iterate, make_state
from sog.solvers.evaluation import Evaluation, Profile
from sog.solvers.policies import average_policy
from sog.solvers.schedules import MINIMISERS, VARIANTS, discounts
from sog.solvers.traversal import push_reach
from tests.solvers.warm_start import warm_start

DICE = "liars_dice(dice=1,faces=3)"


class ConstantEvaluator:
    """Player 0 wins everything everywhere; counts what it was asked."""

    name, has_priors = "constant", False

    def __init__(self) -> None:
        self.queries = 0

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer every query alike."""
        self.queries += batch.nodes.size
        batch.values[0][:] = 1
        batch.values[1][:] = -1


class OpinionatedEvaluator:
    """Says what to play at every decision, and that nothing is worth anything."""

    name, has_priors = "opinionated", True

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer every query by `opinion`."""
        for query, node in enumerate(batch.nodes.tolist()):
            prior = batch.priors[batch.prior_start[query] : batch.prior_start[query + 1]]
            if prior.size:
                rows = store.num_infostates(node)[store.actor(node)]
                prior[:] = opinion(store, node, prior.size // rows, rows).ravel()


def opinion(store: StateStore, node: int, num_actions: int, rows: int) -> F64:
    """Return a policy [A, H] that depends on how far a node is from the root."""
    action, row = np.mgrid[:num_actions, :rows]
    weights: F64 = 1.0 + (3 * len(list(store.route(node))) + 5 * action + 2 * row) % 7
    policy: F64 = weights / weights.sum(axis=0)
    return policy


def solve(
    game: str, evaluator: Evaluator | None, settings: RebelSettings, iteration: int = 0
) -> tuple[StateStore, SearchResult]:
    store = open_store(load(game))
    searcher = Searcher(store, evaluator, settings.search())
    return store, searcher.search(first_subgame(store).task(iteration), seed=0)


def test_a_search_as_deep_as_the_game_is_tabular_linear_cfr() -> None:
    iterations = 40
    _, result = solve(DICE, None, RebelSettings(depth=20, iterations=iterations), iteration=iterations)
    found = enumerate_game(load(DICE))
    store, layout, terminals = found.store, found.layout, found.terminals()
    evaluation = Evaluation(layout, terminals)
    state = make_state(layout, MINIMISERS.index(VARIANTS["lcfr"].minimiser))
    for player in range(NUM_PLAYERS):
        state[player].policy[:] = evaluation.uniform_policy()[player]
        push_reach(layout.players[player], state[player].policy, state[player].reach)
    snapshot = result.snapshot
    assert snapshot is not None
    for number in range(iterations):
        current = [mine.policy.copy() for mine in state]
        weights = discounts(VARIANTS["lcfr"], number + 1, 1)
        iterate(
            MINIMISERS.index(VARIANTS["lcfr"].minimiser), False, weights, layout.players, terminals, state
        )
    routes = {tuple(store.route(node)): node for node in range(store.num_nodes)}
    searched, _ = solve(DICE, None, RebelSettings(depth=20, iterations=1))
    compared = 0
    for place in snapshot.decisions():
        node = routes[tuple(searched.route(int(snapshot.nodes[place]["state"])))]
        player = store.actor(node)
        choices = snapshot.choices(place, player)
        output = layout.decision_slots(node)[0]
        expected = current[player][output : output + choices.size].reshape(choices.shape)
        np.testing.assert_allclose(choices, expected, atol=1e-9)
        compared += 1
    assert compared == len(evaluation_decisions(store))
    first = first_subgame(store).node
    average = average_policy(layout.players[0], state[0].average)
    output = layout.decision_slots(first)[0]
    np.testing.assert_allclose(
        result.policy.ravel(), average[output : output + result.policy.size], atol=1e-9
    )


@pytest.mark.parametrize("algorithm", ["cfr-d", "cfr-ave"])
def test_a_warm_start_is_that_of_tabular_cfr(algorithm: str) -> None:
    """In subgames as deep as the game: the policy network's answers as if 15 iterations had played them."""
    iterations, warm, variant = 25, 15, MINIMISERS.index(VARIANTS["lcfr"].minimiser)
    settings = RebelSettings(depth=20, iterations=iterations, algorithm=algorithm, warm=warm)
    searched, result = solve(DICE, OpinionatedEvaluator(), settings, iteration=iterations)
    found = enumerate_game(load(DICE))
    store, terminals = found.store, found.terminals()
    exact = Evaluation(found.layout, terminals)
    state, policy = make_state(exact.layout, variant), exact.uniform_policy()
    routes = {tuple(searched.route(node)): node for node in range(searched.num_nodes)}
    snapshot, averages = result.snapshot, result.averages
    assert snapshot is not None
    assert averages is not None
    places = {
        node: place for node, place in snapshot.places().items() if snapshot.nodes[place]["decision"] != NONE
    }
    slots = {}
    for node in evaluation_decisions(store):
        player, place = store.actor(node), routes[store.route(node)]
        output = found.layout.decision_slots(node)[0]
        shape = snapshot.choices(places[place], player).shape
        slots[places[place]] = player, slice(output, output + shape[0] * shape[1])
        policy[player][slots[places[place]][1]] = opinion(store, node, *shape).ravel()
    warm_start(VARIANTS["lcfr"], warm, exact.layout, terminals, policy, state)
    for number in range(warm, iterations):
        current = [mine.policy.copy() for mine in state]
        weights = discounts(VARIANTS["lcfr"], number + 1, 1)
        iterate(variant, False, weights, exact.layout.players, terminals, state)
    assert len(slots) == len(places)
    for place, (player, own) in slots.items():
        np.testing.assert_allclose(snapshot.choices(place, player).ravel(), current[player][own], atol=1e-9)
        average = average_policy(exact.layout.players[player], state[player].average)[own]
        np.testing.assert_allclose(averages.choices(place, player).ravel(), average, atol=1e-9)


def test_iterations_that_were_imitated_play_what_the_network_said() -> None:
    settings = RebelSettings(depth=1, iterations=30, warm=10)
    for iteration in (1, 10):
        store, result = solve(DICE, OpinionatedEvaluator(), settings, iteration=iteration)
        assert result.snapshot is not None
        choices = result.snapshot.choices(0, 0)
        np.testing.assert_allclose(choices, opinion(store, first_subgame(store).node, *choices.shape))
    assert result.statistics.updates == 30
    with pytest.raises(InputError, match="evaluator that knows policies"):
        solve(DICE, ExactEvaluator(5), settings)


@pytest.mark.parametrize("algorithm", ["fp", "linear-fp", "flop"])
def test_fictitious_play_answers_best_to_what_was_played(algorithm: str) -> None:
    """In subgames as deep as the game: answers are best ones, whichever of equal actions they take."""
    iterations, variant = 12, VARIANTS[ALGORITHMS[algorithm].regrets]
    settings = RebelSettings(depth=20, iterations=iterations, algorithm=algorithm)
    store, result = solve(DICE, None, settings, iteration=iterations)
    whole = enumerate_game(load(DICE))
    exact = Evaluation(whole.layout, whole.terminals())
    for node in range(store.num_nodes):  # breadth first, from where the search began: the same numbers
        assert store.actor(node) == whole.store.actor(node)
    searcher, first = Searcher(store, None, settings.search()), first_subgame(store)
    tasks = [first.task(number) for number in range(1, iterations + 1)]
    played = [exact.uniform_policy()]
    for found in searcher.search_many(tasks, [0] * iterations):
        assert found.snapshot is not None
        played.append(exact.uniform_policy())
        for place in found.snapshot.decisions():
            node = int(found.snapshot.nodes[place]["state"])
            player, output = store.actor(node), whole.layout.decision_slots(node)[0]
            choices = found.snapshot.choices(place, player)
            played[-1][player][output : output + choices.size] = choices.ravel()
    reaches = [[exact_reach(exact, player, policy) for player in range(NUM_PLAYERS)] for policy in played]
    weights = np.arange(1.0, iterations + 2) ** variant.gamma
    for number in range(1, iterations + 1):
        share = variant.optimism / (number + variant.optimism)
        faced = []
        for player in range(NUM_PLAYERS):
            own = [reach[player] for reach in reaches[:number]]
            average = np.average(own, axis=0, weights=weights[:number])
            mixed = (1 - share) * average + share * own[-1]
            faced.append(average_policy(exact.layout.players[player], mixed))
        for player in range(NUM_PLAYERS):
            best = exact.best_response(player, (faced[0], faced[1])).value
            pair = (played[number][0], faced[1]) if player == 0 else (faced[0], played[number][1])
            value = exact.value(pair) * (1 if player == 0 else -1)
            assert value == pytest.approx(best, abs=1e-9)
    average = np.average([reach[0] for reach in reaches], axis=0, weights=weights)
    output = whole.layout.decision_slots(first.node)[0]
    expected = average_policy(exact.layout.players[0], average)[output : output + result.policy.size]
    np.testing.assert_allclose(result.policy.ravel(), expected, atol=1e-9)


def exact_reach(exact: Evaluation, player: int, policy: Profile) -> Float:
    reach = np.ones_like(policy[player])
    push_reach(exact.layout.players[player], policy[player], reach)
    return reach


def test_fictitious_play_finds_the_values_too() -> None:
    _, result = solve(DICE, ExactEvaluator(100), RebelSettings(iterations=512, algorithm="flop"))
    root = result.summary(0)
    assert root.values[0].mean() * 9 == pytest.approx(1 / 9, abs=0.02)
    assert root.values[1].mean() * 9 == pytest.approx(-1 / 9, abs=0.02)


def evaluation_decisions(store: StateStore) -> list[int]:
    return [node for node in range(store.num_nodes) if store.actor(node) < NUM_PLAYERS]


def test_values_at_the_root_are_those_of_the_game() -> None:
    """Liar's Dice with three faces is worth 1/9 to the first player."""
    _, result = solve(DICE, ExactEvaluator(100), RebelSettings(iterations=512))
    root = result.summary(0)
    mass = 1 / 9  # of chance, since ranges are normalised
    assert root.values[0].mean() / mass == pytest.approx(1 / 9, abs=0.01)
    assert root.values[1].mean() / mass == pytest.approx(-1 / 9, abs=0.01)


def test_next_to_the_end_values_are_exact_whatever_the_evaluator_says() -> None:
    store = open_store(load(DICE))
    node = first_subgame(store).node
    for _ in range(5):  # five bids: one bid and "liar" are left
        node = store.children(node)[0]
    first = first_subgame(store)._replace(node=node)
    sure = Searcher(store, None, RebelSettings(depth=20, iterations=600).search()).search(first.task(0), 0)
    wrong = ConstantEvaluator()
    short = Searcher(store, wrong, RebelSettings(depth=2, iterations=600).search()).search(first.task(0), 0)
    assert wrong.queries == 0
    for player in range(NUM_PLAYERS):
        np.testing.assert_allclose(
            short.summary(0).values[player], sure.summary(0).values[player], atol=1e-12
        )


class Rollouts(RolloutEvaluator):
    """Random play, with an opinion of what to play."""

    has_priors = True

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        super().evaluate(store, batch)
        for query, node in enumerate(batch.nodes.tolist()):
            prior = batch.priors[batch.prior_start[query] : batch.prior_start[query + 1]]
            if prior.size:
                rows = store.num_infostates(node)[store.actor(node)]
                prior[:] = opinion(store, node, prior.size // rows, rows).ravel()


@pytest.mark.parametrize(
    ("warm", "algorithms"), [(0, ("cfr-d", "cfr-ave", "cfr-ave-sound")), (5, ("cfr-d", "cfr-ave"))]
)
def test_where_worlds_have_fixed_values_averages_and_policies_are_asked_about_alike(
    warm: int, algorithms: tuple[str, ...]
) -> None:
    """Random play from a leaf does not depend on beliefs: CFR-AVE's values in both forms then are CFR-D's."""
    first, *others = (
        solve(
            DICE,
            Rollouts(5, seed=3),
            RebelSettings(iterations=30, algorithm=algorithm, warm=warm),
            iteration=17,
        )[1]
        for algorithm in algorithms
    )
    for other in others:
        np.testing.assert_allclose(first.policy, other.policy, atol=1e-7)
        for player in range(NUM_PLAYERS):
            np.testing.assert_allclose(
                first.summary(0).values[player], other.summary(0).values[player], atol=1e-9
            )


class Listener(RolloutEvaluator):
    """Remembers what it was asked about each time: a query's node, and the first player's two ranges."""

    def __init__(self) -> None:
        super().__init__(5, seed=3)
        self.heard: list[list[tuple[int, F64, F64]]] = []

    def evaluate_faced(self, store: StateStore, batch: Batch, faced: tuple[F64, F64]) -> None:
        """Answer as always."""
        rows = [batch.rows(0, query) for query in range(batch.nodes.size)]
        self.heard.append(
            [
                (node, batch.ranges[0][own].copy(), faced[0][own].copy())
                for node, own in zip(batch.nodes.tolist(), rows, strict=True)
            ]
        )
        super().evaluate_faced(store, batch, faced)


def test_sound_cfr_ave_asks_about_averages_and_answers_for_what_is_played() -> None:
    """Two moves down the first player has bid once: its ranges are that bid's sums, and its last policy."""
    iterations, settings = 6, RebelSettings(iterations=6, algorithm="cfr-ave-sound")
    listener = Listener()
    store, _ = solve(DICE, listener, settings)
    assert len(listener.heard) == iterations
    first, total = first_subgame(store).node, np.zeros((6, 3))
    for number, queries in enumerate(listener.heard, start=1):
        snapshot = solve(DICE, Listener(), settings, number)[1].snapshot
        assert snapshot is not None
        played = snapshot.choices(0, 0)
        total += number * played
        assert queries
        for node, asked, faced in queries:
            path = store.path(node)
            bid = list(store.children(first)).index(path[path.index(first) + 1])
            np.testing.assert_allclose(asked, total[bid] / total[bid].sum(), atol=1e-9)
            mass = played[bid].sum()
            np.testing.assert_allclose(
                faced, played[bid] / mass if mass > 0 else np.full(3, 1 / 3), atol=1e-9
            )


def test_sound_cfr_ave_needs_an_evaluator_that_plays() -> None:
    with pytest.raises(InputError, match="needs an evaluator that plays, such as exact, not constant"):
        solve(DICE, ConstantEvaluator(), RebelSettings(algorithm="cfr-ave-sound"))
    with pytest.raises(InputError, match="not stale"):
        RebelSettings(algorithm="cfr-ave-sound", stale=0.01)


def test_ranges_kept_are_of_the_kept_policies_or_of_the_averages() -> None:
    """Products of policies along each branch, and for CFR-AVE their sums weighted by iteration."""
    iterations = 6
    per_iteration = []
    for number in range(1, iterations + 1):
        store, result = solve(DICE, RolloutEvaluator(5, seed=3), RebelSettings(iterations=iterations), number)
        snapshot = result.snapshot
        assert snapshot is not None
        ranges = {}
        for place in snapshot.open_places():
            reach = [np.ones(3) / 3, np.ones(3) / 3]
            route = store.path(int(snapshot.nodes[place]["state"]))
            start = route.index(first_subgame(store).node)
            for above, below in zip(route[start:-1], route[start + 1 :], strict=True):
                actor = store.actor(above)
                ordinal = list(store.children(above)).index(below)
                reach[actor] = reach[actor] * snapshot.choices(snapshot.places()[above], actor)[ordinal]
            ranges[place] = reach
            for player, own in enumerate(snapshot.ranges(place)):
                total = reach[player].sum()
                np.testing.assert_allclose(own, reach[player] / total if total > 0 else np.full(3, 1 / 3))
        per_iteration.append(ranges)
    settings = RebelSettings(iterations=iterations, algorithm="cfr-ave")
    average = solve(DICE, RolloutEvaluator(5, seed=3), settings, iterations)[1].snapshot
    assert average is not None
    for place in average.open_places():
        for player, own in enumerate(average.ranges(place)):
            weighted = [(1 + t) * ranges[place][player] for t, ranges in enumerate(per_iteration)]
            total = np.sum(weighted, axis=0)
            np.testing.assert_allclose(own, total / total.sum(), atol=1e-6)


def test_leaves_are_drawn_as_often_as_the_iteration_reaches_them() -> None:
    store, rng = open_store(load(DICE)), make_rng(1)
    beliefs = np.array([0.6, 0.3, 0.1]), np.array([0.05, 0.15, 0.8])
    subgame = first_subgame(store)._replace(ranges=beliefs)
    searcher = Searcher(store, RolloutEvaluator(5, seed=3), RebelSettings(iterations=6).search())
    snapshot = searcher.search(subgame.task(6), seed=0).snapshot
    assert snapshot is not None
    draws = 4000
    found = [sample_leaf(store, subgame, snapshot, 0.0, rng) for _ in range(draws)]
    counts = {leaf.node: 0 for leaf in open_subgames(snapshot)}
    for leaf in found:
        if leaf is not None:
            counts[leaf.node] += 1
            expected = snapshot.ranges(snapshot.places()[leaf.node])
            np.testing.assert_array_equal(leaf.ranges[0], expected[0])
    for place in snapshot.open_places():  # dice are independent: chances multiply
        slots = [snapshot.leaves[player][place] for player in range(NUM_PLAYERS)]
        reach = [
            snapshot.reach[player][int(leaf["slot"]) : int(leaf["slot"]) + 3].sum()
            for player, leaf in enumerate(slots)
        ]
        chance = float(reach[0] * reach[1])
        share = counts[int(snapshot.nodes[place]["state"])] / draws
        assert abs(share - chance) < 5 * np.sqrt(chance * (1 - chance) / draws) + 1e-9


def test_an_explorer_goes_where_the_policies_never_go() -> None:
    store, result = solve(DICE, RolloutEvaluator(5, seed=3), RebelSettings(iterations=50), iteration=50)
    subgame, snapshot, rng = first_subgame(store), result.snapshot, make_rng(1)
    assert snapshot is not None
    seen = [
        {
            leaf.node
            for leaf in (sample_leaf(store, subgame, snapshot, exploration, rng) for _ in range(600))
            if leaf
        }
        for exploration in (0.0, 1.0)
    ]
    assert len(seen[1]) > len(seen[0])


def test_iterations_are_drawn_by_their_weight() -> None:
    settings = RebelSettings(iterations=4)
    drawn = np.bincount(settings.draw_iterations(20_000, make_rng(0)), minlength=5)
    assert drawn[0] == 0
    np.testing.assert_allclose(drawn[1:] / drawn.sum(), np.arange(1, 5) / 10, atol=0.02)


def test_answers_stand_while_ranges_hardly_move() -> None:
    fresh, stale = (
        solve(DICE, RolloutEvaluator(5, seed=3), RebelSettings(iterations=300, stale=stale))[1]
        for stale in (0.0, 0.01)
    )
    assert stale.statistics.queries < 0.8 * fresh.statistics.queries
    for player in range(NUM_PLAYERS):
        np.testing.assert_allclose(
            stale.summary(0).values[player], fresh.summary(0).values[player], atol=0.01
        )


def test_with_perfect_information_every_leaf_is_asked_about_once_however_many_there_are() -> None:
    """Tic-tac-toe has 72 positions after two moves, more than the first batch has room for."""
    store, evaluator = open_store(load("tictactoe")), ConstantEvaluator()
    searcher = Searcher(store, evaluator, RebelSettings(iterations=50).search())
    result = searcher.search(first_subgame(store).task(0), seed=0)
    assert evaluator.queries == 72
    assert result.summary(0).values[0] == pytest.approx(1.0)


def test_bad_settings_are_refused() -> None:
    with pytest.raises(InputError, match="algorithm must be one of cfr-d, cfr-ave, cfr-ave-sound, fp"):
        RebelSettings(algorithm="q-learning")
    with pytest.raises(InputError, match="a tree that does not grow"):
        replace(RebelSettings(algorithm="flop").search(), simulations=5)
    with pytest.raises(InputError, match="iterations must be from 1"):
        RebelSettings(iterations=0)
    with pytest.raises(InputError, match="depth must be from 1"):
        RebelSettings(depth=0)
    with pytest.raises(InputError, match="stale"):
        RebelSettings(stale=1.0)
    with pytest.raises(InputError, match="warm must be from 0 to 9"):
        RebelSettings(iterations=10, warm=10)
    with pytest.raises(InputError, match="flop keeps no regrets"):
        RebelSettings(algorithm="flop", warm=15)
    with pytest.raises(InputError, match="both players at once"):
        replace(RebelSettings(algorithm="cfr-ave").search(), alternates=True)
    with pytest.raises(ValueError, match="no iteration -1"):
        solve(DICE, None, RebelSettings(), iteration=-1)
    assert replace(RebelSettings(), depth=3).search().depth == 3
