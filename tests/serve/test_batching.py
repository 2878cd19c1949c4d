"""Dynamic batching: who waits together runs together, and the queue is bounded."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest

import tvmfuse
from examples.serve.batching import Arrays, Batcher
from examples.serve.refusals import RefusedError


class Model:
    """Doubles its rows when it is let, and remembers how many it got."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.go = threading.Event()

    def __call__(self, feeds: Arrays) -> Arrays:
        assert self.go.wait(30)
        self.sizes.append(len(feeds["x"]))
        if feeds["x"].max() < 0:
            raise tvmfuse.TvmfuseError("negative")
        return {"y": 2 * feeds["x"]}


def batched(
    work: Callable[[Batcher, Model], Coroutine[Any, Any, None]], **limits: Any
) -> list[int]:
    """Let `work` use a batcher of a model; return the sizes of the batches."""
    model = Model()

    async def run() -> None:
        batcher = Batcher(model, **{"max_batch": 4, "max_wait_ms": 20, "max_queue": 8, **limits})
        try:
            async with asyncio.timeout(30):
                await work(batcher, model)
        finally:
            model.go.set()
            await batcher.close()

    asyncio.run(run())
    return model.sizes


def ask(batcher: Batcher, value: float, rows: int = 1) -> asyncio.Task[Any]:
    return asyncio.create_task(batcher.submit({"x": np.full((rows, 1), value)}, rows))


def test_requests_that_wait_run_together_and_each_gets_its_rows() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        tasks = [ask(batcher, value, rows) for value, rows in enumerate([1, 2, 3, 1, 4, 1])]
        await asyncio.sleep(0)
        model.go.set()
        for value, task in enumerate(tasks):
            assert set((await task)["y"].ravel().tolist()) == {2 * value}

    assert batched(work) == [3, 4, 4, 1]


def test_one_request_does_not_wait_for_others_for_long() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        model.go.set()
        await ask(batcher, 1)

    assert batched(work) == [1]


def test_more_than_may_wait_are_refused_and_the_others_are_answered() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        first = ask(batcher, 1, rows=4)
        await asyncio.sleep(0.05)  # it runs
        waiting = [ask(batcher, 1) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(RefusedError, match="3 requests wait: try again"):
            await ask(batcher, 1)
        assert not batcher.ready
        assert batcher.alive
        model.go.set()
        await asyncio.gather(first, *waiting)
        assert batcher.ready

    assert sum(batched(work, max_queue=3)) == 7


def test_closing_answers_what_waits_and_refuses_what_comes() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        waiting = [ask(batcher, 1) for _ in range(6)]
        await asyncio.sleep(0)
        closing = asyncio.create_task(batcher.close())
        await asyncio.sleep(0)
        with pytest.raises(RefusedError, match="the server closes"):
            await ask(batcher, 1)
        model.go.set()
        await asyncio.gather(closing, *waiting)

    assert sum(batched(work)) == 6


def test_an_error_reaches_who_asked_and_nobody_after_them() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        model.go.set()
        with pytest.raises(tvmfuse.TvmfuseError, match="negative"):
            await ask(batcher, -1)
        assert (await ask(batcher, 1))["y"].tolist() == [[2.0]]
        assert batcher.alive

    assert batched(work) == [1, 1]


def test_who_is_gone_costs_the_others_nothing() -> None:
    async def work(batcher: Batcher, model: Model) -> None:
        gone, stays = ask(batcher, 1), ask(batcher, 3)
        await asyncio.sleep(0)
        gone.cancel()
        model.go.set()
        assert (await stays)["y"].tolist() == [[6.0]]

    assert batched(work) == [2]
