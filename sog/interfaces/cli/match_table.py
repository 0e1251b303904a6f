"""A match's table for people: at the end on standard output, and live on standard error.

At a terminal the table is drawn anew after every game; elsewhere a line says now and then how it stands.

Verified: tests/interfaces/cli/test_match_command.py.
"""

import shutil
import sys
import time
from collections.abc import Sequence
from math import inf, isfinite, isnan

from sog.evaluation.elo import Rating
from sog.evaluation.sprt import ELO
from sog.games.notation import GameRecord
from sog.interfaces.output import columns, shorten
from sog.matches.tables import Line, Mean, Table

_SECONDS_BETWEEN_LINES = 10.0
_SECONDS_BETWEEN_TABLES = 2.0
_LONGEST_NAME = 40
_HEAD = ["player", "Elo", "95 %", "score", "games", "won", "drawn", "lost", "s/game"]


def table_lines(table: Table) -> list[str]:
    """Return the table of ratings; players who failed to play on are pointed out."""
    rows = [_HEAD]
    for line in table.lines:
        name = shorten(line.name, _LONGEST_NAME)
        elo, interval = rating_words(line.rating)
        counts = [str(count) for count in (line.games, line.wins, line.draws, line.losses)]
        share = f"{100 * line.share:.1f} %" if line.games else "-"
        rows.append([name, elo, interval, share, *counts, f"{line.seconds:.1f}", _forfeits(line)])
    return columns(rows)


def winnings_lines(table: Table, unit: str) -> list[str]:
    """Return the table of what was won a game, together and by seat, each with its 95 % interval."""
    rows = [["player", unit, "95 %", "in seat 0", "in seat 1", "games", "s/game"]]
    for line, won in zip(table.lines, table.winnings, strict=True):
        seats = [_mean_words(seat) for seat in won.seats]
        mean, low, high = (plain_amount(number) for number in won.total)
        value, interval = mean, f"{low} to {high}"
        name = shorten(line.name, _LONGEST_NAME)
        rows.append([name, value, interval, *seats, str(line.games), f"{line.seconds:.1f}", _forfeits(line)])
    return columns(rows)


def share_lines(table: Table, seats: Sequence[str]) -> list[str]:
    """Return the table of games that were won, together and by seat, each with its 95 % interval."""
    rows = [["player", "won", "95 %", *(f"as {seat}" for seat in seats), "games", "s/game"]]
    for line, won in zip(table.lines, table.shares, strict=True):
        interval = f"{percent(won.total.low)} to {percent(won.total.high)}"
        by_seat = [f"{percent(own.value)} ({percent(own.low)} to {percent(own.high)})" for own in won.seats]
        share = f"{percent(won.total.value)} %"
        name = shorten(line.name, _LONGEST_NAME)
        rows.append(
            [name, share, interval, *by_seat, str(line.games), f"{line.seconds:.1f}", _forfeits(line)]
        )
    return columns(rows)


def percent(share: float) -> str:
    """Return a share in per cent.

    >>> percent(0.8525), percent(float('nan'))
    ('85.2', '?')
    """
    return "?" if isnan(share) else f"{100 * share:.1f}"


def _mean_words(mean: Mean) -> str:
    return f"{plain_amount(mean.value)} ± {plain_amount((mean.high - mean.low) / 2)}"


def plain_amount(number: float) -> str:
    """Return what was won, with as many digits as are of use.

    >>> plain_amount(-1163.2), plain_amount(12.345), plain_amount(0.1154), plain_amount(float('nan'))
    ('-1163', '12.35', '0.115', '?')
    """
    return "?" if isnan(number) else f"{number:.{0 if abs(number) >= 100 else 2 if abs(number) >= 1 else 3}f}"


def note_lines(table: Table) -> list[str]:
    """Return what is to be said about ratings without an estimate, if there are any."""
    if all(isfinite(line.rating.elo) for line in table.lines):
        return []
    return ["below, above: not a point either way; the bound is the end of the 95 % interval"]


def cross_lines(table: Table, unit: str = ELO) -> list[str]:
    """Return every player's points against every other, or what was won where that counts."""
    if len(table.lines) < 3:
        return []
    numbers = [str(number) for number in range(1, len(table.lines) + 1)]
    rows = [["", "points against" if unit == ELO else f"{unit} against", *numbers]]
    for number, line in enumerate(table.lines):
        points = [
            "-"
            if other == number
            else f"{table.points[number, other]:g}"
            if unit == ELO
            else plain_amount(table.won[number, other])
            for other in range(len(numbers))
        ]
        rows.append([numbers[number], shorten(line.name, _LONGEST_NAME), *points])
    return columns(rows)


def rating_words(rating: Rating) -> tuple[str, str]:
    """Return a rating and its interval as people read them.

    >>> rating_words(Rating(-inf, -inf, -212.4))
    ('below -212', '')
    """
    elo, low, high = rating
    if isnan(elo):
        return "?", ""
    if elo in (inf, -inf):
        border = low if elo > 0 else high
        return ("?", "") if border in (inf, -inf) else (f"{'above' if elo > 0 else 'below'} {border:.0f}", "")
    if low == high:
        return "0", ""
    return f"{elo:.0f}", f"{low:.0f} to {high:.0f}"


class LiveTable:
    """Shows how a match stands."""

    def __init__(
        self, total: int, is_quiet: bool, unit: str = ELO, seats: Sequence[str] = ("player 0", "player 1")
    ) -> None:
        """Begin with a match of `total` games in all; unit: of what counts; seats: what they are called."""
        self._total, self._is_live = total, sys.stderr.isatty() and not is_quiet
        self._is_quiet, self._unit, self._seats = is_quiet, unit, seats
        self._height, self._last = 0, time.monotonic()

    @property
    def is_due(self) -> bool:
        """Whether it is time to show the table again: making one takes a moment."""
        gap = _SECONDS_BETWEEN_TABLES if self._is_live else _SECONDS_BETWEEN_LINES
        return not self._is_quiet and time.monotonic() - self._last >= gap

    def show(self, table: Table, played: int, note: str) -> None:
        """Show the table after so many games."""
        self._last = time.monotonic()
        heading = f"{played}/{self._total} games{note}"
        if self._is_live:
            self.clear()
            width = shutil.get_terminal_size().columns - 1
            lines = [line[:width] for line in [heading, *self._lines(table)]]
            print("\n".join(lines), file=sys.stderr, flush=True)
            self._height = len(lines)
        else:
            standings = ", ".join(
                f"{shorten(line.name, _LONGEST_NAME)} {self._standing(table, number)}"
                for number, line in enumerate(table.lines)
            )
            print(f"{heading}: {standings}", file=sys.stderr, flush=True)

    def _standing(self, table: Table, number: int) -> str:
        """Return what counts of one player."""
        if self._unit == ELO:
            return rating_words(table.lines[number].rating)[0]
        if table.shares:
            return f"{percent(table.shares[number].total.value)} %"
        return _mean_words(table.winnings[number].total)

    def _lines(self, table: Table) -> list[str]:
        if table.shares:
            return share_lines(table, self._seats)
        return table_lines(table) if self._unit == ELO else winnings_lines(table, self._unit)

    def say(self, text: str) -> None:
        """Print a line above the table."""
        self.clear()
        print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the table off the screen."""
        if self._height:
            print(f"\x1b[{self._height}F\x1b[J", end="", file=sys.stderr, flush=True)
            self._height = 0


def forfeit_line(record: GameRecord) -> str:
    """Return what is to be said about a game that was not played to its end."""
    names: Sequence[str] = (record.first, record.second)
    assert record.forfeit is not None
    loser, winner = names[record.forfeit], names[1 - record.forfeit]
    return f"sog: {loser} loses to {winner} in round {record.round + 1} by forfeit: {record.reason}"


def _forfeits(line: Line) -> str:
    return f"{line.forfeits} by forfeit" if line.forfeits else ""
