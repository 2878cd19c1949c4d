"""One run, timed kernel by kernel."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from tvmfuse.manifest import Kernel
from tvmfuse.runtime.hooks import Timed


@dataclass(frozen=True)
class TimedRun:
    """One run, timed kernel by kernel.

    Attributes:
        milliseconds: What the whole took.
        launches: Each kernel that ran, in order; the milliseconds after which it began, and those
            that it took.
        begin_ns: When it began, as `time.perf_counter_ns` has it; 0 of a model in parts.
    """

    milliseconds: float
    launches: Sequence[tuple[Kernel, float, float]]
    begin_ns: int = 0


def timed_run(kernels: Sequence[Kernel], seen: Timed) -> TimedRun:
    """Return a run with its launches named: of several calls of one function, each by its own.

    Args:
        kernels: The model's, in order.
        seen: What it launched.
    """
    calls = {kernel.symbol: deque[Kernel]() for kernel in kernels}
    for kernel in kernels:
        calls[kernel.symbol].append(kernel)
    launches = [
        (_next(calls[launch.symbol]), launch.begin, launch.milliseconds)
        for launch in seen.launches
        if launch.symbol in calls
    ]
    return TimedRun(seen.milliseconds, launches, seen.begin_ns)


def _next(calls: deque[Kernel]) -> Kernel:
    """Take the next one of a kernel's calls; the last one stays."""
    return calls.popleft() if len(calls) > 1 else calls[0]
