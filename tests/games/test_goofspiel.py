from typing import Any

import pytest

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.goofspiel import Goofspiel
from tests.games.sequence_form import solve
from tests.games.walks import histories, sizes


@pytest.mark.parametrize(("bids", "infostates"), [("hidden", 1_062), ("shown", 4_026)])
def test_sizes_of_five_cards(bids: str, infostates: int) -> None:
    counted = sizes(Goofspiel(5, "ascending", bids))
    assert (counted.histories, counted.terminals) == (26_931, 14_400)
    assert counted.infostates == (infostates, infostates)


def test_shown_bids_in_whichever_order_leave_1626_situations() -> None:
    """Count what a player knows but for the order of the bids: hands, and who won each prize."""
    game = Goofspiel(5, "ascending", "shown")
    situations: tuple[set[object], set[object]] = (set(), set())
    for trace in histories(game):
        if game.actor(trace.world) < 2:
            winners = [str(seen).partition(",")[2] for seen in _flat(trace.public)]
            situations[game.actor(trace.world)].add((trace.world[0], trace.world[1], *filter(None, winners)))
    assert (len(situations[0]), len(situations[1])) == (1_626, 1_626)


@pytest.mark.parametrize("order", ["ascending", "descending", "random"])
@pytest.mark.parametrize("bids", ["hidden", "shown"])
def test_the_game_is_fair(order: str, bids: str) -> None:
    assert solve(Goofspiel(3, order, bids)).value == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("cards", [2, 3, 4, 5])
def test_the_largest_payoff_is_reached(cards: int) -> None:
    game = Goofspiel(cards)
    worlds = [trace.world for trace in histories(game) if game.actor(trace.world) == TERMINAL]
    assert max(game.returns(world)[0] for world in worlds) == game.info.max_utility


@pytest.mark.parametrize(
    ("order", "bids", "utility"),
    [
        ("ascending", [(3, 1), (2, 3)], 1 - 2 - 3),  # the last cards, 1 against 2, play themselves
        ("descending", [(3, 1), (2, 3)], 3 - 2 - 1),
        ("ascending", [(2, 2), (3, 1)], 2 - 3),  # a tie discards the prize
        ("ascending", [(1, 1), (2, 2)], 0),
    ],
)
def test_payoffs(order: str, bids: list[tuple[int, int]], utility: int) -> None:
    game = Goofspiel(3, order)
    world = game.initial_world()
    for pair in bids:
        for bid in pair:
            world = game.apply(world, bid - 1)
    assert game.actor(world) == TERMINAL
    assert game.returns(world) == (utility, -utility)


@pytest.mark.parametrize(
    ("bids", "seen"), [("hidden", "player 1 wins 1"), ("shown", "2 against 3, player 1 wins 1")]
)
def test_the_first_bid_is_not_seen(bids: str, seen: str) -> None:
    game = Goofspiel(4, "ascending", bids)
    start = game.initial_world()
    first = game.apply(start, 1)
    assert {game.public_observation(start, bid, game.apply(start, bid)) for bid in range(4)} == {"has bid"}
    assert game.public_observation(first, 2, game.apply(first, 2)) == seen


def test_random_prizes_are_seen_by_all() -> None:
    game = Goofspiel(3, "random")
    start = game.initial_world()
    assert game.actor(start) == CHANCE
    assert game.chance_outcomes(start) == tuple((prize, 1 / 3) for prize in range(3))
    after = game.apply(start, 2)
    assert game.public_observation(start, 2, after) == "prize 3"
    assert game.actor(after) == 0


@pytest.mark.parametrize("bad", [0, 1, -3, 14, 2.0, True, "x", None])
def test_illegal_number_of_cards(bad: Any) -> None:
    with pytest.raises(InputError, match="cards must be a whole number from 2 to 13, not"):
        Goofspiel(cards=bad)


@pytest.mark.parametrize("bad", ["up", "", 3, None, True])
def test_illegal_words(bad: Any) -> None:
    with pytest.raises(InputError, match="order must be one of ascending, descending, random, not"):
        Goofspiel(order=bad)
    with pytest.raises(InputError, match="bids must be one of hidden, shown, not"):
        Goofspiel(bids=bad)


def _flat(sequence: Any) -> list[object]:
    seen = []
    while sequence:
        sequence, last = sequence
        seen.append(last)
    return seen[::-1]
