from collections.abc import Hashable, Sequence
from typing import Any

import pytest

from sog.agents.bot import NO_LIMITS, RESIGNS, Bot, Explanation, Limits, Watch
from sog.agents.engine_process import EngineError
from sog.agents.seated import UniformBot
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.chess.game import Chess
from sog.games.go.game import Go
from sog.games.registry import load
from sog.matches.openings import Opening
from sog.matches.referee import DRAW, LOSS, WIN, Verdict, referee


class Script:
    """Plays what it was told, and then resigns or fails."""

    def __init__(self, *names: str, fails_to_begin: bool = False) -> None:
        self._names, self._fails = list(names), fails_to_begin

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        if self._fails:
            raise EngineError("it did not begin")

    def observe(self, public: Hashable, private: Hashable, move: int | None = None) -> None:
        pass

    def act(self, moves: Sequence[str], limits: Limits = NO_LIMITS, watch: Watch | None = None) -> int:
        if not self._names:
            raise EngineError("it has no moves left")
        name = self._names.pop(0)
        return RESIGNS if name == "resign" else list(moves).index(name)

    def explain(self) -> Explanation:
        raise ValueError

    def close(self) -> None:
        pass


Ending = tuple[float, str, int | None]


def judge(game: AnyGame, first: Bot, second: Bot, opening: Opening = Opening()) -> Ending:  # noqa: B008
    verdict = referee(game, (first, second), 0, 0, opening)
    return verdict.score, verdict.reason, verdict.forfeit


def test_mate_wins() -> None:
    chess = Chess()
    verdict = judge(chess, Script("f2f3", "g2g4"), Script("e7e5", "d8h4"))
    assert verdict == (LOSS, "checkmate", None)
    verdict = judge(chess, Script("g5g7"), Script(), Opening("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"))
    assert verdict == (WIN, "checkmate", None)


def test_long_games_are_draws_in_chess_and_scored_in_go() -> None:
    chess, dance = Chess().notation.open(max_moves=3), (Script("g1f3", "f3g1"), Script("g8f6", "f6g8"))
    assert judge(chess, *dance) == (DRAW, "move limit", None)
    go = Go(size=5, komi=7.5).notation.open(max_moves=3)
    assert judge(go, Script("C3", "pass"), Script("pass")) == (WIN, "B+17.5", None)
    assert go.info.name == "go(size=5,komi=7.5,max_length=3)"
    assert load(go.info.name).info == go.info
    with pytest.raises(InputError, match="ends by itself"):
        load("connect_four").notation.open(max_moves=10)


def test_two_passes_are_scored() -> None:
    verdict = judge(Go(size=5, komi=0), Script("pass"), Script("pass"))
    assert verdict == (DRAW, "0", None)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (Script("resign"), Script(), (LOSS, "resignation", None)),
        (Script("e2e4"), Script("resign"), (WIN, "resignation", None)),
        (Script(), Script(), (LOSS, "it has no moves left", 0)),
        (Script("e2e4"), Script(), (WIN, "it has no moves left", 1)),
        (Script(fails_to_begin=True), Script(), (LOSS, "it did not begin", 0)),
        (Script(), Script(fails_to_begin=True), (WIN, "it did not begin", 1)),
    ],
)
def test_who_gives_up_or_fails_has_lost(
    first: Script, second: Script, expected: tuple[float, str, int | None]
) -> None:
    assert judge(Chess(), first, second) == expected


@pytest.mark.parametrize(
    "name", ["tictactoe", "connect_four", "breakthrough", "go(size=3)", "chess", "leduc"]
)
def test_random_games_end_and_repeat(name: str) -> None:
    verdicts: list[Verdict] = []
    for _ in range(2):
        verdicts.append(referee(load(name), (UniformBot(), UniformBot()), 5, 6))
    assert verdicts[0].play.names == verdicts[1].play.names
    assert verdicts[0].utility == verdicts[1].utility
    assert verdicts[0].reason


def test_points_are_by_who_wins() -> None:
    found = set()
    for seed in range(40):
        verdict = referee(load("kuhn"), (UniformBot(), UniformBot()), seed, seed)
        found.add((verdict.utility, verdict.score))
    assert found == {(-2.0, LOSS), (-1.0, LOSS), (1.0, WIN), (2.0, WIN)}
