"""Other pawns and tickets than the map's own."""

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.games.scotland_yard.game import ScotlandYard
from sog.games.scotland_yard.successors import expand_records

CUSTOM = (
    "scotland_yard(map=london,starts=[34,117],rounds=3,reveals=[],hider_starts=[103],"
    "hider_tickets=[4,3,3,0],doubles=0)"
)


def test_names_load_what_they_name() -> None:
    others = "scotland_yard(map=london,detectives=2)", "scotland_yard(map=glasses,tickets=[3,0,0])"
    for name in (CUSTOM, *others):
        assert load(name).info.name == name
    game = load("scotland_yard(map=london,starts=[34,117,5],detectives=2)")
    assert game.info.name == "scotland_yard(map=london,starts=[34,117])"


def test_detectives_may_have_lines_that_mr_x_has_no_ticket_for() -> None:
    game = ScotlandYard("london", starts=[67], hider_starts=[103], hider_tickets=[2, 0, 0, 0], doubles=0)
    world = game.apply(game.initial_world(), game.legal_actions(game.initial_world())[0])
    names = [game.action_name(world, action) for action in game.legal_actions(world)]
    assert any(name.startswith("underground") for name in names)


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ("map=paris", "map must be"),
        ("starts=[0,2]", "each of starts must be"),
        ("starts=[1,1]", "starts must be 1 to 2 different stations"),
        ("starts=[1,2,3]", "starts must be 1 to 2 different stations"),
        ("starts=[]", "starts must be 1 to 2 different stations"),
        ("starts=7", "starts must be a list of stations"),
        ("starts=[1],detectives=2", "detectives must be"),
        ("starts=[6]", "detectives may take every start of Mr. X"),
        ("hider_starts=[1,11]", "detectives may take every start of Mr. X"),
        ("hider_starts=[12]", "each of hider_starts must be"),
        ("map=london,hider_starts=[13,26,29,34,50]", "detectives may take every start of Mr. X"),
        ("tickets=[-1,0,0]", "each of tickets must be"),
        ("tickets=[1,2]", "tickets must be 3 numbers (taxi, bus, underground), not 2"),
        ("hider_tickets=[0,0,0,0]", "hider_tickets must have a ticket"),
        ("doubles=-1", "doubles must be"),
        ("detectives=6", "detectives must be"),
    ],
)
def test_what_cannot_be_played_is_refused(parameters: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        load(f"scotland_yard({parameters})")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_small_london_has_as_many_public_states_as_counted_before() -> None:
    game = ScotlandYard("london_small")
    view = game.own_view()
    assert view is not None
    records, states, decisions = view.roots(np.random.default_rng()), 0, 0
    while len(records):
        states += len(records)
        records = records[records["turn"] >= 0]
        decisions += len(records)
        parts = [expand_records(game.tables, records[at : at + 4096]) for at in range(0, len(records), 4096)]
        records = np.concatenate([records[:0], *(part.states[: int(part.filled[0])] for part in parts)])
    assert (states, decisions) == (225_745, 32_277)
