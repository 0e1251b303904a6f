import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.agents.making import make_evaluator
from sog.games.go.game import Go
from sog.games.go.vertices import vertex_names
from sog.interfaces.protocols.gtp import GtpSession
from sog.search.analysis import Analyst
from sog.search.settings import parse_search
from tests.games.go.gnugo import GnuGo, needs_gnugo
from tests.interfaces.conftest import Sog

COMMANDS = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize"),
    *("clear_board", "komi", "play", "genmove", "undo", "final_score", "showboard"),
    *("time_settings", "time_left", "reg_genmove", "fixed_handicap", "place_free_handicap"),
    *("set_free_handicap", "final_status_list", "loadsgf"),
)


class Talk:
    """A session that answers as a function."""

    def __init__(self, size: int = 5, search: str = "8,1") -> None:
        self._written: list[str] = []
        self.session = GtpSession(lambda game: make_analyst(game, search), self._written.append, size)

    def __call__(self, line: str) -> str:
        """Return the one answer to a command that works."""
        answer = self.say(line)
        assert answer.startswith("="), (line, answer)
        return answer[1:].strip()

    def say(self, line: str) -> str:
        """Return the answer, whatever it is."""
        self._written.clear()
        self.session.answer(line)
        assert len(self._written) <= 1
        if not self._written:
            return ""
        assert re.fullmatch(r"[=?]\d*(| .*)\n\n", self._written[0], re.DOTALL), self._written
        return self._written[0].removesuffix("\n\n")


def make_analyst(game: Go, search: str = "8,1") -> Analyst:
    return Analyst(game, make_evaluator(None, game), parse_search(search))


def test_what_every_engine_can_say() -> None:
    talk = Talk()
    assert talk("protocol_version") == "2"
    assert talk("name") == "sog"
    assert talk("version")
    assert set(talk("list_commands").split()) == set(COMMANDS)
    assert [talk(f"known_command {name}") for name in ("genmove", "nonsense", "")] == [
        "true",
        "false",
        "false",
    ]
    assert talk.say("17 name") == "=17 sog"
    assert talk.say("18 nonsense") == "?18 unknown command"
    assert talk.say("# only a comment") == talk.say("  ") == ""
    assert not talk.session.is_over
    talk("quit")
    assert talk.session.is_over


def test_moves_captures_and_undo() -> None:
    talk = Talk()
    for move in ("b A1", "w A2", "w B1"):
        talk(f"play {move}")
    board = talk("showboard")
    assert board.splitlines()[-1].split() == ["1", ".", "O", ".", ".", "."]  # the stone on A1 was taken
    talk("undo")
    assert talk("showboard").splitlines()[-1].split() == ["1", "X", ".", ".", ".", "."]
    for _ in range(2):
        talk("undo")
    assert talk.say("undo") == "? cannot undo"


@pytest.mark.parametrize(
    "wrong",
    [
        *(
            "play",
            "play b",
            "play b Z9",
            "play x A1",
            "genmove",
            "genmove green",
            "boardsize",
            "boardsize 99",
        ),
        *(
            "boardsize x",
            "komi",
            "komi x",
            "komi nan",
            "time_settings 1",
            "time_left b",
            "play b A1 B1 C1 D1",
        ),
        *("fixed_handicap 2", "fixed_handicap", "place_free_handicap 1", "set_free_handicap A1 A1"),
        *("set_free_handicap B1 C1", "final_status_list", "final_status_list x", "loadsgf", "loadsgf /"),
        *("loadsgf no-such-file", "reg_genmove"),
    ],
)
def test_wrong_commands_change_nothing(wrong: str) -> None:
    talk = Talk()
    talk("play b A1")
    before = talk("showboard")
    assert talk.say(wrong).startswith("?")
    assert talk("showboard") == before


def test_scores_and_komi() -> None:
    talk = Talk()
    talk("komi 0")
    assert talk("final_score") == "0"
    talk("play b C3")
    assert talk("final_score") == "B+25"
    talk("komi 25.5")
    assert talk("final_score") == "W+0.5"
    talk("boardsize 3")
    assert talk("showboard").count(".") == 9


def test_play_goes_on_after_passes_and_for_either_colour() -> None:
    talk = Talk()
    for line in (
        "play b pass",
        "play w pass",
        "play b A1",
        "play b B2",
        "genmove b",
        "genmove b",
        "genmove w",
    ):
        talk(line)
    assert talk("showboard").count("X") >= 2


def test_clocks() -> None:
    talk = Talk(search="100000,1")
    talk("time_settings 3 0 0")
    assert talk("genmove b")
    talk("time_left w 2 0")
    assert talk("genmove w")
    talk("time_left b 1 10")
    assert talk("genmove b")


def test_a_move_that_is_only_said() -> None:
    talk = Talk()
    before = talk("showboard")
    assert talk("reg_genmove b").upper() in {name.upper() for name in vertex_names(5)}
    assert talk("showboard") == before


@needs_gnugo
@pytest.mark.parametrize("size", [7, 8, 9, 13, 19])
def test_fixed_handicap_is_gnugos(size: int) -> None:
    talk = Talk(size=size)
    with GnuGo(size, 0.5) as peer:
        for count in range(2, 10):
            talk("clear_board")
            peer.ask("clear_board")
            answer = talk.say(f"fixed_handicap {count}")
            if count > 4 and (size == 7 or size % 2 == 0):
                assert answer == "? invalid number of stones"
                continue
            assert set(answer.split()[1:]) == set(peer.ask(f"fixed_handicap {count}").split())
    talk("clear_board")
    talk("play w A1")
    assert talk.say("fixed_handicap 2") == "? board not empty"


def test_free_handicap() -> None:
    talk = Talk(size=9)
    placed = talk("place_free_handicap 80").split()
    assert len(placed) == 9
    assert talk.say("undo") == "? cannot undo"
    talk("clear_board")
    assert talk("set_free_handicap A1 J9 E5") == ""
    assert talk("showboard").count("X") == 3
    assert talk.say("set_free_handicap A2 A3") == "? board not empty"
    assert talk("genmove w")


def test_dead_stones_are_named_and_not_counted() -> None:
    """White's stone lies between two eyes of Black, who has all other points."""
    talk = Talk()
    talk("komi 0")
    for colour, vertices in (("b", "B1 B2 A2 C1 C2 D2 E2"), ("w", "D1")):
        for vertex in vertices.split():
            talk(f"play {colour} {vertex}")
    assert talk("final_status_list dead") == "D1"
    assert talk("final_status_list alive") == "B1 C1 A2 B2 C2 D2 E2"
    assert talk("final_status_list seki") == ""
    assert talk("final_score") == "B+25"


def test_records_are_loaded(tmp_path: Path) -> None:
    talk = Talk(size=5)
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[9]KM[6.5]AB[aa]AW[ba]PL[W];W[ee];B[ce];W[];B[gg])")
    talk(f"loadsgf {path}")
    board = talk("showboard")
    assert (board.count("X"), board.count("O"), len(board.splitlines())) == (3, 2, 10)
    talk("undo")
    assert talk("showboard").count("X") == 2
    talk(f"loadsgf {path} 2")
    assert (talk("showboard").count("X"), talk("showboard").count("O")) == (1, 2)
    path.write_text("(;GM[1]SZ[9];B[ee];W[ee])")
    before = talk("showboard")
    assert talk.say(f"loadsgf {path}") == "? cannot load file: move 2, E5, is illegal"
    assert talk("showboard") == before


def test_one_thread_unless_more_are_wanted(sog: Sog) -> None:
    sog("gtp", "--threads", 2, typed="name\n")
    assert torch.get_num_threads() == 2
    sog("gtp", typed="name\n")
    assert torch.get_num_threads() == 1


_WORDS = st.sampled_from(
    [
        *COMMANDS,
        "b",
        "w",
        "A1",
        "C3",
        "pass",
        "5",
        "19",
        "-1",
        "1e400",
        "nan",
        "resign",
        "\x00",
        "#",
        "é",
        "7",
    ]
)
_GARBAGE = st.one_of(st.lists(_WORDS, max_size=5).map(" ".join), st.text(max_size=30))


@settings(deadline=None, max_examples=80)
@given(st.lists(_GARBAGE, max_size=8))
def test_garbage_is_survived(lines: list[str]) -> None:
    talk = Talk(size=3, search="2,1")
    for line in lines:
        talk.say(line)
    talk("boardsize 3")
    assert talk("genmove b").upper() in {name.upper() for name in vertex_names(3)}


def test_the_command(sog: Sog) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "sog", "gtp", "--search", "2,1"],
        input=b"\xff\xfe\n1 boardsize 5\n2 genmove b\n3 final_score", capture_output=True, timeout=300,
        check=True,
    )  # fmt: skip
    answers = [line for line in result.stdout.decode().splitlines() if line.startswith(("=", "?"))]
    assert [answer[:2] for answer in answers[-3:]] == ["=1", "=2", "=3"]
    assert "neither a file" in sog("gtp", "--agent", "nobody").complaint


@needs_gnugo
@pytest.mark.parametrize(("size", "moves"), [(5, 40), (9, 30)])
def test_games_against_gnugo(size: int, moves: int) -> None:
    """GNU Go takes every move of ours, we take every move of its, and in the end both count alike."""
    talk = Talk(size=size, search="16,1")
    with GnuGo(size, 7.5) as peer:
        passes = played = 0
        while passes < 2 and played < moves:
            colour = ("black", "white")[played % 2]
            ours_moves = played % 2 == 0
            move = talk(f"genmove {colour}") if ours_moves else peer.ask(f"genmove {colour}")
            if move.lower() == "resign":
                break
            heard = peer.ask(f"play {colour} {move}") if ours_moves else talk(f"play {colour} {move}")
            assert heard == ""
            passes = passes + 1 if move.lower() == "pass" else 0
            played += 1
        assert played > 4
        stones = [
            line[3:].replace(" ", "") for line in talk("showboard").splitlines() if line[:2].strip().isdigit()
        ]
        for row, line in enumerate(stones):
            for column, stone in enumerate(line):
                vertex = vertex_names(size)[(size - 1 - row) * size + column]
                expected = {".": "empty", "X": "black", "O": "white"}[stone]
                assert peer.ask(f"color {vertex}") == expected


@needs_gnugo
def test_final_scores_are_gnugos() -> None:
    """On a board on which nothing can die any more."""
    talk = Talk(size=5)
    with GnuGo(5, 7.5) as peer:
        for row in range(1, 6):
            for colour, columns in (("black", "AC" if row % 2 else "BC"), ("white", "D")):
                for column in columns:
                    talk(f"play {colour} {column}{row}")
                    peer.ask(f"play {colour} {column}{row}")
        assert talk("final_score") == peer.ask("final_score") == "W+2.5"
