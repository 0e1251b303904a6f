"""A cursor is where its seat's observations lead, in every kind of game."""

from random import Random

import numpy as np
import pytest

from examples.own_view import CardView
from sog.agents.cursor import Cursor, Stores
from sog.core.errors import InputError
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame, PublicStates
from sog.games.registry import load
from sog.games.view import Heard
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from tests.search.test_river import turn_spot

GAMES = [
    "kuhn",
    "leduc",
    "liars_dice(faces=3)",
    "goofspiel(cards=4)",
    "rps",
    "scotland_yard(rounds=3)",
    "scotland_yard(map=london,rounds=4)",
    "tictactoe",
    "go(size=3)",
    "openspiel:dark_hex(board_size=2)",
    "openspiel:pig(players=2,winscore=8,horizon=40)",
]


class Sight:
    """What one player sees, put together as infostates are named."""

    def __init__(self, game: AnyGame, player: int) -> None:
        self.game, self.player = game, player
        self.private: list[str] = []
        self.public: list[str] = []

    def note(self, before: object, actor: int, action: int, after: object) -> None:
        private = self.game.private_observation(self.player, before, action, after)
        if self.game.public_view is PublicStates.COMMON_KNOWLEDGE:
            self.private = [str(private)]
            return
        public = str(self.game.public_observation(before, action, after))
        name = self.game.action_name(before, action)
        if private is not None:
            self.private.append(str(private))
        if actor == self.player and name != public:
            self.private.append(name)
        self.public.append(public)

    def name(self) -> str:
        if self.game.public_view is PublicStates.COMMON_KNOWLEDGE:
            return self.private[0] if self.private else "None"
        return " ".join(self.private) + " | " + " ".join(self.public)


@pytest.mark.parametrize("name", GAMES)
def test_a_cursor_is_where_its_observations_lead(name: str) -> None:
    game, random = load(name), Random(1)
    store = open_store(game)
    for _ in range(12):
        sights, world = [Sight(game, seat) for seat in range(NUM_PLAYERS)], game.initial_world()
        cursors = [Cursor(store, seat) for seat in range(NUM_PLAYERS)]
        while (actor := game.actor(world)) != TERMINAL:
            if actor != CHANCE:
                cursor = cursors[actor]
                cursor.arrive()
                known = store.named.infostate_name(store, cursor.node, actor, cursor.row)
                if not game.merges_infostates:
                    assert known == sights[actor].name()
                names = [game.action_name(world, action) for action in game.legal_actions(world)]
                assert cursor.action_names() == names
                assert cursor.num_moves == len(names)
            moves = game.moves(world)
            move = random.randrange(len(moves))
            after = game.apply(world, moves[move])
            public = game.public_observation(world, moves[move], after)
            for seat in range(NUM_PLAYERS):
                private = game.private_observation(seat, world, moves[move], after)
                cursors[seat].hear(public, private, move if seat == actor else None)
                sights[seat].note(world, actor, moves[move], after)
            world = after


@pytest.mark.parametrize("name", ["leduc", "scotland_yard(rounds=3)", "liars_dice(faces=3)", "tictactoe"])
def test_what_a_view_tells_leads_where_the_play_goes(name: str) -> None:
    """A referee who holds both rows and no world tells each seat; each finds its own row again."""
    store, rng = open_store(load(name)), np.random.default_rng(4)
    for _ in range(20):
        node, rows, places = 0, (0, 0), [(0, 0), (0, 0)]
        while (actor := store.actor(node)) != TERMINAL:
            move = int(rng.integers(store.legal(node)[rows[actor]])) if actor != CHANCE else 0
            node, rows = store.follow(node, rows, move, rng)
            for seat in range(NUM_PLAYERS):
                heard = store.told.hear(store, node, seat, rows[seat])
                heard = heard._replace(move=move if seat == actor else None)
                places[seat] = store.told.follow(store, places[seat][0], seat, places[seat][1], [heard])
                assert places[seat] == (node, rows[seat])


def test_what_cannot_be_seen_is_refused() -> None:
    store = open_store(load("kuhn"))
    for public, private, message in (("deal", "ace", "cannot be told"), ("bet", None, "cannot be told")):
        cursor = Cursor(store, 0)
        cursor.hear(public, private)
        with pytest.raises(ValueError, match=message):
            cursor.arrive()
    cursor = Cursor(store, 1)
    cursor.hear("deal", None)
    cursor.hear("deal", "K")
    with pytest.raises(ValueError, match="not the turn of player 1"):
        cursor.arrive()
    cursor.hear("pass", None)
    cursor.arrive()
    cursor.hear("bet", None, 0)  # it is told of a move that it has not made
    with pytest.raises(ValueError, match="cannot be told"):
        cursor.arrive()
    with pytest.raises(ValueError, match="seat must be 0 or 1"):
        Cursor(store, 2)
    board = Cursor(open_store(load("tictactoe")), 1)
    board.hear("z9", None)
    with pytest.raises(ValueError, match="no move here"):
        board.arrive()
    dark = Cursor(open_store(load("openspiel:dark_hex(board_size=2)")), 1)
    with pytest.raises(ValueError, match="not the turn of player 1"):
        dark.arrive()


def test_stores_are_shared_by_game() -> None:
    stores = Stores()
    kuhn = stores.open(load("kuhn"))
    assert stores.open(load("kuhn")) is kuhn
    assert stores.open(load("tictactoe")) is not kuhn


def test_a_hand_of_holdem_is_followed_from_one_seat() -> None:
    """By the own hand, moves and cards; pairs are drawn by weights, and no seat hears of the other's."""
    store, rng = open_store(turn_spot()), np.random.default_rng(2)
    joint = store.joint_weights(ROOT)
    for _ in range(5):
        first, second = divmod(int(rng.choice(joint.size, p=joint.ravel() / joint.sum())), joint.shape[1])
        node, rows, cursors = ROOT, (first, second), [Cursor(store, seat) for seat in range(NUM_PLAYERS)]
        for seat, cursor in enumerate(cursors):
            cursor.hear(*store.told.hear(store, ROOT, seat, rows[seat]))
        while (actor := store.actor(node)) != TERMINAL:
            move = 0
            if actor != CHANCE:
                cursors[actor].arrive()
                assert (cursors[actor].node, cursors[actor].row) == (node, rows[actor])
                move = int(rng.integers(store.num_actions(node)))
            node, rows = store.follow(node, rows, move, rng)
            for seat, cursor in enumerate(cursors):
                cursor.hear(*store.told.hear(store, node, seat, rows[seat]))
    with pytest.raises(ValueError, match="'fold' cannot be seen here"):
        store.told.follow(store, ROOT, 0, 0, [Heard("fold", None)])


def test_views_need_not_tell_plays() -> None:
    with pytest.raises(InputError, match="has no plays that a seat can follow"):
        Cursor(StateStore(CardView()), 0).arrive()
