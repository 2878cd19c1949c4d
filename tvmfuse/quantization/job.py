"""What the caller and the quantizer's process say to each other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tvmfuse.errors import TvmfuseError
from tvmfuse.quantization.settings import QuantizeSettings


@dataclass(frozen=True)
class Job:
    """What is to be quantized.

    Attributes:
        folder: Where the models are, and all temporary files go.
        settings: How they are quantized.
        prepare: Whether `prepared` has to be made of `given` first.
    """

    folder: Path
    settings: QuantizeSettings
    prepare: bool

    @property
    def given(self) -> Path:
        """The caller's model."""
        return self.folder / "given.onnx"

    @property
    def prepared(self) -> Path:
        """In float32, as it is quantized."""
        return self.folder / "prepared.onnx"

    @property
    def quantized(self) -> Path:
        """The result."""
        return self.folder / "int8.onnx"

    @property
    def ranges(self) -> Path:
        """Of the activations, where onnxruntime keeps them; those that are there are taken."""
        return self.folder / "ranges.json"


@dataclass(frozen=True)
class SampleWanted:
    """Asks for the next sample, or None at the end."""


@dataclass(frozen=True)
class Failed:
    """It did not work.

    Attributes:
        error: One of ours.
        trace: Where it came from, in this process.
    """

    error: TvmfuseError
    trace: str
