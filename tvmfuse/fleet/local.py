"""Processes of this machine that run tasks."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import Final, Self

from tvmfuse.build.scratch import temporary_folder
from tvmfuse.build.worker_process import DiedError, WorkerProcess, worker_process
from tvmfuse.fleet.executor import AHEAD, RETRIES, LostError, Outcome, Task

PROGRAM: Final = "tvmfuse.fleet.worker"
"""The module that a process runs."""


def default_jobs() -> int:
    """Return how many tasks run at once: LLVM keeps more than one core busy for each."""
    return max(1, len(os.sched_getaffinity(0)) // 2)


class LocalExecutor:
    """Runs each task in one of several processes of this machine, which it starts as it needs them.

    A process that died is replaced. No process outlives the block, nor this process.

    Args:
        jobs: How many processes; by default one for two cores.
    """

    sees_files = True

    def __init__(self, jobs: int | None = None) -> None:
        jobs = jobs or default_jobs()
        self.capacity = jobs + AHEAD
        self._threads = ThreadPoolExecutor(jobs, "tvmfuse-fleet")
        self._own = threading.local()
        self._lock = threading.Lock()
        self._started: list[WorkerProcess] = []
        self._stack = ExitStack()
        self._ended = False

    def submit(self, task: Task) -> Future[Outcome]:
        """Have a task run by the next process that is free."""
        return self._threads.submit(self._run, task)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_raised: object) -> None:
        """End all processes; what they have not finished is dropped."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._ended = True
            for worker in self._started:
                worker.kill()
        self._threads.shutdown()
        self._stack.close()

    def _run(self, task: Task) -> Outcome:
        """Run a task on this thread's process, or on another where that dies."""
        died: DiedError | None = None
        for _ in range(1 + RETRIES):
            try:
                worker: WorkerProcess = getattr(self._own, "worker", None) or self._start()
                worker.send(task)
                outcome: Outcome = worker.receive()
            except DiedError as error:
                died, self._own.worker = error, None
            else:
                return outcome
        raise LostError(f"{1 + RETRIES} processes died of it, the last with {died}")

    def _start(self) -> WorkerProcess:
        with self._lock:
            if self._ended:
                raise LostError("it was ended")
            try:
                folder = self._stack.enter_context(temporary_folder())
                worker = self._stack.enter_context(worker_process(PROGRAM, folder))
            except OSError as error:
                raise LostError(f"no process can be started: {error}") from error
            self._started.append(worker)
            self._own.worker = worker
            return worker
