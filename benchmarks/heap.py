"""What grows in a training's memory: the process, the C library's heap, Python's objects, the replay.

    OMP_NUM_THREADS=1 python -m benchmarks.heap leduc 8000

trains a preset in this process for so many steps, with checkpoints every minute, and prints a line before
each of them (Linux with glibc alone).
"""

import ctypes
import sys
import tempfile
import time
from dataclasses import replace
from math import inf
from pathlib import Path

from sog.core.arrays import MB
from sog.training.context import State
from sog.training.memory import resident_bytes
from sog.training.presets import load_preset
from sog.training.run import Run
from sog.training.sources.local import LocalSource

FIELDS = (
    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"
)  # fmt: skip


class Heap(ctypes.Structure):
    """What `mallinfo2` tells, in bytes: `uordblks` in use, `fordblks` free, `hblkhd` mapped one by one."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in FIELDS)


def read_heap() -> Heap:
    """Ask the C library."""
    ask = ctypes.CDLL(None).mallinfo2
    ask.restype = Heap
    found: Heap = ask()
    return found


class Watched(Run):
    """A run that tells what it takes before it writes a checkpoint."""

    def _write_checkpoint(self, states: list[State]) -> None:
        heap = read_heap()
        sizes = (resident_bytes(), heap.uordblks, heap.fordblks, heap.hblkhd, self.replay.num_bytes)
        figures = "".join(f"{size / MB:10.1f}" for size in sizes)
        print(
            f"{time.process_time():10.0f}{self.learner.steps:10}{figures}{sys.getallocatedblocks():12,}",
            flush=True,
        )
        super()._write_checkpoint(states)


def main(preset: str, steps: int) -> None:
    """Train and print."""
    config = load_preset(preset)
    limits = replace(config.run, steps=steps, minutes=inf, evaluate_minutes=1e6, memory_mb=256.0)
    heads = ("CPU s", "step", "resident", "used", "free", "mapped", "replay")
    print("".join(f"{head:>10}" for head in heads) + f"{'objects':>12}")
    with tempfile.TemporaryDirectory() as folder:
        Watched(replace(config, run=limits), Path(folder)).go(LocalSource)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
