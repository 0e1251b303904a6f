import numpy as np
import pytest

from sog.games.notation import GameRecord
from sog.matches.tables import count_pairs, make_table, pair_winnings, whole_rounds


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


def record(
    first: str, second: str, number: int, utility: float | None, score: float | None = None
) -> GameRecord:
    points = float(np.sign(utility or 0) / 2 + 0.5) if score is None else score
    return game(first, second, points, number)._replace(utility=utility)


def test_winnings_by_rounds_and_seats() -> None:
    """In a round luck cancels; rounds that are not complete count by seat alone."""
    records = [
        record("a", "b", 0, 3.0),  # player 0 was dealt well
        record("b", "a", 0, 2.0),
        record("a", "b", 1, -1.0),
        record("b", "a", 1, -2.0),
        record("a", "b", 2, 7.0),
    ]
    table = make_table(["a", "b"], records, unit_size=0.5, by_winnings=True)
    won = dict(zip((line.name for line in table.lines), table.winnings, strict=True))
    assert won["a"].total.value == pytest.approx((0.5 + 0.5) / 2 / 0.5)
    assert won["a"].total.low == won["a"].total.high == won["a"].total.value
    assert won["a"].seats[0].value == pytest.approx((3 - 1 + 7) / 3 / 0.5)
    assert won["a"].seats[1].value == pytest.approx((-2 + 2) / 2 / 0.5)
    assert won["b"].total.value == -won["a"].total.value
    assert won["a"].seats[0].high - won["a"].seats[0].value == pytest.approx(
        1.96 * np.std([6, -2, 14], ddof=1) / np.sqrt(3)
    )
    assert table.won[0, 1] == pytest.approx((3 - 2 - 1 + 2 + 7) / 5 / 0.5)
    assert pair_winnings("b", "a", records, 0.5).tolist() == [-1.0, -1.0]
    nothing = make_table(["a", "b"], [], by_winnings=True)
    assert np.isnan([nothing.winnings[0].total.value, nothing.won[0, 1]]).all()


def test_records_of_older_matches_tell_who_won() -> None:
    old = [record("a", "b", 0, None, 1.0), record("b", "a", 0, None, 0.5)]
    assert make_table(["a", "b"], old).winnings[0].total.value == 0.5


def test_games_that_are_only_won_or_lost_have_shares() -> None:
    records = [
        record("a", "b", 0, 1.0),
        record("b", "a", 0, -1.0),
        record("a", "b", 1, 1.0),
        record("b", "a", 1, 1.0),
    ]
    table = make_table(["b", "a"], records, by_winnings=True, is_won_or_lost=True)
    assert [line.name for line in table.lines] == ["a", "b"]
    a, b = table.shares
    assert (a.total.value, a.seats[0].value, a.seats[1].value) == (0.75, 1.0, 0.5)
    assert (b.total.value, b.seats[0].value, b.seats[1].value) == (0.25, 0.5, 0.0)
    assert b.total.low == pytest.approx(1 - a.total.high)
    assert 0 < b.total.low < 0.25 < b.total.high < 1
    assert make_table(["b", "a"], records, by_winnings=True).shares == ()


def test_a_test_looks_at_whole_rounds_in_their_order() -> None:
    records = [game("a", "b", 1.0, 1), game("b", "a", 1.0, 1), game("a", "b", 1.0, 0)]
    assert whole_rounds(records) == []
    records.append(game("b", "a", 0.0, 0))
    assert sorted(whole_rounds(records)) == sorted(records)
    assert whole_rounds([*records, game("a", "b", 1.0, 3), game("b", "a", 1.0, 3)]) == records
