from dataclasses import dataclass, field
from typing import Any

import pytest

from sog.core.errors import InputError
from sog.core.tables import as_table, fill, plain_value


@dataclass(frozen=True)
class Inner:
    number: float = 1.0
    count: int = 2
    is_on: bool = False
    word: str = "a"
    perhaps: int | None = None

    def __post_init__(self) -> None:
        if self.count > 9:
            raise InputError("inner: count is too large")


@dataclass(frozen=True)
class Outer:
    name: str = ""
    inner: Inner = field(default_factory=Inner)


@pytest.mark.parametrize("inner", [Inner(), Inner(0.5, 3, True, "b", 4), Inner(number=float("inf"))])
def test_tables_are_read_back(inner: Inner) -> None:
    outer = Outer("name", inner)
    assert fill(Outer(), as_table(outer), "here") == outer
    assert fill(Outer("name", Inner(perhaps=7)), as_table(outer), "here") == outer  # "auto" says None again


def test_whole_numbers_do_for_numbers_and_for_yes_and_no() -> None:
    assert fill(Inner(), {"number": 3, "is_on": 1}, "here") == Inner(number=3.0, is_on=True)
    assert type(fill(Inner(), {"number": 3}, "here").number) is float


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"other": 1}, "here: unknown key 'other' (there are: name, inner)"),
        ({"inner": 1}, "here: inner must be a table"),
        ({"inner": {"count": 2.0}}, "here: inner.count must be a whole number, not 2.0"),
        ({"inner": {"count": True}}, "here: inner.count must be a whole number, not True"),
        ({"inner": {"count": "auto"}}, "here: inner.count must be a whole number, not 'auto'"),
        ({"inner": {"count": 10}}, "here: [inner] inner: count is too large"),
        ({"inner": {"is_on": 2}}, "here: inner.is_on must be true or false, not 2"),
        ({"inner": {"number": float("nan")}}, "here: inner.number must be a number, not nan"),
        ({"inner": {"word": 1}}, "here: inner.word must be a text, not 1"),
        ({"inner": {"perhaps": "so"}}, "here: inner.perhaps must be a whole number or auto, not 'so'"),
        ({"inner": {"perhaps": None}}, "here: inner.perhaps must be a whole number or auto, not None"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(content: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        fill(Outer(), content, "here")
    assert str(caught.value) == message


def test_texts_are_values() -> None:
    texts = ["-3", "1e3", "inf", "true", "false", "", "cfr+(gamma=2)", "9" * 5000]
    assert [plain_value(text) for text in texts] == [
        *(-3, 1000.0, float("inf"), True, False, "", "cfr+(gamma=2)", float("inf"))
    ]
