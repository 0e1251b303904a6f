"""Putting one player's strategy of a solved spot into the solve of a larger one.

What was solved anew below a decision, such as the answer to a bet, takes its place in the whole: so how
exploitable a sequence of solves is can be measured exactly. Decisions are found by the moves and cards that
lead to them; moves and hands that the smaller spot does not have are left with nothing.

Verified: tests/poker/test_safe_spots.py.
"""

from collections.abc import Iterator

import numpy as np

from sog.core.arrays import Float
from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.betting import legal_moves
from sog.games.holdem.cards import NUM_HANDS
from sog.games.holdem.spot import Spot
from sog.poker.regret_storage import Sums
from sog.poker.scenes import Scene, after_card, first_scene, node_path
from sog.poker.spot_solver import SpotSolver

Place = tuple[Scene, int]
"""A node of a scene's street."""


def graft(whole: SpotSolver, part: SpotSolver, player: int, path: str = "") -> None:
    """Let a player play in `whole` as in `part`, which begins after the moves and cards of a path.

    The averages of `whole` are modified in place.
    """
    copied = 0
    for cards, places in _places(whole, ""):
        others = dict(_some_places(part, path, cards))
        for words, (scene, number) in places:
            if scene.street_node.street.layout.actor[number] == player and words in others:
                _copy(whole.spot, part.spot, (scene, number), others[words], player)
                copied += 1
    if copied == 0:
        raise InputError(f"nothing of one spot is found in the other after {path!r}")
    whole.advance(0)


def _places(solver: SpotSolver, path: str) -> Iterator[tuple[tuple[int, ...], list[tuple[str, Place]]]]:
    """Go through boards that stand for others, with their decisions by the moves that lead there."""
    first = first_scene(solver)
    yield first.cards, list(_some_places(solver, path, first.cards))
    if first.street_node.below:
        for board in first.street_node.below[0].level.boards:
            yield board, list(_some_places(solver, path, board))


def _some_places(solver: SpotSolver, path: str, cards: tuple[int, ...]) -> Iterator[tuple[str, Place]]:
    """Go through the decisions after these cards; none where the spot begins later or goes on otherwise."""
    scene = first_scene(solver)._replace(paths=(path,))
    if cards == scene.cards:
        yield from _decisions(scene)
    elif cards[:-1] == scene.cards:
        for below in scene.street_node.below:
            yield from _decisions(after_card(scene, below, cards[-1]))


def _decisions(scene: Scene) -> Iterator[tuple[str, Place]]:
    for number in np.flatnonzero(scene.street_node.street.layout.actor < NUM_PLAYERS).tolist():
        yield node_path(scene, number), (scene, number)


def _copy(whole: Spot, part: Spot, place: Place, other: Place, player: int) -> None:
    """Copy a decision's averages, move by move and hand by hand."""
    (scene, number), (their_scene, their_number) = place, other
    own, theirs = _averages(scene, player), _averages(their_scene, player)
    rows, their_rows = scene.rows(player), their_scene.rows(player)
    row_of = np.full(NUM_HANDS, -1)
    row_of[their_rows.hands] = their_rows.row
    held = row_of[rows.hands] >= 0
    to, of = rows.row[held], row_of[rows.hands[held]]
    slot, _ = scene.street_node.street.layout.decision_slots(number)
    their_slot, _ = their_scene.street_node.street.layout.decision_slots(their_number)
    labels = [
        move.label for move in legal_moves(their_scene.street_node.street.bettings[their_number], part.sizes)
    ]
    for action, move in enumerate(legal_moves(scene.street_node.street.bettings[number], whole.sizes)):
        own[slot + action, to] = 0
        if move.label in labels:
            own[slot + action, to] = theirs[their_slot + labels.index(move.label), of]


def _averages(scene: Scene, player: int) -> Float:
    """Return the averages of a scene's board, [slots, rows]; writing into them changes the solve."""
    node = scene.street_node
    sums, rows = node.sums[player], node.level.num_rows(player, scene.board)
    assert isinstance(sums, Sums)
    return sums.average[node.sums_block(player, scene.board)].reshape(-1, rows)
