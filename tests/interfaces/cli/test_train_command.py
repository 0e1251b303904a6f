"""`sog train` as people type it, on a run of seconds."""

import json
import os
import pty
import signal
import subprocess
import sys
import termios
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from sog.interfaces.cli import main
from sog.search.rebel import RebelSettings
from sog.training.checkpoint import find_checkpoints
from sog.training.config import as_toml
from sog.training.metrics import read_metrics
from tests.training.tiny import tiny_config


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    path = tmp_path / "tiny.toml"
    path.write_text(as_toml(tiny_config()), "utf-8")
    return str(path)


def test_a_run_from_nothing_and_on(tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "runs" / "kuhn"
    assert main(["train", "--config", tiny, "--steps", "30", "--seed", "3", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0] == f"kuhn, trained in {out}"
    assert "gradient steps                30" in printed
    assert "exploitability of SoG(5,1)" in printed
    assert "→" in printed
    assert printed.splitlines()[-1] == f"play:   sog play kuhn --agent {out}"
    for name in ("agent.npz", "config.toml", "losses.png", "exploitability.png", "metrics.jsonl"):
        assert (out / name).stat().st_size > 0
    lines = read_metrics(out)
    assert [line["step"] for line in lines] == [0, 10, 20, 30, 30]
    assert lines[0]["exploitability"]["SoG(5,1)"] > lines[-1]["exploitability"]["SoG(5,1)"] > 0

    assert main(["train", "--resume", str(out)]) == 0
    captured = capsys.readouterr()
    assert "is done already" in captured.err
    assert main(["train", "--resume", str(out), "--steps", "40"]) == 0
    assert "gradient steps                40" in capsys.readouterr().out
    assert [path.stem for path in find_checkpoints(out)] == [f"step-{n:08d}" for n in (0, 30, 40)]
    assert main(["evaluate", str(out), "--search", "5,1", "--seeds", "1", "--json"]) == 0
    (figures,) = json.loads(capsys.readouterr().out)
    measured = read_metrics(out)[-1]["exploitability"]["SoG(5,1)"]
    assert figures["exploitability"]["mean"] == pytest.approx(measured, rel=1e-4)


def test_rebel_s_method(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "tiny.toml"
    config.write_text(as_toml(replace(tiny_config(), rebel=RebelSettings(iterations=8))), "utf-8")
    out = tmp_path / "run"
    arguments = ["train", "--method", "rebel", "--config", str(config), "--steps", "10", "--out", str(out)]
    assert main(arguments) == 0
    assert 'method = "rebel"' in (out / "config.toml").read_text("utf-8")
    capsys.readouterr()
    assert main(["train", "--method", "sog", "--resume", str(out)]) == 2
    assert "--method cannot change the run" in capsys.readouterr().err
    assert main(["train", "--resume", str(out), "--steps", "12"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["gradient", "steps", "12"] in lines


def test_a_damaged_checkpoint_is_told_in_one_line(
    tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert main(["train", "--config", tiny, "--steps", "10", "--out", str(out)]) == 0
    newest = find_checkpoints(out)[-1]
    newest.write_bytes(newest.read_bytes()[:3000])
    capsys.readouterr()
    assert main(["train", "--resume", str(out), "--steps", "12"]) == 0
    captured = capsys.readouterr()
    assert f"sog: {newest} is damaged or not a checkpoint: using the one before\n" in captured.err
    assert "gradient steps                12" in captured.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kuhn"], "--out DIR says where to write"),
        (["--out", "x"], "which game?"),
        (["no_such_game", "--out", "x"], "unknown game 'no_such_game'"),
        (["kuhn", "--config", "none.toml", "--out", "x"], "cannot read none.toml"),
        (["kuhn", "--config", "nonesuch", "--out", "x"], "neither a file nor a configuration"),
        (["kuhn", "--steps", "0", "--out", "x"], "--steps: must be a whole number, 1 or more"),
        (["kuhn", "--workers", "-1", "--out", "x"], "--workers: must be a whole number, 0 or more"),
        (["kuhn", "--workers", "1000", "--out", "x"], "--workers: at most"),
        (["--resume", "none"], "none has no checkpoints"),
        (["kuhn", "--resume", "none"], "GAME cannot change the run in none"),
        (["--seed", "3", "--resume", "none"], "--seed cannot change the run in none"),
        (["--from", "leduc", "--resume", "none"], "--from cannot change the run in none"),
        (["kuhn", "--from", "nonesuch", "--out", "x"], "nonesuch"),
        (["kuhn", "--from", "leduc", "--out", "x"], "network has"),
    ],
)
def test_what_cannot_be_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["train", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1


def test_a_folder_with_a_run_is_not_overwritten(
    tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert main(["train", "--config", tiny, "--steps", "1", "--out", str(out)]) == 0
    assert main(["train", "--config", tiny, "--steps", "1", "--out", str(out)]) == 2
    assert f"go on with --resume {out}" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert main(["train", "--config", tiny, "--out", str(tmp_path / "file")]) == 2
    assert "is not a folder" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_sigterm_save_and_say_how_to_go_on(
    tiny: str, tmp_path: Path, number: signal.Signals
) -> None:
    out = tmp_path / "run"
    command = [
        sys.executable,
        "-m",
        "sog",
        "train",
        "--config",
        tiny,
        "--steps",
        "1000000",
        "--out",
        str(out),
    ]
    master, slave = pty.openpty()  # a terminal, to see the live line too
    termios.tcsetwinsize(slave, (24, 200))
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=slave, text=True)
    os.close(slave)
    while len(read_metrics(out)) < 3:  # twenty steps
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(number)
    shown = b""
    with suppress(OSError):  # a terminal that nobody writes to any more
        while chunk := os.read(master, 4096):
            shown += chunk
    printed = process.communicate(timeout=60)[0]
    os.close(master)
    assert process.returncode == 0
    assert ", interrupted" in printed
    assert f"go on:  sog train --resume {out}" in printed
    assert len(find_checkpoints(out)) == 2
    line = shown.decode()
    assert "kuhn: step" in line
    assert "solved/s" in line


def test_a_run_that_does_not_help_says_what_to_try(
    tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = iter([{"SoG(5,1)": 0.1}, {"SoG(5,1)": 0.3}])
    monkeypatch.setattr("sog.evaluation.monitor.Monitor.measure", lambda *_: next(measured))
    for game in ("kuhn", "rps"):
        measured = iter([{"SoG(5,1)": 0.1}, {"SoG(5,1)": 0.3}])
        assert main(["train", game, "--config", tiny, "--steps", "4", "--out", str(tmp_path / game)]) == 0
        printed = capsys.readouterr().out
        assert "SoG(5,1) no better" in printed
        assert "try longer, --minutes; or longer searches in self-play" in printed
        assert ("an encoding for the game" in printed) == (game == "rps")
