"""The kernels against exact facts, against plain Python and against OpenSpiel.

OpenSpiel lets a repetition happen and calls the game a draw then; apart from that its rules are ours.
"""

import random
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.go.game import Go, GoWorld
from tests.games.go.plain import PlainGo

pyspiel = pytest.importorskip("pyspiel")

KO = [
    ".XO..",
    "XO.O.",
    ".XO..",
    ".....",
    ".....",
]


def _play(game: Go, world: GoWorld, *names: str) -> GoWorld:
    for name in names:
        legal = {game.action_name(world, action): action for action in game.legal_actions(world)}
        assert name in legal, f"{name} after {world}"
        world = game.apply(world, legal[name])
    return world


def _names(game: Go, world: GoWorld) -> list[str]:
    return [game.action_name(world, action) for action in game.legal_actions(world)]


@pytest.mark.parametrize(("size", "count"), [(2, 57), (3, 12_675)])
def test_number_of_legal_positions(size: int, count: int) -> None:
    """Tromp and Farnebäck 2007, table of the number of legal positions."""
    game, legal = Go(size=size), 0
    for cells in product(".XO", repeat=size * size):
        text = "".join(cells)
        with suppress(InputError):
            game.draw([text[row * size : (row + 1) * size] for row in range(size)])
            legal += 1
    assert legal == count


def test_stones_without_liberties_are_taken() -> None:
    game = Go(size=3)
    world = _play(game, game.initial_world(), "A1", "A2", "C3", "B1")
    assert world.lines() == ["..X", "O..", ".O."]


def test_suicide_is_illegal_unless_it_captures() -> None:
    game = Go(size=3)
    assert "A1" not in _names(game, game.draw(["...", "O..", ".O."]))
    assert "A1" in _names(game, game.draw(["X..", "OX.", ".OX"]))  # takes A2
    assert "A1" not in _names(game, game.draw(["OO.", "XO.", ".XO"]))  # of three stones


def test_ko_may_not_be_taken_back_at_once() -> None:
    game = Go(size=5)
    taken = _play(game, game.draw(KO), "C4")
    assert taken.lines()[1] == "X.XO."
    assert "B4" not in _names(game, taken)
    elsewhere = _play(game, taken, "E1", "A1")
    assert "B4" in _names(game, elsewhere)
    back = _play(game, elsewhere, "B4")
    assert back.lines()[1] == "XO.O."


def test_a_position_never_comes_back_even_after_passes() -> None:
    game = Go(size=5)
    world = _play(game, game.draw(KO), "C4", "pass", "pass")
    assert game.actor(world) == TERMINAL
    taken = _play(game, game.draw(KO), "C4", "pass", "E1", "pass", "A1")
    assert "B4" in _names(game, taken)  # the board has changed elsewhere
    waiting = _play(game, game.draw(KO, to_play=1), "pass", "C4")
    assert "B4" not in _names(game, waiting)


def test_area_is_stones_and_what_reaches_no_other() -> None:
    game = Go(size=5, komi=0.5)
    assert game.score(game.initial_world()) == -0.5
    assert game.score(game.draw([".XO..", ".XO..", ".XO..", ".XO..", ".XO.."])) == 10 - 15 - 0.5
    assert game.score(game.draw([".X.O.", ".X.O.", ".X.O.", ".X.O.", ".X.O."])) == -0.5
    assert game.score(game.draw(["X....", ".....", ".....", ".....", "....."])) == 25 - 0.5


def test_equal_points_are_a_draw() -> None:
    game = Go(size=5, komi=0)
    assert game.returns(_play(game, game.initial_world(), "pass", "pass")) == (0.0, 0.0)


def test_the_longest_play_is_scored_as_it_stands() -> None:
    game = Go(size=3, komi=0.5, max_length=3)
    world = _play(game, game.initial_world(), "A1", "pass", "A2")
    assert game.actor(world) == TERMINAL
    assert game.returns(world) == (1.0, -1.0)


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 5), st.randoms(use_true_random=False))
def test_plain_python_agrees(size: int, rng: random.Random) -> None:
    game, plain = Go(size=size, komi=0.5, max_length=3 * size * size), PlainGo.start(size)
    world = game.initial_world()
    while game.actor(world) != TERMINAL:
        legal = game.legal_actions(world)
        assert legal == plain.legal()
        action = rng.choice(legal[:-1] or legal) if rng.random() < 0.95 else legal[-1]
        after = plain.after(action)
        assert after is not None
        world, plain = game.apply(world, action), after
        assert world.lines() == plain.lines()
        assert game.score(world) == plain.lead() - 0.5


@pytest.mark.parametrize(
    ("size", "plays"), [(2, 100), (3, 100), (5, 100), (7, 30), (9, 30), (13, 5), (19, 2)]
)
def test_random_plays_agree_with_openspiel(size: int, plays: int) -> None:
    compare_with_openspiel(size, plays)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "plays"), [(5, 2000), (7, 1000), (9, 1000), (13, 200), (19, 50)])
def test_many_random_plays_agree_with_openspiel(size: int, plays: int) -> None:
    compare_with_openspiel(size, plays)


def compare_with_openspiel(size: int, plays: int) -> None:
    """Legal moves in every position and the result of every play."""
    length = 3 * size * size
    game = Go(size=size, max_length=length)
    peer_game = pyspiel.load_game(f"go(board_size={size},komi=7.5,max_game_length={length})")
    rng = random.Random(size)
    num_repetitions = 0
    for _ in range(plays):
        world, state = game.initial_world(), peer_game.new_initial_state()
        while game.actor(world) != TERMINAL:
            assert state.current_player() == game.actor(world)
            legal = game.legal_actions(world)
            ours, theirs = set(legal), set(state.legal_actions())
            assert ours <= theirs
            for action in theirs - ours:
                repeated = state.child(action)
                assert repeated.is_terminal()
                assert repeated.returns() == [0.0, 0.0]
                num_repetitions += 1
            action = rng.choice(legal[:-1] or legal)
            world = game.apply(world, action)
            state.apply_action(action)
        assert state.is_terminal()
        assert tuple(state.returns()) == game.returns(world)
    assert num_repetitions or size > 5, "no repetition was refused"
