"""The same games in python-chess and here, side by side."""

import random
from collections.abc import Iterator

import chess

from sog.games.chess.board import PLY
from sog.games.chess.game import Chess, ChessWorld
from sog.games.chess.moves import legal_moves
from sog.games.chess.notation import write_uci

START = chess.STARTING_FEN
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POSITION_3 = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
POSITION_4 = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
POSITION_4_TURNED = "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1"
POSITION_5 = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
POSITION_6 = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
ENDGAMES = (
    "8/8/8/8/4k3/4p3/4K3/8 w - - 0 1",
    "8/8/8/3k4/8/8/8/2BNK3 w - - 90 60",
    "8/1k6/8/3b4/8/8/8/K1B5 b - - 80 70",
    "4k3/8/8/8/8/8/QR6/K7 w - - 0 1",
    "8/P7/8/k7/8/8/7p/K7 b - - 0 1",
    "7k/8/8/8/8/8/5q2/K7 b - - 0 1",
)
STARTS = (START, KIWIPETE, POSITION_3, POSITION_4, POSITION_4_TURNED, POSITION_5, POSITION_6, *ENDGAMES)
_BACK = 0.25  # how often a piece steps back to where it came from, so that positions repeat


def playout(fen: str, seed: int, length: int) -> Iterator[tuple[chess.Board, ChessWorld]]:
    """Play a random game on both boards, to its end or for so many half moves."""
    rng = random.Random(f"{fen} {seed}")
    game, board = Chess(fen), chess.Board(fen)
    world = game.initial_world()
    yield board, world
    while board.ply() < length + chess.Board(fen).ply() and game.outcome(world) == 0:
        move = _choose(board, rng)
        names = {game.action_name(world, action): action for action in game.legal_actions(world)}
        world = game.apply(world, names[move.uci()])
        board.push(move)
        yield board, world


def _choose(board: chess.Board, rng: random.Random) -> chess.Move:
    moves = list(board.legal_moves)
    if len(board.move_stack) > 1 and rng.random() < _BACK:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves:
            return back
    return rng.choice(moves)


def scattered(seed: int) -> chess.Board:
    """Return a legal position with pieces anywhere: full of checks, pins and promotions."""
    rng = random.Random(seed)
    while True:
        board = chess.Board.empty()
        squares = rng.sample(chess.SQUARES, 64)
        pieces = [*chess.PIECE_TYPES[:5], chess.PAWN]
        for colour in chess.COLORS:
            _put(board, squares, chess.KING, colour)
            if rng.random() < 0.3:  # at home, with rooks
                home = 0 if colour else 56
                board.set_piece_at(board.king(colour) or 0, None)
                board.set_piece_at(home + 4, chess.Piece(chess.KING, colour))
                board.set_piece_at(home + rng.choice([0, 7]), chess.Piece(chess.ROOK, colour))
        for _ in range(rng.randrange(1, 24)):
            _put(board, squares, rng.choice(pieces), rng.random() < 0.5)
        board.turn = rng.random() < 0.5
        if rng.random() < 0.3:  # a pawn beside one that may have passed it
            file, rank = rng.randrange(7), 4 if board.turn else 3
            board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, board.turn))
            board.set_piece_at(chess.square(file + 1, rank), chess.Piece(chess.PAWN, not board.turn))
        passed = [square for square in chess.SQUARES if _is_passed(board, square)]
        board.ep_square = rng.choice(passed) if passed else None
        board.castling_rights = chess.BB_CORNERS
        board.castling_rights = board.clean_castling_rights()
        accepted = ~(chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK)
        if board.status() & accepted == chess.STATUS_VALID and not _has_too_many(board):
            return board


def _put(board: chess.Board, squares: list[int], kind: int, colour: bool) -> None:
    square = squares.pop()
    if kind != chess.PAWN or 0 < chess.square_rank(square) < 7:
        board.set_piece_at(square, chess.Piece(kind, colour))


def _is_passed(board: chess.Board, square: int) -> bool:
    """Whether a pawn may have stepped over the square just now."""
    rank, step = (5, -8) if board.turn else (2, 8)
    if chess.square_rank(square) != rank or board.piece_at(square) or board.piece_at(square - step):
        return False
    return board.piece_at(square + step) == chess.Piece(chess.PAWN, not board.turn)


def _has_too_many(board: chess.Board) -> bool:
    for colour in chess.COLORS:
        counts = [len(board.pieces(kind, colour)) for kind in chess.PIECE_TYPES]
        if counts[0] + sum(max(n - m, 0) for n, m in zip(counts[1:5], (2, 2, 2, 1), strict=True)) > 8:
            return True
    return False


def names(world: ChessWorld) -> list[str]:
    """Return the legal moves as UCI writes them, sorted."""
    black = int(world.position[PLY]) % 2
    return sorted(write_uci(int(move), black) for move in legal_moves(world.position))
