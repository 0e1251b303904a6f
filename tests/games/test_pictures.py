"""Pictures: what they show, and that they show no more than a seat can know."""

from collections.abc import Hashable, Iterator
from random import Random

import pytest

from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame
from sog.games.picture import History, text_of
from sog.games.registry import GAMES, load
from sog.games.scotland_yard.game import ScotlandYard
from sog.games.scotland_yard.picture import possible_stations

HIDING = (
    *("kuhn", "leduc", "liars_dice(dice=1,faces=3)", "goofspiel(cards=3)", "goofspiel(cards=3,bids=shown)"),
    *("goofspiel(cards=3,order=random)", "scotland_yard", "scotland_yard(reveals=[2,4])", "rps"),
)
_MOST = 6000  # histories of a game


def histories(game: AnyGame, random: Random, most: int = _MOST) -> Iterator[History]:
    """Yield histories, all of them if there are not too many, in a random order."""
    waiting = [History((game.initial_world(),), ())]
    while waiting and most > 0:
        history = waiting.pop(random.randrange(len(waiting)))
        most -= 1
        yield history
        if game.actor(history.world) != TERMINAL:
            waiting += [grown(game, history, action) for action in game.moves(history.world)]


def grown(game: AnyGame, history: History, action: int) -> History:
    return History((*history.worlds, game.apply(history.world, action)), (*history.actions, action))


def play(game: AnyGame, *names: str) -> History:
    history = History((game.initial_world(),), ())
    for name in names:
        named = {game.action_name(history.world, action): action for action in game.moves(history.world)}
        history = grown(game, history, named[name])
    return history


def known(game: AnyGame, history: History, seat: int) -> Hashable:
    """Return all that a seat has seen and done."""
    return tuple(
        (
            game.public_observation(before, action, after),
            game.private_observation(seat, before, action, after),
            action if game.actor(before) == seat else None,
        )
        for before, action, after in zip(history.worlds, history.actions, history.worlds[1:], strict=False)
    )


def check_nothing_leaks(game: AnyGame, plays: Iterator[History]) -> int:
    """Compare the pictures of plays that a seat cannot tell apart; return how many such plays there were."""
    pictures, same = dict[Hashable, str](), 0
    for history in plays:
        for seat in range(NUM_PLAYERS):
            key, drawn = (seat, known(game, history, seat)), text_of(game.show(history, seat))
            same += key in pictures
            assert pictures.setdefault(key, drawn) == drawn
    return same


@pytest.mark.parametrize("name", sorted({*HIDING, *GAMES}))
def test_nothing_hidden_is_shown(name: str) -> None:
    game = load(name)
    if not game.info.is_perfect_information:
        assert check_nothing_leaks(game, histories(game, Random(1))) > 0


def test_mr_x_is_not_given_away_in_london() -> None:
    """Detectives stand where they stand; Mr. X begins anywhere and makes two moves."""
    game = load("scotland_yard(map=london)")
    start = History((game.initial_world(),), ())
    for _ in range(5):
        start = grown(game, start, game.moves(start.world)[0])

    def plays() -> Iterator[History]:
        waiting = [start]
        while waiting:
            history = waiting.pop()
            yield history
            if len(history.actions) < 7:
                waiting += [grown(game, history, action) for action in game.moves(history.world)]

    assert check_nothing_leaks(game, plays()) > 100


def test_a_leak_would_be_seen() -> None:
    class Leaky(type(load("kuhn"))):  # type: ignore[misc]
        def show(self, history: History, seat: int) -> object:
            return super().show(history, 1)

    game: AnyGame = Leaky()
    with pytest.raises(AssertionError):
        check_nothing_leaks(game, histories(game, Random(1)))


@pytest.mark.parametrize(
    "name", ["scotland_yard", "scotland_yard(reveals=[2,4])", "scotland_yard(map=london)"]
)
def test_possible_stations_are_those_of_all_plays_that_look_alike(name: str) -> None:
    """And Mr. X is at one of them in any case."""
    game = load(name)
    assert isinstance(game, ScotlandYard)
    found = dict[Hashable, set[int]]()
    claimed = dict[Hashable, set[int]]()
    for history in histories(game, Random(2), 10**5 if "london" not in name else 3000):
        world = history.world
        if world.turn >= 0:
            key = known(game, history, 1)
            found.setdefault(key, set()).add(world.hider)
            claimed[key] = possible_stations(game, history)
            assert world.hider in claimed[key]
    if "london" not in name:
        assert found == claimed


def test_tic_tac_toe() -> None:
    game = load("tictactoe")
    assert text_of(game.show(play(game, "b2", "a1"), 0)) == "3  .  .  .\n2  .  X  .\n1 [O] .  .\n   a  b  c"


def test_connect_four() -> None:
    game = load("connect_four")
    drawn = text_of(game.show(play(game, "d", "d", "a"), 0)).splitlines()
    assert drawn[4:] == ["2  .  .  .  O  .  .  .", "1 [X] .  .  X  .  .  .", "   a  b  c  d  e  f  g"]


def test_breakthrough() -> None:
    game = load("breakthrough(rows=6,columns=3)")
    drawn = text_of(game.show(play(game, "a5a4"), 1)).splitlines()
    assert drawn == [
        "6  X  X  X",
        "5 [.] X  X",
        "4 [X] .  .",
        "3  .  .  .",
        "2  O  O  O",
        "1  O  O  O",
        "   a  b  c",
    ]


def test_go() -> None:
    game = load("go(size=3)")
    drawn = text_of(game.show(play(game, "A1", "C3", "pass"), 0)).splitlines()
    assert drawn[:4] == ["3  .  .  O", "2  .  .  .", "1  X  .  .", "   A  B  C"]
    assert drawn[4] == "White (O) to move, who was passed to.   Move 4, komi 7.5   Last: pass"
    assert "[O]" in text_of(game.show(play(game, "A1", "C3"), 0))


def test_chess_from_either_side() -> None:
    game = load("chess")
    history = play(game, "e2e4", "f7f5", "d1h5")
    white, black = (text_of(game.show(history, seat)).splitlines() for seat in (0, 1))
    assert white[0] == "8  r  n  b  q  k  b  n  r"
    assert white[3] == "5  .  .  .  .  .  p  . [Q]"
    assert white[7:9] == ["1  R  N  B [.] K  B  N  R", "   a  b  c  d  e  f  g  h"]
    assert black[0] == "1  R  N  B  K [.] B  N  R"
    assert black[8] == "   h  g  f  e  d  c  b  a"
    assert white[9] == black[9] == "Black to move, in check.   1. e4 f5 2. Qh5+"


def test_cards_and_dice() -> None:
    leduc = load("leduc")
    drawn = text_of(leduc.show(play(leduc, "Ks", "Qh", "raise", "call", "Jh", "call"), 1))
    assert drawn.splitlines() == [
        "Your card: Qh   Public card: Jh",
        "Pot: 6 (you 3, opponent 3)",
        "Round 1: opponent raise, you call",
        "Round 2: opponent call",
    ]
    kuhn = load("kuhn")
    assert text_of(kuhn.show(play(kuhn, "J", "K", "bet"), 1)) == "Your card: K   Pot: 3\nBets: opponent bet"
    dice = load("liars_dice(dice=2,faces=6)")
    assert text_of(dice.show(play(dice, "12", "36", "2x3"), 0)) == (
        "Your dice: 1 2   (6 is wild, 4 dice in all)\nBets: you 2x3".replace("Bets", "Bids")
    )


def test_goofspiel() -> None:
    game = load("goofspiel(cards=3)")
    drawn = text_of(game.show(play(game, "1", "3"), 0)).splitlines()
    assert drawn == [
        "Prize: 2   Prizes to come: 3",
        "Your cards: 2 3",
        "Points: you 0, opponent 1",
        "  1: you bid 1, opponent won",
    ]
    over = play(game, "1", "3", "3", "1")
    assert text_of(game.show(over, 0)).splitlines()[-4:] == [
        "Points: you 2, opponent 1",
        "  1: you bid 1, opponent won",
        "  2: you bid 3, you won",
        "  3: you bid 2, discarded",
    ]
    assert game.returns(over.world)[0] == 1


def test_scotland_yard() -> None:
    game = load("scotland_yard(map=london)")
    names = ("13", "26", "29", "34", "50", "91", "double", "taxi 72", "bus 42", "taxi 23")
    detectives, hider = (text_of(game.show(play(game, *names), seat)) for seat in (1, 0))
    assert "Mr. X has made 2 of 24 moves.   Mr. X is shown after move 3." in detectives
    assert "Log: double:  1 taxi  2 bus\n" in detectives
    assert "Detective 1 at 23: 9 taxi, 8 bus, 4 underground\n" in detectives
    assert "Detective 2 at 26: 10 taxi, 8 bus, 4 underground <- to move" in detectives
    assert "Mr. X: 4 taxi, 2 bus, 3 underground, 5 black, 1 double moves" in detectives
    assert "You are at 42." in hider
    assert "You are at" not in detectives


@pytest.mark.parametrize("name", ["openspiel:tic_tac_toe", "openspiel:kuhn_poker", "openspiel:goofspiel"])
def test_other_games_are_told(name: str) -> None:
    game = load(name)
    for history in histories(game, Random(1), 50):
        for seat in range(NUM_PLAYERS):
            assert text_of(game.show(history, seat))
