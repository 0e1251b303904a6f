import pytest

from sog.core.errors import InputError
from sog.games.notation import GameRecord
from sog.games.registry import load
from sog.matches.hall import Board, Setting, open_board, play_all
from sog.matches.kinds import open_game
from sog.matches.openings import draw_openings
from sog.matches.players import parse_entrants
from sog.matches.schedule import schedule
from tests.matches.test_engines import fake

TICTACTOE = ("random", "mcts:20", "other=random")


def play(game: str, players: tuple[str, ...], rounds: int, concurrency: int) -> list[GameRecord]:
    entrants = parse_entrants(players)
    openings = draw_openings(open_game(load(game)), rounds, 1, 0)
    pairings = schedule([entrant.name for entrant in entrants], rounds, openings, 0, ())
    setting = Setting(game, tuple(entrants), 1.0)
    return list(play_all(setting, open_board(setting), pairings, concurrency))


def bare(records: list[GameRecord]) -> list[GameRecord]:
    return sorted(record._replace(seconds=(0, 0), finished="") for record in records)


def test_games_at_once_are_the_same_games() -> None:
    alone, together = (play("tictactoe", TICTACTOE, 3, concurrency) for concurrency in (1, 2))
    assert len(alone) == 18
    assert bare(alone) == bare(together)


def test_who_fails_forfeits_and_plays_the_next_game() -> None:
    records = play("chess", ("random", f"bad=uci:{fake('crashes')}?nodes=1"), 2, 1)
    assert [record.forfeit for record in records] == [1, 0, 1, 0]
    assert [record.score for record in records] == [1, 0, 1, 0]
    assert all("segmentation fault" in record.reason for record in records)


@pytest.mark.parametrize("concurrency", [1, 2])
def test_players_who_cannot_begin_are_refused(concurrency: int) -> None:
    with pytest.raises(InputError, match=r"bad: no UCI engine: python.* ended"):
        play("chess", ("random", f"bad=uci:{fake('dies-at-once')}"), 2, concurrency)


def test_boards_close_their_engines() -> None:
    entrants = tuple(parse_entrants(("random", f"bad=uci:{fake('crashes')}")))
    board = Board(Setting("chess", entrants, 1.0))
    engine = board.seat("bad")
    assert board.seat("bad") is engine
    board.close()
    assert board.seat("bad") is not engine
    board.close()
