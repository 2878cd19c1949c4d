"""What a quantization made, and what it cost."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tvmfuse.format.atomic import atomic_write
from tvmfuse.measure.distance import Distance
from tvmfuse.quantization.settings import QuantizeSettings
from tvmfuse.result import Result, view

if TYPE_CHECKING:
    import onnx
    from rich.table import Table

POOR_DB: Final = 20.0
"""Below this ratio an output's error is more than a tenth of it."""


@dataclass(frozen=True)
class OutputLoss:
    """One output, and how far the quantized model's is from that of float32.

    Attributes:
        name: In the model.
        dtype: Of it.
        distance: Over all samples.
        sqnr_db: Signal-to-quantization-noise ratio in decibels; None of what is no float.
    """

    name: str
    dtype: str
    distance: Distance
    sqnr_db: float | None


@dataclass(frozen=True)
class LayerLoss:
    """One layer, and what quantizing it alone does.

    Attributes:
        name: Of its node, as `exclude` takes it.
        op: Its operator.
        sqnr_db: Of the worst output, in decibels: the less, the more is lost.
    """

    name: str
    op: str
    sqnr_db: float


@dataclass(frozen=True)
class Advice:
    """Layers that are better left in float32.

    Attributes:
        exclude: Their nodes' names.
        before_db: The worst output's ratio with all layers quantized.
        after_db: The same without these; measured, on the samples of the layers.
    """

    exclude: tuple[str, ...]
    before_db: float
    after_db: float

    @property
    def sentence(self) -> str:
        """What to do, without a full stop.

        >>> Advice(("conv1", "fc"), 18.0, 24.5).sentence
        'leave these nodes in float32, which takes 18.0 dB to 24.5 dB: --exclude conv1,fc'
        """
        gain = f"{self.before_db:.1f} dB to {self.after_db:.1f} dB"
        names = ",".join(self.exclude)
        return f"leave these nodes in float32, which takes {gain}: --exclude {names}"


@dataclass(frozen=True)
class Quantized(Result):
    """A quantized model.

    Attributes:
        model: The model, in ONNX's own operators.
        settings: How it was quantized.
        outputs: How far each output is from float32.
        layers: What quantizing each layer alone does; those that lose most first.
        examined: How many layers that was tried with, and of how many.
        advice: What to leave in float32; None where nothing was found to help.
        samples: On how many outputs are compared.
        calibrated: From how many samples the ranges are; 0 where they are found at each run.
        random: Whether those are random numbers.
        nbytes: Of the model before and after.
        not_compiled: Why onnxruntime computed the quantized model; empty where tvmfuse did.
        not_examined: Why no layers were examined, where the reason is the model.
        interrupted: Whether Ctrl-C left outputs or layers that were not looked at.
    """

    model: onnx.ModelProto = field(repr=False, compare=False)
    settings: QuantizeSettings
    outputs: tuple[OutputLoss, ...]
    layers: tuple[LayerLoss, ...]
    examined: tuple[int, int]
    advice: Advice | None
    samples: int
    calibrated: int
    random: bool
    nbytes: tuple[int, int]
    not_compiled: str = ""
    not_examined: str = ""
    interrupted: bool = False

    def table(self, *, everything: bool = False) -> Table:
        """Return outputs, then the layers that lose most, at most 100 columns.

        Args:
            everything: All layers.
        """
        drawn: Table = view("terminal").table(self, everything=everything)
        return drawn

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as an ONNX file.

        Raises:
            ArtifactError: It cannot be written; what stood there stays.
        """
        write_model(self.model, path)

    @property
    def sqnr_db(self) -> float | None:
        """The worst output's ratio in decibels; None where no output is a float."""
        return min((o.sqnr_db for o in self.outputs if o.sqnr_db is not None), default=None)

    @property
    def sentence(self) -> str:
        """What came out, as a clause without a full stop."""
        before, after = (f"{size / 1e6:.3g} MB" for size in self.nbytes)
        kind = "random inputs, which are no real data" if self.random else "samples"
        accuracy = "no output is a float"
        if self.sqnr_db is not None:
            accuracy = f"the worst output has a signal-to-noise ratio of {self.sqnr_db:.1f} dB"
        return f"{before} became {after}; on {self.samples} {kind}, {accuracy}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not in the table, in sentences without full stops."""
        notes = []
        if self.sqnr_db is not None and self.sqnr_db < POOR_DB:
            notes.append(
                f"below {POOR_DB:.0f} dB the error is more than a tenth of the output: check the "
                "task's own accuracy"
            )
        if self.advice is not None:
            notes.append(self.advice.sentence)
        elif self.layers and not self.interrupted:
            notes.append("leaving the worst layers in float32 gains less than 3 dB")
        if self.not_compiled:
            notes.append(f"onnxruntime computed the quantized model: {self.not_compiled}")
        if self.not_examined:
            notes.append(f"layers were not examined: {self.not_examined}")
        if self.interrupted:
            done, there = self.examined
            notes.append(f"interrupted: {done} of {there or 'all'} layers were examined")
        return tuple(notes)


def write_model(model: onnx.ModelProto, path: str | os.PathLike[str]) -> None:
    """Write a model as an ONNX file, whole or not at all.

    Raises:
        ArtifactError: It cannot be written; what stood there stays.
    """
    content = model.SerializeToString()
    with atomic_write(path) as file:
        file.write(content)
