import pytest

from sog.agents.table import Play
from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.notation import GameRecord
from sog.games.registry import load
from sog.matches.engine_pool import EnginePool, Setting, open_pool, play_all
from sog.matches.openings import draw_openings
from sog.matches.players import parse_players
from sog.matches.schedule import schedule
from tests.agents.test_engines import fake

TICTACTOE = ("random", "mcts:20", "other=random")


def play(
    game: str, players: tuple[str, ...], rounds: int, concurrency: int, opening: int = 1
) -> list[GameRecord]:
    parsed = parse_players(players)
    openings = draw_openings(load(game), rounds, opening, 0)
    pairings = schedule([player.name for player in parsed], rounds, openings, 0, ())
    setting = Setting(game, tuple(parsed), 1.0)
    return list(play_all(setting, open_pool(setting), pairings, concurrency))


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


def test_pools_close_their_engines() -> None:
    players = tuple(parse_players(("random", f"bad=uci:{fake('crashes')}")))
    pool = EnginePool(Setting("chess", players, 1.0))
    engine = pool.seat("bad")
    assert pool.seat("bad") is engine
    pool.close()
    assert pool.seat("bad") is not engine
    pool.close()


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars_dice(faces=3)", "scotland_yard(rounds=3)"])
def test_games_with_secrets_have_the_same_deals_from_both_seats(name: str) -> None:
    """In a round everybody plays the same deals from both seats; the next round has others."""
    players = ("random", "other=random", "untrained@gtcfr:5,1")
    records = play(name, players, 6, 1, opening=0)
    assert len(records) == 36
    game, dealt = load(name), dict[int, set[tuple[str, ...]]]()
    for record in records:
        names, made = record.moves.split(), Play(game)
        deals = list[str]()
        for word in names:
            if made.turn == CHANCE:
                deals.append(word)
            moves = {game.action_name(made.world, a).replace(" ", "_"): a for a in game.moves(made.world)}
            made.add(moves[word])
        assert made.turn == TERMINAL
        assert record.utility == game.returns(made.world)[0]
        dealt.setdefault(record.round, set()).add(tuple(deals[:2]))
    assert all(len(deals) == 1 for deals in dealt.values())
    if name != "scotland_yard(rounds=3)":  # without chance
        assert len({deals.copy().pop() for deals in dealt.values()}) > 1
