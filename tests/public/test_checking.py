"""Games that break a promise each: the check names it, and what grows from worlds refuses it."""

from math import nan
from typing import Any

import pytest

from examples.coin import Coin
from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL, Encoding
from sog.games.picture import History, Picture, lines
from sog.games.promises import BrokenPromiseError
from sog.games.registry import load
from sog.games.tictactoe import TicTacToe
from sog.public.checking import check
from sog.public.enumeration import enumerate_game
from sog.public.opening import open_store
from tests.games.walks import sizes
from tests.random_game import RandomGame

Change = dict[str, Any]


def coin(**changes: Any) -> Coin:
    """A coin game with other methods or facts."""
    methods = {name: value for name, value in changes.items() if callable(value)}
    facts = {name: value for name, value in changes.items() if not callable(value)}
    game: Coin = type("Wrong", (Coin,), methods)()
    game.info = game.info._replace(**facts)
    return game


def lists(self: Coin, world: Any, action: int) -> Any:
    return [*world, action]


TOUCHED: list[tuple[Change, str]] = [  # by whatever lists public states
    ({"returns": lambda self, w: (1.0, -0.5)}, "returns must be (u, -u), not (1.0, -0.5)"),
    ({"returns": lambda self, w: (nan, -nan)}, "returns must be (u, -u), not (nan, nan)"),
    ({"max_utility": 1.5}, "returns must not exceed info.max_utility, 1.5, not (-2.0, 2.0)"),
    ({"is_won_or_lost": True}, "a game with info.is_won_or_lost must win or lose info.max_utility"),
    ({"chance_outcomes": lambda self, w: ((0, 0.6), (1, 0.6))}, "probabilities that sum to 1, not 1.2"),
    ({"chance_outcomes": lambda self, w: ((0, 1.6), (1, -0.6))}, "positive probabilities, not [1.6, -0.6]"),
    ({"chance_outcomes": lambda self, w: ((0, nan), (1, 0.5))}, "positive probabilities, not [nan, 0.5]"),
    ({"chance_outcomes": lambda self, w: ()}, "sum to 1, not 0"),
    ({"chance_outcomes": lambda self, w: ((1, 0.5), (0, 0.5))}, "chance_outcomes must ascend, not [1, 0]"),
    ({"num_actions": 1}, "must be below info.num_actions, 1, not "),
    ({"legal_actions": lambda self, w: (0, 2)}, "must be below info.num_actions, 2, not (0, 2)"),
    ({"legal_actions": lambda self, w: (1, 0)}, "legal_actions must ascend, not (1, 0)"),
    ({"legal_actions": lambda self, w: (0, 0)}, "legal_actions must ascend, not (0, 0)"),
    ({"legal_actions": lambda self, w: ()}, "legal_actions must not be empty"),
    ({"max_length": 2}, "a play must end within info.max_length, 2 moves"),
    ({"actor": lambda self, w: CHANCE}, "a play must end within info.max_length, 3 moves"),
    ({"actor": lambda self, w: 7}, "actor must be 0, 1, CHANCE or TERMINAL, not 7"),
    ({"actor": lambda self, w: (CHANCE, 0, 5, TERMINAL)[len(w)]}, "CHANCE or TERMINAL, not 5"),
    ({"apply": lists}, "worlds must be hashable, not a list ([0])"),
    ({"public_observation": lambda self, b, a, c: ["x"]}, "observations must be hashable, not a list"),
    ({"private_observation": lambda self, p, b, a, c: {}}, "observations must be hashable, not a dict"),
]


@pytest.mark.parametrize(("changes", "promise"), TOUCHED, ids=[promise for _, promise in TOUCHED])
def test_what_a_view_touches_is_refused_and_named(changes: Change, promise: str) -> None:
    report = check(coin(**changes))
    assert promise in report.broken[0].promise
    assert report.broken[0].where.startswith("in the world ")
    assert not report.is_good
    with pytest.raises(BrokenPromiseError) as caught:
        enumerate_game(coin(**changes))
    assert promise.partition(", not")[0] in str(caught.value)
    assert str(caught.value).startswith("coin breaks a promise: ")


def moves_on(self: Coin, world: Any) -> int:
    """Who is asked depends on the hidden coin."""
    return (CHANCE, 0, 1 if world[:1] == (0,) else 0, TERMINAL)[len(world)]


def more_for_heads(self: Coin, world: Any) -> tuple[int, ...]:
    """What player 1 may do depends on the hidden coin."""
    return (0,) if len(world) == 2 and world[0] == 0 else (0, 1)


def fails(self: Coin, world: Any, action: int) -> Any:
    raise ValueError("oh no")


class Counting(Coin):
    """Utilities that depend on how often they were asked for."""

    made = 0

    def apply(self, world: Any, action: int) -> Any:
        return (*world, action) if len(world) < 2 else (0, 0, 0)

    def returns(self, world: Any) -> tuple[float, float]:
        Counting.made += 1
        return Counting.made % 3 * 0.5, Counting.made % 3 * -0.5


class Growing(tuple[int, ...]):
    """A world that can change."""

    marks = 0

    def __repr__(self) -> str:
        return f"{tuple(self)} marked {self.marks}"


class Marking(Coin):
    def initial_world(self) -> Any:
        return Growing()

    def apply(self, world: Any, action: int) -> Any:
        world.marks = 1 + getattr(world, "marks", 0)
        return Growing((*world, action))


class Encoded(Coin):
    encoding = Encoding(features=(1,), private=(2, 1), choices=2)

    def public_features(self, world: Any) -> list[float]:
        return [float(len(world))]

    def private_index(self, player: int, world: Any) -> int:
        return int(world[0]) if player == 0 and world else 0


class Telling(Encoded):
    def public_features(self, world: Any) -> list[float]:
        return [float(sum(world[:1]))]  # the hidden coin


class Blind(Encoded):
    def private_index(self, player: int, world: Any) -> int:
        return 0


class Wide(Encoded):
    def choice_index(self, world: Any, action: int) -> int:
        return 2 * action


class Showing(Coin):
    def show(self, history: History, seat: int) -> Picture:
        return lines(str(history.worlds[-1][:1]))  # the hidden coin


SEEN = [
    (coin(actor=moves_on), "who acts must be public, not "),
    (coin(legal_actions=more_for_heads), "player 1 must know its legal actions, not "),
    (coin(action_name=lambda self, w, a: "move"), "action_name must name each move differently, not "),
    (coin(apply=fails), "apply fails with ValueError: oh no"),
    (coin(is_perfect_information=True), "nothing is private with perfect information"),
    (Counting(), "equal worlds must have equal futures, not "),
    (Marking(), "apply must leave its argument as it was"),
    (Telling(), "public_features and value_scale must be equal in all worlds of a public state"),
    (Blind(), "private_index must tell the infostates of player 0 apart"),
    (Showing(), "show must draw what player 1 knows, and nothing else, not "),
    (Wide(), "choice_index must be a number below 2 for each action, not (0, 2)"),
]


@pytest.mark.parametrize(("game", "promise"), SEEN, ids=[promise for _, promise in SEEN])
def test_what_only_plays_show_is_named(game: Coin, promise: str) -> None:
    found = [broken.promise for broken in check(game).broken]
    assert any(each.startswith(promise) for each in found), found


@pytest.mark.parametrize("game", [coin(actor=moves_on), coin(legal_actions=more_for_heads)])
def test_views_refuse_what_is_not_known(game: Coin) -> None:
    with pytest.raises(InputError, match="coin breaks a promise"):
        enumerate_game(game)


def test_a_board_s_view_checks_too() -> None:
    class Lost(TicTacToe):
        def returns(self, world: Any) -> tuple[float, float]:
            return 1.0, 1.0

    with pytest.raises(BrokenPromiseError, match=r"returns must be \(u, -u\)"):
        open_store(Lost()).locate([0] * 7)


@pytest.mark.parametrize("seed", range(5))
def test_good_games_are_counted(seed: int) -> None:
    game, counted = RandomGame(seed), sizes(RandomGame(seed))
    report = check(game)
    assert report.is_good
    assert report.plays is None
    assert (report.histories, report.infostates) == (counted.histories, counted.infostates)


def test_the_encoded_game_is_good() -> None:
    assert check(Encoded()).is_good


def test_large_games_are_sampled() -> None:
    report = check(load("tictactoe"), plays=3)
    assert (report.plays, report.is_good) == (3, True)
    assert report == check(load("tictactoe"), plays=3)._replace(moves_per_second=report.moves_per_second)
    assert str(report).startswith("tictactoe keeps its promises (3 random plays)\n")
