"""Tables of results: points of everybody against everybody, and pairs of games for a sequential test.

Verified: tests/matches/test_tables.py.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64
from sog.evaluation.elo import Rating, rate
from sog.evaluation.sprt import PAIR_SCORES
from sog.games.notation import GameRecord
from sog.matches.play import DRAW, LOSS, WIN


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


class Table(NamedTuple):
    """A match as it stands, best player first."""

    lines: list[Line]
    points: F64  # [P, P] of the row's player against the column's, in the order of the lines


def make_table(names: Sequence[str], records: Sequence[GameRecord], anchor: int = 0) -> Table:
    """Return the table of the games between the players of these names."""
    index = {name: number for number, name in enumerate(names)}
    played = [record for record in records if record.first in index and record.second in index]
    points = np.zeros((len(names), len(names)))
    for record in played:
        first, second = index[record.first], index[record.second]
        points[first, second] += record.score
        points[second, first] += 1 - record.score
    ratings = rate(points, anchor)
    lines = [_line(name, ratings[number], played) for number, name in enumerate(names)]
    order = sorted(range(len(names)), key=lambda number: _rank(lines[number]))
    return Table([lines[number] for number in order], points[np.ix_(order, order)])


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
