"""Positions with known answers, searched with an untrained network: nothing but the rules says who wins."""

from collections import Counter

import chess
import chess.engine
import pytest

from sog.games.base import TERMINAL
from sog.games.go.game import Go, GoWorld
from sog.search.puct import PuctSettings
from sog.search.settings import SearchSettings
from tests.interfaces.protocols.test_uci import STOCKFISH, needs_stockfish
from tests.search.puzzles import Puzzle, choose, read_mates, read_problems

MATES, PROBLEMS = read_mates(), read_problems()
PER_UPDATE = 10.0  # simulations for each regret update, as Student of Games has it in chess
QUICK = {  # simulations: puzzles that need more are left to the slow tests, there are enough others
    "mates in 1": 1000,
    "mates in 2": 1000,
    "mates in 3": 4000,
    "captures": 1000,
    "ladders": 8000,
}


def params(puzzles: list[Puzzle]) -> list[object]:
    """Return the puzzles that are claimed to be solved."""
    claimed = [puzzle for puzzle in puzzles if puzzle.simulations is not None]
    return [
        pytest.param(puzzle, id=puzzle.name, marks=[pytest.mark.slow] if _is_slow(puzzle) else [])
        for puzzle in claimed
    ]


def _is_slow(puzzle: Puzzle) -> bool:
    assert puzzle.simulations is not None
    return puzzle.simulations > QUICK[puzzle.kind]


@pytest.mark.parametrize("puzzle", params(MATES + PROBLEMS))
def test_both_searches_find_the_answer(puzzle: Puzzle) -> None:
    assert puzzle.simulations is not None
    growing = SearchSettings(simulations=puzzle.simulations, per_update=PER_UPDATE)
    found = {choose(puzzle, settings) for settings in (growing, PuctSettings(simulations=puzzle.simulations))}
    assert found <= puzzle.answers


def test_there_are_enough_of_each_kind() -> None:
    claimed = Counter(puzzle.kind for puzzle in MATES + PROBLEMS if puzzle.simulations is not None)
    for kind, least in (
        ("mates in 1", 8),
        ("mates in 2", 8),
        ("mates in 3", 5),
        ("captures", 4),
        ("ladders", 3),
    ):
        assert claimed[kind] >= least, kind


@pytest.mark.slow  # the list does not change
@needs_stockfish
def test_stockfish_knows_the_same_mates() -> None:
    assert STOCKFISH is not None
    with chess.engine.SimpleEngine.popen_uci(STOCKFISH) as engine:
        for puzzle in MATES:
            board = chess.Board(str(puzzle.game.initial_world()))
            if len(board.piece_map()) < 4 and puzzle.moves == 3:
                continue  # so many moves mate in time that a short search misses some
            count = board.legal_moves.count()
            limit = chess.engine.Limit(depth=12)
            lines = engine.analyse(board, limit, multipv=count, game=puzzle.name)  # one does not help another
            assert len(lines) == count
            mates = {
                line["pv"][0].uci(): mate
                for line in lines
                if (mate := line["score"].pov(board.turn).mate()) is not None and mate > 0
            }
            assert min(mates.values()) == puzzle.moves, puzzle.name
            assert {name for name, mate in mates.items() if mate == puzzle.moves} == puzzle.answers, (
                puzzle.name
            )


@pytest.mark.parametrize("puzzle", PROBLEMS, ids=lambda puzzle: puzzle.name)
def test_problems_of_go_have_these_answers_only(puzzle: Puzzle) -> None:
    game, start = puzzle.game, puzzle.world
    assert isinstance(game, Go)
    assert start is not None
    won = {
        game.action_name(start, action)
        for action in game.legal_actions(start)
        if _Exhaustive(game).is_won(game.apply(start, action), 1)
    }
    assert won == puzzle.answers


class _Exhaustive:
    """Tries everything to the end, first what was an answer to a brother's move."""

    def __init__(self, game: Go) -> None:
        self._game = game
        self._answers: dict[int, list[int]] = {}  # by depth, the latest first

    def is_won(self, world: GoWorld, depth: int) -> bool:
        """Return whether black wins."""
        game = self._game
        actor = game.actor(world)
        if actor == TERMINAL:
            return game.score(world) > 0
        answers = self._answers.setdefault(depth, [])
        legal = set(game.legal_actions(world))
        tried = [action for action in answers if action in legal]
        for action in (*tried, *(legal - set(tried))):
            if self.is_won(game.apply(world, action), depth + 1) == (actor == 0):
                answers[:] = [action, *(other for other in answers if other != action)]
                return actor == 0
        return actor != 0
