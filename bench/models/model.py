"""A model: its inputs, its torch module with seeded random weights, its ONNX file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from torch import nn

    from bench.models.torch_export import Axes

Exporter: TypeAlias = Literal["classic", "dynamo"]
Size: TypeAlias = Literal["full", "reduced"]
Weights: TypeAlias = Literal["random", "initial"]

MASKED = 0.25
"""The share of each text's tokens that its attention mask hides."""


@dataclass(frozen=True)
class Build:
    """One size of a model.

    Args:
        extent: the image's side in pixels, or the sequence's length in tokens.
        config: what differs from the defaults of the transformers configuration.
        dropped: submodules left out, by path, of a depth that no configuration sets.
    """

    extent: int
    config: Mapping[str, Any]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True)
class Model:
    """A transformers architecture in two sizes with the same operators and kinds of block.

    Args:
        name: the key in `MODELS`.
        architecture: the class in transformers.
        takes: "image" for pixel_values, "text" for token ids, mask and segment ids, "tokens" for
            token ids and mask.
        outputs: output name -> its axes that follow the batch and the sequence.
        full: the published size.
        reduced: small enough to export, compile and run in a test.
        int8: the operators that are quantized; none for all that can be.
    """

    name: str
    architecture: str
    takes: Literal["image", "text", "tokens"]
    outputs: Mapping[str, Axes]
    full: Build
    reduced: Build
    int8: tuple[str, ...] = ()

    def build(self, size: Size) -> Build:
        """Return the full or the reduced size."""
        return self.full if size == "full" else self.reduced

    def inputs(
        self, size: Size, seed: int = 0, *, batch: int = 1, extent: int | None = None
    ) -> dict[str, np.ndarray]:
        """Draw the inputs by name, in the graph's order.

        Args:
            size: which size of the model they are for.
            seed: equal seeds give equal arrays.
            batch: how many images or texts, N.
            extent: S, the side of the image or the length of the text, where it is not the size's.

        Returns:
            pixel_values float32 [N, 3, S, S]; or input_ids, attention_mask and, of a text,
            token_type_ids, each int64 [N, S].
        """
        build, rng = self.build(size), np.random.default_rng(seed)
        extent = extent or build.extent
        if self.takes == "image":
            # A tint for each image: noise alone averages out, and all images would look the same.
            noise = rng.standard_normal((batch, 3, extent, extent))
            tint = rng.standard_normal((batch, 3, 1, 1))
            return {"pixel_values": (noise + tint).astype(np.float32)}
        position = np.arange(extent)[np.newaxis].repeat(batch, axis=0)
        tokens = {
            "input_ids": rng.integers(build.config["vocab_size"], size=(batch, extent)),
            "attention_mask": (position < extent - int(MASKED * extent)).astype(np.int64),
        }
        if self.takes == "tokens":
            return tokens
        return {**tokens, "token_type_ids": (position >= extent // 2).astype(np.int64)}

    def module(self, size: Size, weights: Weights = "random", seed: int = 0) -> nn.Module:
        """Return the torch module in inference mode; torch's own generator is left as it was.

        Args:
            size: which size.
            weights: "random" draws all of them, with batch norms that carry statistics of images;
                "initial" is transformers' initialization, where biases are 0 and norms do nothing.
            seed: of every draw.
        """
        import torch
        import transformers

        from bench.models.torch_export import quiet, randomize

        build, architecture = self.build(size), getattr(transformers, self.architecture)
        with torch.random.fork_rng(devices=[]), quiet():
            torch.manual_seed(seed)
            module: nn.Module = architecture(architecture.config_class(**build.config))
            for path in reversed(build.dropped):
                parent, _, index = path.rpartition(".")
                del module.get_submodule(parent)[int(index)]  # type: ignore[operator]
            if weights == "random":
                images = self.inputs(size, seed, batch=8).get("pixel_values")
                randomize(module, images)
        return module.eval()

    def positional(self, size: Size) -> nn.Module:
        """Return the module with inputs by position and a tuple of the outputs, as exported."""
        from bench.models.torch_export import Positional

        return Positional(
            self.module(size), tuple(self.inputs("reduced")), tuple(self.outputs)
        ).eval()

    def export(
        self,
        path: str | os.PathLike[str],
        exporter: Exporter = "classic",
        size: Size = "full",
        *,
        batch: int = 1,
        dynamic: bool = False,
        folded: bool = True,
        weights: Weights = "random",
        seed: int = 0,
    ) -> None:
        """Write the model to one ONNX file, weights inside.

        Args:
            path: the file.
            exporter: torch's "classic" (opset 17) or "dynamo" exporter (its default opset).
            size: "full" or "reduced".
            batch: how many images or texts the file takes, where that is fixed.
            dynamic: the batch, and a text's length, become symbolic: "batch", "sequence".
            folded: False keeps the batch norms, and constants' subgraphs, as nodes.
            weights: see `module`.
            seed: of the weights; on one machine, equal seeds give equal files.
        """
        from bench.models.torch_export import export

        # Two texts: torch.export takes a dimension of 1 for a constant.
        inputs = self.inputs(size, seed, batch=2 if dynamic else batch)
        of_input = {0: "batch"} if self.takes == "image" else {0: "batch", 1: "sequence"}
        axes = {**dict.fromkeys(inputs, of_input), **self.outputs} if dynamic else {}
        export(
            self.module(size, weights, seed),
            Path(path),
            dynamo=exporter == "dynamo",
            inputs=inputs,
            outputs=tuple(self.outputs),
            axes=axes,
            folded=folded,
        )
