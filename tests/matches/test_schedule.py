from collections import Counter

from sog.matches.openings import Opening
from sog.matches.schedule import schedule

OPENINGS = [Opening("", (number,)) for number in range(3)]


def test_everybody_plays_everybody_with_both_colours() -> None:
    pairings = schedule("abcd", 5, OPENINGS, 0, ())
    assert len(pairings) == 6 * 5 * 2
    assert set(Counter(pairing.key for pairing in pairings).values()) == {1}
    assert Counter(pairing.first for pairing in pairings) == Counter(pairing.second for pairing in pairings)
    assert len({pairing.seed for pairing in pairings}) == len(pairings)
    for pairing in pairings:
        assert pairing.opening == OPENINGS[pairing.round % 3]
    assert [pairing.round for pairing in pairings] == sorted(pairing.round for pairing in pairings)


def test_games_are_the_same_in_longer_matches() -> None:
    short, long = schedule("ab", 2, OPENINGS, 0, ()), schedule("abc", 4, OPENINGS, 0, ())
    assert set(short) <= set(long)
    left = schedule("abc", 4, OPENINGS, 0, {pairing.key for pairing in short})
    assert sorted(left + short) == sorted(long)
    assert {pairing.seed for pairing in schedule("ab", 2, OPENINGS, 1, ())}.isdisjoint(
        pairing.seed for pairing in short
    )
