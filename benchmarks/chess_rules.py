"""Perft of chess against OpenSpiel and python-chess, and how fast a search tree's nodes are made.

Plain perft makes every last position; bulk counts the last half move where it is listed, which OpenSpiel and
python-chess are given too.
"""

from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pyspiel

from benchmarks.timing import best_times
from sog.core.arrays import F32, U32
from sog.core.jit import ONE, ZERO, kernel
from sog.core.rng import RngState, make_rng_state, next_uniform
from sog.games.chess.board import MAX_MOVES, PLY, U64
from sog.games.chess.fen import START, read_fen
from sog.games.chess.game import Chess, history_rows
from sog.games.chess.outcome import ONGOING, open_node
from sog.games.chess.planes import NUM_PLANES, write_planes
from sog.games.chess.play import play
from tests.games.chess.perft import perft

POSITIONS = {
    "start": (START, 4, 197_281),
    "Kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
}
WAYS = {"bulk": True, "plain": False}
LENGTH = 512


def main() -> None:
    peers: dict[str, Callable[[str, int, bool], Callable[[int], object]]] = {
        "sog": _sog,
        "OpenSpiel": _openspiel,
        "python-chess": _python_chess,
    }
    print(
        f"{'perft, million nodes a second':32}" + "".join(f"{name:>14}" for name in peers) + f"{'ratios':>16}"
    )
    for name, (fen, depth, count) in POSITIONS.items():
        for way, is_bulk in WAYS.items():
            times = best_times({peer: make(fen, depth, is_bulk) for peer, make in peers.items()}, rounds=3)
            rates = [count / times[peer] / 1e6 for peer in peers]
            ratios = "".join(f"{rates[0] / rate:8.1f}" for rate in rates[1:])
            label = f"{name}, depth {depth}, {way}"
            print(f"{label:32}" + "".join(f"{rate:14.2f}" for rate in rates) + ratios, flush=True)
    _print_nodes()


def _print_nodes() -> None:
    """Print how many nodes of random games are opened and played a second, without and with planes."""
    for label, has_planes in (("opened and played", False), ("and planes written", True)):
        nodes, run = _random_games(has_planes)
        times = best_times({label: run})
        print(f"{'nodes ' + label + ', thousand a second':50} {nodes / times[label] / 1e3:8.0f}", flush=True)


def _sog(fen: str, depth: int, is_bulk: bool) -> Callable[[int], object]:
    position = read_fen(fen)
    return lambda repeats: [perft(position, depth, is_bulk) for _ in range(repeats)]


def _openspiel(fen: str, depth: int, is_bulk: bool) -> Callable[[int], object]:
    state = pyspiel.load_game("chess").new_initial_state(fen)

    def count(state: Any, left: int) -> int:
        if left == 0:
            return 1
        actions = state.legal_actions()
        if left == 1 and is_bulk:
            return len(actions)
        return sum(count(state.child(action), left - 1) for action in actions)

    return lambda repeats: [count(state, depth) for _ in range(repeats)]


def _python_chess(fen: str, depth: int, is_bulk: bool) -> Callable[[int], object]:
    board = chess.Board(fen)

    def count(left: int) -> int:
        if left == 0:
            return 1
        if left == 1 and is_bulk:
            return board.legal_moves.count()
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(left - 1)
            board.pop()
        return total

    return lambda repeats: [count(depth) for _ in range(repeats)]


def _random_games(has_planes: bool) -> tuple[int, Callable[[int], object]]:
    """Return how many nodes a random game from a fixed seed has, and the game as a contestant."""
    rows, parents = history_rows(Chess().initial_world(), spare=LENGTH)
    moves, actions = np.zeros(MAX_MOVES, np.uint32), np.zeros(MAX_MOVES, np.uint32)
    planes = np.zeros(NUM_PLANES * 64, np.float32)

    def run(repeats: int) -> int:
        nodes = 0
        for _ in range(repeats):
            nodes = int(_play_game(rows, parents, moves, actions, planes, make_rng_state(1), has_planes))
        return nodes

    return run(1), run


@kernel
def _play_game(
    positions: U64, parents: U32, moves: U32, actions: U32, planes: F32, rng: RngState, has_planes: bool
) -> np.uint64:
    """Play at random from row 0 to the end of the game and return how many nodes were opened."""
    node = ZERO
    last_ply = positions[ZERO, PLY] + np.uint64(LENGTH)
    while True:
        count, outcome = open_node(positions, node, last_ply, moves, actions, ZERO)
        if has_planes:
            write_planes(positions, parents, node, planes, ZERO)
        if outcome != ONGOING:
            return node + ONE
        chosen = np.uint64(next_uniform(rng) * float(count))
        play(positions, parents, node, np.uint64(moves[chosen]), node + ONE)
        node += ONE
