"""What a profile says: each kernel's time, its share, its speed, and the roof above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any, Final, Literal

from rich.table import Table
from rich.text import Text

from tvmfuse.json_safe import finite
from tvmfuse.views.perfetto import trace
from tvmfuse.views.terminal import listed

if TYPE_CHECKING:
    from markupsafe import Markup

Roof = Literal["multiply-adds", "copy"]

#: The schedule whose operations are not those of the operator.
WINOGRAD: Final = "winograd"

#: A run that takes so many times its parts' medians was interrupted by other programs.
DISTURBED: Final = 1.25

#: Lines in the chart; the table has all.
DRAWN: Final = 12


@dataclass(frozen=True)
class Copy:
    """How fast so many bytes, read and written ones together, are copied again and again."""

    nbytes: int
    gbytes_per_s: float


@dataclass(frozen=True)
class Peaks:
    """What the machine reached in the same run, on as many threads."""

    gflops: float
    """float32 multiply-adds on registers, two operations each."""
    copies: tuple[Copy, ...]


@dataclass(frozen=True)
class Line:
    """One launch of a kernel in a run, or several launches of equal kernels together.

    Attributes:
        kernel: The function's name.
        nodes: The ONNX nodes that it computes.
        schedule: The schedule that it took.
        count: How many launches these are.
        microseconds: The sum of their medians.
        flop: Floating-point operations of all of them; None where they are not known.
        nbytes: Bytes of their operands and results, each once; None where they are not known.
        roof: What they cannot be faster than, the slower of both.
        least_microseconds: What they would take under that roof.
        plan: How its loops run, in a few words.
    """

    kernel: str
    nodes: tuple[str, ...]
    schedule: str
    count: int
    microseconds: float
    flop: int | None = None
    nbytes: int | None = None
    roof: Roof | None = None
    least_microseconds: float | None = None
    plan: str = ""

    @property
    def gflops(self) -> float | None:
        """GFLOP/s; None where there are no operations, or unknown ones."""
        return self.flop / self.microseconds / 1e3 if self.flop else None

    @property
    def gbytes_per_s(self) -> float | None:
        """GB/s; None where the bytes are not known."""
        return self.nbytes / self.microseconds / 1e3 if self.nbytes is not None else None

    @property
    def of_roof(self) -> float | None:
        """The share of the roof that is reached."""
        least = self.least_microseconds
        return None if least is None else least / self.microseconds

    def __add__(self, other: Line) -> Line:
        """Take the launches of both, of kernels that are equal, together."""
        return replace(
            self,
            nodes=tuple(dict.fromkeys((*self.nodes, *other.nodes))),
            count=self.count + other.count,
            microseconds=self.microseconds + other.microseconds,
            flop=_both(self.flop, other.flop),
            nbytes=_both(self.nbytes, other.nbytes),
            least_microseconds=_both(self.least_microseconds, other.least_microseconds),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON's types."""
        speeds = {name: getattr(self, name) for name in ("gflops", "gbytes_per_s", "of_roof")}
        return {**asdict(self), **speeds}


@dataclass(frozen=True)
class Event:
    """One launch in the median run: when it began, after the run did, and what it took."""

    line: Line
    begin_microseconds: float
    microseconds: float


@dataclass(frozen=True)
class Profile:
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
        median_run: The watched run whose time is the median, and its microseconds.
        median_microseconds: What that run took.
        peaks: None where they were not measured; `no_peaks` says why.
        no_peaks: Words, or nothing.
        settled: Whether times were stable when the warm-up ended.
        interrupted: Whether Ctrl-C ended the measurement.
        seed: Of the inputs and of the order.
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
    median_run: tuple[Event, ...]
    median_microseconds: float
    peaks: Peaks | None
    no_peaks: str
    settled: bool
    interrupted: bool
    seed: int

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

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know before trusting the numbers."""
        notes = [self._peaks_in_words()] if self.runs else []
        if self.run_milliseconds is not None:
            notes.append(
                f"medians of {self.runs} runs; one that nobody watches takes "
                f"{self.run_milliseconds:.4g} ms, and what its kernels do not take is between them"
            )
            if 1e3 * self.run_milliseconds > DISTURBED * self.microseconds:
                notes.append(
                    "that is more than the medians of the parts together: other programs took "
                    "turns with the runs"
                )
        if any(line.schedule == WINOGRAD for line in self.launches):
            notes.append(
                "Winograd's kernels: the operations are those that they do, fewer than those of "
                "the direct convolution"
            )
        if any(line.nbytes is None for line in self.launches):
            notes.append(
                "kernels without GFLOP/s and GB/s: their work was not counted when the model was "
                "compiled (by a tvmfuse that did not count yet, or for sizes that only a run knows)"
            )
        if self.interrupted:
            notes.append("interrupted: this is what was measured until then")
        elif not self.settled:
            notes.append("times had not become stable when the warm-up ended")
        return tuple(notes)

    def table(self, *, each: bool = False, top: int | None = None) -> Table:
        """Return the kernels for the terminal, at most 100 columns wide, the largest first.

        Args:
            each: Launch by launch; else equal kernels together, with their count.
            top: How many lines at most; what is left out is one line.
        """
        lines = self.lines(each=each)
        shown = lines if top is None else lines[:top]
        sizes = "".join(f", {name}={size}" for name, size in self.sizes.items())
        table = Table(title=Text(f"{self.model}: one run, threads: {self.threads}{sizes}"))
        table.title_justify = "left"
        table.add_column("kernel, its first ONNX node", overflow="fold")
        for column in ("n", "us", "share", "GFLOP/s", "GB/s", "of the roof"):
            table.add_column(column, justify="right", no_wrap=True)
        table.add_column("schedule, plan", overflow="fold")
        for line in shown:
            table.add_row(*self._cells(line))
        if rest := lines[len(shown) :]:
            left = sum(line.microseconds for line in rest)
            table.add_row(f"{len(rest)} more", str(sum(r.count for r in rest)), *self._took(left))
        table.add_row("between kernels", "", *self._took(self.between_microseconds))
        table.add_row("the whole run", "", *self._took(self.microseconds))
        return table

    def to_json(self) -> dict[str, Any]:
        """Return everything but the median run as JSON's types; times are in microseconds."""
        record = asdict(replace(self, launches=(), median_run=()))
        del record["launches"], record["median_run"], record["median_microseconds"]
        return finite(
            {
                **record,
                "microseconds": self.microseconds,
                "launches": self._lines_to_json(each=True),
                "kernels": self._lines_to_json(each=False),
                "between_share": self.share(self.between_microseconds),
                "notes": list(self.notes),
            }
        )

    def to_trace(self) -> dict[str, Any]:
        """Return the median run in the Chrome trace event format; see `trace`."""
        return trace(self)

    def to_html(self) -> Markup:
        """Return the chart, the table and the notes as a fragment of a page."""
        from tvmfuse.views.html import fragment, from_table, paragraph
        from tvmfuse.views.html.charts import Bar, bars

        rows = [Bar(line.kernel, line.microseconds) for line in self.lines()[:DRAWN]]
        chart = bars(rows, axis="microseconds of one run")
        notes = [paragraph(f"{note}.") for note in self.notes]
        return fragment("Where the time goes", chart, from_table(self.table()), *notes)

    def _lines_to_json(self, *, each: bool) -> list[dict[str, Any]]:
        lines: Sequence[Line] = self.launches if each else self.lines()
        return [{**line.to_json(), "share": self.share(line.microseconds)} for line in lines]

    def _cells(self, line: Line) -> list[str | Text]:
        speeds = ["" if s is None else f"{s:.1f}" for s in (line.gflops, line.gbytes_per_s)]
        of_roof = "" if line.of_roof is None else f"{line.of_roof:.0%} {_SHORT[line.roof]}"
        return [
            Text(line.kernel).append(f"\n{listed(line.nodes, 1)}", style="dim"),
            str(line.count),
            *self._took(line.microseconds),
            *speeds,
            of_roof,
            Text(line.schedule).append(f"\n{line.plan}" if line.plan else "", style="dim"),
        ]

    def _took(self, microseconds: float) -> tuple[str, str]:
        return f"{microseconds:.1f}", f"{self.share(microseconds):.1%}"

    def _peaks_in_words(self) -> str:
        if self.peaks is None:
            return f"no roof: {self.no_peaks}"
        copies = ", ".join(
            f"{copy.gbytes_per_s:.1f} GB/s of {_binary(copy.nbytes)}" for copy in self.peaks.copies
        )
        return (
            "the roof is the slower of multiply-adds (mad) and of a copy of as many bytes, rounded "
            f"up, both measured in turn with the runs: {self.peaks.gflops:.1f} GFLOP/s (float32)"
            + (f"; copies {copies}" if copies else "")
        )


_SHORT: Final = {"multiply-adds": "mad", "copy": "copy", None: ""}


def _both(left: Any, right: Any) -> Any:
    return None if left is None or right is None else left + right


def _binary(nbytes: int) -> str:
    """Write a power of 4.

    >>> _binary(1 << 16), _binary(1 << 22)
    ('64 KiB', '4 MiB')
    """
    return f"{nbytes >> 20} MiB" if nbytes >= 1 << 20 else f"{nbytes >> 10} KiB"
