"""Networks that hear, and those that follow numbers over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

import torch
from architectures.example import ByPosition, Example, Sizes, built, config, numbers

_CONVOLUTIONS: Final = {
    "conv_dim": [16, 16],
    "conv_kernel": [10, 3],
    "conv_stride": [5, 2],
    "num_feat_extract_layers": 2,
    "num_conv_pos_embeddings": 16,
    "num_conv_pos_embedding_groups": 4,
    "mask_time_prob": 0.0,
    "layerdrop": 0.0,
}

WAVES: Final[Mapping[str, Mapping[str, Any]]] = {
    "data2vec-audio": {**_CONVOLUTIONS, "num_conv_pos_embeddings": 2, "conv_pos_kernel_size": 5},
    "hubert": _CONVOLUTIONS,
    "sew": {**_CONVOLUTIONS, "squeeze_factor": 2},
    "unispeech": _CONVOLUTIONS,
    "unispeech-sat": _CONVOLUTIONS,
    "wav2vec2": _CONVOLUTIONS,
    "wav2vec2-conformer": _CONVOLUTIONS,
    "wavlm": _CONVOLUTIONS,
}
"""Kind -> what its configuration states; they take samples."""

FEATURES: Final[Mapping[str, tuple[str, tuple[int, int], Mapping[str, Any]]]] = {
    "audio-spectrogram-transformer": (
        "input_values",
        (64, 32),
        {"num_mel_bins": 32, "max_length": 64, "frequency_stride": 8, "time_stride": 8},
    ),
    "patchtst": (
        "past_values",
        (64, 3),
        {"context_length": 64, "num_input_channels": 3, "patch_length": 8, "patch_stride": 8},
    ),
    "patchtsmixer": (
        "past_values",
        (64, 3),
        {"context_length": 64, "num_input_channels": 3, "patch_length": 8, "patch_stride": 8},
    ),
}
"""Kind -> its input, the shape of that behind the batch, and what its configuration states."""

SIZES: Final = (
    {"batch": 2, "samples": 1000},
    {"batch": 1, "samples": 777},
    {"batch": 3, "samples": 1601},
)


def sound() -> Iterator[tuple[str, Example]]:
    """Yield each network that follows something over time."""
    for kind, settings in WAVES.items():
        dims = {"input_values": {0: "batch", 1: "samples"}}
        network = partial(_network, kind, settings, "input_values")
        yield kind, Example(network, _wave, dims, SIZES)
    for kind, (name, shape, settings) in FEATURES.items():
        yield (
            kind,
            Example(
                partial(_network, kind, settings, name),
                partial(_features, name, shape),
                {name: {0: "batch"}},
                [{"batch": batch} for batch in (2, 1, 5)],
            ),
        )


def _network(kind: str, settings: Mapping[str, Any], name: str) -> torch.nn.Module:
    return ByPosition(built(config(kind, **settings)), [name])


def _wave(sizes: Sizes) -> dict[str, torch.Tensor]:
    return {"input_values": numbers(sizes["batch"], sizes["samples"])}


def _features(name: str, shape: tuple[int, int], sizes: Sizes) -> dict[str, torch.Tensor]:
    return {name: numbers(sizes["batch"], *shape)}
