from pathlib import Path

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import RIVER, TURN
from sog.games.holdem.cards import board_name, parse_hand
from sog.poker.libratus import parse_subgame, read_subgame

# The order as the format's authors describe it: suits s, h, d, c within a rank, ranks ascending.
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]
ORDER = [first + second for place, first in enumerate(CARDS) for second in CARDS[place + 1 :]]
BOARD = "7s9h9cTc"


def is_possible(name: str, board: str) -> bool:
    on_board = {board[start : start + 2] for start in range(0, len(board), 2)}
    return name[:2] not in on_board and name[2:] not in on_board


def reach(board: str = BOARD) -> list[str]:
    """Different numbers for every hand that the board leaves, some in Java's notation."""
    numbers = []
    for player in (1, 2):
        for place, name in enumerate(ORDER):
            weight = player * (place + 1) * 1e-4 if is_possible(name, board) else 0.0
            numbers.append(f"{weight:.6E}" if place % 7 == 0 else repr(weight))
    return numbers


def file_text(**changes: str) -> str:
    options = {"round": "3", "board": BOARD, "pot": "500", "reach": " ".join(reach())} | changes
    return "".join(f"-{name} {value}\n" for name, value in options.items() if value != "missing")


def test_a_file_is_read_in_the_order_of_its_hands(tmp_path: Path) -> None:
    path = tmp_path / "subgame.txt"
    path.write_text(file_text(), encoding="utf-8")
    subgame = read_subgame(path)
    assert (subgame.street, board_name(subgame.board), subgame.pot) == (TURN, BOARD, 500)
    assert subgame.ranges.shape == (2, 1326)
    for player in (0, 1):
        for place, name in enumerate(ORDER):
            expected = (player + 1) * (place + 1) * 1e-4 if is_possible(name, BOARD) else 0.0
            assert subgame.ranges[player, parse_hand(name)] == pytest.approx(expected)


def test_the_order_starts_and_ends_as_published() -> None:
    assert [*ORDER[:5], ORDER[-1]] == ["2s2h", "2s2d", "2s2c", "2s3s", "2s3h", "AdAc"]
    assert [parse_hand(name) for name in ORDER] == list(range(1326))


def test_a_river_file() -> None:
    board = "4s8hTc9h2s"
    subgame = parse_subgame(file_text(round="4", board=board, pot="3750", reach=" ".join(reach(board))))
    assert (subgame.street, board_name(subgame.board), subgame.pot) == (RIVER, board, 3750)


def test_line_breaks_and_the_order_of_options_do_not_matter() -> None:
    plain = parse_subgame(file_text())
    shuffled = "-pot 500 -reach\n" + "\n".join(reach()) + f" -board {BOARD}\r\n-round 3"
    other = parse_subgame(shuffled)
    assert (other.street, other.board, other.pot) == (plain.street, plain.board, plain.pot)
    np.testing.assert_array_equal(other.ranges, plain.ranges)


def changed(place: int, word: str) -> str:
    numbers = reach()
    numbers[place] = word
    return " ".join(numbers)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"round": "missing"}, "-round is missing"),
        ({"reach": "missing"}, "-reach is missing"),
        ({"pot": ""}, "-pot has no value"),
        ({"round": "1"}, "-round must be a whole number from 2 to 4, not '1'"),
        ({"round": "5"}, "not '5'"),
        ({"round": "three"}, "not 'three'"),
        ({"round": "4"}, "-board has 4 cards, but round 4 .river. has 5"),
        ({"board": "7s9h9cXc"}, "'Xc' is not a card"),
        ({"board": "7s9h9c9c"}, "9c is there twice"),
        ({"board": "7s9h9cAc"}, "holds a card of the board"),
        ({"pot": "-500"}, "-pot must be .* not '-500'"),
        ({"pot": "1"}, "-pot must be"),
        ({"pot": "500 600"}, "not '500 600'"),
        ({"reach": " ".join(reach()[:-1])}, "-reach must have 2652 numbers, not 2651"),
        ({"reach": " ".join([*reach(), "0"])}, "not 2653"),
        ({"reach": changed(3, "x")}, "player out of position, 3s2s: .* not 'x'"),
        ({"reach": changed(1326, "-0.5")}, "button, 2s2h: .* not '-0.5'"),
        ({"reach": changed(0, "1.5")}, "not '1.5'"),
        ({"reach": changed(0, "NaN")}, "not 'NaN'"),
        ({"reach": " ".join(["0"] * 1326 + ["1"] * 1326)}, "gives the button .* card of the board"),
        ({"reach": " ".join(["0"] * 1326 + reach()[1326:])}, "player out of position no hand at all"),
    ],
)
def test_damaged_files_are_refused(changes: dict[str, str], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse_subgame(file_text(**changes))


def test_other_texts_are_refused() -> None:
    for text, reason in (
        ("", "-round is missing"),
        ("hello", "not with 'hello'"),
        (file_text() * 2, "twice"),
    ):
        with pytest.raises(InputError, match=reason):
            parse_subgame(text)


def test_errors_name_the_file(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.txt"
    damaged.write_text(file_text(pot="x"), encoding="utf-8")
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\xff\xfe")
    for path, reason in (
        (damaged, "damaged.txt: -pot must be"),
        (picture, "picture.png is not a text file"),
        (tmp_path / "nowhere.txt", "nowhere.txt cannot be read"),
        (tmp_path, "cannot be read"),
    ):
        with pytest.raises(InputError, match=reason):
            read_subgame(path)
