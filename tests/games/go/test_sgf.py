import random
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.go.game import Go
from sog.games.go.replay import replay
from sog.games.go.sgf import SgfRecord, read_sgf, write_sgf
from sog.games.go.vertices import parse_vertex
from tests.games.go.gnugo import GnuGo, needs_gnugo

WILD = r"""text before (;FF[4]GM[1]SZ[9] KM[6.5]PB[Ann \]\\ B]PW[Li: "x"]RE[W+R]
C[a comment; with (all) sorts \] of [marks];B[ee]C[main];W[gc](;B[cd];W[])(;B[cc];W[gg](;B[aa])))
(;SZ[5];B[aa])"""

NAMES = st.text(
    st.one_of(st.sampled_from("[]\\:;()"), st.characters(exclude_categories=["C", "Z"])), max_size=20
)


def test_a_wild_record_is_read() -> None:
    record = read_sgf(WILD)
    assert record.size == 9
    assert record.komi == 6.5
    assert record.names == ("Ann ]\\ B", 'Li: "x"')
    assert record.result == "W+R"
    assert record.moves == tuple(parse_vertex(9, name) for name in ("E5", "G7", "C6", "pass"))
    assert read_sgf(write_sgf(record)) == record


def test_handicap() -> None:
    record = read_sgf("(;SZ[9]HA[4]AB[cc][gc:gd]AW[aa]KM[0.5];W[ee];B[tt])")
    names = {parse_vertex(9, name): 0 for name in ("C7", "G7", "G6")} | {parse_vertex(9, "A9"): 1}
    assert dict(record.stones) == names
    assert record.first == 1
    assert record.moves == (40, 81)
    assert read_sgf(write_sgf(record)) == record
    game, worlds = replay(record)
    assert worlds[0].lines()[0] == "O........"
    assert game.actor(worlds[0]) == 1
    assert worlds[-1].lines()[4] == "....O...."


def test_defaults_are_the_formats() -> None:
    assert read_sgf("(;)") == SgfRecord(size=19, komi=0.0)
    assert read_sgf("(;PL[W])").first == 1


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 19), st.randoms(use_true_random=False), NAMES, st.sampled_from([0, 1]))
def test_records_are_read_back(size: int, rng: random.Random, name: str, first: int) -> None:
    game = Go(size=size, komi=5.5)
    world = game.set_up([], first)
    moves: list[int] = []
    while game.actor(world) != TERMINAL and len(moves) < 30:
        moves.append(rng.choice(game.legal_actions(world)))
        world = game.apply(world, moves[-1])
    record = SgfRecord(size, 5.5, (), first, tuple(moves), (name, ""), "B+3.5")
    again = read_sgf(write_sgf(record))
    assert again == record
    replayed, worlds = replay(again)
    assert worlds[-1] == world
    assert len(worlds) == len(moves) + 1
    assert all(len(one.row) < len(two.row) for one, two in pairwise(worlds))
    assert replayed.score(worlds[-1]) == game.score(world)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no record here"),
        ("(", "breaks off"),
        ("(;B[aa]", "breaks off"),
        ("()", "without nodes"),
        ("([aa])", "without a node"),
        ("(;[aa])", "without a node or a property"),
        ("(;B[aa] 7)", "cannot read"),
        ("(;GM[2])", "another game"),
        ("(;SZ[1])", "the size must be from 2 to 19, not '1'"),
        ("(;SZ[99999999999])", "the size must be"),
        ("(;SZ[9:7])", "the size must be"),
        ("(;KM[six])", "the komi must be a number, not 'six'"),
        ("(;KM[inf])", "the komi must be a number"),
        ("(;SZ[5];B[ff])", "'ff' is no point of a board of 5 lines"),
        ("(;SZ[5];B[a])", "'a' is no point"),
        ("(;SZ[5]AB[])", "'' is no point"),
        ("(;SZ[5];B[aa];B[bb])", "move 2: black plays twice in a row"),
    ],
)
def test_bad_records_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read_sgf(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("(;SZ[5];B[aa];W[aa])", "move 2: white may not play A5"),
        ("(;SZ[5];B[];W[];B[aa])", "move 3: the game is over"),
        ("(;SZ[2]AB[aa][ab][ba][bb])", "a chain without liberties"),
        ("(;SZ[5]KM[1e9])", "komi must be a number from"),
    ],
)
def test_impossible_games_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        replay(read_sgf(text))


@settings(deadline=None, max_examples=300)
@given(
    st.one_of(st.text(max_size=60), st.lists(st.sampled_from(list("();[]\\:aBWtAKMSZ59 \n")), max_size=40))
)
def test_junk_is_refused_or_read(junk: str | list[str]) -> None:
    with suppress(InputError):
        record = read_sgf("".join(junk))
        assert read_sgf(write_sgf(record)).moves == record.moves


@needs_gnugo
def test_gnugo_reads_what_we_write(tmp_path: Path) -> None:
    game, rng = Go(size=9), random.Random(4)
    world, moves = game.initial_world(), []
    for _ in range(60):
        moves.append(rng.choice(game.legal_actions(world)[:-1]))
        world = game.apply(world, moves[-1])
    path = tmp_path / "game.sgf"
    path.write_text(write_sgf(SgfRecord(9, 7.5, moves=tuple(moves))), encoding="utf-8")
    with GnuGo(9, 0.0) as peer:
        peer.ask(f"loadsgf {path}")
        for player, colour in enumerate(("black", "white")):
            stones = {parse_vertex(9, name) for name in peer.ask(f"list_stones {colour}").split()}
            cells = "".join(reversed(world.lines()))
            assert stones == {action for action, cell in enumerate(cells) if cell == "XO"[player]}
        assert peer.ask("printsgf").startswith("(;")
