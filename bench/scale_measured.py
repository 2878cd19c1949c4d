"""What the simulations are given, and what they have to agree with: measured with 1 and 2 workers.

Compilations in processes of their own, each on one core; rows by Ray Data's actors on two nodes;
requests at random times for replicas that are threads. Where other programs want the cores, a
worker takes more seconds of the clock than of its core: `stretch` says how many times as many.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import onnx

import tvmfuse
from bench import machine
from bench.light_models import light_model
from examples.batch_ray.cluster import PLACE, two_nodes
from examples.batch_ray.models import TOKENS, VOCABULARY, image_model, text_model

FARM: Final[Mapping[str, Callable[[], onnx.ModelProto]]] = {
    "squeezenet": lambda: light_model("squeezenet"),
    "shufflenet": lambda: light_model("shufflenet"),
    "images": image_model,
    "texts": text_model,
}
TARGETS: Final = ("avx2", "avx512")
ROWS: Final = 100_000
BLOCKS: Final = 64
EMPTY_BLOCKS: Final = 200
TEXTS: Final = 128
"""Of a request, so that answering it takes milliseconds and Python's own time is little of it."""
MOST: Final = 4
"""Requests of a batch."""
USES: Final = (0.5, 0.8)


@dataclass(frozen=True)
class Farm:
    """Compilations by some workers.

    Attributes:
        workers: Each on a core of its own.
        kept: Whether the kernels were there.
        seconds: Until the last one was done.
        cpu: Seconds of a core that each took.
        wall: Seconds of the clock that each took.
    """

    workers: int
    kept: bool
    seconds: float
    cpu: Sequence[float]
    wall: Sequence[float]

    @property
    def stretch(self) -> float:
        """Seconds of the clock for one of a core."""
        return sum(self.wall) / sum(self.cpu)


@dataclass(frozen=True)
class Batches:
    """Rows by some actors.

    Attributes:
        actors: Of one CPU.
        seconds: From the pipeline's start to the last row.
        block_s: Seconds of a core that the model took for a block.
        stretch: Seconds of the clock for one of a core, in the model.
    """

    actors: int
    seconds: float
    block_s: float
    stretch: float


@dataclass(frozen=True)
class Serving:
    """Requests at random times.

    Attributes:
        replicas: Threads.
        rate: Requests a second.
        base_s: Of a batch, whatever it holds, on the clock.
        row_s: Of each request in it.
        spread: What batches took, by what `base_s` and `row_s` say.
        milliseconds: Of the requests, their quantiles 0.5 and 0.99.
    """

    replicas: int
    rate: float
    base_s: float
    row_s: float
    spread: Sequence[float]
    milliseconds: tuple[float, float]


@dataclass(frozen=True)
class Measured:
    """All that was measured.

    Attributes:
        where: Command, commit, machine, versions.
        nbytes: Of a compiled file, the mean.
        worker_s: That a worker of the farm takes until it can compile.
        farm: With 1 and 2 workers, and with kernels kept.
        actor_s: That Ray Data's actors take until the first row is back.
        dispatch_s: That Ray Data takes for a block without work.
        batches: With 1 and 2 actors.
        serving: With 1 and 2 replicas.
    """

    where: Mapping[str, Any]
    nbytes: float
    worker_s: float
    farm: Sequence[Farm]
    actor_s: float
    dispatch_s: float
    batches: Sequence[Batches]
    serving: Sequence[Serving]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON's types."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return what `to_json` wrote down."""
        kinds: dict[str, Callable[..., Any]] = {
            "farm": Farm,
            "batches": Batches,
            "serving": Serving,
        }
        found: dict[str, Any] = {
            name: [kinds[name](**one) for one in value] if name in kinds else value
            for name, value in record.items()
        }
        return cls(**found)


def measure(say: Callable[[str], None]) -> Measured:
    """Measure all of it, which takes some minutes; `say` hears what comes next."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for model, build in FARM.items():
            onnx.save(build(), folder / f"{model}.onnx")
        starts, farm = [], []
        for workers, kept in ((1, False), (2, False), (2, True)):
            say(f"compilations, {workers} workers{', kernels kept' * kept}")
            start, arm = _farm(folder, workers, kept=kept)
            starts.append(start)
            farm.append(arm)
        nbytes = statistics.mean(file.stat().st_size for file in folder.glob("*.so"))
        say("rows, 1 and 2 actors")
        actor_s, dispatch_s, batches = _batches(folder)
        serving = []
        for replicas, use in product((1, 2), USES):
            say(f"requests, {replicas} replicas, {use:.0%} busy")
            serving.append(_serving(folder, replicas, use))
    return Measured(
        machine.record(), nbytes, starts[0], farm, actor_s, dispatch_s, batches, serving
    )


_alike: list[Any] = []
"""In a worker: the barrier at which all of them wait."""


def _begin(cores: Any, barrier: Any) -> None:
    """Make a worker of this process, on one core."""
    os.sched_setaffinity(0, {cores.get()})
    _alike.append(barrier)
    graph = "net (float[4] x) => (float[4] y) { y = Relu(x) }"
    relu = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> {graph}')
    tvmfuse.compile(relu, cache=False)


def _ready(_: int) -> None:
    _alike[0].wait()


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _compile(task: tuple[str, str, str]) -> tuple[float, float]:
    """Compile one file; return the seconds of the core and of the clock."""
    path, target, cache = task
    start, cpu = time.monotonic(), _cpu_s()
    saved = Path(path).with_suffix(f".{target}.so")
    tvmfuse.compile(path, target=target, cache=cache).save(saved)
    return _cpu_s() - cpu, time.monotonic() - start


def _farm(folder: Path, workers: int, *, kept: bool) -> tuple[float, Farm]:
    """Return how long the workers took to start, and what they took for all files."""
    cache = str(folder / ("cache-2" if kept else f"cache-{workers}"))
    context = multiprocessing.get_context("spawn")
    cores = context.Queue()
    for core in sorted(os.sched_getaffinity(0))[:workers]:
        cores.put(core)
    begun = time.monotonic()
    barrier = context.Barrier(workers)
    with ProcessPoolExecutor(workers, context, _begin, (cores, barrier)) as pool:
        [*pool.map(_ready, range(workers))]
        start = time.monotonic()
        tasks = [(str(folder / f"{m}.onnx"), t, cache) for m, t in product(FARM, TARGETS)]
        found = [*pool.map(_compile, tasks)]
        end = time.monotonic()
    cpu, wall = zip(*found, strict=True)
    return start - begun, Farm(workers, kept, end - start, cpu, wall)


class TimedPredictor:
    """Runs the model of texts on columns ``tokens``, and tells seconds in place of scores."""

    def __init__(self, model: str) -> None:
        from tvmfuse.fleet.batch_predictor import BatchPredictor

        self._predict = BatchPredictor(model)

    def __call__(self, batch: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return a row of ``cpu_s`` and ``wall_s`` for the batch."""
        start, cpu = time.perf_counter(), time.thread_time()
        self._predict(batch)
        took = {"cpu_s": time.thread_time() - cpu, "wall_s": time.perf_counter() - start}
        return {name: np.array([value]) for name, value in took.items()}


def token_rows(batch: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return ``tokens`` for as many rows."""
    rng = np.random.default_rng(0)
    return {"tokens": rng.integers(0, VOCABULARY, (len(batch["id"]), TOKENS))}


def _batches(folder: Path) -> tuple[float, float, list[Batches]]:
    """Return what actors take to start, what a block takes without work, and two runs."""
    path = folder / "texts.so"
    tvmfuse.compile(text_model(), specialize={"batch": 64}).save(path)
    with two_nodes(memory=200 << 20):
        import ray

        def tokens(rows: int, blocks: int) -> Any:
            numbers = ray.data.range(rows, override_num_blocks=blocks)
            return numbers.map_batches(token_rows, batch_size=None).materialize()

        def run(data: Any, actors: int) -> Batches:
            start = time.perf_counter()
            found = data.map_batches(
                TimedPredictor,
                fn_constructor_kwargs={"model": str(path)},
                compute=ray.data.ActorPoolStrategy(size=actors),
                num_cpus=1,
                resources={PLACE: 1},
                batch_size=64,
                batch_format="numpy",
                zero_copy_batch=True,
            ).to_pandas()
            seconds, cpu = time.perf_counter() - start, found["cpu_s"].sum()
            return Batches(actors, seconds, cpu / data.num_blocks(), found["wall_s"].sum() / cpu)

        few, many, data = tokens(2, 2), tokens(EMPTY_BLOCKS, EMPTY_BLOCKS), tokens(ROWS, BLOCKS)
        actor_s = statistics.median(run(few, 1).seconds for _ in range(2))
        dispatch_s = max(0.0, run(many, 1).seconds - actor_s) / EMPTY_BLOCKS
        return actor_s, dispatch_s, [run(data, actors) for actors in (1, 2)]


def _serving(folder: Path, replicas: int, use: float, seconds: float = 10.0) -> Serving:
    """Answer requests at random times for some seconds; `use` is by what one replica can do."""
    path = folder / "texts.so"
    rng = np.random.default_rng(0)
    request = rng.integers(0, VOCABULARY, (TEXTS, TOKENS))
    models = [tvmfuse.load(path, num_threads=1) for _ in range(replicas)]
    alone = _seconds_alone(models, np.concatenate([request] * MOST))
    rate = use * replicas * MOST / alone
    waiting: queue.SimpleQueue[float | None] = queue.SimpleQueue()
    latencies: list[float] = []
    batches: list[tuple[int, float]] = []

    def replica(model: tvmfuse.Executable) -> None:
        for arrived in _batches_of(waiting):
            start = time.perf_counter()
            model.call({"tokens": np.concatenate([request] * len(arrived))})
            end = time.perf_counter()
            batches.append((len(arrived), end - start))
            latencies.extend(end - one for one in arrived)

    threads = [threading.Thread(target=replica, args=(model,)) for model in models]
    for thread in threads:
        thread.start()
    due = time.perf_counter()
    for gap in rng.exponential(1 / rate, int(rate * seconds)):
        due += gap
        time.sleep(max(0.0, due - time.perf_counter()))
        waiting.put(due)
    for _ in models:
        waiting.put(None)
    for thread in threads:
        thread.join()
    sizes, took = map(np.array, zip(*batches, strict=True))
    row_s, base_s = np.polyfit(sizes, took, 1) if len({*sizes}) > 1 else (took.mean(), 0.0)
    base_s = max(0.0, base_s)
    row_s = float((took - base_s).sum() / sizes.sum())
    spread = took / (base_s + row_s * sizes)
    p50, p99 = 1e3 * np.quantile(latencies, (0.5, 0.99))
    return Serving(replicas, rate, base_s, row_s, _short(spread), (p50, p99))


def _seconds_alone(models: Sequence[tvmfuse.Executable], rows: np.ndarray) -> float:
    """Return what a full batch takes while all replicas are busy, on the clock."""

    def busy(model: tvmfuse.Executable) -> None:
        for _ in range(100):
            model.call({"tokens": rows})

    start = time.perf_counter()
    threads = [threading.Thread(target=busy, args=(model,)) for model in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (time.perf_counter() - start) / 100


def _batches_of(waiting: queue.SimpleQueue[float | None]) -> Iterator[list[float]]:
    """Yield what waits, `MOST` at a time, until there is nothing more to come."""
    while (first := waiting.get()) is not None:
        batch = [first]
        while len(batch) < MOST:
            try:
                more = waiting.get_nowait()
            except queue.Empty:
                break
            if more is None:
                waiting.put(None)
                break
            batch.append(more)
        yield batch


def _short(spread: np.ndarray) -> list[float]:
    """Return 200 quantiles, whose mean is 1."""
    found = np.quantile(spread, (np.arange(200) + 0.5) / 200)
    return [float(value) for value in np.round(found / found.mean(), 4)]
