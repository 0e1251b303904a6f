"""Which moves are legal: no suicide, and no position of the game ever comes back (positional superko).

A position can come back only by a stone where one of the same colour has stood before, so nearly all moves
are spared the question. For the others the hash after the move is the hash now without the captured stones,
and is looked for among the hashes of the game. Passing is always legal.

Verified: tests/games/go/test_rules.py, tests/games/go/test_gnugo.py.
"""

import numpy as np

from sog.core.arrays import U32
from sog.core.jit import ONE, ZERO, inlined
from sog.games.go.layout import (
    EMPTY,
    HASH,
    NOWHERE,
    NUM_MOVES,
    Board,
    GoRules,
    count_near,
    neighbours_of,
    other,
    player_colour,
    stood_bit,
)


@inlined
def fill_legal(rules: GoRules, board: Board, actions: U32, at: np.uint64) -> np.uint64:
    """Write the legal actions, ascending, to `actions` from `at` on; return how many there are.

    There is at least one, the pass, and at most S² + 1.
    """
    colour, count = player_colour(board.facts), ZERO
    for action in range(rules.pass_action):
        point = np.uint64(rules.point_of[action])
        if board.colour[point] == EMPTY and is_legal(rules, board, point, colour):
            actions[at + count] = action
            count += ONE
    actions[at + count] = rules.pass_action
    return count + ONE


@inlined
def is_legal(rules: GoRules, board: Board, point: np.uint64, colour: np.uint64) -> bool:
    """Whether a stone of that colour may be put on an empty point."""
    near = np.uint64(board.near[point])
    if count_near(near, np.uint64(EMPTY)) == ZERO and _is_suicide(rules, board, point, colour):
        return False
    return near & stood_bit(colour) == ZERO or not _repeats(rules, board, point, colour)


@inlined
def _is_suicide(rules: GoRules, board: Board, point: np.uint64, colour: np.uint64) -> bool:
    """Whether a stone on a point without empty neighbours has no liberty after captures.

    The liberty at `point` is taken from all chains around it for a moment. A chain of the same colour that
    has another one lives on, and so does the stone; a chain of the other colour that has none is captured.
    """
    liberties, head, opponent = board.liberties, board.head, other(colour)
    for q in neighbours_of(point, rules.stride):
        liberties[np.uint64(head[q])] -= ONE
    lives = False
    for q in neighbours_of(point, rules.stride):
        held, left = np.uint64(board.colour[q]), np.uint64(liberties[np.uint64(head[q])])
        lives |= (held == colour and left != ZERO) or (held == opponent and left == ZERO)
    for q in neighbours_of(point, rules.stride):
        liberties[np.uint64(head[q])] += ONE
    return not lives


@inlined
def _repeats(rules: GoRules, board: Board, point: np.uint64, colour: np.uint64) -> bool:
    """Whether the position after the move has been on the board before."""
    after = board.facts[HASH] ^ rules.keys[colour * rules.num_points + point]
    opponent = other(colour)
    around = neighbours_of(point, rules.stride)
    for k in range(4):
        chain = np.uint64(board.head[around[k]])
        if board.colour[around[k]] != opponent:
            chain = NOWHERE
        touching, is_first = ZERO, chain != NOWHERE
        for j in range(4):
            is_same = np.uint64(board.head[around[j]]) == chain
            touching += np.uint64(is_same)
            is_first = is_first and not (is_same and j < k)
        if is_first and np.uint64(board.liberties[chain]) == touching:
            after ^= _chain_hash(rules, board, chain, opponent)
    found = False
    for i in range(board.facts[NUM_MOVES] + ONE):
        found |= board.history[i] == after
    return found


@inlined
def _chain_hash(rules: GoRules, board: Board, chain: np.uint64, colour: np.uint64) -> np.uint64:
    total, stone = ZERO, chain
    for _ in range(np.uint64(board.chain_size[chain])):
        total ^= rules.keys[colour * rules.num_points + stone]
        stone = np.uint64(board.link[stone])
    return total
