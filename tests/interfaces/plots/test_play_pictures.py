"""`sog play --picture` and `--replay` of matches."""

from pathlib import Path

import pytest

from sog.games.drawing import Box, Circle, Drawing, Label, Line, Shape
from sog.interfaces.cli.move_reader import Choices
from sog.interfaces.plots.drawing_file import write_drawing
from sog.nets import agents
from tests.interfaces.conftest import Sog

LONDON = "scotland_yard(map=london)"
UNIFORM = ("--opponent", "uniform")


def test_a_picture_is_drawn_as_the_game_stands(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    typed = "double\n"
    sog("play", LONDON, *UNIFORM, "--seed", 3, "--picture", path, typed="")
    before = path.read_text()
    assert "Mr. X to move" in before
    sog("play", LONDON, *UNIFORM, "--seed", 3, "--picture", path, typed=typed)
    after = path.read_text()
    assert before != after
    assert list(tmp_path.iterdir()) == [path]


def test_every_move_has_a_picture_in_a_folder(sog: Sog, tmp_path: Path) -> None:
    folder = tmp_path / "moves"
    sog("play", "scotland_yard", *UNIFORM, "--seed", 3, "--picture", folder, typed="taxi 5\n")
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["000.svg", "001.svg", "002.svg", "003.svg"]
    assert len({path.read_text() for path in folder.iterdir()}) == 4


def test_pictures_may_be_png(tmp_path: Path) -> None:
    shapes: list[Shape] = [Line(0, 0, 9, 9, "#ff0000", 2.0, (3.0, 2.0)), Circle(5, 5, 3, "#00ff00", 0.5),
              Box(1, 1, 3, 3, "#0000ff"), Label(2, 8, "cost $5 or $6", 6)]  # fmt: skip
    write_drawing(Drawing(40, 30, "#ffffff", shapes), tmp_path / "a.png")
    content = (tmp_path / "a.png").read_bytes()
    assert content.startswith(b"\x89PNG")
    assert (int.from_bytes(content[16:20]), int.from_bytes(content[20:24])) == (40, 30)


@pytest.mark.parametrize(
    ("game", "picture", "complaint"),
    [
        ("kuhn", "map.svg", "kuhn has no pictures"),
        ("scotland_yard", "map.pdf", "must end in .svg or .png"),
        ("scotland_yard", "no/where/map.svg", "--picture"),
    ],
)
def test_bad_pictures_are_refused(sog: Sog, tmp_path: Path, game: str, picture: str, complaint: str) -> None:
    (tmp_path / "no").write_text("a file")
    assert complaint in sog("play", game, *UNIFORM, "--picture", tmp_path / picture).complaint


def test_games_of_a_match_are_replayed(sog: Sog, tmp_path: Path) -> None:
    folder, pictures = tmp_path / "match", tmp_path / "pictures"
    sog("match", "a=random", "b=random", "--game", "scotland_yard", "--games", 4, "--out", folder)
    replayed = sog("play", "--replay", folder, "--number", 2, "--picture", pictures, "--seat", 1)
    assert replayed.status == 0
    assert "a game that is over, as the detectives saw it" in replayed.out
    moves = (folder / "games.jsonl").read_text().splitlines()[1].partition('"moves": "')[2].partition('"')[0]
    assert len(list(pictures.iterdir())) == len(moves.split())
    told = replayed.out.partition("What happened:\n")[2]
    assert [line.split(": ")[1].replace(" ", "_") for line in told.splitlines()[:-1]] == moves.split()
    same = sog("play", "--replay", folder / "games.jsonl", "--number", 2, "--seat", 1).out
    assert same == replayed.out
    assert "--number must be from 1 to 4" in sog("play", "--replay", folder, "--number", 5).complaint
    assert "holds no match" in sog("play", "--replay", pictures).complaint
    games = (folder / "games.jsonl").read_text()
    (folder / "games.jsonl").write_text(games.replace('"moves": "', '"moves": "by_air '))
    assert "game 1 is damaged: move 1 is not possible" in sog("play", "--replay", folder).complaint


def test_moves_are_listed_by_ticket(sog: Sog) -> None:
    out = sog("play", LONDON, *UNIFORM, "--seed", 3, typed="").out
    listed = out.partition("Your moves:\n")[2].splitlines()
    assert listed[0].startswith("  taxi ")
    assert any(line.startswith("  black ") for line in listed)
    assert "  double" in listed
    assert Choices(["pass", "bet"], ["", ""]).groups == {}
    assert Choices(["taxi 5", "taxi 6"], ["1", "2"]).groups == {}


def test_the_usual_opponent_in_london_is_a_program(sog: Sog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "SHIPPED", Path("nowhere"))
    out = sog("play", LONDON, "--seed", 3, typed="").out
    assert out.startswith(f"{LONDON}: you are Mr. X. Your opponent is pimbot:1000.")
