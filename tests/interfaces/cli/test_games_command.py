from sog.games.registry import GAMES, SPOTS, load
from tests.interfaces.conftest import Sog


def test_every_game_is_listed(sog: Sog) -> None:
    result = sog("games")
    assert result.status == 0
    lines = result.out.splitlines()
    assert [line.split()[0] for line in lines[1 : len(GAMES) + 1]] == list(GAMES)
    assert "liars_dice" in result.out
    assert "dice=1 faces=6" in result.out
    assert "openspiel:NAME" in result.out
    for name, entry in SPOTS.items():
        assert any(line.split()[:1] == [name] and entry.summary in line for line in lines)
    assert list(sog("games", "--json").json["spots"]) == list(SPOTS)


def test_json_has_the_facts(sog: Sog) -> None:
    games = {game["name"]: game for game in sog("games", "--json").json["games"]}
    assert list(games) == list(GAMES)
    for name, figures in games.items():
        info = load(name).info
        assert figures["num_actions"] == info.num_actions
        assert figures["max_length"] == info.max_length
        assert figures["max_utility"] == info.max_utility
        assert figures["summary"] == GAMES[name].summary
    assert games["tictactoe"]["information"] == "perfect"
    assert games["leduc"]["information"] == "imperfect"
    assert games["goofspiel"]["parameters"] == {"cards": 5, "order": "ascending", "bids": "hidden"}
