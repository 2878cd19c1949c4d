"""One version of a model, as Ray Serve runs it in each of its replicas."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
from ray import serve

from examples.serve.feeds import check_model
from examples.serve_load.engine import Arrays, load
from tvmfuse import TensorSpec


def rows(feeds: list[Arrays]) -> int:
    """Return how many rows some requests have together."""
    return sum(len(next(iter(feed.values()))) for feed in feeds)


def _row(spec: TensorSpec) -> np.ndarray:
    fixed: Any = spec.shape[1:]
    return np.zeros((1, *fixed), spec.dtype)


class Predictor:
    """Loads a file in its own process, for a model is not pickled, and runs requests together.

    Args:
        path: The file.
        threads: That compute one batch.
        max_batch: Rows that run together.
        max_wait_ms: For which the first request waits for others.
    """

    def __init__(self, path: str, threads: int, max_batch: int, max_wait_ms: float) -> None:
        self._model = load(Path(path), threads)
        check_model(self._model)  # type: ignore[arg-type]  # either engine says what it takes
        self._one = {spec.name: _row(spec) for spec in self._model.inputs}
        self._model({name: np.repeat(row, max_batch, 0) for name, row in self._one.items()})
        self.predict.set_max_batch_size(max_batch)
        self.predict.set_batch_wait_timeout_s(max_wait_ms / 1000)

    def inputs(self) -> list[TensorSpec]:
        """Return what the model takes."""
        return list(self._model.inputs)

    def check_health(self) -> None:
        """Run one row; where that fails, Serve puts another replica in this one's place."""
        self._model(self._one)

    @serve.batch(batch_size_fn=rows)
    async def predict(self, feeds: list[Arrays]) -> list[Arrays]:
        """Return each request's outputs; Serve calls it with those that arrived together."""
        together = {name: np.concatenate([feed[name] for feed in feeds]) for name in feeds[0]}
        outputs = await asyncio.to_thread(self._model, together)
        ends = np.cumsum([rows([feed]) for feed in feeds])[:-1]
        parts = {name: np.split(array, ends) for name, array in outputs.items()}
        return [{name: part[n] for name, part in parts.items()} for n in range(len(feeds))]
