"""How trees grow, by the formulas of the papers in plain Python: PUCT, pairs, chance, priors, samples."""

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest

from sog.core.arrays import F64, I64
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame, Game, GameInfo
from sog.games.registry import load
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.public.store_arrays import StoreArrays
from sog.search.gtcfr import Searcher, Task
from sog.search.lanes import (
    AVERAGE,
    INTERIOR,
    NONE,
    ORDINAL,
    POLICY,
    REACH,
    REGRET,
    VALUE,
    VISITS,
    Lanes,
    capacity_of,
    enlarge,
)
from sog.search.resolving import first_task
from sog.search.result import summarise
from sog.search.settings import SearchSettings
from tests.public.outside import WideView
from tests.random_game import RandomGame

SEEDS = 400


class Opinions:
    """Has an opinion of every infostate's value and actions, the same whenever it is asked."""

    name = "opinions"
    has_priors = True

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        for query, node in enumerate(batch.nodes.tolist()):
            rng = np.random.default_rng(node)
            for player in range(NUM_PLAYERS):
                rows = batch.rows(player, query)
                batch.values[player][rows] = rng.uniform(-1, 1, rows.stop - rows.start)
            part = slice(int(batch.prior_start[query]), int(batch.prior_start[query + 1]))
            batch.priors[part] = rng.uniform(0.1, 1, part.stop - part.start) * (batch.priors[part] > 0)


class Choices(NamedTuple):
    """One infostate of a tree with its legal actions."""

    node: int  # of the tree
    actor: int
    infostate: int
    slots: list[int]  # by action, -1 for those that are not in the tree
    priors: F64  # by action


class Snapshot:
    """A lane's tree where a search ends, before its sums become averages."""

    def __init__(self, store: StateStore, lanes: Lanes, lane: int) -> None:
        self.store, self.lanes, self.lane = store, lanes, lane
        self.nodes = self.lanes.nodes[lane, : int(lanes.lane[lane]["num_nodes"])]

    def slots(self, field: int, player: int) -> F64:
        slots: F64 = self.lanes.slots[player, self.lane, field]
        return slots

    def visits(self, player: int) -> I64:
        visits: I64 = self.lanes.marks[player, self.lane, VISITS].astype(np.int64)
        return visits

    def row(self, field: int, player: int, node: int) -> F64:
        """Return a field of a player's infostates at a node."""
        leaf = self.lanes.leaves[player, self.lane, node]
        return self.slots(field, player)[int(leaf["slot"]) :][: int(leaf["rows"])]

    def mass(self, choices: Choices) -> float:
        """Return how much of the opponent's reach an infostate can meet."""
        weights = self.store.joint_weights(int(self.nodes[choices.node]["state"]))
        weights = weights if choices.actor == 0 else weights.T
        return float(weights[choices.infostate] @ self.row(REACH, 1 - choices.actor, choices.node))

    def scale(self, node: int) -> float:
        return self.store.value_scale(int(self.nodes[node]["state"]))

    def choices(self) -> Iterator[Choices]:
        """Go through all infostates that decide in the tree."""
        for node in np.flatnonzero(self.nodes["kind"] == INTERIOR).tolist():
            record = self.nodes[node]
            state = int(record["state"])
            actor = self.store.actor(state)
            if actor >= NUM_PLAYERS:
                continue
            step = self.lanes.steps[actor, self.lane, int(record["decision"])]
            output, rows = int(step["output"]), int(step["rows"])
            for infostate, legal in enumerate(self.store.legal(state).tolist()):
                places = np.arange(legal) * rows + infostate
                slots = (output + places).tolist()
                if record["is_partial"]:
                    ordinals = self.lanes.marks[actor, self.lane, ORDINAL, slots]
                    slots = [-1 if ordinal == NONE else output + int(ordinal) for ordinal in ordinals]
                priors = self.lanes.priors[self.lane, int(record["prior"]) + places]
                yield Choices(node, actor, infostate, slots, priors)


def watch(
    monkeypatch: pytest.MonkeyPatch, searcher: Searcher, tasks: list[Task], first_seed: int = 0
) -> list[Snapshot]:
    """Run searches side by side; return their trees as they stood at the end."""
    found: list[Snapshot] = []

    def note(arrays: StoreArrays, lanes: Lanes, count: int, is_reach_free: bool) -> None:
        copy = enlarge(lanes, capacity_of(lanes))
        found.extend(Snapshot(searcher.store, copy, lane) for lane in range(count))
        summarise(arrays, lanes, count, is_reach_free)

    with monkeypatch.context() as context:
        context.setattr("sog.search.gtcfr.summarise", note)
        searcher.search_many(tasks, range(first_seed, first_seed + len(tasks)))
    return found


def watch_one(
    monkeypatch: pytest.MonkeyPatch, store: StateStore, settings: SearchSettings, task: Task
) -> Snapshot:
    return watch(monkeypatch, Searcher(store, Opinions(), settings), [task])[0]


def first_decision(store: StateStore) -> int:
    node = ROOT
    while store.actor(node) >= CHANCE:
        node = store.children(node)[0]
    return node


def plain_puct(before: Snapshot, choices: Choices, exploration: float, times: int) -> Counter[int]:
    """Return the actions that PUCT chooses one after the other, each choice a virtual loss for the next."""
    values, visits = before.slots(VALUE, choices.actor), before.visits(choices.actor)
    policy = before.slots(POLICY, choices.actor)
    unit = before.mass(choices) * before.scale(choices.node)
    there = [slot for slot in choices.slots if slot >= 0]
    mean = sum(float(policy[slot] * values[slot]) for slot in there)
    losses = [0] * len(choices.slots)
    for _ in range(times):
        counts = [int(visits[slot]) if slot >= 0 else 0 for slot in choices.slots]
        total = sum(counts) + sum(losses)
        scores = []
        for action, slot in enumerate(choices.slots):
            worth = (float(values[slot]) if slot >= 0 else mean) / unit if unit > 0 else 0.0
            tried = counts[action] + losses[action]
            if losses[action] > 0:
                worth = (counts[action] * worth - losses[action]) / tried
            bonus = exploration * choices.priors[action] * (1 + total) ** 0.5 / (1 + tried)
            scores.append(worth + bonus)
        losses[int(np.argmax(scores))] += 1
    return Counter({action: count for action, count in enumerate(losses) if count > 0})


def chosen(before: Snapshot, after: Snapshot, choices: Choices) -> Counter[int]:
    """Return how often a phase of simulations has taken each action of an infostate."""
    later = next(
        other
        for other in after.choices()
        if (other.node, other.infostate) == (choices.node, choices.infostate)
    )
    old, new = before.visits(choices.actor), after.visits(choices.actor)
    taken: Counter[int] = Counter()
    for action, (was, now) in enumerate(zip(choices.slots, later.slots, strict=True)):
        count = (int(new[now]) if now >= 0 else 0) - (int(old[was]) if was >= 0 else 0)
        if count > 0:
            taken[action] = count
    return taken


@pytest.mark.parametrize(
    ("game", "per_update", "exploration", "root_actions"),
    [
        (load("kuhn"), 1.0, 1.0, 0),
        (load("leduc"), 1.0, 0.3, 0),
        (load("leduc"), 5.0, 0.7, 0),
        (RandomGame(6), 4.0, 2.0, 0),
        (load("tictactoe"), 1.0, 0.5, 0),
        (load("tictactoe"), 1.0, 2.0, 1),
    ],
    ids=["kuhn", "leduc", "leduc in phases", "random game in phases", "partial", "partial root"],
)
def test_puct_is_that_of_the_paper(
    monkeypatch: pytest.MonkeyPatch,
    game: AnyGame,
    per_update: float,
    exploration: float,
    root_actions: int,
) -> None:
    """A longer search of the same seed has done one more phase: what it chose is what PUCT says."""
    store = open_store(game)
    settings = SearchSettings(
        per_update=per_update, puct_share=1.0, exploration=exploration, root_actions=root_actions,
        prior_temperature=1.5,
    )  # fmt: skip
    current = first_decision(store)
    sizes = store.num_infostates(current)
    ranges = np.linspace(0.4, 1, sizes[0]), np.linspace(1, 0.2, sizes[1])
    task, phase = Task(current, current, ranges), int(per_update)
    trees = [
        watch_one(monkeypatch, store, replace(settings, simulations=phase * phases), task)
        for phases in range(1, 26 if per_update == 1 else 12)
    ]
    checked, seen = 0, set()
    for before, after in pairwise(trees):
        for choices in before.choices():
            taken = chosen(before, after, choices)
            if taken:
                assert taken == plain_puct(before, choices, exploration, taken.total())
                seen |= {(choices.actor, action) for action in taken}
                checked += len(choices.slots) > 1
    assert checked > 15
    assert {actor for actor, _ in seen} == {0, 1}
    assert len(seen) > 3


def share_of(counts: Counter[int], total: int, size: int) -> F64:
    return np.array([counts[index] / total for index in range(size)])


def assert_shares(found: F64, expected: F64, total: int) -> None:
    """Five standard deviations: the seeds are fixed, so this holds always or never."""
    np.testing.assert_array_less(
        np.abs(found - expected), 5 * np.sqrt(expected * (1 - expected) / total) + 1e-9
    )


@pytest.mark.parametrize("player", [0, 1])
def test_pairs_are_drawn_from_both_ranges(player: int) -> None:
    """The infostate that a simulation acts in, over many seeds, is as likely as the belief says."""
    store = open_store(load("kuhn"))
    current = first_decision(store)
    if player == 1:
        current = store.children(current)[0]
    assert store.actor(current) == player
    ranges = np.array([0.5, 1.0, 0.7]), np.array([1.0, 0.1, 0.05])
    searcher = Searcher(store, None, SearchSettings(simulations=2))
    results = searcher.search_many([Task(current, current, ranges)] * SEEDS, range(SEEDS))
    counts = Counter(int(result.visits.sum(axis=0).argmax()) for result in results)
    assert all(result.visits.sum() == 1 for result in results)
    belief = (store.joint_weights(current) * np.outer(*ranges)).sum(axis=1 - player)
    assert_shares(share_of(counts, SEEDS, 3), belief / belief.sum(), SEEDS)


def lopsided_game() -> RandomGame:
    """Return a game that begins with chance, whose outcomes are public and not equally likely."""
    for seed in range(1000):
        game = RandomGame(seed)
        root = game.initial_world()
        if game.actor(root) != CHANCE:
            continue
        worlds = [game.apply(root, outcome) for outcome, _ in game.chance_outcomes(root)]
        chances = [chance for _, chance in game.chance_outcomes(root)]
        is_public = len({world.public for world in worlds}) == len(worlds)
        if is_public and max(chances) > 0.75 and all(game.actor(world) != TERMINAL for world in worlds):
            return game
    raise AssertionError("no such game")


def test_chance_is_drawn_by_its_probabilities() -> None:
    """A simulation from a chance node expands the outcome that it has drawn."""
    game = lopsided_game()
    store = open_store(game)
    children = store.children(ROOT)
    searcher = Searcher(store, None, SearchSettings(simulations=2))
    results = searcher.search_many([first_task(store, ROOT)] * SEEDS, range(SEEDS))
    counts: Counter[int] = Counter()
    for result in results:
        parents = {store.parents[node] for node in result.states.tolist()}
        counts.update([ordinal for ordinal, child in enumerate(children) if child in parents])
    assert counts.total() == SEEDS
    expected = np.array([store.joint_weights(child).sum() for child in children])
    assert_shares(share_of(counts, SEEDS, len(children)), expected, SEEDS)


class Whisper(Game[tuple[int, ...]]):
    """Chance says a number below 3 aloud and a number below 2 to player 0, who then ends the game."""

    info = GameInfo("whisper", num_actions=2, is_perfect_information=False, max_utility=1.0, max_length=2)
    chances = np.array([[0.05, 0.15], [0.1, 0.2], [0.4, 0.1]])

    def initial_world(self) -> tuple[int, ...]:
        return ()

    def actor(self, world: tuple[int, ...]) -> int:
        return (CHANCE, 0, TERMINAL)[len(world)]

    def legal_actions(self, world: tuple[int, ...]) -> tuple[int, ...]:
        return (0, 1)

    def chance_outcomes(self, world: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
        return tuple(enumerate(self.chances.ravel().tolist()))

    def apply(self, world: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*world, action)

    def public_observation(self, before: Any, action: int, after: Any) -> Hashable:
        return None if before else action // 2

    def private_observation(self, player: int, before: Any, action: int, after: Any) -> Hashable:
        return action % 2 if player == 0 else None

    def returns(self, world: tuple[int, ...]) -> tuple[float, float]:
        return 0.0, 0.0

    def action_name(self, world: tuple[int, ...], action: int) -> str:
        return str(action)


@pytest.mark.parametrize("kept", [0, 1])
def test_what_chance_whispers_is_drawn_by_its_probabilities(
    monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    """The third simulation decides: what it has heard is as likely as chance says, or as what was sampled."""
    store = open_store(Whisper())
    settings = SearchSettings(simulations=3, max_outcomes=kept)
    searcher = Searcher(store, None, settings)
    counts: Counter[int] = Counter()
    for tree in watch(monkeypatch, searcher, [first_task(store, ROOT)] * SEEDS):
        for choices in tree.choices():
            visits = int(tree.visits(0)[choices.slots].sum())
            state = int(tree.nodes[choices.node]["state"])
            counts[2 * store.route(state)[0] + choices.infostate] += visits
    expected = Whisper.chances / (Whisper.chances.sum(axis=1, keepdims=True) * 3 if kept else 1)
    if not kept:  # counted where the second simulation has opened the outcome
        expected = expected * Whisper.chances.sum(axis=1, keepdims=True)
        expected /= expected.sum()
    assert counts.total() >= 0.3 * SEEDS
    found = share_of(counts, counts.total(), 6)
    assert_shares(found, expected.ravel(), counts.total())


@pytest.mark.parametrize("policy", ["average", "current"])
def test_other_simulations_follow_the_policy_that_is_set(
    monkeypatch: pytest.MonkeyPatch, policy: str
) -> None:
    """After one update the average is still uniform, while the current policy has learned."""
    store = open_store(load("kuhn"))
    current = first_decision(store)
    settings = SearchSettings(simulations=1, puct_share=0.0, expansion_policy=policy, alternates=False)
    task = Task(current, current, (np.array([0.0, 1.0, 0.0]), np.ones(3)))
    before = watch_one(monkeypatch, store, settings, task)
    choices = next(found for found in before.choices() if found.infostate == 1)
    field = AVERAGE if policy == "average" else POLICY
    expected = before.slots(field, choices.actor)[choices.slots]
    expected = expected / expected.sum()
    assert (policy == "average") == (np.ptp(expected) < 1e-12)
    searcher = Searcher(store, Opinions(), replace(settings, simulations=2))
    results = searcher.search_many([task] * SEEDS, range(SEEDS))
    counts = Counter(int(result.visits[:, 1].argmax()) for result in results)
    assert_shares(share_of(counts, SEEDS, 2), expected, SEEDS)


@pytest.mark.parametrize("top_actions", [1, None])
def test_every_simulation_counts_where_it_adds_an_action(top_actions: int | None) -> None:
    store = open_store(load("tictactoe"))
    settings = SearchSettings(simulations=20, root_actions=1, top_actions=top_actions, puct_share=1.0)
    result = Searcher(store, Opinions(), settings).search(first_task(store, ROOT), seed=0)
    assert result.visits.sum() == 19
    assert np.count_nonzero(result.visits) > 2


def test_of_equally_likely_actions_the_first_comes_first() -> None:
    store = open_store(load("tictactoe"))
    result = Searcher(store, None, SearchSettings(simulations=1, root_actions=1)).search(
        first_task(store, ROOT), seed=0
    )
    assert result.policy[:, 0].tolist() == [1.0] + [0.0] * 8


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_without_an_evaluator_priors_are_uniform_over_legal_actions(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    store = open_store(RandomGame(seed))
    searcher = Searcher(store, None, SearchSettings(simulations=30))
    tree = watch(monkeypatch, searcher, [first_task(store, ROOT)])[0]
    sizes = set()
    for choices in tree.choices():
        np.testing.assert_allclose(choices.priors, 1 / len(choices.slots))
        sizes.add((choices.node, len(choices.slots)))
    assert max(Counter(node for node, _ in sizes).values()) > 1  # infostates of a node differ


@pytest.mark.parametrize("temperature", [0.5, 1.0, 4.0])
def test_priors_are_flattened_by_the_temperature(monkeypatch: pytest.MonkeyPatch, temperature: float) -> None:
    """p^(1/T), normalised for each infostate: what the evaluator said with a temperature of one is p."""
    store = open_store(load("leduc"))
    task = first_task(store, first_decision(store))
    plain, flat = (
        watch_one(monkeypatch, store, SearchSettings(simulations=1, prior_temperature=number, depth=3), task)
        for number in (1.0, temperature)
    )
    checked = 0
    for one, other in zip(plain.choices(), flat.choices(), strict=True):
        wanted = one.priors ** (1 / temperature)
        np.testing.assert_allclose(one.priors.sum(), 1)
        np.testing.assert_allclose(other.priors, wanted / wanted.sum())
        checked += bool(np.ptp(one.priors) > 0.01)
    assert checked > 5


def test_regrets_that_speak_for_the_prior_weigh_as_counterfactual_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without discounts what the first update adds is the same with and without them."""
    store = open_store(load("kuhn"))
    current = first_decision(store)
    task = Task(current, current, (np.array([0.5, 1.0, 0.3]), np.array([1.0, 0.4, 0.2])))
    settings = SearchSettings(
        simulations=1, first_policy="prior", prior_temperature=1.0, algorithm="cfr", alternates=False
    )
    without, favoured = (
        watch_one(monkeypatch, store, replace(settings, prior_regret=regret), task) for regret in (0.0, 1.5)
    )
    for choices in without.choices():
        added = favoured.slots(REGRET, choices.actor) - without.slots(REGRET, choices.actor)
        assert without.mass(choices) > 0
        expected = 1.5 * without.scale(choices.node) * without.mass(choices) * choices.priors
        np.testing.assert_allclose(added[choices.slots], expected)


def test_sampled_outcomes_stand_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of k outcomes of n, and all that lies below it, weighs n/k times as much as it would."""
    store = open_store(load("leduc"))
    settings = SearchSettings(simulations=1, depth=1000, max_outcomes=4)
    trees = watch(monkeypatch, Searcher(store, None, settings), [first_task(store, ROOT)] * 3)
    kept: list[frozenset[int]] = []
    for tree in trees:
        sampled = [
            node
            for node in np.flatnonzero(tree.nodes["kind"] == INTERIOR).tolist()
            if store.actor(int(tree.nodes[node]["state"])) == CHANCE
            and len(store.children(int(tree.nodes[node]["state"]))) > 4
        ]
        assert sampled
        below = dict.fromkeys(sampled, 1.5)
        for node, record in enumerate(tree.nodes):
            factor = below.get(int(record["parent"]), 1.0)
            if node in below:
                assert np.count_nonzero(tree.nodes["parent"] == node) == 4
                assert len(store.children(int(record["state"]))) == 6
            elif factor > 1:
                below[node] = factor
            state = int(record["state"])
            name = "payoff_scale" if store.actor(state) == TERMINAL else "joint_scale"
            expected = store.arrays().nodes[name][state]
            expected *= 1.0 if node in sampled else factor
            assert tree.lanes.scale[tree.lane, node] == pytest.approx(expected)
        kept.append(frozenset(tree.nodes["state"].tolist()))
    assert len(set(kept)) > 1


def test_outcomes_of_wide_chance_stand_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 4 outcomes of 60 weighs 15 times as much as it would, with all below; all are as likely."""
    store, counts = StateStore(WideView(60)), Counter[int]()
    searcher = Searcher(store, None, SearchSettings(simulations=1, depth=1000, max_outcomes=4))
    for tree in watch(monkeypatch, searcher, [first_task(store, ROOT)] * 150):
        below = tree.nodes[tree.nodes["parent"] == 0]["state"].tolist()
        assert len(set(below)) == 4
        counts.update(store.route(node)[0] // 20 for node in below)
        for node, record in enumerate(tree.nodes):
            state = int(record["state"])
            name = "payoff_scale" if store.actor(state) == TERMINAL else "joint_scale"
            expected = store.arrays().nodes[name][state] * (15.0 if node > 0 else 1.0)
            assert tree.lanes.scale[tree.lane, node] == pytest.approx(expected)
    assert_shares(share_of(counts, 600, 3), np.full(3, 1 / 3), 600)
