"""Putting stones on the board and taking chains off it.

Nothing is asked here about legality: see `legality.py`. Every entry of a board that a stone touches is
brought up to date at once; nothing is ever searched for.

Verified: tests/games/go/test_rules.py.
"""

import numpy as np

from sog.core.jit import ONE, ZERO, inlined
from sog.games.go.layout import (
    COUNTS,
    EMPTY,
    HASH,
    NOWHERE,
    NUM_MOVES,
    NUM_REMEMBERED,
    PASSES,
    TO_PLAY,
    U64,
    Board,
    GoRules,
    near_change,
    neighbours_of,
    other,
    player_colour,
    stood_bit,
)

_EMPTIES = np.uint64(COUNTS + EMPTY)


@inlined
def play(rules: GoRules, board: Board, action: np.uint64) -> None:
    """Make a legal move in place."""
    facts = board.facts
    number = facts[NUM_MOVES]
    _remember(rules, board.past, number)
    facts[NUM_MOVES] = number + ONE
    if action == rules.pass_action:
        facts[PASSES] += ONE
    else:
        facts[PASSES] = ZERO
        put_stone(rules, board, np.uint64(rules.point_of[action]), player_colour(facts))
    facts[TO_PLAY] = ONE - facts[TO_PLAY]
    board.history[number + ONE] = facts[HASH]


@inlined
def put_stone(rules: GoRules, board: Board, point: np.uint64, colour: np.uint64) -> None:
    """Put a stone on an empty point, join the chains it touches, and take off those it leaves no liberty."""
    _fill(rules, board, point, colour)
    change, liberties, head = near_change(colour), board.liberties, board.head
    head[point] = board.link[point] = point
    board.chain_size[point] = ONE
    board.near[point] |= stood_bit(colour)
    liberties[point] = board.near[point] & np.uint64(15)
    for q in neighbours_of(point, rules.stride):
        board.near[q] += change
        liberties[np.uint64(head[q])] -= ONE
    opponent = other(colour)
    for q in neighbours_of(point, rules.stride):
        held, chain = np.uint64(board.colour[q]), np.uint64(head[q])
        if held == opponent and liberties[chain] == ZERO:
            _capture(rules, board, chain, opponent)
        elif held == colour and chain != np.uint64(head[point]):
            _join(board, np.uint64(head[point]), chain)
    liberties[NOWHERE] = ZERO


@inlined
def _remember(rules: GoRules, past: U64, number: np.uint64) -> None:
    """Copy the present sets of stones to where the next ones belong."""
    width = np.uint64(2) * rules.num_masks
    here = (number % np.uint64(NUM_REMEMBERED)) * width
    there = ((number + ONE) % np.uint64(NUM_REMEMBERED)) * width
    for i in range(width):
        past[there + i] = past[here + i]


@inlined
def _toggle(rules: GoRules, board: Board, point: np.uint64, colour: np.uint64) -> None:
    """Enter a stone, or take it out of the hash and of the present set of stones."""
    facts = board.facts
    facts[HASH] ^= rules.keys[colour * rules.num_points + point]
    action = np.uint64(rules.action_of[point])
    slot = np.uint64(2) * (facts[NUM_MOVES] % np.uint64(NUM_REMEMBERED)) + colour - ONE
    board.past[slot * rules.num_masks + (action >> np.uint64(6))] ^= ONE << (action & np.uint64(63))


@inlined
def _fill(rules: GoRules, board: Board, point: np.uint64, colour: np.uint64) -> None:
    """Turn an empty point into a stone; the last of the empty points takes its place among them."""
    facts, empties, place = board.facts, board.empties, board.place
    facts[_EMPTIES] -= ONE
    facts[np.uint64(COUNTS) + colour] += ONE
    last = np.uint64(empties[facts[_EMPTIES]])
    hole = np.uint64(place[point])
    empties[hole] = last
    place[last] = hole
    board.colour[point] = colour
    _toggle(rules, board, point, colour)


@inlined
def _capture(rules: GoRules, board: Board, chain: np.uint64, colour: np.uint64) -> None:
    """Take a chain off the board."""
    facts, change = board.facts, near_change(colour)
    stone = chain
    for _ in range(np.uint64(board.chain_size[chain])):
        board.colour[stone] = EMPTY
        board.empties[facts[_EMPTIES]] = stone
        board.place[stone] = facts[_EMPTIES]
        facts[_EMPTIES] += ONE
        facts[np.uint64(COUNTS) + colour] -= ONE
        _toggle(rules, board, stone, colour)
        for q in neighbours_of(stone, rules.stride):
            board.near[q] -= change
            board.liberties[np.uint64(board.head[q])] += ONE
        board.head[stone] = NOWHERE
        stone = np.uint64(board.link[stone])


@inlined
def _join(board: Board, one: np.uint64, two: np.uint64) -> None:
    """Make one chain of two; the smaller one is renamed."""
    size, link = board.chain_size, board.link
    if size[one] < size[two]:
        one, two = two, one
    stone = two
    for _ in range(np.uint64(size[two])):
        board.head[stone] = one
        stone = np.uint64(link[stone])
    size[one] += size[two]
    board.liberties[one] += board.liberties[two]
    after = link[one]
    link[one] = link[two]
    link[two] = after
