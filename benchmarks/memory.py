"""The memory of trainings over time: glasses, Leduc and Connect Four, by `sog train` with one worker.

    OMP_NUM_THREADS=1 python -m benchmarks.memory FOLDER MINUTES
    python -m benchmarks.memory FOLDER

trains where FOLDER has no run yet, one after the other. Every five seconds it writes down what the run's
processes have in memory (resident, summed over all of them) and the most that each ever had. Then, and where
no minutes are given at once, it draws FOLDER/memory.png from that and from what `metrics.jsonl` counts.
"""

import csv
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

from sog.interfaces.plots.picture_file import write_figure
from sog.interfaces.plots.plot_style import add_legend, draw_curve, open_axes
from sog.training.metrics import read_metrics

PLANS = (("glasses", 256), ("leduc", 256), ("connect_four", 64))  # MB
PERIOD = 5.0  # seconds


def configure(preset: str, memory_mb: int, file: Path) -> None:
    """Write the preset with another budget."""
    text = (files("sog") / "configs" / f"{preset}.toml").read_text("utf-8")
    file.write_text(text.replace("[run]\n", f"[run]\nmemory_mb = {memory_mb}.0\n"), "utf-8")


def family(process: int) -> list[int]:
    """Return a process and all below it."""
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        children = [int(child) for task in tasks for child in (task / "children").read_text("ascii").split()]
    except OSError:
        return []
    return [process, *(one for child in children for one in family(child))]


def megabytes(process: int, field: str) -> float:
    """Return a field of a process's status; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:")), 0.0)


def watch(command: list[str], file: Path) -> None:
    """Run a command; write its processes' number, resident MB and the sum of their peaks over time."""
    peaks: dict[int, float] = {}
    with file.open("w", encoding="utf-8", newline="") as opened, subprocess.Popen(command) as running:
        lines = csv.writer(opened)
        lines.writerow(("seconds", "processes", "resident_mb", "peaks_mb"))
        started = time.monotonic()
        while running.poll() is None:
            alive = family(running.pid)
            resident = sum(megabytes(process, "VmRSS") for process in alive)
            for process in alive:
                peaks[process] = max(peaks.get(process, 0.0), megabytes(process, "VmHWM"))
            most = sum(peaks[process] for process in alive)
            seconds = time.monotonic() - started
            lines.writerow((f"{seconds:.0f}", len(alive), f"{resident:.0f}", f"{most:.0f}"))
            opened.flush()
            time.sleep(PERIOD)


def train(folder: Path, minutes: str) -> None:
    """Train what FOLDER does not hold yet, one after the other."""
    folder.mkdir(parents=True, exist_ok=True)
    for preset, memory_mb in PLANS:
        run = folder / f"{preset}_{memory_mb}"
        if not read_metrics(run):
            config = run.with_suffix(".toml")
            configure(preset, memory_mb, config)
            limits = ("--workers", 1, "--steps", 10**9, "--minutes", minutes)
            options = map(str, ("--config", config, *limits, "--out", run))
            watch([sys.executable, "-m", "sog", "train", *options], run.with_suffix(".csv"))


def draw(folder: Path) -> None:
    """Draw what the processes of each run had in memory, and what `memory_mb` counts of it."""
    figure, axes = open_axes("Memory of trainings", "minutes", "MB")
    for number, (preset, memory_mb) in enumerate(PLANS):
        run = folder / f"{preset}_{memory_mb}"
        if not run.with_suffix(".csv").exists():
            continue
        with run.with_suffix(".csv").open(encoding="utf-8", newline="") as opened:
            lines = [{name: float(value) for name, value in line.items()} for line in csv.DictReader(opened)]
        resident = [(line["seconds"] / 60, line["resident_mb"]) for line in lines if line["processes"] > 2]
        begun = resident[0][0] if resident else 0.0  # before it the program starts and compiles
        counted = []
        for line in read_metrics(run):
            if parts := line.get("memory_mb"):
                inside = sum(size for part, size in parts.items() if part not in ("resident", "replay"))
                counted.append((begun + line["seconds"] / 60, inside))
        for curve, label, style in ((resident, "all processes", "-"), (counted, "counted", ":")):
            draw_curve(axes, curve, number, f"{preset} with {memory_mb}, {label}", marker="", linestyle=style)
    axes.set_ylim(0, 2_000)
    add_legend(axes, ncols=2)
    write_figure(figure, folder / "memory.png")


def main(folder: Path, minutes: str | None = None) -> None:
    """Train, if it is said how long, and draw."""
    if minutes is not None:
        train(folder, minutes)
    draw(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
