from functools import cache

import pytest

from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.breakthrough import Breakthrough, BreakthroughWorld
from sog.games.registry import load


def _play(game: Breakthrough, *names: str) -> BreakthroughWorld:
    world = game.initial_world()
    for name in names:
        legal = {game.action_name(world, action): action for action in game.legal_actions(world)}
        assert name in legal, f"{name}: not one of {', '.join(legal)}"
        world = game.apply(world, legal[name])
    return world


def _names(game: Breakthrough, world: BreakthroughWorld) -> list[str]:
    return [game.action_name(world, action) for action in game.legal_actions(world)]


def test_pawns_take_diagonally_only() -> None:
    game = Breakthrough(rows=4, columns=3)
    world = _play(game, "b4b3", "b1b2")
    assert _names(game, world) == ["b3a2", "a4a3", "c4c3", "b3c2"]
    assert "b3a2*" in _names(game, _play(game, "b4b3", "a1a2"))
    assert _play(game, "b4b3", "a1a2", "b3a2*")[2].bit_count() == 2


def test_reaching_the_other_side_wins() -> None:
    game = Breakthrough(rows=3, columns=2)
    world = _play(game, "a3a2", "b1a2*", "b3a2*", "a1b2", "a2a1")
    assert game.actor(world) == TERMINAL
    assert game.returns(world) == (1.0, -1.0)


def test_taking_all_pawns_wins() -> None:
    game = Breakthrough(rows=4, columns=2)
    world = _play(game, "a4a3", "a1a2", "b4b3", "a2b3*", "a3a2", "b1a2*")
    assert game.actor(world) == TERMINAL
    assert game.returns(world) == (-1.0, 1.0)


def test_the_longest_play_is_long_enough() -> None:
    """The bound counts every pawn's squares; no play of a small board is longer, and some come close."""
    game = Breakthrough(rows=4, columns=2)

    @cache
    def longest(world: BreakthroughWorld) -> int:
        if game.actor(world) == TERMINAL:
            return 0
        return 1 + max(longest(game.apply(world, action)) for action in game.legal_actions(world))

    assert 4 <= longest(game.initial_world()) <= game.info.max_length


def test_both_players_see_the_board_alike() -> None:
    """Planes and numbers of moves say nothing of who plays upwards but the plane that is there to tell."""
    game = Breakthrough(rows=6, columns=4)
    turn, down, up = game.initial_world()
    ours, theirs = (turn, down, up), (1 - turn, down, up)
    assert game.legal_actions(ours) == game.legal_actions(theirs)
    assert game.public_features(ours)[: 2 * 24] == game.public_features(theirs)[: 2 * 24]
    assert game.public_features(ours)[2 * 24 :] == [0.0] * 24
    assert game.public_features(theirs)[2 * 24 :] == [1.0] * 24
    assert sum(game.public_features(ours)[:8]) == 8  # own pawns stand on the first lines


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("breakthrough(rows=2)", "rows must be a whole number from 3 to 12, not 2"),
        ("breakthrough(columns=1)", "columns must be a whole number from 2 to 12, not 1"),
        ("breakthrough(rows=x)", "rows must be a whole number from 3 to 12, not 'x'"),
    ],
)
def test_bad_parameters_are_named(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        load(text)
