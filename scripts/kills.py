"""Kill workers and the main process of training runs at random: the runs must end as if nothing had happened.

    python scripts/kills.py [--kills 30] [--seed 0] [--only leduc] [--out DIR]

Each run is made twice, once in peace and once with its share of the kills, and both take all their steps.
Kills come at least 12.5 s apart, since more than five deaths in a minute end a run, and are of these kinds:

    worker       kill -9 of a worker
    stop         SIGSTOP of a worker, for good
    message      kill -9 of a worker that is in the middle of a message, since the main process was paused
    main         kill -9 of the main process, which is then resumed
    main+message the same while workers are in the middle of messages
    checkpoint   the same while it writes a checkpoint

After each end no process may be left for longer than 5 s; at the end no `.part` file. What hangs for
half an hour has failed. A short form, with five kills, is tests/training/test_kills.py.
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
from typing import Any

from sog.training.checkpoint import find_checkpoints, load_newest
from sog.training.config import REBEL, SOG, Config, as_toml
from sog.training.metrics import read_metrics
from sog.training.presets import config_for

KINDS = ("worker", "stop", "message", "main", "main+message", "checkpoint")
SECONDS_BETWEEN = 12.5
SECONDS_AT_MOST = 1800
SECONDS_TO_END = 5


def make_configs() -> dict[str, Config]:
    """Return the runs, each of a minute or two."""
    leduc, four = config_for("leduc"), config_for("connect_four")
    rebel = config_for("liars_dice(dice=1,faces=3)", REBEL)
    often: dict[str, Any] = {"checkpoint_minutes": 0.1, "evaluate_minutes": 60.0, "log_steps": 20}
    assert leduc.method == SOG
    return {
        "leduc": replace(leduc, run=replace(leduc.run, steps=3_000, **often)),
        "rebel": replace(
            rebel,
            rebel=replace(rebel.rebel, iterations=64),
            run=replace(rebel.run, steps=3_000, played_iterations=256, **often),
        ),
        "connect_four": replace(
            four,
            selfplay=replace(four.selfplay, games=32),
            search=replace(four.search, simulations=16),
            run=replace(four.run, steps=100, **often),
        ),
    }


class Victim:
    """A run in a session of its own. Paused for so many seconds, its workers can send no more."""

    def __init__(self, config: Path, folder: Path, pause: float = 3.0) -> None:
        self._config, self.folder, self._seconds = config, folder, pause
        self._log = (folder.parent / f"{folder.name}.log").open("ab")
        self.start()

    def start(self) -> None:
        """Begin, or go on from the last checkpoint."""
        if find_checkpoints(self.folder):
            where = ["--resume", str(self.folder)]
        else:
            where = ["--config", str(self._config), "--out", str(self.folder)]
        command = [sys.executable, "-m", "sog", "train", "--workers", "2", *where]
        self.process = subprocess.Popen(command, stdout=self._log, stderr=self._log, start_new_session=True)

    def end(self) -> None:
        """Kill the main process; its workers end with it."""
        self.process.kill()
        self.process.wait()
        self._log.close()

    def others(self) -> list[int]:
        """Return the living processes of its session but the main one."""
        found = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                state, _, _, session = path.read_text().rpartition(") ")[2].split()[:4]
            except OSError:
                continue
            if int(session) == self.process.pid and state not in "ZX":
                found.append(int(path.parent.name))
        return [number for number in found if number != self.process.pid]

    def workers(self) -> list[int]:
        """Return its workers, without multiprocessing's helper."""
        found = []
        for number in self.others():
            try:
                if b"spawn_main" in Path(f"/proc/{number}/cmdline").read_bytes():
                    found.append(number)
            except OSError:
                continue
        return found

    def wait_for_the_end(self, what: str) -> None:
        """Complain if anybody is still there after a while."""
        self.process.wait()
        end = time.monotonic() + SECONDS_TO_END
        while self.others():
            if time.monotonic() > end:
                raise SystemExit(f"{what}: processes {self.others()} are left over")
            time.sleep(0.05)

    def strike(self, kind: str, rng: random.Random) -> None:
        """Do one of the things that this is about."""
        if kind in ("worker", "stop"):
            self._send(rng.choice(self.workers()), signal.SIGKILL if kind == "worker" else signal.SIGSTOP)
        elif kind == "message":
            self._pause()
            self._send(rng.choice(self.workers()), signal.SIGKILL)
            self.process.send_signal(signal.SIGCONT)
        else:
            if kind == "main+message":
                self._pause()
            elif kind == "checkpoint":
                self._wait_for_half_a_checkpoint()
            self.process.kill()
            self.wait_for_the_end(kind)
            self.start()

    def _pause(self) -> None:
        """Stop the main process until workers can send no more."""
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(self._seconds)

    def _wait_for_half_a_checkpoint(self) -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end and not list(self.folder.glob("checkpoints/.*.part")):
            time.sleep(0.0005)

    def _send(self, number: int, what: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(number, what)


def train(config: Path, folder: Path, kinds: list[str], rng: random.Random) -> list[str]:
    """Train to the end; return the kills that were made."""
    victim = Victim(config, folder)
    try:
        return torment(victim, kinds, rng)
    finally:
        victim.end()


def torment(victim: Victim, kinds: list[str], rng: random.Random) -> list[str]:
    """Make the kills while the run lasts, and look at what it leaves behind."""
    folder, done = victim.folder, list[str]()
    started = last = time.monotonic()
    while victim.process.poll() is None:
        now = time.monotonic()
        if now - started > SECONDS_AT_MOST:
            raise SystemExit(f"{folder.name} hangs")
        if len(done) < len(kinds) and now - last > SECONDS_BETWEEN and len(victim.workers()) == 2:
            time.sleep(rng.uniform(0, 5))
            if victim.process.poll() is not None or not victim.workers():
                continue
            kind = kinds[len(done)]
            victim.strike(kind, rng)
            done.append(kind)
            last = time.monotonic()
        time.sleep(0.05)
    victim.wait_for_the_end("the end")
    if victim.process.returncode != 0:
        raise SystemExit(f"{folder.name} ended with {victim.process.returncode}: see {folder}.log")
    left = [str(path) for path in folder.rglob("*.part")]
    if left:
        raise SystemExit(f"{left} stay")
    load_newest(folder, sys.exit)
    return done


def describe(folder: Path) -> str:
    """Say where a run has come to."""
    lines = read_metrics(folder)
    last = lines[-1]
    found = {name: f"{value:.4g}" for line in lines for name, value in line.get("exploitability", {}).items()}
    losses = ", ".join(f"{name} {value:.4f}" for name, value in last["loss"].items())
    return f"step {last['step']}, {last['seconds']:.0f} s, loss {losses}, exploitability {found or '-'}"


def main() -> int:
    """Make the runs and say how they ended."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    configs = make_configs()
    parser.add_argument("--kills", type=int, default=30, help="in all runs together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=configs)
    parser.add_argument("--out", type=Path, help="folder that keeps the runs")
    options = parser.parse_args()
    chosen = {name: config for name, config in configs.items() if options.only in (None, name)}
    out = options.out or Path(tempfile.mkdtemp(prefix="kills-"))
    out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(options.seed)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that no run stays behind
    for number, (name, config) in enumerate(chosen.items()):
        path = out / f"{name}.toml"
        path.write_text(as_toml(config))
        count = options.kills * (number + 1) // len(chosen) - options.kills * number // len(chosen)
        kinds = [KINDS[index % len(KINDS)] for index in range(count)]
        rng.shuffle(kinds)
        for label, wanted in (("peace", []), ("kills", kinds)):
            folder = out / f"{name}-{label}"
            started = time.monotonic()
            done = train(path, folder, wanted, rng)
            said = (out / f"{folder.name}.log").read_text().count("another one goes on")
            print(f"{name}, {len(done)} kills: {describe(folder)}", flush=True)
            seconds = time.monotonic() - started
            print(f"    {seconds:.0f} s, {said} workers replaced; kills: {' '.join(done) or '-'}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
