"""Transformers of two layers, from configurations, as both exporters write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

TOKENS, WORDS, WIDTH, HEADS = 16, 100, 64, 4


@dataclass(frozen=True)
class Encoder:
    """An architecture of transformers.

    Attributes:
        architecture: The class.
        config: What differs from its configuration's defaults.
        inputs: Shapes and dtypes of what is fed.
        exporters: Those that can write it.
        encoder_only: Whether it has a decoder, too, which is left out.
    """

    architecture: str
    config: Mapping[str, Any]
    inputs: Mapping[str, tuple[tuple[int, ...], str]]
    exporters: tuple[str, ...] = ("classic", "dynamo")
    encoder_only: bool = False

    def feeds(self) -> dict[str, np.ndarray]:
        """Return seeded inputs: numbers, tokens, a mask without gaps."""
        rng = np.random.default_rng(0)

        def draw(name: str, shape: tuple[int, ...], dtype: str) -> np.ndarray:
            if name == "attention_mask":
                return np.ones(shape, dtype)
            if dtype == "int64":
                return rng.integers(0, WORDS, shape)
            return rng.standard_normal(shape).astype(dtype)

        return {name: draw(name, *kind) for name, kind in self.inputs.items()}

    def export(self, exporter: str, folder: Path) -> Path:
        """Write the model with seeded random weights."""
        import torch
        import transformers

        from bench.models.torch_export import Positional, quiet, randomize

        architecture = getattr(transformers, self.architecture)
        with torch.random.fork_rng(devices=[]), quiet():
            torch.manual_seed(0)
            model = architecture(architecture.config_class(**self.config)).eval()
            model = model.encoder if self.encoder_only else model
            randomize(model, None)
            feeds = {name: torch.from_numpy(array) for name, array in self.feeds().items()}
            wrapped = Positional(model, tuple(feeds), ("last_hidden_state",))
            file = folder / f"{self.architecture}-{exporter}.onnx"
            options = (
                {"dynamo": False, "opset_version": 17}
                if exporter == "classic"
                else {"dynamo": True}
            )
            torch.onnx.export(
                wrapped,
                tuple(feeds.values()),
                str(file),
                input_names=list(feeds),
                output_names=["y"],
                **options,
            )
        return file


TEXT = {
    "input_ids": ((1, TOKENS), "int64"),
    "attention_mask": ((1, TOKENS), "int64"),
}
CLIP: dict[str, Any] = {
    "hidden_size": WIDTH,
    "num_hidden_layers": 2,
    "num_attention_heads": HEADS,
    "intermediate_size": 128,
}

ENCODERS: Mapping[str, Encoder] = {
    "distilbert": Encoder(
        "DistilBertModel",
        {"vocab_size": WORDS, "dim": WIDTH, "n_layers": 2, "n_heads": HEADS, "hidden_dim": 128,
        "max_position_embeddings": 32},
        TEXT,
    ),
    "gpt2": Encoder(
        "GPT2Model",
        {"vocab_size": WORDS, "n_embd": WIDTH, "n_layer": 2, "n_head": HEADS, "n_positions": 32, "use_cache": False},
        TEXT,
    ),
    "clip text": Encoder(
        "CLIPTextModel",
        {**CLIP, "vocab_size": WORDS, "max_position_embeddings": 32, "eos_token_id": 2},
        TEXT,
    ),
    "clip vision": Encoder(
        "CLIPVisionModel",
        {**CLIP, "image_size": 32, "patch_size": 8},
        {"pixel_values": ((1, 3, 32, 32), "float32")},
    ),
    # torch 2.13's dynamo exporter fails on its buckets of relative positions.
    "t5": Encoder(
        "T5EncoderModel",
        {"vocab_size": WORDS, "d_model": WIDTH, "d_kv": 16, "d_ff": 128, "num_layers": 2, "num_heads": HEADS},
        TEXT,
        ("classic",),
    ),
    "whisper": Encoder(
        "WhisperModel",
        {"d_model": WIDTH, "encoder_layers": 2, "decoder_layers": 1, "encoder_attention_heads": HEADS,
        "decoder_attention_heads": HEADS, "encoder_ffn_dim": 128, "max_source_positions": 32, "num_mel_bins": 16,
        "vocab_size": WORDS, "pad_token_id": 0, "decoder_start_token_id": 1, "bos_token_id": 1, "eos_token_id": 2},
        {"input_features": ((1, 16, 64), "float32")},
        encoder_only=True,
    ),
}  # fmt: skip
