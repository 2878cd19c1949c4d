"""An engine in a process of its own, which runs when it is told to.

The pool of an engine spins for work after a run. In one process it would take a core from the next
engine, and engines whose libraries share a pool or its settings would not be as their users have
them. So engines on several threads get a process each, and only one of them runs at a time. Each
takes its own times: what it costs to ask for a run is in none of them.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

import numpy as np

from bench.engines import ENGINES, Job, Run
from bench.variants import Arrays
from tvmfuse.errors import TvmfuseError, first_line
from tvmfuse.measure.clock import Clock, system_clock


class EngineDiedError(TvmfuseError, RuntimeError):
    """An engine's process has ended, or says why it cannot go on."""


class OwnProcess:
    """An engine that has built a job, and waits.

    Args:
        engine: One of `ENGINES`.
        job: What it runs.
        feeds: The model's inputs, of every run.

    Attributes:
        spent_ns: The time of all runs up to now.

    Raises:
        EngineDiedError: It cannot be built.
    """

    def __init__(self, engine: str, job: Job, feeds: Arrays) -> None:
        context = get_context("spawn")
        self.spent_ns = 0
        self._engine = engine
        self._ours, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, ENGINES[engine].build, job, dict(feeds)), daemon=True
        )
        self._process.start()
        theirs.close()
        try:
            self._answer()
        except BaseException:
            self.close()
            raise

    def outputs(self) -> Arrays:
        """Run once and return the outputs."""
        found: Arrays = self._asked("outputs")
        return found

    def run(self) -> None:
        """Run once."""
        self.spent_ns += self._asked("time")

    def close(self) -> None:
        """End the process."""
        self._ours.close()
        self._process.join(timeout=1)
        self._process.kill()
        self._process.join()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process."""
        self.close()

    def _asked(self, word: str) -> Any:
        with suppress(ConnectionError):  # Of an end between two runs, there is no answer either.
            self._ours.send(word)
        return self._answer()

    def _answer(self) -> Any:
        try:
            answer = self._ours.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            code = self._process.exitcode
            raise EngineDiedError(f"{self._engine}: its process ended with code {code}") from None
        if isinstance(answer, _Failure):
            raise EngineDiedError(f"{self._engine}: {answer}")
        return answer


def clock_of(processes: Sequence[OwnProcess]) -> Clock:
    """Return a clock that goes on only while one of them runs, and as it says."""
    return Clock(lambda: sum(p.spent_ns for p in processes), system_clock().resolution_ns)


class _Failure(str):
    """Why an engine cannot go on."""


def _serve(pipe: Connection, build: Callable[[Job], Run], job: Job, feeds: Arrays) -> None:
    """Build, then run for each word that comes until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to hear
    try:
        run = build(job)
        pipe.send(None)
        while True:
            wanted = pipe.recv()
            begin = time.perf_counter_ns()
            found = run(feeds)
            spent = time.perf_counter_ns() - begin
            pipe.send(
                {n: np.asarray(a) for n, a in found.items()} if wanted == "outputs" else spent
            )
    except EOFError:
        pass
    except Exception as error:  # other engines' classes share no base
        pipe.send(_Failure(first_line(error)))
