"""Hold'em spots from any start, bets added to the tree, and turn endgame hold'em, by the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import parse_board
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_preflop_spot, make_spot
from sog.games.holdem.teh import make_teh
from sog.interfaces.cli.holdem_spots import describe_spot, spot_from_solution
from sog.poker.preflop_size import least_bytes
from sog.poker.spot_size import BASE_BYTES, ROW_BYTES
from sog.solvers.checkpoint import Checkpoint
from tests.interfaces.conftest import Sog

FULL = np.ones((2, 1326))
# The aces are the nuts, the queens a bluff, and the kings catch bluffs.
TOY = ["--board", "2s2h2d2c7s", "--pot", "200", "--stack", "100", "--range-ip", "KhKd"]
BLUFFER = ["--range-oop", "AhAd,QhQd"]


def solve(sog: Sog, path: Path, *options: object) -> dict[str, object]:
    arguments = ("--iterations", 3000, "--dtype", "float64", "--save", path, "--json")
    return sog("solve", "holdem", *options, *arguments).json


def hands(sog: Sog, path: Path, *options: object) -> dict[str, dict[str, dict[str, float]]]:
    records = sog("show-strategy", path, *options, "--json").json["hands"]
    return {record["hand"]: record for record in records}


def test_a_spot_after_a_bet_is_what_follows_the_bet(sog: Sog, tmp_path: Path) -> None:
    """A bet of half the pot that is a bluff one time for three of the nuts leaves a bluff-catcher nothing."""
    path = tmp_path / "spot.npz"
    after = ["--history", "bet50", "--range-oop", "AhAd,QhQd:0.3333333333333333"]
    figures = solve(sog, path, *TOY, *after)
    assert (figures["history"], figures["pot"], figures["stack"]) == ("allin", 200, 100)
    assert (figures["decisions"], figures["showdowns"], figures["folds"]) == (1, 1, 1)
    king = hands(sog, path)["KhKd"]
    assert king["action_evs"]["call"] == pytest.approx(0, abs=0.01)
    assert "holdem 2s2h2d2c7s, pot 200, stack 100, allin" in sog("show-strategy", path).out
    whole = json.loads(sog("show-strategy", path, "--all", "--json").out)
    assert whole["spot"]["history"] == "allin"


def test_calling_pays_after_too_few_bluffs_and_not_after_too_many(sog: Sog, tmp_path: Path) -> None:
    for bluffs, answer in ((0.2, "fold"), (0.6, "call")):
        path = tmp_path / f"{answer}.npz"
        solve(sog, path, *TOY, "--history", "allin", "--range-oop", f"AhAd,QhQd:{bluffs}")
        assert hands(sog, path)["KhKd"]["policy"][answer] == pytest.approx(1, abs=1e-3)


def test_an_added_bet_is_in_the_tree_and_is_found(sog: Sog, tmp_path: Path) -> None:
    """A bet of b pots is a bluff b/(1+b) times as often as it is the nuts: so is the added bet of 30 %."""
    path = tmp_path / "spot.npz"
    bets = ["--bets", "none", "--add-bet", "bet60c", "--big-blind", "1"]
    figures = solve(sog, path, *TOY, *BLUFFER, *bets)
    assert figures["added_bets"] == ["bet60c"]
    assert figures["decisions"] == 1 + 1 + 1  # check or bet, check, answer the bet
    bettor = hands(sog, path)
    assert bettor["AhAd"]["policy"]["bet60c"] == pytest.approx(1, abs=1e-3)
    assert bettor["QhQd"]["policy"]["bet60c"] == pytest.approx(0.3 / 1.3, abs=1e-3)
    for node in ("bet60c", "Bet = 60"):
        assert hands(sog, path, "--node", node)["KhKd"]["policy"]["call"] == pytest.approx(1 / 1.3, abs=1e-3)


def test_several_bets_may_be_added_by_percentage(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "spot.npz"
    board = ["--board", "9s7c5s4h3c", "--pot", "200", "--stack", "900", "--bets", "100/none"]
    added = ["--add-bet", "check,bet60", "--add-bet", "check, bet60, raise 120%", "--add-bet", "bet100"]
    figures = sog("solve", "holdem", *board, *added, "--iterations", 2, "--save", path, "--json").json
    assert figures["added_bets"] == ["check,bet60", "check,bet60,raise120"]  # the pot is on the menu anyway
    assert "bet60" in sog("show-strategy", path, "--node", "check").out
    assert sog("show-strategy", path, "--node", "check,bet60,raise120").status == 0
    resumed = sog("solve", "holdem", "--resume", path, "--iterations", 3, "--json").json
    assert resumed["added_bets"] == figures["added_bets"]


@pytest.mark.parametrize(
    "spot",
    [
        make_preflop_spot(parse_bet_sizes("")),
        make_preflop_spot(parse_bet_sizes("75"), stack=40, history=""),
        make_preflop_spot(parse_bet_sizes("300c"), history="call", added_bets=["raise500c"]),
        make_spot(parse_board("9s7c5s"), 201, 400, parse_bet_sizes("20c"), FULL, 3, history="check,bet33"),
        make_teh(seed=5, added_bets=["check,check,bet100c"]),
    ],
    ids=lambda spot: spot.name[:60],
)
def test_a_description_is_the_spot(spot: Spot) -> None:
    saved = Checkpoint(spot.name, "dcfr", "", 1, 0.0, np.zeros((0, 3)), {}, describe_spot(spot))
    again = spot_from_solution(Path("x"), saved)
    assert again.name == spot.name
    assert again[:3] == spot[:3]
    assert again[4:] == spot[4:]


def test_a_hand_from_before_the_flop_says_what_memory_it_would_take(sog: Sog) -> None:
    complaint = sog("solve", "holdem").complaint
    assert "a solve from before the flop would take" in complaint
    assert "GB of memory or more" in complaint
    assert "give --board, --pot and --stack" in complaint
    assert "from before the flop" in sog("solve", "holdem", "--stack", 30).complaint
    assert "from before the flop" in sog("compare", "holdem", "--history", "raise250c").complaint
    small = sog("solve", "holdem", "--stack", 80, "--history", "call")
    assert "the preflop round is over after 'call'" in small.complaint
    assert "--pot without --board" in sog("solve", "holdem", "--pot", 200).complaint


def test_the_memory_of_a_hand_from_before_the_flop() -> None:
    """By hand: one all-in with an answer before the flop, nothing to decide later, 24 renamings of suits."""
    spot = make_preflop_spot(parse_bet_sizes("none"), stack=80)
    # Hands that boards leave, over 24: of 1 board, 22,100, then times 49, then times 48.
    hands = 56 + 22_100 * (1_176 + 49 * (1_128 + 48 * 1_081)) // 24
    expected = BASE_BYTES + 4 * 2 * (2 * 56) + ROW_BYTES * 2 * hands
    assert least_bytes(spot, "float32") == expected
    ranges = np.array([parse_range("AhKh"), FULL[1]])
    # One player has a single hand, the other four times as many rows: six renamings are left.
    assert least_bytes(make_preflop_spot(parse_bet_sizes("none"), ranges, 80), "float32") > 1.9 * expected


def test_turn_endgame_holdem_by_name(sog: Sog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sog.poker.spot_size.available_bytes", lambda: 10**6)
    for game in ("teh", " teh ( seed = 4 ) ", "teh(board='2c3d4h5s',stack=9000)"):
        assert "of memory, and 1 MB are available" in sog("solve", game).complaint
        assert "of memory, and 1 MB are available" in sog("compare", game).complaint


def test_the_whole_game_by_name_is_too_large(sog: Sog) -> None:
    assert "a solve from before the flop would take" in sog("solve", "hunl(stack=2000,percent=60)").complaint


def test_turn_endgame_holdem_solves(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "teh.npz"
    figures = sog("solve", "teh(stack=1500)", "--iterations", 1, "--save", path, "--json").json
    assert (figures["board"], figures["pot"], figures["stack"]) == ("3s7hTdKs", 2000, 500)
    assert figures["bets"].endswith("river:50,100,allin/75,allin")
    assert sog("show-strategy", path, "--node", "check,check,2d").status == 0


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ("teh --pot 3", "--pot cannot change teh"),
        ("teh --bets 50 --libratus x", "--bets, --libratus cannot change teh"),
        ("teh(blind=3)", "teh has no parameter 'blind' (its parameters: board, stack, seed)"),
        ("teh(board=2c3d)", "cannot read the game"),
        ("teh(board=ah)", "a board has 0, 3, 4 or 5 cards, not 1"),
        ("teh --history fold", "history: 'fold' is not a move here; write check, allin, bet75 or bet300c"),
        ("teh --add-bet check", "added bet: 'check' ends with check: only bets can be added"),
        ("hunl --pot 3", "--pot cannot change hunl; its parameters are stack and percent"),
        ("hunl(board=ah)", "hunl has no parameter 'board' (its parameters: stack, percent)"),
        ("hunl(stack=100)", "hunl: stack must be a whole number from 101"),
        ("hunl(percent=0)", "hunl: percent is a share of the pot from 1 to 10000"),
        ("holdem(board=3)", "holdem has no parameters in parentheses"),
        (
            "holdem --board 9s7c5s --pot 200 --stack 9 --small-blind 1",
            "--small-blind is for hands that start before",
        ),
        ("holdem --small-blind 101", "small blind must be a whole number from 0 to 100, not 101"),
        ("kuhn --history check", "--history: for holdem only, not for kuhn"),
        ("kuhn --add-bet bet", "--add-bet: for holdem only, not for kuhn"),
    ],
)
def test_bad_starts_are_named_in_one_line(sog: Sog, arguments: str, part: str) -> None:
    assert part in sog("solve", *arguments.split()).complaint


@pytest.mark.parametrize("command", ["show", "play"])
def test_other_commands_say_where_spots_are(sog: Sog, command: str) -> None:
    assert "only sog solve, compare and show-strategy" in sog(command, "holdem").complaint
