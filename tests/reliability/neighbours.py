"""A model beside a busy neighbour, timed in a process of its own: this file is its program.

``python tests/reliability/neighbours.py ENGINE MODEL THREADS NEIGHBOUR SECONDS`` prints the
milliseconds of each run as JSON. ENGINE is tvmfuse (MODEL is a compiled file) or onnxruntime.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

#: Runs that are not timed.
WARM_UP: Final = 5

SPINS: Final = "while True: pass"


@contextmanager
def two_processes() -> Iterator[None]:
    """Two processes that compute all the time."""
    spinning = [subprocess.Popen([sys.executable, "-c", SPINS]) for _ in range(2)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


@contextmanager
def two_threads() -> Iterator[None]:
    """Two threads of this process that compute all the time, without Python's lock."""
    ended = threading.Event()
    memory = np.ones(1 << 16, np.uint8)
    address, libc = memory.ctypes.data, ctypes.CDLL(None)

    def spin() -> None:
        while not ended.is_set():
            libc.memchr(ctypes.c_void_p(address), 0, ctypes.c_size_t(memory.size))

    spinning = [threading.Thread(target=spin) for _ in range(2)]
    for thread in spinning:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in spinning:
            thread.join()


@contextmanager
def another_engines_pool() -> Iterator[None]:
    """The threads of an onnxruntime session of this process, which a run every 5 ms keeps awake."""
    import onnxruntime
    from onnx import TensorProto, helper

    w = helper.make_tensor("w", TensorProto.FLOAT, [256, 256], np.ones(65536, "float32"))
    values = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [256, 256]) for n in "xy"]
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])], "g", values[:1], values[1:], [w]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    feeds = {"x": np.ones((256, 256), "float32")}
    ended = threading.Event()

    def use() -> None:
        while not ended.wait(0.005):
            session.run(None, feeds)

    thread = threading.Thread(target=use)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def nobody() -> Iterator[None]:
    """No neighbour."""
    yield


NEIGHBOURS: Final = {
    "nobody": nobody,
    "two processes": two_processes,
    "two threads": two_threads,
    "another engine's pool": another_engines_pool,
}


def runner(engine: str, model: Path, threads: int) -> Callable[[], object]:
    """Return a function that runs a model on inputs of zeros and ones."""
    if engine == "tvmfuse":
        import tvmfuse

        run = tvmfuse.load(model, num_threads=threads)
        given = [_filled(spec.dtype, spec.shape) for spec in run.inputs]
        return lambda: run.call(given)
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    types = {"tensor(float)": "float32", "tensor(int64)": "int64"}
    feeds: Mapping[str, Any] = {
        i.name: _filled(types[i.type], tuple(i.shape)) for i in session.get_inputs()
    }
    return lambda: session.run(None, feeds)


def _filled(dtype: str, shape: tuple[int | str, ...]) -> np.ndarray:
    return np.ones([d if isinstance(d, int) else 1 for d in shape], dtype)


def timed(run: Callable[[], object], seconds: float) -> list[float]:
    """Return the milliseconds of each run, for so long."""
    for _ in range(WARM_UP):
        run()
    times = []
    end = time.perf_counter() + seconds
    while (begin := time.perf_counter()) < end:
        run()
        times.append((time.perf_counter() - begin) * 1e3)
    return times


if __name__ == "__main__":
    engine, model, threads, neighbour, seconds = sys.argv[1:]
    run = runner(engine, Path(model), int(threads))
    with NEIGHBOURS[neighbour]():
        print(json.dumps(timed(run, float(seconds))))
