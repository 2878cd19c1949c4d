"""Long work of C++ on threads that can be left behind.

TVM and LLVM cannot be told to stop, and Python runs no signal handler while C++ works on the main
thread. So what takes long works on a daemon thread, and the caller waits for it, which Ctrl-C ends
at once. What was begun then goes on until the process ends, and nobody reads its result.

A process may end while it goes on. Python 3.11 ends a thread that comes back to it after that by
unwinding its stack, and C++ calls `std::terminate` where the stack is not to be unwound: there such
a thread is parked, instead of aborting the process. And the objects that C++ destroys last of all
are not destroyed, for those threads still use them.
"""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, as_completed
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from tvmfuse.errors import OutOfMemoryError

T = TypeVar("T")

SET_TERMINATE: Final = "_ZSt13set_terminatePFvvE"
"""``std::set_terminate(void (*)())``."""
END: Final = "_exit"
"""The C library's, which ends the process and destroys nothing before."""
LOOK_S: Final = 0.1
"""Seconds after which a thread that waits comes back to Python, where signals are handled."""

_left_behind: Final[list[Thread]] = []


class Background:
    """Threads that do work in the order in which it was given, as long as the block runs.

    An error waits for what was begun, and drops the rest; Ctrl-C waits for nothing.

    Args:
        threads: How many.
    """

    def __init__(self, threads: int) -> None:
        self._given: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._threads = [
            Thread(target=self._work, name=f"tvmfuse-background-{place}", daemon=True)
            for place in range(threads)
        ]

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Have work done; return where its result will be."""
        future: Future[T] = Future()
        self._given.put((future, work))
        return future

    def __enter__(self) -> Self:
        """Start as many threads as the system has room for.

        Raises:
            OutOfMemoryError: It has room for none.
        """
        for place, thread in enumerate(self._threads):
            try:
                thread.start()
            except RuntimeError as error:
                del self._threads[place:]
                if not self._threads:
                    raise OutOfMemoryError(
                        f"{error}: free memory, or raise the limit of processes (ulimit -u)"
                    ) from error
                break
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with suppress(Empty):
            while True:
                self._given.get_nowait()
        for _ in self._threads:
            self._given.put(None)
        if kind is None or issubclass(kind, Exception):
            for thread in self._threads:
                thread.join()
        else:
            _left_behind.extend(self._threads)

    def _work(self) -> None:
        while (given := self._given.get()) is not None:
            future, work = given
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
            del given, future, work  # or the last ones would be kept while it waits


def interruptible(work: Callable[[], T]) -> T:
    """Return what some work returns, or raise what it raises; Ctrl-C leaves it behind."""
    with Background(1) as background:
        (future,) = completed([background.submit(work)])
        return future.result()


def completed(futures: Iterable[Future[T]]) -> Iterator[Future[T]]:
    """Yield each of them as soon as it is done; Ctrl-C ends the wait.

    A signal wakes a thread from its wait for a lock, unless it comes between the thread's last look
    at signals and the wait, or to another thread: that is why none waits for long.
    """
    pending = set(futures)
    while pending:
        with suppress(TimeoutError):
            for future in as_completed([*pending], LOOK_S):
                pending.remove(future)
                yield future


@atexit.register
def _end_beside_them() -> None:
    """Let the process end although threads that were left behind still work."""
    if not any(thread.is_alive() for thread in _left_behind):
        return
    process = ctypes.CDLL(None)
    with suppress(OSError, AttributeError):  # another C++ library than GNU's
        set_terminate = getattr(ctypes.CDLL("libstdc++.so.6"), SET_TERMINATE)
        set_terminate(ctypes.cast(process.pause, ctypes.c_void_p))
    with suppress(AttributeError):  # another C library than GNU's
        # Called with the exit code, before what was registered earlier: libraries' destructors.
        process.on_exit(ctypes.cast(getattr(process, END), ctypes.c_void_p), None)
