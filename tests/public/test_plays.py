import pytest

from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.public.atlas import ROOT, Atlas, open_atlas
from sog.public.plays import chances_at, game_of, infostates_at, is_waiting, num_choices, utility_at


def test_a_board_and_its_worlds_say_the_same() -> None:
    game = load("tictactoe")
    places = {open_atlas(game): (ROOT, 0), Atlas(game): (ROOT, 0)}
    assert [atlas.is_board for atlas in places] == [True, False]
    for move in (4, 0, 1, 5, 3):  # the centre column and row; crosses win
        found = set()
        for atlas, (node, world) in places.items():
            assert game_of(atlas) is game
            assert infostates_at(atlas, node, world) == (0, 0)
            assert not is_waiting(atlas, node, world)
            found.add(num_choices(atlas, node, 0))
            places[atlas] = atlas.follow(node, world, move)
        assert len(found) == 1
    ends = {atlas.actor(node) for atlas, (node, _) in places.items()}
    assert len(ends) == 1


def test_utilities_are_those_of_the_rules() -> None:
    game = load("connect_four")
    for atlas in (open_atlas(game), Atlas(game)):
        node, world = ROOT, 0
        for move in (0, 1, 0, 1, 0, 1):
            with pytest.raises(ValueError, match="not over"):
                utility_at(atlas, node, world)
            node, world = atlas.follow(node, world, move)
        with pytest.raises(ValueError, match="no move 7"):
            atlas.follow(node, world, 7)
        won, world = atlas.follow(node, world, 0)
        assert atlas.actor(won) == TERMINAL
        assert utility_at(atlas, won, world) == 1


def test_worlds_with_secrets() -> None:
    atlas = open_atlas(load("kuhn"))
    assert not atlas.is_board
    assert chances_at(atlas, ROOT, 0) == pytest.approx([1 / 3] * 3)
    node, world = atlas.follow(ROOT, 0, 2)
    node, world = atlas.follow(node, world, 0)
    assert infostates_at(atlas, node, world) == (2, 0)
    assert num_choices(atlas, node, 2) == 2
