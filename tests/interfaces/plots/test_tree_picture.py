import re
from pathlib import Path
from xml.etree import ElementTree

import matplotlib.image
import pytest

from sog.games.registry import load
from sog.interfaces.plots.tree_picture import MAX_NODES, draw_tree, payoff_text
from sog.public.enumeration import enumerate_game


def _texts(path: Path) -> list[str]:
    root = ElementTree.parse(path).getroot()
    return ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text")]


def test_svg_says_what_happens(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.svg"
    draw_tree(enumerate_game(load("kuhn")), path)
    texts = _texts(path)
    assert "Public tree of kuhn" in texts
    assert texts.count("deal") == 2
    assert texts.count("pass") == texts.count("bet") == 4
    # Four decisions, and two boxes of the legend; two showdowns for 2, and a fold by each player.
    assert texts.count("3 × 3") == 4 + 2
    assert texts.count("±2") == 2
    assert texts.count("+1") == texts.count("−1") == 1
    assert not any("Dashed" in text for text in texts)


def test_boxes_stay_inside_and_apart(tmp_path: Path) -> None:
    path = tmp_path / "leduc.svg"
    tree = enumerate_game(load("leduc"), 5)
    draw_tree(tree, path)
    text = path.read_text()
    width, height = (float(size) for size in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)[0])
    boxes = [
        (float(x), float(y))
        for x, y in re.findall(r'<g id="patch_\d+">\s*<path d="M ([\d.]+) ([\d.]+) ', text)
    ]
    assert len(boxes) > 2 * tree.layout.num_nodes - 1
    assert all(0 <= x <= width and 0 <= y <= height for x, y in boxes)
    assert any("Dashed" in line for line in _texts(path))


def test_equal_trees_are_equal_files(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        draw_tree(enumerate_game(load("kuhn")), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("name", ["kuhn", "rps", "openspiel:dark_hex(board_size=2)"])
def test_png_shows_something(tmp_path: Path, name: str) -> None:
    path = tmp_path / "tree.png"
    tree = enumerate_game(load(name))
    draw_tree(tree, path)
    pixels = matplotlib.image.imread(path)
    assert pixels.shape[0] >= 150
    assert pixels.shape[1] >= 900
    assert 0.01 < (pixels[..., :3].min(axis=2) < 0.9).mean() < 0.6  # ink, but not everywhere


def test_nothing_public_has_no_words(tmp_path: Path) -> None:
    path = tmp_path / "tree.svg"
    draw_tree(enumerate_game(load("openspiel:dark_hex(board_size=2)")), path)
    assert "None" not in _texts(path)


def test_a_tree_of_the_largest_size_is_drawn(tmp_path: Path) -> None:
    tree = enumerate_game(load("leduc"))
    assert tree.layout.num_nodes <= MAX_NODES
    draw_tree(tree, tmp_path / "leduc.svg")
    assert len(_texts(tmp_path / "leduc.svg")) > 2 * 467 - 1


@pytest.mark.parametrize(
    ("lowest", "highest", "count", "text"),
    [
        (0, 0, 1, "0"),
        (-1, -1, 1, "−1"),
        (-13, 13, 2, "±13"),
        (-13, 13, 3, "−13 … +13"),
        (0, 2.5, 2, "0 … +2.5"),
    ],
)
def test_payoffs_in_few_letters(lowest: float, highest: float, count: int, text: str) -> None:
    assert payoff_text(lowest, highest, count) == text
