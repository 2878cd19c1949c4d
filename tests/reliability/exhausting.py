"""What happens where memory runs out, in a process that may take no more: this file is its program.

``python tests/reliability/exhausting.py NAME MIB`` does one of `PROGRAMS` with so many MiB beside what
it has when its model is loaded, and prints JSON.
"""

from __future__ import annotations

import json
import resource
import sys
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from onnx import ModelProto, helper

import tvmfuse

sys.path.insert(0, str(Path(__file__).parents[1]))
from graphs import onnx_model

Feeds = Mapping[str, np.ndarray]


def squares() -> ModelProto:
    """Return ``y[i, j] = x[i] * x[j]`` for ``x[n]``: a result that is larger than what is fed."""
    nodes = [
        helper.make_node("Unsqueeze", ["x", "one"], ["column"]),
        helper.make_node("Mul", ["column", "x"], ["y"], name="product"),
    ]
    return onnx_model(nodes, {"x": ("float32", ["n"])}, {"y": "float32"}, {"one": np.array([1])})


def copies() -> ModelProto:
    """Return ``y = x``: a result that is a copy of what is fed."""
    node = helper.make_node("Identity", ["x"], ["y"])
    return onnx_model([node], {"x": ("float32", ["n"])}, {"y": "float32"})


def weighted(mib: int = 64) -> ModelProto:
    """Return a chain of products whose weights take so many MiB."""
    rng, nodes, weights, last = np.random.default_rng(0), [], {}, "x"
    for layer in range(mib // 4):
        weights[f"w{layer}"] = rng.standard_normal((1024, 1024), "float32")
        nodes.append(
            helper.make_node("MatMul", [last, f"w{layer}"], [f"p{layer}"], name=f"n{layer}")
        )
        nodes.append(helper.make_node("Relu", [f"p{layer}"], [last := f"r{layer}"]))
    return onnx_model(nodes, {"x": ("float32", ["n", 1024])}, {last: "float32"}, weights)


def ignored(place: int, written: object) -> None:
    del place, written


#: How a model is run; each returns what it gives, or None.
WAYS: Final[Mapping[str, Callable[[tvmfuse.Executable, Any, Feeds], Any]]] = {
    "by name": lambda run, _session, feeds: run(feeds)["y"],
    "run": lambda run, _session, feeds: run.run(None, feeds)[0],
    "session": lambda _run, session, feeds: session.run(None, feeds)[0],
    "call": lambda run, _session, feeds: run.call([feeds["x"]])[0],
    "call for tvm": lambda run, _session, feeds: run.call([feeds["x"]], like="tvm")[0].numpy(),
    "bound": lambda run, _session, feeds: run.bound(feeds)() and None,
    "timed": lambda run, _session, feeds: run.timed(feeds) and None,
    "watch": lambda run, _session, feeds: run.watch(feeds, ignored),
}


def limit(mib: int) -> None:
    """Let this process take so many MiB of address space more, and write no core file."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    size = pages * resource.getpagesize() + (mib << 20)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ended(work: Callable[[], Any]) -> tuple[str, str]:
    """Do a work; return the class of the error that it ends in, and what that says."""
    try:
        work()
    except tvmfuse.TvmfuseError as error:
        return type(error).__name__, str(error)
    except BaseException:
        return "escaped", traceback.format_exc()[-3000:]
    return "done", ""


def runs(mib: int, model: ModelProto, large: Feeds, ways: Mapping[str, Any]) -> dict[str, Any]:
    """Run a model on what does not fit the memory, and then on what does, in each way."""
    run = tvmfuse.compile(model).load()
    session = tvmfuse.InferenceSession(model.SerializeToString())
    small = {"x": np.arange(5, dtype="float32")}
    expected = run(small)["y"]
    limit(mib)
    found = {}
    for name, way in ways.items():
        kind, said = ended(partial(way, run, session, large))
        again = way(run, session, small)
        right = again is None or np.array_equal(again, expected)
        found[name] = [kind, said, right and np.array_equal(run(small)["y"], expected)]
    return found


def large_results(mib: int) -> dict[str, Any]:
    return runs(mib, squares(), {"x": np.ones(40_000, "float32")}, WAYS)


def large_copies(mib: int) -> dict[str, Any]:
    """What is fed fits, and its copy, which is the result, does not."""
    ways = {name: WAYS[name] for name in ("by name", "run", "session", "call")}
    return runs(mib, copies(), {"x": np.ones(mib << 19, "float32")}, ways)


def large_feeds(mib: int) -> dict[str, Any]:
    """What is fed has strides, and its copy does not fit."""
    ways = {name: WAYS[name] for name in ("by name", "run", "session", "bound", "timed", "watch")}
    return runs(mib, copies(), {"x": np.ones(mib << 20, "float32")[::2]}, ways)


def compilation(mib: int) -> dict[str, Any]:
    """Compile a model in the memory that there is."""
    tvmfuse.compile(copies())  # loads the libraries
    model = weighted()
    limit(mib)
    return {"compile": ended(lambda: tvmfuse.compile(model, cache=False).load())}


PROGRAMS: Final = (large_results, large_copies, large_feeds, compilation)

if __name__ == "__main__":
    chosen = {program.__name__: program for program in PROGRAMS}[sys.argv[1]]
    print(json.dumps(chosen(int(sys.argv[2]))))
