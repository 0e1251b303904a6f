"""Programs that play one kind of game, in matches like any other bot."""

import numpy as np
import pytest

from sog.agents.bot import Limits
from sog.agents.making import BotMaker
from sog.agents.seated import UniformBot
from sog.agents.specs import ProgramSpec, check_bot, parse_bot
from sog.agents.table import Table
from sog.core.errors import InputError
from sog.games.programs import PROGRAMS
from sog.games.registry import load


def test_programs_are_written_by_name() -> None:
    assert parse_bot("pimbot:100,history=0") == ProgramSpec("pimbot", "100,history=0")
    assert set(PROGRAMS) == {"pimbot"}


@pytest.mark.parametrize(
    ("text", "game", "complaint"),
    [
        ("pimbot:10", "leduc", "pimbot plays Scotland Yard, not leduc"),
        ("pimbot", "scotland_yard", "pimbot: write the simulations of a move, such as 1000, not ''"),
        ("pimbot:0", "scotland_yard", "pimbot: simulations must be from 1"),
        ("pimbot:5,speed=1", "scotland_yard", "pimbot: unknown key 'speed'"),
    ],
)
def test_what_cannot_be_played_is_refused(text: str, game: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        check_bot(parse_bot(text), load(game))
    assert str(caught.value).startswith(complaint)


@pytest.mark.parametrize("name", ["scotland_yard", "scotland_yard(map=london)"])
def test_both_seats(name: str) -> None:
    game = load(name)
    bot, words = BotMaker(game).make(parse_bot("pimbot:40"))
    other, _ = BotMaker(game).make(parse_bot("pimbot:40"))
    assert words == "is pimbot (40)"
    for seed in range(2):
        table = Table(game, (bot, other), seed)
        while not table.is_over:
            table.step()
    table = Table(game, (bot, UniformBot()), 3)
    while table.play.turn != 0:
        table.step()
    explained = bot.explain()
    assert sum(explained.weights) == explained.simulations == 40
    table.step()
    assert table.play.names[-1] == explained.names[explained.best]  # what was visited most, never drawn


def test_seconds_limit_simulations() -> None:
    """However many are asked for: a tree for all of them would not fit into memory."""
    game = load("scotland_yard")
    bot, _ = BotMaker(game).make(parse_bot("pimbot:40"))
    Table(game, (bot, UniformBot()), 0)
    names = bot.explain().names
    bot.act(names, Limits(simulations=10**12, seconds=0.01))
    assert 0 < sum(bot.explain().weights) < 10**7


def test_limits_count() -> None:
    game = load("scotland_yard")
    bot, _ = BotMaker(game).make(parse_bot("pimbot:40"))
    table = Table(game, (bot, UniformBot()), 0)
    table.step(Limits(simulations=7))
    table = Table(game, (bot, UniformBot()), 0)
    weights = np.array(bot.explain().weights)
    assert weights.sum() == 40
