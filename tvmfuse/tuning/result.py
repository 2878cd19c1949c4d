"""What tuning found, kernel by kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tvmfuse.measure.machine import Machine
from tvmfuse.measure.statistics import Ratio
from tvmfuse.result import Record, Result


@dataclass(frozen=True)
class TunedKernel(Record):
    """One kernel, and what was tried of it.

    Attributes:
        key: Of the kernel, by which its plan is kept.
        names: What the kernels with this key are called in the model.
        nodes: The ONNX nodes that they compute.
        microseconds: Of all their launches in a run, with the schedule's plan.
        share: Of the time of a run.
        trials: How many plans were timed.
        planned: The schedule's plan, in words.
        best: The fastest plan, in words; the schedule's where none is faster.
        speedup: The time with the schedule's plan by that with the fastest; None where it is that.
    """

    key: str
    names: tuple[str, ...]
    nodes: tuple[str, ...]
    microseconds: float
    share: float
    trials: int
    planned: str
    best: str
    speedup: Ratio | None


@dataclass(frozen=True)
class TunedTiles(Record):
    """Convolutions that are faster with Winograd's tiles of another size.

    Attributes:
        nodes: The ONNX nodes that they and what is fused to them compute.
        planned: Outputs of a tile in each direction, as it is reckoned; 0 for no tiles.
        best: The same of the fastest.
        speedup: The time as planned by the time with these.
    """

    nodes: tuple[str, ...]
    planned: int
    best: int
    speedup: Ratio


@dataclass(frozen=True)
class Tuning(Result):
    """What tuning a model found.

    Attributes:
        model: Its name.
        target: What it was tuned for.
        threads: That computed.
        cpu: Where.
        kernels: The kernels that were tuned, those that take longest first.
        convolutions: Those that are faster with Winograd's tiles of another size.
        speedup: The model's time as it is planned by its time with the faster plans; None where
            there are none, or nothing was confirmed.
        kept: Whether the plans were kept: the whole model is faster with them, for certain.
        plans: The plans to take, by kernels' keys, as `compile(plans=)` takes them where there are
            no `convolutions`; empty where none were kept.
        trials: How many plans were timed now.
        known: How many the database knew already.
        seconds: That it took.
        database: The folder of the records.
        interrupted: Whether Ctrl-C ended it.
        finished: Whether nothing was left to try.
        machine: What the machine did while the whole model was confirmed; None where it was not.
    """

    model: str
    target: str
    threads: int
    cpu: str
    kernels: tuple[TunedKernel, ...]
    convolutions: tuple[TunedTiles, ...]
    speedup: Ratio | None
    kept: bool
    plans: Mapping[str, Any] = field(repr=False)
    trials: int
    known: int
    seconds: float
    database: str
    interrupted: bool
    finished: bool
    machine: Machine | None

    @property
    def banner(self) -> str:
        """Why nothing is claimed of the whole model's times; nothing where it was quiet."""
        return self.machine.banner if self.machine else ""

    @property
    def sentence(self) -> str:
        """What came of it, in a sentence."""
        faster = sum(kernel.speedup is not None for kernel in self.kernels)
        faster += len(self.convolutions)
        tried = f"{self.trials} plans of {len(self.kernels)} kernels were timed"
        if self.speedup is None:
            why = (
                "interrupted before the whole model was confirmed"
                if self.interrupted
                else ("none is faster than the planned one")
            )
            return f"{tried}: {why}"
        if not self.kept:
            return (
                f"{tried}, {faster} seemed faster, and that the whole model is, is not certain "
                f"({self.speedup}): none was kept"
            )
        return f"{tried}, {faster} are faster, and so is the whole model: {self.speedup}"
