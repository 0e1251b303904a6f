import csv
from pathlib import Path

import numpy as np
import pytest

from sog.interfaces.cli.holdem_solves import open_solution
from sog.poker.flop_report import mean_row, read_rows
from sog.poker.solved_spot import SolvedSpot
from tests.interfaces.conftest import Sog

SETTING = ["--pot", "100", "--stack", "100", "--bets", "flop:none;turn:none;river:allin", "--until", "1%"]
RANGES = ["--range-oop", "AA,KK,76s", "--range-ip", "QQ,JJ,A5s"]
FLOPS = ["--flops", "QsJh2h:3,7s6h5d,AhAd7c"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from sog.interfaces.cli import main

    folder = tmp_path_factory.mktemp("report") / "out"
    words = [*FLOPS, *SETTING, *RANGES, "--out", str(folder), "--save-solves"]
    assert main(["report", "holdem", *words, "--plot", str(folder.parent / "flops.png")]) == 0
    return folder


def test_a_row_for_each_flop(report: Path) -> None:
    lines = list(csv.DictReader((report / "flops.csv").read_text().splitlines()))
    assert [line["flop"] for line in lines] == ["QsJh2h", "7s6h5d", "AhAd7c"]
    assert [float(line["weight"]) for line in lines] == [3, 1, 1]
    assert all(float(line["exploitability"]) <= 1 and line["player"] == "oop" for line in lines)
    assert all(float(line["check"]) == 1 for line in lines)  # no bets on the flop
    assert (report.parent / "flops.png").stat().st_size > 10_000


def test_rows_are_what_the_solves_say(report: Path) -> None:
    """Solves are kept without rivers: what they say of the flop is what the report says."""
    for row in read_rows((report / "flops.csv").read_text()):
        solved = SolvedSpot(*open_solution(report / f"{row.flop}.npz"))
        node = solved.find("")
        strategy, equity = solved.strategy(node), solved.equity(node)
        weights = strategy.reach * strategy.met
        assert row.ev == pytest.approx(np.nansum(weights * strategy.ev) / weights.sum(), abs=1e-3)
        assert row.equity == pytest.approx(np.nansum(weights * equity) / weights.sum(), abs=1e-5)
        assert row.deals == pytest.approx(weights.sum())
        assert row.reach == pytest.approx(1)


def test_means_count_flops_and_deals(report: Path) -> None:
    rows = read_rows((report / "flops.csv").read_text())
    deals = [row.weight * row.deals for row in rows]
    whole = mean_row(rows)
    assert whole.ev == pytest.approx(sum(d * row.ev for d, row in zip(deals, rows, strict=True)) / sum(deals))
    assert whole.ev != pytest.approx(sum(row.ev for row in rows) / 3, abs=0.1)


def test_a_report_goes_on_and_solves_nothing_twice(report: Path, sog: Sog) -> None:
    before = (report / "flops.csv").read_text()
    again = sog("report", "holdem", *FLOPS, *SETTING, *RANGES, "--out", report)
    assert "of memory" not in again.err  # nothing was solved
    assert (report / "flops.csv").read_text() == before
    assert again.out.splitlines()[-1].startswith("all")
    more = sog(
        "report", "holdem", "--flops", FLOPS[1] + ",8s8h3d", *SETTING, *RANGES, "--out", report, "--json"
    )
    assert more.json["flops_asked"] == 4
    assert [row["flop"] for row in more.json["flops"]][-1] == "8s8h3d"
    assert (report / "flops.csv").read_text().startswith(before)


def test_a_flop_that_leaves_no_hand_is_left_out(sog: Sog, tmp_path: Path) -> None:
    flops = ["--flops", "AsAhAd,QsJh2h"]
    result = sog(
        "report", "holdem", *flops, *SETTING, "--range-oop", "AA", "--range-ip", "KK", "--out", tmp_path
    )
    assert "AsAhAd is left out: player out of position: no hand of the range is left" in result.err
    assert [line.split()[0] for line in result.out.splitlines()[2:]] == ["QsJh2h", "all"]


def test_what_cannot_be_reported_is_named_in_one_line(report: Path, sog: Sog, tmp_path: Path) -> None:
    def complaint(*words: object, to: Path = tmp_path / "new") -> str:
        return sog("report", *words, "--out", to).complaint

    whole = ("holdem", *FLOPS, *SETTING, *RANGES)
    assert "is a report with until 1%, not 0.5%" in complaint(*whole[:-5], "0.5%", *RANGES, to=report)
    assert "is for holdem, not for kuhn" in complaint("kuhn", *FLOPS)
    assert "--board does not go with --flops" in complaint(*whole, "--board", "QsJh2h")
    assert "--stack missing" in complaint("holdem", *FLOPS, "--pot", "100")
    suits = ("--range-oop", "AhKh", "--range-ip", "QQ")
    assert "tell suits apart" in complaint("holdem", "--flops", "25", *SETTING, *suits)
    assert "is not a move here" in complaint(*whole, "--node", "bet50")
    assert "subsets of 25, 85 and all" in complaint("holdem", "--flops", "1", *SETTING, *RANGES)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "settings.json").write_text("no")
    assert "no report that can be read" in complaint(*whole, to=tmp_path / "broken")
    assert not list((tmp_path / "new").glob("*.csv"))
