"""Looking into a solved spot: scenes are a street after cards that really came, boards that stand for others.

A `Scene` says where one is: a street (with several starts), the board that stands for the cards that came,
and the renaming of suits from the real cards to that board's. A `Look` has the average policies, their reach
and values there.

Verified: tests/interfaces/cli/test_holdem_command.py, tests/poker/test_spot_solver.py.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sog.core.arrays import Float
from sog.core.errors import InputError
from sog.games.holdem.cards import NUM_CARDS, NUM_SUITS, board_name, card_name
from sog.games.holdem.isomorphism import rename_cards
from sog.games.holdem.showdown import Rows
from sog.poker.spot_solver import SpotSolver
from sog.poker.streets import restore_hands
from sog.poker.visits import MEET
from sog.poker.workspaces import StreetNode

_SAME_SUITS = tuple(range(NUM_SUITS))


class Scene(NamedTuple):
    """A street after some cards."""

    above: tuple[tuple[StreetNode, int], ...]  # streets and boards on the way
    street_node: StreetNode
    board: int  # of the street's level
    cards: tuple[int, ...]  # the board as it really is
    suits: tuple[int, ...]  # what each real suit is called on the board of the level
    paths: tuple[str, ...]  # moves and cards that lead to each start

    def rows(self, player: int) -> Rows:
        """Return the real hands of a player's rows."""
        rows = self.street_node.level.rows(self.board)[player]
        return rows._replace(hands=restore_hands(np.array(self.suits))[rows.hands].astype(np.int32))


class Look(NamedTuple):
    """What both players do in a scene, over the slots of its street and each player's rows."""

    policy: tuple[Float, Float]
    reach: tuple[Float, Float]
    values: tuple[Float, Float]  # counterfactual, when both play on by their average policies


def first_scene(solver: SpotSolver) -> Scene:
    """Return where the spot starts."""
    return Scene((), solver.root, 0, solver.spot.board, _SAME_SUITS, ("",))


def after_card(scene: Scene, below: StreetNode, card: int) -> Scene:
    """Return the scene of a street below after a card."""
    deals = scene.street_node.level.deals
    assert deals is not None
    if card in scene.cards:
        raise InputError(f"{card_name(card)} is on the board {board_name(scene.cards)} already")
    first, last = int(deals.first_card[scene.board]), int(deals.first_card[scene.board + 1])
    renamed = int(rename_cards(scene.suits)[card])
    number = first + deals.card[first:last].tolist().index(renamed)
    paths = []
    for leaf in scene.street_node.street.below[scene.street_node.below.index(below)].leaves:
        node = int(scene.street_node.street.layout.frontier[leaf])
        paths.append(",".join(word for word in (node_path(scene, node), card_name(card)) if word))
    return Scene(
        above=(*scene.above, (scene.street_node, scene.board)),
        street_node=below,
        board=int(deals.card_board[number]),
        cards=(*scene.cards, card),
        suits=tuple(int(deals.suits[number][suit]) for suit in scene.suits),
        paths=tuple(paths),
    )


def node_path(scene: Scene, node: int) -> str:
    """Return the moves and cards that lead to a node of a scene's street."""
    start, *moves = scene.street_node.street.path(node)
    return ",".join(word for word in (scene.paths[int(start)], *moves) if word)


def all_scenes(scene: Scene) -> Iterator[Scene]:
    """Go through a scene and all that may follow it, every real card."""
    yield scene
    for below in scene.street_node.below:
        for card in (card for card in range(NUM_CARDS) if card not in scene.cards):
            yield from all_scenes(after_card(scene, below, card))


def look(solver: SpotSolver, scene: Scene) -> Look:
    """Return what the average policies do in a scene."""
    work = solver.visit_alone(MEET, [*scene.above, (scene.street_node, scene.board)])
    return Look(
        policy=(work[0].policy.copy(), work[1].policy.copy()),
        reach=(work[0].reach.copy(), work[1].reach.copy()),
        values=(work[0].values.copy(), work[1].values.copy()),
    )
