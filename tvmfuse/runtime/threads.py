"""Which threads compute a kernel.

TVM keeps one pool of worker threads for each thread that calls it, made at that thread's first
parallel kernel, whose size is fixed then. By default it halves the number of CPUs, and ties the
calling thread itself to the first ones. So the pool is set up here, before the first kernel, with
a size of ours and free to move; and a size that the caller asks for takes a thread of our own.

A child of `os.fork` has none of these threads, and would wait for them forever. Only a thread that
started in the child can compute there.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from tvmfuse.runtime.host_cpu import usable_cores
from tvmfuse.runtime.tvm_runtime import runtime_function

T = TypeVar("T")

#: TVM's kSpecifyThreadShareAllCore: workers may run on any of the CPUs listed.
SHARE_LISTED_CPUS: Final = -3

_prepared = threading.local()
_process: Final = os.getpid()


def workers(num_threads: int | None) -> CallingThread | OwnThread:
    """Return what runs kernels on so many threads; by default on one for each physical core."""
    if num_threads is None and os.getpid() == _process:
        return CallingThread()
    return OwnThread(num_threads or usable_cores())


class CallingThread:
    """Runs work where it is called, on one thread for each core of the machine."""

    def __call__(self, work: Callable[[], T]) -> T:
        """Do the work and return its result."""
        if not hasattr(_prepared, "pool"):
            _prepared.pool = make_pool(usable_cores())
        return work()


class OwnThread:
    """Runs work, one piece at a time, on a thread of its own and the workers that belong to it."""

    def __init__(self, num_threads: int) -> None:
        """Start no thread yet.

        Args:
            num_threads: How many compute, the one that launches the kernel included.
        """
        self._executor = ThreadPoolExecutor(1, "tvmfuse", make_pool, (num_threads,))

    def __call__(self, work: Callable[[], T]) -> T:
        """Do the work and return its result."""
        return self._executor.submit(work).result()


def make_pool(num_threads: int) -> int:
    """Make the calling thread's pool, unless it has one, and return how many threads compute.

    No more than there are CPUs, for TVM's threads wait actively; and an existing pool cannot grow.
    """
    cpus = [str(cpu) for cpu in sorted(os.sched_getaffinity(0))]
    num_threads = min(num_threads, len(cpus))
    configure = runtime_function("runtime.config_threadpool")
    # The first list's length is the pool's size; the second list is where its threads may run.
    for listed in (cpus[:num_threads], cpus):
        configure(SHARE_LISTED_CPUS, num_threads, listed)
    return int(runtime_function("runtime.NumThreads")())
