"""Which threads compute a kernel.

TVM keeps one pool of worker threads for each thread that calls it, made at that thread's first
parallel kernel. By default it halves the number of CPUs, and ties the calling thread itself to the
first ones. So the pool is made here, before the first kernel, free to move and as large as any
model is likely to ask for. It cannot grow, but some of its threads can be left idle: each model
sets the number that it wants, which takes 30 us where the last model on this thread wanted another.
A model that wants more computes on a thread of our own; handing work over takes 80 us.

A child of `os.fork` has none of these threads, and would wait for them forever. Only a thread that
started in the child can compute there.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from tvmfuse.target.host_cpu import usable_cores
from tvmfuse.tvm_runtime import runtime_function

T = TypeVar("T")

#: TVM's kSpecifyThreadShareAllCore: workers may run on any of the CPUs listed.
SHARE_LISTED_CPUS: Final = -3

_prepared = threading.local()
_process: Final = os.getpid()


def workers(num_threads: int | None) -> CallingThread | OwnThread:
    """Return what runs kernels on so many threads; by default on one for each physical core."""
    wanted = min(num_threads or usable_cores(), len(_cpus()))
    if os.getpid() == _process and wanted <= usable_cores():
        return CallingThread(wanted)
    return OwnThread(wanted)


class CallingThread:
    """Runs work where it is called.

    Args:
        num_threads: How many compute, the calling one included; no more than physical cores.
    """

    def __init__(self, num_threads: int) -> None:
        self._num_threads = num_threads

    def __call__(self, work: Callable[[], T]) -> T:
        """Do the work and return its result."""
        if not hasattr(_prepared, "used"):
            _prepared.used = make_pool(usable_cores())
        if _prepared.used != self._num_threads:
            _prepared.used = use(self._num_threads)
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

    No more than there are CPUs, for TVM's threads wait actively.
    """
    # The length of the list is the pool's size.
    _configure(_cpus()[:num_threads], num_threads)
    return use(num_threads)


def use(num_threads: int) -> int:
    """Let so many threads of the calling thread's pool compute, on any CPU; return how many do."""
    _configure(_cpus(), num_threads)
    return int(runtime_function("runtime.NumThreads")())


def _configure(cpus: list[str], num_threads: int) -> None:
    runtime_function("runtime.config_threadpool")(SHARE_LISTED_CPUS, num_threads, cpus)


def _cpus() -> list[str]:
    return [str(cpu) for cpu in sorted(os.sched_getaffinity(0))]
