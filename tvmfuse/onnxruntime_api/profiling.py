"""The trace of a session's runs: a JSON list of events, as onnxruntime writes one, for Perfetto."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tvmfuse.runtime.executable import Executable


class Profiler:
    """Notes what a session does, and writes it once.

    A run is done twice: once for what it gives, and once for the times of its kernels.

    Args:
        prefix: What the file's name begins with; the time follows.

    Attributes:
        started: When it began, in nanoseconds of `time.monotonic_ns`.
    """

    def __init__(self, prefix: str) -> None:
        self.started = time.monotonic_ns()
        now = datetime.now().astimezone()
        stamp = f"{now:%Y-%m-%d_%H-%M-%S}_{now.microsecond // 1000:03}"
        self._path = f"{prefix}_{stamp}.json"
        self._events: list[dict[str, Any]] | None = []
        self._lock = threading.Lock()

    def noted(self, name: str, work: Callable[[], Any]) -> Any:
        """Do something, and note how long it took."""
        begin = time.monotonic_ns()
        result = work()
        self._note("Session", name, begin, (time.monotonic_ns() - begin) / 1e3, {})
        return result

    def run(
        self, executable: Executable, names: Sequence[str] | None, feeds: Mapping[str, Any]
    ) -> list[Any]:
        """Run, and note the run; run once more, and note each kernel."""
        results: list[Any] = self.noted("model_run", lambda: executable.run(names, feeds))
        self._note_kernels(executable, feeds)
        return results

    def end(self) -> str:
        """Write the file, the first time, and return its name; later an empty text."""
        with self._lock:
            events, self._events = self._events, None
        if events is None:
            return ""
        lines = ",\n".join(json.dumps(event, separators=(",", " :")) for event in events)
        with open(self._path, "w", encoding="utf-8") as file:
            file.write(f"[\n{lines}\n]\n")
        return self._path

    def _note_kernels(self, executable: Executable, feeds: Mapping[str, Any]) -> None:
        if self._events is None:
            return
        begin = time.monotonic_ns()
        for kernel, start, took in executable.timed(feeds).launches:
            words = {"op_name": kernel.symbol, "nodes": [*kernel.nodes]}
            self._note("Node", kernel.symbol, begin + round(start * 1e6), took * 1e3, words)

    def _note(
        self, category: str, name: str, begin: int, microseconds: float, args: dict[str, Any]
    ) -> None:
        event = {
            "cat": category,
            "pid": os.getpid(),
            "tid": threading.get_native_id(),
            "dur": round(microseconds, 3),
            "ts": (begin - self.started) / 1e3,
            "ph": "X",
            "name": name,
            "args": args,
        }
        with self._lock:
            if self._events is not None:
                self._events.append(event)
