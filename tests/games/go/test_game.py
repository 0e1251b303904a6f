import pytest

from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.go.game import Go
from sog.games.registry import load


def test_worlds_are_drawn() -> None:
    game = Go(size=3)
    world = game.apply(game.apply(game.initial_world(), 0), 8)
    assert str(world) == "..O/.../X.. black to play"
    assert str(game.apply(world, 9)) == "..O/.../X.. white to play, 1 passed"
    assert game.draw(world.lines()).lines() == world.lines()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("go", "go(size=9,komi=7.5)"),
        ("go(size=19,komi=6)", "go(size=19,komi=6)"),
        ("go(size=5,max_length=50)", "go(size=5,komi=7.5)"),
        ("go(size=5,max_length=60)", "go(size=5,komi=7.5,max_length=60)"),
    ],
)
def test_names(text: str, name: str) -> None:
    assert load(text).info.name == name


def test_the_longest_play_is_the_papers() -> None:
    assert load("go(size=19)").info.max_length == 722


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("go(size=1)", "go: size must be a whole number from 2 to 19, not 1"),
        ("go(size=20)", "go: size must be a whole number from 2 to 19, not 20"),
        ("go(komi=big)", "go: komi must be a number from -1000 to 1000, not 'big'"),
        ("go(komi=1e999)", "go: komi must be a number"),
        ("go(max_length=0)", "go: max_length must be a whole number from 1"),
    ],
)
def test_bad_parameters_are_named(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint.replace("(", "\\(")):
        load(text)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["..", ".."], "a drawing has 3 lines"),
        (["...", "..", "..."], "a drawing has 3 lines"),
        (["...", "..x", "..."], "a drawing has 3 lines"),
        ([".X.", "XOX", ".X."], "a chain without liberties"),
        (["XXX", "XXX", "XXX"], "a chain without liberties"),
    ],
)
def test_bad_drawings_are_refused(lines: list[str], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Go(size=3).draw(lines)


def test_hashes_of_positions_do_not_depend_on_the_way_there() -> None:
    game = Go(size=5)
    one = two = game.initial_world()
    for action in (0, 6, 12, 18):
        one = game.apply(one, action)
    for action in (12, 18, 0, 6):
        two = game.apply(two, action)
    assert one != two
    assert one.lines() == two.lines()
    assert one.facts.tolist() == two.facts.tolist()


def test_two_passes_end_the_game_and_other_moves_between_them_do_not() -> None:
    game = Go(size=5)
    world = game.initial_world()
    for action in (25, 3, 25):
        world = game.apply(world, action)
        assert game.actor(world) != TERMINAL
    assert game.actor(game.apply(world, 25)) == TERMINAL
