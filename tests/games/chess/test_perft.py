"""Exact counts of plays; the positions and their numbers are the chess programming wiki's."""

import pytest

from sog.games.chess.fen import read_fen
from tests.games.chess.oracle import (
    KIWIPETE,
    POSITION_3,
    POSITION_4,
    POSITION_4_TURNED,
    POSITION_5,
    POSITION_6,
    START,
)
from tests.games.chess.perft import perft

COUNTS = {
    START: (20, 400, 8_902, 197_281, 4_865_609, 119_060_324),
    KIWIPETE: (48, 2_039, 97_862, 4_085_603, 193_690_690, 8_031_647_685),
    POSITION_3: (14, 191, 2_812, 43_238, 674_624, 11_030_083),
    POSITION_4: (6, 264, 9_467, 422_333, 15_833_292, 706_045_033),
    POSITION_4_TURNED: (6, 264, 9_467, 422_333, 15_833_292, 706_045_033),
    POSITION_5: (44, 1_486, 62_379, 2_103_487, 89_941_194),
    POSITION_6: (46, 2_079, 89_890, 3_894_594, 164_075_551, 6_923_051_137),
}


@pytest.mark.parametrize("fen", COUNTS)
def test_plays_to_depth_5_are_counted(fen: str) -> None:
    position = read_fen(fen)
    assert tuple(perft(position, depth) for depth in range(1, 6)) == COUNTS[fen][:5]


@pytest.mark.parametrize("fen", COUNTS)
def test_every_last_position_is_made(fen: str) -> None:
    assert perft(read_fen(fen), 4, is_bulk=False) == COUNTS[fen][3]


@pytest.mark.slow
@pytest.mark.parametrize("fen", [fen for fen in COUNTS if len(COUNTS[fen]) > 5])
def test_plays_of_depth_6_are_counted(fen: str) -> None:
    assert perft(read_fen(fen), 6) == COUNTS[fen][5]


def test_no_half_move_is_one_play() -> None:
    assert perft(read_fen(START), 0) == 1
