"""A process that runs one call after the other: where one ends it, the next call has another one.

A process for each call would spend its time importing TVM. All are forked from one that has: it
imports a module that is named, and runs nothing.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final, TypeAlias

Run: TypeAlias = Callable[..., Any]
"""What a process does with a call's arguments."""

DIED: Final = "died"
TIMEOUT: Final = "timeout"

#: Seconds in which a process has started.
START_S: Final = 120.0
#: Bytes of addresses that one may take: a call that asks for more fails, and no other program.
ADDRESSES: Final = 12 << 30
#: Calls after which a process makes room for a new one.
SHIFT: Final = 300


class LostError(Exception):
    """A process was lost.

    Attributes:
        kind: `DIED` or `TIMEOUT`.
        why: The signal or code that it ended with, or after how many seconds.
    """

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind = kind
        self.why = why


class Worker:
    """Runs calls in another process.

    Args:
        run: What it does with a call; is found by its name in the other process.
        preload: The module that is imported before processes are forked.
    """

    def __init__(self, run: Run, preload: str) -> None:
        self._run = run
        self._preload = preload
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._done = 0

    def result(self, *arguments: Any, limit_s: float) -> Any:
        """Return what a call gives.

        Raises:
            LostError: It ended its process, or took more seconds than it may.
        """
        connection = self._started()
        connection.send(arguments)
        if not connection.poll(limit_s):
            self.stop()
            raise LostError(TIMEOUT, f"after {limit_s:.0f} s")
        try:
            found = connection.recv()
        except EOFError:
            raise LostError(DIED, self.stop()) from None
        self._done += 1
        if self._done == SHIFT:
            self.stop()
        return found

    def stop(self) -> str:
        """End the process and all that it has started; return how it had ended by itself."""
        if self._process is None or self._process.pid is None:
            return ""
        self._process.join(1)
        code = self._process.exitcode
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.join()
        self._process = None
        return signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"

    def _started(self) -> Connection:
        if self._process is None or self._connection is None:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload([self._preload])
            # Before Python 3.13 its server does not look where this process looks for modules.
            os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
            self._connection, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs, self._run), daemon=True)
            self._process.start()
            theirs.close()
            self._done = 0
            assert self._connection.poll(START_S), "the worker does not start"
            self._connection.recv()
        return self._connection


def _serve(connection: Connection, run: Run) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    connection.send("ready")
    with suppress(EOFError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while True:
            connection.send(run(*connection.recv()))
