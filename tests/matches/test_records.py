from pathlib import Path
from typing import Any

import pytest

from sog.core.errors import InputError
from sog.games.notation import GameRecord
from sog.matches.records import Ledger
from tests.full_disk import at_most

FACTS: dict[str, Any] = {"game": "chess", "seed": 0, "players": {"a": ["random", ""], "b": ["mcts:1", ""]}}
GAME = GameRecord("a", "b", 0, "", 2, "e2e4 e7e5", 0.5, "draw", None, (0.5, 1.5), "2026-01-01T00:00:00")


def fill(folder: Path, *records: GameRecord) -> list[GameRecord]:
    ledger = Ledger(folder, FACTS)
    before = list(ledger.records)
    for record in records:
        ledger.add(record)
    ledger.close()
    return before


def test_games_are_kept_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "match"
    games = [GAME, GAME._replace(first="b", second="a"), GAME._replace(round=1, forfeit=1, position="8/8 w")]
    assert fill(folder, *games[:2]) == []
    assert fill(folder, games[2]) == games[:2]
    ledger = Ledger(folder, FACTS)
    assert ledger.records == games
    assert ledger.keys == {("a", "b", 0), ("b", "a", 0), ("a", "b", 1)}
    ledger.close()


def test_folders_of_older_matches_go_on(tmp_path: Path) -> None:
    """Their games do not tell what was won."""
    fill(tmp_path, GAME)
    path = tmp_path / "games.jsonl"
    old = path.read_text().replace(', "utility": null', "")
    assert "utility" not in old
    path.write_text(old)
    assert fill(tmp_path, GAME._replace(round=1, utility=-1.0)) == [GAME]
    assert fill(tmp_path)[1].utility == -1.0


def test_half_a_line_is_cut_off(tmp_path: Path) -> None:
    fill(tmp_path, GAME)
    path = tmp_path / "games.jsonl"
    whole = path.read_bytes()
    for length in (1, 40, len(whole) - 1):
        path.write_bytes(whole + whole[:length])
        assert fill(tmp_path) == [GAME]
        assert path.read_bytes() == whole
    path.write_bytes(whole + whole)  # written twice, counted once
    assert fill(tmp_path) == [GAME]
    path.write_bytes(b"nonsense\n" + whole)
    with pytest.raises(InputError, match="line 1 is no game"):
        fill(tmp_path)


def test_other_matches_are_refused(tmp_path: Path) -> None:
    fill(tmp_path, GAME)
    with pytest.raises(InputError, match="holds a match with seed 0, not 1"):
        Ledger(tmp_path, FACTS | {"seed": 1})
    with pytest.raises(InputError, match="games of another b"):
        Ledger(tmp_path, FACTS | {"players": {"a": ["random", ""], "b": ["mcts:2", ""]}})
    Ledger(tmp_path, FACTS | {"players": {"a": ["random", ""], "c": ["mcts:2", ""]}}).close()
    with pytest.raises(InputError, match="games of another c"):
        Ledger(tmp_path, FACTS | {"players": {"c": ["mcts:3", ""]}})
    (tmp_path / "match.json").write_text("[")
    with pytest.raises(InputError, match="damaged"):
        Ledger(tmp_path, FACTS)


def test_two_matches_in_one_folder_are_refused(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, FACTS)
    with pytest.raises(InputError, match="another match is being played"):
        Ledger(tmp_path, FACTS)
    ledger.close()
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write in"):
        Ledger(tmp_path / "file", FACTS)


def test_without_a_folder_nothing_is_written() -> None:
    ledger = Ledger(None, FACTS)
    ledger.add(GAME)
    assert ledger.records == [GAME]
    ledger.close()


def test_a_line_that_does_not_fit_leaves_the_games_before_it(tmp_path: Path) -> None:
    fill(tmp_path, GAME)
    path = tmp_path / "games.jsonl"
    whole = path.read_bytes()
    ledger = Ledger(tmp_path, FACTS)
    for room in (0, 40):
        with at_most(len(whole) + room), pytest.raises(InputError, match=r"cannot keep the game: .+"):
            ledger.add(GAME._replace(round=1))
        assert path.read_bytes() == whole
        assert ledger.records == [GAME]
    ledger.add(GAME._replace(round=1))  # there is room again
    ledger.close()
    assert fill(tmp_path) == [GAME, GAME._replace(round=1)]
