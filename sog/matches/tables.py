"""Tables of results: points of all pairs, what was won, and pairs for a sequential test.

Where deals decide much, what a player has won is averaged over rounds: in a round every pair of players plays
the same deals from both seats, so that luck cancels. Intervals are those of the mean of rounds. Where games
are only won or lost there is also the share of those won, with Wilson's interval, games taken one by one.

Verified: tests/matches/test_tables.py.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import count
from math import nan
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64
from sog.evaluation.elo import Rating, rate
from sog.evaluation.shares import wilson
from sog.evaluation.sprt import PAIR_SCORES
from sog.games.notation import GameRecord
from sog.matches.referee import DRAW, LOSS, WIN

_NORMAL_95 = 1.96  # standard errors


class Line(NamedTuple):
    """One player's results against all others."""

    name: str
    rating: Rating
    wins: int
    draws: int
    losses: int
    forfeits: int  # among the losses
    seconds: float  # thought, a game

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Share of the points; a draw is half a point."""
        return (self.wins + self.draws / 2) / max(1, self.games)


class Mean(NamedTuple):
    """A mean with the ends of its 95 % interval; NaN where nothing or too little is known."""

    value: float
    low: float
    high: float


class Winnings(NamedTuple):
    """What a player has won a game, in the unit of the game."""

    total: Mean  # rounds of which both games were played, against all others
    seats: tuple[Mean, Mean]  # by seat


class Table(NamedTuple):
    """A match as it stands, best player first."""

    lines: list[Line]
    winnings: list[Winnings]  # in the order of the lines
    points: F64  # [P, P] of the row's player against the column's, in the order of the lines
    won: F64  # [P, P] what the row's player has won a game against the column's; NaN without games
    shares: Sequence[Winnings] = ()  # of games that were won; none unless games are only won or lost


def make_table(
    names: Sequence[str],
    records: Sequence[GameRecord],
    anchor: int = 0,
    unit_size: float = 1.0,
    by_winnings: bool = False,
    is_won_or_lost: bool = False,
) -> Table:
    """Return the table of the games between the players of these names, by rating or by winnings.

    is_won_or_lost: whether the rules know nothing else.
    """
    index = {name: number for number, name in enumerate(names)}
    played = [record for record in records if record.first in index and record.second in index]
    points = np.zeros((len(names), len(names)))
    for record in played:
        first, second = index[record.first], index[record.second]
        points[first, second] += record.score
        points[second, first] += 1 - record.score
    ratings = rate(points, anchor)
    lines = [_line(name, ratings[number], played) for number, name in enumerate(names)]
    winnings = [_winnings(name, played, unit_size) for name in names]
    order = sorted(range(len(names)), key=lambda number: _rank(lines[number]))
    if by_winnings:
        order.sort(key=lambda number: -np.nan_to_num(winnings[number].total.value))
    return Table(
        [lines[number] for number in order],
        [winnings[number] for number in order],
        points[np.ix_(order, order)],
        _won_by_pairs([names[number] for number in order], played, unit_size),
        [_shares(names[number], played) for number in order] if is_won_or_lost else (),
    )


def whole_rounds(records: Sequence[GameRecord]) -> list[GameRecord]:
    """Return the games of two players up to the first round that is not over.

    Of games that are played at once short ones end first, and short ones may be one side's: a test that may
    stop at any time must not look at them before the others of their time.
    """
    played = Counter(record.round for record in records)
    first = next(number for number in count() if played[number] < 2)
    return [record for record in records if record.round < first]


def count_pairs(name: str, other: str, records: Sequence[GameRecord]) -> F64:
    """Return [5]: how many rounds gave a player no point, half a point, and so on, of both games together."""
    rounds: dict[int, list[float]] = {}
    for record in records:
        if {record.first, record.second} == {name, other}:
            score = record.score if record.first == name else 1 - record.score
            rounds.setdefault(record.round, []).append(score)
    counts = np.zeros(len(PAIR_SCORES))
    for scores in rounds.values():
        if len(scores) == 2:
            counts[round(2 * sum(scores))] += 1
    return counts


def pair_winnings(name: str, other: str, records: Sequence[GameRecord], unit_size: float) -> F64:
    """Return what a player has won a game in each round against another, of both games together."""
    rounds: dict[int, list[float]] = {}
    for record in records:
        if {record.first, record.second} == {name, other}:
            rounds.setdefault(record.round, []).append(_won(name, record) / unit_size)
    return np.array([sum(won) / 2 for won in rounds.values() if len(won) == 2])


def _won_by_pairs(names: Sequence[str], records: Sequence[GameRecord], unit_size: float) -> F64:
    index = {name: number for number, name in enumerate(names)}
    total, count = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for record in records:
        first, second = index[record.first], index[record.second]
        for row, column, name in ((first, second, record.first), (second, first, record.second)):
            total[row, column] += _won(name, record) / unit_size
            count[row, column] += 1
    means = np.full_like(total, nan)
    np.divide(total, count, out=means, where=count > 0)
    return means


def _won(name: str, record: GameRecord) -> float:
    """Return a player's utility of a game; of records that do not tell it, plus or minus one."""
    utility = 2 * record.score - 1 if record.utility is None else record.utility
    return utility if record.first == name else 0.0 - utility


def _winnings(name: str, records: Sequence[GameRecord], unit_size: float) -> Winnings:
    seats: tuple[dict[int, list[float]], ...] = ({}, {})
    pairs: dict[int, dict[str, list[float]]] = {}
    for record in records:
        if name in (record.first, record.second):
            seat, other = (0, record.second) if record.first == name else (1, record.first)
            won = _won(name, record) / unit_size
            seats[seat].setdefault(record.round, []).append(won)
            pairs.setdefault(record.round, {}).setdefault(other, []).append(won)
    rounds = [
        float(np.mean(whole))
        for games in pairs.values()
        if (whole := [np.mean(won) for won in games.values() if len(won) == 2])
    ]
    first, second = (_mean([float(np.mean(won)) for won in seat.values()]) for seat in seats)
    return Winnings(_mean(rounds), (first, second))


def _shares(name: str, records: Sequence[GameRecord]) -> Winnings:
    """Return the share of games that a player has won, with Wilson's intervals."""
    seats: tuple[list[float], list[float]] = ([], [])
    for record in records:
        if record.first == name:
            seats[0].append(record.score)
        elif record.second == name:
            seats[1].append(1 - record.score)
    total, first, second = (_share(scores) for scores in ([*seats[0], *seats[1]], *seats))
    return Winnings(total, (first, second))


def _share(scores: Sequence[float]) -> Mean:
    if not scores:
        return Mean(nan, nan, nan)
    return Mean(sum(scores) / len(scores), *wilson(sum(scores), len(scores)))


def _mean(values: Sequence[float]) -> Mean:
    """Return the mean of values that are independent of each other."""
    if not values:
        return Mean(nan, nan, nan)
    mean = float(np.mean(values))
    if len(values) < 2:
        return Mean(mean, nan, nan)
    away = _NORMAL_95 * float(np.std(values, ddof=1)) / len(values) ** 0.5
    return Mean(mean, mean - away, mean + away)


def _line(name: str, rating: Rating, records: Sequence[GameRecord]) -> Line:
    results = {WIN: 0, DRAW: 0, LOSS: 0}
    forfeits, seconds = 0, 0.0
    for record in records:
        if name in (record.first, record.second):
            player = 0 if record.first == name else 1
            results[record.score if player == 0 else 1 - record.score] += 1
            forfeits += record.forfeit == player
            seconds += record.seconds[player]
    games = max(1, sum(results.values()))
    return Line(name, rating, results[WIN], results[DRAW], results[LOSS], forfeits, seconds / games)


def _rank(line: Line) -> tuple[float, float, float]:
    """Order by rating, then by what is certain about it, then by points."""
    elo, low, high = line.rating
    middle = elo if elo == elo else 0.0
    return -middle, -max(low, -1e9) - min(high, 1e9), -line.share
