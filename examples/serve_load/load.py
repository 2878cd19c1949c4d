"""Clients that ask without a pause and compare every answer, while replicas die or others drip."""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

from examples.serve.demo import PIXELS
from examples.serve.process import Server
from examples.serve_load.doors import INPUT, OUTPUT, Door
from examples.serve_load.engine import load as load_model

TOLERANCE: Final = 1e-5
"""Between the rows of a batch and the same rows alone; probabilities are at most 1."""
EXAMPLES: Final = 64
MOST_ROWS: Final = 4


@dataclass
class Seen:
    """What clients saw.

    Attributes:
        milliseconds: What each answer took.
        errors: In words: other statuses, other numbers, connections that broke.
        in_flight: Requests that were under way when a replica was killed, until it was gone.
        told: Errors of those: their clients know that they have to ask again.
        held: Connections of slow clients that were open at the end.
        memory_mib: Of the server with all its processes, each second.
    """

    milliseconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    in_flight: int = 0
    told: list[str] = field(default_factory=list)
    held: int = 0
    memory_mib: list[float] = field(default_factory=list)

    @property
    def growth_mib(self) -> float:
        """How much memory grew from the middle of the time to its end, in MiB: medians of 1/8."""
        eighth = max(1, len(self.memory_mib) // 8)
        middle = len(self.memory_mib) // 2
        before = statistics.median(self.memory_mib[middle - eighth : middle + eighth])
        return statistics.median(self.memory_mib[-eighth:]) - before

    def summary(self, seconds: float) -> dict[str, Any]:
        """Return the figures; times in milliseconds, memory in MiB."""
        cuts = statistics.quantiles(self.milliseconds, n=1000)
        return {
            "answers": len(self.milliseconds),
            "answers_per_s": round(len(self.milliseconds) / seconds, 1),
            **{f"p{p / 10:g}_ms": round(cuts[p - 1], 2) for p in (500, 950, 990)},
            "longest_ms": round(max(self.milliseconds), 1),
            "errors": len(self.errors),
            "first_errors": self.errors[:3],
            "in_flight_at_kill": self.in_flight,
            "told": len(self.told),
            "first_told": self.told[:1],
            "slow_connections": self.held,
            "memory_mib": round(self.memory_mib[-1], 1),
            "load_average": round(os.getloadavg()[0], 1),
            "growth_mib": round(self.growth_mib, 2),
        }


@dataclass(frozen=True)
class Example:
    """A request, and the answer that has to come."""

    prepared: Any
    expected: np.ndarray


def examples(door: Door, model: Path) -> list[Example]:
    """Return requests of 1 to `MOST_ROWS` images, with what the model makes of each alone."""
    rng, run, found = np.random.default_rng(0), load_model(model, 1), []
    for _ in range(EXAMPLES):
        rows = int(rng.integers(1, MOST_ROWS + 1))
        images = rng.standard_normal((rows, *PIXELS), dtype=np.float32)
        found.append(Example(door.prepared(images), run({INPUT: images})[OUTPUT]))
    return found


class Load:
    """One run against a server that is up.

    Args:
        door: Its way in.
        server: Its processes.
        asked: Requests with their answers.
        seconds: For which clients ask.
    """

    def __init__(self, door: Door, server: Server, asked: list[Example], seconds: float) -> None:
        self._door, self._server, self._asked = door, server, asked
        self._seconds, self._until = seconds, 0.0
        self._under_way: dict[int, float] = {}
        self._killed: set[tuple[int, float]] = set()
        self._dying = False
        self.seen = Seen()

    async def run(self, clients: int, *, slow: int = 0, kill: bool = False) -> Seen:
        """Let clients ask, each again as soon as it has its answer.

        Args:
            clients: How many.
            slow: Connections beside them that send a byte of a header each second.
            kill: Whether a replica is killed in the middle.
        """
        await self._door.open(self._server, clients)
        self._until = time.monotonic() + self._seconds
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch())
            for _ in range(slow):
                group.create_task(self._drip())
            if kill:
                group.create_task(self._kill())
            for client in range(clients):
                group.create_task(self._client(client))
        await self._door.close()
        return self.seen

    async def _client(self, number: int) -> None:
        turn = number
        while (began := time.monotonic()) < self._until:
            example = self._asked[turn := (turn + 1) % len(self._asked)]
            self._under_way[number] = began
            if self._dying:
                self._killed.add((number, began))
            try:
                found = await self._door.ask(example.prepared)
            except Exception as error:  # each library has classes of its own
                words = f"{type(error).__name__}: {error}"
                known = (number, began) in self._killed
                (self.seen.told if known else self.seen.errors).append(words)
                continue
            finally:
                del self._under_way[number]
            self.seen.milliseconds.append(1000 * (time.monotonic() - began))
            expected = example.expected
            if found.shape != expected.shape or abs(found - expected).max() > TOLERANCE:
                self.seen.errors.append("another request's rows, or wrong numbers")

    async def _kill(self) -> None:
        await asyncio.sleep(self._seconds / 2)
        processes = [max(self._server.named(w), key=_open_files) for w in self._door.replicas]
        self._killed, self._dying = set(self._under_way.items()), True
        for process in processes:
            os.kill(process, signal.SIGKILL)
        while any(map(_is_there, processes)):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)  # until clients' libraries know which connections have ended
        self._dying, self.seen.in_flight = False, len(self._killed)

    async def _drip(self) -> None:
        place = urlsplit(self._server.url)
        while time.monotonic() < self._until:  # where the server closes it, it comes again
            with suppress(OSError):
                _, writer = await asyncio.open_connection(place.hostname, place.port)
                writer.write(b"POST /dripping HTTP/1.1\r\nx-drips: ")
                while time.monotonic() < self._until and not writer.is_closing():
                    writer.write(b"x")
                    await writer.drain()
                    await asyncio.sleep(1)
                self.seen.held += not writer.is_closing()
                writer.close()

    async def _watch(self) -> None:
        while time.monotonic() < self._until:
            self.seen.memory_mib.append(await asyncio.to_thread(self._server.memory_mib))
            await asyncio.sleep(min(1.0, self._seconds / 16))


def _open_files(process: int) -> int:
    """Return how many files a process has open: of workers, the busiest has most connections."""
    return len(list(Path(f"/proc/{process}/fd").iterdir()))


def _is_there(process: int) -> bool:
    """Whether a process that was killed still has its connections: what is sent there is lost."""
    with suppress(FileNotFoundError, ProcessLookupError):
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z" or len(list(Path(f"/proc/{process}/task").iterdir())) > 1
    return False
