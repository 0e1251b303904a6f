"""What the commands print and write: JSON, aligned columns, files checked before the work begins.

Verified: tests/interfaces/test_output.py.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Any

from sog.core.errors import InputError
from sog.core.files import probe_file, probe_folder

PICTURES = (".png", ".svg", ".pdf")
SOLUTIONS = (".npz",)


def print_json(figures: Mapping[str, Any]) -> None:
    """Print figures as JSON, a line for each key; a number that is not finite becomes null."""
    lines = (f"  {json.dumps(key)}: {_value(value)}" for key, value in figures.items())
    print("{\n" + ",\n".join(lines) + "\n}")


def print_json_list(items: Sequence[Mapping[str, Any]]) -> None:
    """Print a list of objects as JSON, a line for each."""
    print("[\n" + ",\n".join(f"  {json.dumps(_finite(item))}" for item in items) + "\n]")


def _value(value: Any) -> str:
    """Write a value in one line, a list of objects in one line each."""
    value = _finite(value)
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return "[\n" + ",\n".join(f"    {json.dumps(item)}" for item in value) + "\n  ]"
    return json.dumps(value, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def columns(rows: Sequence[Sequence[str]], gap: int = 2) -> list[str]:
    """Align rows of words; a row may be shorter than others.

    >>> columns([["name", "x"], ["a", "10"]])
    ['name  x', 'a     10']
    """
    widths: list[int] = []
    for row in rows:
        widths += [0] * (len(row) - len(widths))
        for index, word in enumerate(row):
            widths[index] = max(widths[index], len(word))
    return [
        "".join(word.ljust(width + gap) for word, width in zip(row, widths, strict=False)).rstrip()
        for row in rows
    ]


def shorten(text: str, width: int) -> str:
    """Return a text in one line of at most `width` characters.

    >>> shorten("what everybody sees", 10)
    'what ever…'
    """
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def check_output(option: str, path: Path | None, suffixes: Sequence[str]) -> None:
    """Refuse, before any work is done, a file that could not be written at the end."""
    if path is None:
        return
    if path.suffix.lower() not in suffixes:
        raise InputError(f"{option}: {shorten(str(path), 80)!r} must end in {' or '.join(suffixes)}")
    with _named(option):
        probe_file(path)


def check_folder(option: str, path: Path) -> None:
    """Refuse, before any work is done, a folder that could not be made or written to."""
    with _named(option):
        probe_folder(path)


@contextmanager
def _named(option: str) -> Iterator[None]:
    """Say which option a complaint is about."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{option}: {error}") from None
