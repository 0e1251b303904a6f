import re
from pathlib import Path

import pytest

from sog.interfaces.play_command import move_labels, read_move
from tests.interfaces.conftest import Sog

END = "The game is over."


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", range(8))
def test_a_game_of_kuhn(sog: Sog, seat: int, seed: int) -> None:
    result = sog("play", "kuhn", "--seat", seat, "--seed", seed, typed="bet\n" * 3)
    assert (result.status, result.err) == (0, "")
    during, _, after = result.out.partition(END)
    own = re.findall(r"you see (\w)", during)
    assert len(own) == 1
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
    result = sog("play", "kuhn", "--seed", 1, typed=typed)
    assert result.status == 0
    assert result.out.count("is not one of your moves") == 5
    assert END in result.out


@pytest.mark.parametrize("typed", ["", "nonsense", "quit\n", "Q\n", "exit\nbet\n"])
def test_leaving_is_polite(sog: Sog, typed: str) -> None:
    result = sog("play", "kuhn", "--seed", 1, typed=typed)
    assert (result.status, result.err) == (0, "")
    assert result.out.endswith("Goodbye.\n")
    assert END not in result.out


def test_ctrl_c_is_polite(sog: Sog, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    result = sog("play", "kuhn", "--seed", 1)
    assert result.status == 0
    assert result.out.endswith("Goodbye.\n")


def test_seeds_repeat_a_game(sog: Sog) -> None:
    games = [sog("play", "leduc", "--seed", seed, typed="call\n" * 9).out for seed in (5, 5, 6)]
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
    ],
)
def test_large_games_need_no_tree(sog: Sog, game: str, seat: int) -> None:
    # Every label of small numbers is tried until the game is over: what is illegal is asked again.
    typed = "\n".join(str(number) for _ in range(200) for number in range(1, 7))
    result = sog("play", game, "--seat", seat, "--seed", 3, typed=typed)
    assert (result.status, result.err) == (0, "")
    assert re.search(r"(You (win|lose) \S+\.|A draw.*)\n$", result.out)


def test_mr_x_stays_hidden(sog: Sog) -> None:
    out = sog("play", "scotland_yard(map=london)", "--seat", 1, "--seed", 3, typed="1\n" * 10).out
    assert "Mr. X hides" in out
    assert "you see at" not in out
    assert "You alone know:     nothing" in out
    assert re.search(r"^opponent: (taxi|bus|underground|black|double)$", out, re.MULTILINE)


def test_dark_games_show_only_the_own_board(sog: Sog) -> None:
    out = sog("play", "openspiel:dark_hex(board_size=2)", "--seed", 1, typed="1\n").out
    assert "You know:\n  nothing" in out
    assert "opponent:" not in out.partition(END)[0]


@pytest.mark.parametrize(
    ("names", "answer", "move"),
    [
        (["pass", "bet"], "1", 0),
        (["pass", "bet"], "2", 1),
        (["pass", "bet"], "bet", 1),
        (["pass", "bet"], "BET", 1),
        (["pass", "bet"], "0", None),
        (["pass", "bet"], "", None),
        (["2", "3", "5"], "2", 0),
        (["2", "3", "5"], "1", None),
        (["a", "A"], "A", 1),
        (["2", "fold"], "2", 0),
        (["2", "fold"], "fold", 1),
    ],
)
def test_answers(names: list[str], answer: str, move: int | None) -> None:
    assert read_move(answer, names) == move


def test_labels_are_names_where_names_are_numbers() -> None:
    assert move_labels(["fold", "call"]) == ["1", "2"]
    assert move_labels(["4", "7"]) == ["4", "7"]
