"""Seeds: every random choice draws from a generator that was handed in."""

import numpy as np
import numpy.typing as npt

from sog.core.jit import inlined

RngState = npt.NDArray[np.uint64]  # [1], advanced in place by kernels

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def make_rng(seed: int | None) -> np.random.Generator:
    """Return a generator for Python code; the same seed gives the same stream on every machine.

    >>> int(make_rng(7).integers(1000)) == int(make_rng(7).integers(1000))
    True
    """
    return np.random.Generator(np.random.PCG64(seed))


def make_rng_state(seed: int) -> RngState:
    """Return the state that kernels draw from."""
    return np.array([seed], np.uint64)


@inlined
def next_uniform(state: RngState) -> float:
    """Return a number in [0, 1) and advance the state in place (SplitMix64, Steele et al. 2014)."""
    state[0] += _STEP
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * _FACTORS[0]
    z = (z ^ (z >> np.uint64(27))) * _FACTORS[1]
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * (1.0 / (1 << 53))


def draw_uniforms(seeds: RngState, ordinals: RngState) -> npt.NDArray[np.float64]:
    """Return for each seed the number in [0, 1) that `next_uniform` would return after `ordinals` others.

    >>> draw_uniforms(np.array([7], np.uint64), np.zeros(1, np.uint64)).round(6).tolist()
    [0.38983]
    """
    z = seeds + _STEP * (ordinals + np.uint64(1))
    z = (z ^ (z >> np.uint64(30))) * _FACTORS[0]
    z = (z ^ (z >> np.uint64(27))) * _FACTORS[1]
    z = z ^ (z >> np.uint64(31))
    uniforms: npt.NDArray[np.float64] = (z >> np.uint64(11)).astype(np.float64) * (1.0 / (1 << 53))
    return uniforms
