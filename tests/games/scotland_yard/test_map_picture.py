"""Pictures of the map: complete, the same for plays that look alike, and with the right heat."""

from random import Random

import pytest

from sog.games.drawing import Box, Circle, Drawing, Label, Line, write_svg
from sog.games.picture import History
from sog.games.scotland_yard.game import ScotlandYard
from sog.games.scotland_yard.map_picture import draw_map
from sog.games.scotland_yard.picture import likely_stations, log_entries, possible_stations

LONDON = ScotlandYard("london")
NAMES = ("13", "26", "29", "34", "50", "91", "double", "taxi 72", "bus 42", "taxi 23")


def play(game: ScotlandYard, *names: str) -> History:
    worlds, actions = [game.initial_world()], list[int]()
    for name in names:
        world = worlds[-1]
        [action] = [action for action in game.moves(world) if game.action_name(world, action) == name]
        actions.append(action)
        worlds.append(game.apply(world, action))
    return History(worlds, actions)


def random_play(game: ScotlandYard, seed: int) -> History:
    random, worlds, actions = Random(seed), [game.initial_world()], list[int]()
    while moves := game.moves(worlds[-1]):
        actions.append(random.choice(moves))
        worlds.append(game.apply(worlds[-1], actions[-1]))
    return History(worlds, actions)


def texts(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Label)]


def circles(drawing: Drawing, kind: str) -> list[Circle]:
    return [shape for shape in drawing.shapes if isinstance(shape, Circle) and shape.kind == kind]


def test_everything_is_there() -> None:
    history = play(LONDON, *NAMES)
    drawing = draw_map(LONDON, history, 1)
    kinds = [shape.kind for shape in drawing.shapes if isinstance(shape, Line)]
    lines = {kind: kinds.count(kind) for kind in ("taxi", "bus", "underground", "boat")}
    assert lines == {"taxi": 346, "bus": 99, "underground": 20, "boat": 3}
    told = texts(drawing)
    assert {str(station) for station in range(1, 200)} <= set(told)
    assert {"Detective 2 to move", "He is shown after move 3.", "taxi", "bus", "2x", "at 23"} <= set(told)
    assert "Mr. X has made 2 of 24 moves." in told
    possible = possible_stations(LONDON, history)
    assert len(circles(drawing, "heat")) == len(possible) > 5
    assert f"{len(possible)} possible stations" in told
    assert len(circles(drawing, "pawn")) == 5
    assert write_svg(drawing).count("<circle") == sum(isinstance(shape, Circle) for shape in drawing.shapes)


def test_shapes_are_within_the_picture() -> None:
    for game in (LONDON, ScotlandYard(), ScotlandYard("london", rounds=100, reveals=[50])):
        drawing = draw_map(game, random_play(game, 1), 0)
        for shape in drawing.shapes:
            if isinstance(shape, Line):
                ends = [(shape.x0, shape.y0), (shape.x1, shape.y1)]
            elif isinstance(shape, Box):
                ends = [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]
            else:
                ends = [(shape.x, shape.y)]
            assert all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in ends)


def test_mr_x_is_drawn_for_himself_alone() -> None:
    history = play(LONDON, *NAMES)
    assert len(circles(draw_map(LONDON, history, 0), "pawn")) == 6
    other = play(LONDON, *(name if name != "bus 42" else "bus 105" for name in NAMES))
    assert draw_map(LONDON, history, 1) == draw_map(LONDON, other, 1)
    assert draw_map(LONDON, history, 0) != draw_map(LONDON, other, 0)


def test_the_log_has_tickets_and_stations_where_he_was_shown() -> None:
    game = ScotlandYard(reveals=[2])
    history = play(game, "taxi 5", "taxi 2", "taxi 10", "taxi 3")
    assert [tuple(entry) for entry in log_entries(game, history)] == [
        ("taxi", None, False),
        ("taxi", 3, False),
    ]
    assert "taxi to 3" in texts(draw_map(game, history, 1))
    doubled = log_entries(LONDON, play(LONDON, *NAMES))
    assert [entry.is_double for entry in doubled] == [True, False]


@pytest.mark.parametrize("seed", range(3))
def test_heat_is_how_often_random_plays_come_there(seed: int) -> None:
    """By hand, from the definition: every hidden move is one of all legal ones, equally likely."""
    game = ScotlandYard()
    history = random_play(game, seed)
    history = History(history.worlds[:5], history.actions[:4])  # two moves of Mr. X's
    weights: dict[int, float] = {}

    def walk(world: object, place: int, weight: float) -> None:
        if place == 4:
            weights[world.hider] = weights.get(world.hider, 0.0) + weight  # type: ignore[attr-defined]
            return
        seen = history.worlds[place]
        real = history.actions[place]
        public = game.public_observation(seen, real, history.worlds[place + 1])
        actions = game.legal_actions(world)  # type: ignore[arg-type]
        for action in actions if seen.turn == 0 else [real]:
            after = game.apply(world, action)  # type: ignore[arg-type]
            if game.public_observation(world, action, after) == public:  # type: ignore[arg-type]
                walk(after, place + 1, weight / (len(actions) if seen.turn == 0 else 1))

    walk(game.initial_world(), 0, 1.0)
    total = sum(weights.values())
    assert history.world.turn >= 0
    assert likely_stations(game, history) == pytest.approx({own: w / total for own, w in weights.items()})


def test_the_start_and_the_end() -> None:
    assert "Pawns are placed" in texts(draw_map(LONDON, play(LONDON, "13"), 1))
    ends = set()
    for seed in range(30):
        history = random_play(ScotlandYard(), seed)
        drawing = draw_map(ScotlandYard(), history, 1)
        ends.add(texts(drawing)[-1] and next(text for text in texts(drawing) if text.startswith("Mr. X ")))
        is_caught = "Mr. X is caught" in texts(drawing)
        assert len(circles(drawing, "pawn")) == 2 + is_caught  # then all see where he is
    assert ends == {"Mr. X is caught", "Mr. X has escaped"}
