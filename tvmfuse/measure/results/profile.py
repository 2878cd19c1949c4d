"""Where the time of a run goes: each kernel, its speed, and the roofline bound."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, Final, Literal

from tvmfuse.measure import words
from tvmfuse.measure.machine import Machine
from tvmfuse.measure.results.conditions import Conditions
from tvmfuse.result import Record, Result, view

if TYPE_CHECKING:
    from rich.table import Table

Bound = Literal["compute", "memory"]

#: The schedule whose operations are not those of the operator.
WINOGRAD: Final = "winograd"

#: More than that of the roofline is not written as 100 %.
ROUNDED: Final = 1.005

#: A run that takes so many times its parts' medians was preempted by other processes.
PREEMPTED: Final = 1.25


@dataclass(frozen=True)
class Copy:
    """How fast so many bytes, read and written ones together, are copied again and again."""

    nbytes: int
    gbytes_per_s: float


@dataclass(frozen=True)
class Product:
    """How many operations a second dot products of narrower numbers reach, two for each product."""

    operands: str
    gops: float


@dataclass(frozen=True)
class Peaks:
    """What the machine reached in the same run, on as many threads."""

    gflops: float
    """Of float32 FMAs on registers, two operations each."""
    copies: tuple[Copy, ...]
    products: tuple[Product, ...] = ()
    """Of int8 and bfloat16, where kernels multiply these."""


@dataclass(frozen=True)
class Line(Record):
    """One launch of a kernel in a run, or several launches of equal kernels together.

    Attributes:
        kernel: The function's name.
        nodes: The ONNX nodes that it computes.
        schedule: The schedule that it took.
        calls: How many launches these are.
        microseconds: The sum of their medians.
        flop: Operations of all of them, floating-point ones and those of products of bytes; None
            where they are not known.
        nbytes: Bytes of their operands and results, each once; None where they are not known.
        roofline_bound: What they cannot be faster than: the slower of FMAs, or dot products, of
            their operands on registers (``compute``) and of a copy of as many bytes (``memory``).
        roofline_microseconds: What they would take if they reached it.
        plan: How its loops run, in a few words.
        operands: What its products multiply: float32, bfloat16 or int8.
    """

    kernel: str
    nodes: tuple[str, ...]
    schedule: str
    calls: int
    microseconds: float
    flop: int | None = None
    nbytes: int | None = None
    roofline_bound: Bound | None = None
    roofline_microseconds: float | None = None
    plan: str = ""
    operands: str = "float32"

    @property
    def gflops(self) -> float | None:
        """GFLOP/s, GOP/s of int8; None where there are no operations, or unknown ones."""
        return self.flop / self.microseconds / 1e3 if self.flop else None

    @property
    def gbytes_per_s(self) -> float | None:
        """GB/s; None where the bytes are not known."""
        return self.nbytes / self.microseconds / 1e3 if self.nbytes is not None else None

    @property
    def roofline_share(self) -> float | None:
        """The share of the roofline bound that is reached; None where no bound is known.

        Nor where it was beaten, which no bound is: that of another moment, when the peak was
        disturbed, or a copy's, which writes as much as it reads.
        """
        bound = self.roofline_microseconds
        return None if bound is None or self.beats_roofline else bound / self.microseconds

    @property
    def beats_roofline(self) -> bool:
        """Whether it took less than what is said to be the least."""
        bound = self.roofline_microseconds
        return bound is not None and bound > ROUNDED * self.microseconds

    def __add__(self, other: Line) -> Line:
        """Take the launches of both, of kernels that are equal, together."""
        return replace(
            self,
            nodes=tuple(dict.fromkeys((*self.nodes, *other.nodes))),
            calls=self.calls + other.calls,
            microseconds=self.microseconds + other.microseconds,
            flop=_both(self.flop, other.flop),
            nbytes=_both(self.nbytes, other.nbytes),
            roofline_microseconds=_both(self.roofline_microseconds, other.roofline_microseconds),
        )


@dataclass(frozen=True)
class Event:
    """One launch in the typical run: when it began, after the run did, and what it took."""

    line: Line
    begin_microseconds: float
    microseconds: float


@dataclass(frozen=True)
class Profile(Result):
    """Where the time of one run goes.

    Attributes:
        model: Its file's name; the graph's where there is no file.
        threads: How many computed.
        target: The TVM target, as JSON.
        level: The level that it was compiled at.
        sizes: Of the symbolic dimensions.
        runs: How many runs were watched.
        launches: Of one run, in order; times are medians over the runs.
        between_microseconds: What a run that nobody watches takes beside its kernels: allocation,
            copies, calls. The median over rounds; 0 where their clocks took more.
        run_milliseconds: The median of a run that nobody watches; None without runs.
        typical_run: The watched run whose kernels, and what is between them, are nearest to their
            medians.
        typical_microseconds: What that run took.
        peaks: None where they were not measured; `no_peaks` says why.
        no_peaks: Words, or nothing.
        warm: Whether times were stable when the warm-up ended.
        interrupted: Whether Ctrl-C ended the measurement.
        seed: Of the inputs and of the order.
        machine: What else the machine did.
        assumed: The symbolic dimensions that nobody fixed.
        compiled_for: The machine that the kernels suit, in a line; nothing where it is not known.
    """

    model: str
    threads: int
    target: str
    level: str
    sizes: dict[str, int]
    runs: int
    launches: tuple[Line, ...]
    between_microseconds: float
    run_milliseconds: float | None
    typical_run: tuple[Event, ...]
    typical_microseconds: float
    peaks: Peaks | None
    no_peaks: str
    warm: bool
    interrupted: bool
    seed: int
    machine: Machine
    assumed: tuple[str, ...] = ()
    compiled_for: str = ""

    @property
    def microseconds(self) -> float:
        """What a run takes: its kernels, and what is between them."""
        return sum(line.microseconds for line in self.launches) + self.between_microseconds

    def share(self, microseconds: float) -> float:
        """Return the part of a run."""
        return microseconds / self.microseconds if self.microseconds else 0.0

    def lines(self, *, each: bool = False) -> list[Line]:
        """Return the launches, or the kernels of equal ones together, the largest first."""
        if each:
            lines = list(self.launches)
        else:
            groups: dict[tuple[str, str], list[Line]] = {}
            for line in self.launches:
                groups.setdefault((line.kernel, line.schedule), []).append(line)
            lines = [reduce(Line.__add__, group) for group in groups.values()]
        return sorted(lines, key=lambda line: -line.microseconds)

    def table(self, *, each: bool = False, top: int | None = None) -> Table:
        """Return the kernels for the terminal, at most 100 columns wide, the largest first.

        Args:
            each: Launch by launch; else equal kernels together, with the number of their calls.
            top: How many lines at most; what is left out is one line.
        """
        drawn: Table = view("terminal").table(self, each=each, top=top)
        return drawn

    def to_trace(self) -> dict[str, Any]:
        """Return the typical run in the Chrome trace event format, for Perfetto."""
        drawn: dict[str, Any] = view("perfetto").trace(self)
        return drawn

    @property
    def conditions(self) -> Conditions:
        """On how many threads it ran, and at which sizes."""
        return Conditions(self.threads, self.sizes, assumed=self.assumed)

    @property
    def banner(self) -> str:
        """Why nothing is claimed of the times; nothing where the machine was quiet."""
        return self.machine.banner

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know before trusting the numbers."""
        notes = [self._peaks_in_words()] if self.runs else []
        notes += [f"compiled for {self.compiled_for}"] if self.compiled_for else []
        if beaten := sum(line.beats_roofline for line in self.lines()):
            notes.append(
                f"no share of the roofline: {words.counted(beaten, 'kernel')} took less than that "
                "bound, which so is none (peaks were disturbed, or it writes less than a copy)"
            )
        if self.run_milliseconds is not None:
            notes.append(
                f"medians of {self.runs} runs; one that nobody watches takes "
                f"{self.run_milliseconds:.4g} ms, and what its kernels do not take is between them"
            )
            if 1e3 * self.run_milliseconds > PREEMPTED * self.microseconds:
                notes.append(
                    "that is more than the medians of the parts together: preempted by other "
                    "processes"
                )
        if any(line.schedule == WINOGRAD for line in self.launches):
            notes.append(
                "Winograd's kernels: the operations are those that they do, fewer than those of "
                "the direct convolution"
            )
        if any(line.nbytes is None for line in self.launches):
            notes.append(
                "kernels without GFLOP/s and GB/s: their work was not counted when the model was "
                "compiled (by a tvmfuse that did not count yet, for another engine, or for sizes "
                "that only a run knows)"
            )
        if self.interrupted:
            notes.append(words.INTERRUPTED)
        elif not self.warm:
            notes.append(words.NOT_WARM)
        return (*notes, *self.conditions.notes, *self.machine.notes)

    def _peaks_in_words(self) -> str:
        if self.peaks is None:
            return f"no roofline: {self.no_peaks}"
        copies = ", ".join(
            f"{copy.gbytes_per_s:.1f} GB/s of {_binary(copy.nbytes)}" for copy in self.peaks.copies
        )
        return (
            "roofline: a kernel is compute-bound (FMA, dot products) or memory-bound (a copy of as "
            "many bytes, rounded up), whichever takes longer; peaks are measured in turn with the "
            "runs: "
            f"{self.peaks.gflops:.1f} GFLOP/s (float32)"
            + "".join(f", {p.gops:.1f} GOP/s ({p.operands})" for p in self.peaks.products)
            + (f"; copies {copies}" if copies else "")
        )


def _both(left: Any, right: Any) -> Any:
    return None if left is None or right is None else left + right


def _binary(nbytes: int) -> str:
    """Write a power of 4.

    >>> _binary(1 << 16), _binary(1 << 22)
    ('64 KiB', '4 MiB')
    """
    return f"{nbytes >> 20} MiB" if nbytes >= 1 << 20 else f"{nbytes >> 10} KiB"
