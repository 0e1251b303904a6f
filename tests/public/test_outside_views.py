"""Views from outside the package are solved, searched and re-solved as the same game derived from worlds."""

from collections.abc import Hashable

import numpy as np
import pytest

from examples.own_view import CardView
from sog.core.errors import InputError
from sog.evaluation.searching import SearchEvaluation
from sog.games.base import CHANCE, TERMINAL, Game, GameInfo
from sog.public.derived import DerivedView
from sog.public.enumeration import enumerate_store
from sog.public.store import ROOT, StateStore
from sog.search.exact import ExactEvaluator
from sog.search.gtcfr import Searcher
from sog.search.resolving import first_task, next_task
from sog.search.settings import SearchSettings
from sog.solvers.cfr import iterate, make_state
from sog.solvers.evaluation import Evaluation
from sog.solvers.policies import average_policy
from sog.solvers.schedules import REGRET_MATCHING, VARIANTS, discounts
from tests.public.outside import WideView

World = tuple[int, ...]  # cards of both, bet, open card, call
PAIRS = [(first, second) for first in range(4) for second in range(4) if first != second]


class Cards(Game[World]):
    """The game of `CardView` as worlds; the holder of card 0 has one action instead of waiting."""

    info = GameInfo("cards", num_actions=2, is_perfect_information=False, max_utility=3.0, max_length=4)

    def initial_world(self) -> World:
        return ()

    def actor(self, world: World) -> int:
        is_over = len(world) == 5 or (len(world) == 4 and not world[2])
        return TERMINAL if is_over else {0: CHANCE, 2: 0, 3: CHANCE, 4: 1}[len(world)]

    def legal_actions(self, world: World) -> tuple[int, ...]:
        return (0,) if len(world) == 2 and world[0] == 0 else (0, 1)

    def chance_outcomes(self, world: World) -> tuple[tuple[int, float], ...]:
        if not world:
            return tuple((number, 1 / 12) for number in range(12))
        return tuple((card, 0.5) for card in range(4) if card not in world[:2])

    def apply(self, world: World, action: int) -> World:
        return (*world, action) if world else PAIRS[action]

    def public_observation(self, before: World, action: int, after: World) -> Hashable:
        return after[2:]

    def private_observation(self, player: int, before: World, action: int, after: World) -> Hashable:
        return None if before else after[player]

    def returns(self, world: World) -> tuple[float, float]:
        first, second = ((card + world[3]) % 4 for card in world[:2])
        won = float(np.sign(first - second))
        utility = won if not world[2] else 3 * won if world[4] else 1.0
        return utility, -utility

    def action_name(self, world: World, action: int) -> str:
        return str(action)


def solved(store: StateStore, iterations: int) -> tuple[float, float, np.ndarray]:
    """Return value, exploitability and player 0's first policy [A, cards] after iterations of DCFR."""
    whole = enumerate_store(store)
    layout, terminals = whole.layout, whole.terminals()
    evaluation, state = Evaluation(layout, terminals), make_state(layout, REGRET_MATCHING)
    weights = discounts(VARIANTS["dcfr"], 1, iterations)
    iterate(REGRET_MATCHING, True, weights, layout.players, terminals, state)
    policy = tuple(average_policy(own, mine.average) for own, mine in zip(layout.players, state, strict=True))
    start, rows = layout.decision_slots(1)
    profile = policy[0], policy[1]
    return (
        evaluation.value(profile),
        evaluation.exploitability(profile),
        policy[0][start : start + 2 * rows].reshape(2, rows),
    )


@pytest.mark.parametrize("iterations", [1, 7, 300])
def test_a_view_from_outside_is_solved_as_its_worlds_are(iterations: int) -> None:
    ours, worlds = (solved(StateStore(view), iterations) for view in (CardView(), DerivedView(Cards())))
    np.testing.assert_allclose(ours[:2], worlds[:2], atol=1e-9)
    np.testing.assert_allclose(ours[2], worlds[2], atol=1e-9)
    assert ours[2][0, 0] == 1, "who waits has no choice"


def test_a_view_from_outside_is_searched_and_re_solved_as_its_worlds_are() -> None:
    """Fixed trees, so that nothing is drawn: the first decision, then those below, under the gadget."""
    settings = SearchSettings(simulations=1, per_update=1 / 60, depth=2)
    found = []
    worlds = DerivedView(Cards())
    for view in (CardView(), worlds):
        store = StateStore(view)
        searcher, first = Searcher(store, None, settings), store.locate((0,))
        before = searcher.search(first_task(store, first), seed=0)
        policies = [before.policy]
        turned = list(store.children(store.locate((0, 1))))
        if view is worlds:  # children stand in the order in which their worlds are met
            turned.sort(key=lambda node: worlds.observation(store, node))
        for call in turned:
            task = next_task(store, before, call, player=1)
            assert task.resolver == 1
            policy = searcher.search(task, seed=1).policy
            if view is worlds:  # and infostates in that of the deals
                cards = [worlds.infostate_name(store, call, 1, row) for row in range(policy.shape[1])]
                policy = policy[:, np.argsort(cards)]
            policies.append(policy)
        found.append(policies)
    np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-9)
    for card in range(4):
        live = [held for held in range(4) if held != card]  # the derived view drops dead infostates
        np.testing.assert_allclose(found[0][1 + card][:, live], found[1][1 + card], atol=1e-9)


def test_a_growing_search_of_a_view_from_outside_gets_better() -> None:
    """As that of its worlds does, where dead infostates do not exist."""
    exact = ExactEvaluator(iterations=200)
    found = []
    for view in (CardView(), DerivedView(Cards())):
        evaluation = SearchEvaluation(enumerate_store(StateStore(view)))
        sizes = (SearchSettings(simulations=2), SearchSettings(simulations=400))
        found.append([evaluation.sample(size, exact, seed=1).exploitability for size in sizes])
    assert found[0][1] < 0.022 < found[0][0]
    assert found[0][1] == pytest.approx(found[1][1], abs=1e-3)


def test_wide_chance_is_searched_without_listing_it() -> None:
    """The mean value over seeds is the exact one: outcomes are drawn anew by every search, without bias."""
    view, kept, seeds = WideView(10_000), 16, 200
    store = StateStore(view)
    settings = SearchSettings(
        simulations=1, per_update=1 / 400, depth=1000, max_outcomes=kept, alternates=False
    )
    searcher, values = Searcher(store, None, settings), []
    for seed in range(seeds):
        result = searcher.search(first_task(store, ROOT), seed)
        assert result.statistics.nodes == 1 + 3 * kept
        values.append(float(result.summary(0).values[0][0]))
    assert store.num_nodes < 1 + 3 * kept * seeds
    exact = float(view.chances @ view.stakes) / 3
    deviation = float(np.std(values)) / np.sqrt(seeds)
    assert 0 < deviation < 0.1 * exact
    assert abs(np.mean(values) - exact) < 3 * deviation + 2e-3 * exact


def test_a_search_goes_on_behind_wide_chance() -> None:
    store = StateStore(WideView(10_000))
    searcher = Searcher(store, None, SearchSettings(simulations=30, max_outcomes=8))
    before = searcher.search(first_task(store, ROOT), seed=1)
    node = store.locate((9_876,))
    task = next_task(store, before, node, player=0)
    assert task.root == node
    policy = searcher.search(task._replace(current=node), seed=2).policy
    np.testing.assert_allclose(policy.sum(axis=0), 1)
    below = next_task(store, searcher.search(task, seed=3), store.locate((9_876, 0)), player=1)
    assert below.resolver == 1
    assert store.route(store.locate((9_876, 0))) == (9_876, 0)


def test_plays_draw_wide_chance_as_the_view_does() -> None:
    view = WideView(10_000)
    store, rng = StateStore(view), np.random.default_rng(1)
    stakes = []
    for _ in range(400):
        node, rows = store.follow(ROOT, (0, 0), 0, rng)
        node, rows = store.follow(node, rows, 1, rng)
        node, rows = store.follow(node, rows, 0, rng)
        assert rows == (1, 0)
        stakes.append(-store.utility(node, rows))
    assert np.mean(stakes) == pytest.approx(view.chances @ view.stakes, abs=0.2)


@pytest.mark.parametrize("count", [2**32 - 1, 2**32 + 2, 2**64 - 1])
def test_more_outcomes_than_can_be_numbered_are_refused(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    view = WideView(10)
    monkeypatch.setattr(view, "num_outcomes", lambda store, nodes: np.full(nodes.size, count, np.uint64))
    with pytest.raises(InputError, match=f"wide: chance has {count:,} outcomes, more than 32 bits"):
        StateStore(view).num_outcomes(ROOT)
    monkeypatch.setattr(view, "num_outcomes", lambda store, nodes: np.full(nodes.size, 2**32 - 2, np.uint64))
    store = StateStore(view)
    assert store.num_outcomes(ROOT) == 2**32 - 2
