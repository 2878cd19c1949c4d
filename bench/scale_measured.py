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
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx

import tvmfuse
from bench import machine
from bench.light_models import light_model
from bench.scale_record import Batches, Farm, Measured, Serving
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
BATCH: Final = 64
EMPTY_BLOCKS: Final = 200
"""Of one batch each, so that hardly anything but the head's part is left."""
TEXTS: Final = 128
"""Of a request, so that answering it takes milliseconds and Python's own time is little of it."""
MOST: Final = 4
"""Requests of a batch."""
USES: Final = (0.5, 0.8)


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
        say("requests, alone")
        base_s, row_s, spread = _alone(folder)
        serving = []
        for replicas, use in product((1, 2), USES):
            say(f"requests, {replicas} replicas, {use:.0%} busy")
            serving.append(_serving(folder, replicas, use))
    return Measured(
        machine.record(), nbytes, starts[0], farm, actor_s, dispatch_s, batches,
        base_s, row_s, spread, serving,
    )  # fmt: skip


_alike: list[Any] = []
"""In a worker: the barrier at which all of them wait."""


def _begin(cores: Any, barrier: Any) -> None:
    """Make a worker of this process, on one core."""
    os.sched_setaffinity(0, {cores.get()})
    _alike.append(barrier)
    graph = "net (float[4] x) => (float[4] y) { y = Relu(x) }"
    relu = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> {graph}')
    tvmfuse.compile(relu, cache=False)


def _ready(_: int) -> float:
    """Wait for the others; return the seconds of a core that it took to start."""
    _alike[0].wait()
    return _cpu_s()


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
    """Return what a worker took to start, and what they took for all files."""
    cache = str(folder / ("cache-2" if kept else f"cache-{workers}"))
    context = multiprocessing.get_context("spawn")
    cores = context.Queue()
    for core in sorted(os.sched_getaffinity(0))[:workers]:
        cores.put(core)
    barrier = context.Barrier(workers)
    with ProcessPoolExecutor(workers, context, _begin, (cores, barrier)) as pool:
        begun = statistics.mean(pool.map(_ready, range(workers)))
        start = time.monotonic()
        tasks = [(str(folder / f"{m}.onnx"), t, cache) for m, t in product(FARM, TARGETS)]
        found = [*pool.map(_compile, tasks)]
        end = time.monotonic()
    cpu, wall = zip(*found, strict=True)
    return begun, Farm(workers, kept, end - start, cpu, wall)


class TimedPredictor:
    """Runs the model of texts on columns ``tokens``, and tells seconds in place of scores."""

    def __init__(self, model: str) -> None:
        from tvmfuse.fleet.batch_predictor import BatchPredictor

        self._predict = BatchPredictor(model)

    def __call__(self, batch: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return a row for the batch: what the model took, and when it began, in ``actor``."""
        clock, process = time.time(), time.process_time()
        start, cpu = time.perf_counter(), time.thread_time()
        self._predict(batch)
        took = {
            "cpu_s": time.thread_time() - cpu,
            "wall_s": time.perf_counter() - start,
            "clock_s": clock,
            "process_s": process,
            "actor": os.getpid(),
        }
        return {name: np.array([value]) for name, value in took.items()}


def token_rows(batch: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return ``tokens`` for as many rows."""
    rng = np.random.default_rng(0)
    return {"tokens": rng.integers(0, VOCABULARY, (len(batch["id"]), TOKENS))}


def _batches(folder: Path) -> tuple[float, float, list[Batches]]:
    """Return what an actor takes to start, what a block takes of the head, and two runs."""
    path = folder / "texts.so"
    tvmfuse.compile(text_model(), specialize={"batch": BATCH}).save(path)
    with two_nodes(memory=200 << 20):
        import ray

        def tokens(rows: int, blocks: int) -> Any:
            numbers = ray.data.range(rows, override_num_blocks=blocks)
            return numbers.map_batches(token_rows, batch_size=None).materialize()

        def run(data: Any, actors: int) -> Batches:
            start, begun = time.perf_counter(), time.time()
            found = data.map_batches(
                TimedPredictor,
                fn_constructor_kwargs={"model": str(path)},
                compute=ray.data.ActorPoolStrategy(size=actors),
                num_cpus=1,
                resources={PLACE: 1},
                batch_size=BATCH,
                batch_format="numpy",
                zero_copy_batch=True,
            ).to_pandas()
            seconds = time.perf_counter() - start
            by_actor = found.groupby("actor")
            first, last = by_actor.min(), by_actor.max()
            started.append(float(first["process_s"].mean()))
            per_batch = (last["process_s"] - first["process_s"]).sum() / max(
                1, len(found) - len(first)
            )
            return Batches(
                actors,
                seconds,
                float(first["clock_s"].mean()) - begun,
                float(per_batch * len(found) / data.num_blocks()),
                float(found["wall_s"].sum() / found["cpu_s"].sum()),
            )

        started: list[float] = []
        # Ray Data puts blocks of less than a batch together.
        few, many = tokens(BATCH, 1), tokens(BATCH * EMPTY_BLOCKS, EMPTY_BLOCKS)
        data = tokens(ROWS, BLOCKS)
        run(few, 1)  # the first one imports, too
        head = [time.process_time()]
        for rows in (few, many):
            run(rows, 1)
            head.append(time.process_time())
        dispatch_s = (head[2] - 2 * head[1] + head[0]) / (EMPTY_BLOCKS - 1)
        runs = [run(data, actors) for actors in (1, 2)]
        return statistics.median(started), dispatch_s, runs


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
    p50, p99 = 1e3 * np.quantile(latencies, (0.5, 0.99))
    return Serving(replicas, rate, *_fitted(batches), (p50, p99))


def _alone(folder: Path) -> tuple[float, float, list[float]]:
    """Return what batches take of a core, whatever else runs; see `_fitted`."""
    rng = np.random.default_rng(0)
    model = tvmfuse.load(folder / "texts.so", num_threads=1)
    batches = []
    for number in range(200):
        size = 1 + number % MOST
        rows = rng.integers(0, VOCABULARY, (size * TEXTS, TOKENS))
        start = time.thread_time()
        model.call({"tokens": rows})
        batches.append((size, time.thread_time() - start))
    return _fitted(batches)


def _fitted(batches: Sequence[tuple[int, float]]) -> tuple[float, float, list[float]]:
    """Return what a batch takes whatever it holds, for each request in it, and their spread."""
    sizes, took = (np.array(values, float) for values in zip(*batches, strict=True))
    base_s = max(0.0, float(np.polyfit(sizes, took, 1)[1])) if len({*sizes}) > 1 else 0.0
    row_s = float((took - base_s).sum() / sizes.sum())
    spread = took / (base_s + row_s * sizes)
    return base_s, row_s, [round(float(value), 3) for value in spread]


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
