"""Sessions that begin at once, for their tests."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tvmfuse.starting import start

X = np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3)
WEIGHT = np.arange(12, dtype="float32").reshape(3, 4) - 5
EXPECTED = np.maximum(X @ WEIGHT, 0)


def product(last: str = "Relu") -> onnx.ModelProto:
    """Return `last(x @ WEIGHT)`, with all that a model says of itself."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node(last, ["p"], ["y"])]
    graph = helper.make_graph(
        nodes,
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 4])],
        [numpy_helper.from_array(WEIGHT, "w")],
        doc_string="a product",
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8,
                             producer_name="tests", domain="org.example", model_version=3)  # fmt: skip


def begin(model: Path | bytes, folder: Path | bool, how: str = "at once", **settings: Any) -> Any:
    """Return what runs a model for a session."""
    return start(model, settings, how=how, cache=folder, num_threads=1)


def result(session: Any) -> np.ndarray:
    (found,) = session.run(None, {"x": X})
    return np.asarray(found)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Let no process beside compile what is kept in a folder, nor look whether it is."""
    (kept,) = folder.glob("*.model")
    with open(kept.with_suffix(".lock"), "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
