"""`sog play --picture`: the game as a picture, drawn anew after each move, or as a picture for every move.

Verified: tests/interfaces/plots/test_play_pictures.py.
"""

from pathlib import Path

from sog.core.errors import InputError
from sog.games.base import TERMINAL, AnyGame
from sog.games.picture import History
from sog.interfaces.output import check_folder, check_output, shorten
from sog.interfaces.plots.drawing_file import write_drawing

_SUFFIXES = (".svg", ".png")
_STAR = "*"  # stands for the number of a move


class PictureFiles:
    """Where pictures of a game go.

    >>> from sog.games.registry import load
    >>> PictureFiles(load("scotland_yard"), Path("moves")).path_of(7).name
    '007.svg'
    """

    def __init__(self, game: AnyGame, path: Path, is_replay: bool = False) -> None:
        """path: a file, DIR/*.png for a picture of every move, or a folder for DIR/*.svg.

        A file is drawn when the person is to move, and in a replay after every move. A game that does not
        draw itself is refused, and so is what could not be written.
        """
        if game.draw_picture(History((game.initial_world(),), ()), 0) is None:
            raise InputError(f"--picture: {game.info.name} has no pictures, only what is shown as you play")
        self._game, self._is_replay = game, is_replay
        is_folder = path.is_dir() or not path.suffix
        self._pattern = path / f"{_STAR}.svg" if is_folder and _STAR not in path.name else path
        if self._pattern.suffix.lower() not in _SUFFIXES:
            raise InputError(f"--picture: {shorten(str(path), 80)!r} must end in {' or '.join(_SUFFIXES)}")
        if self.is_series:
            check_folder("--picture", self._pattern.parent)
        else:
            check_output("--picture", self._pattern, _SUFFIXES)

    @property
    def is_series(self) -> bool:
        """Whether every move has a picture of its own."""
        return _STAR in self._pattern.name

    def path_of(self, number: int) -> Path:
        """Return the file of the picture after so many moves."""
        return self._pattern.with_name(self._pattern.name.replace(_STAR, f"{number:03}"))

    def keep(self, history: History, seat: int) -> None:
        """Draw how the game stands for a seat."""
        is_due = self._game.actor(history.world) in (seat, TERMINAL)
        if is_due or self.is_series or self._is_replay:
            drawing = self._game.draw_picture(history, seat)
            assert drawing is not None
            path = self.path_of(len(history.actions))
            if self.is_series:
                _make_folder(path.parent)
            write_drawing(drawing, path)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--picture: cannot make {path}: {error.strerror or error}") from None
