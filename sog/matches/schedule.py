"""Who plays whom: a round robin in rounds, in each of which every pair plays one opening with both colours.

Verified: tests/matches/test_schedule.py.
"""

import hashlib
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import NamedTuple

from sog.games.notation import Key
from sog.matches.play import Opening


class Pairing(NamedTuple):
    """A game to be played."""

    first: str
    second: str
    round: int
    opening: Opening
    seed: int

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
            first, second, number, openings[number % len(openings)], _seed_of(seed, first, second, number)
        )
        for number in range(num_rounds)
        for pair in combinations(names, 2)
        for first, second in (pair, pair[::-1])
        if (first, second, number) not in played
    ]


def _seed_of(seed: int, first: str, second: str, number: int) -> int:
    """Return where a game's random choices begin, whatever was played before it."""
    text = repr((seed, first, second, number)).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:6], "little")
