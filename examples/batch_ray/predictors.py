"""What the actors run: a compiled model, and onnxruntime with the same columns."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import ray

from tvmfuse.fleet.batch_predictor import BatchPredictor

Columns = Mapping[str, np.ndarray]


class OnnxruntimePredictor:
    """Does with onnxruntime what `BatchPredictor` does with a compiled file.

    Args:
        model: The path of an ONNX file.
    """

    def __init__(self, model: str) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # the actor's CPU
        self._session = onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"]
        )
        (self._input,) = (value.name for value in self._session.get_inputs())

    def __call__(self, batch: Columns) -> dict[str, np.ndarray]:
        """Return ``scores`` and the column ``id``."""
        (scores,) = self._session.run(["scores"], {self._input: batch[self._input]})
        return {"id": batch["id"], "scores": scores}


class Timed:
    """Runs a predictor, and says what each row took and where.

    Args:
        engine: tvmfuse or onnxruntime.
        model: The file that it runs.
    """

    def __init__(self, engine: str, model: str) -> None:
        predictor: Callable[[Columns], dict[str, Any]] = (
            BatchPredictor(model, keep=["id"])
            if engine == "tvmfuse"
            else OnnxruntimePredictor(model)
        )
        self._predict = predictor
        self._node = ray.get_runtime_context().get_node_id()

    def __call__(self, batch: Columns) -> dict[str, np.ndarray]:
        """Return the predictor's columns, ``cpu_us`` of this thread for each row, and ``node``."""
        start = time.thread_time()
        found = self._predict(batch)
        rows = len(batch["id"])
        taken = 1e6 * (time.thread_time() - start) / rows
        return {**found, "cpu_us": np.full(rows, taken), "node": np.full(rows, self._node)}
