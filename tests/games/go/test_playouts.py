import random

import numpy as np
import pytest

from sog.core.arrays import I64
from sog.core.jit import ZERO, kernel
from sog.core.rng import RngState, make_rng_state
from sog.games.base import TERMINAL
from sog.games.go.game import Go, GoWorld
from sog.games.go.layout import GoRules, Positions, board_at, make_positions
from sog.games.go.rows import outcome
from tests.games.go.playouts import draw_move, play_out_often

NUM_DRAWS = 20_000


@kernel
def _count_draws(
    rules: GoRules, positions: Positions, keeps_eyes: bool, number: int, rng: RngState, counts: I64
) -> None:
    board = board_at(rules, positions, ZERO)
    for _ in range(number):
        counts[draw_move(rules, board, keeps_eyes, rng)] += 1


def _is_eye(world: GoWorld, action: int) -> bool:
    """The usual rule, from the board as drawn."""
    lines = list(reversed(world.lines()))
    size, own = len(lines), "XO"[int(world.facts[1])]
    row, column = divmod(action, size)

    def at(up: int, right: int) -> str:
        r, c = row + up, column + right
        return lines[r][c] if 0 <= r < size and 0 <= c < size else "#"

    if {at(0, 1), at(0, -1), at(1, 0), at(-1, 0)} - {own, "#"}:
        return False
    corners = [at(up, right) for up in (-1, 1) for right in (-1, 1)]
    others = sum(corner not in (own, "#", ".") for corner in corners)
    return others <= (0 if "#" in corners else 1)


@pytest.mark.parametrize("keeps_eyes", [True, False])
def test_moves_are_drawn_uniformly_from_those_allowed(keeps_eyes: bool) -> None:
    game, rng = Go(size=5, max_length=300), random.Random(3)
    state, num_eyes = make_rng_state(5), 0
    for length in range(0, 60, 4):
        world = game.initial_world()
        for _ in range(length):
            moves = game.legal_actions(world)[:-1] or (25,)
            kept = [move for move in moves if not _is_eye(world, move)] or [25]
            world = game.apply(world, rng.choice(kept if rng.random() < 0.9 else moves))
            if game.actor(world) == TERMINAL:
                break
        if game.actor(world) == TERMINAL:
            continue
        allowed = list(game.legal_actions(world))
        if keeps_eyes:
            num_eyes += sum(_is_eye(world, move) for move in allowed[:-1])
            allowed = [move for move in allowed[:-1] if not _is_eye(world, move)] or [25]
        counts = np.zeros(26, np.int64)
        _count_draws(game.rules, game.rows_of([world]), keeps_eyes, NUM_DRAWS, state, counts)
        assert counts.nonzero()[0].tolist() == allowed
        mean = NUM_DRAWS / len(allowed)
        assert np.abs(counts[allowed] - mean).max() < 6 * mean**0.5
    assert num_eyes or not keeps_eyes


def test_uniform_playouts_end_as_often_in_a_win_as_uniform_plays_of_worlds() -> None:
    game, rng, plays = Go(size=3, komi=0.5), random.Random(7), 1500
    wins = 0.0
    for _ in range(plays):
        world = game.initial_world()
        while game.actor(world) != TERMINAL:
            world = game.apply(world, rng.choice(game.legal_actions(world)))
        wins += game.returns(world)[0]
    positions = make_positions(game.rules, 2)
    mean = play_out_often(game.rules, positions, ZERO, np.uint64(1), False, 100_000, make_rng_state(1))
    assert wins / plays == pytest.approx(mean, abs=4 / plays**0.5)


@pytest.mark.parametrize("size", [5, 9, 19])
def test_playouts_leave_the_source_alone_and_end(size: int) -> None:
    game = Go(size=size)
    positions = make_positions(game.rules, 2)
    before = positions.longs[: int(game.rules.row_length)].copy()
    results = []
    for _ in range(2):
        state = make_rng_state(3)
        results.append(play_out_often(game.rules, positions, ZERO, np.uint64(1), True, 50, state))
        assert (positions.longs[: before.size] == before).all()
        assert outcome(game.rules, positions, np.uint64(1))[0]
    assert results[0] == results[1]
    assert -1 <= results[0] <= 1


def test_full_playouts_leave_only_eyes() -> None:
    game = Go(size=7, max_length=1000)
    positions = make_positions(game.rules, 2)
    state = make_rng_state(11)
    for _ in range(20):
        play_out_often(game.rules, positions, ZERO, np.uint64(1), True, 1, state)
        world = game.world_of(positions, 1)
        for move in game.legal_actions(world)[:-1]:
            assert _is_eye(world, move)
