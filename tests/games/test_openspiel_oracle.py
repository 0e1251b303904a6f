"""Our games replayed move by move through OpenSpiel's.

Differences, minded below: our Liar's Dice rolls all dice of a player at once and sorts them; our Goofspiel
pays the difference of points, OpenSpiel half of it (points above the players' mean), and makes the two
bids of a round one move; with shown bids OpenSpiel's information states forget the order of past bids.
"""

import random
from collections.abc import Callable, Hashable
from math import factorial, prod
from typing import Any, NamedTuple

import pytest

from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.games.liars_dice import LiarsDice
from sog.games.registry import load
from tests.games.walks import Trace, follow, histories, moves, start

pyspiel = pytest.importorskip("pyspiel")


class Peer:
    """A play of the OpenSpiel game beside ours; numbers of moves agree unless a subclass says otherwise."""

    def __init__(self, name: str) -> None:
        self.state = pyspiel.load_game(name).new_initial_state()

    def actor(self) -> int:
        if self.state.is_terminal():
            return TERMINAL
        return CHANCE if self.state.is_chance_node() else int(self.state.current_player())

    def chances(self) -> dict[int, float]:
        return dict(self.state.chance_outcomes())

    def legal_actions(self) -> list[int]:
        return list(self.state.legal_actions())

    def apply(self, action: int) -> None:
        self.state.apply_action(action)

    def infostate(self, player: int) -> str:
        return str(self.state.information_state_string(player))


class SimultaneousPeer(Peer):
    """Player 0's half of a joint move is held back until player 1's is known."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.pending: int | None = None

    def actor(self) -> int:
        if self.state.is_simultaneous_node():
            return 0 if self.pending is None else 1
        return super().actor()

    def legal_actions(self) -> list[int]:
        return list(self.state.legal_actions(self.actor()))

    def apply(self, action: int) -> None:
        if not self.state.is_simultaneous_node():
            self.state.apply_action(action)
        elif self.pending is None:
            self.pending = action
        else:
            self.state.apply_actions([self.pending, action])
            self.pending = None


class DicePeer(Peer):
    """One of our rolls is as many of OpenSpiel's as there are dice; any order will do."""

    def __init__(self, dice: int, faces: int) -> None:
        super().__init__(f"liars_dice(numdice={dice},dice_sides={faces})")
        self.rolls = LiarsDice(dice, faces).rolls

    def chances(self) -> dict[int, float]:
        return {number: self._chance(self.state.clone(), roll) for number, roll in enumerate(self.rolls)}

    def apply(self, action: int) -> None:
        if not self.state.is_chance_node():
            self.state.apply_action(action)
            return
        for face in self.rolls[action]:
            self.state.apply_action(face - 1)

    @staticmethod
    def _chance(state: Any, roll: tuple[int, ...]) -> float:
        chance = factorial(len(roll)) / prod(factorial(roll.count(face)) for face in set(roll))
        for face in roll:
            chance *= dict(state.chance_outcomes())[face - 1]
            state.apply_action(face - 1)
        return float(chance)


UNKNOWN = -1


class NamedPeer(Peer):
    """Moves are known by their names: OpenSpiel numbers them otherwise, and may count sides twice."""

    def __init__(self, name: str, game: AnyGame) -> None:
        super().__init__(name)
        self.game, self.world = game, game.initial_world()

    def legal_actions(self) -> list[int]:
        game, world = self.game, self.world
        known = {game.action_name(world, action): action for action in game.legal_actions(world)}
        names = (self.state.action_to_string(action) for action in self.state.legal_actions())
        return sorted(known.get(name, UNKNOWN) for name in names)

    def apply(self, action: int) -> None:
        self.state.apply_action(self.state.string_to_action(self.game.action_name(self.world, action)))
        self.world = self.game.apply(self.world, action)

    def infostate(self, player: int) -> str:
        return str(self.state)


class Pair(NamedTuple):
    """A game of ours with its peer."""

    make: Callable[[], Peer]
    plays: int
    scale: float = 1.0  # our utilities over the peer's
    is_same_knowledge: bool = True  # False where the peer's information states forget


def _goofspiel(cards: int, order: str, bids: str) -> Pair:
    hidden = bids == "hidden"
    name = (
        f"goofspiel(num_cards={cards},imp_info={hidden},points_order={order},returns_type=point_difference)"
    )
    return Pair(lambda: SimultaneousPeer(name), 2000, scale=2.0, is_same_knowledge=hidden)


def _breakthrough(rows: int, columns: int, plays: int) -> Pair:
    """OpenSpiel has no information states here; a board does not tell how it came about."""
    name = f"breakthrough(rows={rows},columns={columns})"
    return Pair(lambda: NamedPeer(name, load(name)), plays, is_same_knowledge=False)


PAIRS = {
    "kuhn": Pair(lambda: Peer("kuhn_poker"), 2000),
    "leduc": Pair(lambda: Peer("leduc_poker"), 3000),
    "liars_dice(dice=1,faces=4)": Pair(lambda: DicePeer(1, 4), 2000),
    "liars_dice(dice=1,faces=6)": Pair(lambda: DicePeer(1, 6), 3000),
    "liars_dice(dice=2,faces=3)": Pair(lambda: DicePeer(2, 3), 2000),
    "liars_dice(dice=3,faces=4)": Pair(lambda: DicePeer(3, 4), 1000),
    "goofspiel(cards=4,order=ascending,bids=hidden)": _goofspiel(4, "ascending", "hidden"),
    "goofspiel(cards=5,order=ascending,bids=hidden)": _goofspiel(5, "ascending", "hidden"),
    "goofspiel(cards=5,order=descending,bids=hidden)": _goofspiel(5, "descending", "hidden"),
    "goofspiel(cards=4,order=random,bids=hidden)": _goofspiel(4, "random", "hidden"),
    "goofspiel(cards=5,order=ascending,bids=shown)": _goofspiel(5, "ascending", "shown"),
    "goofspiel(cards=4,order=random,bids=shown)": _goofspiel(4, "random", "shown"),
    "tictactoe": Pair(lambda: Peer("tic_tac_toe"), 2000),
    "connect_four": Pair(lambda: Peer("connect_four"), 1000),
    "breakthrough(rows=8,columns=8)": _breakthrough(8, 8, 40),
    "breakthrough(rows=6,columns=4)": _breakthrough(6, 4, 200),
    "breakthrough(rows=3,columns=2)": _breakthrough(3, 2, 200),
}


class Knowledge:
    """Whether what players know in our game and in the peer's is one and the same partition."""

    def __init__(self, is_same: bool) -> None:
        self.is_same = is_same
        self.theirs: dict[Hashable, str] = {}
        self.ours: dict[tuple[int, str], Hashable] = {}

    def compare(self, player: int, ours: Hashable, theirs: str) -> None:
        assert self.theirs.setdefault((player, ours), theirs) == theirs
        if self.is_same:
            assert self.ours.setdefault((player, theirs), ours) == ours


@pytest.mark.parametrize("name", PAIRS)
def test_random_plays_agree_with_openspiel(name: str) -> None:
    game, pair = load(name), PAIRS[name]
    knowledge = Knowledge(pair.is_same_knowledge)
    rng = random.Random(name)
    for _ in range(pair.plays):
        peer, trace = pair.make(), start(game)
        while _agree(game, trace, peer, pair, knowledge):
            action, chance = rng.choice(moves(game, trace.world))
            peer.apply(action)
            trace = follow(game, trace, action, chance)


def test_partitions_have_the_same_size_when_enumerated() -> None:
    """Random plays may miss infostates; here all of Leduc's are compared."""
    game, seen = load("leduc"), set()
    for trace in histories(game):
        actor = game.actor(trace.world)
        if actor < 2:
            seen.add((actor, trace.known[actor]))
    peer_states: set[str] = set()
    stack = [pyspiel.load_game("leduc_poker").new_initial_state()]
    while stack:
        state = stack.pop()
        if state.is_player_node():
            peer_states.add(state.information_state_string())
        stack += [state.child(action) for action in state.legal_actions()]
    assert len(seen) == len(peer_states) == 936


def _agree(game: AnyGame, trace: Trace, peer: Peer, pair: Pair, knowledge: Knowledge) -> bool:
    """Compare a position of both; return whether play goes on."""
    world, actor = trace.world, game.actor(trace.world)
    assert peer.actor() == actor
    if actor == TERMINAL:
        returns = tuple(utility * pair.scale for utility in peer.state.returns())
        assert game.returns(world) == pytest.approx(returns)
        return False
    if actor == CHANCE:
        assert dict(game.chance_outcomes(world)) == pytest.approx(peer.chances())
    else:
        assert list(game.legal_actions(world)) == peer.legal_actions()
        knowledge.compare(actor, trace.known[actor], peer.infostate(actor))
    return True
