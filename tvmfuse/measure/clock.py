"""The clock that times are read from."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Clock:
    """A monotonic clock in nanoseconds, and its finest step."""

    now: Callable[[], int]
    resolution_ns: int


def system_clock() -> Clock:
    """Return `time.perf_counter_ns` with the step that it really makes on this machine."""
    steps = [-time.perf_counter_ns() + time.perf_counter_ns() for _ in range(1_000)]
    return Clock(time.perf_counter_ns, max(1, int(np.median([s for s in steps if s] or [1]))))
