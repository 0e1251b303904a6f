"""What a run takes in memory, and what the machine has.

Verified: tests/training/test_memory.py.
"""

import os
import resource
from pathlib import Path

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


def check_memory(config: Config, example_bytes: float) -> None:
    """Refuse a run that will not fit: its replay once it is full, and one process that plays."""
    replay, play = config.replay.examples * example_bytes / MB, config.run.memory_mb
    if replay + play > (there := machine_bytes() / MB):
        raise InputError(
            f"{config.game}: too much for {there:,.0f} MB of memory: {replay:,.0f} MB for"
            f" replay.examples = {config.replay.examples:,} of {example_bytes:,.0f} bytes each or more,"
            f" {play:,.0f} MB for run.memory_mb"
        )
