"""The derived public view against exact facts, and against histories enumerated one by one."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.games.registry import load
from sog.public.derived import WAIT, DerivedState, DerivedView, Flow, _merged_flow
from sog.public.enumeration import Enumeration, enumerate_game, enumerate_store
from sog.public.store import StateStore
from sog.solvers.evaluation import Evaluation
from sog.solvers.solver import Solver
from tests.public.belief import reach_of
from tests.random_game import RandomGame

FACTS = [
    # game, histories, terminal histories, infostates of each player, decision and all public states
    ("kuhn", 58, 30, 6, 4, 11),
    ("leduc", 9_457, 5_520, 468, 186, 467),
    ("liars_dice(dice=1,faces=3)", 1_147, 567, 96, 64, 129),
    ("liars_dice(dice=1,faces=4)", 8_181, 4_080, 512, 256, 513),
    ("goofspiel(cards=5)", 26_931, 14_400, 1_062, 80, 261),
    ("goofspiel(cards=4,bids=shown)", 1_077, 576, 161, 322, 898),
    ("rps", 13, 9, 1, 2, 3),
]


def states_of(whole: Enumeration) -> list[DerivedState]:
    assert isinstance(whole.store.view, DerivedView)
    return [whole.store.view.state(whole.store, node) for node in whole.layout.nodes]


@pytest.mark.parametrize(("name", "histories", "terminals", "infostates", "decisions", "states"), FACTS)
def test_sizes(
    name: str, histories: int, terminals: int, infostates: int, decisions: int, states: int
) -> None:
    whole = enumerate_game(load(name))
    layout, found = whole.layout, states_of(whole)
    assert sum(int(state.histories.sum()) for state in found) == histories
    ends = [state for state in found if state.actor == TERMINAL]
    assert sum(int(state.histories.sum()) for state in ends) == terminals
    assert layout.infostates(0) == infostates
    assert layout.infostates(1) == infostates
    assert layout.count(0) + layout.count(1) == decisions
    assert layout.num_nodes == states


def test_glasses_merges_mr_x_to_his_station() -> None:
    whole = enumerate_store(StateStore(DerivedView(load("scotland_yard(map=glasses)"))))
    assert whole.layout.count(0) + whole.layout.count(1) == 1_005
    for state in states_of(whole):
        stations = [world.hider for world in state.worlds]
        if state.actor != TERMINAL:
            assert len(set(stations)) == len(state.infostates[0]), "one infostate per possible station"
            assert len(state.infostates[1]) == 1, "the detectives see nothing in private"


@pytest.mark.parametrize("name", ["scotland_yard(map=glasses)", "scotland_yard(map=glasses,rounds=4)"])
def test_merging_loses_nothing(name: str) -> None:
    game = load(name)
    values, counts = [], []
    for merge in (False, True):
        whole = enumerate_store(StateStore(DerivedView(game, merge=merge)))
        solver = Solver(game, "dcfr", whole=whole)
        solution = solver.run(iterations=3000)
        assert solution.exploitability < 2e-3
        values.append(solution.value)
        counts.append(solution.infostates)
        histories = sum(int(state.histories.sum()) for state in states_of(whole))
        assert histories == sum(1 for _ in walk(game))
    assert values[0] == pytest.approx(values[1], abs=4e-3)
    assert counts[1] < counts[0]


def test_merged_infostates_are_worth_what_they_were_apart() -> None:
    """Uniform play is the same play in both trees: so are its value and the best answers to it."""
    game, found = load("scotland_yard(map=glasses,rounds=4)"), []
    for merge in (False, True):
        whole = enumerate_store(StateStore(DerivedView(game, merge=merge)))
        evaluation = Evaluation(whole.layout, whole.terminals())
        uniform = evaluation.uniform_policy()
        answers = [evaluation.best_response(player, uniform).value for player in (0, 1)]
        found.append(
            (evaluation.value(uniform), *answers, whole.layout.infostates(0) + whole.layout.infostates(1))
        )
    np.testing.assert_allclose(found[0][:3], found[1][:3], atol=1e-12)
    assert found[1][3] < found[0][3]


@pytest.mark.parametrize(
    ("flow", "expected"),
    [
        (Flow(3, 2, np.zeros(0, np.uint32), np.zeros(0, np.uint32)), [(2, 0), (3, 1), (4, 0)]),
        (
            Flow(3, 0, np.array([1, 4, 7], np.uint32), np.array([0, 2, 1], np.uint32)),
            [(1, 0), (4, 0), (7, 1)],
        ),
    ],
    ids=["contiguous", "mapped"],
)
def test_flows_lead_to_merged_infostates(flow: Flow, expected: list[tuple[int, int]]) -> None:
    """The first and the third infostate become one."""
    merged = _merged_flow(flow, np.array([0, 1, 0], np.int32), 2)
    assert merged.size == 2
    assert list(zip(merged.source.tolist(), merged.target.tolist(), strict=True)) == expected


def walk(game: AnyGame, limit: int = 10**9) -> Iterator[tuple[Any, float]]:
    """Yield every history's world and chance, in plain recursion."""

    def visit(world: Any, chance: float, depth: int) -> Iterator[tuple[Any, float]]:
        yield world, chance
        actor = game.actor(world)
        if actor == TERMINAL or depth == limit:
            return
        outcomes = (
            game.chance_outcomes(world) if actor == CHANCE else [(a, 1.0) for a in game.legal_actions(world)]
        )
        for action, probability in outcomes:
            yield from visit(game.apply(world, action), chance * probability, depth + 1)

    yield from visit(game.initial_world(), 1.0, 0)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_random_games_keep_every_history_once(seed: int) -> None:
    game = RandomGame(seed)
    found: dict[Any, float] = {}
    for state in states_of(enumerate_game(game)):
        for world, chance in zip(state.worlds, state.chance, strict=True):
            assert world not in found
            found[world] = chance
    expected = dict(walk(game))
    assert found.keys() == expected.keys()
    assert all(found[world] == pytest.approx(chance) for world, chance in expected.items())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_random_games_infostates_are_what_players_saw(seed: int) -> None:
    game = RandomGame(seed)
    states = states_of(enumerate_game(game))
    for player in (0, 1):
        keys = []
        for state in states:
            for infostate in range(len(state.infostates[player])):
                worlds = [w for w, s in zip(state.worlds, state.rows[player], strict=True) if s == infostate]
                known = {(world.public, world.seen[player]) for world in worlds}
                assert len(known) == 1, "an infostate holds only worlds that look alike"
                keys.append(known.pop())
        assert len(set(keys)) == len(keys), "and no other infostate looks the same"


OPENSPIEL = [
    ("openspiel:kuhn_poker", None),
    ("openspiel:leduc_poker", None),
    ("openspiel:liars_dice(numdice=1,dice_sides=3)", None),
    ("openspiel:dark_hex(board_size=2)", None),
    ("openspiel:dark_hex(board_size=2,obstype=reveal-numturns)", None),
    ("openspiel:phantom_ttt", 4),
    ("openspiel:phantom_ttt(obstype=reveal-numturns)", 4),
    ("openspiel:blotto(coins=4,fields=3,players=2)", None),
    (
        "openspiel:goofspiel(num_cards=3,imp_info=True,points_order=ascending,returns_type=point_difference)",
        None,
    ),
    ("openspiel:tic_tac_toe", 3),
]


@pytest.mark.parametrize(("name", "depth"), OPENSPIEL)
def test_openspiel_infostates_match_its_own(name: str, depth: int | None) -> None:
    """Decision infostates of the tree are one to one with OpenSpiel's information state strings."""
    groups: dict[tuple[int, int, int], set[str]] = {}
    strings: dict[tuple[int, str], set[tuple[int, int, int]]] = {}
    for node, state in enumerate(states_of(enumerate_store(StateStore(DerivedView(load(name))), depth))):
        if state.actor >= 2:
            continue
        for world, row in zip(state.worlds, state.rows[state.actor], strict=True):
            if state.legal[row][0] == WAIT:
                continue
            text = world.state.information_state_string(state.actor)
            groups.setdefault((node, state.actor, int(row)), set()).add(text)
            strings.setdefault((state.actor, text), set()).add((node, state.actor, int(row)))
    assert all(len(texts) == 1 for texts in groups.values())
    assert all(len(places) == 1 for places in strings.values())
    assert len(strings) > 1


@pytest.mark.parametrize(
    "name", ["openspiel:dark_hex(board_size=2)", "openspiel:kuhn_poker", "openspiel:leduc_poker"]
)
def test_openspiel_values_match_its_own(name: str) -> None:
    import pyspiel

    whole = enumerate_game(load(name))
    evaluation = Evaluation(whole.layout, whole.terminals())
    theirs = pyspiel.load_game(name.removeprefix("openspiel:"))
    expected = pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs), True)
    assert evaluation.nash_conv(evaluation.uniform_policy()) == pytest.approx(expected, abs=1e-9)


def test_flows_conserve_reach() -> None:
    """Under any policy the worlds of all leaves have total probability one."""
    rng = np.random.default_rng(0)
    solver = Solver(load("goofspiel(cards=4)"), "cfr")
    solver.advance(int(rng.integers(3, 9)))
    reach = reach_of(solver.layout, solver.policy())
    total = 0.0
    for place, state in enumerate(states_of(solver.whole)):
        if state.actor == TERMINAL:
            first = reach[0][solver.layout.slot[0][place] + state.rows[0]]
            second = reach[1][solver.layout.slot[1][place] + state.rows[1]]
            total += float(np.sum(state.chance * first * second))
    assert total == pytest.approx(1.0)


class HiddenTurn(RandomGame):
    """A game that breaks its promise: who acts depends on a hidden fact."""

    def actor(self, world: Any) -> int:
        if len(world.history) == 0:
            return CHANCE
        if len(world.history) >= self.length:
            return TERMINAL
        return int(world.history[0])

    def public_observation(self, before: Any, action: int, after: Any) -> str:
        return "?"


def test_a_hidden_turn_is_refused() -> None:
    with pytest.raises(ValueError, match="not public who acts"):
        enumerate_game(HiddenTurn(1))
