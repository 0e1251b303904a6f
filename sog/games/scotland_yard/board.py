"""Boards: stations and the lines between them, read from `sog/games/data`."""

import csv
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

TRANSPORTS = ("taxi", "bus", "underground", "boat")


class Board(NamedTuple):
    """Stations are numbered from 1."""

    num_stations: int
    positions: tuple[tuple[float, float], ...]  # [station - 1] x to the right, y downwards, both in 0 … 1
    lines: dict[
        str, tuple[tuple[int, ...], ...]
    ]  # [transport][station - 1] stations one stop away, ascending


@cache
def load_board(name: str) -> Board:
    """Return the board in the files `{name}_stations.csv` and `{name}_edges.csv`.

    >>> load_board("glasses").lines["taxi"][1]
    (1, 3, 4)
    """
    positions = {int(row["station"]): (float(row["x"]), float(row["y"])) for row in _rows(name, "stations")}
    assert sorted(positions) == list(range(1, len(positions) + 1))
    stops: dict[str, list[set[int]]] = {kind: [set() for _ in positions] for kind in TRANSPORTS}
    for row in _rows(name, "edges"):
        a, b = int(row["a"]), int(row["b"])
        stops[row["transport"]][a - 1].add(b)
        stops[row["transport"]][b - 1].add(a)
    lines = {kind: tuple(tuple(sorted(ends)) for ends in stations) for kind, stations in stops.items()}
    return Board(len(positions), tuple(positions[station] for station in sorted(positions)), lines)


def _rows(name: str, part: str) -> Iterator[dict[str, str]]:
    text = files("sog.games").joinpath("data", f"{name}_{part}.csv").read_text(encoding="utf-8")
    return csv.DictReader(text.splitlines())
