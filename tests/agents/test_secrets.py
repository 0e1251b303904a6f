"""Bots write down all that they are told, and what they wrote is searched for what they must not know."""

from collections.abc import Hashable, Sequence

import pytest

from sog.agents.bot import NO_LIMITS, Limits, Watch
from sog.agents.seated import UniformBot
from sog.agents.table import Table
from sog.games.base import NUM_PLAYERS, AnyGame
from sog.games.registry import load
from sog.matches.referee import referee
from sog.public.derived import DerivedView
from sog.public.store import ROOT, StateStore
from tests.public.world_moves import move_world, rows_of


class Recorder(UniformBot):
    """Writes down all that it hears."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[tuple[Hashable, ...]] = []

    def begin(self, game: AnyGame, seat: int, seed: int, world: object = None) -> None:
        super().begin(game, seat, seed, world)
        self.heard = []

    def observe(self, public: Hashable, private: Hashable, move: int | None = None) -> None:
        super().observe(public, private, move)
        self.heard.append((public, private, move))

    def act(self, moves: Sequence[str], limits: Limits = NO_LIMITS, watch: Watch | None = None) -> int:
        self.heard.append(tuple(moves))
        return super().act(moves, limits, watch)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_the_hidden_card_is_never_heard_of(name: str) -> None:
    """Cards have names of their own, and no card is there twice."""
    game, bots = load(name), (Recorder(), Recorder())
    for seed in range(60):
        cards = referee(game, bots, seed, seed).play.names[:2]
        for seat, bot in enumerate(bots):
            words = {str(word) for step in bot.heard for word in step}
            assert cards[seat] in words
            assert cards[1 - seat] not in words


GAMES = [
    "kuhn",
    "leduc",
    "liars_dice(faces=3)",
    "goofspiel(cards=4)",
    "rps",
    "scotland_yard(rounds=3)",
    "openspiel:leduc_poker",
]


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_hears_is_a_function_of_its_infostate(name: str) -> None:
    """Plays that lead a seat to the same infostate sound the same to it, whatever is hidden there."""
    game = load(name)
    store = StateStore(DerivedView(game, merge=False))
    bots = Recorder(), Recorder()
    heard: dict[tuple[int, int, int], list[tuple[Hashable, ...]]] = {}
    worlds: dict[tuple[int, int, int], set[Hashable]] = {}
    for seed in range(150):
        table, node, place = Table(game, bots, seed), ROOT, 0
        while not table.is_over:
            before = table.play.world
            action = table.step()
            node, place = move_world(store, node, place, game.moves(before).index(action))
            for seat in range(NUM_PLAYERS):
                key = seat, node, rows_of(store, node, place)[seat]
                assert heard.setdefault(key, list(bots[seat].heard)) == bots[seat].heard
                worlds.setdefault(key, set()).add(table.play.world)
    assert max(map(len, worlds.values())) > 1  # something was hidden
