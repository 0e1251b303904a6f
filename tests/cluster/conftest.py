"""One cluster for a file of tests; only inside a namespace (see test_cluster.py)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sog.training.config import as_toml
from tests.cluster.nodes import Machines
from tests.training.tiny import tiny_config


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    started = Machines()
    try:
        yield started
    finally:
        started.close()


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    path = tmp_path / "tiny.toml"
    path.write_text(as_toml(tiny_config(run={"checkpoint_minutes": 0.02})), "utf-8")
    return str(path)
