"""The public view of any game, derived from its world view by enumerating consistent histories.

A public state holds a table of rows `(world, infostate of player 0, infostate of player 1)`, each with
chance's probability summed over the histories that lead there, and their number. Expanding a public state
applies every legal move to every row and groups the results by what both players see of it
(`PublicStates.OBSERVED`) or by what both players know (`PublicStates.COMMON_KNOWLEDGE`, see
`common_knowledge.py`). Infostates of a child are told apart by where they come from and by the private
observation, so perfect recall holds by construction; a game that `merges_infostates` has those with
identical futures joined again.

Verified: tests/public/test_derived.py.
"""

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, count
from operator import eq
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sog.core.arrays import F32, F64, I32, I64, U32, Records
from sog.core.errors import InputError
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame, Encoding, PublicStates
from sog.games.matrices import ONES, Matrices, MatrixBook
from sog.games.promises import BrokenPromiseError, Promises
from sog.games.view import Codes, Flows, Heard, Store, Successors, ViewFacts
from sog.public.common_knowledge import group_by_common_knowledge, schedule
from sog.public.encoding import Encoder, make_encoder

_EMPTY = np.zeros(0, np.uint32), np.zeros(0, np.uint32)
_ACTORS = {0, 1, CHANCE, TERMINAL}
WAITING = "wait"  # the name of
WAIT = -1  # the only action of an infostate whose player acts, but not in this infostate

RECORD = np.dtype([("state", "u4")])  # number in the view's own list of states


class Infostate(NamedTuple):
    """One step of what a player knows, linked to the step before."""

    before: "Infostate | None"
    public: Hashable
    private: Hashable
    own_action: str | None


class Flow(NamedTuple):
    """How one player's infostates reach a child's: `child[target[k]] += parent[source[k]]`.

    Where child infostate `k` comes from exactly `start + k` for all k, the arrays are empty.
    """

    size: int  # infostates of this player in the child
    start: int  # first source, where the map is contiguous
    source: U32  # [K] slots (actor) or infostates (other player, chance) of the parent
    target: U32  # [K] infostates of the child


class DerivedState(NamedTuple):
    """A public state with all its consistent worlds. W rows."""

    observation: str  # what both players saw of the move that led here; empty if nothing is public
    actor: int
    worlds: list[Any]  # [W]
    rows: I32  # [2, W] each player's infostate
    chance: F64  # [W] chance's probability, summed over the histories of the row
    histories: I64  # [W] how many histories the row stands for
    infostates: tuple[list[Infostate], list[Infostate]]
    legal: list[tuple[int, ...]]  # the acting player's actions, per infostate
    moves: I32  # [E, 3] (row of the parent, action ordinal, row here) of every history step that led here
    move_chance: F64  # [E] chance's probability of that step, 1 where a player moved
    flows: tuple[Flow, Flow]

    @property
    def num_infostates(self) -> tuple[int, int]:
        """How many infostates each player may be in."""
        return len(self.infostates[0]), len(self.infostates[1])


class Successor(NamedTuple):
    """A row's world after one move, with what the move looked like."""

    row: int
    ordinal: int
    action: int
    world: Any
    chance: float  # of this move alone
    sources: tuple[int, int]  # slot or infostate of each player in the parent
    public: Hashable
    private: tuple[Hashable, Hashable]


class _Order(NamedTuple):
    """The infostates of one player in a child."""

    first: list[Successor]  # [H] the first successor in each infostate
    numbers: list[int]  # infostate of each successor
    flow: Flow


class _Numbers(NamedTuple):
    """What a state is in numbers, besides its flows."""

    actor: int
    num_actions: int
    legal: list[int]  # of each acting infostate, 0 where it waits
    joint: tuple[int, float]  # matrix and scale
    payoff: tuple[int, float]
    value_scale: float


class DerivedView:
    """Public states of a world-view game.

    Worlds are no numbers, so the view keeps the states that it was asked about, and a record is the number of
    a state in that list. States never change, and are the same for every store.

    >>> from sog.core.rng import make_rng
    >>> from sog.games.registry import load
    >>> view = DerivedView(load("kuhn"))
    >>> view.state_of(view.roots(make_rng(0))[0]).num_infostates
    (1, 1)
    """

    dtype = RECORD

    def __init__(self, game: AnyGame, merge: bool | None = None) -> None:
        info = game.info
        self.game = game
        self.facts = ViewFacts(info.name, info.max_utility, info.is_perfect_information, game.symmetries)
        self._merge = game.merges_infostates if merge is None else merge
        self._is_observed = game.public_view is PublicStates.OBSERVED
        self._states: list[DerivedState] = []
        self._numbers: list[_Numbers] = []
        self._lengths: list[int] = []  # moves that lead to each state
        self._children: dict[int, range] = {}
        self._promises = Promises(game)
        self._book = MatrixBook()
        self._encoder: Encoder | None = None
        self.num_bytes = 0  # of the states, as measured for some games

    def roots(self, rng: np.random.Generator) -> Records:
        """Return the record of the start of the game."""
        if not self._states:
            self._keep([self._root()], 0)
        return np.zeros(1, RECORD)

    def open(self, records: Records) -> Successors:
        """Return what records are as roots."""
        states = records["state"].tolist()
        return self._gather(states, [1] * len(states), is_root=True)

    def successors(self, store: Store, nodes: U32) -> Successors:
        """Return every public outcome of the next move of B states."""
        families = [self._children_of(number) for number in store.records["state"][nodes].tolist()]
        return self._gather(list(chain(*families)), [len(family) for family in families])

    def matrices(self, dtype: npt.DTypeLike) -> Matrices:
        """Return payoffs and joint weights, summed over worlds."""
        return self._book.tables(dtype)

    def state_of(self, record: np.void) -> DerivedState:
        """Return the state with its worlds that a record stands for."""
        return self._states[int(record["state"])]

    def state(self, store: Store, node: int) -> DerivedState:
        """Return a node's state with its worlds."""
        return self.state_of(store.records[node])

    def worlds(self, store: Store, node: int) -> list[tuple[Any, int, int, float]]:
        """Return every world of a node, with both players' infostates and chance's probability."""
        state = self.state(store, node)
        return list(zip(state.worlds, *state.rows.tolist(), state.chance.tolist(), strict=True))

    def joint_weights(self, state: DerivedState) -> F64:
        """Return chance's probability of every pair of infostates."""
        return _sum_pairs(state, state.chance)

    def payoffs(self, state: DerivedState) -> F64:
        """Return a terminal's chance-weighted utilities [H0, H1] of player 0."""
        returns = np.array([self._promises.utility(world) for world in state.worlds])
        return _sum_pairs(state, returns * state.chance)

    @property
    def encoding(self) -> Encoding:
        """Sizes of what networks are shown."""
        return self._encoder_of().encoding

    def encode(self, store: Store, nodes: U32) -> Codes:
        """Return the codes of nodes: the game's own, or by history."""
        return self._encoder_of().encode(store, nodes, [self.state(store, node) for node in nodes.tolist()])

    def describe_rows(self, features: F32, owners: I64, columns: I64) -> F32:
        """Return what infostates are like, as the game says."""
        return self.game.describe_rows(features, owners, columns)

    def _encoder_of(self) -> Encoder:
        if self._encoder is None:
            self._encoder = make_encoder(self)
        return self._encoder

    def hear(self, store: Store, child: int, seat: int, row: int) -> Heard:
        """Return what a seat is told when a play comes to one of its infostates."""
        step = self.state(store, child).infostates[seat][row]
        return Heard(step.public, step.private)

    def follow(self, store: Store, node: int, seat: int, row: int, heard: Sequence[Heard]) -> tuple[int, int]:
        """Return the node and the seat's infostate after what it has heard."""
        if self._is_observed:
            for step in heard:
                node, row = self._step(store, node, seat, row, step)
            return node, row
        known = self.state(store, node).infostates[seat][row].private
        place: tuple[int, int, int | None] = node, row, None
        for step in heard:  # the last thing heard is everything that the seat knows
            if step.move is not None:
                place = *self._find_turn(store, place, seat, known), step.move
            known = step.private
        return self._find_turn(store, place, seat, known)

    def _step(self, store: Store, node: int, seat: int, row: int, step: Heard) -> tuple[int, int]:
        """Return the child, and the seat's infostate there, that one move leads to."""
        state = self.state(store, node)
        for child in store.children(node):
            after = self.state(store, child)
            if after.infostates[seat][0].public != step.public:
                continue
            for world, ordinal, there in after.moves[state.rows[seat][after.moves[:, 0]] == row].tolist():
                if state.actor == seat and ordinal != step.move:
                    continue
                action = self._moves_of(state, world)[ordinal]
                seen = self.game.private_observation(seat, state.worlds[world], action, after.worlds[there])
                if seen == step.private:
                    return child, int(after.rows[seat, there])
        told = f"{str(step.public)[:40]!r} and {str(step.private)[:40]!r}"
        raise ValueError(f"{self.facts.name}: player {seat} cannot be told {told} here, move {step.move}")

    def _find_turn(
        self, store: Store, place: tuple[int, int, int | None], seat: int, known: Hashable
    ) -> tuple[int, int]:
        """Return where a seat that knows so much is to act, at a place or below; it may have moved there."""
        waiting = [place]
        while waiting:
            node, row, move = waiting.pop()
            state = self.state(store, node)
            acts = state.actor == seat and state.legal[row][0] != WAIT
            if acts and move is None:
                if state.infostates[seat][row].private == known:
                    return node, row
                continue
            if state.actor == TERMINAL:
                continue
            slot = row + len(state.infostates[seat]) * (move or 0)
            for child in store.children(node):
                flow = self.state(store, child).flows[seat]
                waiting += [(child, target, None) for target in targets_of(flow, slot)]
        raise ValueError(f"{self.facts.name}: it is not the turn of player {seat}, who knows {known!r}")

    def _moves_of(self, state: DerivedState, row: int) -> Sequence[int]:
        """Return what may happen in a world of a state."""
        if state.actor == CHANCE:
            return [outcome for outcome, _ in self.game.chance_outcomes(state.worlds[row])]
        return state.legal[int(state.rows[state.actor, row])]

    def num_moves(self, store: Store, nodes: Sequence[int]) -> int:
        """Return how many moves of worlds expanding nodes goes through."""
        return sum(self._count_moves(self.state(store, node)) for node in nodes)

    def check(self, store: Store, nodes: U32) -> None:
        """Refuse a game in which one infostate decides in two public states."""
        if self._is_observed:
            return
        seen: set[tuple[int, str]] = set()
        for state in (self.state(store, node) for node in nodes):
            acting = [row for row, actions in enumerate(state.legal) if actions[0] != WAIT]
            names = [self.name_infostate(state, state.actor, row) for row in acting]
            for name in names:
                if (state.actor, name) in seen:
                    raise InputError(
                        f"no sound public view of {self.facts.name}: player {state.actor} cannot tell in"
                        f" which public state the infostate {name!r} is"
                    )
                seen.add((state.actor, name))

    def _count_moves(self, state: DerivedState) -> int:
        if state.actor == CHANCE:
            actor, outcomes = self.game.actor, self.game.chance_outcomes
            return sum(len(outcomes(world)) if actor(world) == CHANCE else 1 for world in state.worlds)
        return sum(len(state.legal[infostate]) for infostate in state.rows[state.actor].tolist())

    def observation(self, store: Store, node: int) -> str:
        """Return what both players saw of the move that led to a node."""
        return self.state(store, node).observation

    def infostate_name(self, store: Store, node: int, player: int, row: int) -> str:
        """Return what the player knows: what was seen alone, then what everybody saw."""
        return self.name_infostate(self.state(store, node), player, row)

    def action_names(self, store: Store, node: int, row: int) -> list[str]:
        """Return the names of the acting infostate's legal actions, in slot order."""
        state, name = self.state(store, node), self.game.action_name
        world = state.worlds[int(np.argmax(state.rows[state.actor] == row))]
        return [WAITING if action == WAIT else name(world, action) for action in state.legal[row]]

    def name_infostate(self, state: DerivedState, player: int, infostate: int) -> str:
        """Return what the player knows in a state."""
        step: Infostate | None = state.infostates[player][infostate]
        if not self._is_observed:
            assert step is not None
            return str(step.private)
        private: list[str] = []
        public: list[str] = []
        while step is not None and step.before is not None:
            if step.own_action is not None and step.own_action != str(step.public):
                private.append(step.own_action)
            if step.private is not None:
                private.append(str(step.private))
            if step.public is not None:
                public.append(str(step.public))
            step = step.before
        return " ".join(reversed(private)) + " | " + " ".join(reversed(public))

    def _children_of(self, number: int) -> range:
        """Return the numbers of a state's children, derived once."""
        children = self._children.get(number)
        if children is None:
            length = self._lengths[number] + 1
            children = self._children[number] = self._keep(self._derive(self._states[number]), length)
        return children

    def _keep(self, states: list[DerivedState], length: int) -> range:
        """Add states to the list, after so many moves; return their numbers."""
        first = len(self._states)
        if self._is_observed:  # otherwise some have waited on the way
            for state in states:
                self._promises.length(state.worlds[0], length, state.actor)
        self._states += states
        self._lengths += [length] * len(states)
        self.num_bytes += sum(
            3_000 + 100 * len(state.worlds) + 300 * sum(state.num_infostates) for state in states
        )
        self._numbers += [self._number(state) for state in states]
        return range(first, len(self._states))

    def _number(self, state: DerivedState) -> _Numbers:
        """Return what a state is in numbers, its matrices added to the book."""
        legal = [0 if actions[0] == WAIT else len(actions) for actions in state.legal]
        return _Numbers(
            actor=state.actor,
            num_actions=max(map(len, state.legal), default=0),
            legal=legal,
            joint=self._book.add(self.joint_weights(state)),
            payoff=self._book.add(self.payoffs(state)) if state.actor == TERMINAL else (ONES, 0.0),
            value_scale=self.game.value_scale(state.worlds[0]),
        )

    def _gather(self, numbers: list[int], counts: list[int], is_root: bool = False) -> Successors:
        """Return states of the list, in bulk."""
        states, known = [self._states[number] for number in numbers], [self._numbers[n] for n in numbers]
        records = np.zeros(len(numbers), RECORD)
        records["state"] = numbers
        sizes = np.array([state.num_infostates for state in states], np.uint32)
        flows = [
            _bulk(
                [
                    Flow(size, 0, *_EMPTY) if is_root else state.flows[player]
                    for state, size in zip(states, sizes[:, player].tolist(), strict=True)
                ]
            )
            for player in range(NUM_PLAYERS)
        ]
        return Successors(
            counts=np.array(counts, np.uint32),
            states=records,
            actor=np.array([own.actor for own in known], np.uint32),
            num_actions=np.array([own.num_actions for own in known], np.uint32),
            rows=(sizes[:, 0], sizes[:, 1]),
            legal=np.array([count for own in known for count in own.legal], np.uint32),
            flows=(flows[0], flows[1]),
            joint=np.array([own.joint[0] for own in known], np.uint32),
            payoff=np.array([own.payoff[0] for own in known], np.uint32),
            joint_scale=np.array([own.joint[1] for own in known]),
            payoff_scale=np.array([own.payoff[1] for own in known]),
            value_scale=np.array([own.value_scale for own in known]),
        )

    def _root(self) -> DerivedState:
        """Return the public state before anything has happened."""
        world = self.game.initial_world()
        self._promises.actor(world, self.game.actor(world))
        start = Infostate(None, None, None, None)
        state = DerivedState(
            observation="",
            actor=self.game.actor(world),
            worlds=[world],
            rows=np.zeros((2, 1), np.int32),
            chance=np.ones(1),
            histories=np.ones(1, np.int64),
            infostates=([start], [start]),
            legal=[],
            moves=np.zeros((0, 3), np.int32),
            move_chance=np.zeros(0),
            flows=(Flow(1, 0, *_EMPTY), Flow(1, 0, *_EMPTY)),
        )
        return self._with_legal(state)

    def _derive(self, state: DerivedState) -> list[DerivedState]:
        """Return every public outcome of the next move."""
        successors = self._successors(state)
        try:
            if self._is_observed:
                groups = _group_by_observation(successors)
            else:
                is_terminal = [self.game.actor(successor.world) == TERMINAL for successor in successors]
                groups = group_by_common_knowledge(successors, is_terminal)
            return [self._child(state, group) for group in groups]
        except TypeError:
            self._promises.hashable(
                (state.worlds[each.row], each.action, each.world, (each.public, *each.private))
                for each in successors
            )
            raise

    def _successors(self, state: DerivedState) -> list[Successor]:
        """Apply every move to every row."""
        game, mover = self.game, state.actor
        apply, public, private = game.apply, game.public_observation, game.private_observation
        width = len(state.infostates[mover]) if mover < NUM_PLAYERS else 0
        own, other = state.rows.tolist()
        result: list[Successor] = []
        for row, world in enumerate(state.worlds):
            s0, s1 = own[row], other[row]
            moves: Iterable[tuple[int, float]]
            if not self._is_observed and game.actor(world) != mover:
                result.append(self._waiting(state, row, world, s0, s1))
                continue
            if mover == CHANCE:
                moves = outcomes = game.chance_outcomes(world)
                self._promises.outcomes(world, outcomes)
            else:
                moves = [(action, 1.0) for action in state.legal[(s0, s1)[mover]]]
            for ordinal, (action, chance) in enumerate(moves):
                after = apply(world, action)
                sources = (
                    s0 + ordinal * width if mover == 0 else s0,
                    s1 + ordinal * width if mover == 1 else s1,
                )
                seen = (private(0, world, action, after), private(1, world, action, after))
                observed = public(world, action, after)
                result.append(Successor(row, ordinal, action, after, chance, sources, observed, seen))
        return result

    def _waiting(self, state: DerivedState, row: int, world: Any, s0: int, s1: int) -> Successor:
        seen = (state.infostates[0][s0].private, state.infostates[1][s1].private)
        return Successor(row, 0, WAIT, world, 1.0, (s0, s1), None, seen)

    def _child(self, parent: DerivedState, group: list[Successor]) -> DerivedState:
        """Number the infostates of one public outcome, join equal rows, and record the flows."""
        actors = [self.game.actor(successor.world) for successor in group]
        actor = self._actor_of(parent, group, set(actors))
        orders = (self._order(group, 0, actors, actor), self._order(group, 1, actors, actor))
        rows: dict[tuple[Any, int, int], int] = {}
        chance: list[float] = []
        histories: list[int] = []
        moves: list[tuple[int, int, int]] = []
        parent_chance, parent_histories = parent.chance.tolist(), parent.histories.tolist()
        for successor, s0, s1 in zip(group, orders[0].numbers, orders[1].numbers, strict=True):
            row = rows.setdefault((successor.world, s0, s1), len(rows))
            if row == len(chance):
                chance.append(0.0)
                histories.append(0)
            chance[row] += parent_chance[successor.row] * successor.chance
            histories[row] += parent_histories[successor.row]
            moves.append((successor.row, successor.ordinal, row))
        state = DerivedState(
            observation=str(group[0].public) if self._is_observed else "",
            actor=actor,
            worlds=[key[0] for key in rows],
            rows=np.array([[key[1] for key in rows], [key[2] for key in rows]], np.int32),
            chance=np.array(chance),
            histories=np.array(histories, np.int64),
            infostates=(
                self._infostates(parent, orders[0].first, 0),
                self._infostates(parent, orders[1].first, 1),
            ),
            legal=[],
            moves=np.array(moves, np.int32),
            move_chance=np.array([successor.chance for successor in group]),
            flows=(orders[0].flow, orders[1].flow),
        )
        if self._merge:
            state = merge_infostates(state)
        return self._with_legal(state)

    def _actor_of(self, parent: DerivedState, group: list[Successor], actors: set[int]) -> int:
        for successor in group if len(actors) > 1 or not actors <= _ACTORS else ():
            actor = self.game.actor(successor.world)
            self._promises.actor(successor.world, actor)
            if self._is_observed and actor != self.game.actor(group[0].world):
                promise = f"after {group[0].public!r} it is not public who acts, one of {sorted(actors)}"
                raise BrokenPromiseError(self.game, promise, parent.worlds[successor.row], successor.action)
        return schedule(actors, parent.actor)

    def _order(self, group: list[Successor], player: int, actors: list[int], actor: int) -> "_Order":
        """Number a player's infostates by source, then by action: public moves keep the order."""
        # A player asked to move knows it, even where the observation does not say so.
        keys = [
            (successor.sources[player], successor.private[player], player != actor or acts == player)
            for successor, acts in zip(group, actors, strict=True)
        ]
        first: dict[tuple[int, Hashable, bool], Successor] = {}
        for key, successor in zip(keys, group, strict=True):
            first.setdefault(key, successor)
        ordered = sorted(first, key=lambda key: (key[0], first[key].action))
        if not self._is_observed and len({key[1:] for key in ordered}) < len(ordered):
            raise InputError(
                f"no sound public view of {self.facts.name}: player {player} has an infostate that forgets"
                " the way it was reached"
            )
        numbers = {key: number for number, key in enumerate(ordered)}
        flow = make_flow(len(ordered), [key[0] for key in ordered], range(len(ordered)))
        return _Order([first[key] for key in ordered], [numbers[key] for key in keys], flow)

    def _infostates(self, parent: DerivedState, first: list[Successor], player: int) -> list[Infostate]:
        """Link every new infostate to the one it comes from."""
        known = parent.infostates[player]
        infostates = []
        for successor in first:
            source, own_action = successor.sources[player], None
            if parent.actor == player:
                ordinal, source = divmod(source, len(known))
                action = parent.legal[source][ordinal]
                if action != WAIT:
                    own_action = self.game.action_name(parent.worlds[successor.row], action)
            infostates.append(
                Infostate(known[source], successor.public, successor.private[player], own_action)
            )
        return infostates

    def _with_legal(self, state: DerivedState) -> DerivedState:
        """Fill in the acting player's actions, which every world of an infostate must agree on."""
        player = state.actor
        if player >= NUM_PLAYERS:
            return state
        legal: list[tuple[int, ...]] = [()] * len(state.infostates[player])
        actor, legal_actions = self.game.actor, self.game.legal_actions
        for world, infostate in zip(state.worlds, state.rows[player].tolist(), strict=True):
            acts = self._is_observed or actor(world) == player
            actions = tuple(legal_actions(world)) if acts else (WAIT,)
            known = legal[infostate]
            if not known:
                if acts:
                    self._promises.actions(world, actions)
                legal[infostate] = actions
            elif known != actions:
                name = self.name_infostate(state, player, infostate)
                promise = f"player {player} must know its actions: {name!r} has both {known} and {actions}"
                raise BrokenPromiseError(self.game, promise, world)
        return state._replace(legal=legal)


def _sum_pairs(state: DerivedState, weights: F64) -> F64:
    """Return weights of a state's rows, summed by pairs of infostates [H0, H1]."""
    height, width = state.num_infostates
    sums: F64 = np.bincount(state.rows[0] * width + state.rows[1], weights, height * width).astype(np.float64)
    return sums.reshape(height, width)


def merge_infostates(state: DerivedState) -> DerivedState:
    """Join the infostates of a player that hold the same worlds with the same chance: equal futures."""
    rows, infostates, flows = state.rows.copy(), list(state.infostates), list(state.flows)
    for player in range(NUM_PLAYERS):
        if len(infostates[player]) == 1:
            continue
        contents: list[set[tuple[Any, int, float]]] = [set() for _ in infostates[player]]
        pairs = zip(rows[player].tolist(), rows[1 - player].tolist(), strict=True)
        for (own, other), world, chance in zip(pairs, state.worlds, state.chance.tolist(), strict=True):
            contents[own].add((world, other, chance))
        numbers: dict[frozenset[Any], int] = {}
        places = [numbers.setdefault(frozenset(part), len(numbers)) for part in contents]
        if len(numbers) == len(contents):
            continue
        merged = np.array(places, np.int32)
        first = {int(number): index for index, number in reversed(list(enumerate(merged)))}
        infostates[player] = [infostates[player][first[number]] for number in range(len(numbers))]
        flows[player] = _merged_flow(flows[player], merged, len(numbers))
        rows[player] = merged[rows[player]]
    if sum(map(len, infostates)) == sum(state.num_infostates):
        return state
    return _join_rows(state, rows, (infostates[0], infostates[1]))._replace(flows=(flows[0], flows[1]))


def _merged_flow(flow: Flow, merged: I32, size: int) -> Flow:
    if flow.source.size == 0:
        return make_flow(size, range(flow.start, flow.start + flow.size), merged.tolist())
    return make_flow(size, flow.source.tolist(), merged[flow.target].tolist())


def make_flow(size: int, source: Sequence[int], target: Sequence[int]) -> Flow:
    """Return the flow of these pairs, without arrays where the map is contiguous."""
    start = source[0]
    if len(source) == size and all(map(eq, target, count())) and all(map(eq, source, count(start))):
        return Flow(size, start, *_EMPTY)
    pairs = np.array(sorted(zip(source, target, strict=True)), np.uint32)
    return Flow(size, 0, pairs[:, 0], pairs[:, 1])


def targets_of(flow: Flow, source: int) -> list[int]:
    """Return the infostates that a slot or an infostate flows into."""
    if flow.source.size == 0:
        return [source - flow.start] if 0 <= source - flow.start < flow.size else []
    found: list[int] = flow.target[flow.source == source].tolist()
    return found


def _bulk(flows: list[Flow]) -> Flows:
    """Return the flows of one player into children, one after the other."""
    bounds = np.zeros(len(flows) + 1, np.uint32)
    np.cumsum([flow.source.size for flow in flows], out=bounds[1:])
    return Flows(
        start=np.array([flow.start for flow in flows], np.uint32),
        bounds=bounds,
        source=np.concatenate([flow.source for flow in flows]),
        target=np.concatenate([flow.target for flow in flows]),
    )


def _join_rows(
    state: DerivedState, rows: I32, infostates: tuple[list[Infostate], list[Infostate]]
) -> DerivedState:
    """Join rows that merging made equal. Chance is per pair of infostates, so it is kept, not added."""
    numbers: dict[tuple[Any, int, int], int] = {}
    keys = zip(state.worlds, rows[0].tolist(), rows[1].tolist(), strict=True)
    joined = np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)
    chance = np.zeros(len(numbers))
    chance[joined] = state.chance
    histories = np.zeros(len(numbers), np.int64)
    np.add.at(histories, joined, state.histories)
    moves = state.moves.copy()
    moves[:, 2] = joined[moves[:, 2]]
    return state._replace(
        worlds=[key[0] for key in numbers],
        rows=np.array([(key[1], key[2]) for key in numbers], np.int32).T,
        chance=chance,
        histories=histories,
        infostates=infostates,
        moves=moves,
    )


def _group_by_observation(successors: list[Successor]) -> list[list[Successor]]:
    groups: dict[Hashable, list[Successor]] = {}
    for successor in successors:
        groups.setdefault(successor.public, []).append(successor)
    return list(groups.values())
