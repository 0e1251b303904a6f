"""What follows public states of Scotland Yard, in bulk, by kernels.

A public state is a record: everything that both players see, and the set of stations where Mr. X may be. His
infostate is the rank of his station in that set; the detectives have one. A move of Mr. X is a list of pairs
(slot, station that he goes to), grouped by what the detectives see of it; a detective's move is a list of
pairs (infostate, station that he stays at). How a list goes on is the same for both: he is caught, he has no
move left, or the game goes on with a smaller set.

Chance made all stations equally likely, once; the rest is Mr. X's own doing. So joint weights are one number.

Verified: tests/games/scotland_yard/test_view.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, I64, U8, U32, Records
from sog.core.bits import count_bits, lowest_index
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import CHANCE, TERMINAL
from sog.games.scotland_yard.tables import (
    CAUGHT,
    DETECTIVES,
    ESCAPED,
    MAX_DETECTIVES,
    NUM_KINDS,
    NUM_WORDS,
    PLACING,
    STUCK,
    MapTables,
)

RECORD = np.dtype(
    [
        ("possible", "u8", (NUM_WORDS,)),  # set of stations where Mr. X may be, none while pawns are placed
        ("chance", "f8"),  # of the starts drawn so far
        ("turn", "i1"),  # 0 Mr. X, k the k-th detective, or one of the constants above
        ("moves", "u1"),  # in Mr. X's log
        ("doubles", "u1"),  # double moves left
        ("double", "u1"),  # moves to come of a double move that has been declared
        ("detectives", "u1", (MAX_DETECTIVES,)),  # stations, 0 for those not placed
        ("detective_tickets", "u1", (MAX_DETECTIVES, NUM_KINDS - 1)),
        ("hider_tickets", "u1", (NUM_KINDS,)),
    ]
)
Turn = int | np.int64  # whose, or how the game has ended
_SIX, _LAST_BIT = np.uint64(6), np.uint64(63)
_GROUPS = 1 << 10  # kinds of tickets and ends
_DOUBLE = np.uint64(_GROUPS)  # the last group
_FIVE, _EIGHT = np.uint64(MAX_DETECTIVES), np.uint64(8)


class Children(NamedTuple):
    """Room for C children with E entries of Mr. X's flow; filled in order."""

    counts: U32  # [B]
    filled: U32  # [3] children, entries, and numbers of legal actions so far
    states: Records  # [C] RECORD
    actor: U32  # [C]
    num_actions: U32  # [C]
    rows: U32  # [C] of Mr. X
    legal: U32  # [E]
    starts: U32  # [2, C] where contiguous flows begin
    bounds: U32  # [C + 1] of Mr. X's entries
    source: U32  # [E]
    target: U32  # [E]
    chance: F64  # [C]
    payoff: F64  # [C] chance-weighted, where the game is over


class _Work(NamedTuple):
    """Work space for one state with A actions and H infostates of Mr. X."""

    after: Records  # [1] the state after a move, before it is known how it goes on
    num_legal: U32  # [H]
    slot_group: U32  # [A × H]
    slot_end: U8  # [A × H] station
    group_start: U32  # [groups + 1]
    source: U32  # [A × H] pairs
    end: U8  # [A × H] station
    turn: I64  # [A × H] how each pair goes on
    is_taken: U8  # [256] stations of detectives


def expand_records(tables: MapTables, records: Records) -> Children:
    """Return the children of states that are not terminal."""
    room = np.zeros(2, np.int64)
    _bound(tables, records, room)
    children = _allocate(records.size, int(room[0]), int(room[1]))
    slots = int(tables.most_actions) * tables.degree.shape[0]
    work = _Work(
        after=np.zeros(1, RECORD),
        num_legal=np.empty(tables.degree.shape[0], np.uint32),
        slot_group=np.empty(slots, np.uint32),
        slot_end=np.empty(slots, np.uint8),
        group_start=np.zeros(_GROUPS + 2, np.uint32),
        source=np.empty(slots, np.uint32),
        end=np.empty(slots, np.uint8),
        turn=np.empty(slots, np.int64),
        is_taken=np.zeros(256, np.uint8),
    )
    _expand(tables, records, work, children)
    return children


def describe_records(tables: MapTables, records: Records) -> Children:
    """Return what records are as roots."""
    sizes = np.bitwise_count(records["possible"]).sum() if records.size else 0
    children = _allocate(records.size, records.size, int(sizes) + records.size)
    children.states[:] = records
    children.counts[:] = 1
    children.filled[0] = records.size
    _describe_all(tables, children)
    return children


def _allocate(num_states: int, num_children: int, num_entries: int) -> Children:
    return Children(
        counts=np.empty(num_states, np.uint32),
        filled=np.zeros(3, np.uint32),
        states=np.empty(num_children, RECORD),
        actor=np.empty(num_children, np.uint32),
        num_actions=np.empty(num_children, np.uint32),
        rows=np.empty(num_children, np.uint32),
        legal=np.empty(num_entries, np.uint32),
        starts=np.zeros((2, num_children), np.uint32),
        bounds=np.zeros(num_children + 1, np.uint32),
        source=np.empty(num_entries, np.uint32),
        target=np.empty(num_entries, np.uint32),
        chance=np.empty(num_children),
        payoff=np.empty(num_children),
    )


@inlined
def num_stations(record: Any) -> np.uint64:
    """Return how many stations Mr. X may be at."""
    total = ZERO
    for word in range(np.uint64(NUM_WORDS)):
        total += count_bits(record["possible"][word])
    return total


@inlined
def hider_kinds(record: Any) -> np.uint64:
    """Return the set of tickets that Mr. X has."""
    kinds = ZERO
    for kind in range(np.uint64(NUM_KINDS)):
        kinds |= np.uint64(record["hider_tickets"][kind] > 0) << kind
    return kinds


@inlined
def detective_kinds(record: Any, pawn: np.uint64) -> np.uint64:
    """Return the set of tickets that a detective has."""
    kinds = ZERO
    for kind in range(np.uint64(NUM_KINDS - 1)):
        kinds |= np.uint64(record["detective_tickets"][pawn, kind] > 0) << kind
    return kinds


@inlined
def count_moves(tables: MapTables, record: Any, station: np.uint64, kinds: np.uint64) -> np.uint64:
    """Return how many moves a set of tickets allows from a station: all but those to detectives."""
    total = np.uint64(tables.degree[station - ONE, kinds])
    for pawn in range(_FIVE):
        other = np.uint64(record["detectives"][pawn])
        total -= count_bits(np.uint64(tables.joins[station - ONE, other]) & kinds)
    return total


@inlined
def may_double(tables: MapTables, record: Any) -> bool:
    """Return whether Mr. X may declare a double move."""
    has_room = np.uint64(record["moves"]) + np.uint64(2) <= tables.rounds
    return bool(record["doubles"] > 0 and record["double"] == 0 and has_room)


@kernel
def _bound(tables: MapTables, records: Records, room: I64) -> None:
    """Add up the most children and entries that states may have; room [2] modified in place."""
    for index in range(np.uint64(records.size)):
        record = records[index]
        rows, turn = np.int64(num_stations(record)), np.int64(record["turn"])
        if turn == PLACING:
            children, entries = np.int64(tables.starts.shape[1]), np.int64(tables.starts.shape[1])
        elif turn == 0:
            entries = rows * np.int64(tables.most_actions)
            children = entries + 1 if tables.is_shown[np.uint64(record["moves"]) + ONE] else np.int64(10)
        else:
            station = np.uint64(record["detectives"][np.uint64(turn - 1)])
            actions = np.int64(tables.degree[station - ONE, np.uint64(7)])
            children, entries = 3 * actions, actions * rows
        room[0] += children
        room[1] += entries


@kernel
def _expand(tables: MapTables, records: Records, work: _Work, children: Children) -> None:
    for index in range(np.uint64(records.size)):
        before, record = children.filled[0], records[index]
        for pawn in range(_FIVE):
            work.is_taken[np.uint64(record["detectives"][pawn])] = 1
        if record["turn"] == PLACING:
            _place(tables, record, work, children)
        elif record["turn"] == 0:
            _move_hider(tables, record, work, children)
        else:
            _move_detective(tables, record, work, children)
        for pawn in range(_FIVE):
            work.is_taken[np.uint64(record["detectives"][pawn])] = 0
        children.counts[index] = children.filled[0] - before


@kernel
def _describe_all(tables: MapTables, children: Children) -> None:
    for index in range(np.uint64(children.states.size)):
        _describe(tables, children, np.uint64(index))


@inlined
def _describe(tables: MapTables, children: Children, child: np.uint64) -> None:
    """Write who acts in a child, with how many actions, and what it is worth if the game is over."""
    record = children.states[child]
    turn, chance = np.int64(record["turn"]), record["chance"]
    children.rows[child] = ONE if turn == PLACING else num_stations(record)
    children.chance[child], children.payoff[child] = chance, 0.0
    most = ZERO
    if turn == 0:
        children.actor[child] = 0
        most = _count_hider(tables, record, children)
    elif turn > 0:
        children.actor[child] = DETECTIVES
        pawn = np.uint64(turn - 1)
        most = count_moves(
            tables, record, np.uint64(record["detectives"][pawn]), detective_kinds(record, pawn)
        )
        children.legal[np.uint64(children.filled[2])] = most
        children.filled[2] += np.uint32(1)
    else:
        children.actor[child] = CHANCE if turn == PLACING else TERMINAL
        if turn != PLACING:
            children.payoff[child] = chance if turn == ESCAPED else -chance
    children.num_actions[child] = most


@inlined
def _count_hider(tables: MapTables, record: Any, children: Children) -> np.uint64:
    """Write how many actions Mr. X has at each station; return the most."""
    kinds, most, at = hider_kinds(record), ZERO, np.uint64(children.filled[2])
    more = ONE if may_double(tables, record) else ZERO
    for word in range(np.uint64(NUM_WORDS)):
        left = record["possible"][word]
        while left != ZERO:
            station = (word << _SIX) + lowest_index(left) + ONE
            left &= left - ONE
            count = count_moves(tables, record, station, kinds) + more
            children.legal[at] = count
            at += ONE
            most = max(most, count)
    children.filled[2] = at
    return most


@inlined
def _place(tables: MapTables, record: Any, work: _Work, children: Children) -> None:
    """Write every station that chance may draw for the next pawn; Mr. X's are one child."""
    pawn, drawn = ZERO, ZERO
    while pawn < tables.num_detectives and record["detectives"][pawn] > 0:
        pawn += ONE
    for index in range(np.uint64(tables.starts.shape[1])):
        station = np.uint64(tables.starts[pawn, index])
        if station != ZERO and work.is_taken[station] == 0:
            work.source[drawn], work.end[drawn] = 0, station
            drawn += ONE
    if pawn == tables.num_detectives:
        work.after[0] = record
        work.after[0]["chance"] = record["chance"] / float(drawn)
        _go_on(tables, -1, ZERO, drawn, ZERO, work, children)
        return
    for index in range(drawn):
        work.after[0] = record
        after = work.after[0]
        after["chance"] = record["chance"] / float(drawn)
        after["detectives"][pawn] = work.end[index]
        _place_others(tables, after)
        child = np.uint64(children.filled[0])
        children.states[child] = after
        _finish(tables, children, child, ZERO)


@inlined
def _place_others(tables: MapTables, record: Any) -> None:
    """Place the next pawns as long as they have one station to start from; record modified in place."""
    pawn = ZERO
    while pawn <= tables.num_detectives:
        if pawn < tables.num_detectives and record["detectives"][pawn] > 0:
            pawn += ONE
            continue
        free, last = 0, ZERO
        for index in range(np.uint64(tables.starts.shape[1])):
            station = np.uint64(tables.starts[pawn, index])
            is_free = station != ZERO
            for other in range(_FIVE):
                is_free = is_free and np.uint64(record["detectives"][other]) != station
            if is_free:
                free, last = free + 1, station
        if free > 1:
            return
        if pawn < tables.num_detectives:
            record["detectives"][pawn] = last
        else:
            add_station(record, last)
            can_move = count_moves(tables, record, last, hider_kinds(record)) > ZERO
            record["turn"] = 0 if can_move else STUCK
            return


@inlined
def add_station(record: Any, station: np.uint64) -> None:
    """Let Mr. X be at one more station; record modified in place."""
    bit = station - ONE
    record["possible"][bit >> _SIX] |= ONE << (bit & _LAST_BIT)


@inlined
def _move_hider(tables: MapTables, record: Any, work: _Work, children: Children) -> None:
    """Write what the detectives may see of a move of Mr. X: a ticket, with its end where he is shown."""
    is_shown = tables.is_shown[np.uint64(record["moves"]) + ONE] != 0
    rows = num_stations(record)
    _group_slots(tables, record, rows, is_shown, work)
    begin = ZERO
    for group in range(np.uint64(_GROUPS + 1)):
        end = np.uint64(work.group_start[group])  # filled: where the next one begins
        if end > begin:
            work.after[0] = record
            after = work.after[0]
            if group == _DOUBLE:
                after["doubles"] -= np.uint8(1)
                after["double"] = 2
            else:
                after["hider_tickets"][group >> _EIGHT] -= np.uint8(1)
                after["moves"] += np.uint8(1)
                after["double"] = max(np.int64(record["double"]) - 1, 0)
            _go_on(tables, 0, begin, end, ZERO, work, children)
        begin = end


@inlined
def _group_slots(tables: MapTables, record: Any, rows: np.uint64, is_shown: bool, work: _Work) -> None:
    """List all moves of Mr. X as pairs in `work`, one group after the other, by slot in each.

    `group_start` then holds where each group ends.
    """
    for group in range(np.uint64(_GROUPS + 2)):
        work.group_start[group] = 0
    most = _list_slots(tables, record, rows, is_shown, work)
    for group in range(np.uint64(_GROUPS + 1)):
        work.group_start[group + ONE] += work.group_start[group]
    for ordinal in range(most):
        for row in range(rows):
            if ordinal < np.uint64(work.num_legal[row]):
                slot = ordinal * rows + row
                own = np.uint64(work.slot_group[slot])
                at = np.uint64(work.group_start[own])
                work.source[at], work.end[at] = slot, work.slot_end[slot]
                work.group_start[own] = at + ONE


@inlined
def _list_slots(tables: MapTables, record: Any, rows: np.uint64, is_shown: bool, work: _Work) -> np.uint64:
    """Write group and end of each slot, and count groups one place ahead; return the most actions."""
    most, row, doubles = ZERO, ZERO, may_double(tables, record)
    for word in range(np.uint64(NUM_WORDS)):
        left = record["possible"][word]
        while left != ZERO:
            bit = (word << _SIX) + lowest_index(left)
            left &= left - ONE
            slot, count = row, ZERO
            first = np.uint64(tables.route_start[bit])
            for number in range(np.uint64(tables.route_start[bit + ONE]) - first):
                kind, end = np.uint64(tables.route_kind[first + number]), tables.route_end[first + number]
                if record["hider_tickets"][kind] > 0 and work.is_taken[np.uint64(end)] == 0:
                    group = kind << _EIGHT | (np.uint64(end) if is_shown else ZERO)
                    work.slot_group[slot], work.slot_end[slot] = group, end
                    work.group_start[group + ONE] += np.uint32(1)
                    count += ONE
                    slot += rows
            if doubles:
                work.slot_group[slot], work.slot_end[slot] = _DOUBLE, bit + ONE
                work.group_start[_DOUBLE + ONE] += np.uint32(1)
                count += ONE
            work.num_legal[row] = count
            most = max(most, count)
            row += ONE
    return most


@inlined
def _move_detective(tables: MapTables, record: Any, work: _Work, children: Children) -> None:
    """Write every move of the detective whose turn it is."""
    turn, rows = np.int64(record["turn"]), ZERO
    pawn = np.uint64(turn - 1)
    for word in range(np.uint64(NUM_WORDS)):
        left = record["possible"][word]
        while left != ZERO:
            work.source[rows], work.end[rows] = rows, (word << _SIX) + lowest_index(left) + ONE
            left &= left - ONE
            rows += ONE
    bit, ordinal = np.uint64(record["detectives"][pawn]) - ONE, ZERO
    first = np.uint64(tables.route_start[bit])
    for number in range(np.uint64(tables.route_start[bit + ONE]) - first):
        kind, end = np.uint64(tables.route_kind[first + number]), tables.route_end[first + number]
        is_free = work.is_taken[np.uint64(end)] == 0
        if is_free and kind < np.uint64(NUM_KINDS - 1) and record["detective_tickets"][pawn, kind] > 0:
            work.after[0] = record
            after = work.after[0]
            after["detective_tickets"][pawn, kind] -= np.uint8(1)
            after["hider_tickets"][kind] += np.uint8(1)
            after["detectives"][pawn] = end
            _go_on(tables, turn, ZERO, rows, ordinal, work, children)
            ordinal += ONE


@inlined
def _go_on(
    tables: MapTables,
    turn: Turn,
    begin: np.uint64,
    end: np.uint64,
    ordinal: np.uint64,
    work: _Work,
    children: Children,
) -> None:
    """Write how a list of pairs goes on after a move of `turn`, -1 where Mr. X was placed.

    ordinal: the detectives' slot.
    """
    after = work.after[0]
    others, may_stick = next_turn(tables, after, turn)
    kinds = hider_kinds(after)
    moved = np.uint64(after["detectives"][np.uint64(turn - 1)]) if turn > 0 else ZERO
    num_caught, num_stuck = 0, 0
    for place in range(end - begin):
        station = np.uint64(work.end[begin + place])
        work.turn[begin + place] = others
        if station == moved:
            work.turn[begin + place] = CAUGHT
            num_caught += 1
        elif may_stick and count_moves(tables, after, station, kinds) == ZERO:
            work.turn[begin + place] = STUCK
            num_stuck += 1
    if num_caught > 0:
        _write(tables, CAUGHT, begin, end, ordinal, work, children)
    if num_stuck > 0:
        _write(tables, STUCK, begin, end, ordinal, work, children)
    if np.uint64(num_caught + num_stuck) < end - begin:
        _write(tables, others, begin, end, ordinal, work, children)


@inlined
def next_turn(tables: MapTables, after: Any, turn: Turn) -> tuple[Turn, bool]:
    """Return who moves next, or that Mr. X escapes; and whether he must have a move for that."""
    if turn < 0:
        return np.int64(0), True
    if after["double"] == 0:
        for index in range(tables.num_detectives - np.uint64(turn)):
            pawn = np.uint64(turn) + index
            station = np.uint64(after["detectives"][pawn])
            if count_moves(tables, after, station, detective_kinds(after, pawn)) > ZERO:
                return np.int64(pawn) + 1, False
        if turn == 0 or np.uint64(after["moves"]) == tables.rounds:
            return np.int64(ESCAPED), False
    is_declared = after["double"] == 2
    return np.int64(0), not is_declared


@inlined
def _write(
    tables: MapTables,
    turn: Turn,
    begin: np.uint64,
    end: np.uint64,
    ordinal: np.uint64,
    work: _Work,
    children: Children,
) -> None:
    """Write the child of those pairs that go on alike."""
    child, entry = np.uint64(children.filled[0]), np.uint64(children.filled[1])
    children.states[child] = work.after[0]
    record = children.states[child]
    record["turn"] = turn
    for word in range(np.uint64(NUM_WORDS)):
        record["possible"][word] = ZERO
    size = ZERO
    for place in range(end - begin):
        if work.turn[begin + place] == turn:
            add_station(record, np.uint64(work.end[begin + place]))
            children.source[entry + size] = work.source[begin + place]
            size += ONE
    in_order, at = num_stations(record) == size, entry
    first = np.uint64(children.source[entry])
    for place in range(end - begin):
        if work.turn[begin + place] == turn:
            rank = _rank(record, np.uint64(work.end[begin + place]) - ONE)
            children.target[at] = rank
            in_order &= rank == at - entry and np.uint64(children.source[at]) == first + rank
            at += ONE
    if in_order:
        children.starts[0, child] = first
        size = ZERO
    else:
        children.starts[0, child] = 0
    children.starts[1, child] = ordinal
    _finish(tables, children, child, size)


@inlined
def _rank(record: Any, bit: np.uint64) -> np.uint64:
    """Return how many stations of a set come before one."""
    at = bit >> _SIX
    rank = count_bits(record["possible"][at] & ((ONE << (bit & _LAST_BIT)) - ONE))
    for word in range(at):
        rank += count_bits(record["possible"][word])
    return rank


@inlined
def _finish(tables: MapTables, children: Children, child: np.uint64, size: np.uint64) -> None:
    """Count a child that has been written, with so many entries."""
    children.filled[0] = child + ONE
    children.filled[1] += np.uint32(size)
    children.bounds[child + ONE] = children.filled[1]
    _describe(tables, children, child)
