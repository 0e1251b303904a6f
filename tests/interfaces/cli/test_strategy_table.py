from sog.interfaces.cli.strategy_table import table_lines, table_records
from sog.solvers.policies import Choice

CHOICES = [
    Choice(0, " | ", ["pass", "bet"], [0.25, 0.75]),
    Choice(1, "K | pass", ["fold"], [1.0]),
    Choice(1, "Q |\nfirst\nsecond", ["fold", "call"], [0.0, 1.0]),
]


def test_lines_are_grouped_by_player() -> None:
    assert table_lines(CHOICES, 10) == [
        "",
        "player 0",
        "  at the start   pass  25.0%   bet  75.0%",
        "",
        "player 1",
        "  K | pass           fold 100.0%",
        "  Q | first second   fold   0.0%   call 100.0%",
    ]


def test_what_is_left_out_is_said() -> None:
    lines = table_lines(CHOICES, 1)
    assert lines[-1] == "  … and 1 more infostates (--rows 2 shows all)"
    assert not any("Q |" in line for line in lines)


def test_records_have_everything() -> None:
    records = table_records(CHOICES)
    assert len(records) == 3
    assert records[0] == {"player": 0, "infostate": "|", "policy": {"pass": 0.25, "bet": 0.75}}
