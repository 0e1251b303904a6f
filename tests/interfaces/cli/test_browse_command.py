from pathlib import Path

import numpy as np
import pytest

from sog.interfaces.cli.holdem_solves import open_solution
from sog.poker.solved_spot import SolvedSpot
from sog.poker.strategy_list import rows_by_class, rows_by_hand, whole_row
from tests.interfaces.conftest import Sog

TURN = ["--board", "9s7c5s4h", "--pot", "200", "--stack", "400", "--bets", "100"]
RANGES = ["--range-oop", "AA,KQs", "--range-ip", "JJ,A6s"]


@pytest.fixture(scope="module")
def solution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from sog.interfaces.cli import main

    path = tmp_path_factory.mktemp("browse") / "turn.npz"
    assert main(["solve", "holdem", *TURN, *RANGES, "--iterations", "50", "--save", str(path)]) == 0
    return path


def browse(sog: Sog, path: Path, *typed: str) -> str:
    result = sog("browse", path, typed="\n".join(typed) + "\n")
    assert result.status == 0
    return result.out


def test_moves_and_cards_lead_on_and_back(sog: Sog, solution: Path) -> None:
    out = browse(sog, solution, "check", "check", "2d", "back", "start", "allin", "bet200", "quit")
    assert out.startswith("holdem 9s7c5s4h, pot 200, stack 400\n\nat the start: board 9s7c5s4h, pot 200")
    assert "check, check: board 9s7c5s4h; a card comes, such as 2s" in out
    assert "check, check, 2d: board 9s7c5s4h2d, pot 200, player out of position to act" in out
    assert out.count("at the start: board") == 2
    assert "'allin' is not a move here; the moves are check, bet100" in out
    assert "moves: check, bet100" in out


def test_tables_have_all_actions(sog: Sog, solution: Path) -> None:
    out = browse(sog, solution, "classes", "AA", "KsQs", "hands", "help", "nonsense")
    rows = [line.split() for line in out.splitlines()]
    assert ["hand", "combos", "check", "bet100", "EV", "equity"] in rows
    aces = [row for row in rows if row and row[0] == "AA" and len(row) == 6]
    assert len(aces) == 2  # in the table and alone
    assert float(aces[0][2].rstrip("%")) + float(aces[0][3].rstrip("%")) == pytest.approx(100, abs=0.11)
    assert aces[0] == aces[1]
    alone = next(number for number, row in enumerate(rows) if row and row[0] == "KsQs")
    assert rows[alone + 1][0] == "EV"  # of check and of bet100, below their shares
    assert float(rows[alone][4]) == pytest.approx(_mixed(rows[alone], rows[alone + 1]), abs=0.1)
    assert "back, start" in out
    assert "'nonsense' is not a move here" in out


def _mixed(shares: list[str], evs: list[str]) -> float:
    """Return the EV of a row of two actions from the EVs below their shares."""
    return sum(
        float(share.rstrip("%")) / 100 * float(ev) for share, ev in zip(shares[2:4], evs[1:], strict=True)
    )


def test_classes_are_means_of_their_hands(solution: Path) -> None:
    solved = SolvedSpot(*open_solution(solution))
    node = solved.find("")
    strategy, equity = solved.strategy(node), solved.equity(node)
    classes, hands = list(rows_by_class(strategy, equity)), list(rows_by_hand(strategy, equity))
    whole = whole_row(strategy, equity)
    assert [row.name for row in classes] == ["AA", "KQs"]
    assert len(hands) == 10
    assert sum(row.combos for row in classes) == pytest.approx(whole.combos) == pytest.approx(10)
    aces = [row for row in hands if row.name.count("A") == 2]
    deals = np.array([row.combos for row in aces])  # all meet as many hands but for A6s: nearly their mean
    assert classes[0].ev == pytest.approx(np.average([row.ev for row in aces], weights=deals), rel=0.05)
    assert whole.policy.sum() == pytest.approx(1)


def test_a_table_as_a_file(sog: Sog, solution: Path, tmp_path: Path) -> None:
    path = tmp_path / "hands.csv"
    assert sog("show-strategy", solution, "--by", "hand", "--csv", path).status == 0
    lines = [line.split(",") for line in path.read_text().splitlines()]
    assert lines[0] == ["hand", "combos", "check", "bet100", "EV", "equity", "EV check", "EV bet100"]
    assert len(lines) == 11
    for line in lines[1:]:
        check, bet, ev, _, ev_check, ev_bet = map(float, line[2:])
        assert ev == pytest.approx(check * ev_check + bet * ev_bet, abs=1e-3)
    assert all(0 <= float(value) <= 1 for line in lines[1:] for value in line[1:4])
    assert "must end in .csv" in sog("show-strategy", solution, "--csv", tmp_path / "a.txt").complaint


def test_looking_changes_no_file(solution: Path) -> None:
    before = solution.read_bytes()
    spot, solver = open_solution(solution)
    SolvedSpot(spot, solver).strategy(SolvedSpot(spot, solver).find("check"))
    solver.advance(1)
    assert solution.read_bytes() == before
