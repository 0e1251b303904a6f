import asyncio
import itertools
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator

import chess
import chess.engine
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.lines import Lines
from sog.games.chess.game import Chess
from sog.interfaces.uci import LONGEST_GAME, UciSession, centipawns
from sog.matches.thinking import Thinker, make_board_evaluator, parse_method
from sog.search.settings import parse_search
from tests.interfaces.conftest import Sog

STOCKFISH = shutil.which("stockfish", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
needs_stockfish = pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed")
SCHOLAR = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6"
DANCE = "g1f3 g8f6 f3g1 f6g8"


@pytest.fixture(scope="module")
def thinker() -> Thinker:
    game = Chess(max_moves=LONGEST_GAME)
    return Thinker(game, make_board_evaluator(None, game), parse_search("40,1"))


def hold(thinker: Thinker, *lines: str) -> list[str]:
    """Return what an engine writes in a whole session."""
    assert isinstance(thinker.game, Chess)
    written: list[str] = []
    UciSession(thinker, thinker.game, Lines(lines), written.append).run()
    return written


def best(written: list[str]) -> str:
    return written[-1].removeprefix("bestmove ")


def test_introduction(thinker: Thinker) -> None:
    written = hold(thinker, "uci", "isready", "quit", "isready")
    assert written[0].startswith("id name sog")
    assert written[-2:] == ["uciok", "readyok"]
    assert any(line.startswith("option name") for line in written)


def test_a_mate_is_found_and_reported(thinker: Thinker) -> None:
    written = hold(thinker, f"position startpos moves {SCHOLAR}", "go nodes 400")
    assert best(written) == "h5f7"
    words = [line for line in written if " pv " in line][-1].split()
    assert words[words.index("pv") + 1] == "h5f7"
    assert int(words[words.index("cp") + 1]) > 100
    assert int(words[words.index("nodes") + 1]) > 300
    assert int(words[words.index("nps") + 1]) > 0


@pytest.mark.parametrize(
    "go",
    [
        *("go", "go nodes 5", "go movetime 50", "go depth 3", "go wtime 1000 btime 1000", "go nodes x"),
        *("go wtime 300 btime 300 winc 10 binc 10 movestogo 2", "go mate 2", "go movetime -5", "go wtime 0"),
    ],
)
def test_every_go_is_answered_once(thinker: Thinker, go: str) -> None:
    written = hold(thinker, "position startpos moves e2e4", go, "isready")
    (answer,) = [line for line in written if line.startswith("bestmove")]
    board = chess.Board()
    board.push_uci("e2e4")
    assert chess.Move.from_uci(answer.split()[1]) in board.legal_moves
    assert "readyok" in written


@pytest.mark.parametrize("method", ["60,1", "mcts:60"])
def test_searches_say_how_they_stand(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """After every answer, if one is quick enough to read it: score, nodes and a line of legal moves."""
    monkeypatch.setattr("sog.interfaces.uci._INFO_SECONDS", 0.0)
    game = Chess(max_moves=LONGEST_GAME)
    engine = Thinker(game, make_board_evaluator(None, game), parse_method(method))
    written = hold(engine, "position startpos moves e2e4", "go")
    infos = [line.split() for line in written if line.startswith("info depth")]
    assert len(infos) > 20
    nodes = [int(words[words.index("nodes") + 1]) for words in infos]
    assert nodes == sorted(nodes)
    for words in infos:
        assert {"score", "cp", "nps", "time", "pv"} <= set(words)
        board = chess.Board()
        for move in ["e2e4", *words[words.index("pv") + 1 :]]:
            board.push_uci(move)  # raises if it is illegal
    assert best(written) == infos[-1][infos[-1].index("pv") + 1]


def test_search_moves_are_kept_to(thinker: Thinker) -> None:
    written = hold(thinker, f"position startpos moves {SCHOLAR}", "go nodes 30 searchmoves a2a3 h2h3")
    assert best(written) in ("a2a3", "h2h3")


@pytest.mark.parametrize(
    ("position", "answers"),
    [
        ("fen 7k/5QQ1/8/8/8/8/8/K7 b - - 0 1", {"0000"}),  # mated
        ("fen k7/8/8/8/8/8/8/K7 w - - 0 1", {"a1a2", "a1b1", "a1b2"}),  # bare kings
        ("fen 7k/8/8/8/8/8/R7/K7 w - - 100 80", None),  # a draw, if somebody claims it
        (f"startpos moves {DANCE} {DANCE} {DANCE}", None),
        (f"startpos moves {DANCE} {DANCE} {DANCE} e2e4", None),
    ],
)
def test_games_that_are_over_or_drawn(thinker: Thinker, position: str, answers: set[str] | None) -> None:
    written = hold(thinker, f"position {position}", "go nodes 3")
    assert not any(line.startswith("info string") for line in written)
    assert best(written) in answers if answers is not None else len(best(written)) == 4


def test_a_position_that_cannot_be_read_leaves_the_old_one(thinker: Thinker) -> None:
    for wrong in (
        "position startpos moves e2e5",
        "position fen x",
        "position",
        "position fen",
        "position moves",
    ):
        written = hold(thinker, f"position startpos moves {SCHOLAR}", wrong, "go nodes 400")
        assert written[0].startswith("info string")
        assert best(written) == "h5f7"


class Typist:
    """Lines that come when the test says so."""

    def __init__(self, *lines: str) -> None:
        self._lines, self.may_go_on = lines, threading.Event()

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            if line == "...":
                self.may_go_on.wait(60)
            else:
                yield line


@pytest.mark.parametrize("end", ["stop", "ponderhit", "quit"])
@pytest.mark.parametrize("go", ["go infinite", "go ponder wtime 100 btime 100", "go nodes 50000"])
def test_searches_stop_at_any_time(thinker: Thinker, go: str, end: str) -> None:
    assert isinstance(thinker.game, Chess)
    typist, written = Typist(go, "isready", "...", end, "isready"), list[str]()

    def write(line: str) -> None:
        written.append(line)
        if line == "readyok":
            typist.may_go_on.set()  # it was answered in the middle of the search

    UciSession(thinker, thinker.game, Lines(typist), write).run()
    assert written[0] == "readyok"
    assert sum(line.startswith("bestmove") for line in written) == 1
    assert written.count("readyok") == (1 if end == "quit" else 2)


def test_an_endless_search_ends_with_the_lines(thinker: Thinker) -> None:
    assert best(hold(thinker, "go infinite"))


def test_options(thinker: Thinker) -> None:
    written = hold(
        thinker, "setoption name Simulations value 7", "setoption name Ponder value true", "go",
        "setoption name Nonsense value 1", "setoption name Seed value x",
    )  # fmt: skip
    assert " nodes 6 " in written[0] or " nodes 7 " in written[0]
    assert [line.startswith("info string") for line in written[-2:]] == [True, True]


_WORDS = st.sampled_from(
    [
        *(
            "uci",
            "isready",
            "setoption",
            "name",
            "value",
            "position",
            "startpos",
            "fen",
            "moves",
            "go",
            "nodes",
        ),
        *("2", "movetime", "infinite", "stop", "ponder", "e2e4", "e7e5", "searchmoves", "ponderhit", "debug"),
        *("ucinewgame", "depth", "wtime", "-1", "99999999999999999999", "\x00", "é"),
    ]
)
_GARBAGE = st.one_of(st.lists(_WORDS, max_size=8).map(" ".join), st.text(max_size=30))


@settings(deadline=None, max_examples=60)
@given(st.lists(_GARBAGE, max_size=6))
def test_garbage_is_survived(thinker_lines: list[str]) -> None:
    game = Chess(max_moves=LONGEST_GAME)
    engine = _shared_thinker(game)
    written = hold(engine, *thinker_lines, "stop", "position startpos", "isready")
    assert written.count("readyok") >= 1
    assert all("\n" not in line for line in written)


_THINKERS: list[Thinker] = []


def _shared_thinker(game: Chess) -> Thinker:
    if not _THINKERS:
        _THINKERS.append(Thinker(game, make_board_evaluator(None, game), parse_search("2,1")))
    return _THINKERS[0]


def test_scores() -> None:
    assert [centipawns(value) for value in (-1.0, 0.0, 1.0)] == [-1320, 0, 1320]
    assert all(centipawns(a) < centipawns(b) for a, b in itertools.pairwise((-0.9, -0.1, 0.2, 0.8)))


def test_agents_of_other_games_are_refused(sog: Sog) -> None:
    assert "neither a file" in sog("uci", "--agent", "nobody").complaint
    assert "search" in sog("uci", "--search", "x").complaint


def test_bytes_that_are_no_text(thinker: Thinker) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "sog", "uci", "--search", "2,1"],
        input=b"\xff\xfe\x00 isready\nposition startpos\ngo nodes 2\n", capture_output=True, timeout=300,
        check=True,
    )  # fmt: skip
    assert b"readyok" in result.stdout
    assert b"bestmove" in result.stdout


@needs_stockfish
def test_a_game_against_stockfish() -> None:
    assert STOCKFISH is not None
    moves, board = asyncio.run(_play_stockfish(STOCKFISH))
    assert board.is_game_over(claim_draw=True) or moves == 60


async def _play_stockfish(path: str) -> tuple[int, chess.Board]:
    """Play as White, with python-chess, which refuses illegal moves and lines, as the referee."""
    our_pipes, ours = await chess.engine.popen_uci([sys.executable, "-m", "sog", "uci", "--search", "20,1"])
    their_pipes, theirs = await chess.engine.popen_uci(path)
    await theirs.configure({"Skill Level": 0})
    board, moves = chess.Board(), 0
    while moves < 60 and not board.is_game_over(claim_draw=True):
        engine, nodes = ((theirs, 100), (ours, 20))[board.turn]
        result = await engine.play(board, chess.engine.Limit(nodes=nodes), info=chess.engine.INFO_ALL)
        assert result.move is not None
        board.push(result.move)
        moves += 1
    await ours.quit()
    await theirs.quit()
    for pipes in (our_pipes, their_pipes):
        pipes.close()
    return moves, board
