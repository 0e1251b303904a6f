"""Every registered game has a golden playthrough that still holds, and a page of documentation."""

from pathlib import Path

import pytest

from sog.games.registry import GAMES, load
from tests.games.playthroughs import FOLDER, VARIANTS, replay

DOCS = Path(__file__).parents[2] / "docs" / "games"


@pytest.mark.parametrize("name", GAMES)
def test_playthrough_holds(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    golden, game = text.splitlines(), load(VARIANTS.get(name, name))
    for number, (now, then) in enumerate(zip(replay(game, text), golden, strict=True), 1):
        assert now == then, f"line {number}"


def test_no_playthrough_is_missing_or_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.txt" for name in GAMES}


def test_no_page_is_missing_or_left_over() -> None:
    assert {path.name for path in DOCS.iterdir()} == {
        f"{name}.md" for name in (*GAMES, "openspiel", "holdem")
    }


@pytest.mark.parametrize("name", GAMES)
def test_page_names_its_game(name: str) -> None:
    page = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith("# ")
    assert f"sog show {name}" in page
