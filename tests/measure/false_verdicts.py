"""Noise that remembers, and how often two variants that take the same time get a verdict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmfuse.measure.interleave import Samples, balanced_orders
from tvmfuse.measure.many import corrected
from tvmfuse.measure.statistics import CONFIDENCE, paired_ratio

Floats = npt.NDArray[np.float64]
Noise = Callable[[np.random.Generator, int], Floats]
"""Makes the logarithms of so many times that follow each other."""


def remembering(rho: float, spread: float = 0.05) -> Noise:
    """Return noise of which each value is `rho` of the one before, and something new: AR(1)."""

    def noise(rng: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
        values = rng.normal(0, spread, count)
        for place in range(1, count):
            values[place] = rho * values[place - 1] + values[place] * np.sqrt(1 - rho**2)
        return values

    return noise


def drifting(rng: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
    """A frequency that goes down all the time."""
    times: Floats = np.linspace(0, 0.5, count) + rng.normal(0, 0.01, count)
    return times


def in_bursts(rng: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
    """A neighbour that comes and goes, and doubles the times while it is there."""
    turns = rng.random(count) < 0.03
    times: Floats = np.log(2) * (np.cumsum(turns) % 2) + rng.lognormal(-4, 1, count)
    return times


def with_the_round(rng: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
    """A clock that beats as fast as rounds do, with a phase of its own."""
    beat = 0.2 * np.sin(np.pi * np.arange(count) + rng.uniform(0, np.pi))
    times: Floats = beat + rng.normal(0, 0.02, count)
    return times


NOISES: Final[dict[str, Noise]] = {
    "white": remembering(0.0),
    "half remembered": remembering(0.5),
    "long remembered": remembering(0.99),
    "drift": drifting,
    "bursts": in_bursts,
    "beat of the rounds": with_the_round,
}


def false_verdicts(noise: Noise, measurements: int, *, rounds: int, variants: int = 2) -> int:
    """Count the measurements of equal variants in which at least one gets a verdict."""
    return sum(
        _claims(noise, np.random.default_rng(seed), seed, rounds, variants)
        for seed in range(measurements)
    )


def _claims(noise: Noise, rng: np.random.Generator, seed: int, rounds: int, variants: int) -> bool:
    orders = balanced_orders(variants, seed)
    times = np.exp(noise(rng, rounds * variants)).reshape(rounds, variants)
    table = np.empty_like(times)
    for place, order in zip(range(rounds), orders, strict=False):
        table[place, order] = times[place]
    samples = Samples(table, (1,) * variants, warm=True, interrupted=False)
    confidence = corrected(CONFIDENCE, variants - 1)
    return any(
        paired_ratio(samples.ratios(one, 0), confidence=confidence, seed=seed).effect
        for one in range(1, variants)
    )
