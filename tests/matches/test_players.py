import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.agents.rollouts import MctsSettings
from sog.agents.specs import AgentSpec, GtpSpec, OpenSpielSpec, SolutionSpec, UciSpec, UniformSpec
from sog.agents.tabular import IsMctsSettings
from sog.core.errors import InputError
from sog.games.registry import load
from sog.matches.players import check_player, find_game, parse_player, parse_players
from sog.nets.agents import Agent, save_agent
from sog.nets.cvpn import make_network
from sog.nets.spec import NetworkSpec, sizes_of
from sog.search.puct import PuctSettings
from sog.search.settings import SearchSettings

UNTRAINED_NETWORK = NetworkSpec("resnet", layers=1, width=8)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("untrained", AgentSpec("untrained", SearchSettings(simulations=100, per_update=1))),
        ("untrained@gtcfr:8,0.5", AgentSpec("untrained", SearchSettings(simulations=8, per_update=0.5))),
        ("untrained@gtcfr:80,2%", AgentSpec("untrained", SearchSettings(simulations=80, tree_share=0.02))),
        ("runs/a@b@mcts:800", AgentSpec("runs/a@b", PuctSettings(simulations=800))),
        ("x=runs/chess", AgentSpec("runs/chess", None)),
        ("uci:stockfish", UciSpec("stockfish", {})),
        (
            "uci:/bin/sf -x?Skill Level=0&nodes=5&Path=a=b",
            UciSpec("/bin/sf -x", {"Skill Level": "0", "nodes": "5", "Path": "a=b"}),
        ),
        ("gtp:gnugo --mode gtp --komi=5", GtpSpec("gnugo --mode gtp --komi=5")),
        ("mcts:50", MctsSettings(50)),
        ("openspiel-mcts:1000", OpenSpielSpec(1000)),
        ("random", UniformSpec()),
        ("uniform", UniformSpec()),
        ("solved", SolutionSpec(None)),
        ("mcts", MctsSettings()),
        (" is-mcts:50 ", IsMctsSettings(50)),
        ("mcts(exploration=0.5,solve=False)", MctsSettings(1000, 0.5, False)),
        ("is-mcts(simulations=9,final=max-value)", IsMctsSettings(9, None, "max-value")),
        ("mcts.npz", AgentSpec("mcts.npz", None)),
    ],
)
def test_players_by_their_spelling(text: str, spec: object) -> None:
    assert parse_player(text).spec == spec


def test_names() -> None:
    assert parse_player("untrained@mcts:8").name == "untrained@mcts:8"
    assert parse_player("uci:sf?Skill Level=0").name == "uci:sf?Skill Level=0"
    assert parse_player("weak one=uci:sf?Skill Level=0").name == "weak one"
    with pytest.raises(InputError, match="two players are called 'random'"):
        parse_players(["random", "random"])
    assert len(parse_players(["random", "other=random"])) == 2
    with pytest.raises(InputError, match="two players"):
        parse_players(["random"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("untrained@magic:5", "unknown search 'magic:5'"),
        ("untrained@mcts", "write mcts:N"),
        ("untrained@mcts:0", "write mcts:N"),
        ("untrained@gtcfr:9", "100,1"),
        ("untrained@gtcfr:60000,1", "60,000 simulations are more than 50,000"),
        ("mcts:many", "write mcts:N"),
        ("mcts:0", "simulations must be a whole number"),
        ("mcts(solve=2)", "solve must be True or False"),
        ("is-mcts(final=x)", "final must be one of"),
        ("mcts(exploration=-1)", "exploration must be a number"),
        ("mcts(depth=3)", "no option 'depth'"),
        ("uci:sf?nodes", "NAME=VALUE"),
        ("uci:sf?nodes=-1", "nodes must be a whole number"),
        ("", "cannot use"),
        ("x=", "cannot use|neither"),
        ("\x07", "cannot use"),
        ("a" * 100 + "=random", "letters"),
    ],
)
def test_spellings_that_cannot_be_read(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        check_player(parse_player(text), load("chess"))


_WORDS = st.sampled_from(
    [
        "uci:",
        "gtp:",
        "mcts:",
        "random",
        "untrained",
        "@",
        "gtcfr:",
        "=",
        "?",
        "&",
        "nodes",
        "1",
        ",",
        "%",
        "é",
        "\x00",
    ]
)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=20), st.lists(_WORDS, max_size=8).map("".join)))
def test_garbage_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(InputError):
        assert parse_player(text).name


def test_long_spellings_have_short_names() -> None:
    player = parse_player("runs/" + "a" * 90 + "@mcts:8")
    assert len(player.name) == 80
    assert player.name.startswith("…a")
    assert player.name.endswith("a@mcts:8")
    assert player.spelling == "runs/" + "a" * 90 + "@mcts:8"
    with pytest.raises(InputError, match="1 to 80 letters"):
        parse_player("n" * 81 + "=random")


def test_players_say_which_game_it_is(tmp_path: Path) -> None:
    game, path = load("go(size=5)"), tmp_path / "five.npz"
    assert game.encoding is not None
    network = make_network(UNTRAINED_NETWORK, sizes_of(game.encoding), seed=0)
    save_agent(path, Agent("go(size=5)", UNTRAINED_NETWORK, network.state_dict(), 7))
    assert find_game([parse_player("random"), parse_player("uci:x")]).info.name == "chess"
    assert find_game([parse_player("gtp:x")]).info.name == "go(size=9,komi=7.5)"
    assert find_game([parse_player("gtp:x"), parse_player(str(path))]).info.name == "go(size=5,komi=7.5)"
    with pytest.raises(InputError, match="which game"):
        find_game([parse_player("random"), parse_player("untrained")])
    before = check_player(parse_player(str(path)), game)
    other = make_network(UNTRAINED_NETWORK, sizes_of(game.encoding), seed=1)
    save_agent(path, Agent("go(size=5)", UNTRAINED_NETWORK, other.state_dict(), 7))
    assert before != check_player(parse_player(str(path)), game) != ""
    with pytest.raises(InputError, match="is an agent of go"):
        check_player(parse_player(str(path)), load("chess"))


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("uci:sh", "go", "UCI engines play chess, not go"),
        ("gtp:sh", "chess", "GTP engines play Go, not chess"),
        ("gtp:no-such-program", "go", "no program 'no-such-program'"),
        ("openspiel-mcts:5", "chess", "connect_four, breakthrough and tictactoe, not chess"),
        ("no-such-run", "chess", "neither a file"),
        ("leduc", "chess", "agent of leduc"),
        ("mcts:5", "leduc", "hides something: try is-mcts"),
        ("is-mcts:5", "tictactoe", "hides nothing: try mcts:5"),
    ],
)
def test_players_of_other_games_are_refused(text: str, game: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        check_player(parse_player(text), load(game))
