"""The promises of sog/games/base.py, tested on every registered game and some of their variants."""

from math import inf

import pytest

from sog.games.registry import GAMES, load
from sog.public.checking import check

SMALL = [  # enumerated
    "kuhn",
    "leduc",
    "liars_dice(dice=1,faces=3)",
    "liars_dice(dice=2,faces=2)",
    "goofspiel(cards=2)",
    "goofspiel(cards=4)",
    "goofspiel(cards=4,order=descending,bids=shown)",
    "goofspiel(cards=3,order=random)",
    "goofspiel(cards=3,order=random,bids=shown)",
    "matrix",
    "matrix(payoffs=[[1.5,-2,0]])",
    "rps",
    "scotland_yard",
    "scotland_yard(map=glasses,rounds=3,reveals=[1,3])",
    "openspiel:kuhn_poker",
    "openspiel:leduc_poker",
    "openspiel:goofspiel(num_cards=4,imp_info=True,points_order=ascending,returns_type=point_difference)",
    "openspiel:dark_hex(board_size=2)",
    "openspiel:matrix_rps",
]
LARGE = [  # sampled
    *(name for name in GAMES),
    "liars_dice(dice=5,faces=9)",
    "goofspiel(cards=13,order=random,bids=shown)",
    "scotland_yard(map=london)",
    "scotland_yard(map=london,detectives=2,rounds=8,reveals=[2])",
    "chess(fen='8/P7/8/k7/8/8/7p/K7 b - - 0 1',max_moves=10)",
    "breakthrough(rows=3,columns=2)",
    "breakthrough(rows=6,columns=3)",
    "go(size=2,max_length=40)",
    "go(size=5,komi=0)",
    "openspiel:phantom_ttt",
    "openspiel:liars_dice",
    "openspiel:tic_tac_toe",
    "openspiel:connect_four",
]
NUM_PLAYS = 100
FEWER_PLAYS = {
    "chess": 2,
    "go": 2,
    "breakthrough": 20,
    "go(size=5,komi=0)": 10,
    "scotland_yard(map=london)": 10,
}  # long plays of many moves, all of which are tried


@pytest.mark.parametrize("name", SMALL)
def test_every_history_keeps_the_promises(name: str) -> None:
    report = check(load(name))
    assert (report.plays, report.broken) == (None, [])


@pytest.mark.parametrize("name", LARGE)
def test_random_plays_keep_the_promises(name: str) -> None:
    plays = FEWER_PLAYS.get(name, NUM_PLAYS)
    report = check(load(name), max_histories=0, plays=plays, seconds=inf)
    assert (report.plays, report.broken) == (plays, [])


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_the_name_loads_the_same_game(name: str) -> None:
    game = load(name)
    again = load(game.info.name)
    assert again.info == game.info
    assert again.initial_world() == game.initial_world()
    assert (again.public_view, again.merges_infostates) == (game.public_view, game.merges_infostates)


def test_every_registered_game_is_covered() -> None:
    assert set(GAMES) <= set(LARGE)
