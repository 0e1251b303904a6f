"""Bots from how they are written."""

from pathlib import Path

import pytest

from sog.agents.boards import BoardBot
from sog.agents.bot import Bot
from sog.agents.making import BotMaker, make_evaluator, settings_of
from sog.agents.methods import parse_method
from sog.agents.rebel import RebelBot
from sog.agents.searching import SearchBot
from sog.agents.seated import UniformBot
from sog.agents.specs import parse_bot
from sog.agents.table import Table
from sog.core.errors import InputError
from sog.games.registry import load
from sog.matches.openings import read_opening
from sog.nets.agents import load_agent, save_agent
from sog.search.rebel import RebelSettings
from sog.search.settings import SearchSettings
from sog.solvers.solver import Solver
from tests.agents.test_searching import against_uniform, play_out
from tests.nets.test_agents import untrained


def make(game: str, text: str) -> Bot:
    return BotMaker(load(game)).make(parse_bot(text))[0]


@pytest.mark.parametrize(
    ("name", "line", "best"),
    [
        ("connect_four", "d e d e d e", "d"),
        ("tictactoe", "b2 a3 a1 c1", "c3"),
        ("chess", "e4 e5 Qh5 Nc6 Bc4 Nf6", "h5f7"),
    ],
)
@pytest.mark.parametrize("method", ["gtcfr:200,1", "mcts:200"])
def test_untrained_agents_win_where_one_move_wins(name: str, line: str, best: str, method: str) -> None:
    game = load(name)
    bot = make(name, f"untrained@{method}")
    table = Table(game, (bot, UniformBot()), 1, opening=read_opening(game, line).actions)
    table.step()
    assert table.play.names[-1] == best


@pytest.mark.parametrize("name", ["tictactoe", "openspiel:dark_hex(board_size=2)", "leduc"])
def test_untrained_agents_beat_uniform_play_by_search_alone(name: str) -> None:
    assert against_uniform(load(name), make(name, "untrained@gtcfr:60,1"), 24) > 0.25


def test_solutions_play_well_and_alike(tmp_path: Path) -> None:
    game, path = load("leduc"), tmp_path / "leduc.npz"
    solver = Solver(game, "cfr+")
    solver.run(iterations=60)
    solver.save(path)
    maker = BotMaker(game)
    saved, words = maker.make(parse_bot(str(path)))
    assert words == f"plays a policy that is exploitable by {solver.exploitability():.3g} a game"
    solved, _ = maker.make(parse_bot("solved"))
    assert against_uniform(game, solved, 200) > 0.3
    again = BotMaker(game).make(parse_bot(str(path)))[0]
    assert [play_out(game, (saved, again), seed) for seed in range(20)] == [
        play_out(game, (again, saved), seed) for seed in range(20)
    ]


def test_agents_play_as_they_have_learned(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.npz"
    save_agent(path, untrained("kuhn", steps=5))
    assert isinstance(make("kuhn", str(path)), SearchBot)
    save_agent(path, untrained("kuhn", steps=5)._replace(rebel={"depth": 1, "iterations": 3}))
    bot, words = BotMaker(load("kuhn")).make(parse_bot(str(path)))
    assert isinstance(bot, RebelBot)
    assert (
        words == "has learned the game for 5 steps and searches at each turn:"
        " ReBeL(cfr-d,depth=1,iterations=3)"
    )
    assert isinstance(make("kuhn", f"{path}@gtcfr:5,1"), SearchBot)
    agent = untrained("kuhn")._replace(rebel={"depth": 3})
    assert settings_of(agent, None) == RebelSettings(depth=3)
    assert settings_of(agent, parse_method("8,1")) == SearchSettings(simulations=8)


def test_an_agent_plays_with_the_search_that_it_brings_along(tmp_path: Path) -> None:
    told = load_agent("kuhn")._replace(search="1,0.02,is_safe=0")
    save_agent(tmp_path / "told.npz", told)
    agent = load_agent(str(tmp_path / "told.npz"))
    assert settings_of(agent, None) == SearchSettings(simulations=1, per_update=0.02, is_safe=False)
    assert settings_of(agent, parse_method("8,1")) == SearchSettings(simulations=8)
    assert settings_of(load_agent("kuhn"), None) == SearchSettings()


def test_what_cannot_play_is_refused() -> None:
    for game, text, words in (
        ("leduc", "untrained@mcts:5", "for boards that hide nothing, not leduc"),
        ("leduc", "mcts:5", "try is-mcts"),
        ("kuhn", "leduc", "is an agent of leduc, not of kuhn"),
    ):
        with pytest.raises(InputError, match=words):
            make(game, text)


def test_an_agent_searches_a_board_as_a_board() -> None:
    """An option that only boards know changes what it finds."""
    game = load("tictactoe")
    evaluator, found = make_evaluator(untrained("tictactoe"), game), []
    for option in (False, True):
        bot = BoardBot(evaluator, SearchSettings(simulations=200, learns_everywhere=option))
        bot.begin(game, 0, seed=1)
        found.append(bot.explain().weights)
    assert found[0] != found[1]
