import pytest

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.chess.game import Chess
from sog.games.go.game import Go
from sog.games.registry import load
from sog.matches.contestants import RandomContestant
from sog.matches.engine_process import EngineError
from sog.matches.kinds import begin_play, open_game
from sog.matches.play import DRAW, LOSS, RESIGNS, WIN, Opening, Play, Verdict, referee


class Script:
    """Plays what it was told, and then resigns or fails."""

    def __init__(self, *names: str, fails_to_begin: bool = False) -> None:
        self._names, self._fails = list(names), fails_to_begin

    def begin(self, play: Play, seed: int) -> None:
        if self._fails:
            raise EngineError("it did not begin")

    def choose(self, play: Play) -> int:
        if not self._names:
            raise EngineError("it has no moves left")
        name = self._names.pop(0)
        if name == "resign":
            return RESIGNS
        action = play.find(name)
        assert action is not None
        return action

    def close(self) -> None:
        pass


def judge(game: AnyGame, first: Script, second: Script, opening: Opening = Opening()) -> Verdict:  # noqa: B008
    return referee(begin_play(game, opening), (first, second), 0)


def test_mate_wins() -> None:
    chess = open_game(Chess())
    verdict = judge(chess, Script("f2f3", "g2g4"), Script("e7e5", "d8h4"))
    assert verdict[:3] == (LOSS, "checkmate", None)
    verdict = judge(chess, Script("g5g7"), Script(), Opening("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"))
    assert verdict[:3] == (WIN, "checkmate", None)


def test_long_games_are_draws_in_chess_and_scored_in_go() -> None:
    chess, dance = open_game(Chess(), 3), (Script("g1f3", "f3g1"), Script("g8f6", "f6g8"))
    assert judge(chess, *dance)[:3] == (DRAW, "move limit", None)
    go = open_game(Go(size=5, komi=7.5), 3)
    assert judge(go, Script("C3", "pass"), Script("pass"))[:3] == (WIN, "B+17.5", None)
    assert go.info.name == "go(size=5,komi=7.5,max_length=3)"
    assert load(go.info.name).info == go.info
    with pytest.raises(InputError, match="ends by itself"):
        open_game(load("connect_four"), 10)


def test_two_passes_are_scored() -> None:
    verdict = judge(open_game(Go(size=5, komi=0)), Script("pass"), Script("pass"))
    assert verdict[:3] == (DRAW, "0", None)


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
    assert judge(open_game(Chess()), first, second)[:3] == expected


def test_games_with_secrets_are_refused() -> None:
    with pytest.raises(InputError, match="leduc hides something"):
        open_game(load("leduc"))


@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "breakthrough", "go(size=3)", "chess"])
def test_random_games_end_and_repeat(name: str) -> None:
    game = open_game(load(name))
    plays = [begin_play(game, Opening()) for _ in range(2)]
    verdicts = [referee(play, (RandomContestant(), RandomContestant()), 5) for play in plays]
    assert plays[0].names == plays[1].names
    assert verdicts[0][:3] == verdicts[1][:3]
    assert verdicts[0].reason
