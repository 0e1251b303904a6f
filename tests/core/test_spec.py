import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sog.core.errors import InputError
from sog.core.spec import format_spec, parse_spec, split_list


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("leduc", ("leduc", {})),
        (" cfr+ ", ("cfr+", {})),
        ("dcfr(alpha=inf,beta=-inf,gamma=2)", ("dcfr", {"alpha": math.inf, "beta": -math.inf, "gamma": 2})),
        ("cfr(minimiser=normal-hedge)", ("cfr", {"minimiser": "normal-hedge"})),
        ("matrix(payoffs=[[1,-2],[0,3.5]])", ("matrix", {"payoffs": [[1, -2], [0, 3.5]]})),
        ("x(a='b c')", ("x", {"a": "b c"})),
    ],
)
def test_reads(text: str, expected: tuple[str, dict[str, object]]) -> None:
    assert parse_spec(text, "thing") == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        "a(",
        "a)",
        "a(1)",
        "a(b)",
        "a(b=)",
        "a(b=1,b=2)",
        "a(**b)",
        "a(b=c())",
        "a(b=1-2)",
        "1a",
        "a b",
        "a(b=-x)",
    ],
)
def test_refuses_with_the_text(text: str) -> None:
    with pytest.raises(InputError, match="cannot read the thing"):
        parse_spec(text, "thing")


@given(st.text(max_size=30))
def test_never_raises_anything_else(text: str) -> None:
    with contextlib.suppress(InputError):
        parse_spec(text, "thing")


def test_round_trip() -> None:
    options = {"alpha": -math.inf, "minimiser": "normal-hedge", "n": 3}
    assert parse_spec(format_spec("dcfr", options), "thing") == ("dcfr", options)


def test_commas_inside_parentheses_do_not_split() -> None:
    assert split_list("dcfr(alpha=1.5,beta=0),cfr+, lcfr") == ["dcfr(alpha=1.5,beta=0)", "cfr+", "lcfr"]
    assert split_list("") == [""]
