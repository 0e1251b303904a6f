import numpy as np
import pytest

from sog.games.notation import GameRecord
from sog.matches.tables import count_pairs, make_table


def game(first: str, second: str, score: float, number: int = 0, forfeit: int | None = None) -> GameRecord:
    return GameRecord(first, second, number, "", 0, "", score, "", forfeit, (1.0, 3.0), "")


GAMES = [
    game("a", "b", 1.0),
    game("b", "a", 0.5),
    game("a", "b", 0.5, 1),
    game("b", "a", 1.0, 1, forfeit=1),
    game("c", "a", 0.0),
    game("a", "c", 1.0),
    game("b", "c", 1.0),
]


def test_points_are_counted_from_both_sides() -> None:
    table = make_table(["a", "b", "c"], GAMES)
    assert [line.name for line in table.lines] == ["a", "b", "c"]
    assert table.points.tolist() == [[0, 2, 2], [2, 0, 1], [0, 0, 0]]
    a, b, c = table.lines
    assert (a.wins, a.draws, a.losses, a.forfeits, a.games) == (3, 2, 1, 1, 6)
    assert (b.wins, b.draws, b.losses, b.forfeits) == (2, 2, 1, 0)
    assert (c.wins, c.losses, c.share) == (0, 3, 0.0)
    assert a.share == pytest.approx(4 / 6)
    assert a.seconds == pytest.approx((1 + 3 + 1 + 3 + 3 + 1) / 6)
    assert a.rating == (0, 0, 0)
    assert b.rating.elo == pytest.approx(0, abs=1e-3)


def test_players_who_do_not_take_part_are_left_out() -> None:
    table = make_table(["a", "b"], GAMES)
    assert table.points.sum() == 4
    assert make_table(["a", "x"], GAMES).lines[0].games == 0


def test_pairs_of_games() -> None:
    assert count_pairs("a", "b", GAMES).tolist() == [0, 1, 0, 1, 0]
    assert count_pairs("b", "a", GAMES).tolist() == [0, 1, 0, 1, 0]
    assert count_pairs("a", "c", GAMES).tolist() == [0, 0, 0, 0, 1]
    assert np.all(count_pairs("a", "b", GAMES[:1]) == 0)  # half a pair
