"""A process that runs cases one after the other: where one ends it, the next case has another one.

A process for each case would spend its time importing TVM. All are forked from one that has: it
imports `preloaded`, and runs nothing.
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
from typing import Final, TypeAlias

from onnx_backend.cases import cases, operator_of
from onnx_backend.outcomes import DIED, TIMEOUT, Outcome, outcome_of

Run: TypeAlias = Callable[[str, str], Outcome]
"""Runs the case of a name for an arm."""

#: Seconds in which a worker has started.
START_S: Final = 120.0
#: Seconds that a case may take, on two busy cores; and one that is a whole published model.
CASE_S: Final = 60.0
MODEL_S: Final = 400.0
#: Bytes of addresses that a worker may take: a case that asks for more fails, and no other program.
ADDRESSES: Final = 12 << 30
#: Cases after which a worker makes room for a new one.
SHIFT: Final = 300


class Worker:
    """Runs cases in another process.

    Args:
        run: What it does with a case.
        limit_s: Seconds that each case may take; by default `CASE_S`, and `MODEL_S` where it is a
            published model.
    """

    def __init__(self, run: Run = outcome_of, limit_s: float | None = None) -> None:
        self._run = run
        self._limit_s = limit_s
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._done = 0

    def outcome(self, name: str, arm: str) -> Outcome:
        """Run a case; where its process dies or takes too long, that is its outcome."""
        limit_s = self._limit_s or (MODEL_S if cases()[name].kind == "real" else CASE_S)
        connection = self._started()
        connection.send((name, arm))
        if not connection.poll(limit_s):
            self.stop()
            return Outcome(TIMEOUT, operator_of(name), f"after {limit_s:.0f} s")
        try:
            found: Outcome = connection.recv()
        except EOFError:
            return Outcome(DIED, operator_of(name), self.stop())
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
            context.set_forkserver_preload(["onnx_backend.preloaded"])
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
            name, arm = connection.recv()
            connection.send(run(name, arm))
