from collections import Counter

import pytest

from sog.agents.seated import UniformBot
from sog.agents.table import Table
from sog.games.base import CHANCE
from sog.games.registry import load


def deals(table: Table) -> list[str]:
    """Play to the end; return what chance dealt."""
    found = []
    while not table.is_over:
        turn = table.play.turn
        table.step()
        if turn == CHANCE:
            found.append(table.play.names[-1])
    return found


def test_the_same_chance_deals_the_same_cards_whatever_is_played() -> None:
    game = load("leduc")
    for chance in range(10):
        games = [deals(Table(game, (UniformBot(), UniformBot()), seed, chance)) for seed in range(6)]
        longest = max(games, key=len)
        assert all(dealt == longest[: len(dealt)] for dealt in games)
        assert len({len(dealt) for dealt in games}) <= 2


def test_chance_is_drawn_as_the_rules_say() -> None:
    game, counts = load("openspiel:leduc_poker"), Counter[str]()
    for seed in range(600):
        counts[deals(Table(game, (UniformBot(), UniformBot()), seed))[0]] += 1
    assert len(counts) == 6
    assert all(60 <= count <= 145 for count in counts.values())


@pytest.mark.parametrize("name", ["kuhn", "tictactoe", "openspiel:dark_hex(board_size=2)"])
def test_games_repeat_by_their_seed(name: str) -> None:
    game = load(name)
    plays = []
    for _ in range(2):
        table = Table(game, (UniformBot(), UniformBot()), 3)
        deals(table)
        plays.append(table.play.names)
    assert plays[0] == plays[1]
