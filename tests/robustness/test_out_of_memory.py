"""Memory that runs out while a model is compiled is said to be that, wherever it is."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.background import Background
from tvmfuse.errors import OutOfMemoryError

MODEL = onnx_model(
    [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Relu", ["p"], ["y"])],
    {"x": ("float32", ("n", 4))},
    {"y": "float32"},
    {"w": np.eye(4, dtype="float32")},
)

#: Where: the function that finds no memory.
PLACES: Final[Mapping[str, str]] = {
    "reading": "tvmfuse.frontend.onnx.importer.read_with_weights",
    "shape inference": "onnx.shape_inference.infer_shapes",
    "a converter": "tvmfuse.frontend.onnx.importer.GraphBuilder",
    "a pass": "tvmfuse.passes.extended.fuse_ops.FuseOps.__call__",
    "planning a kernel": "tvmfuse.schedules.schedule._planned",
    "LLVM": "tvmfuse.build.kernels.compile.object_file",
    "the weights": "tvmfuse.build.assemble.detach",
    "linking": "tvmfuse.build.assemble.link_shared",
}


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("std::bad_alloc")], ids=repr)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.sampled(3)
def test_it_is_said_to_be_that(
    place: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str] = []

    def fails(*_: object, **__: object) -> Any:
        found.append(place)
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(PLACES[place], fails)
        with pytest.raises(OutOfMemoryError, match="memory ran out in the "):
            tvmfuse.compile(MODEL, cache=False)
    assert found
    y = tvmfuse.compile(MODEL, cache=False).load()(x=np.ones((2, 4), "float32"))["y"]
    np.testing.assert_array_equal(y, np.ones((2, 4), "float32"))


def started(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the system have room for so many threads more."""
    start, left = threading.Thread.start, [count]

    def limited(thread: threading.Thread) -> None:
        if not left[0]:
            raise RuntimeError("can't start new thread")
        left[0] -= 1
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", limited)


def test_work_is_done_by_as_many_threads_as_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started(1, monkeypatch)
    with Background(4) as background:
        futures = [background.submit(partial(pow, n, 2)) for n in range(10)]
        assert [future.result() for future in futures] == [n * n for n in range(10)]


def test_room_for_no_thread_is_an_error_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    started(0, monkeypatch)
    with pytest.raises(OutOfMemoryError, match="can't start new thread: free memory, or raise"):
        tvmfuse.compile(MODEL, cache=False)
