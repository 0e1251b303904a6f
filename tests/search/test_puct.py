from typing import Any

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.core.jit import kernel
from sog.games.base import NUM_PLAYERS, AnyGame
from sog.games.chess.game import Chess
from sog.games.go.game import Go
from sog.games.registry import load
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.evaluators import RolloutEvaluator
from sog.search.puct import PuctSettings
from sog.search.puct_forest import PuctForest
from sog.search.puct_tree import Choice, PuctTree, _choose, allocate_tree


class Indifferent:
    """Says that everything is worth nothing, and every move as good as another."""

    name, has_priors = "indifferent", False

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        self.sizes.append(batch.nodes.size)
        assert all(store.actor(int(node)) < NUM_PLAYERS for node in batch.nodes)


class PlainPuct:
    """AlphaZero's search as its paper has it, with dictionaries and recursion, one position at a time."""

    def __init__(self, game: AnyGame, how: PuctSettings) -> None:
        self.game, self.how = game, how
        self.visits: dict[Any, list[int]] = {}
        self.returns: dict[Any, list[float]] = {}

    def simulate(self, world: Any) -> float:
        """Return player 0's value of a walk."""
        game = self.game
        actor = game.actor(world)
        if actor >= NUM_PLAYERS:
            return game.returns(world)[0]
        actions = game.legal_actions(world)
        if world not in self.visits:
            self.visits[world], self.returns[world] = [0] * len(actions), [0.0] * len(actions)
            return 0.0
        visits, returns = self.visits[world], self.returns[world]
        sign, total = (1, -1)[actor], sum(visits) + 1  # its own visit, when it was new
        width = (
            np.log((1 + total + self.how.exploration_base) / self.how.exploration_base) + self.how.exploration
        ) * np.sqrt(total)
        bounds = [
            (sign * returns[k] / visits[k] if visits[k] else self.how.first_value)
            + width / len(actions) / (1 + visits[k])
            for k in range(len(actions))
        ]
        best = int(np.argmax(bounds))
        value = self.simulate(game.apply(world, actions[best]))
        visits[best] += 1
        returns[best] += value
        return value


@pytest.mark.parametrize("base", [PuctSettings.exploration_base, 3.0])
@pytest.mark.parametrize("seed", range(3))
def test_visits_are_those_of_a_plain_version(seed: int, base: float) -> None:
    """Worlds of Go hold their past, so that a dictionary of worlds is a tree."""
    game = Go(size=3, komi=0.5 + seed, max_length=12)
    settings = PuctSettings(simulations=700, exploration_base=base)
    found = PuctForest(open_store(game), Indifferent(), settings).search([ROOT], [seed])[0]
    plain = PlainPuct(game, settings)
    for _ in range(settings.simulations + 1):  # the first one asks about the root itself
        plain.simulate(game.initial_world())
    root_visits = plain.visits[game.initial_world()]
    assert found.visits.sum() == found.simulations == settings.simulations
    np.testing.assert_array_equal(found.visits, root_visits)


@kernel
def first_choice(tree: PuctTree, how: Choice) -> int:
    return int(_choose(tree, how, np.uint64(0)))


@pytest.mark.parametrize("losses", [0, 1])
@pytest.mark.parametrize("actor", [0, 1])
@pytest.mark.parametrize("visits", [1, 2, 5])
def test_bounds_are_those_of_the_paper(visits: int, actor: int, losses: int) -> None:
    """log((1 + N + base) / base) + c: an edge is taken until its value falls below what that leaves it."""
    how, priors = Choice(exploration=0.7, base=3.0, first_value=-0.2), (0.25, 0.75)
    walks = visits + losses
    width = (np.log((1 + walks + how.base) / how.base) + how.exploration) * walks**0.5
    fair = how.first_value + width * priors[1] - width * priors[0] / (1 + walks)  # both bounds are equal
    tree = allocate_tree((1, 2))
    tree.nodes["num_edges"], tree.nodes["actor"] = 2, actor
    tree.nodes["visits"], tree.nodes["losses"] = visits, losses
    tree.edges["prior"], tree.edges["visits"], tree.edges["losses"] = priors, (visits, 0), (losses, 0)
    for shift, chosen in ((1e-9, 0), (-1e-9, 1)):
        returns = (fair + shift) * walks + losses
        tree.edges["returns"] = (returns if actor == 0 else -returns, 0.0)
        assert first_choice(tree, how) == chosen


@pytest.mark.parametrize("batch", [1, 4, 16])
def test_tictactoe_is_played_well(batch: int) -> None:
    store = open_store(load("tictactoe"))
    node = ROOT
    for name in ("a3", "b3", "b2"):
        node = next(child for child in store.children(node) if store.named.observation(store, child) == name)
    settings = PuctSettings(simulations=400, batch=batch)
    found = PuctForest(store, RolloutEvaluator(rollouts=4), settings).search([node], [1])[0]
    names = store.named.action_names(store, node, 0)
    assert names[int(np.argmax(found.visits))] == "c1"  # anything else loses at once
    assert found.simulations == 400


def test_batches_are_shared_and_losses_taken_back() -> None:
    evaluator = Indifferent()
    puct = PuctForest(open_store(Go(size=5)), evaluator, PuctSettings(simulations=200, batch=8))
    found = puct.search([ROOT], [0])[0]
    assert found.queries == sum(evaluator.sizes) <= 201
    assert max(evaluator.sizes) == 8
    assert np.mean(evaluator.sizes[1:]) > 4
    assert not puct.tree(0).nodes["losses"].any()
    assert not puct.tree(0).edges["losses"].any()


def test_a_search_goes_on_below_the_move_that_is_played() -> None:
    store = open_store(Go(size=5))
    puct = PuctForest(store, Indifferent(), PuctSettings(simulations=300))
    first = puct.search([ROOT], [0])[0]
    best = int(np.argmax(first.visits))
    child = store.children(ROOT)[best]
    second = puct.search([child], [0])[0]
    assert second.visits.sum() == pytest.approx(first.visits[best] - 1 + 300)
    count = int(puct.tree(0).counts[0])
    nodes, edges = puct.tree(0).nodes[:count], puct.tree(0).edges
    for number in range(1, count):  # every node hangs on an edge that knows it
        edge = edges[int(nodes[number]["edge"])]
        assert edge["child"] == number
        parent = nodes[int(edge["node"])]
        ordinal = int(nodes[number]["edge"]) - int(parent["first_edge"])
        assert 0 <= ordinal < int(parent["num_edges"])
        assert store.children(int(parent["state"]))[ordinal] == int(nodes[number]["state"])


def test_noise_spreads_the_visits() -> None:
    game = Go(size=5)
    quiet = PuctForest(open_store(game), Indifferent(), PuctSettings(simulations=50)).search([ROOT], [1])[0]
    settings = PuctSettings(simulations=50, noise_share=1.0, noise_alpha=0.1)
    loud = [
        PuctForest(open_store(game), Indifferent(), settings).search([ROOT], [seed])[0] for seed in (1, 1, 2)
    ]
    assert quiet.visits.max() <= 4 < loud[0].visits.max()
    np.testing.assert_array_equal(loud[0].visits, loud[1].visits)
    assert not np.array_equal(loud[0].visits, loud[2].visits)
    assert loud[0].policy(0).max() == 1
    assert loud[0].policy(0.5).max() > loud[0].policy().max() > loud[0].policy(2).max()


def test_stopping_at_any_time() -> None:
    puct = PuctForest(open_store(Go(size=5)), Indifferent(), PuctSettings(simulations=10_000))
    found = puct.search([ROOT], [0], should_stop=lambda done: done >= 40)[0]
    assert found.simulations == 40


def test_what_cannot_be_searched_is_refused() -> None:
    with pytest.raises(InputError, match="nothing is hidden"):
        PuctForest(open_store(load("kuhn")), Indifferent(), PuctSettings())
    with pytest.raises(InputError, match="simulations"):
        PuctSettings(simulations=0)
    store = open_store(Chess("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"))
    mate = next(child for child in store.children(ROOT) if store.named.observation(store, child) == "a1a8")
    with pytest.raises(InputError, match="the game is over"):
        PuctForest(store, Indifferent(), PuctSettings()).search([mate], [0])[0]
