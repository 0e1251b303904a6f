"""Curves of learning that commands write, read and draw beside each other (`sog.evaluation.curves`).

Verified: tests/interfaces/cli/test_evaluate_command.py, tests/interfaces/cli/test_baselines_command.py.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sog.core.errors import InputError
from sog.core.files import write_file
from sog.evaluation.curves import Curve, CurveFile, CurvePoint, curves_as_json, read_curves
from sog.games.base import GameInfo
from sog.interfaces.output import PICTURES, check_output
from sog.training.metrics import read_metrics

_CURVES = (".json",)


def check_curve_output(save: Path | None, plot: Path | None) -> None:
    """Refuse files that cannot be written, before anything is learned or measured."""
    check_output("--save", save, _CURVES)
    check_output("--plot", plot, PICTURES)


def read_beside(paths: Sequence[Path], info: GameInfo) -> list[Curve]:
    """Return the curves of other learners of the same game."""
    return [curve for path in paths for curve in _read(path, info)]


def _read(path: Path, info: GameInfo) -> Sequence[Curve]:
    file = read_curves(path)
    if (file.game, file.unit) != (info.name, info.unit):
        raise InputError(
            f"--beside: {path} is about {file.game[:40]!r} in {file.unit[:40]!r},"
            f" not about {info.name!r} in {info.unit!r}"
        )
    return file.curves


class Clock(NamedTuple):
    """When a training run came to some of its gradient steps."""

    steps: list[int]
    seconds: list[float]


def read_clock(run: Path) -> Clock:
    """Return what a training run says about its time."""
    lines = read_metrics(run)
    if not lines:
        raise InputError(f"{run} does not tell when it took its steps: metrics.jsonl is missing or empty")
    return Clock([0, *(line["step"] for line in lines)], [0.0, *(line["seconds"] for line in lines)])


def curves_over_time(clock: Clock, measured: Mapping[str, Sequence[tuple[int, float]]]) -> list[Curve]:
    """Return curves against seconds.

    measured: for each label gradient steps and exploitability, in the order of steps.
    """
    return [
        Curve(label, [CurvePoint(float(np.interp(step, *clock)), value) for step, value in points])
        for label, points in measured.items()
    ]


class Wanted(NamedTuple):
    """What `sog evaluate` shall make of the agents of a training run."""

    clock: Clock
    save: Path | None
    beside: list[Curve]
    plot: Path | None


def finish_curves(
    info: GameInfo, wanted: Wanted, measured: Mapping[str, Sequence[tuple[int, float]]]
) -> None:
    """Save and draw a run's curves and those beside them, against seconds."""
    curves = [*curves_over_time(wanted.clock, measured), *wanted.beside]
    file = CurveFile(info.name, info.unit, curves)
    if wanted.save is not None:
        save_curves(wanted.save, file)
    if wanted.plot is not None:
        from sog.interfaces.plots.learning_plot import draw_learning  # matplotlib is slow to import

        draw_learning(file, None, wanted.plot)


def save_curves(path: Path, file: CurveFile) -> None:
    """Write a curve file."""
    write_file(path, (json.dumps(curves_as_json(file)) + "\n").encode())
