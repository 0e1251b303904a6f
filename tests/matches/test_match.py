import pytest

from sog.agents.rollouts import MctsBot, MctsSettings
from sog.agents.seated import UniformBot
from sog.core.errors import InputError
from sog.games.notation import GameRecord
from sog.games.registry import load
from sog.matches.match import play_match


def test_a_match_in_one_call() -> None:
    heard: list[GameRecord] = []
    result = play_match("leduc", ["uniform", "solved", "is-mcts:50"], games=20, on_game=heard.append)
    assert heard == result.records
    assert len(result.records) == 60
    assert sum(won.total.value for won in result.table.winnings) == pytest.approx(0, abs=1e-9)
    values = [won.total.value for won in result.table.winnings]
    assert values == sorted(values, reverse=True)
    lines = str(result).splitlines()
    assert lines[0] == "leduc: 60 games, mbb/h a game with 95 % intervals"
    assert len(lines) == 4
    again = play_match(load("leduc"), ["uniform", "solved", "is-mcts:50"], games=20)
    assert [record.moves for record in again.records] == [record.moves for record in result.records]


def test_bots_of_ones_own() -> None:
    players = {"mine": UniformBot(), "theirs": MctsBot(MctsSettings(50))}
    result = play_match("tictactoe", players, games=12, seed=3)
    assert result.table.lines[0].name == "theirs"
    assert {record.opening for record in result.records} == {4}
    assert {record.opening for record in play_match("tictactoe", players, 2, opening_moves=1).records} == {1}


def test_what_is_no_match_is_refused() -> None:
    for players, games in ((["uniform"], 2), (["uniform", "solved"], 3), (["uniform", "solved"], 0)):
        with pytest.raises(InputError, match="two players or more and an even number of games"):
            play_match("kuhn", players, games)
