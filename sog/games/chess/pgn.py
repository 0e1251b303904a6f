"""Games as text: portable game notation, out.

Verified: tests/games/chess/test_pgn.py.
"""

import textwrap
from collections.abc import Mapping, Sequence

from sog.games.chess.board import PLY
from sog.games.chess.fen import START, read_fen
from sog.games.chess.notation import read_uci, write_san
from sog.games.chess.play import after

_ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
_WIDTH = 80


def write_pgn(
    tags: Mapping[str, str], moves: Sequence[str], result: str = "*", fen: str = "", comment: str = ""
) -> str:
    """Return a game; moves are UCI's, from a FEN or from the usual start, and a comment says how it ended.

    >>> print(write_pgn({"White": "me"}, ["e2e4", "e7e5"]).splitlines()[-1])
    1. e4 e5 *
    """
    set_up = {"SetUp": "1", "FEN": fen} if fen else {}
    lines = [
        f'[{name} "{_escaped(text)}"]'
        for name, text in (_ROSTER | {"Result": "*"} | dict(tags) | {"Result": result} | set_up).items()
    ]
    position, words = read_fen(fen or START), list[str]()
    for number, name in enumerate(moves):
        ply = int(position[PLY])
        if ply % 2 == 0 or number == 0:
            words.append(f"{ply // 2 + 1}{'...' if ply % 2 else '.'}")
        move = read_uci(position, name)
        words.append(write_san(position, move))
        position = after(position, move)
    if comment:
        words.append("{" + comment.replace("}", ")") + "}")
    text = textwrap.fill(" ".join([*words, result]), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", text]) + "\n"


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
