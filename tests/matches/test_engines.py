"""Engines behind UCI and GTP, real ones and some that go wrong."""

import sys
from pathlib import Path

import pytest

from sog.core.errors import InputError
from sog.games.chess.game import Chess
from sog.games.go.game import Go
from sog.matches.engine_process import EngineError, EngineProcess
from sog.matches.gtp_engine import GtpEngine
from sog.matches.play import RESIGNS, Opening, Play
from sog.matches.uci_engine import UciEngine
from tests.games.go.gnugo import needs_gnugo
from tests.interfaces.test_uci import needs_stockfish

FAKE = Path(__file__).parent / "fake_engine.py"
QUICK = 1.0  # seconds of patience


def fake(manner: str) -> str:
    return f"{sys.executable} {FAKE} {manner}"


@needs_stockfish
def test_stockfish_plays_what_mates() -> None:
    engine = UciEngine("stockfish", {"Skill Level": "20", "nodes": "2000", "hash": "8"}, 60)
    play = Play(Chess(), Opening())
    for name in ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6"]:
        play.add(play.find(name) or 0)
    engine.begin(play, 0)
    play.add(engine.choose(play))
    assert play.names[-1] == "h5f7"
    opening = Opening("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
    play = Play(Chess(opening.position), opening)
    engine.begin(play, 0)
    play.add(engine.choose(play))
    assert play.names == ["g5g7"]
    engine.close()


@needs_gnugo
def test_gnugo_hears_of_every_move() -> None:
    game = Go(size=5)
    engine = GtpEngine("gnugo --mode gtp --level 1", game, 60)
    for _ in range(2):  # games
        play = Play(game, Opening("", (12, 13)))
        engine.begin(play, 0)
        for _ in range(4):
            play.add(engine.choose(play))
            play.add(game.legal_actions(play.world)[0])
        assert len(play.actions) == 10
    engine.close()


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
    engine = UciEngine(fake(manner), {"nodes": "1"}, QUICK)
    play = Play(Chess(), Opening())
    engine.begin(play, 0)
    with pytest.raises(EngineError, match=words):
        engine.choose(play)
    engine.close()


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
    engine = GtpEngine(fake(manner), game, QUICK)
    play = Play(game, Opening("", (0,)))
    engine.begin(play, 0)
    with pytest.raises(EngineError, match=words):
        engine.choose(play)
    engine.close()


def test_engines_may_resign() -> None:
    game = Go(size=5)
    engine = GtpEngine(fake("resigns"), game, QUICK)
    play = Play(game, Opening())
    engine.begin(play, 0)
    assert engine.choose(play) == RESIGNS
    engine.close()


def test_engines_that_never_begin_are_refused_in_one_line() -> None:
    with pytest.raises(InputError, match=r"no UCI engine.*network\.bin"):
        UciEngine(fake("dies-at-once"), {}, QUICK)
    with pytest.raises(InputError, match=r"no GTP engine.*network"):
        GtpEngine(fake("dies-at-once"), Go(size=5), QUICK)
    with pytest.raises(InputError, match="no answer for 1 seconds"):
        UciEngine(fake("mute"), {}, QUICK)
    with pytest.raises(InputError, match=r"no option 'Hsah' \(it has nodes, depth, movetime, Hash\)"):
        UciEngine(fake("cheats"), {"Hsah": "1"}, QUICK)
    for command in ("no-such-program", "", "'"):
        with pytest.raises(InputError):
            EngineProcess(command, QUICK)


def test_engines_are_ended() -> None:
    engine = EngineProcess(fake("sleeps"), QUICK)
    engine.send("go")  # and now it sleeps, and hears nothing
    engine.close("quit")
    assert engine._process.poll() is not None
