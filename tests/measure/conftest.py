"""A clock that moves only when a variant runs."""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from quiet import is_quiet

from tvmfuse.measure.clock import Clock


@dataclasses.dataclass
class FakeMachine:
    """Arms that take the time they are told to, on a machine that drifts, jitters and stalls."""

    seed: int = 0
    drift_per_s: float = 0.0
    jitter: float = 0.0
    stalls: float = 0.0
    resolution_ns: int = 1
    ns: float = 0.0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.ran: list[str] = []
        self.clock = Clock(lambda: int(self.ns), self.resolution_ns)

    def variant(self, name: str, milliseconds: float, outputs: Any = None) -> Any:
        def run() -> Any:
            self.ran.append(name)
            slow = (1 + self.drift_per_s * self.ns / 1e9) * self.rng.lognormal(0, self.jitter)
            if self.rng.random() < self.stalls:
                slow *= 1 + self.rng.exponential(5)
            self.ns += milliseconds * 1e6 * slow
            return outputs or {}

        return run


@pytest.fixture
def machine() -> Any:
    """Make machines with these faults."""
    return FakeMachine


@pytest.fixture(autouse=True)
def young_heap() -> Iterator[Any]:
    """Each measurement collects garbage first: let it not walk through all of pytest."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True, scope="module")
def quiet_machine() -> Iterator[None]:
    """Verdicts are given though this machine may be busy; tests of the watch have their own."""
    with pytest.MonkeyPatch.context() as patch:
        is_quiet(patch)
        yield
