"""A game in one file: rules, nothing else. Try `sog check examples/coin.py:Coin`, then `sog solve`.

Chance tosses a coin that player 0 alone sees. Player 0 says heads or tails; player 1 believes it or calls.
"""

from sog import CHANCE, TERMINAL, Game, GameInfo

World = tuple[int, ...]  # what has happened: the coin, what was said of it, whether it was called
NAMES = (("tails", "heads"), ("say tails", "say heads"), ("believe", "call"))


class Coin(Game[World]):
    """A lie that is called costs `stakes`; a true word that is called wins 1; heads, if believed, win 1."""

    def __init__(self, stakes: float = 2.0) -> None:
        self.stakes = float(stakes)
        self.info = GameInfo(
            name="coin",
            num_actions=2,
            is_perfect_information=False,
            max_utility=max(self.stakes, 1.0),
            max_length=3,
        )

    def initial_world(self) -> World:
        """Nothing has happened."""
        return ()

    def actor(self, world: World) -> int:
        """Chance, player 0, player 1, the end."""
        return (CHANCE, 0, 1, TERMINAL)[len(world)]

    def legal_actions(self, world: World) -> tuple[int, ...]:
        """Two choices each."""
        return (0, 1)

    def chance_outcomes(self, world: World) -> tuple[tuple[int, float], ...]:
        """A fair coin."""
        return ((0, 0.5), (1, 0.5))

    def apply(self, world: World, action: int) -> World:
        """Note what happens."""
        return (*world, action)

    def public_observation(self, before: World, action: int, after: World) -> str:
        """Everybody hears what is said, and sees that the coin is tossed."""
        return self.action_name(before, action) if before else "toss"

    def private_observation(self, player: int, before: World, action: int, after: World) -> str | None:
        """Player 0 sees the coin."""
        return self.action_name(before, action) if not before and player == 0 else None

    def returns(self, world: World) -> tuple[float, float]:
        """What player 0 wins, player 1 loses."""
        coin, said, is_called = world
        if not is_called:
            return (1.0, -1.0) if said else (-1.0, 1.0)
        return (1.0, -1.0) if coin == said else (-self.stakes, self.stakes)

    def action_name(self, world: World, action: int) -> str:
        """Name a move."""
        return NAMES[len(world)][action]
