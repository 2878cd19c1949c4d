"""Everything that can be said of one model, to be pasted into a design review."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tvmfuse.errors import ConfigurationError, ModelError, NotQuietError, first_line
from tvmfuse.limits import Limits
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.environment import environment
from tvmfuse.measure.results.report import Report, Section
from tvmfuse.measure.settings import Quiet
from tvmfuse.pipeline.compile import Model
from tvmfuse.progress import Progress, silent, within
from tvmfuse.size_ranges import GivenSizes

SHARES: Final[Mapping[str, float]] = {"ladder": 0.3, "ablate": 0.6, "profile": 0.1}
"""Of the time to measure."""


def report(
    model: Model,
    *,
    target: str = "llvm",
    precision: str = "f32",
    threads: int | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    cache: bool = True,
    duration_s: float = 90.0,
    command: str = "",
    progress: Progress | None = None,
    quiet: Quiet | None = None,
) -> Report:
    """Compare a model's graphs, climb its levels, switch its passes off, profile it, check it.

    A part that fails is left out, and says why; Ctrl-C keeps the parts that are done.

    Args:
        model: As `tvmfuse.compile` takes it.
        target: Likewise.
        precision: Likewise.
        threads: Threads that compute one run; None lets the runtime choose.
        shapes: A shape for an input, by its name.
        dims: A size or a range for a symbolic dimension, by its name.
        limits: As `tvmfuse.compile` takes them.
        inputs: An array for each input; None: random ones.
        seed: Seed for random inputs, for the order and for the bootstrap.
        cache: As `tvmfuse.compile` takes it.
        duration_s: Seconds to measure, shared by the parts.
        command: What was typed, for the record.
        progress: Called with each step and the share of it that is done, never while timing.
        quiet: How quiet the machine has to be, for all parts together; None: as it is.

    Raises:
        ConfigurationError: The target, an input or a dimension does not exist; or the graph was
            optimized already.
        ModelError: The model is malformed, or beyond what can be compiled.
        NotQuietError: The machine has to be quiet, and is not.
    """
    graph: dict[str, Any] = {"target": target, "precision": precision, "shapes": shapes}
    graph |= {"dims": dims, "limits": limits}
    settings = {**graph, "threads": threads, "inputs": inputs, "seed": seed, "cache": cache}
    work = _Work(model, progress or silent)
    # First what is quick, and refuses what no part could take.
    work.do("diff", graph)
    left = quiet or Quiet()
    for name in ("ladder", "ablate", "profile"):
        timed = {**settings, "duration_s": duration_s * SHARES[name], "quiet": left}
        work.do(name, timed)
        left = left.after(_waited_s(work.sections[name].part))
    work.do("accuracy", settings)
    order = ("ladder", "ablate", "profile", "diff", "accuracy")
    return Report(
        model=Path(model).name if isinstance(model, str | os.PathLike) else "the model",
        environment=environment(command),
        sections=tuple(work.sections[name] for name in order),
        interrupted=work.interrupted,
    )


def _waited_s(part: Any) -> float:
    """Return the seconds that a part waited for the machine to be quiet."""
    machine = getattr(part, "machine", None)
    return machine.waited_s if machine else 0.0


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
        except NotQuietError:
            raise
        except (ConfigurationError, ModelError) as error:
            if name == "diff":
                raise
            self.sections[name] = Section(name, None, first_line(error))
        except Exception as error:  # A report without this part is one, too.
            words = f"{type(error).__name__}: {first_line(error)}"
            self.sections[name] = Section(name, None, words)
