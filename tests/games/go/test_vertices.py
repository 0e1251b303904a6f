import pytest

from sog.core.errors import InputError
from sog.games.go.vertices import parse_vertex, vertex_names


@pytest.mark.parametrize("size", [2, 9, 19])
def test_names_are_read_back(size: int) -> None:
    names = vertex_names(size)
    assert len(set(names)) == size * size + 1
    assert [parse_vertex(size, name) for name in names] == list(range(size * size + 1))
    assert [parse_vertex(size, f" {name.lower()} ") for name in names] == list(range(size * size + 1))


def test_columns_skip_the_letter_i() -> None:
    assert vertex_names(19)[18] == "T1"
    assert vertex_names(19)[8 + 3 * 19] == "J4"
    assert parse_vertex(19, "Q16") == 15 * 19 + 15


@pytest.mark.parametrize("text", ["", "I5", "A0", "A10", "K1", "5A", "A1B", "resign", "A-1", "Ä1", "a" * 500])
def test_junk_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no vertex of a board of 9 lines") as caught:
        parse_vertex(9, text)
    assert len(str(caught.value)) < 150
