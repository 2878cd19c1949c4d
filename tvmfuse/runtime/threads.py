"""Which threads compute a kernel.

Those of a pool, which every thread that calls a model shares: there is one pool for each number of
threads. The thread that calls computes, too. Before a call, it says which pool it is; that takes a
fraction of a microsecond, and only where its last call said another.

A child of `os.fork` has none of the workers: it makes pools of its own.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import numpy as np

from tvmfuse.errors import ConfigurationError
from tvmfuse.runtime.forking import STEPS
from tvmfuse.runtime.launcher import current
from tvmfuse.target.host_cpu import usable_cores

_calling: Final = threading.local()
_NOTING: Final = threading.Lock()
_pools: Final[dict[tuple[int, bool, str], int]] = {}


def check_threads(num_threads: object) -> None:
    """Refuse what is no number of threads.

    Raises:
        ConfigurationError: It is neither None nor an integer of 1 or more.
    """
    if num_threads is None:
        return
    if not isinstance(num_threads, int | np.integer) or num_threads < 1:
        raise ConfigurationError(f"num_threads: expected 1 or more, found {num_threads!r}")


class Workers:
    """The threads that one model computes on.

    Args:
        num_threads: How many are asked for; by default one for each physical core.
        spin: Whether those that wait may do so actively, where the cores are quiet.

    Attributes:
        threads: How many compute, the calling one included.
    """

    def __init__(self, num_threads: int | None, *, spin: bool) -> None:
        # A thread more than there are CPUs would only take turns with the others.
        self.threads = min(num_threads or usable_cores(), len(os.sched_getaffinity(0)))
        self._wanted = self.threads, spin

    def use(self) -> None:
        """Let kernels that this thread calls compute on them."""
        if getattr(_calling, "pool", None) != self._wanted:
            current().use(_pool(self.threads, spin=self._wanted[1]))
            _calling.pool = self._wanted


class _Any:
    """A pool that is whatever a model wants, so that its calls choose none."""

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


@contextmanager
def noting(pieces: int, capacity: int) -> Iterator[Callable[[], Sequence[int]]]:
    """Let this thread compute all loops of kernels alone, and note the times of their pieces.

    Args:
        pieces: Into how many a loop is cut, where its kernel does not say so.
        capacity: How many numbers there is room for.

    Yields:
        What ends that and returns for each loop in order: how many pieces it has, when it began and
        when each of them ended, in nanoseconds of `time.perf_counter_ns`.

    Raises:
        ConfigurationError: There was not room enough; raised by what is yielded.
    """
    launcher = current()
    record, recorded = launcher.recorder()
    with _NOTING:  # There is one pool for it.
        pool, numbers = _pool(1, spin=False, use="noting"), (ctypes.c_int64 * capacity)()

        def end() -> Sequence[int]:
            left = recorded(pool)
            if left < 0:
                raise ConfigurationError(
                    f"the run has more parallel loops and pieces than {capacity} numbers tell"
                )
            return numbers[: capacity - left]

        try:
            record(pool, ctypes.addressof(numbers), capacity, pieces)
            launcher.use(pool)
            _calling.pool = _Any()
            yield end
        finally:
            recorded(pool)
            _calling.pool = None


def _pool(threads: int, *, spin: bool, use: str = "") -> int:
    with STEPS:
        if (threads, spin, use) not in _pools:
            _pools[threads, spin, use] = current().make_pool(threads, spin=spin)
        return _pools[threads, spin, use]


def _forget() -> None:
    _pools.clear()
    _calling.__dict__.clear()


os.register_at_fork(after_in_child=_forget)
