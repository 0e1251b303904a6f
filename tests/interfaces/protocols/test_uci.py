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
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.agents.making import make_evaluator
from sog.agents.methods import parse_method
from sog.core.lines import Lines
from sog.games.chess.game import Chess
from sog.interfaces.protocols.uci import UciSession
from sog.interfaces.protocols.uci_search import ChessEngine, centipawns
from tests.interfaces.conftest import Sog

STOCKFISH = shutil.which("stockfish", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
needs_stockfish = pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed")
SCHOLAR = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6"
DANCE = "g1f3 g8f6 f3g1 f6g8"


@pytest.fixture(scope="module")
def engine() -> ChessEngine:
    return make_engine("40,1")


def make_engine(search: str) -> ChessEngine:
    return ChessEngine(make_evaluator(None, Chess()), parse_method(search))


def hold(engine: ChessEngine, *lines: str) -> list[str]:
    """Return what an engine writes in a whole session."""
    written: list[str] = []
    engine.new_game()
    UciSession(lambda: engine, Lines(lines), written.append).run()
    return written


def best(written: list[str]) -> str:
    return written[-1].removeprefix("bestmove ").split()[0]


def fields(line: str) -> dict[str, str]:
    """Return what an info line says, the score as `cp` or `mate`."""
    words = line.split()
    names = ("depth", "multipv", "cp", "mate", "nodes", "nps", "hashfull", "time", "pv")
    return {name: words[words.index(name) + 1] for name in names if name in words}


def infos(written: list[str]) -> list[dict[str, str]]:
    return [fields(line) for line in written if line.startswith("info depth")]


def test_introduction(engine: ChessEngine) -> None:
    written = hold(engine, "uci", "isready", "quit", "isready")
    assert written[0].startswith("id name sog")
    assert written[-2:] == ["uciok", "readyok"]
    assert any(line.startswith("option name") for line in written)


def test_a_mate_is_found_and_reported(engine: ChessEngine) -> None:
    written = hold(engine, f"position startpos moves {SCHOLAR}", "go nodes 400")
    assert best(written) == "h5f7"
    last = infos(written)[-1]
    assert (last["pv"], last["mate"]) == ("h5f7", "1")
    assert int(last["nodes"]) > 300
    assert int(last["nps"]) > 0


@pytest.mark.parametrize(
    "go",
    [
        *("go", "go nodes 5", "go movetime 50", "go depth 3", "go wtime 1000 btime 1000", "go nodes x"),
        *("go wtime 300 btime 300 winc 10 binc 10 movestogo 2", "go mate 2", "go movetime -5", "go wtime 0"),
    ],
)
def test_every_go_is_answered_once(engine: ChessEngine, go: str) -> None:
    written = hold(engine, "position startpos moves e2e4", go, "isready")
    (answer,) = [line for line in written if line.startswith("bestmove")]
    board = chess.Board()
    board.push_uci("e2e4")
    assert chess.Move.from_uci(answer.split()[1]) in board.legal_moves
    assert "readyok" in written


@pytest.mark.parametrize("method", ["60,1", "mcts:60"])
def test_searches_say_how_they_stand(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """After every answer, if one is quick enough to read it: score, nodes and a line of legal moves."""
    monkeypatch.setattr("sog.interfaces.protocols.uci_search._INFO_SECONDS", 0.0)
    written = hold(make_engine(method), "position startpos moves e2e4", "go")
    told = [line.split() for line in written if line.startswith("info depth")]
    assert len(told) > 20
    nodes = [int(words[words.index("nodes") + 1]) for words in told]
    assert nodes == sorted(nodes)
    for words in told:
        assert {"score", "cp", "nps", "time", "pv"} <= set(words)
        board = chess.Board()
        for move in ["e2e4", *words[words.index("pv") + 1 :]]:
            board.push_uci(move)  # raises if it is illegal
    assert best(written) == told[-1][told[-1].index("pv") + 1]


@pytest.mark.parametrize("method", ["60,1", "mcts:60"])
def test_search_moves_restrict_the_search(method: str) -> None:
    """All simulations go to these moves, of which the mate is none."""
    written = hold(
        make_engine(method),
        "setoption name MultiPV value 9",
        f"position startpos moves {SCHOLAR}",
        "go searchmoves a2a3 h2h3 nodes 60",
    )
    last = infos(written)[-2:]
    assert {line["pv"] for line in last} == {"a2a3", "h2h3"}
    assert sorted(line["multipv"] for line in last) == ["1", "2"]
    assert best(written) in ("a2a3", "h2h3")
    assert int(last[0]["nodes"]) >= 55


def test_search_moves_that_are_illegal_are_told(engine: ChessEngine) -> None:
    written = hold(engine, "go nodes 5 searchmoves e2e5")
    assert "searchmoves" in written[0]
    assert len(best(written)) == 4


@pytest.mark.parametrize(
    ("position", "mate"),
    [
        ("fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "1"),
        ("fen k7/8/2K5/8/8/8/8/1R6 w - - 0 1", "2"),
        ("fen 6k1/5ppp/8/8/8/8/r4PPP/1r4K1 w - - 0 1", "0"),  # mated already
        ("fen 7k/7p/8/8/8/8/8/KQR5 b - - 0 1", None),
        ("fen k7/2K5/8/8/8/8/8/1R6 b - - 0 1", "-1"),
    ],
)
@pytest.mark.parametrize("method", ["300,1", "mcts:300"])
def test_mates_are_told_in_moves(method: str, position: str, mate: str | None) -> None:
    written = hold(make_engine(method), f"position {position}", "go")
    assert infos(written)[-1].get("mate") == mate


@pytest.mark.parametrize("method", ["50000,1", "mcts:50000"])
def test_depth_and_mate_are_limits(method: str) -> None:
    """Without them the search would take many thousand simulations."""
    engine = make_engine(method)
    deep = infos(hold(engine, "go depth 3"))[-1]
    assert int(deep["depth"]) >= 3
    mate = infos(hold(engine, "position fen k7/8/2K5/8/8/8/8/1R6 w - - 0 1", "go mate 2"))[-1]
    assert mate["mate"] == "2"
    assert max(int(found["nodes"]) for found in (deep, mate)) < 20_000


def test_a_full_hash_ends_a_search() -> None:
    written = hold(make_engine("mcts:50000"), "setoption name Hash value 2", "go")
    last = infos(written)[-1]
    assert int(last["nodes"]) < 20_000
    assert last["hashfull"] == "1000"


def test_several_lines(engine: ChessEngine) -> None:
    written = hold(engine, "setoption name MultiPV value 3", "go nodes 100")
    lines = infos(written)[-3:]
    assert [line["multipv"] for line in lines] == ["1", "2", "3"]
    assert len({line["pv"] for line in lines}) == 3
    assert lines[0]["pv"] == best(written)


def test_positions_of_four_fields(engine: ChessEngine) -> None:
    written = hold(engine, "position fen 7k/8/5KQ1/8/8/8/8/8 w - - moves g6g7", "go nodes 5")
    assert infos(written)[-1]["mate"] == "0"
    written = hold(engine, "position fen k7/8/2K5/8/8/8/8/1R6 w - -", "go nodes 5")
    assert not any("string" in line for line in written)


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
def test_games_that_are_over_or_drawn(engine: ChessEngine, position: str, answers: set[str] | None) -> None:
    written = hold(engine, f"position {position}", "go nodes 3")
    assert not any(line.startswith("info string") for line in written)
    assert best(written) in answers if answers is not None else len(best(written)) == 4


@pytest.mark.parametrize(
    "wrong", ["position startpos moves e2e5", "position fen x", "position", "position fen", "position moves"]
)
def test_nothing_is_played_in_a_position_that_cannot_be_read(engine: ChessEngine, wrong: str) -> None:
    written = hold(engine, f"position startpos moves {SCHOLAR}", wrong, "go nodes 400")
    assert [line[:11] for line in written] == ["info string", "info string", "bestmove 00"]
    written = hold(engine, wrong, "position startpos", "go nodes 4")
    assert len(best(written)) == 4
    assert best(written) != "0000"


def test_positions_that_go_on(engine: ChessEngine) -> None:
    """A position that only adds moves is read from where the last one ended, and is the same."""
    moves = SCHOLAR.split()
    lines = [f"position startpos moves {' '.join(moves[:count])}" for count in range(1, len(moves) + 1)]
    assert best(hold(engine, *lines, "go nodes 200")) == "h5f7"
    assert best(hold(engine, *lines, *lines[:3], "go nodes 4 searchmoves b8c6")) == "b8c6"


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


def talk(engine: ChessEngine, *lines: str) -> list[str]:
    """Return what is written if the line after `...` comes when `isready` was answered in the search."""
    typist, written = Typist(*lines), list[str]()

    def write(line: str) -> None:
        written.append(line)
        if line == "readyok":
            typist.may_go_on.set()

    engine.new_game()
    UciSession(lambda: engine, Lines(typist), write).run()
    return written


@pytest.mark.parametrize("end", ["stop", "quit"])
@pytest.mark.parametrize("go", ["go infinite", "go ponder wtime 100 btime 100", "go nodes 50000"])
def test_searches_stop_at_any_time(engine: ChessEngine, go: str, end: str) -> None:
    written = talk(engine, go, "isready", "...", end, "isready")
    assert written[0] == "readyok"
    assert sum(line.startswith("bestmove") for line in written) == 1
    assert written.count("readyok") == (1 if end == "quit" else 2)


@pytest.mark.parametrize("limit", ["wtime 1000 btime 1000", "nodes 300", "movetime 100", "depth 2"])
def test_a_hit_starts_the_limits_of_a_pondering_search(engine: ChessEngine, limit: str) -> None:
    written = talk(engine, f"go ponder {limit}", "isready", "...", "ponderhit", "isready")
    place = [line.split()[0] for line in written].index("bestmove")
    assert written[0] == "readyok"  # the search had not ended by itself
    if limit.startswith("nodes"):
        assert int(infos(written[:place])[-1]["nodes"]) >= 300  # the hit itself ends nothing


def test_a_hit_without_pondering_changes_nothing(engine: ChessEngine) -> None:
    written = talk(engine, "go infinite", "isready", "...", "ponderhit", "isready", "stop")
    assert written[-1].startswith("bestmove")


def test_an_endless_search_ends_with_the_lines(engine: ChessEngine) -> None:
    assert best(hold(engine, "go infinite"))


def test_options(engine: ChessEngine) -> None:
    written = hold(
        engine, "setoption name Simulations value 7", "setoption name Ponder value true", "go",
        "setoption name Nonsense value 1", "setoption name Seed value x",
    )  # fmt: skip
    assert " nodes 6 " in written[0] or " nodes 7 " in written[0]
    assert " ponder " in written[1]
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
def test_garbage_is_survived(lines: list[str]) -> None:
    if not _ENGINES:
        _ENGINES.append(make_engine("2,1"))
    written = hold(_ENGINES[0], *lines, "stop", "position startpos", "isready")
    assert written.count("readyok") >= 1
    assert all("\n" not in line for line in written)


_ENGINES: list[ChessEngine] = []


def test_scores() -> None:
    assert [centipawns(value) for value in (-1.0, 0.0, 1.0)] == [-1320, 0, 1320]
    assert all(centipawns(a) < centipawns(b) for a, b in itertools.pairwise((-0.9, -0.1, 0.2, 0.8)))


def test_agents_that_are_none_are_refused(sog: Sog) -> None:
    for typed in ("isready\n", "position startpos\n"):
        assert "neither a file" in sog("uci", "--agent", "nobody", typed=typed).complaint
    assert "search" in sog("uci", "--search", "x", typed="isready\n").complaint


def test_the_introduction_loads_nothing() -> None:
    """A client waits a few seconds for `uciok`, and as long as it takes for `readyok`."""
    script = (
        "import sys, sog.interfaces.cli as cli; cli.main(['uci']);"
        "print([name for name in ('numba', 'torch', 'numpy') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], input="uci\nsetoption name Hash value 99\nquit\n",
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert result.stdout.splitlines()[-2:] == ["uciok", "[]"]


def test_one_thread_unless_the_client_wants_more(engine: ChessEngine) -> None:
    hold(engine, "isready")
    assert torch.get_num_threads() == 1
    hold(engine, "setoption name Threads value 2", "isready")
    assert torch.get_num_threads() == 2
    hold(engine, "isready", "setoption name Threads value 1")
    assert torch.get_num_threads() == 1


def test_bytes_that_are_no_text() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "sog", "uci", "--search", "2,1"],
        input=b"\xff\xfe\x00 isready\nposition startpos\ngo nodes 2\n", capture_output=True, timeout=300,
        check=True,
    )  # fmt: skip
    assert b"readyok" in result.stdout
    assert b"bestmove" in result.stdout


def test_a_client_analyses() -> None:
    """python-chess refuses options that are not told, illegal lines and scores that it cannot read."""
    engine = chess.engine.SimpleEngine.popen_uci(
        [sys.executable, "-m", "sog", "uci", "--search", "mcts:100"], timeout=120
    )
    try:
        engine.configure({"Threads": 1, "Hash": 64})
        board = chess.Board("k7/8/2K5/8/8/8/8/1R6 w - - 0 1")
        (first, *_) = engine.analyse(board, chess.engine.Limit(nodes=300), multipv=3)
        assert first["score"] == chess.engine.PovScore(chess.engine.Mate(2), chess.WHITE)
        for move in first["pv"]:
            board.push(move)
        assert board.is_checkmate()
        start = chess.Board()
        only = [chess.Move.from_uci("a2a4"), chess.Move.from_uci("h2h4")]
        played = engine.play(start, chess.engine.Limit(nodes=50), root_moves=only, ponder=True)
        assert played.move in only
        assert played.ponder is not None
        start.push(played.move)
        start.push(played.ponder)  # a hit
        answer = engine.play(start, chess.engine.Limit(time=0.2)).move
        assert answer is not None
        assert answer in start.legal_moves
        assert engine.play(chess.Board(), chess.engine.Limit(depth=2)).move is not None
    finally:
        engine.quit()


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
