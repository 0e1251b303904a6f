from tests.interfaces.conftest import Sog


def test_a_range_is_counted_and_written_short(sog: Sog) -> None:
    result = sog("ranges", "AA, [50]AKs[/50], KQo:25%,")
    lines = result.out.splitlines()
    assert lines[0] == "AA,AKs:0.5,KQo:0.25"
    assert lines[1] == "11 combos of 22 hands, 0.83% of all"
    assert lines[3].split()[:3] == ["AA", "50%", "."]
    assert lines[5].split()[1] == "25%"


def test_a_board_blocks_hands_and_json_has_them_all(sog: Sog) -> None:
    figures = sog("ranges", "AA,KK:0.5", "--board", "AsKs2d", "--json").json
    assert (figures["combos"], figures["hands"]) == (4.5, 6)
    assert figures["weights"] == {
        "AhAd": 1, "AhAc": 1, "AdAc": 1, "KhKd": 0.5, "KhKc": 0.5, "KdKc": 0.5
    }  # fmt: skip
    again = sog("ranges", figures["range"], "--json").json
    assert again["weights"] == figures["weights"]
    lines = sog("ranges", "AA,KK:0.5", "--board", "AsKs2d").out.splitlines()
    assert lines[:2] == ["AA,KK:0.5", "4.5 combos of 6 hands, 0.339% of all"]


def test_bad_ranges_are_named_in_one_line(sog: Sog) -> None:
    assert "token 2 'XX'" in sog("ranges", "AA,XX").complaint
    assert "names no hand" in sog("ranges", ",,").complaint
