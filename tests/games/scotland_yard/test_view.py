"""The view by kernels against the view derived from worlds, rows matched by station."""

from collections import Counter

import numpy as np
import pytest

from sog.games.base import CHANCE, TERMINAL
from sog.games.registry import load
from sog.games.scotland_yard.game import ScotlandYard
from sog.games.scotland_yard.view import ScotlandYardView
from sog.games.view import Heard
from sog.public.derived import DerivedView
from sog.public.enumeration import enumerate_game
from sog.public.opening import open_store, open_view
from sog.public.store import ROOT, StateStore
from sog.solvers.solver import Solver
from tests.games.scotland_yard.oracle import EVENTS, check_children, random_record

LONDON = ScotlandYard("london")


def check_random_states(count: int, seed: int) -> None:
    """Compare so many random states of London, and see that each rare event was among them."""
    view, derived, rng = ScotlandYardView(LONDON), DerivedView(LONDON), np.random.default_rng(seed)
    events: Counter[str] = Counter()
    while count:
        record = random_record(LONDON, rng)
        if record is not None:
            check_children(derived, view, record, events)
            count -= 1
    assert not [event for event in EVENTS if events[event] == 0], events


def test_random_states_of_london() -> None:
    check_random_states(400, seed=1)


@pytest.mark.slow
def test_many_random_states_of_london() -> None:
    check_random_states(10_000, seed=2)


@pytest.mark.parametrize(
    "name",
    [
        "scotland_yard",
        "scotland_yard(rounds=4,reveals=[2,4])",
        "scotland_yard(detectives=1,rounds=4,reveals=[1])",
    ],
)
def test_all_of_glasses(name: str) -> None:
    game = load(name)
    assert isinstance(game, ScotlandYard)
    store, derived = open_store(game), StateStore(DerivedView(game))
    assert isinstance(store.view, ScotlandYardView)
    view, events, node = store.view, Counter[str](), 0
    while node < store.num_nodes:
        if store.actor(node) != TERMINAL:
            store.children(node)
            check_children(DerivedView(game), view, store.records[node], events)
        node += 1
    at = 0
    while at < derived.num_nodes:
        if derived.actor(at) != TERMINAL:
            derived.children(at)
        at += 1
    assert store.num_nodes == derived.num_nodes


def test_value_of_glasses() -> None:
    solution = Solver(load("scotland_yard"), "dcfr").run(iterations=2_000)
    assert solution.value == pytest.approx(-7 / 9, abs=1e-3)
    assert enumerate_game(load("scotland_yard")).layout.num_nodes == 3_020


@pytest.mark.parametrize("detectives", [5, 3])
def test_random_plays_of_london(detectives: int) -> None:
    """From the first drawn station to the end, as far as a few hundred moves go."""
    game = ScotlandYard("london", detectives=detectives)
    store, rng = open_store(game), np.random.default_rng(detectives)
    view, derived, events = ScotlandYardView(game), DerivedView(game), Counter[str]()
    for _ in range(2):
        node, rows = ROOT, (0, 0)
        while store.actor(node) != TERMINAL:
            check_children(derived, view, store.records[node], events)
            actor = store.actor(node)
            actions = 1 if actor == CHANCE else int(store.legal(node)[rows[actor]])
            node, rows = store.follow(node, rows, int(rng.integers(actions)), rng)
    assert events["hidden"] > 0
    assert events["shown"] > 0


def test_seats_follow_plays() -> None:
    """Where what a seat hears leads is what the rules say, station and observation alike."""
    rng = np.random.default_rng(5)
    for game in (LONDON, ScotlandYard(rounds=4, reveals=(2,))):
        store, world, node, row = open_store(game), game.initial_world(), ROOT, 0
        while (actor := game.actor(world)) != TERMINAL:
            moves = game.moves(world)
            move = int(rng.integers(len(moves)))
            if actor != CHANCE:
                names = store.named.action_names(store, node, row if actor == 0 else 0)
                assert names == [game.action_name(world, action) for action in moves]
            after = game.apply(world, moves[move])
            public = game.public_observation(world, moves[move], after)
            private = game.private_observation(0, world, moves[move], after)
            heard = [Heard(public, private, move if actor == 0 else None), Heard(public, None)]
            assert store.told.follow(store, node, 1, 0, heard[1:])[1] == 0
            node, row = store.told.follow(store, node, 0, row, heard[:1])
            assert store.told.hear(store, node, 0, row) == Heard(public, private)
            assert store.named.observation(store, node) == public
            assert store.enumerated.worlds(store, node)[row][0] == after
            world = after
        assert store.utility(node, (row, 0)) == game.returns(world)[0]


def test_what_cannot_be_told_is_refused() -> None:
    store = open_store(ScotlandYard())
    with pytest.raises(ValueError, match="player 1 cannot be told 'bus' and 'None' here"):
        store.told.follow(store, ROOT, 1, 0, [Heard("bus", None)])


def test_names_tell_what_is_known() -> None:
    store = open_store(ScotlandYard())
    node = store.children(store.children(ROOT)[0])[0]
    assert store.named.infostate_name(store, node, 1, 0) == " | taxi detective 1: taxi 2"
    assert store.named.infostate_name(store, node, 0, 0) == "at 5 | taxi detective 1: taxi 2"


def test_the_view_begins_at_the_start() -> None:
    assert isinstance(open_view(LONDON), ScotlandYardView)
    assert open_view(LONDON).dtype.itemsize == 68


def test_planted_records_are_roots() -> None:
    store = open_store(ScotlandYard())
    child = store.children(ROOT)[0]
    root = store.plant(store.records[child : child + 1])
    for ours, theirs in zip(store.children(child), store.children(root), strict=True):
        assert store.records[ours] == store.records[theirs]
        assert store.num_infostates(ours) == store.num_infostates(theirs)
        assert store.joint_weights(ours).tolist() == store.joint_weights(theirs).tolist()
