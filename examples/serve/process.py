"""A server in processes of its own, for tests: started, asked for its memory, ended."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

import httpx

START_S: Final = 120.0
"""Seconds until all workers have loaded TVM and the model."""
STOP_S: Final = 60.0
ROOT: Final = Path(__file__).parents[2]
PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Server:
    """A server that was started.

    Attributes:
        url: Of the loopback address.
        process: The one that watches over the workers.
    """

    url: str
    process: subprocess.Popen[bytes]

    def memory_mib(self) -> float:
        """Return what it and its workers hold in memory, in MiB; shared pages count in each."""
        pages = 0
        for process in _family(self.process.pid):
            with suppress(FileNotFoundError, ProcessLookupError):  # one that has just ended
                pages += int(Path(f"/proc/{process}/statm").read_text().split()[1])
        return pages * PAGE / 2**20

    def named(self, words: str) -> list[int]:
        """Return its processes whose command line has these words."""
        found = []
        for process in _family(self.process.pid):
            with suppress(FileNotFoundError, ProcessLookupError):
                if words.encode() in Path(f"/proc/{process}/cmdline").read_bytes():
                    found.append(process)
        return found

    def stop(self) -> int:
        """Ask it to end as a supervisor does, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_S)


@contextmanager
def started(model: Path, *, workers: int = 2, **settings: object) -> Iterator[Server]:
    """Start a server at a free port, and end it.

    Args:
        model: The compiled model.
        workers: Processes.
        settings: By the names of `Settings`.

    Raises:
        RuntimeError: It ends, or is not ready in time.
    """
    port = free_port()
    said = {f"SERVE_{name.upper()}": str(value) for name, value in settings.items()}
    command = ["examples.serve", "--model", model, "--port", port, "--workers", workers]
    with running(command, f"http://127.0.0.1:{port}", "/readyz", said) as server:
        yield server


@contextmanager
def running(
    command: Sequence[object],
    url: str,
    ready: str,
    environment: Mapping[str, str] = MappingProxyType({}),
    folder: Path = ROOT,
) -> Iterator[Server]:
    """Start a server, wait until it is ready, and end it with all that it has started.

    Args:
        command: A module of the repository, and its arguments.
        url: Where it listens.
        ready: What it answers with 200 there, once it is ready.
        environment: Variables beside this process' own.
        folder: Where it finds the module.

    Raises:
        RuntimeError: It ends, or is not ready in time.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", *map(str, command)],
        env={**os.environ, **environment}, cwd=folder, start_new_session=True,
    )  # fmt: skip
    server = Server(url, process)
    try:
        _wait(server, ready)
        yield server
    finally:
        # Ray's processes leave the group, and those of one that has died have no parent any more.
        family = [*_family(process.pid)] if process.poll() is None else []
        for end, one in ((os.killpg, process.pid), *((os.kill, one) for one in family)):
            with suppress(ProcessLookupError):
                end(one, signal.SIGKILL)
        process.wait(STOP_S)


def _wait(server: Server, ready: str) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until and server.process.poll() is None:
        try:
            if httpx.get(f"{server.url}{ready}").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError(f"the server is not ready; its exit code is {server.process.poll()}")


def _family(process: int) -> Iterator[int]:
    """Yield a process and all that it has started; one that ends meanwhile is left out."""
    yield process
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _family(int(child))


def free_port() -> int:
    """Return a port of the loopback address at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def metric(text: str, name: str, **labels: str) -> float:
    """Return a number of Prometheus' text format; 0 where it was never counted."""
    inner = ",".join(f'{key}="{value}"' for key, value in labels.items())
    return next(iter(_values(text, f"{name}{{{inner}}}" if labels else name)), 0.0)


def _values(text: str, series: str) -> Iterator[float]:
    for line in text.splitlines():
        found, _, value = line.rpartition(" ")
        if found == series:
            yield float(value)
