"""The promises of sog/games/base.py, tested on every registered game and some of their variants."""

import random
from collections.abc import Hashable, Iterator
from typing import Any

import pytest

from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame, PublicStates
from sog.games.registry import GAMES, load
from tests.games.walks import Trace, histories, moves, random_play

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
    "chess": 4,
    "go": 2,
    "breakthrough": 20,
    "go(size=5,komi=0)": 10,
}  # long plays of many moves, all of which are tried


@pytest.mark.parametrize("name", SMALL)
def test_every_history_keeps_the_promises(name: str) -> None:
    _check(load(name), histories(load(name)))


@pytest.mark.parametrize("name", LARGE)
def test_random_plays_keep_the_promises(name: str) -> None:
    game = load(name)
    rng = random.Random(name)
    plays = FEWER_PLAYS.get(name, NUM_PLAYS)
    _check(game, (trace for _ in range(plays) for trace in random_play(game, rng)))


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_the_name_loads_the_same_game(name: str) -> None:
    game = load(name)
    again = load(game.info.name)
    assert again.info == game.info
    assert again.initial_world() == game.initial_world()
    assert (again.public_view, again.merges_infostates) == (game.public_view, game.merges_infostates)


def test_every_registered_game_is_covered() -> None:
    assert set(GAMES) <= set(LARGE)


def _check(game: AnyGame, traces: Iterator[Trace]) -> None:
    actors: dict[Hashable, int] = {}
    futures: dict[Any, object] = {}
    legal: dict[Hashable, list[int]] = {}
    is_over = False
    for trace in traces:
        world, actor = trace.world, game.actor(trace.world)
        assert trace.length <= game.info.max_length
        if game.public_view is PublicStates.OBSERVED:
            assert actors.setdefault(trace.public, actor) == actor, "who acts must be public"
        options = moves(game, world)
        if actor == TERMINAL:
            is_over = True
            _check_returns(game, world)
            future: object = game.returns(world)
        else:
            actions = [action for action, _ in options]
            _check_moves(game, world, actor, options)
            future = (actor, options)
            if actor != CHANCE:
                known = (actor, _infostate(game, trace, actor))
                assert legal.setdefault(known, actions) == actions, "legal actions must be known"
        assert futures.setdefault(world, future) == future, "equal worlds must have equal futures"
    assert is_over


def _infostate(game: AnyGame, trace: Trace, player: int) -> Hashable:
    if game.public_view is PublicStates.OBSERVED:
        return trace.known[player]
    return trace.known[player][2] if trace.known[player] else None  # type: ignore[index]


def _check_returns(game: AnyGame, world: Any) -> None:
    utilities = game.returns(world)
    assert utilities[0] == -utilities[1]
    assert abs(utilities[0]) <= game.info.max_utility
    assert all(isinstance(utility, float) for utility in utilities)


def _check_moves(game: AnyGame, world: Any, actor: int, options: list[tuple[int, float]]) -> None:
    actions = [action for action, _ in options]
    assert actor in (0, 1, CHANCE)
    assert actions == sorted(set(actions))
    assert actions
    assert 0 <= actions[0] <= actions[-1] < game.info.num_actions
    if actor == CHANCE:
        assert all(chance > 0 for _, chance in options)
        assert sum(chance for _, chance in options) == pytest.approx(1.0, abs=1e-12)
    else:
        assert isinstance(game.legal_actions(world), tuple)
    names = [game.action_name(world, action) for action in actions]
    assert len(set(names)) == len(names)
    assert all(names)
    _check_observations(game, world, actor, actions)


def _check_observations(game: AnyGame, world: Any, actor: int, actions: list[int]) -> None:
    before, text = hash(world), repr(world)
    seen = []
    for action in actions:
        after = game.apply(world, action)
        again = game.apply(world, action)
        assert after == again
        assert hash(after) == hash(again)
        public = game.public_observation(world, action, after)
        private = [game.private_observation(player, world, action, after) for player in range(NUM_PLAYERS)]
        assert public == game.public_observation(world, action, again)
        assert hash(public) is not None
        assert [hash(part) for part in private]
        if game.public_view is PublicStates.COMMON_KNOWLEDGE:
            assert public is None
            assert None not in private
        else:
            assert str(public)
        seen.append((public, *private))
    assert (hash(world), repr(world)) == (before, text), "apply must leave its argument alone"
    if game.info.is_perfect_information:
        assert len({public for public, *_ in seen}) == len(actions)
        assert {tuple(private) for _, *private in seen} == {(None, None)}
