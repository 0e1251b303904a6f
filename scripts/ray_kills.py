"""Kill what a training run on a cluster of Ray stands on, at random: it must end as if nothing had happened.

    python -m scripts.ray_kills [--kills 20] [--seed 0] [--steps 30000] [--out DIR]

Leduc is trained twice on two machines of one CPU each, once in peace and once with the kills. All of it runs
in a network namespace of its own, on loopback. Kills come at least 12.5 s apart, since more than five deaths
in a minute end a run, and only while both workers work:

    worker    kill -9 of a worker
    stop      SIGSTOP of a worker, for good
    machine   kill -9 of everything on a machine; another one joins 5 s later
    bridge    kill -9 of the process by which the learner talks to Ray
    head      kill -9 of the head and of all machines; they are started anew 5 s later
    learner   kill -9 of the main process, which is then resumed

It says after how long both workers were at work again.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from scripts.loopback import enter
from sog.training.checkpoint import find_checkpoints, load_newest
from sog.training.config import as_toml
from sog.training.metrics import read_metrics
from sog.training.presets import config_for
from tests.cluster.nodes import Machines, cpu_seconds, desks_of

KINDS = ("worker", "stop", "machine", "bridge", "head", "learner")
SECONDS_BETWEEN = 12.5
SECONDS_AT_MOST = 3600
SECONDS_TO_COME_BACK = 5.0
SECONDS_TO_BEGIN = 8.0  # of CPU: a worker that is stopped before its first word is waited for for long


class Victim:
    """A run on two machines."""

    def __init__(self, config: Path, folder: Path) -> None:
        self._config, self.folder = config, folder
        self._log = (folder.parent / f"{folder.name}.log").open("ab")
        self.machines = Machines()
        self.nodes = [self.machines.start_head(), self.machines.add()]
        self.start()

    def start(self) -> None:
        """Begin, or go on from the last checkpoint."""
        if find_checkpoints(self.folder):
            where = ["--resume", str(self.folder)]
        else:
            where = ["--config", str(self._config), "--out", str(self.folder)]
        command = [sys.executable, "-m", "sog", "train", "--workers", "2", "--ray", self.machines.address]
        self.process = subprocess.Popen([*command, *where], stdout=self._log, stderr=self._log)

    def desks(self) -> list[int]:
        """Return the processes of its workers that are at work, and not still importing."""
        desks = [number for node in self.nodes for number in desks_of(node)]
        return [number for number in desks if cpu_seconds(number) > SECONDS_TO_BEGIN]

    def strike(self, kind: str, rng: random.Random) -> None:
        """Do one of the things that this is about."""
        if kind in ("worker", "stop"):
            self._send(rng.choice(self.desks()), signal.SIGKILL if kind == "worker" else signal.SIGSTOP)
        elif kind == "bridge":
            self._send(self._bridge(), signal.SIGKILL)
        elif kind == "machine":
            self.machines.stop(self.nodes.pop())
            time.sleep(SECONDS_TO_COME_BACK)
            self.nodes.append(self.machines.add())
        elif kind == "head":
            for node in self.nodes:
                self.machines.stop(node)
            time.sleep(SECONDS_TO_COME_BACK)
            self.nodes = [self.machines.start_head(), self.machines.add()]
        else:
            self.process.kill()
            self.process.wait()
            self.start()

    def _bridge(self) -> int:
        """Return the child by which the learner talks to Ray."""
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                parent = int(path.read_text().rpartition(") ")[2].split()[1])
                if parent == self.process.pid and b"spawn_main" in (path.parent / "cmdline").read_bytes():
                    return int(path.parent.name)
        return 0

    def _send(self, number: int, what: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            if number:
                os.kill(number, what)

    def close(self) -> None:
        """End everything."""
        self.process.kill()
        self.process.wait()
        self.machines.close()


def torment(victim: Victim, kinds: list[str], rng: random.Random) -> list[tuple[str, float]]:
    """Make the kills while the run lasts; return each with the seconds until both workers worked again."""
    done: list[tuple[str, float]] = []
    started = last = time.monotonic()
    kind, struck, before = "", 0.0, set[int]()
    while victim.process.poll() is None:
        now = time.monotonic()
        if now - started > SECONDS_AT_MOST:
            raise SystemExit(f"{victim.folder.name} hangs")
        desks = set(victim.desks())
        if kind and len(desks) == 2 and desks != before:
            done.append((kind, now - struck))
            kind, last = "", now
        elif not kind and len(done) < len(kinds) and len(desks) == 2 and now - last > SECONDS_BETWEEN:
            time.sleep(rng.uniform(0, 5))
            kind, struck, before = kinds[len(done)], time.monotonic(), desks
            victim.strike(kind, rng)
        time.sleep(0.1)
    if victim.process.returncode != 0:
        raise SystemExit(f"{victim.folder.name} ended with {victim.process.returncode}")
    load_newest(victim.folder, sys.exit)
    return done


def main() -> int:
    """Make both runs and say how they ended."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=30_000)
    parser.add_argument("--only", choices=("peace", "kills"))
    parser.add_argument("--out", type=Path, help="folder that keeps the runs")
    options = parser.parse_args()
    enter()
    out = options.out or Path(tempfile.mkdtemp(prefix="ray-kills-"))
    out.mkdir(parents=True, exist_ok=True)
    config, rng = config_for("leduc"), random.Random(options.seed)
    run = replace(
        config.run, steps=options.steps, checkpoint_minutes=0.1, evaluate_minutes=60.0, log_steps=20
    )
    path = out / "leduc.toml"
    path.write_text(as_toml(replace(config, run=run)))
    kinds = [KINDS[index % len(KINDS)] for index in range(options.kills)]
    rng.shuffle(kinds)
    for label, wanted in (("peace", []), ("kills", kinds)):
        if options.only in (None, label):
            report(path, out / label, wanted, rng)
    return 0


def report(config: Path, folder: Path, kinds: list[str], rng: random.Random) -> None:
    """Make a run, and print how it ended."""
    started = time.monotonic()
    victim = Victim(config, folder)
    try:
        done = torment(victim, kinds, rng)
    finally:
        victim.close()
    last = read_metrics(folder)[-1]
    found = ", ".join(f"{name} {value:.1f}" for name, value in last["exploitability"].items())
    print(
        f"{folder.name}: {len(done)} kills, step {last['step']}, {last['seconds']:.0f} s of training,"
        f" {time.monotonic() - started:.0f} s in all, {last['examples']} examples, {last['deaths']} deaths,"
        f" exploitability {found}",
        flush=True,
    )
    for kind in KINDS:
        times = sorted(seconds for what, seconds in done if what == kind)
        if times:
            middle = times[len(times) // 2]
            print(
                f"    {kind:<8} {len(times)} times, both at work in {middle:.0f} s, at most {times[-1]:.0f}"
            )


if __name__ == "__main__":
    sys.exit(main())
