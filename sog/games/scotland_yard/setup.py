"""What each map is played with: a new map is a new entry of `SETUPS` and two files, no code."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Setup:
    """Everything about a map's game that is not a rule."""

    board: str  # the files in sog/games/data
    detective_starts: tuple[tuple[int, ...], ...]  # for each detective the stations that chance draws from
    hider_starts: tuple[int, ...]  # the same for Mr. X; drawn stations are not drawn again
    detective_tickets: tuple[int, ...]  # taxi, bus, underground, for each detective
    hider_tickets: tuple[int, ...]  # taxi, bus, underground, black
    doubles: int  # double moves
    rounds: int  # moves in Mr. X's log
    reveals: tuple[int, ...]  # moves after which Mr. X is shown


_LONDON_STARTS = (13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198)

SETUPS = {
    "glasses": Setup(
        board="glasses",
        detective_starts=((1,), (11,)),
        hider_starts=(6,),
        detective_tickets=(5, 0, 0),
        hider_tickets=(5, 0, 0, 0),
        doubles=0,
        rounds=5,
        reveals=(),
    ),
    "london": Setup(
        board="scotland_yard",
        detective_starts=(_LONDON_STARTS,) * 5,
        hider_starts=_LONDON_STARTS,
        detective_tickets=(10, 8, 4),
        hider_tickets=(4, 3, 3, 5),
        doubles=2,
        rounds=24,
        reveals=(3, 8, 13, 18, 24),
    ),
    "london_small": Setup(  # of London's map as much as can be solved exactly
        board="scotland_yard",
        detective_starts=((34,), (117,)),
        hider_starts=(103,),
        detective_tickets=(10, 8, 4),
        hider_tickets=(4, 3, 3, 0),
        doubles=0,
        rounds=3,
        reveals=(),
    ),
}
