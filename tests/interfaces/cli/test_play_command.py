import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from sog.games.registry import load
from sog.interfaces.cli.move_reader import list_choices
from sog.interfaces.cli.opponents import choose_opponent, make_opponent
from sog.interfaces.cli.play_session import PlaySession
from sog.interfaces.cli.saved_game import SavedGame
from tests.interfaces.conftest import Sog

END = "The game is over."
UNIFORM = ("--opponent", "uniform")
ANYTHING = "1\n2\n3\n4\n5\n6\n7\n8\n9\n" * 5


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", range(8))
def test_a_game_of_kuhn(sog: Sog, seat: int, seed: int) -> None:
    result = sog("play", "kuhn", "--seat", seat, "--seed", seed, *UNIFORM, typed="bet\n" * 3)
    assert (result.status, result.err) == (0, "")
    during, _, after = result.out.partition(END)
    own = re.findall(r"you see (\w)", during)
    assert len(own) == 1
    assert f"Your card: {own[0]}" in during
    dealt = re.findall(r"chance: (\w)\b", after)
    assert dealt[seat] == own[0]
    # The other card is said at the end, and never before.
    hidden = dealt[1 - seat]
    assert hidden not in re.findall(r"\b[JQK]\b", during)
    assert re.search(r"You (win|lose) [12]\.", after)
    if after.count("bet") == 2:
        stronger = "JQK".index(own[0]) > "JQK".index(hidden)
        assert ("You win 2." if stronger else "You lose 2.") in after


def test_illegal_moves_are_asked_again(sog: Sog) -> None:
    typed = "\nraise\n0\n3\n-1\nBET\nbet\nbet\n"
    result = sog("play", "kuhn", "--seed", 1, *UNIFORM, typed=typed)
    assert result.status == 0
    assert result.out.count("is no move here: type pass (1) or bet (2).") == 5
    assert END in result.out


@pytest.mark.parametrize("typed", ["", "nonsense", "quit\n", "Q\n", "exit\nbet\n"])
def test_leaving_is_polite(sog: Sog, typed: str) -> None:
    result = sog("play", "kuhn", "--seed", 1, *UNIFORM, typed=typed)
    assert (result.status, result.err) == (0, "")
    assert result.out.endswith("Goodbye.\n")
    assert END not in result.out


def test_ctrl_c_is_polite(sog: Sog, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    result = sog("play", "kuhn", "--seed", 1, *UNIFORM)
    assert result.status == 0
    assert result.out.endswith("Goodbye.\n")


def test_seeds_repeat_a_game(sog: Sog) -> None:
    games = [sog("play", "leduc", "--seed", seed, *UNIFORM, typed="call\n" * 9).out for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2]


def test_a_solved_opponent_is_hard_to_exploit(sog: Sog) -> None:
    result = sog("play", "rps", "--opponent", "solved", "--seed", 1, typed="rock\n")
    assert result.status == 0
    stated = re.search(r"exploitable by (\S+) a game", result.out)
    assert stated is not None
    assert float(stated[1]) < 1e-3
    assert re.search(r"opponent: (rock|paper|scissors)", result.out)


def test_a_saved_solution_plays(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.npz"
    sog("solve", "kuhn", "--algorithm", "cfr+", "--iterations", 3000, "--save", path)
    for seed in range(20):
        out = sog("play", "kuhn", "--opponent", path, "--seed", seed, typed="bet\nbet\n").out
        mine, theirs = re.findall(r"chance: (\w)\n", out.partition(END)[2])
        answer = re.findall(r"opponent: (\w+)", out)[-1]
        if theirs in "JK":  # facing a bet, the jack folds and the king calls
            assert answer == ("bet" if theirs == "K" else "pass")
        assert mine != theirs


def test_a_solution_of_another_game_is_refused(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.npz"
    sog("solve", "kuhn", "--iterations", 3, "--save", path)
    assert "a solution of kuhn, not of leduc" in sog("play", "leduc", "--opponent", path).complaint


@pytest.mark.parametrize(
    ("game", "seat"),
    [
        ("tictactoe", 0),
        ("tictactoe", 1),
        ("scotland_yard(map=london)", 0),
        ("scotland_yard(map=london)", 1),
        ("goofspiel(cards=5)", 1),
        ("openspiel:phantom_ttt", 0),
        ("openspiel:connect_four", 1),
        ("openspiel:leduc_poker", 0),
        ("connect_four", 0),
        ("breakthrough(rows=5,columns=3)", 1),
        ("liars_dice", 0),
    ],
)
def test_whole_games(game: str, seat: int) -> None:
    """A person who types names of legal moves, their beginnings and numbers."""
    loaded, said, random = load(game), list[str](), Random(3)
    opponent = make_opponent(loaded, choose_opponent(loaded, "uniform", None, None, None), 1000)

    def ask(prompt: str) -> str:
        choices = list_choices(loaded, session.history.world)
        move = random.randrange(len(choices.names))
        return choices.labels[move] if choices.labels[move] and random.random() < 0.5 else choices.names[move]

    session = PlaySession(SavedGame(loaded, seat, []), opponent, 3, False, said.append, ask)
    session.play()
    assert re.search(r"You (win|lose) \S+\.|A draw.*", said[-1])
    assert not any("is no move here" in line for line in said)


def test_mr_x_stays_hidden(sog: Sog) -> None:
    out = sog("play", "scotland_yard(map=london)", "--seat", 1, "--seed", 3, *UNIFORM, typed="moves\n").out
    assert "Mr. X hides\n" in out
    assert "you see" not in out
    assert re.search(r"^opponent: (taxi|bus|underground|black|double)$", out, re.MULTILINE)
    assert "Possible stations of Mr. X" in out


def test_dark_games_show_only_the_own_board(sog: Sog) -> None:
    out = sog("play", "openspiel:dark_hex(board_size=2)", "--seed", 1, *UNIFORM, typed="1\n").out
    assert "You know:" in out
    assert "opponent:" not in out.partition(END)[0]


def test_the_opponent_is_named_first_and_is_a_search_at_least(sog: Sog) -> None:
    lines = sog("play", "tictactoe", "--seconds", 0.1, typed="b2\n").out.splitlines()
    assert lines[:2] == [
        "tictactoe: you are player 0. Your opponent is a search.",
        "It tries moves out with random play, 0.1 seconds a move. (--opponent uniform is easier.)",
    ]
    assert "opponent: " in "\n".join(lines)
    lines = sog("play", "go(size=5)", *UNIFORM).out.splitlines()
    assert lines[:2] == [
        "go(size=5,komi=7.5): you are Black. Your opponent is uniform.",
        "It plays any legal move.",
    ]


def test_a_search_without_an_agent_does_not_lose_tic_tac_toe(sog: Sog) -> None:
    """It sees a row that is about to be completed."""
    out = sog("play", "tictactoe", "--seconds", 0.5, "--seed", 1, typed="b2\na1\nc3\n" + ANYTHING).out
    assert "You win" not in out
    assert END in out


def test_a_search_where_something_is_hidden(sog: Sog) -> None:
    result = sog("play", "goofspiel(cards=3)", "--seconds", 0.2, "--seed", 1, typed="1\n2\n3\n" * 3)
    assert (result.status, result.err) == (0, "")
    assert "It tries moves out with random play, 0.2 seconds a move." in result.out
    assert END in result.out


def test_undo_takes_the_opponents_answer_back_too(sog: Sog) -> None:
    """To the empty board, from where the game goes on."""
    typed = "undo\nd\nd\nundo\nundo\nb\n"
    out = sog("play", "connect_four", "--opponent", "mcts:20", "--seed", 1, typed=typed).out
    assert "There is no move of yours to take back." in out
    assert out.count("You take back d.") == 2
    boards = [part[-180:] for part in out.split("   a  b  c")[:-1]]
    assert [(board.count("X"), board.count("O")) for board in boards] == [
        *((0, 0), (1, 1), (2, 2), (1, 1), (0, 0), (1, 1)),
    ]


def test_hints_are_what_the_opponent_would_play(sog: Sog) -> None:
    out = sog("play", "tictactoe", "--opponent", "mcts:300", "--seed", 1, typed="a1\nhint\nquit\n").out
    hint = next(line for line in out.splitlines() if "would play" in line)
    shares = [int(share) for share in re.findall(r"(\d+)%", hint)]
    assert 90 <= sum(shares) <= 102
    assert "It expects" in hint
    leduc = sog("play", "leduc", "--seed", 1, typed="hint\nquit\n").out
    assert re.search(r"Your opponent would play (call|raise) \d+%", leduc)


def test_helps_lists_and_boards(sog: Sog) -> None:
    out = sog("play", "go(size=5)", *UNIFORM, typed="?\nhelp\nmoves\nboard\n").out
    assert out.count("take your last move back") == 2
    assert out.count("A  B  C  D  E") == 2
    assert len(re.findall(r"\b[A-E][1-5]\b", out)) == 25  # by moves alone, never by itself


def test_saved_games_are_replayed_and_go_on(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    out = sog("play", "leduc", *UNIFORM, "--seed", 2, typed=f"save\ncall\nsave {path}\nsave {path}\n").out
    assert "Say where: save FILE." in out
    assert "is there already" in out
    assert f"Saved: sog play --replay {path}" in out
    saved = json.loads(path.read_text())
    assert saved["game"] == "leduc"
    assert len(saved["actions"]) == len(saved["moves"]) >= 4
    again = sog("play", "--replay", path, *UNIFORM, "--seed", 2, typed="call\n" * 4).out
    assert again.startswith("leduc: you are player 0.")
    assert "chance: deal (you see" in again
    assert END in again
    other = sog("play", "leduc", "--replay", path, "--seat", 1, *UNIFORM, typed="").out
    assert "you are player 1" in other


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "not a game that was saved"),
        ("[" * 100_000, "not a game that was saved"),
        ('{"format": 1}', "not a game that was saved"),
        ('{"format": 9, "game": "kuhn", "seat": 0, "actions": []}', "another format"),
        ('{"format": 1, "game": "kuhn", "seat": 7, "actions": []}', "a seat that is not"),
        ('{"format": 1, "game": "kuhn", "seat": 0, "actions": [9]}', "move 1 is not possible"),
        ('{"format": 1, "game": "kuhn", "seat": 0, "actions": [0, "x"]}', "move 2 is not possible"),
        ('{"format": 1, "game": "leduk", "seat": 0, "actions": []}', "leduk"),
    ],
)
def test_files_that_are_no_games_are_refused(sog: Sog, tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(content)
    assert complaint in sog("play", "--replay", path).complaint


def test_bad_options_are_refused(sog: Sog, tmp_path: Path) -> None:
    assert "which game?" in sog("play").complaint
    assert "cannot read" in sog("play", "--replay", tmp_path / "none.json").complaint
    path = tmp_path / "game.json"
    path.write_text('{"format": 1, "game": "kuhn", "seat": 0, "actions": []}')
    assert "a game of kuhn, not of leduc" in sog("play", "leduc", "--replay", path).complaint
    assert "--seconds is for opponents that search" in sog("play", "kuhn", *UNIFORM, "--seconds", 1).complaint


def test_saving_where_it_cannot_be_is_no_end(sog: Sog, tmp_path: Path) -> None:
    out = sog("play", "kuhn", *UNIFORM, typed=f"save {tmp_path}/no/where.json\nquit\n").out
    assert "cannot write" in out
    assert out.endswith("Goodbye.\n")


def test_a_terminal_has_colours_and_ctrl_c_is_polite() -> None:
    """In a terminal of its own: a move, bytes that are no text, then Ctrl-C."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": ""}
    command = [sys.executable, "-m", "sog", "play", "tictactoe", *UNIFORM]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, env=environment)
    os.close(theirs)
    seen, typed = b"", [b"b2\n", b"\xff\xfe\n"]
    with contextlib.suppress(OSError):  # the other side is closed
        while part := os.read(ours, 4096):
            seen += part
            if seen.endswith(b"help): "):
                if typed:
                    os.write(ours, typed.pop(0))
                else:
                    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    os.close(ours)
    text = seen.decode(errors="replace")
    assert "\x1b[1;33mX\x1b[0m" in text
    assert "is no move here" in text
    assert "Goodbye." in text
    assert "Traceback" not in text
