"""Dynamic batching: requests that arrive together run together.

The first request of a batch waits for others, but no longer than `max_wait_ms`; what is waiting
already is taken at once. One thread runs the model, so that batches do not compete for cores; the
event loop takes requests meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from examples.serve import metrics
from examples.serve.refusals import RefusedError

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Job:
    """One request: its inputs, and where its outputs are waited for."""

    feeds: Arrays
    rows: int
    outputs: asyncio.Future[Arrays]


class Batcher:
    """Runs a model on the rows of several requests at a time; make it inside the event loop.

    Args:
        run: The model, called in a thread of its own, by one batch at a time.
        max_batch: Rows of one batch, at most; no request has more.
        max_wait_ms: For which the first request waits for others.
        max_queue: Requests that wait, at most.
    """

    def __init__(
        self,
        run: Callable[[Arrays], Arrays],
        *,
        max_batch: int,
        max_wait_ms: float,
        max_queue: int,
    ) -> None:
        self._run, self._max_batch, self._max_wait_s = run, max_batch, max_wait_ms / 1000
        self._queue: asyncio.Queue[Job | None] = asyncio.Queue()
        self._max_queue = max_queue
        self._left_over: Job | None = None
        self._closing = False
        self._thread = ThreadPoolExecutor(1, "model")
        self._task = asyncio.create_task(self._work())

    @property
    def ready(self) -> bool:
        """Whether a further request would be taken."""
        return self.alive and not self._closing and self._queue.qsize() < self._max_queue

    @property
    def alive(self) -> bool:
        """Whether batches are run at all."""
        return not self._task.done()

    async def submit(self, feeds: Arrays, rows: int) -> Arrays:
        """Return the outputs of one request's rows.

        Raises:
            RefusedError: The server closes, or too many wait already (503).
        """
        if not self.ready:
            why = "the server closes" if self._closing else f"{self._max_queue} requests wait"
            raise RefusedError(503, f"{why}: try again")
        job = Job(feeds, rows, asyncio.get_running_loop().create_future())
        self._queue.put_nowait(job)
        metrics.WAITING.set(self._queue.qsize())
        return await job.outputs

    async def close(self) -> None:
        """Answer what waits, and end."""
        self._closing = True
        self._queue.put_nowait(None)
        await self._task
        self._thread.shutdown()

    async def _work(self) -> None:
        while batch := await self._batch():
            metrics.WAITING.set(self._queue.qsize())
            metrics.ROWS.observe(sum(job.rows for job in batch))
            try:
                await self._answer(batch)
            except Exception as error:  # it is theirs who asked, and others come
                for job in batch:
                    if not job.outputs.done():
                        job.outputs.set_exception(error)

    async def _batch(self) -> list[Job]:
        """Return the next batch; empty when there is none any more."""
        first = self._left_over or await self._queue.get()
        self._left_over = None
        if first is None:
            return []
        batch, rows = [first], first.rows
        until = asyncio.get_running_loop().time() + self._max_wait_s
        while rows < self._max_batch and (job := await self._next(until)):
            if rows + job.rows > self._max_batch:
                self._left_over = job
                break
            batch.append(job)
            rows += job.rows
        return batch

    async def _next(self, until: float) -> Job | None:
        """Return a request that comes before a time; None where none does."""
        try:
            job = self._queue.get_nowait()
        except asyncio.QueueEmpty:
            try:
                async with asyncio.timeout_at(until):
                    job = await self._queue.get()
            except TimeoutError:
                return None
        if job is None:
            self._queue.put_nowait(None)  # for the next batch, which is then empty
        return job

    async def _answer(self, batch: Sequence[Job]) -> None:
        names = batch[0].feeds
        feeds = {name: np.concatenate([job.feeds[name] for job in batch]) for name in names}
        with metrics.RUN_SECONDS.time():
            loop = asyncio.get_running_loop()
            outputs = await loop.run_in_executor(self._thread, self._run, feeds)
        start = 0
        for job in batch:
            part = slice(start, start := start + job.rows)
            if not job.outputs.done():  # whoever asked may be gone
                job.outputs.set_result({name: array[part] for name, array in outputs.items()})
