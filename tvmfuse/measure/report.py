"""Everything that can be said of one model, to be pasted into a design review."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from rich.table import Table
from rich.text import Text

from tvmfuse.errors import ConfigurationError, ModelError, first_line
from tvmfuse.json_safe import finite
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.circumstances import Circumstances
from tvmfuse.measure.verdicts import cautions, verdicts
from tvmfuse.pipeline.compile import Model
from tvmfuse.progress import Progress, silent, within

SHARES: Final[Mapping[str, float]] = {"ladder": 0.3, "ablate": 0.6, "profile": 0.1}
"""Of the time to measure."""


class Part(Protocol):
    """What one measurement found."""

    def table(self) -> Table:
        """Return it for the terminal."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON's types."""
        ...

    def to_html(self) -> str:
        """Return a fragment of a page."""
        ...


@dataclass(frozen=True)
class Section:
    """One part of a report.

    Attributes:
        name: As the verb that prints it alone, but for ``accuracy``, which is `compare`'s.
        part: What was found; None where nothing was.
        problem: Then, why.
    """

    name: str
    part: Part | None
    problem: str = ""


@dataclass(frozen=True)
class Report:
    """What was found out about a model.

    Attributes:
        model: Its file's name, or ``the model``.
        circumstances: Where, when and with what.
        sections: In the order in which they are read.
        interrupted: Whether Ctrl-C cut it short.
    """

    model: str
    circumstances: Circumstances
    sections: tuple[Section, ...]
    interrupted: bool

    def __getitem__(self, name: str) -> Section:
        return next(section for section in self.sections if section.name == name)

    @property
    def summary(self) -> tuple[str, ...]:
        """At most three sentences, without full stops, each of which begins with a number."""
        return verdicts(self._parts)

    @property
    def cautions(self) -> tuple[str, ...]:
        """Why the times cannot be trusted, in sentences without full stops."""
        return cautions(self._parts)

    @property
    def _parts(self) -> dict[str, Part | None]:
        return {section.name: section.part for section in self.sections}

    @property
    def missing(self) -> tuple[str, ...]:
        """What is not in the report and why, in sentences without full stops."""
        return tuple(f"{s.name}: not here: {s.problem}" for s in self.sections if s.part is None)

    def table(self) -> Table:
        """Return everything, one part below the other, at most 100 columns wide."""
        everything = Table.grid()
        for line in (*self.summary, *self.cautions, *self.missing):
            everything.add_row(Text(f"{line}."))
        for section in self.sections:
            if section.part:
                everything.add_row(section.part.table())
        everything.add_row(self.circumstances.table())
        return everything

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON's types."""
        record = {
            "model": self.model,
            "circumstances": self.circumstances.to_json(),
            "summary": self.summary,
            "cautions": self.cautions,
            "interrupted": self.interrupted,
            **{s.name: s.part.to_json() if s.part else None for s in self.sections},
            "problems": {s.name: s.problem for s in self.sections if s.part is None},
        }
        return finite(record)

    def to_html(self) -> str:
        """Return a whole page, which loads nothing from elsewhere."""
        from tvmfuse.views.html.report import report_page

        return report_page(self)


def report(
    model: Model,
    *,
    target: str = "llvm",
    threads: int | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    cache: bool = True,
    duration_s: float = 90.0,
    command: str = "",
    progress: Progress | None = None,
) -> Report:
    """Compare a model's graphs, climb its levels, switch its passes off, profile it, check it.

    A part that fails is left out, and says why; Ctrl-C keeps the parts that are done.

    Args:
        model: As `tvmfuse.compile` takes it.
        target: Likewise.
        threads: That compute one run; None lets the runtime choose.
        shapes: A shape for an input, by its name.
        dims: A size for a symbolic dimension, by its name.
        inputs: An array for each input; None: random ones.
        seed: Of the random ones, the order and the bootstrap.
        cache: As `tvmfuse.compile` takes it.
        duration_s: Seconds to measure, shared by the parts.
        command: What was typed, for the record.
        progress: Called with the phase and the share of it that is done, never while timing.

    Raises:
        ConfigurationError: The target, an input or a dimension does not exist; or the graph was
            optimized already.
        ModelError: The model is malformed, or beyond what can be compiled.
    """
    graph = {"target": target, "shapes": shapes, "dims": dims}
    settings = {**graph, "threads": threads, "inputs": inputs, "seed": seed, "cache": cache}
    work = _Work(model, progress or silent)
    # First what is quick, and refuses what no part could take.
    work.do("diff", graph)
    for name in ("ladder", "ablate", "profile"):
        timed = {**settings, "duration_s": duration_s * SHARES[name]}
        work.do(name, timed)
    work.do("accuracy", settings)
    order = ("ladder", "ablate", "profile", "diff", "accuracy")
    return Report(
        model=Path(model).name if isinstance(model, str | os.PathLike) else "the model",
        circumstances=Circumstances.now(command),
        sections=tuple(work.sections[name] for name in order),
        interrupted=work.interrupted,
    )


class _Work:
    """The parts that are done."""

    def __init__(self, model: Model, tell: Progress) -> None:
        self.model = model
        self.tell = tell
        self.sections: dict[str, Section] = {}
        self.interrupted = False

    def do(self, name: str, settings: Mapping[str, Any]) -> None:
        """Make one part, unless Ctrl-C was pressed before."""
        if self.interrupted:
            self.sections[name] = Section(name, None, "interrupted before it began")
            return
        measure = importlib.import_module("tvmfuse.measure")
        try:
            part = getattr(measure, name)(self.model, progress=within(name, self.tell), **settings)
            self.sections[name] = Section(name, part)
            self.interrupted = bool(getattr(part, "interrupted", False))
        except KeyboardInterrupt:
            self.interrupted = True
            self.sections[name] = Section(name, None, "interrupted")
        except (ConfigurationError, ModelError) as error:
            if name == "diff":
                raise
            self.sections[name] = Section(name, None, first_line(error))
        except Exception as error:  # A report without this part is one, too.
            words = f"{type(error).__name__}: {first_line(error)}"
            self.sections[name] = Section(name, None, words)
