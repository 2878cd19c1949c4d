"""A network: its inputs, its torch module with seeded random weights, its ONNX file."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bench.models.files import digest, kept

if TYPE_CHECKING:
    from torch import nn

Draw = Callable[[int, np.random.Generator], dict[str, np.ndarray]]
"""The inputs of so many samples."""

FOLDER: Final = Path(tempfile.gettempdir()) / "tvmfuse-networks"
SEED: Final = 0
SEEN: Final = 4
"""Samples that statistics of batch norms are taken of."""


@dataclass(frozen=True)
class Network:
    """A network in one size.

    Attributes:
        name: The key in `NETWORKS`.
        build: Makes the module, whose inputs are keywords; its result has the outputs as
            attributes, or is the only one.
        draw: Makes the inputs by name, in the graph's order.
        outputs: Their names.
        initial: Whether its weights stay those of `transformers`: drawn anew they make some
            networks magnify roundings, until no two programs agree.
    """

    name: str
    build: Callable[[], nn.Module]
    draw: Draw
    outputs: tuple[str, ...]
    initial: bool = False

    def feeds(self, batch: int = 1) -> dict[str, np.ndarray]:
        """Return inputs of so many samples, the same each time."""
        return self.draw(batch, np.random.default_rng(SEED))

    def module(self) -> nn.Module:
        """Return the module in inference mode, with inputs by position and a tuple of the outputs.

        Weights are drawn from a seed, and batch norms mostly have the statistics of `SEEN` samples.
        """
        from bench.models.torch_export import Positional

        return Positional(self._drawn(), tuple(self.feeds()), self.outputs).eval()

    def file(self, batch: int = 1, folder: Path = FOLDER) -> Path:
        """Return its ONNX file, exported now if the folder has none."""
        sources = (path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
        path = folder / f"{self.name}-batch{batch}-{digest(*sources)}.onnx"
        return kept(path, partial(self._export, batch))

    def _drawn(self) -> nn.Module:
        import torch

        from bench.models.torch_export import has_batch_norms, quiet, randomize

        with torch.random.fork_rng(devices=[]), quiet():
            torch.manual_seed(SEED)
            module = self.build()
            if not self.initial:
                images = self.feeds(SEEN)["pixel_values"] if has_batch_norms(module) else None
                randomize(module, images)
        return module.eval()

    def _export(self, batch: int, path: Path) -> None:
        from bench.models.torch_export import export

        export(
            self._drawn(), path, dynamo=False, inputs=self.feeds(batch), outputs=self.outputs,
            axes={}, folded=True,
        )  # fmt: skip


def of_transformers(architecture: str, config: Mapping[str, Any]) -> nn.Module:
    """Return a module of `transformers`, of what its configuration has besides its defaults."""
    import transformers

    kind = getattr(transformers, architecture)
    module: nn.Module = kind(kind.config_class(**config))
    return module


def image(side: int, batch: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Draw images, float32 [batch, 3, side, side], each with a tint of its own."""
    noise = rng.standard_normal((batch, 3, side, side)) + rng.standard_normal((batch, 3, 1, 1))
    return {"pixel_values": noise.astype(np.float32)}


def tokens(
    length: int, vocabulary: int, batch: int, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Draw numbers of tokens, int64 [batch, length], with a mask that hides none."""
    ids = rng.integers(vocabulary, size=(batch, length))
    return {"input_ids": ids, "attention_mask": np.ones_like(ids)}


def sound(
    name: str, shape: tuple[int, ...], batch: int, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Draw samples or spectra, float32 [batch, *shape]."""
    return {name: rng.standard_normal((batch, *shape)).astype(np.float32)}
