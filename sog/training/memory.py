"""What a run takes in memory, and what the machine has.

Verified: tests/training/test_memory.py.
"""

import ctypes
import os
import resource
import sys
from functools import cache
from pathlib import Path
from typing import Any

from sog.core.arrays import MB
from sog.core.errors import InputError
from sog.training.config import Config


def resident_bytes() -> int:
    """Return what this process has in memory; where the system does not say, the most that it ever had."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def machine_bytes() -> int:
    """Return how much memory there is."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def give_back() -> None:
    """Return to the system what this process has freed; where that cannot be asked for, do nothing.

    A checkpoint is made of copies. The C library keeps their room for what comes next; as the replay grows,
    the next copies are larger, so each checkpoint would leave some more megabytes behind.
    """
    if (trim := _find_trim()) is not None:
        trim(0)


@cache
def _find_trim() -> Any:
    return getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None


def check_memory(config: Config, example_bytes: float) -> None:
    """Refuse a run that will not fit: its replay once it is full, and one process that plays."""
    replay, play = config.replay.examples * example_bytes / MB, config.run.memory_mb
    if replay + play > (there := machine_bytes() / MB):
        raise InputError(
            f"{config.game}: too much for {there:,.0f} MB of memory: {replay:,.0f} MB for"
            f" replay.examples = {config.replay.examples:,} of {example_bytes:,.0f} bytes each or more,"
            f" {play:,.0f} MB for run.memory_mb"
        )
