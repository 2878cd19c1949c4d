"""What soaks and threads are measured with, each in a process of its own: this file is its program.

``python tests/reliability/processes.py NAME ARGUMENT...`` does one of `PROGRAMS` and prints JSON.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import numpy as np
from onnx import ModelProto, helper

import tvmfuse

sys.path.insert(0, str(Path(__file__).parents[1]))
from graphs import onnx_model

PAGE: Final = os.sysconf("SC_PAGE_SIZE")
WIDTH: Final = 64
CALLERS: Final = 8
#: Rows of which several threads compute one product.
LARGE: Final = 512


def network(*, seed: int = 0, depth: int = 2) -> ModelProto:
    """Return ``y = relu(... relu(x @ w) ... @ w)`` for ``x[n, 64]``; its kernels run in threads."""
    rng = np.random.default_rng(seed)
    nodes, weights, last = [], {}, "x"
    for layer in range(depth):
        weights[f"w{layer}"] = rng.standard_normal((WIDTH, WIDTH), "float32") / np.float32(8)
        nodes.append(helper.make_node("MatMul", [last, f"w{layer}"], [f"p{layer}"]))
        nodes.append(helper.make_node("Relu", [f"p{layer}"], [last := f"r{layer}"]))
    inputs = {"x": ("float32", ["n", WIDTH])}
    return onnx_model(nodes, inputs, {last: "float32"}, weights)


def rows(count: int) -> np.ndarray:
    return np.random.default_rng(count).standard_normal((count, WIDTH), "float32")


def grown(work: Callable[[int], object], count: int, warm: int) -> dict[str, Any]:
    """Do a work ``warm + count`` times; return by how many MiB the second part grew."""
    for turn in range(warm):
        work(turn)
    before = resident()
    for turn in range(warm, warm + count):
        work(turn)
    return {"count": count, "growth_mib": (resident() - before) / 2**20}


def resident() -> int:
    """Return the bytes of this process that are in memory."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def os_threads() -> int:
    return len(os.listdir("/proc/self/task"))


def runs(count: int) -> dict[str, Any]:
    model, x = tvmfuse.compile(network()).load(), rows(16)
    return grown(lambda _turn: model({"x": x}), count, warm=max(500, count // 10))


def changing_shapes(count: int) -> dict[str, Any]:
    model, sizes = tvmfuse.compile(network()).load(), cycle(range(1, 65))
    feeds = {n: rows(n) for n in range(1, 65)}
    return grown(lambda _turn: model({"x": feeds[next(sizes)]}), count, warm=max(640, count // 10))


def load_and_unload(count: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        tvmfuse.compile(network()).save(path := Path(folder, "model.so"))
        x = rows(4)
        return grown(lambda _turn: tvmfuse.load(path)({"x": x}), count, warm=max(20, count // 5))


def compiles(count: int) -> dict[str, Any]:
    """Compile models that differ, without the cache: all of the compiler runs."""

    def work(turn: int) -> object:
        return tvmfuse.compile(network(seed=turn, depth=1 + turn % 3), cache=False)

    return grown(work, count, warm=max(6, count // 5))


def leaks(count: int) -> dict[str, Any]:
    """Keep a KiB of each turn: what a soak has to find."""
    kept: list[bytearray] = []
    return grown(lambda _turn: kept.append(bytearray(1024)), count, warm=count // 10)


def callers(count: int) -> dict[str, Any]:
    """Share one Executable and one InferenceSession among 8 threads; compare every output."""
    model, rt = network(), tvmfuse.compile(network()).load()
    session = tvmfuse.InferenceSession(model.SerializeToString())
    feeds = [{"x": rows(n)} for n in (1, 3, 16, LARGE)]
    expected = [next(iter(rt(f).values())) for f in feeds]
    (output,) = (o.name for o in session.get_outputs())

    def call(number: int) -> int:
        wrong = 0
        for turn in range(count // (2 * CALLERS)):
            place = (turn + number) % len(feeds)
            found = [rt(feeds[place])[output], session.run(None, feeds[place])[0]]
            wrong += sum(not np.array_equal(f, expected[place]) for f in found)
        return wrong

    with ThreadPoolExecutor(CALLERS) as pool:
        wrong = sum(pool.map(call, range(CALLERS)))
        return {"count": count, "wrong": wrong, "threads": os_threads() - CALLERS}


def short_lived(count: int) -> dict[str, Any]:
    """Run a model in threads that end after one run, 8 at a time."""
    model, x = tvmfuse.compile(network()).load(), rows(LARGE)
    expected = next(iter(model({"x": x}).values()))
    wrong: list[bool] = []

    def call() -> None:
        wrong.append(not np.array_equal(next(iter(model({"x": x}).values())), expected))

    for _ in range(count // CALLERS):
        threads = [threading.Thread(target=call) for _ in range(CALLERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return {"count": len(wrong), "wrong": sum(wrong), "threads": os_threads()}


PROGRAMS: Final = (
    *(runs, changing_shapes, load_and_unload, compiles),
    *(leaks, callers, short_lived),
)

if __name__ == "__main__":
    chosen = {program.__name__: program for program in PROGRAMS}[sys.argv[1]]
    os.write(1, json.dumps(chosen(int(sys.argv[2]))).encode())
