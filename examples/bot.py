"""A player of your own in a match against a solved game. A bot hears what its seat hears, nothing else."""

from collections.abc import Hashable, Sequence
from typing import Any

import sog


class Honest:
    """Plays Kuhn poker by its card: bets a king, and passes everything else."""

    card: Hashable = None

    def begin(self, game: Any, seat: int, seed: int, world: Any = None) -> None:
        """Sit down to a new game."""
        self.card = None

    def observe(self, public: Hashable, private: Hashable, move: int | None = None) -> None:
        """Hear of a move: what everybody sees, and what this seat alone sees."""
        self.card = private or self.card

    def act(self, moves: Sequence[str], limits: Any = None, watch: Any = None) -> int:
        """Return the number of one of the legal moves, which have these names."""
        return moves.index("bet" if self.card == "K" else "pass")

    def explain(self) -> sog.Explanation:
        """Say how much is to be said for each move."""
        is_king = self.card == "K"
        return sog.Explanation(["pass", "bet"], [float(not is_king), float(is_king)])

    def close(self) -> None:
        """Play no more."""


print(sog.play_match("kuhn", {"honest": Honest(), "solved": "solved"}, games=400, seed=1))
