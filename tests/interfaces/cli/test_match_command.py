"""`sog match` as people use it, with real engines where they are there."""

import io
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess.pgn
import pytest

from sog.evaluation.elo import Rating
from sog.games.go.replay import replay
from sog.games.go.sgf import read_sgf
from sog.games.registry import load
from sog.interfaces.cli.match_table import LiveTable, note_lines, rating_words
from sog.matches.tables import make_table
from sog.solvers.solver import Solver
from tests.agents.test_engines import fake
from tests.games.go.gnugo import needs_gnugo
from tests.interfaces.conftest import Sog
from tests.interfaces.protocols.test_uci import needs_stockfish

GNUGO = "gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead"
SHORT = ("match", "--game", "tictactoe", "random", "mcts:60")


def test_a_table_for_people(sog: Sog, tmp_path: Path) -> None:
    moves = tmp_path / "moves.txt"
    result = sog(*SHORT, "--games", 20, "--opening-moves", 1, "--anchor", "mcts:60", "--moves", moves)
    assert result.status == 0
    lines = result.out.splitlines()
    assert lines[0] == "tictactoe: 20 games, 9 openings"
    assert lines[2].split() == [
        "player",
        "Elo",
        "95",
        "%",
        "score",
        "games",
        "won",
        "drawn",
        "lost",
        "s/game",
    ]
    assert lines[3].split()[:2] == ["mcts:60", "0"]
    assert re.match(r"random +(-\d+ +-\d+ to -\d+|below -\d+) ", lines[4])
    assert len(moves.read_text().splitlines()) == 20


def test_figures_for_programs(sog: Sog) -> None:
    figures = sog(*SHORT, "third=random", "--games", 4, "--json").json
    assert figures["games"] == 12
    assert figures["anchor"] == "random"
    players = {player["name"]: player for player in figures["players"]}
    assert set(players) == {"random", "mcts:60", "third"}
    assert all(player["games"] == 8 for player in players.values())
    assert players["random"]["elo"] == 0
    assert sum(map(sum, figures["points"])) == 12


def test_a_match_goes_on_with_more_games_and_players(sog: Sog, tmp_path: Path) -> None:
    out = ["--out", tmp_path / "match", "--json"]
    first = sog(*SHORT, "--games", 4, *out).json
    kept = (tmp_path / "match" / "games.jsonl").read_text()
    again = sog(*SHORT, "--games", 4, *out).json
    assert again == first
    assert (tmp_path / "match" / "games.jsonl").read_text() == kept
    more = sog(*SHORT, "third=random", "--games", 6, *out).json
    assert more["games"] == 18
    assert (tmp_path / "match" / "games.jsonl").read_text().startswith(kept)
    fresh = sog(*SHORT, "third=random", "--games", 6, "--json").json
    assert more["points"] == fresh["points"]
    assert "holds a match with seed 0, not 5" in sog(*SHORT, "--seed", 5, *out).complaint


def _start(folder: Path, *more: str) -> "subprocess.Popen[str]":
    match = ["match", "random", "mcts:100", "--game", "connect_four", "--games", "200"]
    return subprocess.Popen(
        [sys.executable, "-m", "sog", *match, "--out", str(folder), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _wait_for_games(folder: Path, count: int) -> None:
    path, end = folder / "games.jsonl", time.monotonic() + 120
    while not path.exists() or path.read_bytes().count(b"\n") < count:
        assert time.monotonic() < end
        time.sleep(0.05)


def _is_running(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("concurrency", ["1", "2"])
def test_nothing_is_lost_when_it_is_killed(tmp_path: Path, concurrency: str) -> None:
    match = _start(tmp_path, "--concurrency", concurrency)
    _wait_for_games(tmp_path, 2)
    children = Path(f"/proc/{match.pid}/task/{match.pid}/children")
    processes = children.read_text().split() if children.exists() else []
    assert len(processes) >= int(concurrency) - 1
    match.kill()
    match.communicate()
    end = time.monotonic() + 60
    while any(_is_running(process) for process in processes):
        assert time.monotonic() < end, "somebody plays on after the match was killed"
        time.sleep(0.1)
    kept = (tmp_path / "games.jsonl").read_bytes()
    assert kept.count(b"\n") >= 2
    match = _start(tmp_path, "--concurrency", concurrency)
    _wait_for_games(tmp_path, kept.count(b"\n") + 1)
    match.send_signal(signal.SIGINT)
    out, err = match.communicate(timeout=60)
    assert match.returncode == 130
    assert "the same command goes on" in err
    assert "connect_four" in out  # the table as it stands
    records = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert (tmp_path / "games.jsonl").read_bytes().startswith(kept[: kept.rindex(b"\n") + 1])
    assert len({(game["first"], game["second"], game["round"]) for game in records}) == len(records)


def test_a_test_ends_as_soon_as_it_is_decided(sog: Sog) -> None:
    result = sog("match", "mcts:100", "random", "--game", "tictactoe", "--games", 400, "--sprt", "0,200")
    assert "accepted: at least 200 Elo" in result.out
    games = int(result.out.split()[1])
    assert games < 200
    figures = sog(
        "match", "random", "mcts:100", "--game", "tictactoe", "--games", 400, "--sprt", "0,200", "--json"
    ).json
    assert figures["sprt"]["decision"] == "rejected: at most 0 Elo"
    assert figures["sprt"]["log_ratio"] <= figures["sprt"]["bounds"][0]


def test_an_engine_that_keeps_failing_ends_the_match(sog: Sog, tmp_path: Path) -> None:
    result = sog("match", "random", f"bad=uci:{fake('crashes')}", "--games", 10, "--out", tmp_path)
    assert result.status == 2
    lines = result.err.splitlines()
    assert len([line for line in lines if "bad loses to random" in line and "by forfeit" in line]) == 3
    assert lines[-1].startswith("sog: bad failed 3 times in a row")
    assert "3 by forfeit" in result.out
    assert len((tmp_path / "games.jsonl").read_text().splitlines()) == 3


def test_an_engine_that_cannot_be_started_again_ends_the_match(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    bad = f"bad=uci:{fake('crashes')} {tmp_path / 'started'}"
    result = sog("match", "random", bad, "--games", 10, "--pgn", path)
    assert result.status == 2
    assert result.err.splitlines()[-1].startswith("sog: bad: no UCI engine")
    assert "used up" in result.err.splitlines()[-1]
    assert path.read_text().count("[Event ") == 1  # what was played is not lost


@needs_stockfish
def test_a_match_against_stockfish(sog: Sog, tmp_path: Path) -> None:
    path, openings = tmp_path / "games.pgn", tmp_path / "openings.epd"
    openings.write_text('e4 e5 Nf3\nrnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "c5";\n')
    result = sog(
        "match", "untrained@gtcfr:8,1", "untrained@mcts:8", "sf=uci:stockfish?Skill Level=0&nodes=20",
        "--games", 4, "--openings", openings, "--max-moves", 60, "--pgn", path, "--json",
    )  # fmt: skip
    assert result.status == 0, result.err
    assert result.json["game"] == "chess(max_moves=60)"
    assert result.json["players"][0]["name"] == "sf"
    assert all(player["forfeits"] == 0 for player in result.json["players"])
    file, games = io.StringIO(path.read_text()), []
    while (game := chess.pgn.read_game(file)) is not None:
        games.append(game)
        assert not game.errors
        board = game.end().board()
        outcome = board.outcome(claim_draw=True)
        if board.is_checkmate():
            assert outcome is not None
            assert game.headers["Result"] == outcome.result()
        else:
            assert game.headers["Result"] == "1/2-1/2"
            assert outcome is not None or len(board.move_stack) == 60
    assert len(games) == 12
    assert sum("FEN" in game.headers for game in games) == 6


@needs_gnugo
def test_a_match_against_gnugo(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    result = sog(
        "match", "untrained@gtcfr:8,1", f"gnu={GNUGO}", "--game", "go(size=5)", "--games", 4, "--sgf", path,
        "--json",
    )  # fmt: skip
    assert result.status == 0, result.err
    assert all(player["forfeits"] == 0 for player in result.json["players"])
    games = [read_sgf(f"({part}") for part in path.read_text().split("(")[1:]]
    assert len(games) == 4
    for record in games:
        game, worlds = replay(record)
        assert set(record.names) == {"gnu", "untrained@gtcfr:8,1"}
        if not record.result.endswith("R"):
            points = game.score(worlds[-1])
            assert record.result == f"{'B' if points > 0 else 'W'}+{abs(points):g}"


HIDDEN = ("match", "uniform", "solved", "--game", "kuhn")


def test_a_table_of_what_is_won(sog: Sog, tmp_path: Path) -> None:
    moves = tmp_path / "moves.txt"
    result = sog(*HIDDEN, "--games", 200, "--moves", moves)
    assert result.status == 0
    lines = result.out.splitlines()
    assert lines[0] == "kuhn: 200 games, 100 deals from both seats"
    assert re.split(r"  +", lines[2]) == [
        "player", "utility", "95 %", "in seat 0", "in seat 1", "games", "s/game",
    ]  # fmt: skip
    assert lines[3].startswith("solved")
    first = moves.read_text().splitlines()[0]
    assert re.match(r"1\. uniform - solved (1-0|0-1) \(the end of the game\): [JQK] [JQK] (pass|bet)", first)


def test_winnings_for_programs(sog: Sog, tmp_path: Path) -> None:
    """By seat and together, each with an interval that holds what can be worked out exactly."""
    arguments = (*HIDDEN, "--out", tmp_path / "match", "--json")
    half = sog(*arguments, "--games", 500).json
    figures = sog(*arguments, "--games", 1000).json
    assert (half["games"], figures["games"], figures["unit"]) == (500, 1000, "utility")
    assert figures == sog(*HIDDEN, "--games", 1000, "--json").json | {"players": figures["players"]}
    solver = Solver(load("kuhn"))
    solver.run(5000, 2e-4)
    policy, uniform = solver.policy(), solver.evaluation.uniform_policy()
    exact = [
        solver.evaluation.value((policy[0], uniform[1])),
        -solver.evaluation.value((uniform[0], policy[1])),
    ]
    player = figures["players"][0]
    assert player["name"] == "solved"
    assert player["games"] == 1000
    for seat, value in zip(player["winnings_by_seat"], exact, strict=True):
        assert abs(seat["mean"] - value) < seat["high"] - seat["low"]  # four standard errors
        assert seat["low"] < seat["mean"] < seat["high"]
    together = player["winnings"]
    assert abs(together["mean"] - sum(exact) / 2) < together["high"] - together["low"]
    by_seat = [seat["mean"] for seat in player["winnings_by_seat"]]
    assert together["mean"] == pytest.approx(sum(by_seat) / 2)
    other = figures["players"][1]
    assert other["winnings"]["mean"] == pytest.approx(-together["mean"])
    deviations = [seat["high"] - seat["low"] for seat in player["winnings_by_seat"]]
    assert together["high"] - together["low"] < 0.75 * max(deviations)  # the same deals from both seats


@pytest.mark.parametrize("game", ["leduc", "liars_dice(faces=3)", "scotland_yard(rounds=3)"])
def test_searches_are_matched_where_something_is_hidden(sog: Sog, game: str) -> None:
    figures = sog(
        "match", "untrained@gtcfr:20,1", "is-mcts:100", "uniform", "--game", game, "--games", 12, "--json"
    ).json
    assert figures["games"] == 36
    assert {player["games"] for player in figures["players"]} == {24}
    assert sum(player["winnings"]["mean"] for player in figures["players"]) == pytest.approx(0, abs=1e-9)


def test_a_test_in_the_unit_of_the_game(sog: Sog) -> None:
    test = ("--game", "leduc", "--games", 4000, "--sprt", "0,200", "--json")
    figures = sog("match", "solved", "uniform", *test).json
    assert figures["sprt"]["decision"] == "accepted: at least 200 mbb/h"
    assert figures["sprt"]["unit"] == "mbb/h"
    assert figures["games"] < 2000
    assert sog("match", "uniform", "solved", *test).json["sprt"]["decision"] == "rejected: at most 0 mbb/h"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["uniform", "x=uniform", "--game", "kuhn", "--plot", "x.png"], "--plot draws Elo ratings"),
        (["random", "is-mcts:5", "--game", "tictactoe"], "hides nothing: try mcts:5"),
        (["random", "mcts:5"], "which game"),
        (["random"], "two players or more"),
        (["random", "mcts:5", "--game", "leduc"], "leduc hides something: try is-mcts"),
        (["random", "mcts:5", "--game", "tictactoe", "--games", "3"], "--games must be even"),
        (["random", "mcts:5", "--game", "tictactoe", "--pgn", "x.pgn"], "--pgn is for chess"),
        (["random", "mcts:5", "--game", "chess", "--sgf", "x.sgf"], "--sgf is for Go"),
        (["random", "mcts:5", "--game", "chess", "--pgn", "x.txt"], "must end in .pgn"),
        (["random", "mcts:5", "--game", "tictactoe", "--anchor", "x"], "no player 'x'"),
        (["random", "mcts:5", "--game", "tictactoe", "--sprt", "x"], "ELO0,ELO1"),
        (["random", "mcts:5", "x=random", "--game", "tictactoe", "--sprt", "0,5"], "for two players, not 3"),
        (["random", "mcts:5", "--game", "tictactoe", "--openings", "nowhere"], "No such file"),
        (["random", "mcts:5", "--game", "tictactoe", "--concurrency", "0"], "--concurrency"),
        (["random", "mcts:5", "--game", "tictactoe", "--max-moves", "5"], "ends by itself"),
        (["random", "uci:no-such-program"], "no program 'no-such-program'"),
        (["random", "nobody", "--game", "chess"], "neither a file"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(sog: Sog, arguments: list[str], words: str) -> None:
    assert words in sog("match", *arguments).complaint


def test_the_live_table_is_drawn_over(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    live, table = LiveTable(10, is_quiet=False), make_table(["a", "b"], [])
    live.show(table, 1, "")
    live.show(table, 2, ", SPRT 0.10")
    live.say("a line")
    shown = screen.getvalue()
    assert shown.count("\x1b[4F\x1b[J") == 2
    assert "2/10 games, SPRT 0.10" in shown
    assert shown.endswith("a line\n")


def test_ratings_in_words() -> None:
    assert len(note_lines(make_table(["a", "b"], []))) == 1
    assert rating_words(Rating(12.3, -4.5, 30.0)) == ("12", "-4 to 30")
    assert rating_words(Rating(float("inf"), 99.6, float("inf"))) == ("above 100", "")
    assert rating_words(Rating(float("nan"), 0, 0)) == ("?", "")
