"""Settings as plain data: dataclasses read from nested tables and from text, checked by their types.

A field that may be None is written "auto", or left out where that is its default.

Verified: tests/core/test_tables.py.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, get_args, get_type_hints

from sog.core.errors import InputError

AUTO = "auto"
_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
_WORDS = {"true": True, "false": False}
_Section = TypeVar("_Section")


def fill(section: _Section, content: Mapping[str, Any], source: str, prefix: str = "") -> _Section:
    """Return a section with what `content` says in place of its own."""
    kinds = get_type_hints(type(section))
    changes: dict[str, Any] = {}
    for key, value in content.items():
        name = f"{prefix}{key}"
        if key not in kinds:
            raise InputError(f"{source}: unknown key {name[:60]!r} (there are: {', '.join(kinds)})")
        if not is_dataclass(kinds[key]):
            changes[key] = _read(kinds[key], value, f"{source}: {name}")
        elif isinstance(value, dict):
            changes[key] = fill(getattr(section, key), value, source, f"{name}.")
        else:
            raise InputError(f"{source}: {name} must be a table")
    try:
        return replace(section, **changes)  # type: ignore[type-var]
    except InputError as error:
        raise InputError(f"{source}: [{prefix[:-1]}] {error}" if prefix else str(error)) from None


def as_table(section: Any) -> dict[str, Any]:
    """Return a section as a table that `fill` reads."""
    table = {field.name: getattr(section, field.name) for field in fields(section)}
    return {
        name: as_table(value) if is_dataclass(value) else AUTO if value is None else value
        for name, value in table.items()
    }


def plain_value(text: str) -> bool | int | float | str:
    """Return what a text stands for where there are no quotes.

    >>> [plain_value(text) for text in ("3", "1e-3", "true", "dcfr")]
    [3, 0.001, True, 'dcfr']
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return _WORDS.get(text, text)


def _read(hint: Any, value: Any, name: str) -> Any:
    """Return a value as its field has it: whole numbers do for numbers, 0 and 1 for no and yes."""
    kind, *optional = get_args(hint) or (hint,)
    if optional and value == AUTO:
        return None
    if (kind is float and type(value) is int) or (kind is bool and type(value) is int and value in (0, 1)):
        value = kind(value)
    if type(value) is not kind or value != value:
        wanted = _KINDS[kind] + (f" or {AUTO}" if optional else "")
        raise InputError(f"{name} must be {wanted}, not {repr(value)[:40]}")
    return value
