import pytest

from sog.core.errors import InputError
from sog.games.registry import GAMES, factory_of, load


@pytest.mark.parametrize("name", GAMES)
def test_every_game_loads_by_its_bare_name(name: str) -> None:
    game = load(name)
    assert game.info.name == name or game.info.name.startswith(f"{name}(")
    assert callable(factory_of(name))
    assert GAMES[name].summary


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" kuhn ", "kuhn"),
        ("kuhn()", "kuhn"),
        ("liars_dice(faces=4)", "liars_dice(dice=1,faces=4)"),
        ("liars_dice( faces = 4 , dice=2 )", "liars_dice(dice=2,faces=4)"),
        ("goofspiel(cards=4,bids='shown')", "goofspiel(cards=4,order=ascending,bids=shown)"),
        ("matrix(payoffs=[[1,2],[3,4.5]])", "matrix(payoffs=[[1,2],[3,4.5]])"),
        ("matrix(payoffs=((1,-2),(3,4)))", "matrix(payoffs=[[1,-2],[3,4]])"),
        ("scotland_yard(reveals=(2,))", "scotland_yard(map=glasses,reveals=[2])"),
    ],
)
def test_parameters_are_read(text: str, name: str) -> None:
    assert load(text).info.name == name


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("poker", "unknown game 'poker': choose from kuhn, "),
        ("leduk", "unknown game 'leduk': did you mean leduc?"),
        ("Tic_Tac_Toe", "unknown game 'Tic_Tac_Toe': did you mean tictactoe?"),
        ("holdem", "holdem is played in spots: only sog solve, compare and show-strategy know them"),
        ("teh(seed=1)", "teh is played in spots"),
        ("kuhn(cards=3)", "kuhn has no parameter 'cards'"),
        ("liars_dice(dise=1)", "liars_dice has no parameter 'dise'"),
        ("liars_dice(dice=x)", "liars_dice: dice must be a whole number from 1 to 5, not 'x'"),
        ("liars_dice(dice=-1)", "liars_dice: dice must be a whole number from 1 to 5, not -1"),
        ("liars_dice(faces=True)", "liars_dice: faces must be a whole number from 2 to 9, not True"),
        ("goofspiel(order=up)", "goofspiel: order must be one of"),
        ("matrix(payoffs=3)", "matrix: payoffs must be a list of rows"),
        ("matrix(payoffs=[[1e999]])", "matrix: payoffs must be finite numbers, not inf"),
        ("scotland_yard(map=paris)", "scotland_yard: map must be one of"),
        ("openspiel:nope", "OpenSpiel has no game 'nope'"),
    ],
)
def test_bad_input_is_named(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        load(text)
    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "   ", "(", ")", "kuhn)", "kuhn(", "kuhn((", "1", "'kuhn'", "kuhn;leduc", "kuhn leduc", "∞"),
        *(
            "liars_dice(1)",
            "liars_dice(dice)",
            "liars_dice(dice=1,dice=2)",
            "liars_dice(**{})",
            "a.b",
            "a[0]",
        ),
        *("liars_dice(dice=__import__('os'))", "liars_dice(dice=1+1j*2)", "matrix(payoffs=[[inf]])", "\0"),
        "matrix(payoffs=" + "[" * 500 + "]" * 500 + ")",
    ],
)
def test_junk_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        load(text)
