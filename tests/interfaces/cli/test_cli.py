import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sog import __version__
from sog.core.errors import InputError
from sog.interfaces.cli import main
from sog.interfaces.cli.arguments import COMMANDS, group_options, make_parser, module_of
from sog.interfaces.cli.solving_arguments import ALGORITHM_HELP
from sog.solvers.algorithms import ALGORITHMS
from tests.interfaces.conftest import Sog

HEAVY = ("numpy", "numba", "torch", "matplotlib", "tqdm", "pyspiel")


def _python(*arguments: str, **options: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, *arguments], capture_output=True, text=True, timeout=300, **options
    )


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--help"], HEAVY),
        (["solve", "--help"], HEAVY),
        (["--version"], HEAVY),
        (["games"], HEAVY[2:]),  # rules of chess and Go are kernels
        (["nonsense"], HEAVY),
    ],
)
def test_nothing_heavy_is_imported_at_start_up(arguments: list[str], heavy: tuple[str, ...]) -> None:
    code = (
        "import sys; from sog.interfaces.cli import main; main(sys.argv[1:]);"
        f"print(sorted(set({heavy}) & set(sys.modules)), file=sys.stderr)"
    )
    result = _python("-c", code, *arguments)
    assert result.stderr.splitlines()[-1] == "[]"


def test_module_is_a_program() -> None:
    result = _python("-m", "sog", "--version")
    assert (result.returncode, result.stdout.strip()) == (0, f"sog {__version__}")
    result = _python("-m", "sog", "show", "nothing")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_help_names_every_command(sog: Sog, arguments: list[str]) -> None:
    result = sog(*arguments)
    assert result.status == 0
    for name, command in COMMANDS.items():
        assert f" {name} " in result.out
        assert command.summary.split()[0] in result.out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_teaches_by_example(sog: Sog, name: str) -> None:
    result = sog(name, "--help")
    assert result.status == 0
    assert COMMANDS[name].description.splitlines()[0] in result.out
    for example in COMMANDS[name].examples:
        assert example in result.out
        assert example.startswith(f"sog {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_options_are_those_of_the_parser(name: str) -> None:
    words = {"games": [], "uci": [], "gtp": [], "evaluate": ["--game", "kuhn"], "match": ["random", "mcts:1"]}
    words["report"] = ["holdem", "--flops", "25", "--out", "report"]
    words["sweep"] = ["kuhn", "--grid", "run.seed=0", "--out", "sweep"]
    game = words.get(name, ["kuhn"])
    declared = set(group_options(make_parser().parse_args([name, *game]))) - {"command"}
    module = importlib.import_module(module_of(name))
    assert set(module.Options._fields) == declared


def test_help_names_every_algorithm() -> None:
    words = ALGORITHM_HELP.partition(", with")[0].replace(" or ", ", ").split(", ")
    assert words == list(ALGORITHMS)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ("nonsense", "'nonsense'"),
        ("show", "GAME"),
        ("show kuhn leduc", "leduc"),
        ("show kuhn --colour", "--colour"),
        ("show nothing", "unknown game 'nothing'"),
        ("show kuhn(", "'kuhn('"),
        ("show leduc(cards=3)", "no parameter 'cards'"),
        ("show liars_dice(dice=0)", "dice must be a whole number from 1 to"),
        ("show liars_dice(faces=nan)", "nan"),
        ("show matrix(payoffs=[[1],[1,2]])", "rows of equal length"),
        ("show openspiel:nothing", "OpenSpiel has no game"),
        ("show kuhn --depth 0", "--depth"),
        ("show kuhn --max-states -1", "--max-states"),
        ("show tictactoe --max-states 100", "--depth"),
        ("show leduc --max-states 100", "more than 100 public states"),
        ("show kuhn --tree kuhn.jpg", ".png"),
        ("show kuhn --tree nowhere/kuhn.png", "no directory 'nowhere'"),
        ("show tictactoe --tree tictactoe.png", "--depth"),
        ("solve kuhn --iterations 0", "--iterations"),
        ("solve kuhn --iterations -5", "-5"),
        ("solve kuhn --iterations nan", "nan"),
        ("solve kuhn --until nan", "nan"),
        ("solve kuhn --until 0", "--until"),
        ("solve kuhn --seconds inf", "inf"),
        ("solve kuhn --seconds soon", "'soon'"),
        ("solve kuhn --seed -1", "--seed"),
        ("solve kuhn --seed 99999999999999999999", "--seed"),
        ("solve kuhn --dtype float16", "float32"),
        ("solve kuhn --rows 0", "--rows"),
        ("solve kuhn --algorithm magic", "unknown algorithm 'magic'"),
        ("solve kuhn --algorithm dcfr(alpha=nan)", "alpha"),
        ("solve kuhn --algorithm dcfr(zeta=1)", "no option 'zeta'"),
        ("solve kuhn --save nowhere/kuhn.npz", "no directory 'nowhere'"),
        ("solve kuhn --save kuhn.txt", ".npz"),
        ("solve kuhn --plot kuhn", ".png"),
        ("solve kuhn --resume missing.npz", "missing.npz"),
        ("solve leduc --max-states 10", "--max-states"),
        ("compare kuhn --algorithms cfr,,dcfr", "''"),
        ("compare kuhn --algorithms cfr,cfr", "more than once"),
        ("compare kuhn --algorithms dcfr(alpha=1.5,cfr", "'dcfr(alpha=1.5,cfr'"),
        ("compare kuhn --iterations 0", "--iterations"),
        ("compare kuhn --plot nowhere/curves.png", "no directory 'nowhere'"),
        ("play kuhn --seat 2", "--seat"),
        ("play kuhn --opponent nobody", "'nobody'"),
        ("play tictactoe --opponent solved --max-states 1000", "1,000 histories"),
        ("play kuhn --opponent mcts:100", "kuhn hides something: try is-mcts"),
        ("play leduc --opponent is-mcts:100 --max-states 100", "100 public states"),
        ("play tictactoe --opponent mcts:0", "simulations must be a whole number from 1"),
        ("play tictactoe --opponent mcts:99999999999999999999999999", "from 1 to 1000000"),
        ("play tictactoe --opponent mcts:many", "write mcts:N"),
        ("play tictactoe --opponent mcts(solve=1)", "True or False, not 1"),
        ("play kuhn --opponent is-mcts(final=best)", "one of visits, max-visits, max-value, not 'best'"),
        ("play kuhn --opponent is-mcts(exploration=-1)", "from 0 to 1e+09, not -1"),
        ("play kuhn --opponent is-mcts(exploration=nan)", "not nan"),
        ("play kuhn --opponent is-mcts(solve=True)", "no option 'solve'"),
        ("play kuhn --opponent is-mcts(", "'is-mcts('"),
    ],
)
def test_bad_input_is_one_line(
    sog: Sog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, part: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert part in sog(*arguments.split()).complaint
    assert not list(tmp_path.iterdir())


def test_complaints_stay_one_short_line(sog: Sog) -> None:
    assert sog("show", "a\nb").complaint
    assert sog("show\nkuhn").complaint
    assert len(sog("show", "x" * 10_000).complaint) < 500


def test_defects_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("a defect")

    monkeypatch.setattr("sog.interfaces.cli.games_command.run", fail)
    with pytest.raises(ValueError, match="a defect") as raised:
        main(["games"])
    assert not isinstance(raised.value, InputError)


def test_ctrl_c_is_no_traceback(sog: Sog, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sog.interfaces.cli.show_command.measure", interrupt)
    result = sog("show", "kuhn")
    assert (result.status, result.err) == (130, "sog: interrupted\n")


def test_a_closed_pipe_is_no_traceback() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = subprocess.run(
            [sys.executable, "-m", "sog", "games"], stdout=writing, stderr=subprocess.PIPE, timeout=300
        )
    finally:
        os.close(writing)
    assert (result.returncode, result.stderr) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "sog", "games"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
        )
    assert result.returncode == 1
    assert result.stderr.startswith("sog: cannot write the output")
    assert result.stderr.count("\n") == 1


LONG = "x" * 5000
DEEP = "x = " + "[" * 5000 + "]" * 5000


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "kuhn", "--save", f"{LONG}.npz"),
        ("solve", "kuhn", "--plot", f"{LONG}.png"),
        ("solve", "kuhn", "--resume", f"{LONG}.npz"),
        ("show", "kuhn", "--tree", f"{LONG}.svg"),
        ("show", f"{LONG}.py:Coin"),
        ("train", "kuhn", "--out", LONG),
        ("train", "kuhn", "--config", LONG, "--out", "run"),
        ("train", "kuhn", "--config", "deep.toml", "--out", "run"),
        ("train", "kuhn", "--out", "file/run"),
        ("train", "--resume", LONG),
        ("baselines", "kuhn", "--methods", "--beside", "deep.json"),
        ("evaluate", LONG),
        ("show-strategy", f"{LONG}.npz"),
        ("match", "random", "random", "--game", "tictactoe", "--moves", f"{LONG}.txt"),
        ("match", "random", "random", "--game", "tictactoe", "--out", LONG),
        ("match", "random", "a=random", "--game", "tictactoe", "--out", "deep"),
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
def test_paths_that_cannot_be_are_one_line(
    sog: Sog, arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    (tmp_path / "deep.toml").write_text(DEEP)
    (tmp_path / "deep.json").write_text(DEEP.removeprefix("x = "))
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "match.json").write_text(DEEP.removeprefix("x = "))
    assert len(sog(*arguments).complaint) < 420
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("solve", "kuhn", "--algorithm", ""), "cannot read the algorithm ''"),
        (("evaluate", "--game", "kuhn", "--algorithm", ""), "cannot read the algorithm ''"),
        (("solve", "kuhn", "--rows", "5"), "--rows is for --strategy"),
        (("evaluate", "--game", "kuhn", "--search", "-1,1"), "simulations must be"),
        (("solve", "kuhn", "--iterations", "1.5"), "must be a whole number, 1 or more, not '1.5'"),
        (("solve", "openspiel:efg_game(filename=no.efg)"), "efg_game: there is no file 'no.efg'"),
        (("train", "kuhn", "--method", "alphazero", "--out", "run"), "only games on a board without secrets"),
        (
            ("match", "random", "a=random", "--game", "tictactoe", "--opening-moves", "50"),
            "lasts 9 moves at most",
        ),
        (("play", "tictactoe", "--opponent", "is-mcts:100"), "hides nothing: try mcts:100"),
        (("show", "leduc", "--tree", "leduc.png"), "cannot be read as .png: --depth N"),
    ],
)
def test_what_is_meant_is_said(
    sog: Sog, arguments: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert complaint in sog(*arguments).complaint
    assert list(tmp_path.iterdir()) == []


def test_round_numbers_may_be_written_short(sog: Sog) -> None:
    assert sog("solve", "kuhn", "--iterations", "1e2", "--json").json["iterations"] == 100
