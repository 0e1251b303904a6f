from collections import Counter
from random import Random

import pytest

from sog.games.base import CHANCE, TERMINAL, AnyGame, PublicStates
from sog.games.registry import load
from sog.interfaces.opponents import PolicyOpponent, UniformOpponent
from sog.solvers.solver import Solver


def _solver(game: AnyGame) -> Solver:
    solver = Solver(game, "cfr+")
    solver.run(iterations=20)
    return solver


class _Sight:
    """What one player sees, put together as the tree names its infostates."""

    def __init__(self, game: AnyGame, player: int) -> None:
        self.game, self.player = game, player
        self.private: list[str] = []
        self.public: list[str] = []

    def note(self, before: object, actor: int, action: int, after: object) -> None:
        private = self.game.private_observation(self.player, before, action, after)
        if self.game.public_view is PublicStates.COMMON_KNOWLEDGE:
            self.private = [str(private)]
            return
        public = str(self.game.public_observation(before, action, after))
        name = self.game.action_name(before, action)
        if private is not None:
            self.private.append(str(private))
        if actor == self.player and name != public:
            self.private.append(name)
        self.public.append(public)

    def name(self) -> str:
        if self.game.public_view is PublicStates.COMMON_KNOWLEDGE:
            return self.private[0] if self.private else "None"
        return " ".join(self.private) + " | " + " ".join(self.public)


@pytest.mark.parametrize(
    "name", ["leduc", "goofspiel(cards=4)", "liars_dice(faces=3)", "openspiel:dark_hex(board_size=2)"]
)
def test_plays_what_its_infostate_plays(name: str) -> None:
    game = load(name)
    solver = _solver(game)
    table = {(choice.player, choice.infostate): choice for choice in solver.table()}
    random = Random(1)
    for _ in range(100):
        opponent = PolicyOpponent(solver.whole, solver.policy())
        sights = _Sight(game, 0), _Sight(game, 1)
        world = game.initial_world()
        while (actor := game.actor(world)) != TERMINAL:
            if actor == CHANCE:
                actions = [outcome for outcome, _ in game.chance_outcomes(world)]
            else:
                actions = list(game.legal_actions(world))
                choice = table[actor, sights[actor].name()]
                assert opponent.probabilities().tolist() == choice.probabilities
                assert [game.action_name(world, action) for action in actions] == choice.actions
            move = random.randrange(len(actions))
            after = game.apply(world, actions[move])
            for sight in sights:
                sight.note(world, actor, actions[move], after)
            opponent.note(move)
            world = after


def test_follows_merged_infostates() -> None:
    game = load("scotland_yard(rounds=3)")
    solver = _solver(game)
    random = Random(2)
    for _ in range(50):
        opponent = PolicyOpponent(solver.whole, solver.policy())
        world = game.initial_world()
        while game.actor(world) != TERMINAL:
            actions = game.legal_actions(world)
            probabilities = opponent.probabilities()
            assert probabilities.size == len(actions)
            assert probabilities.sum() == pytest.approx(1)
            move = opponent.choose(len(actions), random)
            opponent.note(move)
            world = game.apply(world, actions[move])


def test_choices_follow_the_probabilities() -> None:
    game = load("rps")
    solver = Solver(game)
    solver.run(iterations=2000)
    random = Random(3)
    opponent = PolicyOpponent(solver.whole, solver.policy())
    counts = Counter(opponent.choose(3, random) for _ in range(5000))
    assert [counts[move] / 5000 for move in range(3)] == pytest.approx([0.4, 0.4, 0.2], abs=0.03)


def test_uniform_plays_everything() -> None:
    random = Random(4)
    assert {UniformOpponent().choose(5, random) for _ in range(200)} == set(range(5))
