"""Curve files: how exploitable learners were along their learning, in JSON, to be drawn in one picture.

    {"game": "leduc",
     "unit": "mbb/h",
     "curves": [
       {"label": "A2C",
        "settings": {"seed": 0},
        "points": [{"seconds": 1.5, "exploitability": 2290.0, "episodes": 1000}]}]}

`exploitability` is half of NashConv in `unit`, the game's own (`GameInfo.unit`). `seconds` are those of
learning, without what measuring took. `episodes` and `settings` may be missing, and other keys are left
alone, so whatever learns can write such a file, and a picture can lay its curves over those of others.

Verified: tests/evaluation/test_curves.py.
"""

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from sog.core.errors import InputError

_KINDS: dict[type, str] = {str: "a text", list: "a list", dict: "an object"}


class CurvePoint(NamedTuple):
    """One measurement."""

    seconds: float  # of learning
    exploitability: float  # in the file's unit
    episodes: int | None = None


class Curve(NamedTuple):
    """How one learner did."""

    label: str
    points: Sequence[CurvePoint]  # one at least, in the order of time
    settings: Mapping[str, Any] = {}


class CurveFile(NamedTuple):
    """Curves of one game."""

    game: str
    unit: str
    curves: Sequence[Curve]


def curves_as_json(file: CurveFile) -> dict[str, Any]:
    """Return what the file holds.

    >>> curves_as_json(CurveFile("kuhn", "utility", [Curve("x", [CurvePoint(1.0, 0.5)])]))["curves"]
    [{'label': 'x', 'points': [{'seconds': 1.0, 'exploitability': 0.5}]}]
    """
    curves = []
    for curve in file.curves:
        points = [
            {name: value for name, value in point._asdict().items() if value is not None}
            for point in curve.points
        ]
        settings = {"settings": dict(curve.settings)} if curve.settings else {}
        curves.append({"label": curve.label, **settings, "points": points})
    return {"game": file.game, "unit": file.unit, "curves": curves}


def read_curves(path: Path) -> CurveFile:
    """Read a curve file; whatever is not one is refused with the reason."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path} is no JSON") from None
    try:
        curves = [_read_curve(item) for item in _field(content, "curves", list)]
        return CurveFile(_field(content, "game", str), _field(content, "unit", str), curves)
    except InputError as error:
        raise InputError(f"{path} is no curve file: {error}") from None


def _read_curve(item: Any) -> Curve:
    points = [
        CurvePoint(_number(point, "seconds"), _number(point, "exploitability"), _episodes(point))
        for point in _field(item, "points", list)
    ]
    if not points:
        raise InputError("'points' must not be empty")
    settings = _field(item, "settings", dict) if "settings" in item else {}
    return Curve(_field(item, "label", str), points, settings)


def _episodes(point: Any) -> int | None:
    return int(_number(point, "episodes")) if "episodes" in point else None


def _number(item: Any, name: str) -> float:
    value: Any = item.get(name) if isinstance(item, dict) else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not isfinite(value) or value < 0:
        raise InputError(f"{name!r} of a point must be a number of at least 0")
    return float(value)


def _field(item: Any, name: str, kind: type) -> Any:
    value = item.get(name) if isinstance(item, dict) else None
    if not isinstance(value, kind):
        raise InputError(f"{name!r} must be {_KINDS[kind]}")
    return value
