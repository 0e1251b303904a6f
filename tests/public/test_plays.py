import pytest

from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.public.plays import chances_at, game_of, infostates_at, is_waiting, num_choices, utility_at
from sog.public.store import ROOT, StateStore, open_store


def test_a_board_and_its_worlds_say_the_same() -> None:
    game = load("tictactoe")
    places = {open_store(game): (ROOT, 0), StateStore(game): (ROOT, 0)}
    assert [store.is_board for store in places] == [True, False]
    for move in (4, 0, 1, 5, 3):  # the centre column and row; crosses win
        found = set()
        for store, (node, world) in places.items():
            assert game_of(store) is game
            assert infostates_at(store, node, world) == (0, 0)
            assert not is_waiting(store, node, world)
            found.add(num_choices(store, node, 0))
            places[store] = store.follow(node, world, move)
        assert len(found) == 1
    ends = {store.actor(node) for store, (node, _) in places.items()}
    assert len(ends) == 1


def test_utilities_are_those_of_the_rules() -> None:
    game = load("connect_four")
    for store in (open_store(game), StateStore(game)):
        node, world = ROOT, 0
        for move in (0, 1, 0, 1, 0, 1):
            with pytest.raises(ValueError, match="not over"):
                utility_at(store, node, world)
            node, world = store.follow(node, world, move)
        with pytest.raises(ValueError, match="no move 7"):
            store.follow(node, world, 7)
        won, world = store.follow(node, world, 0)
        assert store.actor(won) == TERMINAL
        assert utility_at(store, won, world) == 1


def test_worlds_with_secrets() -> None:
    store = open_store(load("kuhn"))
    assert not store.is_board
    assert chances_at(store, ROOT, 0) == pytest.approx([1 / 3] * 3)
    node, world = store.follow(ROOT, 0, 2)
    node, world = store.follow(node, world, 0)
    assert infostates_at(store, node, world) == (2, 0)
    assert num_choices(store, node, 2) == 2
