"""Playing a record of SGF again, by the rules.

Verified: tests/games/go/test_sgf.py.
"""

from sog.core.errors import InputError
from sog.games.go.game import MAX_LENGTH, Go, GoWorld
from sog.games.go.sgf import SgfRecord
from sog.games.go.vertices import vertex_names

_NAMES = "black", "white"


def replay(record: SgfRecord) -> tuple[Go, list[GoWorld]]:
    """Return the game of a record and its worlds, first and last included; all moves must be legal."""
    usual = 2 * record.size * record.size
    game = Go(record.size, record.komi, min(max(usual, len(record.moves)), MAX_LENGTH))
    worlds = [game.set_up(record.stones, record.first)]
    for number, action in enumerate(record.moves, 1):
        player, name = game.actor(worlds[-1]), vertex_names(record.size)[action]
        if player > 1:
            raise InputError(f"SGF: move {number}: the game is over")
        if action not in game.legal_actions(worlds[-1]):
            raise InputError(f"SGF: move {number}: {_NAMES[player]} may not play {name}")
        worlds.append(game.apply(worlds[-1], action))
    return game, worlds
