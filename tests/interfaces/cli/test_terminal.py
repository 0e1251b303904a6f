"""Colours where there are any."""

import io

import pytest

from sog.games.picture import Picture, Span, Style
from sog.interfaces.cli.terminal import has_colours, render

PICTURE: Picture = [(Span("1 ", Style.FAINT), Span("X", Style.FIRST), Span("O", Style.SECOND), Span(" . "))]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "expected"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),  # as no-color.org has it
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_where_colours_are(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, environment: dict[str, str], expected: bool
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert has_colours(stream) is expected


def test_colours_change_no_text() -> None:
    plain, coloured = render(PICTURE, False), render(PICTURE, True)
    assert plain == "1 XO ."
    assert coloured.count("\x1b[0m") == 3
    for code in ("2", "1;33", "1;36", "0"):
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert coloured == plain
