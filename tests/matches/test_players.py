import contextlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.errors import InputError
from sog.games.registry import load
from sog.matches.players import (
    AgentSpec,
    GtpSpec,
    RandomSpec,
    RolloutSpec,
    UciSpec,
    check_entrant,
    find_game,
    parse_entrant,
    parse_entrants,
)
from sog.matches.thinking import UNTRAINED_NETWORK
from sog.nets.agents import Agent, save_agent
from sog.nets.cvpn import make_network
from sog.nets.spec import sizes_of
from sog.search.puct import PuctSettings
from sog.search.settings import SearchSettings


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("untrained", AgentSpec("untrained", SearchSettings(simulations=100, per_update=1))),
        ("untrained@gtcfr:8,0.5", AgentSpec("untrained", SearchSettings(simulations=8, per_update=0.5))),
        ("untrained@gtcfr:80,2%", AgentSpec("untrained", SearchSettings(simulations=80, tree_share=0.02))),
        ("runs/a@b@mcts:800", AgentSpec("runs/a@b", PuctSettings(simulations=800))),
        ("x=runs/chess", AgentSpec("runs/chess", SearchSettings(simulations=100, per_update=1))),
        ("uci:stockfish", UciSpec("stockfish", {})),
        (
            "uci:/bin/sf -x?Skill Level=0&nodes=5&Path=a=b",
            UciSpec("/bin/sf -x", {"Skill Level": "0", "nodes": "5", "Path": "a=b"}),
        ),
        ("gtp:gnugo --mode gtp --komi=5", GtpSpec("gnugo --mode gtp --komi=5")),
        ("mcts:50", RolloutSpec(50, is_openspiel=False)),
        ("openspiel-mcts:1000", RolloutSpec(1000, is_openspiel=True)),
        ("random", RandomSpec()),
    ],
)
def test_players_by_their_spelling(text: str, spec: object) -> None:
    assert parse_entrant(text).spec == spec


def test_names() -> None:
    assert parse_entrant("untrained@mcts:8").name == "untrained@mcts:8"
    assert parse_entrant("uci:sf?Skill Level=0").name == "uci:sf?Skill Level=0"
    assert parse_entrant("weak one=uci:sf?Skill Level=0").name == "weak one"
    with pytest.raises(InputError, match="two players are called 'random'"):
        parse_entrants(["random", "random"])
    assert len(parse_entrants(["random", "other=random"])) == 2
    with pytest.raises(InputError, match="two players"):
        parse_entrants(["random"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("untrained@magic:5", "unknown search 'magic:5'"),
        ("untrained@mcts", "write mcts:N"),
        ("untrained@mcts:0", "write mcts:N"),
        ("untrained@gtcfr:9", "100,1"),
        ("untrained@gtcfr:60000,1", "60,000 simulations are more than 50,000"),
        ("mcts:many", "'many'"),
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
        check_entrant(parse_entrant(text), load("chess"))


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
        assert parse_entrant(text).name


def test_long_spellings_have_short_names() -> None:
    entrant = parse_entrant("runs/" + "a" * 90 + "@mcts:8")
    assert len(entrant.name) == 80
    assert entrant.name.startswith("…a")
    assert entrant.name.endswith("a@mcts:8")
    assert entrant.spelling == "runs/" + "a" * 90 + "@mcts:8"
    with pytest.raises(InputError, match="1 to 80 letters"):
        parse_entrant("n" * 81 + "=random")


def test_players_say_which_game_it_is(tmp_path: Path) -> None:
    game, path = load("go(size=5)"), tmp_path / "five.npz"
    assert game.encoding is not None
    network = make_network(UNTRAINED_NETWORK, sizes_of(game.encoding), seed=0)
    save_agent(path, Agent("go(size=5)", UNTRAINED_NETWORK, network.state_dict(), 7))
    assert find_game([parse_entrant("random"), parse_entrant("uci:x")]).info.name == "chess"
    assert find_game([parse_entrant("gtp:x")]).info.name == "go(size=9,komi=7.5)"
    assert find_game([parse_entrant("gtp:x"), parse_entrant(str(path))]).info.name == "go(size=5,komi=7.5)"
    with pytest.raises(InputError, match="which game"):
        find_game([parse_entrant("random"), parse_entrant("untrained")])
    before = check_entrant(parse_entrant(str(path)), game)
    other = make_network(UNTRAINED_NETWORK, sizes_of(game.encoding), seed=1)
    save_agent(path, Agent("go(size=5)", UNTRAINED_NETWORK, other.state_dict(), 7))
    assert before != check_entrant(parse_entrant(str(path)), game) != ""
    with pytest.raises(InputError, match="is an agent of go"):
        check_entrant(parse_entrant(str(path)), load("chess"))


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("uci:sh", "go", "UCI engines play chess, not go"),
        ("gtp:sh", "chess", "GTP engines play Go, not chess"),
        ("gtp:no-such-program", "go", "no program 'no-such-program'"),
        ("openspiel-mcts:5", "chess", "connect_four, breakthrough and tictactoe, not chess"),
        ("no-such-run", "chess", "neither a file"),
        ("leduc", "chess", "agent of leduc"),
    ],
)
def test_players_of_other_games_are_refused(text: str, game: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        check_entrant(parse_entrant(text), load(game))
