import os
import subprocess
import sys

import pytest

from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.chess.board import PLY
from sog.games.chess.game import Chess, ChessWorld, history_rows
from sog.games.registry import load
from tests.games.chess.oracle import KIWIPETE

PLAIN = """
from sog.games.chess.game import Chess
from tests.games.chess.perft import perft
game = Chess("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1")
world = game.initial_world()
print(perft(world.position, 2), end=" ")
for _ in range(6):
    world = game.apply(world, game.legal_actions(world)[-1])
    print(world, end=" ")
"""


def _after(game: Chess, *moves: str) -> ChessWorld:
    world = game.initial_world()
    for move in moves:
        names = {game.action_name(world, action): action for action in game.legal_actions(world)}
        world = game.apply(world, names[move])
    return world


def test_fools_mate() -> None:
    game = Chess()
    world = _after(game, "f2f3", "e7e5", "g2g4", "d8h4")
    assert game.actor(world) == TERMINAL
    assert game.returns(world) == (-1.0, 1.0)
    assert game.outcome_name(world) == "checkmate"
    assert str(world) == "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


def test_the_third_time_is_a_draw() -> None:
    game = Chess()
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")
    twice, thrice = _after(game, *shuffle), _after(game, *shuffle, *shuffle)
    assert str(twice).endswith("4 3 (2 times)")
    assert game.actor(twice) == 0
    assert game.actor(thrice) == TERMINAL
    assert game.returns(thrice) == (0.0, 0.0)
    assert game.outcome_name(thrice) == "threefold repetition"


def test_a_pawn_move_is_the_end_of_what_can_be_repeated() -> None:
    game = Chess()
    world = _after(game, *("g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6", "g1f3", "g8f6"), "e2e4")
    assert len(world.positions) == 8  # boards that the network sees
    rows, parents = history_rows(world, spare=2)
    assert rows.shape == (10, 14)
    assert parents.tolist() == [2**32 - 1, *range(7), 2**32 - 1, 2**32 - 1]
    assert rows[7].tobytes() == world.positions[-1]


def test_worlds_with_another_past_are_other_worlds() -> None:
    game = Chess()
    one, other = _after(game, "g1f3", "g8f6", "b1c3"), _after(game, "b1c3", "g8f6", "g1f3")
    assert str(one) == str(other)
    assert one != other
    assert one == _after(game, "g1f3", "g8f6", "b1c3")


def test_black_may_begin() -> None:
    game = Chess(KIWIPETE.replace(" w ", " b "), max_moves=3)
    world = game.initial_world()
    assert game.actor(world) == 1
    for _ in range(3):
        assert game.actor(world) != TERMINAL
        world = game.apply(world, game.legal_actions(world)[0])
    assert game.outcome_name(world) == "move limit"
    assert world.position[PLY] == game.last_ply


def test_names_load_the_same_game() -> None:
    assert load("chess(fen=startpos)").info.name == "chess"
    assert load("chess(max_moves=10)").info.name == "chess(max_moves=10)"
    game = load("chess(fen='4k3/8/8/8/8/8/4P3/4K3 w - -',max_moves=10)")
    assert game.info.name == "chess(fen='4k3/8/8/8/8/8/4P3/4K3 w - - 0 1',max_moves=10)"
    assert load(game.info.name).initial_world() == game.initial_world()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("chess(fen=x)", "cannot read the FEN 'x': it must have six fields"),
        ("chess(fen=3)", "chess: fen must be a position in quotes or startpos, not 3"),
        ("chess(max_moves=0)", "chess: max_moves must be a whole number from 1 to 10000, not 0"),
        ("chess(fen='7k/5Q2/6K1/8/8/8/8/8 b - -')", "chess: the game is over at its start: stalemate"),
    ],
)
def test_bad_input_is_named(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        load(text)
    assert str(caught.value) == complaint


def test_plain_python_gives_the_same() -> None:
    results = []
    for disabled in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-W", "ignore", "-c", PLAIN]
        run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        results.append(run.stdout)
    assert results[0] == results[1]
    assert results[0].startswith("264 ")
