from collections import Counter
from random import Random

import pytest

from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.games.registry import load
from sog.interfaces.opponents import Opponent, UniformOpponent
from sog.interfaces.searching_opponents import (
    IsMctsOpponent,
    IsMctsSettings,
    MctsOpponent,
    MctsSettings,
    parse_search,
)
from sog.public.enumeration import enumerate_game
from tests.interfaces.conftest import Sog


def play_once(game: AnyGame, players: tuple[Opponent, Opponent], random: Random) -> float:
    """Player 0's utility of one play."""
    world = game.initial_world()
    while (actor := game.actor(world)) != TERMINAL:
        if actor == CHANCE:
            outcomes = game.chance_outcomes(world)
            actions = [outcome for outcome, _ in outcomes]
            move = random.choices(range(len(actions)), [chance for _, chance in outcomes])[0]
        else:
            actions = list(game.legal_actions(world))
            move = players[actor].choose(len(actions), random)
        for player in players:
            player.note(move)
        world = game.apply(world, actions[move])
    return game.returns(world)[0]


@pytest.mark.parametrize("seat", [0, 1])
def test_mcts_never_loses_tictactoe(seat: int) -> None:
    game, random = load("tictactoe"), Random(seat)
    results = Counter[float]()
    for _ in range(30):
        searching, other = MctsOpponent(game, MctsSettings(simulations=1000)), UniformOpponent()
        utility = play_once(game, (searching, other) if seat == 0 else (other, searching), random)
        results[utility if seat == 0 else -utility] += 1
    assert results[-1] == 0
    assert results[1] > 15


def test_mcts_follows_chance() -> None:
    game, random = load("openspiel:pig(players=2,winscore=8,horizon=40)"), Random(1)
    total = 0.0
    for seat in (0, 1) * 20:
        searching, other = MctsOpponent(game, MctsSettings(simulations=100)), UniformOpponent()
        utility = play_once(game, (searching, other) if seat == 0 else (other, searching), random)
        total += utility if seat == 0 else -utility
    assert total > 10


@pytest.mark.parametrize(
    "name", ["leduc", "scotland_yard(rounds=2)", "liars_dice(faces=3)", "openspiel:dark_hex(board_size=2)"]
)
def test_is_mcts_beats_uniform_play(name: str) -> None:
    game, random = load(name), Random(2)
    tree = enumerate_game(game)
    total = 0.0
    for seat in (0, 1) * 8:
        searching = IsMctsOpponent(tree, IsMctsSettings(simulations=300))
        other = UniformOpponent()
        utility = play_once(game, (searching, other) if seat == 0 else (other, searching), random)
        total += utility if seat == 0 else -utility
    assert total > 0


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("mcts", MctsSettings()),
        ("mcts:7", MctsSettings(7)),
        (" is-mcts:50 ", IsMctsSettings(50)),
        ("mcts(exploration=0.5,solve=False)", MctsSettings(1000, 0.5, False)),
        ("is-mcts(simulations=9,final=max-value)", IsMctsSettings(9, None, "max-value")),
        ("mcts.npz", None),
        ("uniform", None),
    ],
)
def test_settings_are_read(text: str, settings: MctsSettings | IsMctsSettings | None) -> None:
    assert parse_search(text) == settings


def test_seeds_repeat_a_game(sog: Sog) -> None:
    for game, opponent in (("tictactoe", "mcts:50"), ("leduc", "is-mcts:50")):
        typed = "1\n2\n3\n4\n5\n6\n7\n8\n9\n" * 3
        games = [sog("play", game, "--opponent", opponent, "--seed", 5, typed=typed) for _ in range(2)]
        assert games[0] == games[1]
        assert "The game is over." in games[0].out
