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
    return _clock(time.perf_counter_ns)


def thread_clock() -> Clock:
    """Return `time.thread_time_ns`: only while the calling thread has a core does it go on."""
    return _clock(time.thread_time_ns)


def _clock(now: Callable[[], int]) -> Clock:
    steps = [-now() + now() for _ in range(1_000)]
    return Clock(now, max(1, int(np.median([s for s in steps if s] or [1]))))
