"""Examples in the documentation: under `<!-- from FILE -->` a page shows that file, without its docstring.

`python -m tests.shown_examples --write` writes them anew; the tests fail where a page shows something else.
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"(<!-- from (\S+) -->\n```python\n)(.*?)(```)", re.DOTALL)


def shown(path: Path) -> str:
    """Return what a page shows of a program: everything but its docstring."""
    text = path.read_text("utf-8")
    first = ast.parse(text).body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    lines = text.splitlines(keepends=True)
    return "".join(lines[first.end_lineno if is_docstring else 0 :]).strip("\n") + "\n"


def written(page: Path) -> str:
    """Return a page with every example as its file has it."""
    return BLOCK.sub(lambda found: f"{found[1]}{shown(ROOT / found[2])}{found[4]}", page.read_text("utf-8"))


def main() -> None:
    """Write all pages anew."""
    for page in PAGES:
        page.write_text(written(page), "utf-8")


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    main()
