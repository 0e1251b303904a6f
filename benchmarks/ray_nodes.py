"""Leduc trained by two machines of a cluster and by two worker processes, side by side.

Both runs have the same configuration and time, and share the processor with each other and with whatever else
runs there, so that their ratio says what Ray costs. They are compared from the moment on at which both have
made their first examples, since a cluster takes longer to begin. CPU time is that of all processes of a run:
the learner, the workers, and for Ray the bridge and the machines' own programs. Needs Ray and the right to
make a network namespace, in which all of it stays.

    OMP_NUM_THREADS=1 python -m benchmarks.ray_nodes FOLDER [MINUTES]
"""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from scripts.loopback import enter
from sog.training.config import as_toml
from sog.training.metrics import read_metrics
from sog.training.presets import load_preset
from tests.cluster.nodes import Machines, cpu_seconds, processes_of


class Clock:
    """CPU seconds of processes, the last ones seen of those that have ended."""

    def __init__(self) -> None:
        self._seen: dict[int, float] = {}

    def look(self, numbers: list[int]) -> None:
        """Read the clocks of some processes."""
        for number in numbers:
            self._seen[number] = max(self._seen.get(number, 0.0), cpu_seconds(number))

    @property
    def seconds(self) -> float:
        """Everything together."""
        return sum(self._seen.values())


def start(folder: Path, name: str, config: Path, *options: str) -> tuple["subprocess.Popen[bytes]", str]:
    """Start a run whose processes have a mark."""
    mark = f"SOG_RUN_{name}=1"
    command = [sys.executable, "-m", "sog", "train", "--config", str(config), "--out", str(folder / name)]
    with (folder / f"{name}.log").open("wb") as log:
        environment = {**os.environ, f"SOG_RUN_{name}": "1"}
        return subprocess.Popen([*command, *options], stdout=log, stderr=log, env=environment), mark


class Sample(NamedTuple):
    """Where a run stands."""

    moment: float
    examples: int
    cpu: float


def main() -> None:
    """Train both, and print a row for each."""
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    enter()
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    leduc = load_preset("leduc")
    minutes = float(sys.argv[2]) if len(sys.argv) > 2 else 6.0
    run = replace(leduc.run, minutes=minutes, evaluate_minutes=1.0, steps=10**9, log_steps=10)
    (folder / "leduc.toml").write_text(as_toml(replace(leduc, run=run)))
    machines = Machines()
    samples: dict[str, list[Sample]] = {"workers": [], "ray": []}
    runs = {}
    try:
        marks = [machines.start_head(), machines.add()]
        clocks = {name: Clock() for name in samples}
        common = folder / "leduc.toml", "--workers", "2"
        runs["workers"] = start(folder, "workers", *common)
        runs["ray"] = start(folder, "ray", *common, "--ray", machines.address)
        while any(process.poll() is None for process, _ in runs.values()):
            clocks["ray"].look([number for mark in marks for number in processes_of(mark)])
            for name, (_, mark) in runs.items():
                clocks[name].look(processes_of(mark))
                lines = read_metrics(folder / name)
                made = lines[-1]["examples"] if lines else 0
                samples[name].append(Sample(time.monotonic(), made, clocks[name].seconds))
            time.sleep(2.0)
    finally:
        for process, _ in runs.values():
            process.kill()
        machines.close()
    report(folder, samples)


def report(folder: Path, samples: dict[str, list[Sample]]) -> None:
    """Print what both did while both were at work."""
    pairs = list(zip(*samples.values(), strict=True))
    both = [pair for pair in pairs if all(sample.examples > 0 for sample in pair)]
    most = [max(sample.examples for sample in found) for found in samples.values()]
    both = [pair for pair in both if all(at.examples < end for at, end in zip(pair, most, strict=True))]
    for number, name in enumerate(samples):
        first, last = both[0][number], both[-1][number]
        seconds, made, cpu = (last[i] - first[i] for i in range(3))
        line = read_metrics(folder / name)[-1]
        found = ", ".join(f"{value:.1f}" for value in line.get("exploitability", {}).values())
        print(
            f"{name:<8} {made:>8,} examples in {seconds:.0f} s, {cpu:.0f} CPU-s: {made / seconds:.0f} a s,"
            f" {made / cpu:.0f} a CPU-s; in all {line['step']:,} steps, {line['examples']:,} examples,"
            f" {line['queries_per_cpu_second']:.0f} solved a CPU-second of workers, exploitability {found}",
            flush=True,
        )


if __name__ == "__main__":
    main()
