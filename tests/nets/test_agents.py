import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from sog.core.errors import InputError
from sog.games.registry import SPOTS, load
from sog.nets import agents
from sog.nets.agents import (
    Agent,
    find_snapshots,
    load_agent,
    make_network_evaluator,
    save_agent,
    shipped_agents,
    snapshot_path,
)
from sog.nets.cvpn import make_network
from sog.nets.spec import NetworkSpec, sizes_of
from sog.poker.teh_agent import network_of_agent
from sog.public.opening import encoding_of, open_store
from sog.search.gtcfr import Searcher
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings
from sog.solvers.solver import Solver

SMALL = NetworkSpec(layers=2, width=8, normalises=True)


def untrained(game: str, spec: NetworkSpec = SMALL, steps: int = 7) -> Agent:
    """Return an agent whose every weight is random, its heads' too."""
    network = make_network(spec, sizes_of(encoding_of(load(game))), seed=1)
    generator = torch.Generator().manual_seed(2)
    weights = {
        name: torch.randn(weight.shape, generator=generator) / 4
        for name, weight in network.state_dict().items()
    }
    return Agent(game, spec, weights, steps)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "agent.npz"
    save_agent(path, untrained("kuhn"))
    return path


def _rewrite(path: Path, **changes: Any) -> None:
    """Change what a file says of itself."""
    with np.load(path) as file:
        content = dict(file)
    content["meta"] = np.array(json.dumps({**json.loads(str(content["meta"])), **changes}))
    np.savez(path, **content)


def test_round_trip(saved: Path) -> None:
    agent, original = load_agent(str(saved)), untrained("kuhn")
    assert (agent.game, agent.spec, agent.steps) == ("kuhn", SMALL, 7)
    assert agent.weights.keys() == original.weights.keys()
    for name, weight in original.weights.items():
        np.testing.assert_array_equal(agent.weights[name], weight.numpy())
    assert [path.name for path in saved.parent.iterdir()] == ["agent.npz"]


def test_the_loaded_network_answers_as_the_one_that_was_saved(saved: Path) -> None:
    game = load("kuhn")
    store = open_store(game)
    task = first_task(store, store.children(0)[0])
    first, second = (
        Searcher(store, make_network_evaluator(agent, game), SearchSettings(10)).search(task, seed=1)
        for agent in (untrained("kuhn"), load_agent(str(saved)))
    )
    assert np.abs(first.values[0]).max() > 0
    np.testing.assert_array_equal(first.values[0], second.values[0])
    np.testing.assert_array_equal(first.policy, second.policy)


@pytest.mark.parametrize("game", ["leduc", "scotland_yard(map=glasses)"])
def test_files_of_usual_networks_are_small(tmp_path: Path, game: str) -> None:
    save_agent(tmp_path / "agent.npz", untrained(game, NetworkSpec(layers=3, width=128)))
    assert (tmp_path / "agent.npz").stat().st_size < 2_000_000


def test_residual_networks_come_back_too(tmp_path: Path) -> None:
    spec = NetworkSpec(kind="resnet", layers=1, width=4)
    save_agent(tmp_path / "agent.npz", untrained("tictactoe", spec))
    make_network_evaluator(load_agent(str(tmp_path)), load("tictactoe"))


def test_a_run_directory_stands_for_its_agent(saved: Path) -> None:
    assert load_agent(str(saved.parent)).steps == 7


def test_shipped_agents_go_by_name(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "SHIPPED", saved.parent)
    saved.rename(saved.with_name("kuhn.npz"))
    assert shipped_agents() == ["kuhn"]
    assert load_agent("kuhn").game == "kuhn"
    with pytest.raises(InputError, match=r"neither a file .* \(shipped: kuhn\)"):
        load_agent("leduc")


def test_shipped_files_are_good() -> None:
    for name in shipped_agents():
        agent = load_agent(name)
        if agent.game in SPOTS:
            network_of_agent(agent)
        else:
            make_network_evaluator(agent, load(agent.game))


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    for text in ("nothing", "", "x" * 5000, "a\0b", str(tmp_path / "missing.npz")):
        with pytest.raises(InputError, match=r"is neither|has no agent\.npz"):
            load_agent(text)
    with pytest.raises(InputError, match=r"has no agent\.npz: it is not the directory"):
        load_agent(str(tmp_path))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_truncated_files_are_refused(saved: Path, share: float) -> None:
    content = saved.read_bytes()
    saved.write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError, match=r"damaged|cannot read"):
        load_agent(str(saved))


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("not an agent")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    np.save(tmp_path / "array.npy", np.zeros(3))
    for name in ("text.npz", "other.npz", "array.npy"):
        with pytest.raises(InputError, match=name):
            load_agent(str(tmp_path / name))
    solver = Solver(load("kuhn"), "dcfr")
    solver.run(iterations=1)
    solver.save(tmp_path / "solution.npz")
    with pytest.raises(InputError, match="is a solution of sog solve"):
        load_agent(str(tmp_path / "solution.npz"))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 1}, "has format 1, this program reads format 2"),
        ({"game": 3}, "does not say its game"),
        ({"steps": -1}, "for -1 steps"),
        ({"steps": True}, "does not say its steps"),
        ({"network": {"kind": "mlp"}}, "its network has not exactly kind, layers"),
        (
            {"network": {"kind": "cnn", "layers": 2, "width": 8, "activation": "relu", "normalises": True}},
            "kind must be one of mlp, resnet",
        ),
    ],
)
def test_wrong_descriptions_are_refused(saved: Path, changes: dict[str, Any], message: str) -> None:
    _rewrite(saved, **changes)
    with pytest.raises(InputError, match=message):
        load_agent(str(saved))


def test_weights_that_are_no_numbers_are_refused(saved: Path) -> None:
    agent = untrained("kuhn")
    agent.weights["value.bias"][0] = torch.nan
    save_agent(saved, agent)
    with pytest.raises(InputError, match=r"weights value\.bias are not all numbers"):
        load_agent(str(saved))


def test_networks_of_other_sizes_are_refused(saved: Path) -> None:
    with pytest.raises(InputError, match="other sizes than leduc asks for"):
        make_network_evaluator(load_agent(str(saved)), load("leduc"))
    agent = untrained("kuhn")
    del agent.weights["value.bias"]
    with pytest.raises(InputError, match="other sizes"):
        make_network_evaluator(agent, load("kuhn"))


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        save_agent(tmp_path / "missing" / "agent.npz", untrained("kuhn"))


def test_snapshots_are_listed_by_steps(saved: Path) -> None:
    run = saved.parent
    with pytest.raises(InputError, match="has no agents of training on the way"):
        find_snapshots(run)
    (run / "agents").mkdir()
    (run / "agents" / ".step-00000005.npz.1.part").touch()
    with pytest.raises(InputError, match="has no file step-"):
        find_snapshots(run)
    paths = [snapshot_path(run, steps) for steps in (0, 9, 10, 99_999_999, 100_000_000)]
    for path in reversed(paths):
        path.touch()
    assert find_snapshots(run) == paths


def test_reading_needs_no_torch(saved: Path) -> None:
    program = (
        "import sys; from sog.nets.agents import load_agent;"
        " load_agent(sys.argv[1]); print('torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(saved)], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout.strip() == "False"


def test_an_agent_of_rebel_says_how_it_plays(saved: Path) -> None:
    assert load_agent(str(saved)).rebel is None
    save_agent(saved, untrained("kuhn")._replace(rebel={"depth": 1}))
    assert load_agent(str(saved)).rebel == {"depth": 1}
    _rewrite(saved, rebel=3)
    with pytest.raises(InputError, match="how it plays ReBeL"):
        load_agent(str(saved))
