"""Who plays whom: a round robin in rounds, in each of which every pair plays one opening with both colours,
and the same deals from both seats.

Verified: tests/matches/test_schedule.py.
"""

import hashlib
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import NamedTuple

from sog.games.notation import Key
from sog.matches.openings import Opening


class Pairing(NamedTuple):
    """A game to be played."""

    first: str
    second: str
    round: int
    opening: Opening
    seed: int  # of the players' random choices
    chance: int  # seed of deals and dice: the same for all games of a round

    @property
    def key(self) -> Key:
        """What tells the game from others of its match."""
        return self.first, self.second, self.round


def schedule(
    names: Sequence[str], num_rounds: int, openings: Sequence[Opening], seed: int, played: Collection[Key]
) -> list[Pairing]:
    """Return all games that are still to be played, round by round.

    >>> [pairing.key for pairing in schedule(["a", "b"], 2, [Opening()], 0, {("b", "a", 0)})]
    [('a', 'b', 0), ('a', 'b', 1), ('b', 'a', 1)]
    """
    return [
        Pairing(
            first=first,
            second=second,
            round=number,
            opening=openings[number % len(openings)],
            seed=_seed_of(seed, first, second, number),
            chance=_seed_of(seed, number),
        )
        for number in range(num_rounds)
        for pair in combinations(names, 2)
        for first, second in (pair, pair[::-1])
        if (first, second, number) not in played
    ]


def _seed_of(*what: int | str) -> int:
    """Return where a game's random choices begin, whatever was played before it."""
    text = repr(what).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:6], "little")
