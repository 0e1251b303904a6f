import io
import json
from pathlib import Path

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import HANDS, NUM_HANDS, compatible_hands, hand_name, parse_board, parse_hand
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_spot
from sog.games.holdem.strength import board_strengths
from sog.interfaces.cli.holdem_solves import exploitability_words, open_solution
from sog.interfaces.cli.holdem_spots import describe_spot, spot_from_solution
from sog.poker import spot_size
from sog.poker.solved_spot import Node, SolvedSpot
from sog.poker.spot_size import estimate_bytes, format_bytes, measure_spot
from sog.poker.spot_solver import SpotSolver
from sog.poker.strategy_grid import action_colours
from sog.public.layout import lay_out
from sog.public.opening import open_store
from sog.solvers.checkpoint import load_checkpoint, save_checkpoint
from tests.interfaces.conftest import Sog


def _words(text: str) -> list[str]:
    return text.split()


RIVER = _words("--board 9s7c5s4h3c --pot 200 --stack 19900 --big-blind 100 --bets river:100,allin")
# The aces are the nuts, the queens a bluff, and the kings catch bluffs.
TOY = _words("--board 2s2h2d2c7s --pot 200 --stack 100 --bets 50 --range-oop AhAd,QhQd --range-ip KhKd")
SMALL = _words("--board 9s7c5s4h3c --pot 200 --stack 300 --range-oop AA,86s,KQs:0.5 --range-ip TT+,A6s")
TURN = _words("--board 9s7c5s4h --pot 200 --stack 400 --range-oop AA,KQs --range-ip JJ,A6s --bets 100")
FIGURES = ("game", "algorithm", "iterations", "exploitability", "value", "infostates")


@pytest.fixture
def river(sog: Sog, tmp_path: Path) -> Path:
    path = tmp_path / "river.npz"
    assert sog("solve", "holdem", *SMALL, "--iterations", 200, "--save", path).status == 0
    return path


def test_the_river_of_the_public_state_cfr_paper(sog: Sog) -> None:
    result = sog("solve", "holdem", *RIVER, "--iterations", 100, "--json")
    figures = result.json
    sizes = {key: figures[key] for key in ("public_nodes", "decisions", "showdowns", "folds", "hands")}
    assert sizes == {"public_nodes": 57, "decisions": 20, "showdowns": 19, "folds": 18, "hands": [1081, 1081]}
    assert figures["infostates"] == 21620
    assert (figures["board"], figures["pot"], figures["stack"]) == ("9s7c5s4h3c", 200, 19900)
    assert figures["exploitability_mbb"] == pytest.approx(figures["exploitability"] * 10)
    assert figures["exploitability_pot_percent"] == pytest.approx(figures["exploitability"] / 2)
    assert figures["dtype"] == "float32"
    assert 100e6 < figures["memory_bytes"] < 300e6
    assert result.err == "holdem: 57 public nodes, 1,081 hands, about 141 MB of memory\n"


def test_text_says_it_in_the_words_of_poker(sog: Sog) -> None:
    result = sog("solve", "holdem", *SMALL, "--big-blind", 2)
    assert result.out.startswith("holdem 9s7c5s4h3c, pot 200, stack 300 by dcfr(gamma=3)\n")
    for part in ("% exploitable", "mbb/g exploitable", "decisions", "memory"):
        assert part in result.out


@pytest.mark.parametrize(("until", "chips"), [("0.5%", 1.0), ("0.5", 0.5)])
def test_stops_at_a_share_of_the_pot_or_at_chips(sog: Sog, until: str, chips: float) -> None:
    figures = sog("solve", "holdem", *SMALL, "--until", until, "--json").json
    assert figures["trace"][-2][2] > chips >= figures["exploitability"]


def test_progress_is_told_in_shares_of_the_pot_and_of_the_big_blind() -> None:
    spot = _spot("9s7c5s4h3c", "")
    assert exploitability_words(spot)(0.5) == "0.25% pot"  # no big blind is known
    known = spot._replace(betting=spot.betting._replace(big_blind=100))
    assert exploitability_words(known)(0.5) == "0.25% pot, 5 mbb/g"


def test_resuming_is_not_having_stopped(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "spot.npz"
    sog("solve", "holdem", *SMALL, "--iterations", 30, "--save", path)
    resumed = sog("solve", "holdem", "--resume", path, "--iterations", 70, "--save", path, "--json").json
    whole = sog("solve", "holdem", *SMALL, "--iterations", 70, "--json").json
    assert {key: resumed[key] for key in FIGURES} == {key: whole[key] for key in FIGURES}
    assert "nothing to do" in sog("solve", "holdem", *SMALL, "--resume", path, "--iterations", 70).err
    other = sog("solve", "holdem", *RIVER, "--resume", path, "--iterations", 70)
    assert "was solved with --stack '300', not '19900'" in other.complaint
    bets = sog("solve", "holdem", "--resume", path, "--bets", "river:50").complaint
    assert "was solved with --bets 'river:100,allin', not 'river:50'" in bets
    assert bets.endswith("not 'river:50': leave the option out, or solve anew")
    assert sog("show-strategy", path).status == 0


def test_a_plot_is_drawn(sog: Sog, tmp_path: Path) -> None:
    assert sog("solve", "holdem", *SMALL, "--iterations", 20, "--plot", tmp_path / "a.png").status == 0
    assert (tmp_path / "a.png").stat().st_size > 1000


def test_a_libratus_file_says_everything_but_the_bets(sog: Sog, tmp_path: Path) -> None:
    path = _libratus_file(tmp_path, "AA,KQs", "QQ-TT:0.25")
    figures = sog("solve", "holdem", "--libratus", path, "--iterations", 10, "--json").json
    assert (figures["board"], figures["pot"], figures["stack"]) == ("9s7c5s4h3c", 500, 19750)
    assert figures["big_blind"] == 100
    assert figures["bets"].endswith("river:50,100,allin/100,allin")
    few = sog("solve", "holdem", "--libratus", path, "--bets", "allin", "--iterations", 10, "--json").json
    assert few["decisions"] == 4
    assert "--pot" in sog("solve", "holdem", "--libratus", path, "--pot", 3).complaint


def _libratus_file(folder: Path, oop: str, ip: str) -> Path:
    is_possible = compatible_hands(parse_board("9s7c5s4h3c"))
    reach = np.concatenate([parse_range(oop) * is_possible, parse_range(ip) * is_possible])
    path = folder / "subgame.txt"
    words = " ".join(str(weight) for weight in reach)
    path.write_text(f"-round 4 -board 9s7c5s4h3c -pot 500 -reach {words}", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ("--board 9s7c5s4h3c", "--pot, --stack missing"),
        ("--board 9s7c5s4h3c --pot 200", "--stack missing"),
        ("--board 9s7c5s4h3x --pot 200 --stack 1", "'3x' is not a card"),
        ("--board 9s7c5s4h9s --pot 200 --stack 1", "9s is there twice"),
        ("--board 9s7c --pot 200 --stack 1", "not 2"),
        ("--board , --pot 200 --stack 1", "0 cards"),
        ("--board 9s7c5s4h3c --pot 0 --stack 1", "--pot: must be a whole number, 1 or more, not '0'"),
        ("--board 9s7c5s4h3c --pot 1 --stack 1", "pot must be a whole number from 2"),
        ("--board 9s7c5s4h3c --pot 200 --stack -5", "--stack: must be a whole number"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --big-blind 101", "big blind"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --range-oop AA,AKx", "--range-oop: range, token 2 'AKx'"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --range-ip AA:2", "--range-ip: range, token 1 'AA:2'"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --range-ip 9s7c", "no hand of the range is left"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --range-ip AhKh --range-oop AhKh", "can meet"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --bets river:huge", "'huge' is not a size"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --bets sea:1", "'sea' is not a street"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --until x%", "--until: must be a positive number"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --algorithm mccfr", "mccfr"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --strategy", "sog show-strategy"),
        ("--board 9s7c5s --pot 2 --stack 1000000 --bets 1,2,3,4,5", "raising goes on for too long"),
        ("--libratus no-such-file.txt", "no-such-file.txt cannot be read"),
        ("--libratus .", ". cannot be read"),
        ("--board 9s7c5s4h3c2d --pot 200 --stack 1", "not 6"),
        ("--board 9s7c5s4h3 --pot 200 --stack 1", "'3' is not a card"),
        ("--board 109s7c --pot 200 --stack 1", "'10' is not a card"),
        ("--board 9s7c5s4h3c --pot 2.5 --stack 1", "--pot: must be a whole number"),
        ("--board 9s7c5s4h3c --pot 200 --stack 0", "--stack: must be a whole number, 1 or more, not '0'"),
        ("--board 9s7c5s4h3c --pot 200 --stack 10000000000", "stack must be a whole number from 0 to"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --bets 0.5", "half the pot is 50"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --bets river", "follow a street, as in river:50,allin"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --bets 2y", "'2y' is not a size"),
        (
            "--board 9s7c5s4h3c --pot 200 --stack 1 --range-ip AA:0",
            "player in position: no hand of",
        ),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --range-oop AA;KK", "token 1 'AA;KK'"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --range-oop AhAh", "'AhAh' holds the same card twice"),
        ("--board 9s7c5s4h3c --pot 200 --stack 1 --range-oop", "--range-oop: expected one argument"),
        ("--resume no-such-file.npz", "no-such-file.npz"),
    ],
)
def test_bad_input_is_named_in_one_line(sog: Sog, options: str, part: str) -> None:
    assert part in sog("solve", "holdem", *options.split()).complaint


@pytest.mark.parametrize("text", ["", "-round 4", "hello", "-round 4 -board 9s7c5s4h3c -pot 2 -reach 1 2"])
def test_broken_libratus_files_are_refused(sog: Sog, tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.txt"
    path.write_text(text, encoding="utf-8")
    assert "broken.txt" in sog("solve", "holdem", "--libratus", path).complaint


def test_a_libratus_file_cut_short_is_refused(sog: Sog, tmp_path: Path) -> None:
    path = _libratus_file(tmp_path, "AA,KQs", "QQ-TT:0.25")
    text = path.read_text(encoding="utf-8")
    for length, part in (
        (len(text) // 2, "-reach must have 2652 numbers, not"),
        (text.index("-reach") + 6, "-reach has no value"),
        (text.index("-reach"), "-reach is missing"),
    ):
        path.write_text(text[:length], encoding="utf-8")
        assert part in sog("solve", "holdem", "--libratus", path).complaint
    path.write_bytes(b"-round \xff")
    assert "is not a text file" in sog("solve", "holdem", "--libratus", path).complaint


@pytest.mark.parametrize("option", ["--board 9s7c5s", "--stack 3", "--range-ip AA", "--libratus x"])
def test_other_games_have_no_spot(sog: Sog, option: str) -> None:
    complaint = sog("solve", "kuhn", *option.split()).complaint
    assert f"{option.split()[0]}: for holdem only, not for kuhn" in complaint
    assert "--until" in sog("solve", "kuhn", "--until", "3%").complaint


def _spot(board: str, bets: str, stack: int = 400) -> Spot:
    return make_spot(parse_board(board), 200, stack, parse_bet_sizes(bets), np.ones((2, NUM_HANDS)))


@pytest.mark.parametrize("board", ["9s7c5s4h3c", "9s7c5s4h"])
@pytest.mark.parametrize("bets", ["100,allin", "50/none", "none", "33,75,allin/100"])
def test_counting_the_betting_is_counting_the_tree(board: str, bets: str) -> None:
    spot = _spot(board, bets)
    size, store = measure_spot(spot), open_store(spot)
    layout = lay_out(store)
    assert size.public_nodes == layout.num_nodes
    assert size.decisions == layout.count(0) + layout.count(1)
    assert size.moves * spot.hands.size == sum(layout.num_slots) - 2 * spot.hands.size
    assert size.folds == np.count_nonzero(store.records["folded"] >= 0)


def test_what_does_not_fit_into_memory_is_refused(sog: Sog, monkeypatch: pytest.MonkeyPatch) -> None:
    assert spot_size.available_bytes() > 10**6
    flop = _spot("9s7c5s", "33,75,allin", stack=19_900)
    assert estimate_bytes(flop, "float32") > 10**11
    with monkeypatch.context() as patch:
        patch.setattr(spot_size, "MAX_BETTING_STATES", 30)
        assert "more than 30 ways to bet: give fewer sizes" in sog("solve", "holdem", *RIVER).complaint
    monkeypatch.setattr(spot_size, "available_bytes", lambda: 10**8)
    complaint = sog("solve", "holdem", *SMALL).complaint
    assert "needs about 140 MB of memory" in complaint
    assert "100 MB are available" in complaint


def test_what_would_fit_is_said_with_numbers(sog: Sog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spot_size, "available_bytes", lambda: 10**8)
    bets, first = "33,75/60,allin", "random,AcKc:0.5"  # clubs and diamonds are not alike
    words = ["--board", "9s7s5s2h", "--pot", "100", "--stack", "900", "--bets", bets, "--range-oop", first]
    complaint = sog("solve", "holdem", *words).complaint
    ranges = np.array([parse_range(first), parse_range("random")])
    whole = make_spot(parse_board("9s7s5s2h"), 100, 900, parse_bet_sizes(bets), ranges)
    even = whole._replace(ranges=np.where(compatible_hands(whole.board), np.ones_like(ranges), 0))
    few = whole._replace(sizes=parse_bet_sizes("33/60"))
    capped = whole._replace(sizes=parse_bet_sizes(f"{bets};cap:2"))
    for name, spot, dtype in (
        ("--dtype int16", whole, "int16"),
        ("--bets with cap:2", capped, "float32"),
        ("one size for each bet", few, "float32"),
        ("ranges that treat suits alike", even, "float32"),
        ("one size in int16", few, "int16"),
    ):
        assert f"{name} {format_bytes(estimate_bytes(spot, dtype))}" in complaint


def test_a_solution_file_knows_its_spot(river: Path, sog: Sog, tmp_path: Path) -> None:
    saved = load_checkpoint(river)
    spot = spot_from_solution(river, saved)
    assert spot.name == saved.game
    assert describe_spot(spot) == saved.description
    bare, other = tmp_path / "bare.npz", tmp_path / "other.npz"
    save_checkpoint(bare, saved._replace(description=""))
    assert "does not say which spot" in sog("show-strategy", bare).complaint
    save_checkpoint(other, saved._replace(description=saved.description.replace("AA", "KK")))
    assert "describes another spot" in sog("show-strategy", other).complaint
    sog("solve", "kuhn", "--iterations", 5, "--save", bare)
    assert "is a solution of kuhn" in sog("show-strategy", bare).complaint


def test_the_grid_is_plain_text_where_there_are_no_colours(river: Path, sog: Sog) -> None:
    result = sog("show-strategy", river)
    assert (result.status, result.err) == (0, "")
    assert "\x1b" not in result.out
    lines = result.out.splitlines()
    assert lines[:2] == [
        "holdem 9s7c5s4h3c, pot 200, stack 300",
        "at the start: board 9s7c5s4h3c, pot 200, player out of position to act",
    ]
    assert lines[3].split()[:3] == ["AA", "AKs", "AQs"]
    assert [word[0] for word in lines[4].split()[1:]] == [
        "."
    ] * 12  # of the first row only AA is in the range
    assert max(len(line) for line in lines[3:29]) <= 65
    assert "X check" in result.out
    assert "equity" in lines[-1]


def test_every_action_has_a_colour_of_its_own() -> None:
    for bets in range(1, 9):
        actions = ["fold", "call", *(f"raise{50 * number}" for number in range(1, bets + 1))]
        assert len(set(action_colours(actions))) == len(actions)


def test_a_terminal_gets_colours_unless_told_not_to(
    river: Path, sog: Sog, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    for no_colour in ("", "1"):
        terminal = Terminal()
        monkeypatch.setenv("NO_COLOR", no_colour)
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout", terminal)
            assert sog("show-strategy", river).status == 0
        assert ("\x1b[" in terminal.getvalue()) is not bool(no_colour)


def test_pictures_are_drawn(river: Path, sog: Sog, tmp_path: Path) -> None:
    for name in ("grid.png", "grid.svg"):
        assert sog("show-strategy", river, "--node", "check", "--png", tmp_path / name).status == 0
    assert (tmp_path / "grid.png").stat().st_size > 10_000
    text = (tmp_path / "grid.svg").read_text(encoding="utf-8")
    for part in ("9s7c5s4h3c", "AKs", "allin", "player in position to act"):
        assert part in text
    assert ".png" in sog("show-strategy", river, "--png", tmp_path / "grid.txt").complaint


@pytest.mark.parametrize(
    ("node", "part"),
    [
        ("check,bet33", "after 'check': 'bet33' is not a move here; the moves are check, bet100, allin"),
        ("check,check", "the hand is over there"),
        ("check,check,check", "after the hand is over"),
        ("fold", "the moves are check"),
    ],
)
def test_nodes_that_are_not_there(river: Path, sog: Sog, node: str, part: str) -> None:
    assert part in sog("show-strategy", river, "--node", node).complaint


def test_json_has_every_hand_and_all_has_every_node(river: Path, sog: Sog) -> None:
    figures = sog("show-strategy", river, "--node", "check, Bet100%", "--json").json
    assert (figures["node"], figures["player"], figures["pot"]) == ("check,bet100", 0, 400)
    hands = {record["hand"]: record for record in figures["hands"]}
    assert len(hands) == 6 + 4 + 4
    for record in hands.values():
        assert sum(record["policy"].values()) == pytest.approx(1, abs=1e-5)
        assert record["action_evs"]["fold"] == 0
    assert hands["KhQh"]["reach"] <= 0.5
    whole = json.loads(sog("show-strategy", river, "--all", "--json").out)
    assert len(whole["hands"]) == 1081
    (node,) = (node for node in whole["nodes"] if node["node"] == "check,bet100")
    place = whole["hands"].index("AsAh")
    played = dict(zip(node["actions"], np.array(node["policy"])[:, place], strict=True))
    assert played == hands["AsAh"]["policy"]
    assert node["ev"][place] == hands["AsAh"]["ev"]
    assert "--all" in sog("show-strategy", river, "--all").complaint


def test_a_bluff_has_the_frequency_and_the_values_of_theory(sog: Sog, tmp_path: Path) -> None:
    """A bet of b pots is a bluff b/(1+b) times as often as it is the nuts, and called 1/(1+b) of the time."""
    path = tmp_path / "toy.npz"
    options = ("--iterations", 5000, "--dtype", "float64", "--save", path)
    assert sog("solve", "holdem", *TOY, *options).status == 0
    hands = {record["hand"]: record for record in sog("show-strategy", path, "--json").json["hands"]}
    assert hands["AhAd"]["policy"]["allin"] == pytest.approx(1, abs=1e-3)
    assert hands["QhQd"]["policy"]["allin"] == pytest.approx(1 / 3, abs=1e-3)
    assert hands["AhAd"]["ev"] == pytest.approx(200 + 100 * 2 / 3, abs=0.5)  # called two times in three
    assert hands["QhQd"]["ev"] == pytest.approx(0, abs=0.5)
    assert [hands[hand]["equity"] for hand in ("AhAd", "QhQd")] == [1, 0]
    (king,) = sog("show-strategy", path, "--node", "allin", "--json").json["hands"]
    assert king["policy"]["call"] == pytest.approx(2 / 3, abs=1e-3)
    assert king["ev"] == pytest.approx(0, abs=0.5)
    assert king["equity"] == pytest.approx(1 / 4, abs=1e-3)


@pytest.fixture
def turn(sog: Sog, tmp_path: Path) -> SolvedSpot:
    path = tmp_path / "turn.npz"
    options = ("--iterations", 50, "--dtype", "float64", "--save", path)
    assert sog("solve", "holdem", *TURN, *options).status == 0
    return SolvedSpot(*open_solution(path))


def test_evs_add_up_to_the_value_of_the_spot(turn: SolvedSpot) -> None:
    start, solver = turn.strategy(turn.find("")), turn.solver
    np.testing.assert_allclose(start.met, _met(turn.spot.ranges[1]), atol=1e-12)
    weights = start.reach * start.met
    value = np.nansum(weights * start.ev) / weights.sum()
    assert value == pytest.approx(solver.value() + 100)


def test_evs_after_a_card_are_those_of_the_rest_of_the_hand(turn: SolvedSpot) -> None:
    """The subgame after a card, cut out and played by the same policy, has the same EVs."""
    node = turn.find("check,check,2d")
    strategy = turn.strategy(node)
    ranges = np.array([turn.reach(node, 0), turn.reach(node, 1)])
    spot = make_spot(strategy.board, 200, 400, turn.spot.sizes, ranges)
    alone_spot = SolvedSpot(spot, SpotSolver(spot, "cfr", np.float64))
    _copy_policy(turn, node, alone_spot)
    alone_spot = SolvedSpot(spot, alone_spot.solver)  # what was seen before is kept
    alone = alone_spot.strategy(alone_spot.find(""))
    np.testing.assert_allclose(alone.policy[:, ranges[0] > 0], strategy.policy[:, ranges[0] > 0])
    np.testing.assert_allclose(alone.ev[ranges[0] > 0], strategy.ev[ranges[0] > 0])
    names = [turn.strategy(node).path for node in turn.decisions()]
    assert names.count("check,check,2d,bet100") == 1


def _copy_policy(turn: SolvedSpot, node: Node, alone: SolvedSpot) -> None:
    """Give the solver of a subgame the policy of the whole game, as its sums."""
    for part in alone.decisions():
        path = ",".join(word for word in (turn.strategy(node).path, alone.strategy(part).path) if word)
        strategy = turn.strategy(turn.find(path))
        rows, (slot, _) = part.scene.rows(strategy.player), part.street.layout.decision_slots(part.number)
        block = np.zeros((len(strategy.actions), rows.size))
        block[:, rows.row] = strategy.policy[:, rows.hands]
        start = slot * rows.size
        part.scene.street_node.sums[strategy.player].average[start : start + block.size] = block.ravel()


def test_a_card_must_be_named_and_be_there(turn: SolvedSpot, sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "turn.npz"
    assert (
        "a card comes next; add one, such as 2s"
        in sog("show-strategy", path, "--node", "check,check").complaint
    )
    on_board = sog("show-strategy", path, "--node", "check,check,9s").complaint
    assert "9s is on the board 9s7c5s4h already" in on_board
    assert "'bet' is not a card" in sog("show-strategy", path, "--node", "check,check,bet").complaint
    assert sog("show-strategy", path, "--node", "check,check,2d").status == 0


def test_equity_is_the_mean_over_all_rivers(turn: SolvedSpot) -> None:
    equity = turn.equity(turn.find(""))
    hand, board = parse_hand("AhAd"), parse_board("9s7c5s4h")
    won = total = 0.0
    for card in set(range(52)) - set(board) - set(HANDS[hand].tolist()):
        strengths = board_strengths((*board, card))
        for other in np.flatnonzero(turn.spot.ranges[1]):
            if not {card, *HANDS[hand].tolist()} & set(HANDS[other].tolist()):
                total += 1
                won += (np.sign(strengths[hand] - strengths[other]) + 1) / 2
    assert equity[hand] == pytest.approx(won / total)
    assert np.isnan(equity[parse_hand("2h2d")]), hand_name(hand)


def _met(weights: F64) -> F64:
    """Return the weight of the hands that share no card with each hand, by comparing all pairs."""
    cards = np.zeros((NUM_HANDS, 52))
    np.put_along_axis(cards, HANDS, 1, axis=1)
    return np.asarray((cards @ cards.T == 0) @ weights, np.float64)


def test_sixteen_bits_from_the_command_line(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "short.npz"
    figures = sog(
        "solve", "holdem", *TURN, "--dtype", "int16", "--iterations", 5, "--save", path, "--json"
    ).json
    assert figures["dtype"] == "int16"
    more = sog("solve", "holdem", "--resume", path, "--iterations", 8, "--json").json
    assert (more["dtype"], more["iterations"]) == ("int16", 8)
    assert sog("show-strategy", path, "--node", "check,check,2d").status == 0
    assert "is for hold'em spots" in sog("solve", "kuhn", "--dtype", "int16").complaint


def test_rake_locks_and_removed_moves_from_the_command_line(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "raked.npz"
    words = ["--board", "2s2h2d2c7s", "--pot", "200", "--stack", "200,700", "--range-oop", "AhAd,QhQd"]
    words += ["--range-ip", "KhKd", "--bets", "50,100", "--remove", "bet50", "--lock", "allin > call KK"]
    words += ["--rake", "5", "--rake-cap", "8"]
    figures = sog("solve", "holdem", *words, "--iterations", 300, "--save", path, "--json").json
    assert (figures["stack"], figures["removed"], figures["rake"], figures["rake_cap"]) == (
        200,
        ["bet50"],
        5,
        8,
    )
    assert figures["locks"] == ["allin > call KK"]
    # The aces win 200 less rake, and 200 more from the caller; the queens give up.
    assert figures["value"] == pytest.approx((200 - 8 + 200) / 2 - 100, abs=0.5)
    shown = sog("show-strategy", path, "--node", "bet100", "--json").json
    assert [record["policy"] for record in shown["hands"]] == [{"fold": 0, "call": 1}]
    assert sog("solve", "holdem", "--resume", path, "--iterations", 310, "--rake", 5).status == 0
    assert "was solved with --rake '5" in sog("solve", "holdem", "--resume", path, "--rake", 4).complaint
    assert "goes with --rake" in sog("solve", "holdem", *SMALL, "--rake-cap", 4).complaint
    assert "one stack, or two" in sog("solve", "holdem", *SMALL, "--stack", "1,2,3").err
