"""ReBeL's table 2 beside SoG in one picture, from the figures that were measured (docs/curves/table2.json).

Nothing is learned anew: docs/results.md has the commands that made each figure, and how long they took.
"""

import json
from pathlib import Path
from typing import TypedDict

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sog.interfaces.plots.picture_file import BLUE, INK, ORANGE, SKY, VERMILION, write_figure

DOCS = Path(__file__).resolve().parent.parent / "docs"
COLOURS = {"paper": ("#bdbdbd", "#8c8c8c"), "ours": (SKY, BLUE), "SoG": (ORANGE, VERMILION)}
GROUP_WIDTH = 0.84  # of the distance between two games


class Row(TypedDict):
    """An agent, or the paper's."""

    label: str
    of: str  # whose: a key of COLOURS
    exploitability: list[float | None]  # by games


class Figures(TypedDict):
    """The contents of the file."""

    games: list[str]
    rows: list[Row]


def main() -> None:
    """Print the table and draw it."""
    figures: Figures = json.loads((DOCS / "curves" / "table2.json").read_text())
    print("exploitability".ljust(28), *(game.rjust(8) for game in figures["games"]))
    for row in figures["rows"]:
        print(row["label"].ljust(28), *(_text(value).rjust(8) for value in row["exploitability"]))
    path = DOCS / "images" / "rebel_table2.png"
    draw(figures, path)
    print(f"drawn: {path.relative_to(DOCS.parent)}")


def draw(figures: Figures, path: Path) -> None:
    """Draw a group of bars a game, the lower the better."""
    figure = Figure(figsize=(8.4, 4.4), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    rows, used = figures["rows"], dict.fromkeys(COLOURS, 0)
    width = GROUP_WIDTH / len(rows)
    for number, row in enumerate(rows):
        colour = COLOURS[row["of"]][used[row["of"]]]
        used[row["of"]] += 1
        shift = (number - (len(rows) - 1) / 2) * width
        places = [game + shift for game, value in enumerate(row["exploitability"]) if value is not None]
        heights = [value for value in row["exploitability"] if value is not None]
        bars = axes.bar(places, heights, 0.92 * width, color=colour, label=row["label"])
        axes.bar_label(bars, [f"{height:.3f}"[1:] for height in heights], fontsize=6.5, color=INK, padding=1)
    _finish(axes, figures["games"])
    write_figure(figure, path)


def _finish(axes: Axes, games: list[str]) -> None:
    axes.set_title("Liar's Dice: ReBeL and SoG", fontsize=12, color=INK, loc="left", weight="bold")
    axes.set_ylabel("exploitability, utility", color=INK)
    axes.set_xticks(range(len(games)), games, color=INK)
    axes.grid(axis="y", color="#d0d0d0", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, fontsize=8.5, labelcolor=INK, ncols=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
