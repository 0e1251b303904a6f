import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.jit import kernel
from sog.games.chess.attacks import QUEEN_STEPS, between, bishop_attacks, line_through, rook_attacks


@kernel
def rook(square: np.uint64, occupied: np.uint64) -> np.uint64:
    return rook_attacks(square, occupied)


@kernel
def bishop(square: np.uint64, occupied: np.uint64) -> np.uint64:
    return bishop_attacks(square, occupied)


@kernel
def inside(one: np.uint64, other: np.uint64) -> np.uint64:
    return between(one, other)


@kernel
def line(one: np.uint64, other: np.uint64) -> np.uint64:
    return line_through(one, other)


def _seen(square: int, occupied: int, steps: tuple[tuple[int, int], ...]) -> int:
    """Return the squares seen along some directions, step by step."""
    seen = 0
    for right, up in steps:
        file, rank = square % 8 + right, square // 8 + up
        while 0 <= file < 8 and 0 <= rank < 8:
            bit = 1 << (8 * rank + file)
            seen |= bit
            if occupied & bit:
                break
            file, rank = file + right, rank + up
    return seen


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 63), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_sliding_pieces_see_what_a_walk_sees(square: int, some: int, more: int, most: int) -> None:
    for occupied in (0, some, some & more, some & more & most, 2**64 - 1):
        place, board = np.uint64(square), np.uint64(occupied)
        assert rook(place, board) == _seen(square, occupied, QUEEN_STEPS[::2])
        assert bishop(place, board) == _seen(square, occupied, QUEEN_STEPS[1::2])


def test_lines_join_exactly_the_squares_that_see_each_other() -> None:
    for one in range(64):
        for other in range(64):
            joined = inside(np.uint64(one), np.uint64(other)), line(np.uint64(one), np.uint64(other))
            step = next((s for s in QUEEN_STEPS if _seen(one, 0, (s,)) >> other & 1), None)
            if step is None:
                assert not any(joined)
            else:
                back = (-step[0], -step[1])
                assert joined[0] == _seen(one, 1 << other, (step,)) & ~(1 << other)
                assert joined[1] == _seen(one, 0, (step, back)) | 1 << one
