"""Pictures as files: a figure is drawn in memory and written whole.

Verified: tests/interfaces/plots/test_tree_picture.py, tests/interfaces/plots/test_convergence_plot.py.
"""

import io
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from sog.core.files import write_file

INK = "#333333"
# Okabe and Ito's colours, which people with any kind of colour vision can tell apart.
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY = "#E69F00", "#56B4E9"

_NO_DATE = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}


def write_figure(figure: Figure, path: Path, dpi: int = 150) -> None:
    """Write a figure in the format that the file's name ends in."""
    suffix = path.suffix.lower()
    content = io.BytesIO()
    # Text stays text, and equal pictures are equal files.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "sog"}):
        figure.savefig(content, format=suffix.removeprefix("."), dpi=dpi, metadata=_NO_DATE[suffix])
    write_file(path, content.getvalue())
