"""What `ablate` found: each pass switched off alone, and on alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from rich.table import Table
from rich.text import Text

from tvmfuse.json_safe import finite
from tvmfuse.measure.machine import Machine
from tvmfuse.measure.many import Contender, Timing
from tvmfuse.measure.statistics import Ratio

if TYPE_CHECKING:
    from markupsafe import Markup

Status = Literal["measured", "same kernels", "right", "wrong", "failed", "not measured"]

NOTHING: Final = (
    "no pass fires on this model at level all, so there is none to switch off: `tvmfuse explain` "
    "says what each looked for, `tvmfuse profile` where the time goes"
)


@dataclass(frozen=True)
class Outcome:
    """What came of one arm.

    Attributes:
        status: Whether it was timed, or why not; ``right`` where there is nothing to time it with.
        gain: How many times as fast the model is with the pass as without it; above 1 it pays.
        timing: The arm's times.
        problem: Where the numbers are wrong, or it fails, what is.
    """

    status: Status
    gain: Ratio | None = None
    timing: Timing | None = None
    problem: str | None = None

    @classmethod
    def of(cls, side: str, contender: Contender) -> Outcome:
        """Read a contender: ``off`` is the arm without the pass, ``on`` the one with it."""
        if contender.failure:
            return cls("failed", timing=contender.timing, problem=contender.failure)
        if contender.problem:
            return cls("wrong", timing=contender.timing, problem=contender.problem)
        if contender.ratio is None:
            return cls("not measured", timing=contender.timing)
        gain = contender.ratio if side == "off" else contender.ratio.inverse
        return cls("measured", gain, contender.timing)

    @property
    def words(self) -> str:
        """The gain, or why there is none."""
        if self.gain is None:
            return self.status
        return self.gain.short if self.gain.effect else f"none shown: {self.gain.short}"

    @property
    def size(self) -> float:
        """The gain as a number to sort by; 1 where none is known."""
        return self.gain.median if self.gain else 1.0


@dataclass(frozen=True)
class PassEffect:
    """What one pass is worth.

    Attributes:
        name: The pass.
        tier: Its level.
        fired: The number of its rewrites at level all; 0 where it fails there.
        off: Level all without it.
        on: It alone over level none.
    """

    name: str
    tier: str
    fired: int
    off: Outcome
    on: Outcome

    @property
    def size(self) -> tuple[bool, float, float]:
        """What to sort by: those that were timed first, then the gain."""
        timed = bool(self.off.gain or self.on.gain)
        return timed, self.off.size, self.on.size


@dataclass(frozen=True)
class Ablation:
    """Every pass that fires on a model, by its effect.

    Attributes:
        model: Its name.
        effects: The largest gain first; last those that change no kernel.
        confidence: With which all intervals together hold the truth.
        tolerance: Of the output's largest magnitude.
        settled: Whether times were stable when each warm-up ended.
        interrupted: Whether Ctrl-C cut it short.
        seed: Of the inputs, the order and the bootstrap.
        machine: What else the machine did, at worst; None where nothing was timed.
        problem: Why no time was taken in level all: it fails, or its numbers are wrong.
    """

    model: str
    effects: tuple[PassEffect, ...]
    confidence: float
    tolerance: float
    settled: bool
    interrupted: bool
    seed: int
    machine: Machine | None
    problem: str | None = None

    def __getitem__(self, name: str) -> PassEffect:
        return next(effect for effect in self.effects if effect.name == name)

    @property
    def idle(self) -> tuple[str, ...]:
        """The passes without which, at level all, the same kernels are launched."""
        return tuple(e.name for e in self.effects if e.off.status == "same kernels")

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know before trusting the numbers."""
        notes = [*self._of_level_all(), *([NOTHING] if self._empty else [])]
        if self.idle:
            notes.append(f"the same kernels are launched without {', '.join(self.idle)}")
        for effect in self.effects:
            for arm, outcome in (("without", effect.off), ("only", effect.on)):
                if outcome.problem and not (self.problem and outcome is effect.off):
                    status = f"{outcome.status}, so not timed"
                    notes.append(f"{arm} {effect.name}: {status}: {outcome.problem}")
        if self.interrupted:
            notes.append("interrupted: this is what was measured until then")
        elif not self.settled:
            notes.append("times had not become stable when a warm-up ended")
        return (*notes, *(self.machine.notes if self.machine else ()))

    @property
    def _empty(self) -> bool:
        return not (self.effects or self.interrupted)

    def _of_level_all(self) -> tuple[str, ...]:
        if self.problem is None:
            return ()
        right = [e.name for e in self.effects if e.off.status == "right"]
        words = f"nothing was timed in level all: {self.problem}"
        if right:
            return words, f"right is level all without {', or without '.join(right)}"
        asked = any(e.off.status in ("wrong", "failed") for e in self.effects)
        return (words, "no single pass makes level all right by its absence") if asked else (words,)

    def table(self) -> Table:
        """Return a row for each pass, at most 100 columns wide; words where no pass fires."""
        title = Text(f"{self.model}: what each pass gains")
        if self._empty:
            return _in_words(title, *self.notes)
        head = (
            "How many times as fast the model is with the pass as without it; "
            f"all intervals hold at {self.confidence * 100:g} %"
        )
        table = Table(title=title, caption=Text("\n".join([head, *self.notes])))
        table.title_justify = table.caption_justify = "left"
        table.add_column("pass", overflow="fold")
        table.add_column("fired", justify="right", no_wrap=True)
        table.add_column("in level all", overflow="fold")
        table.add_column("alone over level none", overflow="fold")
        for e in self.effects:
            shown = bool(e.off.gain and e.off.gain.effect) or bool(e.on.gain and e.on.gain.effect)
            cells = (Text(e.name), str(e.fired), Text(e.off.words), Text(e.on.words))
            table.add_row(*cells, style=None if shown else "dim")
        return table

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON's types; times are in milliseconds."""
        machine = self.machine.to_json() if self.machine else None
        return finite({**asdict(self), "machine": machine, "notes": self.notes})

    def to_html(self) -> Markup:
        """Return the chart and the table as a fragment of a page."""
        from tvmfuse.views.html import fragment, from_table, paragraph

        if self._empty:
            words = [paragraph(f"{note}.") for note in self.notes]
            return fragment("What each pass gains", *words)
        return fragment("What each pass gains", self.chart(), from_table(self.table()))

    def chart(self) -> Markup:
        """Draw what each pass gains in level all; nothing where nothing was timed."""
        from tvmfuse.views.html.charts import Bar, bars

        rows = [Bar.of(e.name, e.off.gain) for e in self.effects if e.off.gain]
        return bars(rows, axis="times as fast with the pass as without, in level all", one=True)


def _in_words(title: Text, *lines: str) -> Table:
    table = Table.grid()
    for line in (title, *(Text(f"{line}.") for line in lines)):
        table.add_row(line)
    return table
