"""The memory of trainings over time: glasses, Leduc and Connect Four, each in a process of its own.

    OMP_NUM_THREADS=1 python -m benchmarks.memory FOLDER MINUTES

trains where FOLDER has no run yet, and writes FOLDER/memory.png from what their `metrics.jsonl` tell.
"""

import subprocess
import sys
from dataclasses import replace
from math import inf
from pathlib import Path

from sog.interfaces.plots.picture_file import write_figure
from sog.interfaces.plots.plot_style import add_legend, draw_curve, open_axes
from sog.training.metrics import read_metrics
from sog.training.presets import load_preset
from sog.training.run import Run
from sog.training.sources.local import LocalSource

PLANS = (("glasses", "256"), ("leduc", "256"), ("connect_four", "64"))  # MB


def train(preset: str, folder: Path, minutes: float, memory_mb: float) -> None:
    """Train a preset, with no limit but the time."""
    config = load_preset(preset)
    run = replace(config.run, steps=10**9, minutes=minutes, evaluate_minutes=inf, log_steps=10)
    Run(replace(config, run=replace(run, memory_mb=memory_mb)), folder).go(LocalSource)


def main(folder: Path, minutes: str) -> None:
    """Train all, one after the other; draw what their processes took and what the option counts of it."""
    figure, axes = open_axes("Memory of trainings", "minutes", "MB")
    for number, (preset, memory_mb) in enumerate(PLANS):
        run = folder / f"{preset}_{memory_mb}"
        if not read_metrics(run):
            command = [sys.executable, "-m", "benchmarks.memory", preset, str(run), minutes, memory_mb]
            subprocess.run(command, check=True)
        lines = [line for line in read_metrics(run) if "memory_mb" in line]
        curves: dict[str, list[tuple[float, float]]] = {"process": [], "counted": []}
        for line in lines:
            taken, minute = line["memory_mb"], line["seconds"] / 60
            counted = sum(size for name, size in taken.items() if name not in ("resident", "replay"))
            curves["process"].append((minute, taken["resident"]))
            curves["counted"].append((minute, counted))
        for name, style in (("process", "-"), ("counted", ":")):
            label = f"{preset} with {memory_mb}, {name}"
            draw_curve(axes, curves[name], number, label, marker="", linestyle=style)
    axes.set_ylim(0, 1_400)
    add_legend(axes, ncols=2)
    write_figure(figure, folder / "memory.png")


if __name__ == "__main__":
    if len(sys.argv) > 3:
        train(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))
    else:
        main(Path(sys.argv[1]), sys.argv[2])
