"""The map as a picture: stations and lines, pawns, where Mr. X may be, tickets and his log.

The map is drawn from the coordinates of the stations; nothing of the board's artwork is used. Lines between
the same stations lie upon each other, the wide ones below: underground, bus, taxi.

Verified: tests/games/scotland_yard/test_map_picture.py.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sog.games.drawing import INK, Box, Circle, Drawing, Label, Line, Shape
from sog.games.picture import History
from sog.games.scotland_yard.board import Board, load_board
from sog.games.scotland_yard.picture import likely_stations, log_entries
from sog.games.scotland_yard.tables import CAUGHT, ESCAPED, PLACING, STUCK

if TYPE_CHECKING:
    from sog.games.scotland_yard.game import ScotlandYard, ScotlandYardWorld

_HIDER = 0
_WIDTH, _HEIGHT, _MARGIN, _PANEL = 1340, 1000, 34, 420  # pixels; true proportions of the board
_LEFT = _WIDTH + 10  # of the panel
_BACKGROUND, _FAINT = "#fcfbf7", "#8a8a8a"
_LINES: dict[str, tuple[str, float, tuple[float, float] | None]] = {  # widest first: colour, width, dashes
    "underground": ("#e79a9a", 9.0, None),
    "boat": ("#3a3a3a", 4.0, (10.0, 7.0)),
    "bus": ("#3fa37c", 5.0, None),
    "taxi": ("#e3b000", 2.0, None),
}
_RINGS = {"underground": "#c0392b", "bus": "#23835b", "taxi": "#c79a00"}  # of stations
_CHIPS = {"taxi": "#f4d35e", "bus": "#8fd1b3", "underground": "#e79a9a", "black": "#2b2b2b"}  # tickets
_HEAT = "#ff5a1f"
_PAWNS = ("#1f5fd0", "#8b2fb0", "#00798c", "#8a4b00", "#d6006c")
_TURNS = {PLACING: "Pawns are placed", ESCAPED: "Mr. X has escaped", CAUGHT: "Mr. X is caught",
          STUCK: "Mr. X cannot move", _HIDER: "Mr. X to move"}  # fmt: skip
_COLUMNS = (190, 240, 290, 342, 388)  # ends of the table's columns, from the left of the panel
_LOG_ROWS = 12  # at least, of a column of the log

_Places = list[tuple[float, float]]


def draw_map(game: "ScotlandYard", history: History, seat: int) -> Drawing:
    """Draw what a seat sees; to Mr. X also where he is."""
    board, world = load_board(game.setup.board), history.world
    likely = likely_stations(game, history)
    places = [
        (_MARGIN + x * (_WIDTH - 2 * _MARGIN), _MARGIN + y * (_HEIGHT - 2 * _MARGIN))
        for x, y in board.positions
    ]
    is_seen = world.hider and (seat == _HIDER or world.turn == CAUGHT)
    shapes: list[Shape] = [
        *_draw_lines(board, places),
        *_draw_heat(places, likely),
        *_draw_stations(board, places),
        *_draw_pawns(places, world, world.hider if is_seen else None),
        *_draw_turn(game, world, len(likely)),
        *_draw_tickets(game, world),
        *_draw_log(game, history),
        *_draw_legend(board),
    ]
    return Drawing(_WIDTH + _PANEL, _HEIGHT, _BACKGROUND, shapes)


def _draw_lines(board: Board, places: _Places) -> list[Shape]:
    shapes: list[Shape] = []
    for transport, (colour, width, dashes) in _LINES.items():
        for start, ends in enumerate(board.lines[transport], 1):
            for end in ends:
                if start < end:
                    here, there = places[start - 1], places[end - 1]
                    shapes.append(Line(*here, *there, colour, width, dashes, transport))
    return shapes


def _draw_heat(places: _Places, likely: Mapping[int, float]) -> list[Shape]:
    """Draw how likely stations are, the likeliest darkest."""
    most = max(likely.values(), default=0.0)
    return [
        Circle(*places[own - 1], 24, _HEAT, 0.25 + 0.6 * share / most, kind="heat")
        for own, share in sorted(likely.items())
    ]


def _draw_stations(board: Board, places: _Places) -> list[Shape]:
    circles, labels = list[Shape](), list[Shape]()
    for station, (x, y) in enumerate(places, 1):
        kind = next((kind for kind in _RINGS if board.lines[kind][station - 1]), "taxi")
        circles.append(Circle(x, y, 12, "#ffffff", 1.0, _RINGS[kind], 2.5))
        labels.append(Label(x, y + 4, str(station), 11, anchor="middle"))
    return [*circles, *labels]


def _draw_pawns(places: _Places, world: "ScotlandYardWorld", hider: int | None) -> list[Shape]:
    """Draw pawns with the numbers of their stations; a tag says who it is."""
    pawns = [(own, _PAWNS[number], str(number + 1)) for number, own in enumerate(world.detectives)]
    if hider is not None:
        pawns.append((hider, "#000000", "X"))
    shapes: list[Shape] = []
    for own, colour, name in pawns:
        x, y = places[own - 1]
        shapes += [
            Circle(x, y, 19, colour, 1.0, "#ffffff", 3.0, "pawn"),
            Label(x, y + 5, str(own), 14, "#ffffff", True, "middle"),
            Circle(x + 17, y - 17, 11, "#ffffff", 1.0, colour, 3.0),
            Label(x + 17, y - 12.5, name, 13, colour, True, "middle"),
        ]
    return shapes


def _draw_turn(game: "ScotlandYard", world: "ScotlandYardWorld", num_possible: int) -> list[Shape]:
    setup = game.setup
    coming = [move for move in setup.reveals if move > world.moves]
    shown = f"He is shown after move {coming[0]}." if coming else "He is not shown again."
    many = "s" if num_possible != 1 else ""
    return [
        Label(_LEFT, 44, _TURNS.get(world.turn, f"Detective {world.turn} to move"), 24, is_bold=True),
        Label(_LEFT, 72, f"Mr. X has made {world.moves} of {setup.rounds} moves.", 15),
        Label(_LEFT, 94, shown, 15),
        Label(_LEFT, 116, f"{num_possible} possible station{many}" if num_possible else "", 15),
    ]


def _draw_tickets(game: "ScotlandYard", world: "ScotlandYardWorld") -> list[Shape]:
    """Draw a table of all tickets."""
    top = 150
    names = [*game.ticket_names, *(["double"] if game.setup.doubles else [])]
    heads = {"underground": "under", "double": "2x"}
    shapes: list[Shape] = [Label(_LEFT, top, "Tickets", 15, is_bold=True)]
    for name, end in zip(names, _COLUMNS, strict=False):
        shapes.append(Label(_LEFT + end, top, heads.get(name, name), 13, _FAINT, anchor="end"))
    rows = [("X", "#000000", world.hider_tickets[: len(game.ticket_names)], "Mr. X", _HIDER)]
    if game.setup.doubles:
        rows[0] = (*rows[0][:2], (*rows[0][2], world.doubles), *rows[0][3:])
    for number in range(game.num_detectives):
        at = f"at {world.detectives[number]}" if number < len(world.detectives) else ""
        counts = world.detective_tickets[number][: min(3, len(game.ticket_names))]
        rows.append((str(number + 1), _PAWNS[number], counts, at, number + 1))
    for line, (name, colour, counts, words, turn) in enumerate(rows, 1):
        y = top + 30 * line
        if world.turn == turn:
            shapes.append(Box(_LEFT - 6, y - 20, _PANEL - 14, 28, "#ece7d8"))
        shapes += [
            Circle(_LEFT + 12, y - 5, 11, colour),
            Label(_LEFT + 12, y, name, 13, "#ffffff", True, "middle"),
            Label(_LEFT + 34, y, words, 15, is_bold=True),
        ]
        for count, end in zip(counts, _COLUMNS, strict=False):
            shapes.append(Label(_LEFT + end, y, str(count), 15, INK if count else _FAINT, anchor="end"))
    return shapes


def _draw_log(game: "ScotlandYard", history: History) -> list[Shape]:
    """Draw Mr. X's log, a ticket each; moves after which he is shown have a frame."""
    top, rounds = 372, game.setup.rounds
    num_rows = max(_LOG_ROWS, -(-rounds // 2))
    height = min(30.0, 400 / num_rows)
    entries = log_entries(game, history)
    shapes: list[Shape] = [Label(_LEFT, top, "Mr. X's log", 15, is_bold=True)]
    for number in range(1, rounds + 1):
        column, row = divmod(number - 1, num_rows)
        x, y = _LEFT + 200 * column, top + height * (row + 1)
        is_shown = number in game.setup.reveals
        entry = entries[number - 1] if number <= len(entries) else None
        fill = "#f1efe8" if entry is None else _CHIPS[entry.ticket]
        edge, width = ("#000000", 2.5) if is_shown else ("#d5d1c4", 1.0)
        shapes += [
            Label(x + 22, y, str(number), 13, INK if is_shown else _FAINT, is_shown, "end"),
            Box(x + 28, y - 0.65 * height, 150, 0.86 * height, fill, edge, width),
        ]
        if entry is not None:
            told = entry.ticket + (f" to {entry.station}" if entry.station else "")
            ink = "#ffffff" if entry.ticket == "black" else INK
            shapes.append(Label(x + 36, y, told, 13, ink, entry.station is not None))
            if entry.is_double:
                shapes.append(Label(x + 172, y, "2x", 13, ink, True, "end"))
    return shapes


def _draw_legend(board: Board) -> list[Shape]:
    top = 846
    shapes: list[Shape] = [Label(_LEFT, top, "Lines", 15, is_bold=True)]
    kinds = [kind for kind in ("taxi", "bus", "underground", "boat") if any(board.lines[kind])]
    for number, kind in enumerate(kinds):
        row, column = divmod(number, 2)
        x, y = _LEFT + 200 * column, top + 26 * (row + 1)
        colour, width, dashes = _LINES[kind]
        shapes += [Line(x, y - 5, x + 60, y - 5, colour, width, dashes), Label(x + 70, y, kind, 14)]
    y = top + 92
    shapes.append(Label(_LEFT, y, "Mr. X may be here", 15, is_bold=True))
    for number, share in enumerate((0.0, 0.5, 1.0)):
        shapes.append(Circle(_LEFT + 178 + 48 * number, y - 5, 18, _HEAT, 0.25 + 0.6 * share))
    shapes.append(Label(_LEFT, y + 34, "(the darker the likelier, if he moves at random)", 13, _FAINT))
    return shapes
