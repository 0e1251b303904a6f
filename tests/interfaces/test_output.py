import json
from math import inf, nan
from pathlib import Path

import pytest

from sog.core.errors import InputError
from sog.interfaces.output import check_output, columns, print_json


def test_json_is_strict_and_readable(capsys: pytest.CaptureFixture[str]) -> None:
    figures = {"name": "é\n", "bad": nan, "list": [1.5, inf], "rows": [{"a": 1}, {"a": nan}], "none": []}
    print_json(figures)
    out = capsys.readouterr().out
    expected = {"name": "é\n", "bad": None, "list": [1.5, None], "rows": [{"a": 1}, {"a": None}], "none": []}
    assert json.loads(out) == expected
    assert '\n  "list": [1.5, null],\n' in out


def test_columns_take_rows_of_unequal_length() -> None:
    assert columns([["a", "b", "c"], ["long"], []]) == ["a     b  c", "long", ""]


def test_output_is_checked_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    check_output("--plot", tmp_path / "new.PNG", (".png",))
    check_output("--plot", None, (".png",))
    for path, part in [
        (tmp_path / "new.gif", "must end in .png"),
        (tmp_path / "no" / "new.png", "there is no directory"),
        (tmp_path / "folder.png", "is a directory"),
        (tmp_path / ("x" * 300 + ".png"), "name too long"),
        (tmp_path / "\0.png", "null"),
    ]:
        with pytest.raises(InputError, match=part):
            check_output("--plot", path, (".png",))
