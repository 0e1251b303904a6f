from pathlib import Path

from tests.games.test_own_files import COIN, folder
from tests.interfaces.conftest import Sog

__all__ = ["folder"]


def test_a_good_game(sog: Sog, folder: Path) -> None:
    result = sog("check", "coin.py:Coin")
    assert (result.status, result.err) == (0, "")
    assert result.out.splitlines()[0] == "coin.py:Coin keeps its promises (all histories)"
    assert sog("check", "coin.py:Coin", "--json").json["broken"] == []


def test_a_broken_game(sog: Sog, folder: Path) -> None:
    (folder / "coin.py").write_text(COIN.read_text().replace("(0, 0.5)", "(0, 0.7)"))
    result = sog("check", "coin.py:Coin")
    assert result.status == 1
    assert result.out.splitlines()[0] == "coin.py:Coin breaks 1 of its promises (all histories)"
    assert "probabilities that sum to 1, not 1.2 (in the world ())" in result.out
    assert "coin.py:Coin breaks a promise" in sog("solve", "coin.py:Coin").complaint
