from pathlib import Path

import pytest

from tests.interfaces.conftest import Sog

LEDUC = {"histories": 9457, "terminal_histories": 5520, "infostates": 936, "public_decision_states": 186}
KUHN = {"histories": 58, "terminal_histories": 30, "infostates": 12, "public_decision_states": 4}


@pytest.mark.parametrize(
    ("game", "facts"),
    [
        (
            "leduc",
            LEDUC | {"infostates_by_player": [468, 468], "public_states": 467, "value_bounds": [-13, 13]},
        ),
        ("kuhn", KUHN | {"chance_nodes": 4, "depth": 5, "is_complete": True, "parameters": {}}),
        ("openspiel:kuhn_poker", KUHN),
        ("liars_dice(faces=4)", {"histories": 8181, "parameters": {"dice": 1, "faces": 4}}),
        ("tictactoe", {"histories": 549_946, "public_states": 549_946, "information": "perfect"}),
        ("scotland_yard", {"parameters": {"map": "glasses"}, "information": "imperfect"}),
    ],
)
def test_json_has_the_reference_figures(sog: Sog, game: str, facts: dict[str, object]) -> None:
    result = sog("show", game, "--json")
    assert (result.status, result.err) == (0, "")
    assert {key: result.json[key] for key in facts} == facts


def test_text_has_the_figures(sog: Sog) -> None:
    lines = sog("show", "leduc").out.splitlines()
    assert lines[0] == "leduc"
    words = [line.split() for line in lines]
    for row in (["histories", "9,457"], ["infostates", "936"], ["decisions", "186"], ["depth", "11"]):
        assert row in words
    assert "-13 to 13" in "\n".join(lines)


def test_depth_cuts_the_tree(sog: Sog) -> None:
    figures = sog("show", "leduc", "--depth", 3, "--json").json
    assert figures["depth"] == 3
    assert figures["is_complete"] is False
    assert figures["public_states"] == 5
    assert "cut off" in sog("show", "leduc", "--depth", 3).out
    london = sog("show", "scotland_yard(map=london)", "--depth", 2, "--json").json
    assert london["public_states"] == 1 + 18 + 18 * 17


def test_drawing_prints_the_same_figures(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.svg"
    figures = sog("show", "kuhn", "--tree", path, "--json").json
    assert figures == sog("show", "kuhn", "--json").json
    assert path.stat().st_size > 1000


def test_too_large_a_tree_is_not_drawn(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "dice.png"
    path.write_bytes(b"precious")
    assert "--depth" in sog("show", "liars_dice", "--tree", path).complaint
    assert path.read_bytes() == b"precious"
