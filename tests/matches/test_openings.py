from pathlib import Path

import pytest

from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.matches.openings import (
    Opening,
    begin_play,
    digest_openings,
    draw_openings,
    read_opening,
    read_openings,
)

PETROFF = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"


def names(game: str, line: str) -> list[str]:
    opened = load(game)
    opening = read_opening(opened, line)
    return begin_play(opened, opening).names


@pytest.mark.parametrize(
    "line", ["e4 e5 Nf3 Nf6", "1. e4 e5 2. Nf3 Nf6 *", "e2e4 e7e5 g1f3 g8f6", "1.e4 e5 2.Nf3 g8f6"]
)
def test_chess_moves_in_either_notation(line: str) -> None:
    assert names("chess", line) == ["e2e4", "e7e5", "g1f3", "g8f6"]


@pytest.mark.parametrize(
    ("line", "position"),
    [
        (PETROFF, PETROFF),
        (f'{PETROFF[:-4]} bm Nxe5; id "petroff";', PETROFF[:-3] + "0 1"),
        (PETROFF[:-4], PETROFF[:-3] + "0 1"),
    ],
)
def test_fen_and_epd(line: str, position: str) -> None:
    assert read_opening(load("chess"), line) == Opening(position)


def test_other_games_by_their_own_names() -> None:
    assert names("go(size=9)", "D4 e5 pass") == ["D4", "E5", "pass"]
    assert names("connect_four", "d d c") == ["d", "d", "c"]


@pytest.mark.parametrize(
    ("game", "line", "words"),
    [
        ("chess", "e4 e5 Ke3", "'Ke3' is no legal move after e2e4 e7e5"),
        ("chess", "8/8/8/8/8/8/8/8 w - - 0 1", "kings"),
        ("chess", "f3 e5 g4 Qh4#", "over"),
        ("chess", "7k/5QQ1/8/8/8/8/8/K7 b - - 0 1", "over"),
        ("go", "D4 D4", "'D4' is no legal move after D4"),
        ("go", "Z4", "at the start"),
        ("go", "pass pass", "over"),
        ("connect_four", "h", "no legal move"),
    ],
)
def test_lines_that_are_no_openings(game: str, line: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_opening(load(game), line)


def test_files(tmp_path: Path) -> None:
    game, path = load("chess"), tmp_path / "openings.txt"
    path.write_text(f"# the usual ones\ne4 e5\n\n{PETROFF}\nd4  # queen's pawn\n")
    assert [len(opening.actions) for opening in read_openings(game, path)] == [2, 0, 1]
    path.write_text("e4\ne5\n")
    with pytest.raises(InputError, match=r"openings\.txt, line 2: 'e5'"):
        read_openings(game, path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="no text"):
        read_openings(game, path)
    path.write_text("\n")
    with pytest.raises(InputError, match="0 openings"):
        read_openings(game, path)
    with pytest.raises(InputError, match="No such file"):
        read_openings(game, tmp_path / "none")


@pytest.mark.parametrize("game", ["chess", "go(size=5)", "connect_four", "tictactoe", "breakthrough"])
def test_random_openings_are_legal_different_and_repeatable(game: str) -> None:
    opened = load(game)
    openings = draw_openings(opened, 12, 4, seed=3)
    assert openings == draw_openings(opened, 20, 4, seed=3)[:12]
    assert openings != draw_openings(opened, 12, 4, seed=4)
    assert len(set(openings)) == 12
    assert digest_openings(openings) != digest_openings(openings[:11])
    for opening in openings:
        play = begin_play(opened, opening)
        assert len(play.names) == 4
        assert "pass" not in play.names
        assert play.turn != TERMINAL


def test_there_may_be_too_few_openings() -> None:
    game = load("tictactoe")
    assert len(set(draw_openings(game, 15, 1, seed=0))) == 9
    assert draw_openings(game, 2, 0, seed=0) == [Opening(), Opening()]
    with pytest.raises(InputError, match="lasts 9 moves at most, and 9 leave nothing to play"):
        draw_openings(game, 1, 9, seed=0)
