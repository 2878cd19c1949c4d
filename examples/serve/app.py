"""The application: predictions, health, readiness, metrics."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

import tvmfuse
from examples.serve import metrics
from examples.serve.batching import Batcher
from examples.serve.feeds import check_model, read_body, read_feeds
from examples.serve.refusals import RefusedError
from examples.serve.settings import Settings


def create() -> FastAPI:
    """Make the application of this process, as its environment says; uvicorn calls it."""
    return application(Settings.read(os.environ))


def application(settings: Settings) -> FastAPI:
    """Make an application; the model is loaded when it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        model = tvmfuse.load(settings.model, num_threads=settings.threads)
        check_model(model)
        _warm_up(model, settings.max_batch)
        app.state.model = model
        app.state.batcher = Batcher(
            model,
            max_batch=settings.max_batch,
            max_wait_ms=settings.max_wait_ms,
            max_queue=settings.max_queue,
        )
        yield
        # uvicorn takes no further connection and has waited for open requests by now.
        await app.state.batcher.close()
        metrics.worker_ends()

    app = FastAPI(title="tvmfuse", lifespan=lifespan)

    @app.post("/v1/predict")
    async def predict(request: Request) -> Response:
        start = time.perf_counter()
        try:
            response = await _predicted(request, settings)
        except RefusedError as refusal:
            response = JSONResponse({"error": refusal.words}, refusal.status)
            if refusal.status == 503:
                response.headers["Retry-After"] = "1"
            if refusal.status in (408, 413):
                response.headers["Connection"] = "close"  # the rest of the body is not read
        metrics.REQUESTS.labels(str(response.status_code)).inc()
        metrics.SECONDS.observe(time.perf_counter() - start)
        return response

    @app.get("/healthz")
    async def health(request: Request) -> Response:
        """Whether the process works; one that does not is to be started again."""
        return Response(status_code=200 if request.app.state.batcher.alive else 500)

    @app.get("/readyz")
    async def readiness(request: Request) -> Response:
        """Whether to send requests here now."""
        return Response(status_code=200 if request.app.state.batcher.ready else 503)

    @app.get("/metrics")
    async def exposition() -> Response:
        return Response(metrics.exposition(), media_type="text/plain; version=0.0.4")

    return app


async def _predicted(request: Request, settings: Settings) -> Response:
    state = request.app.state
    body = await read_body(request, settings.max_body, settings.timeout_s)
    feeds = read_feeds(body, state.model.inputs, settings.max_batch)
    rows = len(next(iter(feeds.values())))
    try:
        async with asyncio.timeout(settings.timeout_s):
            outputs = await state.batcher.submit(feeds, rows)
    except TimeoutError as error:
        raise RefusedError(504, f"no answer in {settings.timeout_s:g} s") from error
    return JSONResponse({"outputs": {name: a.tolist() for name, a in outputs.items()}})


def _warm_up(model: tvmfuse.Executable, max_batch: int) -> None:
    """Run the smallest and the largest batch, so that the first request waits for nothing."""
    for rows in (1, max_batch):
        model({s.name: np.zeros((rows, *s.shape[1:]), s.dtype) for s in model.inputs})
