"""Games side by side are the games that bots play one after the other."""

from collections.abc import Sequence

import numpy as np
import pytest

from sog.agents import cursor, searching
from sog.agents.making import BotMaker
from sog.agents.searching import SearchBot
from sog.agents.seated import UniformBot
from sog.agents.specs import parse_bot
from sog.games.notation import GameRecord
from sog.games.registry import load
from sog.matches import simultaneous
from sog.matches.match import play_match
from sog.matches.openings import Opening
from sog.matches.schedule import schedule
from sog.matches.simultaneous import LEAST_AT_ONCE, MOST_AT_ONCE, SimultaneousGames, room_for
from sog.public.store import ROOT
from sog.search.settings import SearchSettings


def play(name: str, players: Sequence[str], rounds: int, room: int) -> list[GameRecord]:
    game = load(name)
    maker = BotMaker(game)
    bots = {player: maker.make(parse_bot(player))[0] for player in players}
    pairings = schedule(list(players), rounds, [Opening()], 1, ())
    records = SimultaneousGames(game, room).play(pairings, bots.__getitem__)
    return sorted(record._replace(seconds=(0, 0), finished="") for record in records)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("leduc", ("untrained@gtcfr:10,1", "leduc@gtcfr:8,2", "uniform")),
        ("scotland_yard", ("glasses@gtcfr:1,0.1", "pimbot:20")),
    ],
)
def test_side_by_side_is_one_after_the_other(name: str, players: tuple[str, ...]) -> None:
    alone, together = (play(name, players, 4, room) for room in (1, 5))
    assert len(alone) == 8 * len(players) * (len(players) - 1) // 2
    assert alone == together


def test_searches_are_made_in_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = list[int]()

    def think(bots: Sequence[SearchBot]) -> None:
        sizes.append(len(bots))
        searching.think_together(bots)

    monkeypatch.setattr(simultaneous, "think_together", think)
    play("leduc", ("untrained@gtcfr:4,1", "uniform"), 4, 8)
    assert sizes[0] == 8


def test_who_can_play_many_games_at_once() -> None:
    leduc, chess = BotMaker(load("leduc")), BotMaker(load("tictactoe"))
    search, mcts = leduc.make(parse_bot("untrained@gtcfr:4,1"))[0], chess.make(parse_bot("mcts:5"))[0]
    assert room_for([search, UniformBot()]) == MOST_AT_ONCE
    large = SearchBot(None, SearchSettings(simulations=1_000))
    assert room_for([search, large]) == LEAST_AT_ONCE  # what it finds takes memory
    assert room_for([UniformBot(), UniformBot()]) == 1  # nothing to gain
    assert room_for([search, mcts]) == 1


def test_a_store_that_has_grown_large_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes count; the game that is under way keeps its store."""
    stores, game = cursor.Stores(), load("leduc")
    first = stores.open(game)
    assert stores.open(game) is first
    first.codes(np.array([first.children(ROOT)[0]], np.uint32))
    monkeypatch.setattr(cursor, "_MOST_BYTES", first.num_bytes + first.num_code_bytes)
    assert stores.open(game) is first
    monkeypatch.setattr(cursor, "_MOST_BYTES", first.num_bytes + 1)
    assert stores.open(game) is not first


def test_bots_of_a_program_play_one_game_at_a_time() -> None:
    class Counting(UniformBot):
        games = 0

        def begin(self, *arguments: object, **named: object) -> None:
            self.games += 1
            super().begin(*arguments, **named)  # type: ignore[arg-type]

    bot = Counting()
    play_match("kuhn", {"mine": bot, "theirs": "untrained@gtcfr:2,1"}, games=4)
    assert bot.games == 4
