import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.games.holdem.cards import hand_name, parse_board, parse_hand
from sog.games.holdem.hand_order import BEST_FIRST
from sog.games.holdem.range_grid import CELLS, cell_name
from sog.games.holdem.ranges import format_range, parse_range, restrict_range

RANKS = "23456789TJQKA"


def hands_named(weights: F64) -> set[str]:
    return {hand_name(int(hand)) for hand in np.flatnonzero(weights)}


def plain_group(name: str) -> set[str]:
    """The oracle: the hands of AA, AKs, AKo or AK, by their names."""
    suffix = name[2:]
    hands = set()
    for hand in map(hand_name, range(1326)):
        if hand[0] + hand[2] == name[:2]:
            is_suited = hand[1] == hand[3]
            if not suffix or is_suited == (suffix == "s"):
                hands.add(hand)
    return hands


@pytest.mark.parametrize(
    ("token", "groups"),
    [
        ("AA", "AA"),
        ("AKs", "AKs"),
        ("AKo", "AKo"),
        ("AK", "AKs AKo"),
        ("TT+", "TT JJ QQ KK AA"),
        ("AA+", "AA"),
        ("A2s+", "A2s A3s A4s A5s A6s A7s A8s A9s ATs AJs AQs AKs"),
        ("KTo+", "KTo KJo KQo"),
        ("QJ+", "QJ"),
        ("77-55", "77 66 55"),
        ("55-77", "77 66 55"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("K9-K8", "K9 K8"),
        ("JTs-98s", "JTs T9s 98s"),
        ("86o-64o", "86o 75o 64o"),
        ("aks", "AKs"),
        ("KA", "AK"),
    ],
)
def test_tokens(token: str, groups: str) -> None:
    expected = set().union(*(plain_group(group) for group in groups.split()))
    assert hands_named(parse_range(token)) == expected


def test_counts() -> None:
    counts = {"AA": 6, "AKs": 4, "AKo": 12, "AK": 16, "22+": 78, "A5s-A2s": 16, "AhKh": 1, "random": 1326}
    assert {text: parse_range(text).sum() for text in counts} == counts


@pytest.mark.parametrize("text", ["", "  ", "random", "Random", "100%"])
def test_the_full_range(text: str) -> None:
    assert (parse_range(text) == 1).all()


def test_weights_and_single_hands() -> None:
    weights = parse_range("KQo:0.5,AhKh,QsQh:.25,JJ:0,TT:1")
    assert weights[parse_hand("KsQh")] == 0.5
    assert weights[parse_hand("KhAh")] == 1
    assert weights[parse_hand("QhQs")] == 0.25
    assert weights.sum() == 12 * 0.5 + 1 + 0.25 + 6


def test_the_later_token_wins() -> None:
    weights = parse_range("AKs, AhKh:0.5")
    assert weights.sum() == 3.5
    assert weights[parse_hand("AhKh")] == 0.5
    assert parse_range("random:0.5,AA").sum() == 1320 * 0.5 + 6


def test_white_space_does_not_matter() -> None:
    plain = parse_range("TT+,77-55,KQo:0.5,AhKh")
    for text in (" TT+ , 77-55,\n KQo:0.5 , AhKh ", "TT + 77 - 55 KQo : 0.5 AhKh", "TT+ 77-55\tKQo:0.5,AhKh"):
        np.testing.assert_array_equal(parse_range(text), plain)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("AA,KK,AKx", "token 3 'AKx'"),
        ("AA,AK:2", "token 2 'AK:2': a weight .* not '2'"),
        ("AA:", "not ''"),
        ("AA:-0.5", "not '-0.5'"),
        ("AA:nan", "not 'nan'"),
        ("AA:1.2.3", "not '1.2.3'"),
        ("AAs", "neither suited nor offsuit"),
        ("77-5", "'5' is not a hand"),
        ("77-A5", "token 1 '77-A5'"),
        ("AA-AK", "token 1 'AA-AK'"),
        ("A5s-A2o", "alike in s or o"),
        ("A5s-K2s", "equally far apart"),
        ("AhAh", "same card twice"),
        ("10s", "'10s' is not a hand"),
        ("AKs++", "'AKs\\+'"),
        ("AhKh+", "'AhKh' is not a hand"),
        ("AhK", "'AhK' is not a hand"),
    ],
)
def test_errors_point_at_the_token(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse_range(text)


@pytest.mark.parametrize(
    "text",
    [
        "random",
        "random:0.5",
        "TT+,77-55,AKs,A5s-A2s,KQo:0.5",
        "22+,A2+,K2s+,KTo+",
        "AQs+,AKo,QT-Q8",
        "AsAh,AhKh,AsKs:0.25",
        "22,A2,32:0.125",
    ],
)
def test_canonical_texts_are_kept(text: str) -> None:
    assert format_range(parse_range(text)) == text


def test_an_empty_range_is_written_as_such() -> None:
    text = format_range(np.zeros(1326))
    assert not parse_range(text).any()


def test_only_weights_are_written() -> None:
    for weights in (np.ones(1325), np.full(1326, 2.0), np.full(1326, np.nan)):
        with pytest.raises(InputError):
            format_range(weights)


weight = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))


@settings(deadline=None, max_examples=60)
@given(
    cells=st.lists(weight, min_size=169, max_size=169),
    hands=st.dictionaries(st.integers(0, 1325), weight, max_size=30),
)
def test_ranges_read_back_exactly(cells: list[float], hands: dict[int, float]) -> None:
    weights = np.array(cells)[CELLS]
    weights[list(hands)] = list(hands.values())
    np.testing.assert_array_equal(parse_range(format_range(weights)), weights)


rank = st.sampled_from(RANKS)
group = st.tuples(rank, rank, st.sampled_from(["", "s", "o"])).map("".join)
token = st.one_of(group, st.builds("{}+".format, group), st.builds("{}-{}".format, group, group))


@settings(deadline=None)
@given(st.lists(st.builds("{}:{}".format, token, st.floats(0, 1)), min_size=1, max_size=8).map(",".join))
def test_whatever_is_read_is_written_back(text: str) -> None:
    try:
        weights = parse_range(text)
    except InputError:
        return
    np.testing.assert_array_equal(parse_range(format_range(weights)), weights)


@settings(deadline=None)
@given(st.text(alphabet="AKQ2sho+-:,.%10 ", max_size=12))
def test_any_text_is_a_range_or_the_users_error(text: str) -> None:
    try:
        weights = parse_range(text)
    except InputError:
        return
    assert weights.shape == (1326,)
    assert ((weights >= 0) & (weights <= 1)).all()


def test_ranges_lose_the_boards_cards() -> None:
    board = parse_board("AsKsQs")
    assert restrict_range(parse_range("AA"), board).sum() == 3
    with pytest.raises(InputError, match="AsKsQs"):
        restrict_range(parse_range("AsAh,KsKh"), board)
    with pytest.raises(InputError, match="weights are 0"):
        restrict_range(np.zeros(1326), board)


def test_percentages_are_the_best_hands() -> None:
    assert format_range(parse_range("1%")) == "KK+"
    assert np.count_nonzero(parse_range("100%")) == 1_326
    sizes = [np.count_nonzero(parse_range(f"{percent}%")) for percent in (5, 10, 25, 50, 75)]
    assert sizes == sorted(sizes)
    for size, percent in zip(sizes, (5, 10, 25, 50, 75), strict=True):
        assert abs(size / 13.26 - percent) <= 0.5  # at most half a class of 12 hands
    assert not (parse_range("25%") > parse_range("26%")).any()
    assert sorted(BEST_FIRST) == sorted({cell_name(row, column) for row in range(13) for column in range(13)})
    assert parse_range("25%:0.5").max() == 0.5


def test_weights_in_percent_and_in_brackets() -> None:
    plain = parse_range("A8s+:0.5,KQo:0.25,TT")
    for text in (
        "A8s+:50%,KQo:25%,TT",
        "[50]A8s+[/50], [25]KQo[/25] TT,",
        " , TT,[25]KQo [/25],,A8s+ : 50 %",
    ):
        np.testing.assert_array_equal(parse_range(text), plain)
    for text, reason in [("[50]AA", "is not a hand"), ("AA:150%", "or a percentage"), (",", "names no hand")]:
        with pytest.raises(InputError, match=reason):
            parse_range(text)
    with pytest.raises(InputError, match="at most 100"):
        parse_range("101%")
