"""Compiling is for one thread at a time."""

from __future__ import annotations

import os
import threading
from typing import Final

from tvmfuse.errors import ConfigurationError


class Compiling:
    """Lets one thread at a time compile; a thread may enter again.

    TVM's builders and its parser of operators keep their state for the whole process. Nothing else
    of the process is touched: its standard streams, signals, warnings and collector of garbage are
    those of its other threads.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
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

    def __exit__(self, *_raised: object) -> None:
        self._lock.release()

    def _forked(self) -> None:
        # Held by a thread that is not here, the lock is held for good; a thread's own it may take.
        if self._lock.acquire(blocking=False):
            self._lock.release()
        else:
            self._half_done = True


COMPILING: Final = Compiling()
