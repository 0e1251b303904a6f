"""Where the workers of a command are: processes of this machine, or a cluster of Ray.

Verified: tests/cluster/test_cluster.py.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sog.core.children import ThisMachine
from sog.core.cluster import LOCAL, Cluster, check_address
from sog.core.errors import InputError
from sog.core.workplace import Workplace
from sog.interfaces.cli.progress import say

MAX_WORKERS = 256


class Place(NamedTuple):
    """Where workers are to be, and how many of them."""

    workers: int
    cluster: Cluster | None

    @property
    def workplace(self) -> Workplace:
        """The cluster, or this machine."""
        return self.cluster or ThisMachine()


def check_workers(option: str, workers: int) -> None:
    """Refuse more workers than anybody has machines for."""
    if workers > MAX_WORKERS:
        raise InputError(f"{option}: at most {MAX_WORKERS}, not {workers}")


def check_cluster(ray: str | None, cpus: float | None = None) -> None:
    """Refuse what can be no cluster, before any work is done."""
    if ray is not None:
        check_address(ray)
    elif cpus is not None:
        raise InputError("--generator-cpus is about a cluster: give --ray too, or leave it out")


@contextmanager
def open_workplace(ray: str | None, workers: int, cpus: float = 1.0) -> Iterator[Place]:
    """Give this machine with so many workers, or a cluster, where 0 are as many as it has room for."""
    if ray is None:
        yield Place(workers, None)
        return
    with Cluster(ray, cpus) as cluster:
        facts = cluster.facts
        machines = f"{facts.nodes} machine{'s' if facts.nodes > 1 else ''}, {facts.cpus:g} CPUs"
        where = "started on this machine" if ray == LOCAL else f"at {facts.address}"
        say(f"Ray {facts.version} {where}: {machines}")
        yield Place(min(workers or max(1, int(facts.cpus / cpus)), MAX_WORKERS), cluster)
