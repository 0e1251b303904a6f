"""Machines of a cluster of Ray, all of them on loopback: only in a network namespace of their own."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PORT = 6399
_MARK = "SOG_TEST_NODE"
_STORE = 120 * 2**20
_TICKS = os.sysconf("SC_CLK_TCK")


class Machines:
    """A head, and whoever joins it; each is known by a mark in the environment of its processes."""

    def __init__(self) -> None:
        with open("/proc/net/dev", encoding="ascii") as file:  # of our own namespace, unlike /sys
            links = [line.split(":")[0].strip() for line in file if ":" in line]
        assert links == ["lo"], f"not in a namespace of its own: {links}"
        self.folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # names of sockets must be short
        os.environ |= {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_TMPDIR": str(self.folder),
            "RAY_worker_niceness": "0",
        }
        self.address = f"127.0.0.1:{PORT}"
        self._marks: list[str] = []

    def start_head(self, cpus: int = 1) -> str:
        """Start a head; return its mark."""
        return self._start(cpus, "--head", f"--port={PORT}", "--include-dashboard=false")

    def add(self, cpus: int = 1) -> str:
        """Start another machine; return its mark."""
        return self._start(cpus, f"--address={self.address}")

    def stop(self, mark: str) -> None:
        """Pull the plug of a machine."""
        end = time.monotonic() + 30
        while found := processes_of(mark):
            for number in found:
                try:
                    os.kill(number, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            assert time.monotonic() < end
            time.sleep(0.1)

    def close(self) -> None:
        """End everything that was started."""
        for mark in self._marks:
            self.stop(mark)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, cpus: int, *options: str) -> str:
        mark = f"{_MARK}={secrets.token_hex(8)}"
        self._marks.append(mark)
        name, _, value = mark.partition("=")
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", *options, f"--num-cpus={cpus}"]
        common = ["--node-ip-address=127.0.0.1", f"--object-store-memory={_STORE}", "--disable-usage-stats"]
        for _ in range(3):
            done = subprocess.run(
                [*command, *common],
                env={**os.environ, name: value, "OMP_NUM_THREADS": "1"},
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
            )
            if done.returncode == 0:
                return mark
            self.stop(mark)
        raise AssertionError(f"ray start failed: {done.stdout}{done.stderr}")


def processes_of(mark: str) -> list[int]:
    """Return the processes that have a mark in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def desks_of(mark: str) -> list[int]:
    """Return the processes of a machine at which a worker sits."""
    found = []
    for number in processes_of(mark):
        try:
            if b"Desk" in Path(f"/proc/{number}/cmdline").read_bytes():
                found.append(number)
        except OSError:
            continue
    return found


def cpu_seconds(number: int) -> float:
    """Return the processor time that a process has taken, 0 if there is none of that number."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS
