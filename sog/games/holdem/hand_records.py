"""Public states of heads-up no-limit hold'em as records: betting, board, stacks, and which bets may be made.

Everything that decides what may happen next is in the record, in 142 bytes: hands with other stacks and
other sizes are roots of one store. A menu has up to three sizes for the first bet of each street and three
for its raises, in hundredths of a percent of the pot, all-in or not, and a cap. One more bet may be possible
in the state itself: what somebody did that the menu does not have.

Verified: tests/games/holdem/test_hunl_view.py.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import U32, Records
from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.bet_sizes import STREETS, BetSizes, Limits, Menu, StreetSizes, format_bet_sizes
from sog.games.holdem.betting import Betting, Move, legal_moves
from sog.games.holdem.cards import Board
from sog.games.holdem.strength import RIVER_CARDS

NO_CARD = 0xFF  # on the board, where a card is still to come
MOST_SIZES = 3  # of a menu
_KINDS = 2  # of menus: first bets, raises
_SHARES = 100  # of a percent
_MOST = 255  # that a byte can count
_MENUS_KEPT = 4_096
_BYTES = "street", "num_moves", "num_raises"
_PLAYERS = "to_act", "folded", "aggressor"
_CHIPS = "committed", "last_raise", "round_start", "stack", "big_blind", "dead"

RECORD = np.dtype(
    [
        *((name, "u1") for name in _BYTES),
        *((name, "i1") for name in _PLAYERS),
        *((name, "i4", (NUM_PLAYERS,) if name == "committed" else ()) for name in _CHIPS),
        ("added", "i4"),  # one more bet, in chips put in during the round; 0 for none
        ("sizes", "u4", (len(STREETS), _KINDS, MOST_SIZES)),  # hundredths of a percent; 0 for none
        ("allin", "u1"),  # bits: of a street's first bets, then of its raises
        ("cap", "u1"),  # bets and raises in a round; 0 for any number
        ("root_cards", "u1"),  # of the board when the hand was taken up
        ("board", "u1", (RIVER_CARDS,)),
    ]
)


class HandState(NamedTuple):
    """A public state, unpacked."""

    betting: Betting
    board: Board
    sizes: BetSizes
    root_cards: int = 0  # on the board of the root
    added: int = 0  # one more bet, in chips put in during the round

    @property
    def moves(self) -> list[Move]:
        """The moves of the player to act."""
        return legal_moves(self.betting, self.sizes, (self.added,) if self.added else ())


def check_sizes(sizes: BetSizes) -> None:
    """Refuse sizes that records have no room for."""
    numbers, allin, cap = _as_numbers(sizes)
    if _as_sizes(numbers.tobytes(), allin, cap) != sizes:
        raise InputError(
            f"bets: {format_bet_sizes(sizes)[:60]}: hunl has up to {MOST_SIZES} percentages a menu,"
            " with two digits after the point, all-in and a cap, alike for both players"
        )


def pack_hands(states: list[HandState]) -> Records:
    """Return the records of states."""
    records = np.zeros(len(states), RECORD)
    for record, state in zip(records, states, strict=True):
        betting = state.betting
        if max(betting.num_moves, betting.num_raises) > _MOST:
            raise InputError(
                f"hold'em: more than {_MOST} moves in a round: leave out small raises, or cap them"
            )
        for name in (*_BYTES, *_PLAYERS, *_CHIPS):
            record[name] = getattr(betting, name)
        record["sizes"], record["allin"], record["cap"] = _as_numbers(state.sizes)
        record["root_cards"], record["added"] = state.root_cards, state.added
        record["board"] = NO_CARD
        record["board"][: len(state.board)] = state.board
    return records


def unpack_hand(record: Any) -> HandState:
    """Return the state of a record."""
    values = {name: record[name].tolist() for name in (*_BYTES, *_PLAYERS, *_CHIPS)}
    betting = Betting(**{**values, "committed": tuple(values["committed"])})
    board = tuple(card for card in record["board"].tolist() if card != NO_CARD)
    sizes = _as_sizes(record["sizes"].tobytes(), int(record["allin"]), int(record["cap"]))
    return HandState(betting, board, sizes, int(record["root_cards"]), int(record["added"]))


@lru_cache(maxsize=_MENUS_KEPT)
def _as_sizes(numbers: bytes, allin: int, cap: int) -> BetSizes:
    """Return the sizes that a record tells."""
    streets, shares = [], np.frombuffer(numbers, np.uint32).reshape(len(STREETS), _KINDS, MOST_SIZES).tolist()
    for street in range(len(STREETS)):
        menus = [
            Menu(
                tuple(share / _SHARES for share in shares[street][kind] if share),
                bool(allin >> (_KINDS * street + kind) & 1),
            )
            for kind in range(_KINDS)
        ]
        streets.append(StreetSizes(menus[0], menus[1]))
    return BetSizes(streets[0], streets[1], streets[2], streets[3], Limits(cap=cap))


def _as_numbers(sizes: BetSizes) -> tuple[U32, int, int]:
    """Return sizes as the fields of a record, as far as there is room."""
    numbers, allin = np.zeros((len(STREETS), _KINDS, MOST_SIZES), np.uint32), 0
    for street, own in enumerate(sizes.streets):
        for kind, menu in enumerate((own.first, own.raises)):
            for place, percent in enumerate(menu.percents[:MOST_SIZES]):
                numbers[street, kind, place] = round(_SHARES * percent)
            allin |= menu.allin << (_KINDS * street + kind)
    return numbers, allin, int(min(sizes.limits.cap, _MOST))
