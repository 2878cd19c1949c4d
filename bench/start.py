"""How long a program takes to its first result: onnxruntime, the drop-in, and the drop-in again.

Each sample is a process of its own, which imports numpy and an engine, makes a session of a file
and runs it once. What is measured is from the process's start to that result, on the wall's clock
and as the CPU's time of all its threads; and the same from behind ``import numpy``. Engines take
turns, in another order each round::

    python -m bench.start --rounds 5

``cold`` has an empty cache folder: onnxruntime begins, and the process that compiles beside it is
ended after the first result. ``again`` finds the model kept. The bars: cold within 1.3 of
onnxruntime, again within 0.5 s.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from bench.command import Benchmark
from bench.light_models import light_model
from tvmfuse.cli.console import show_json
from tvmfuse.demo import wee_net

BAR: Final = 1.3
BAR_S: Final = 0.5

PROGRAM: Final = """
import json, os, resource, sys, time
import numpy

def spent():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return time.monotonic(), used.ru_utime + used.ru_stime

begun = spent()
engine, path, waits = sys.argv[1:]
if engine != "onnxruntime":
    import tvmfuse
    sys.modules["onnxruntime"] = tvmfuse
import onnxruntime
session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
feeds = {
    value.name: numpy.ones([n if isinstance(n, int) else 1 for n in value.shape], numpy.float32)
    for value in session.get_inputs()
}
results = session.run(None, feeds)
done = spent()
serves = getattr(session, "engine", engine)
if waits == "1":
    assert session.wait_until_compiled()
print(json.dumps([begun, done, serves, [float(abs(r).max()) for r in results]]), flush=True)
"""


@dataclass(frozen=True)
class Sample:
    """One process: seconds of the wall's clock and of the CPU to its first result.

    Attributes:
        wall: From the process's start.
        cpu: From its start, of all threads.
        session_wall: From behind ``import numpy``.
        session_cpu: The same.
        engine: Which engine ran it.
        peaks: The largest absolute value of each output.
    """

    wall: float
    cpu: float
    session_wall: float
    session_cpu: float
    engine: str
    peaks: tuple[float, ...]


def mlp(width: int = 64) -> onnx.ModelProto:
    """Return two layers: what begins fastest."""
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal((width, width), "float32") / width**0.5 for _ in range(2)]
    nodes = [
        helper.make_node("MatMul", ["x", "w0"], ["h"]),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("MatMul", ["r", "w1"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "mlp",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, width])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, width])],
        [numpy_helper.from_array(w, f"w{place}") for place, w in enumerate(weights)],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


MODELS: Final[Mapping[str, Callable[[], onnx.ModelProto]]] = {
    "mlp": mlp,
    "mlp-1024": lambda: mlp(1024),
    "wee-net": wee_net,
    **{
        name: lambda name=name: light_model(name)  # type: ignore[misc]
        for name in (
            "shufflenet", "squeezenet", "inception_v1", "inception_v2", "densenet121", "resnet50",
            "zfnet512",
        )
    },
}  # fmt: skip


def sample(engine: str, path: Path, cache: Path, *, waits: bool = False) -> Sample:
    """Run one process."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, engine, str(path), str(int(waits))],
        env=environment, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    (begun, begun_cpu), (end, cpu), serves, peaks = json.loads(done.stdout)
    return Sample(end - start, cpu, end - begun, cpu - begun_cpu, serves, tuple(peaks))


@contextmanager
def new_folder() -> Iterator[Path]:
    """Make a folder that is gone afterwards."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


def measure(path: Path, rounds: int) -> dict[str, list[Sample]]:
    """Return each arm's samples, those of one round at one place."""
    found: dict[str, list[Sample]] = {"onnxruntime": [], "cold": [], "again": []}
    with new_folder() as kept:
        sample("tvmfuse", path, kept, waits=True)
        for number in range(rounds):
            arms = [*found]
            for arm in arms[number % 3 :] + arms[: number % 3]:
                with new_folder() as empty:
                    engine = "onnxruntime" if arm == "onnxruntime" else "tvmfuse"
                    found[arm].append(sample(engine, path, kept if arm == "again" else empty))
    check(path.stem, found)
    return found


def check(name: str, found: Mapping[str, list[Sample]]) -> None:
    """Refuse figures of engines that are not those meant, or compute something else.

    Raises:
        ValueError: They are.
    """
    (wanted,) = {one.peaks for one in found["onnxruntime"]}
    for arm, engine in (("cold", "onnxruntime"), ("again", "tvmfuse")):
        for one in found[arm]:
            if one.engine != engine:
                raise ValueError(f"{name}, {arm}: {one.engine} ran it, expected {engine}")
            if not np.allclose(one.peaks, wanted, rtol=1e-3, atol=1e-5):
                raise ValueError(f"{name}, {arm}: {one.peaks}, expected {wanted}")


def ratio(found: Mapping[str, list[Sample]], what: str) -> float:
    """Return the median of the rounds' ratios, cold to onnxruntime."""
    pairs = zip(found["cold"], found["onnxruntime"], strict=True)
    return float(statistics.median(getattr(a, what) / getattr(b, what) for a, b in pairs))


def row(name: str, found: Mapping[str, list[Sample]]) -> dict[str, Any]:
    """Return what is said of a model: ms, medians."""

    def ms(arm: str, what: str) -> float:
        return round(1e3 * float(statistics.median(getattr(one, what) for one in found[arm])), 1)

    return {
        "model": name,
        **{f"{arm} {what}": ms(arm, what) for arm, what in product(found, ("wall", "cpu"))},
        "cold / onnxruntime, wall": round(ratio(found, "wall"), 3),
        "cold / onnxruntime, cpu": round(ratio(found, "cpu"), 3),
        "again, from behind numpy, wall": ms("again", "session_wall"),
        "again, from behind numpy, cpu": ms("again", "session_cpu"),
    }


@click.command(cls=Benchmark)
@click.argument("names", nargs=-1, type=click.Choice([*MODELS]))
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(min=1))
@click.option("--json", "as_json", is_flag=True, help="Print every sample.")
def main(names: tuple[str, ...], rounds: int, *, as_json: bool) -> None:
    """Time the first result of models, all by default."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package's code is compiled
    samples: dict[str, Any] = {}
    with new_folder() as folder:
        for name in names or MODELS:
            path = folder / f"{name}.onnx"
            onnx.save(MODELS[name](), path)
            found = measure(path, rounds)
            samples[name] = {arm: [asdict(one) for one in each] for arm, each in found.items()}
            if not as_json:
                said = row(name, found)
                click.echo("  ".join(f"{what} {value}" for what, value in said.items()))
    if as_json:
        show_json(samples)


if __name__ == "__main__":
    main()
