"""Simulated pools of workers and queues of requests, for more nodes than there are here.

`Pool` is many tasks on many workers: a compile farm, or batches of rows. `Queue` is requests that
arrive on their own, and replicas that answer them. Both run on simpy's clock, from a seed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import simpy

Events: TypeAlias = Generator[Any, Any, None]
"""A process of simpy's."""
Router: TypeAlias = Literal["one queue", "two choices", "random"]

WORKERS: Final = 2
"""Of a node: one for each core."""


@dataclass(frozen=True)
class Task:
    """One piece of work.

    Attributes:
        seconds: Of a core, where nothing of it is kept.
        kind: What it shares kernels with; None where nothing is ever kept.
    """

    seconds: float
    kind: int | None = None


@dataclass(frozen=True)
class Done:
    """What became of all tasks.

    Attributes:
        seconds: Until the last one was done.
        worked: Seconds of cores that they took.
        kept: The share of the tasks that found their kernels.
        limits: How long it had to take at least, by what asks for it.
    """

    seconds: float
    worked: float
    kept: float
    limits: Mapping[str, float]

    @property
    def limit(self) -> str:
        """What asks for most of the time."""
        return max(self.limits, key=lambda name: self.limits[name])


@dataclass(frozen=True)
class Pool:
    """Workers that take tasks from one list, in its order.

    Attributes:
        start_s: That a worker takes before its first task.
        dispatch_s: That the head takes for each task, one after the other.
        nbytes: That a task reads from the storage and writes to it.
        storage: Bytes a second that the storage gives to all nodes together.
        link: Bytes a second of one node.
        ahead: How many tasks a worker asks for beyond the one that it works on.
        kept: The share of its seconds that a task takes whose kernels are kept.
        slow: The share of workers that are stragglers.
        slow_by: How many times as long these take.
        stretch: Seconds of the clock for one of a core: 1 where a worker has a core of its own.
    """

    start_s: float = 0.0
    dispatch_s: float = 0.0
    nbytes: float = 0.0
    storage: float = float("inf")
    link: float = float("inf")
    ahead: int = 0
    kept: float = 1.0
    slow: float = 0.0
    slow_by: float = 1.0
    stretch: float = 1.0

    def run(self, tasks: Sequence[Task], workers: int, *, seed: int = 0) -> Done:
        """Simulate; of a node each has its share of the link."""
        rng = np.random.default_rng(seed)
        state = _Run(self, simpy.Environment(), iter(tasks))
        ends = [
            state.env.process(state.worker(self.slow_by if rng.random() < self.slow else 1.0))
            for _ in range(workers)
        ]
        state.env.run(state.env.all_of(ends))
        bytes_all = self.nbytes * len(tasks)
        limits = {
            "the work": self.start_s + self.stretch * state.worked / workers,
            "the longest task": self.start_s + self.stretch * state.longest,
            "the head": self.start_s + self.dispatch_s * len(tasks),
            "the storage": self.start_s + bytes_all / self.storage,
        }
        return Done(state.env.now, state.worked, state.hits / max(1, len(tasks)), limits)


class _Run:
    """One simulation of a pool."""

    def __init__(self, pool: Pool, env: Any, tasks: Iterator[Task]) -> None:
        self.pool, self.env, self.tasks = pool, env, tasks
        self.head, self.storage = simpy.Resource(env), simpy.Resource(env)
        self.there = set[int]()
        self.worked = self.longest = 0.0
        self.hits = 0

    def worker(self, slow_by: float) -> Events:
        yield self.env.timeout(self.pool.start_s)
        waiting = simpy.Store(self.env, self.pool.ahead) if self.pool.ahead else None
        if waiting is not None:
            self.env.process(self.fetcher(waiting))
        while True:
            task = yield from self.fetched() if waiting is None else _got(waiting)
            if task is None:
                return
            hit = task.kind in self.there
            seconds = task.seconds * slow_by * (self.pool.kept if hit else 1.0)
            yield self.env.timeout(seconds * self.pool.stretch)
            self.hits += hit
            self.worked += seconds
            self.longest = max(self.longest, seconds)
            if task.kind is not None:
                self.there.add(task.kind)

    def fetcher(self, waiting: Any) -> Events:
        """Fetch tasks ahead, for one worker."""
        while True:
            task = yield from self.fetched()
            yield waiting.put(task)
            if task is None:
                return

    def fetched(self) -> Generator[Any, Any, Task | None]:
        """Take the next task: the head's turn, the storage's, and the way there."""
        task = next(self.tasks, None)
        if task is not None:
            yield from self.turn(self.head, self.pool.dispatch_s)
            yield from self.turn(self.storage, self.pool.nbytes / self.pool.storage)
            yield self.env.timeout(self.pool.nbytes * WORKERS / self.pool.link)
        return task

    def turn(self, what: Any, seconds: float) -> Events:
        if seconds:
            with what.request() as mine:
                yield mine
                yield self.env.timeout(seconds)


def _got(store: Any) -> Generator[Any, Any, Task | None]:
    task: Task | None = yield store.get()
    return task


@dataclass(frozen=True)
class Queue:
    """Replicas that answer requests, several at a time.

    Attributes:
        base_s: Of a batch, whatever it holds.
        row_s: Of each request in it.
        spread: What a batch's seconds are multiplied by. Each replica goes through these, from a
            place of its own, so that slow spells last as long as they did.
        most: Requests of a batch.
        router: Who waits where: all in one queue, each at the shorter one of two that it looks at
            (Ray Serve's way), or at any.
    """

    base_s: float
    row_s: float
    spread: Sequence[float] = (1.0,)
    most: int = 1
    router: Router = "one queue"

    def capacity(self, replicas: int) -> float:
        """Return how many requests a second full batches would answer."""
        return replicas * self.most / (self.base_s + self.most * self.row_s)

    def run(self, rate: float, replicas: int, requests: int, *, seed: int = 0) -> np.ndarray:
        """Simulate requests at random times, `rate` a second; return each one's seconds."""
        rng = np.random.default_rng(seed)
        env = simpy.Environment()
        queues = [simpy.Store(env) for _ in range(1 if self.router == "one queue" else replicas)]
        load = [0] * len(queues)
        latencies: list[float] = []

        def replica(place: int) -> Events:
            factors = cycle(np.roll(self.spread, int(rng.integers(len(self.spread)))).tolist())
            while True:
                batch = [(yield queues[place].get())]
                while queues[place].items and len(batch) < self.most:
                    batch.append((yield queues[place].get()))
                yield env.timeout(next(factors) * (self.base_s + self.row_s * len(batch)))
                load[place] -= len(batch)
                latencies.extend(env.now - arrived for arrived in batch)

        def clients() -> Events:
            for gap in rng.exponential(1 / rate, requests):
                yield env.timeout(gap)
                place = self._place(load, rng)
                load[place] += 1
                queues[place].put(env.now)

        for number in range(replicas):
            env.process(replica(number % len(queues)))
        env.process(clients())
        env.run()
        return np.array(latencies)

    def _place(self, load: Sequence[int], rng: np.random.Generator) -> int:
        if len(load) == 1:
            return 0
        seen = rng.integers(len(load), size=2 if self.router == "two choices" else 1)
        return int(min(seen, key=lambda place: load[place]))
