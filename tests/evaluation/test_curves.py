import json
from pathlib import Path

import pytest

from sog.core.errors import InputError
from sog.evaluation.curves import Curve, CurveFile, CurvePoint, curves_as_json, read_curves


def test_what_was_written_is_read(tmp_path: Path) -> None:
    points = [CurvePoint(0.0, 2.5, 0), CurvePoint(1.5, 0.25, 100)]
    file = CurveFile("kuhn", "utility", [Curve("A2C", points, {"seed": 3}), Curve("x", points[:1])])
    path = tmp_path / "curves.json"
    path.write_text(json.dumps(curves_as_json(file)))
    assert read_curves(path) == file


def test_what_others_add_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "curves.json"
    point = {"seconds": 1, "exploitability": 2, "steps": 7}
    curve = {"label": "x", "points": [point], "colour": "red"}
    path.write_text(json.dumps({"game": "kuhn", "unit": "utility", "curves": [curve], "by": "somebody"}))
    assert read_curves(path).curves == [Curve("x", [CurvePoint(1.0, 2.0)])]


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("nonsense", "no JSON"),
        ("[]", "'curves' must be a list"),
        ('{"curves": [], "unit": "utility"}', "'game' must be a text"),
        ('{"curves": [7], "game": "kuhn", "unit": "utility"}', "'points' must be a list"),
        ('{"curves": [{"points": [7], "label": "x"}]}', "'seconds' of a point"),
        ('{"curves": [{"points": [{"seconds": 1}], "label": "x"}]}', "'exploitability' of a point"),
        ('{"curves": [{"points": [{"seconds": NaN, "exploitability": 1}]}]}', "'seconds' of a point"),
        ('{"curves": [{"points": [{"seconds": -1, "exploitability": 1}]}]}', "'seconds' of a point"),
        ('{"curves": [{"points": [{"seconds": true, "exploitability": 1}]}]}', "'seconds' of a point"),
        ('{"curves": [{"points": []}]}', "'points' must not be empty"),
        ('{"curves": [{"points": [{"seconds": 1, "exploitability": 1}]}]}', "'label' must be a text"),
        (
            '{"curves": [{"points": [{"seconds": 1, "exploitability": 1}], "settings": 1}]}',
            "'settings' must be an object",
        ),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: str, part: str) -> None:
    path = tmp_path / "curves.json"
    path.write_text(content)
    with pytest.raises(InputError, match=part):
        read_curves(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_curves(tmp_path / "nothing.json")
