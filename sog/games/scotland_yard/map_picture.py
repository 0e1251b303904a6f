"""The map as a picture (SVG): stations and lines, pawns, where Mr. X may be, tickets and his log.

The map is drawn from the coordinates of the stations; nothing of the board's artwork is used.

Verified: tests/games/scotland_yard/test_map_picture.py.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from sog.games.scotland_yard.board import TRANSPORTS, Board, load_board
from sog.games.scotland_yard.game import TICKETS, ScotlandYard
from sog.games.scotland_yard.tables import CAUGHT, ESCAPED, PLACING, STUCK
from sog.games.scotland_yard.view import stations_of

WIDTH, HEIGHT, MARGIN, PANEL = 1340, 1000, 30, 380  # pixels; true proportions of the board
_LINES = {  # colour, width, and how far to the side, so that lines between the same stations are seen apart
    "taxi": ("#d9b310", 1.5, 0.0),
    "bus": ("#2a8f5b", 2.5, 2.5),
    "underground": ("#c0392b", 3.5, -3.0),
    "boat": ("#222222", 2.5, 0.0),
}
_PAWNS = ("#1f5fa8", "#7b2d8b", "#0b7a75", "#b4532a", "#4a4a4a")
_STATES = {PLACING: "pawns are placed", ESCAPED: "Mr. X has escaped", CAUGHT: "Mr. X is caught",
           STUCK: "Mr. X cannot move", 0: "Mr. X to move"}  # fmt: skip


def draw_map(
    game: ScotlandYard,
    record: Any,
    log: Sequence[str] = (),
    belief: Mapping[int, float] | None = None,
    station: int | None = None,
) -> str:
    """Return an SVG of a public state.

    record: of the view. log: Mr. X's moves, as the detectives see them. belief: how likely each station is
    (default: all possible ones alike). station: Mr. X's own, for pictures that he may see.
    """
    board = load_board(game.setup.board)
    places = [_place(position) for position in board.positions]
    if belief is None:
        possible = stations_of(record)
        belief = {own: 1 / len(possible) for own in possible}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH + PANEL}" height="{HEIGHT}"'
        f' viewBox="0 0 {WIDTH + PANEL} {HEIGHT}" font-family="sans-serif">',
        f'<rect width="{WIDTH + PANEL}" height="{HEIGHT}" fill="#fbfaf6"/>',
        *_draw_lines(board, places),
        *_draw_heat(places, belief),
        *_draw_stations(board, places),
        *_draw_pawns(places, record, station),
        *_draw_panel(game, record, log, belief),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _place(position: tuple[float, float]) -> tuple[float, float]:
    x, y = position
    return MARGIN + x * (WIDTH - 2 * MARGIN), MARGIN + y * (HEIGHT - 2 * MARGIN)


def _draw_lines(board: Board, places: list[tuple[float, float]]) -> list[str]:
    parts = []
    for transport in TRANSPORTS:
        colour, width, aside = _LINES[transport]
        dashes = ' stroke-dasharray="6 4"' if transport == "boat" else ""
        for start, ends in enumerate(board.lines[transport], 1):
            for end in ends:
                if start < end:
                    (x0, y0), (x1, y1) = places[start - 1], places[end - 1]
                    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1.0)
                    dx, dy = -(y1 - y0) / length * aside, (x1 - x0) / length * aside
                    parts.append(
                        f'<line class="{transport}" x1="{x0 + dx:.1f}" y1="{y0 + dy:.1f}" x2="{x1 + dx:.1f}"'
                        f' y2="{y1 + dy:.1f}" stroke="{colour}" stroke-width="{width}"{dashes}/>'
                    )
    return parts


def _draw_heat(places: list[tuple[float, float]], belief: Mapping[int, float]) -> list[str]:
    """Draw how likely stations are, the likeliest darkest."""
    most = max(belief.values(), default=0.0)
    return [
        f'<circle class="heat" cx="{places[own - 1][0]:.1f}" cy="{places[own - 1][1]:.1f}" r="19"'
        f' fill="#e4572e" fill-opacity="{0.15 + 0.75 * share / most:.2f}"/>'
        for own, share in sorted(belief.items())
        if share > 0
    ]


def _draw_stations(board: Board, places: list[tuple[float, float]]) -> list[str]:
    parts = []
    for station, (x, y) in enumerate(places, 1):
        kinds = [kind for kind in TRANSPORTS[1:3] if board.lines[kind][station - 1]]
        colour = _LINES[kinds[-1]][0] if kinds else _LINES["taxi"][0]
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="10.5" fill="white" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{x:.1f}" y="{y + 3.5:.1f}" font-size="10" text-anchor="middle">{station}</text>'
        )
    return parts


def _draw_pawns(places: list[tuple[float, float]], record: Any, station: int | None) -> list[str]:
    pawns = [
        (int(own), _PAWNS[number], str(number + 1)) for number, own in enumerate(record["detectives"]) if own
    ]
    if station is not None:
        pawns.append((station, "#000000", "X"))
    return [
        f'<g class="pawn"><circle cx="{places[own - 1][0]:.1f}" cy="{places[own - 1][1]:.1f}" r="13"'
        f' fill="{colour}" stroke="white" stroke-width="2"/>'
        f'<text x="{places[own - 1][0]:.1f}" y="{places[own - 1][1] + 5:.1f}" font-size="14" fill="white"'
        f' text-anchor="middle" font-weight="bold">{name}</text></g>'
        for own, colour, name in pawns
    ]


def _draw_panel(
    game: ScotlandYard, record: Any, log: Sequence[str], belief: Mapping[int, float]
) -> list[str]:
    """Draw whose turn it is, tickets, where he may be, and the log."""
    setup, turn, moves = game.setup, int(record["turn"]), int(record["moves"])
    coming = [shown for shown in setup.reveals if shown > moves]
    told = [
        ("bold", _STATES.get(turn, f"detective {turn} to move")),
        ("", f"move {moves} of {setup.rounds}" + (f", shown after {coming[0]}" if coming else "")),
        ("", f"{sum(share > 0 for share in belief.values())} possible stations"),
        ("bold", "Mr. X"),
        ("", _tickets(record["hider_tickets"].tolist()) + f", {int(record['doubles'])} double"),
    ]
    for number in range(game.num_detectives):
        at = int(record["detectives"][number])
        told += [
            ("bold", f"Detective {number + 1}" + (f" at {at}" if at else "")),
            ("", _tickets(record["detective_tickets"][number].tolist())),
        ]
    told.append(("bold", "Log"))
    told += [("", f"{number}. {entry}") for number, entry in enumerate(log, 1)]
    return [
        f'<text x="{WIDTH + 10}" y="{40 + 22 * line}" font-size="14"'
        + (' font-weight="bold"' if weight else "")
        + f">{escape(text)}</text>"
        for line, (weight, text) in enumerate(told)
    ]


def _tickets(counts: list[int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in zip(TICKETS, counts, strict=False))
