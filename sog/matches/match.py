"""A match in one call, for programs: every pair of players, every opening and deal from both seats.

Verified: tests/matches/test_match.py.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sog.agents.bot import Bot
from sog.agents.making import BotMaker
from sog.agents.specs import parse_bot
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.notation import GameRecord
from sog.games.registry import load
from sog.matches.openings import draw_openings, usual_opening_moves
from sog.matches.schedule import schedule
from sog.matches.simultaneous import SimultaneousGames, room_for
from sog.matches.tables import Table, make_table


class MatchResult(NamedTuple):
    """A match that has been played; printed, a line for each player, the best first."""

    game: str
    unit: str  # of what is won a game
    records: list[GameRecord]
    table: Table

    def __str__(self) -> str:
        rows = [f"{self.game}: {len(self.records)} games, {self.unit} a game with 95 % intervals"]
        for line, won in zip(self.table.lines, self.table.winnings, strict=True):
            mean, low, high = won.total
            seats = ", ".join(f"{seat.value:.4g} in seat {number}" for number, seat in enumerate(won.seats))
            rows.append(f"{line.name}: {mean:.4g} ({low:.4g} to {high:.4g}); {seats}")
        return "\n".join(rows)


def play_match(
    game: AnyGame | str,
    players: Mapping[str, Bot | str] | Sequence[str],
    games: int = 100,
    seed: int = 0,
    opening_moves: int | None = None,
    on_game: Callable[[GameRecord], None] | None = None,
) -> MatchResult:
    """Play so many games of every pair, half of them in either seat.

    players: bots, or how they are written (`sog.agents.specs`), by name; or a list of the latter.

    >>> result = play_match("kuhn", {"one": "uniform", "two": "uniform"}, games=4)
    >>> [line.games for line in result.table.lines]
    [4, 4]
    """
    game = load(game) if isinstance(game, str) else game
    named = dict(players) if isinstance(players, Mapping) else {text: text for text in players}
    if len(named) < 2 or games < 2 or games % 2:
        raise InputError(f"a match needs two players or more and an even number of games, not {games}")
    maker = BotMaker(game)
    bots = {
        name: maker.make(parse_bot(player))[0] if isinstance(player, str) else player
        for name, player in named.items()
    }
    moves = usual_opening_moves(game) if opening_moves is None else opening_moves
    openings, records = draw_openings(game, games // 2, moves, seed), list[GameRecord]()
    pairings = schedule(list(bots), games // 2, openings, seed, ())
    are_ours = all(isinstance(player, str) for player in named.values())  # others may play one at a time
    playing = SimultaneousGames(game, room_for(list(bots.values())) if are_ours else 1)
    try:
        for record in playing.play(pairings, bots.__getitem__):
            records.append(record)
            if on_game is not None:
                on_game(record)
    finally:
        for name, player in named.items():
            if isinstance(player, str):
                bots[name].close()
    places = {pairing.key: place for place, pairing in enumerate(pairings)}
    records.sort(key=lambda record: places[record.key])
    info = game.info
    table = make_table(
        list(bots),
        records,
        unit_size=info.unit_size,
        by_winnings=True,
        is_won_or_lost=info.is_won_or_lost,
    )
    return MatchResult(info.name, info.unit, records, table)
