"""What the documentation shows is true: examples run, links lead somewhere."""

import argparse
import doctest
import importlib
import io
import pkgutil
import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

import sog
from sog.core.errors import InputError
from sog.interfaces.cli import main
from sog.interfaces.cli.arguments import COMMANDS, make_parser
from sog.search.settings import SearchSettings
from tests.shown_examples import BLOCK, PAGES, ROOT, written

WIDE = {"papers.md", "training.md", "holdem.md", "scotland_yard.md"}  # lines are longer there

MODULES = [
    module.name for module in pkgutil.walk_packages(sog.__path__, "sog.") if "__main__" not in module.name
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples_run(page: Path) -> None:
    for example in re.findall(r"```python\n(.*?)```", BLOCK.sub("", page.read_text()), re.DOTALL):
        exec(compile(example, str(page), "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_show_the_examples_themselves(page: Path) -> None:
    assert page.read_text("utf-8") == written(page), "python -m tests.shown_examples --write"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target, _, place in re.findall(r"\]\(([^)#]*)(#([^)]*))?\)", page.read_text()):
        if target.startswith("http"):
            continue
        found = page.parent / target if target else page
        assert found.exists(), f"{page.name} links to {target}"
        if place:
            assert place in anchors(found), f"{page.name} links to {target}#{place}"


def anchors(page: Path) -> set[str]:
    """Return the names by which a page's headings are linked to."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_can_be_typed(page: Path) -> None:
    """Every command has the options that a page shows with it; on pages of commands it is complete."""
    parser = make_parser()
    for command in commands(page.read_text()):
        words = shlex.split(command)
        known = option_names(parser, words[1])
        for option in (word.partition("=")[0] for word in words if word.startswith("--")):
            assert option in known, f"{page.name}: {command} has no option {option}"
        if page.name in ("README.md", "results.md"):
            try:
                parser.parse_args(words[1:])
            except InputError as error:
                pytest.fail(f"{page.name}: {command}: {error}")


def option_names(parser: argparse.ArgumentParser, command: str) -> set[str]:
    (children,) = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return {name for action in children.choices[command]._actions for name in action.option_strings}


def commands(text: str) -> list[str]:
    """Return the commands in a page's code: in fenced blocks a line each, and in the text."""
    fenced = re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in fenced for line in block.replace("\\\n", " ").splitlines()]
    plain = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", plain)]
    found = [
        re.sub(r"\{([^,{}]*),[^{}]*\}", r"\1", line.strip().removeprefix(".venv/bin/").partition("  #")[0])
        for line in lines + spans
    ]
    names = "|".join(COMMANDS)
    return [line for line in found if re.match(rf"sog ({names}) ", line) and "…" not in line]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in WIDE], ids=lambda page: page.name
)
def test_lines_are_short(page: Path) -> None:
    """120 letters at most; tables, and commands that would be cut in two, may be longer."""
    for line in page.read_text().splitlines():
        is_free = line.startswith("|") or re.fullmatch(r"\W*`[^`]*`\W*\w*\W*", line) or "](" in line
        assert len(line) <= 120 or is_free, f"{page.name}: {line}"


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_papers_name_tests_that_exist() -> None:
    tests = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    for name in re.findall(r"`(test_\w+)", (ROOT / "docs" / "papers.md").read_text()):
        assert f"def {name}(" in tests, name


def test_pages_name_files_and_functions_that_exist() -> None:
    """`folder/file.py`, or `folder/file.py: function, Class.method`, below the package or the repository."""
    for page in (ROOT / "docs").glob("*.md"):
        for named, functions in re.findall(r"`([\w/]+/\w+\.py)(?:: ([\w., ]+))?`", page.read_text()):
            paths = [path for path in (ROOT / "sog" / named, ROOT / named) if path.exists()]
            assert paths, f"{page.name} names {named}"
            source = paths[0].read_text()
            for function in filter(None, re.split(r"[., ]+", functions)):
                found = re.search(rf"^ *(def|class) {function}\b|^{function}\b", source, re.MULTILINE)
                assert found, f"{page.name} names {function} of {named}"


def test_modules_name_tests_that_exist() -> None:
    for path in (ROOT / "sog").rglob("*.py"):
        for line in re.findall(r"^Verified: (.*)", path.read_text(), re.MULTILINE):
            for named in re.findall(r"tests/[\w/.]+\.py", line):
                assert (ROOT / named).exists(), f"{path.relative_to(ROOT)} names {named}"


def test_options_of_searches_are_explained() -> None:
    explained = (ROOT / "docs" / "search.md").read_text()
    for option in fields(SearchSettings):
        assert f"`{option.name}`" in explained, option.name


def test_sessions_at_the_terminal_are_as_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the page on playing shows is typed again; percentages may differ, sessions may be cut."""
    sessions = re.findall(
        r"```text\n\$ sog (.*?)\n(.*?)```", (ROOT / "docs" / "playing.md").read_text(), re.DOTALL
    )
    for command, shown in sessions:
        if "--opponent" not in command and "leduc" not in command:
            continue  # a search by the clock
        typed = re.findall(r"^Your move \(\? for help\): (.*)$", shown, re.MULTILINE)
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed) + "\n"))
        assert main(shlex.split(command)) == 0
        written = capsys.readouterr().out
        plain = [re.sub(r"\d+%|[+-][\d.]+ for you", "N", text).strip() for text in (written, shown)]
        assert plain[0].startswith(plain[1])
    assert len(sessions) == 4
