"""Compiling is for one thread at a time."""

from __future__ import annotations

import gc
import os
import threading
from contextlib import ExitStack
from types import TracebackType
from typing import Final

from tvmfuse.errors import ConfigurationError
from tvmfuse.tvm_messages import logged


class Compiling:
    """Lets one thread at a time compile, and logs what TVM says meanwhile.

    TVM's builders and its parser of operators keep their state for the whole process, and so does
    the standard error that it writes to. A thread may enter again.

    Python's collector of cyclic garbage waits: a module is many objects, hardly one of them
    garbage, and to look through them took an eighth of the time for 10,000 nodes.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._entered = 0
        self._messages = ExitStack()
        self._collects = False
        self._half_done = False
        os.register_at_fork(after_in_child=self._forked)

    def __enter__(self) -> None:
        """Wait for other threads.

        Raises:
            ConfigurationError: In a child that was forked while another thread compiled.
        """
        if self._half_done:
            raise ConfigurationError(
                "the process forked while another thread compiled a model, which cannot be taken "
                "up here: start such processes with multiprocessing's 'spawn' or 'forkserver', or "
                "fork before compiling"
            )
        self._lock.acquire()
        try:
            if not self._entered:
                self._messages.enter_context(logged())
                self._collects = gc.isenabled()
                gc.disable()
            self._entered += 1
        except BaseException:
            self._lock.release()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._entered -= 1
        try:
            if not self._entered:
                self._collect_again()
                self._messages.__exit__(kind, error, traceback)
        finally:
            self._lock.release()

    def _forked(self) -> None:
        # Held by a thread that is not here, the lock is held for good; a thread's own it may take.
        if self._lock.acquire(blocking=False):
            self._lock.release()
        else:
            self._half_done = True
            self._collect_again()

    def _collect_again(self) -> None:
        if self._collects:
            gc.enable()


COMPILING: Final = Compiling()
