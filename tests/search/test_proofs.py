"""Proofs against plain search of tic-tac-toe, whose whole tree a store can hold."""

from functools import cache
from typing import Any

from sog.games.base import TERMINAL, AnyGame
from sog.games.registry import load
from sog.public.opening import open_store
from sog.search.proofs import OPEN, prove

GAME: AnyGame = load("tictactoe")


@cache
def plain(world: Any) -> tuple[int, int]:
    """Return the winner and the plies to the end; OPEN for a draw."""
    player = GAME.actor(world)
    if player == TERMINAL:
        utility = GAME.returns(world)[0]
        return (OPEN if utility == 0 else int(utility < 0)), 0
    after = [plain(GAME.apply(world, action)) for action in GAME.legal_actions(world)]
    won = [plies for winner, plies in after if winner == player]
    if won:
        return player, 1 + min(won)
    if any(winner == OPEN for winner, _ in after):
        return OPEN, 0
    return 1 - player, 1 + max(plies for _, plies in after)


def test_a_whole_tree_is_proven_as_it_is() -> None:
    world = GAME.initial_world()
    for action in (0, 8, 2):
        world = GAME.apply(world, action)
    store = open_store(GAME, world)
    worlds, node = {0: world}, 0
    while node < store.num_nodes:
        if store.actor(node) != TERMINAL:
            for child, action in zip(store.children(node), GAME.legal_actions(worlds[node]), strict=True):
                worlds[child] = GAME.apply(worlds[node], action)
        node += 1
    proofs = prove(store)
    for number, known in worlds.items():
        winner, plies = plain(known)
        assert proofs.winner[number] == winner
        if winner != OPEN:
            assert proofs.plies[number] == plies
    assert len(set(proofs.winner.tolist())) == 3


def test_what_was_not_expanded_proves_nothing() -> None:
    store = open_store(GAME)
    store.expand([0])
    assert set(prove(store).winner.tolist()) == {OPEN}
