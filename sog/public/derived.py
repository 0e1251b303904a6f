"""The public view of any game, derived from its world view by enumerating consistent histories.

A public state holds a table of rows `(world, infostate of player 0, infostate of player 1)`, each with
chance's probability summed over the histories that lead there, and their number. Expanding a public state
applies every legal move to every row and groups the results by what both players see of it
(`PublicView.OBSERVED`) or by what both players know (`PublicView.COMMON_KNOWLEDGE`, see
`common_knowledge.py`). Infostates of a child are told apart by where they come from and by the private
observation, so perfect recall holds by construction; a game that `merges_infostates` has those with
identical futures joined again.

Verified: tests/public/test_derived.py.
"""

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, I64
from sog.core.errors import InputError
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame, PublicView
from sog.public.common_knowledge import group_by_common_knowledge, schedule
from sog.public.view import Child, Flow, Legal, Payoff, make_flow

WAITING = "wait"  # the name of
WAIT = -1  # the only action of an infostate whose player acts, but not in this infostate


class Infostate(NamedTuple):
    """One step of what a player knows, linked to the step before."""

    before: "Infostate | None"
    public: Hashable
    private: Hashable
    own_action: str | None


class DerivedState(NamedTuple):
    """A public state with all its consistent worlds. W rows."""

    actor: int
    worlds: list[Any]  # [W]
    rows: I32  # [2, W] each player's infostate
    chance: F64  # [W] chance's probability, summed over the histories of the row
    histories: I64  # [W] how many histories the row stands for
    infostates: tuple[list[Infostate], list[Infostate]]
    legal: list[tuple[int, ...]]  # the acting player's actions, per infostate
    moves: I32  # [E, 3] (row of the parent, action ordinal, row here) of every history step that led here
    move_chance: F64  # [E] chance's probability of that step, 1 where a player moved


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


class DerivedView:
    """Public states of a world-view game.

    >>> from sog.games.registry import load
    >>> view = DerivedView(load("kuhn"))
    >>> view.num_infostates(view.root())
    (1, 1)
    """

    def __init__(self, game: AnyGame, merge: bool | None = None) -> None:
        self.game = game
        self._merge = game.merges_infostates if merge is None else merge
        self._is_observed = game.public_view is PublicView.OBSERVED

    @property
    def name(self) -> str:
        """The string that loads the game."""
        return self.game.info.name

    def root(self) -> DerivedState:
        """Return the public state before anything has happened."""
        world = self.game.initial_world()
        start = Infostate(None, None, None, None)
        state = DerivedState(
            actor=self.game.actor(world),
            worlds=[world],
            rows=np.zeros((2, 1), np.int32),
            chance=np.ones(1),
            histories=np.ones(1, np.int64),
            infostates=([start], [start]),
            legal=[],
            moves=np.zeros((0, 3), np.int32),
            move_chance=np.zeros(0),
        )
        return self._with_legal(state)

    def actor(self, state: DerivedState) -> int:
        """Return who acts."""
        return state.actor

    def num_infostates(self, state: DerivedState) -> tuple[int, int]:
        """Return how many infostates each player may be in."""
        return len(state.infostates[0]), len(state.infostates[1])

    def legal(self, state: DerivedState) -> Legal:
        """Return the acting player's choices."""
        counts = np.array([len(actions) for actions in state.legal], np.int32)
        return Legal(int(counts.max()), counts, sum(actions[0] == WAIT for actions in state.legal))

    def joint_weights(self, state: DerivedState) -> F64:
        """Return chance's probability of every pair of infostates."""
        weights = np.zeros(self.num_infostates(state))
        np.add.at(weights, (state.rows[0], state.rows[1]), state.chance)
        return weights

    def value_scale(self, state: DerivedState) -> float:
        """Return what evaluators' answers are divided by."""
        return self.game.value_scale(state.worlds[0])

    def payoff(self, state: DerivedState) -> Payoff:
        """Return the chance-weighted utilities of a terminal state."""
        returns = np.array([self.game.returns(world)[0] for world in state.worlds])
        return Payoff(state.rows, returns * state.chance)

    def infostate_name(self, state: DerivedState, player: int, infostate: int) -> str:
        """Return what the player knows: what was seen alone, then what everybody saw."""
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

    def action_names(self, state: DerivedState, infostate: int) -> list[str]:
        """Return the names of the acting infostate's legal actions, in slot order."""
        row = int(np.argmax(state.rows[state.actor] == infostate))
        name = self.game.action_name
        return [
            WAITING if action == WAIT else name(state.worlds[row], action)
            for action in state.legal[infostate]
        ]

    def children(self, state: DerivedState) -> list[Child[DerivedState]]:
        """Return every public outcome of the next move."""
        successors = self._successors(state)
        if self._is_observed:
            groups = _group_by_observation(successors)
        else:
            is_terminal = [self.game.actor(successor.world) == TERMINAL for successor in successors]
            groups = group_by_common_knowledge(successors, is_terminal)
        return [self._child(state, group) for group in groups]

    def _successors(self, state: DerivedState) -> list[Successor]:
        """Apply every move to every row."""
        game, mover = self.game, state.actor
        apply, public, private = game.apply, game.public_observation, game.private_observation
        width = len(state.infostates[mover]) if mover < NUM_PLAYERS else 0
        result: list[Successor] = []
        for row, world in enumerate(state.worlds):
            s0, s1 = int(state.rows[0, row]), int(state.rows[1, row])
            moves: Iterable[tuple[int, float]]
            if not self._is_observed and game.actor(world) != mover:
                result.append(self._waiting(state, row, world, s0, s1))
                continue
            if mover == CHANCE:
                moves = game.chance_outcomes(world)
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

    def _child(self, parent: DerivedState, group: list[Successor]) -> Child[DerivedState]:
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
        )
        flows = orders[0].flow, orders[1].flow
        if self._merge:
            state, flows = merge_infostates(state, flows)
        return Child(str(group[0].public), self._with_legal(state), flows)

    def _actor_of(self, parent: DerivedState, group: list[Successor], actors: set[int]) -> int:
        if len(actors) > 1 and self._is_observed:
            raise ValueError(f"{self.name}: after {group[0].public!r} it is not public who acts: {actors}")
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
                f"no sound public view of {self.name}: player {player} has an infostate that forgets"
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
                legal[infostate] = actions
            elif known != actions:
                name = self.infostate_name(state, player, infostate)
                raise ValueError(f"{self.name}: infostate {name!r} has both {known} and {actions} as actions")
        return state._replace(legal=legal)


def merge_infostates(state: DerivedState, flows: tuple[Flow, Flow]) -> tuple[DerivedState, tuple[Flow, Flow]]:
    """Join the infostates of a player that hold the same worlds with the same chance: equal futures."""
    rows, infostates, new_flows = state.rows.copy(), list(state.infostates), list(flows)
    for player in range(NUM_PLAYERS):
        contents: list[set[tuple[Any, int, float]]] = [set() for _ in infostates[player]]
        for row, world in enumerate(state.worlds):
            contents[rows[player, row]].add((world, int(rows[1 - player, row]), float(state.chance[row])))
        numbers: dict[frozenset[Any], int] = {}
        merged = np.array([numbers.setdefault(frozenset(part), len(numbers)) for part in contents], np.int32)
        if len(numbers) == len(contents):
            continue
        first = {int(number): index for index, number in reversed(list(enumerate(merged)))}
        infostates[player] = [infostates[player][first[number]] for number in range(len(numbers))]
        new_flows[player] = _merged_flow(new_flows[player], merged, len(numbers))
        rows[player] = merged[rows[player]]
    return _join_rows(state, rows, (infostates[0], infostates[1])), (new_flows[0], new_flows[1])


def _merged_flow(flow: Flow, merged: I32, size: int) -> Flow:
    if flow.source is None or flow.target is None:
        return make_flow(size, range(flow.start, flow.start + flow.size), merged.tolist())
    return make_flow(size, flow.source.tolist(), merged[flow.target].tolist())


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
