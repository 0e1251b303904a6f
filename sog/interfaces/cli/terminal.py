"""Pictures at the terminal: with colours where there are any, and plain elsewhere.

Verified: tests/interfaces/cli/test_terminal.py.
"""

import os
from typing import TextIO

from sog.games.picture import Picture, Style, text_of

_CODES = {Style.FIRST: "1;33", Style.SECOND: "1;36", Style.FAINT: "2"}  # yellow, cyan, faint


def has_colours(stream: TextIO) -> bool:
    """Return whether colours may be written: to a terminal that has them, unless NO_COLOR says otherwise."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def render(picture: Picture, is_coloured: bool) -> str:
    """Return a picture as text.

    >>> from sog.games.picture import Span
    >>> render([(Span("a"), Span("X", Style.FIRST))], is_coloured=True)
    'a\\x1b[1;33mX\\x1b[0m'
    """
    if not is_coloured:
        return text_of(picture)
    return "\n".join(
        "".join(
            f"\x1b[{_CODES[span.style]}m{span.text}\x1b[0m" if span.style in _CODES else span.text
            for span in line
        ).rstrip()
        for line in picture
    )
