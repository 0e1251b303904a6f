"""Pictures of the map: well-formed, complete, and with nothing that the detectives cannot know."""

import xml.etree.ElementTree as ET
from typing import Any

import numpy as np

from sog.games.scotland_yard.game import ScotlandYard
from sog.games.scotland_yard.map_picture import draw_map
from sog.games.scotland_yard.view import ScotlandYardView, stations_of
from tests.games.scotland_yard.oracle import random_record

LONDON = ScotlandYard("london")
NAMESPACE = "{http://www.w3.org/2000/svg}"


def some_record(seed: int) -> Any:
    rng = np.random.default_rng(seed)
    while (record := random_record(LONDON, rng)) is None or len(stations_of(record)) < 3:
        pass
    found: np.void = record
    return found


def parts(picture: str, tag: str, kind: str | None = None) -> list[ET.Element]:
    found = ET.fromstring(picture).iter(f"{NAMESPACE}{tag}")
    return [part for part in found if kind is None or part.get("class") == kind]


def test_everything_is_there() -> None:
    record = some_record(1)
    picture = draw_map(LONDON, record, ["taxi", "black", "bus 67"])
    lines = {kind: len(parts(picture, "line", kind)) for kind in ("taxi", "bus", "underground", "boat")}
    assert lines == {"taxi": 346, "bus": 99, "underground": 20, "boat": 3}
    texts = [part.text for part in parts(picture, "text")]
    assert {str(station) for station in range(1, 200)} <= set(texts)
    assert {"1. taxi", "2. black", "3. bus 67"} <= set(texts)
    assert len(parts(picture, "circle", "heat")) == len(stations_of(record))
    assert len(parts(picture, "g", "pawn")) == 5
    assert f"{len(stations_of(record))} possible stations" in texts


def test_likely_stations_are_darker() -> None:
    record = some_record(2)
    first, second, *_ = stations_of(record)
    picture = draw_map(LONDON, record, belief={first: 0.75, second: 0.25, 199: 0.0})
    heat = [float(part.get("fill-opacity") or 0) for part in parts(picture, "circle", "heat")]
    assert heat == [0.9, 0.4]


def test_mr_x_is_drawn_for_himself_alone() -> None:
    record = some_record(3)
    pictures = {draw_map(LONDON, record), draw_map(LONDON, record.copy())}
    assert len(pictures) == 1
    own = [draw_map(LONDON, record, station=station) for station in stations_of(record)[:2]]
    assert len(set(own)) == 2
    assert len(parts(own[0], "g", "pawn")) == 6


def test_the_start_and_the_end() -> None:
    view = ScotlandYardView(LONDON)
    start = view.roots(np.random.default_rng())[0]
    assert "pawns are placed" in draw_map(LONDON, start)
    glasses = ScotlandYard()
    over = glasses.initial_world()._replace(turn=-3)
    assert "Mr. X is caught" in draw_map(glasses, ScotlandYardView(glasses).record_of(over)[0])
