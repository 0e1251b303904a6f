"""What the documentation shows is true: examples run, links lead somewhere."""

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
from sog.interfaces.cli import main
from sog.search.settings import SearchSettings

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = [
    module.name for module in pkgutil.walk_packages(sog.__path__, "sog.") if "__main__" not in module.name
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples_run(page: Path) -> None:
    for example in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        exec(compile(example, str(page), "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_papers_name_tests_that_exist() -> None:
    tests = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    for name in re.findall(r"`(test_\w+)", (ROOT / "docs" / "papers.md").read_text()):
        assert f"def {name}(" in tests, name


def test_pages_name_files_and_functions_that_exist() -> None:
    """`folder/file.py`, or `folder/file.py: function, Class.method`, below the package or the repository."""
    for page in (
        ROOT / "docs" / "papers.md",
        ROOT / "docs" / "training.md",
        ROOT / "docs" / "architecture.md",
    ):
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
