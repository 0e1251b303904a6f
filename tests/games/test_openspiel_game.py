import importlib
import subprocess
import sys
from collections.abc import Callable, Hashable
from typing import Any

import pytest

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL, PublicStates
from sog.games.openspiel import OpenSpielGame, _Observers
from sog.games.registry import load
from tests.games.sequence_form import solve
from tests.games.walks import histories, sizes

pyspiel = pytest.importorskip("pyspiel")

GOOFSPIEL = "goofspiel(num_cards=4,imp_info={},points_order=ascending,returns_type=point_difference)"


@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("kuhn_poker", PublicStates.OBSERVED),
        ("leduc_poker", PublicStates.OBSERVED),
        (GOOFSPIEL.format(True), PublicStates.OBSERVED),
        (GOOFSPIEL.format(False), PublicStates.OBSERVED),
        ("coordinated_mp", PublicStates.OBSERVED),
        ("tic_tac_toe", PublicStates.OBSERVED),
        ("matrix_rps", PublicStates.OBSERVED),
        ("oshi_zumo(coins=4,size=1)", PublicStates.OBSERVED),
        ("liars_dice(numdice=1,dice_sides=3)", PublicStates.COMMON_KNOWLEDGE),
        ("phantom_ttt", PublicStates.COMMON_KNOWLEDGE),
        ("dark_hex(board_size=2)", PublicStates.COMMON_KNOWLEDGE),
        ("universal_poker", PublicStates.COMMON_KNOWLEDGE),
        ("kriegspiel", PublicStates.COMMON_KNOWLEDGE),
        (f"turn_based_simultaneous_game(game={GOOFSPIEL.format(True)})", PublicStates.COMMON_KNOWLEDGE),
    ],
)
def test_how_public_states_are_found(name: str, view: PublicStates) -> None:
    assert OpenSpielGame(name).public_view is view


@pytest.mark.parametrize(
    ("name", "ours", "scale"),
    [
        ("kuhn_poker", "kuhn", 1.0),
        ("leduc_poker", "leduc", 1.0),
        (GOOFSPIEL.format(True), "goofspiel(cards=4)", 0.5),
        ("matrix_mp", "matrix", 1.0),
    ],
)
def test_sizes_and_values_are_those_of_our_own_games(name: str, ours: str, scale: float) -> None:
    game, twin = OpenSpielGame(name), load(ours)
    assert sizes(game)[:3] == sizes(twin)[:3]
    assert solve(game).value == pytest.approx(scale * solve(twin).value, abs=1e-9)


@pytest.mark.parametrize("name", ["leduc_poker", GOOFSPIEL.format(True), "coordinated_mp"])
def test_observations_tell_what_information_states_tell(name: str) -> None:
    game = OpenSpielGame(name)
    state_of: dict[Hashable, Hashable] = {}
    known_of: dict[Hashable, Hashable] = {}
    for trace in histories(game):
        actor = game.actor(trace.world)
        if actor < 2:
            known = (actor, trace.known[actor])
            state = (actor, trace.world.state.information_state_string(actor))
            assert state_of.setdefault(known, state) == state
            assert known_of.setdefault(state, known) == known


class _FakeObserver:
    """Sees what it is told to see of a state."""

    def __init__(self, see: Callable[[Any, int], object]) -> None:
        self._see = see

    def string_from(self, state: Any, player: int) -> str:
        return str(self._see(state, player))


@pytest.mark.parametrize(
    ("public", "private"),
    [
        (lambda state, _: state.history(), lambda state, _: ""),  # a public that sees the cards
        (lambda state, _: state.history()[2:], lambda state, _: ""),  # players who do not see their own
        (lambda state, _: "", lambda state, player: state.history()[player : player + 1]),  # blind to bets
        (lambda state, _: state.history()[2:], lambda state, _: state.history()[:2]),  # seeing both cards
    ],
)
def test_unsound_observers_are_not_used(
    public: Callable[[Any, int], object],
    private: Callable[[Any, int], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    observers = _Observers(_FakeObserver(public), _FakeObserver(private))
    monkeypatch.setattr("sog.games.openspiel._observers", lambda pyspiel, game: observers)
    assert OpenSpielGame("kuhn_poker").public_view is PublicStates.COMMON_KNOWLEDGE


def test_sound_observers_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    observers = _Observers(
        _FakeObserver(lambda state, _: state.history()[2:]),
        _FakeObserver(lambda state, player: state.history()[player : player + 1]),
    )
    monkeypatch.setattr("sog.games.openspiel._observers", lambda pyspiel, game: observers)
    assert OpenSpielGame("kuhn_poker").public_view is PublicStates.OBSERVED


def test_a_deal_in_secret_stays_secret() -> None:
    game = OpenSpielGame("leduc_poker")
    start = game.initial_world()
    dealt = [(card, game.apply(start, card)) for card, _ in game.chance_outcomes(start)]
    assert len({game.public_observation(start, card, after) for card, after in dealt}) == 1
    assert len({game.private_observation(0, start, card, after) for card, after in dealt}) == 6
    assert {game.private_observation(1, start, card, after) for card, after in dealt} == {None}


def test_the_first_of_two_simultaneous_moves_is_not_seen() -> None:
    for imperfect in (True, False):
        game = OpenSpielGame(GOOFSPIEL.format(imperfect))
        start = game.initial_world()
        first = game.apply(start, 2)
        assert (game.actor(start), game.actor(first)) == (0, 1)
        assert {
            game.public_observation(start, bid, game.apply(start, bid)) for bid in game.legal_actions(start)
        } == {"has moved"}
        assert game.private_observation(1, start, 2, first) is None
        assert game.actor(game.apply(first, 1)) == 0


def test_perfect_information_shows_both_halves_of_a_move() -> None:
    game = OpenSpielGame(GOOFSPIEL.format(False))
    first = game.apply(game.initial_world(), 2)
    seen = game.public_observation(first, 0, game.apply(first, 0))
    assert seen == "[P0]Bid: 3, [P1]Bid: 1"
    assert not game.info.is_perfect_information


def test_information_states_are_the_private_observations() -> None:
    game = OpenSpielGame("phantom_ttt")
    start = game.initial_world()
    after = game.apply(start, 4)
    assert game.public_observation(start, 4, after) is None
    for player in (0, 1):
        state = after.state.information_state_string(player)
        assert game.private_observation(player, start, 4, after) == state


def test_worlds_are_values() -> None:
    game = OpenSpielGame("kuhn_poker")
    start = game.initial_world()
    one, same, other = game.apply(start, 1), game.apply(start, 1), game.apply(start, 2)
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert start.state.history() == []
    assert game.actor(start) == CHANCE
    assert repr(one) == "OpenSpielWorld(history=(1,))"


def test_names_are_openspiels() -> None:
    game = OpenSpielGame("tic_tac_toe")
    assert game.info.name == "openspiel:tic_tac_toe"
    assert game.action_name(game.initial_world(), 4) == "x(1,1)"
    assert game.info.is_perfect_information


def test_a_whole_game_of_phantom_tic_tac_toe() -> None:
    game = OpenSpielGame("phantom_ttt")
    world = game.initial_world()
    actors = []
    for action in (0, 0, 1, 3, 4, 6):  # player 1 tries the taken corner first
        actors.append(game.actor(world))
        world = game.apply(world, action)
    assert actors == [0, 1, 1, 0, 1, 0]
    assert game.actor(world) == TERMINAL
    assert game.returns(world) == (1.0, -1.0)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("tiny_bridge_2p", "openspiel:tiny_bridge_2p is not a zero-sum game"),
        ("matrix_pd", "openspiel:matrix_pd is not a zero-sum game"),
        ("kuhn_poker(players=3)", "openspiel:kuhn_poker(players=3) is a game for 3 players, not 2"),
        ("mfg_crowd_modelling", "openspiel:mfg_crowd_modelling is a mean-field game"),
        ("hanabi", "openspiel:hanabi is not a zero-sum game"),
        (
            "goofspiel(num_cards=0)",
            "openspiel:goofspiel(num_cards=0) is a game with 0 actions, not 1 to 1000000",
        ),
        (
            "hex(board_size=5000)",
            "openspiel:hex(board_size=5000) is a game with 25000000 actions, not 1 to 1000000",
        ),
        ("rbc", "openspiel:rbc has no sound public view: OpenSpiel provides no information states for it"),
        (
            "phantom_ttt_ir",
            "openspiel:phantom_ttt_ir has no sound public view: player 1's information states forget"
            " the player's own moves",
        ),
        ("nope", "OpenSpiel has no game 'nope'"),
        ("", "OpenSpiel has no game ''"),
        ("kuhn_poker(", "OpenSpiel refuses 'kuhn_poker(': Missing closing bracket ')'."),
        (
            "kuhn_poker(x=1)",
            "OpenSpiel refuses 'kuhn_poker(x=1)': Unknown parameter 'x'. Available parameters are: players",
        ),
        (
            "kuhn_poker(players=99)",
            "OpenSpiel refuses 'kuhn_poker(players=99)': num_players_ <= kGameType.max_num_players"
            " num_players_ = 99, kGameType.max_num_players = 10",
        ),
        (
            "liars_dice(numdice=0)",
            "OpenSpiel refuses 'liars_dice(numdice=0)':"
            " num_dice_rolled_[cur_roller_] < num_dice_[cur_roller_]"
            " num_dice_rolled_[cur_roller_] = 0, num_dice_[cur_roller_] = 0",
        ),
    ],
)
def test_refusals(name: str, complaint: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError) as caught:
        load(f"openspiel:{name}")
    assert str(caught.value) == complaint
    assert capfd.readouterr() == ("", "")


def test_openspiel_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, package: str | None = None) -> Any:
        if name == "pyspiel":
            raise ImportError(name)
        return real(name, package)

    real = importlib.import_module
    monkeypatch.setattr("sog.games.openspiel.importlib.import_module", refuse)
    with pytest.raises(InputError, match=r'OpenSpiel is not installed: pip install "sog\[openspiel\]"'):
        OpenSpielGame("kuhn_poker")


def test_openspiel_is_imported_only_when_asked_for() -> None:
    code = (
        "import sys; from sog.games.registry import GAMES, load; [load(name) for name in GAMES];"
        "import sog.games.openspiel; assert 'pyspiel' not in sys.modules and 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
