"""How a model's parallel loops would fill more cores than there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tvmfuse.result import Record, Result, view

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True)
class KernelOnCores(Record):
    """One kernel, all of its launches in a run together.

    Attributes:
        kernel: The function's name.
        nodes: The ONNX nodes that it computes.
        calls: How many launches these are.
        microseconds: On one thread.
        serial_microseconds: Of these, outside of parallel loops.
        pieces: Of the loop that has the fewest pieces with something to do; 0 without a loop. Loops
            of a tenth of the longest one's time and less do not count.
        longest: The largest share of such a loop that is one piece of it.
        on_threads: Microseconds on so many threads.
    """

    kernel: str
    nodes: tuple[str, ...]
    calls: int
    microseconds: float
    serial_microseconds: float
    pieces: int
    longest: float
    on_threads: Mapping[int, float]

    def efficiency(self, threads: int) -> float:
        """Return the share of so many threads' time in which they compute."""
        spent = threads * self.on_threads[threads]
        return self.microseconds / spent if spent else 1.0

    def why(self, threads: int) -> str:
        """Say what keeps so many threads from computing; nothing where nine tenths of them do."""
        if self.efficiency(threads) >= ENOUGH:
            return ""
        if not self.pieces:
            return "no parallel loop"
        if self.serial_microseconds * threads > self.microseconds:
            return "mostly outside of its loops"
        if self.pieces < threads:
            return "too few pieces"
        return "uneven pieces"


@dataclass(frozen=True)
class ManyCores(Result):
    """How a model's parallel loops would fill more cores than there are.

    Attributes:
        model: Its name.
        threads: For how many threads it was worked out.
        kernels: All of them, those that take longest on one thread first.
    """

    model: str
    threads: tuple[int, ...]
    kernels: tuple[KernelOnCores, ...]

    def table(self, *, top: int | None = None) -> Table:
        """Return a table for the terminal, at most 100 columns wide.

        Args:
            top: How many kernels it shows; None for all of them.
        """
        drawn: Table = view("terminal").table(self, top=top)
        return drawn

    @property
    def microseconds(self) -> float:
        """Of all kernels, on one thread."""
        return sum(kernel.microseconds for kernel in self.kernels)

    def on_threads(self, threads: int) -> float:
        """Return the microseconds of all kernels on so many threads."""
        return sum(kernel.on_threads[threads] for kernel in self.kernels)

    def efficiency(self, threads: int) -> float:
        """Return the share of so many threads' time in which they compute."""
        spent = threads * self.on_threads(threads)
        return self.microseconds / spent if spent else 1.0

    def lost(self, kernel: KernelOnCores, threads: int) -> float:
        """Return the share of a run on so many threads that a kernel would save, were they full."""
        saved = kernel.on_threads[threads] - kernel.microseconds / threads
        return saved / self.on_threads(threads)


#: Of the threads' time: a kernel that computes in so much of it is well cut.
ENOUGH = 0.9
