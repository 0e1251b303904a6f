"""Engines behind UCI and GTP, real ones and some that go wrong."""

import sys
from pathlib import Path

import pytest

from sog.agents.bot import RESIGNS, Limits
from sog.agents.engine_process import EngineError, EngineProcess
from sog.agents.gtp_engine import GtpBot
from sog.agents.seated import UniformBot
from sog.agents.table import Table
from sog.agents.uci_engine import UciBot
from sog.core.errors import InputError
from sog.games.chess.game import Chess
from sog.games.go.game import Go
from tests.games.go.gnugo import needs_gnugo
from tests.interfaces.protocols.test_uci import needs_stockfish

FAKE = Path(__file__).parent / "fake_engine.py"
QUICK = 1.0  # seconds of patience


def fake(manner: str) -> str:
    return f"{sys.executable} {FAKE} {manner}"


@needs_stockfish
def test_stockfish_plays_what_mates() -> None:
    bot = UciBot("stockfish", {"Skill Level": "20", "nodes": "2000", "hash": "8"}, 60)
    chess = Chess()
    world, line = chess.initial_world(), []
    for name in ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6"]:
        line.append(chess.notation.find(world, name) or 0)
        world = chess.apply(world, line[-1])
    mates = Table(chess, (bot, UniformBot()), 0, opening=line)
    mates.step()
    assert mates.play.names[-1] == "h5f7"
    position = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"
    mates = Table(Chess(position), (bot, UniformBot()), 0)
    mates.step(Limits(seconds=0.1))
    assert mates.play.names == ["g5g7"]
    bot.begin(Chess(), 0, 0, Chess(position).initial_world())
    assert bot.act(["g5g6", "g5g7"], Limits(simulations=2000)) == 1
    bot.close()


@needs_gnugo
def test_gnugo_hears_of_every_move() -> None:
    game = Go(size=5)
    bot = GtpBot("gnugo --mode gtp --level 1", game, 60)
    for _ in range(2):  # games
        table = Table(game, (bot, UniformBot()), 0, opening=[12, 13])
        for _ in range(8):
            table.step()
        assert len(table.play.actions) == 10
    bot.close()


@pytest.mark.parametrize(
    ("manner", "words"),
    [
        ("crashes", "segmentation fault"),
        ("sleeps", "no answer for 1 seconds"),
        ("chatters", "no answer for 1 seconds"),
        ("cheats", "'e2e5', which is no legal move"),
        ("babbles", "no legal move"),
    ],
)
def test_uci_engines_that_go_wrong(manner: str, words: str) -> None:
    bot = UciBot(fake(manner), {"nodes": "1"}, QUICK)
    table = Table(Chess(), (bot, UniformBot()), 0)
    with pytest.raises(EngineError, match=words):
        table.step()
    bot.close()


@pytest.mark.parametrize(
    ("manner", "words"),
    [
        ("crashes", "segmentation fault"),
        ("sleeps", "no answer for 1 seconds"),
        ("chatters", "no answer for 1 seconds"),
        ("cheats", "'Z99', which is no legal move"),
        ("refuses", "refused 'play black A1' .illegal move."),
    ],
)
def test_gtp_engines_that_go_wrong(manner: str, words: str) -> None:
    game = Go(size=5)
    bot = GtpBot(fake(manner), game, QUICK)
    table = Table(game, (UniformBot(), bot), 0, opening=[0])
    with pytest.raises(EngineError, match=words):
        table.step()
    bot.close()


def test_engines_may_resign() -> None:
    game = Go(size=5)
    bot = GtpBot(fake("resigns"), game, QUICK)
    assert Table(game, (bot, UniformBot()), 0).step() == RESIGNS
    with pytest.raises(InputError, match="begin with an empty board"):
        bot.begin(game, 0, 0, game.initial_world())
    bot.close()


def test_engines_that_never_begin_are_refused_in_one_line() -> None:
    with pytest.raises(InputError, match=r"no UCI engine.*network\.bin"):
        UciBot(fake("dies-at-once"), {}, QUICK)
    with pytest.raises(InputError, match=r"no GTP engine.*network"):
        GtpBot(fake("dies-at-once"), Go(size=5), QUICK)
    with pytest.raises(InputError, match="no answer for 1 seconds"):
        UciBot(fake("mute"), {}, QUICK)
    with pytest.raises(InputError, match=r"no option 'Hsah' \(it has nodes, depth, movetime, Hash\)"):
        UciBot(fake("cheats"), {"Hsah": "1"}, QUICK)
    for command in ("no-such-program", "", "'"):
        with pytest.raises(InputError):
            EngineProcess(command, QUICK)


def test_engines_are_ended() -> None:
    engine = EngineProcess(fake("sleeps"), QUICK)
    engine.send("go")  # and now it sleeps, and hears nothing
    engine.close("quit")
    assert engine._process.poll() is not None
