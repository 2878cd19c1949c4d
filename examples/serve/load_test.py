"""The load test: clients on the loopback address that ask without a pause, and compare.

``python -m examples.serve.load_test --clients 50 --seconds 120`` starts a server with two workers,
and ends with 1 where an answer was wrong or missing, or where memory grew.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import click
import httpx
import numpy as np

import tvmfuse
from examples.serve.demo import PIXELS, save_demo
from examples.serve.process import Server, metric, started

TOLERANCE: Final = 1e-5
"""Between the rows of a batch and the same rows alone; probabilities are at most 1."""
GROWTH_MIB: Final = 16.0
"""Of all workers together, from a quarter of the time to its end."""
EXAMPLES: Final = 64
MOST_ROWS: Final = 4


@dataclass
class Load:
    """What clients saw.

    Attributes:
        clients: That asked at the same time.
        seconds: For which they asked.
        milliseconds: What each answer took, as its client saw it.
        errors: In words: other statuses, other numbers, connections that broke.
        memory_mib: Of the server with its workers, each second.
        rows_per_run: That the server batched, on average.
    """

    clients: int
    seconds: float
    milliseconds: list[float] = field(default_factory=list, repr=False)
    errors: list[str] = field(default_factory=list)
    memory_mib: list[float] = field(default_factory=list, repr=False)
    rows_per_run: float = 0.0

    def summary(self) -> dict[str, Any]:
        """Return the figures; times in milliseconds, memory in MiB."""
        cuts = statistics.quantiles(self.milliseconds, n=1000)
        record = asdict(self)
        del record["milliseconds"], record["memory_mib"]
        return {
            **record,
            "requests": len(self.milliseconds),
            "requests_per_s": round(len(self.milliseconds) / self.seconds, 1),
            **{f"p{p / 10:g}_ms": round(cuts[p - 1], 2) for p in (500, 950, 990, 999)},
            "memory_mib": round(self.memory_mib[-1], 1),
            "growth_mib": round(self.growth_mib, 2),
        }

    @property
    def growth_mib(self) -> float:
        """How much memory grew after a quarter of the time, in MiB."""
        return self.memory_mib[-1] - self.memory_mib[len(self.memory_mib) // 4]


@dataclass(frozen=True)
class Example:
    """A request, as it is sent, and the answer that has to come."""

    body: bytes
    expected: np.ndarray


def examples(model: tvmfuse.Executable) -> list[Example]:
    """Return requests of 1 to `MOST_ROWS` images, with what the model makes of each alone."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(EXAMPLES):
        rows = int(rng.integers(1, MOST_ROWS + 1))
        images = rng.standard_normal((rows, *PIXELS), dtype=np.float32)
        body = json.dumps({"inputs": {"image": images.tolist()}}).encode()
        found.append(Example(body, model({"image": images})["probabilities"]))
    return found


async def load(server: Server, asked: list[Example], *, clients: int, seconds: float) -> Load:
    """Let clients ask, each again as soon as it has its answer."""
    seen, until = Load(clients, seconds), time.monotonic() + seconds
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
    headers = {"content-type": "application/json"}
    async with httpx.AsyncClient(
        base_url=server.url, limits=limits, headers=headers, timeout=30
    ) as http:
        async with asyncio.TaskGroup() as group:
            group.create_task(_watch(server, seen, until))
            for client in range(clients):
                group.create_task(_client(http, asked[client % EXAMPLES :], seen, until))
        text = (await http.get("/metrics")).text
        runs = metric(text, "serve_batch_rows_count")
        seen.rows_per_run = round(metric(text, "serve_batch_rows_sum") / max(runs, 1), 2)
        answered = metric(text, "serve_requests_total", status="200")
    if answered != len(seen.milliseconds):
        seen.errors.append(f"{len(seen.milliseconds)} answers, and the server counts {answered}")
    return seen


async def _client(http: httpx.AsyncClient, asked: list[Example], seen: Load, until: float) -> None:
    turn = 0
    while time.monotonic() < until:
        example = asked[turn := (turn + 1) % len(asked)]
        start = time.perf_counter()
        try:
            answer = await http.post("/v1/predict", content=example.body)
        except httpx.HTTPError as error:
            seen.errors.append(f"{type(error).__name__}: {error}")
            continue
        if answer.status_code != 200:
            seen.errors.append(f"{answer.status_code}: {answer.text}")
            continue
        seen.milliseconds.append(1000 * (time.perf_counter() - start))
        found = np.asarray(answer.json()["outputs"]["probabilities"], np.float32)
        if found.shape != example.expected.shape or abs(found - example.expected).max() > TOLERANCE:
            seen.errors.append("another request's rows, or wrong numbers")


async def _watch(server: Server, seen: Load, until: float) -> None:
    while time.monotonic() < until:
        seen.memory_mib.append(server.memory_mib())
        await asyncio.sleep(min(1.0, seen.seconds / 8))


@click.command()
@click.option("--clients", type=click.IntRange(1, EXAMPLES), default=50, show_default=True)
@click.option("--seconds", type=click.FloatRange(min=1), default=120.0, show_default=True)
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True)
def main(*, clients: int, seconds: float, workers: int) -> None:
    """Start a server at a free port of the loopback address, and ask it without a pause."""
    with tempfile.TemporaryDirectory() as folder:
        path = save_demo(Path(folder))
        asked = examples(tvmfuse.load(path))
        with started(path, workers=workers) as server:
            seen = asyncio.run(load(server, asked, clients=clients, seconds=seconds))
            code = server.stop()
    if code:
        seen.errors.append(f"the server ended with {code}")
    click.echo(json.dumps(seen.summary(), indent=2))
    if seen.errors or seen.growth_mib > GROWTH_MIB:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
