"""Networks that look at images, and at images and text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

import torch
from architectures.example import ByPosition, Example, Sizes, built, config, numbers, tokens

ANY_SIZE: Final[Mapping[str, Mapping[str, Any]]] = {
    "bit": {"hidden_sizes": [32, 64], "depths": [1, 1], "embedding_size": 32, "num_groups": 4},
    "convnext": {"hidden_sizes": [16, 32], "depths": [1, 1], "num_stages": 2},
    "convnextv2": {"hidden_sizes": [16, 32], "depths": [1, 1], "num_stages": 2},
    "efficientnet": {
        "hidden_dim": 320,
        "num_block_repeats": [1, 1, 1, 1, 1, 1, 1],
        "width_coefficient": 0.25,
        "depth_coefficient": 0.25,
    },
    "focalnet": {
        "embed_dim": 16,
        "depths": [1, 1],
        "focal_levels": [2, 2],
        "focal_windows": [3, 3],
        "patch_size": 4,
    },
    "glpn": {
        "hidden_sizes": [16, 32],
        "depths": [1, 1],
        "num_attention_heads": [1, 2],
        "num_encoder_blocks": 2,
        "sr_ratios": [2, 1],
        "patch_sizes": [7, 3],
        "strides": [4, 2],
        "mlp_ratios": [2, 2],
        "decoder_hidden_size": 16,
    },
    "hgnet_v2": {
        "initializer_range": 0.2,
        "embedding_size": 16,
        "depths": [1, 1],
        "hidden_sizes": [32, 64],
        "stem_channels": [3, 8, 16],
        "stage_in_channels": [16, 32],
        "stage_mid_channels": [8, 16],
        "stage_out_channels": [32, 64],
        "stage_num_blocks": [1, 1],
        "stage_numb_of_layers": [2, 2],
        "stage_downsample": [False, True],
        "stage_downsample_strides": [2, 2],
        "stage_light_block": [False, True],
        "stage_kernel_size": [3, 5],
    },
    "mobilenet_v1": {"depth_multiplier": 0.25, "initializer_range": 0.33},
    "mobilenet_v2": {"depth_multiplier": 0.35},
    "mobilevit": {
        "hidden_sizes": [16, 16, 32],
        "neck_hidden_sizes": [16, 16, 16, 16, 16, 16, 32],
        "patch_size": 2,
        "num_attention_heads": 2,
    },
    "mobilevitv2": {"patch_size": 2},
    "poolformer": {"hidden_sizes": [16, 16, 32, 32], "depths": [1, 1, 1, 1], "patch_size": 7},
    "pvt_v2": {
        "hidden_sizes": [16, 32],
        "depths": [1, 1],
        "num_attention_heads": [1, 2],
        "num_encoder_blocks": 2,
        "sr_ratios": [2, 1],
        "patch_sizes": [7, 3],
        "strides": [4, 2],
        "mlp_ratios": [2, 2],
    },
    "regnet": {"hidden_sizes": [16, 32], "depths": [1, 1], "embedding_size": 16, "groups_width": 8},
    "resnet": {"hidden_sizes": [16, 32], "depths": [1, 1], "embedding_size": 16},
    "segformer": {
        "hidden_sizes": [16, 32],
        "depths": [1, 1],
        "num_attention_heads": [1, 2],
        "num_encoder_blocks": 2,
        "sr_ratios": [2, 1],
        "patch_sizes": [7, 3],
        "strides": [4, 2],
        "mlp_ratios": [2, 2],
    },
    "swiftformer": {},
    "swin": {
        "embed_dim": 16,
        "depths": [1, 1],
        "num_heads": [2, 2],
        "window_size": 4,
        "patch_size": 4,
    },
    "swinv2": {
        "embed_dim": 16,
        "depths": [1, 1],
        "num_heads": [2, 2],
        "window_size": 4,
        "patch_size": 4,
    },
    "textnet": {
        "initializer_range": 0.2,
        "stem_out_channels": 16,
        "hidden_sizes": [16, 16, 24],
        "conv_layer_kernel_sizes": [[[3, 3], [1, 3]], [[3, 3], [3, 1]]],
        "conv_layer_strides": [[1, 2], [2, 1]],
    },
}
"""Kind -> what its configuration states; they take images of any size."""

ONE_SIZE: Final[Mapping[str, Mapping[str, Any]]] = {
    "beit": {},
    "data2vec-vision": {},
    "deit": {},
    "dinov2": {},
    "dinov2_with_registers": {},
    "hiera": {
        "embed_dim": 16,
        "depths": [1, 1],
        "num_heads": [1, 2],
        "image_size": [32, 32],
        "patch_size": [7, 7],
        "query_stride": [2, 2],
        "num_query_pool": 1,
        "masked_unit_size": [4, 4],
    },
    "ijepa": {},
    "levit": {
        "hidden_sizes": [16, 32, 48],
        "depths": [1, 1, 1],
        "num_attention_heads": [2, 2, 2],
        "key_dim": [8, 8, 8],
        "image_size": 64,
        "patch_size": 16,
    },
    "pvt": {
        "image_size": 64,
        "hidden_sizes": [16, 16, 32, 32],
        "depths": [1, 1, 1, 1],
        "num_attention_heads": [1, 1, 2, 2],
        "patch_size": None,
    },
    "vit": {},
    "vit_msn": {},
    "yolos": {"image_size": [32, 32], "num_detection_tokens": 5},
}
"""Kind -> what its configuration states; they take images of one size."""

PAIRS: Final[Mapping[str, Mapping[str, Any]]] = {
    "altclip": {},
    "chinese_clip": {},
    "clip": {},
    "clipseg": {},
    "siglip": {},
    "owlvit": {},
}
"""Kinds with a tower for text and one for images."""

SIDE: Final = 64
SIZES: Final = (
    {"batch": 2, "height": SIDE, "width": SIDE},
    {"batch": 1, "height": SIDE, "width": 96},
    {"batch": 3, "height": 128, "width": SIDE},
)


def vision() -> Iterator[tuple[str, Example]]:
    """Yield each network that sees."""
    for kind, settings in ANY_SIZE.items():
        axes = {0: "batch", 2: "height", 3: "width"}
        network = partial(_network, kind, settings)
        yield kind, Example(network, _image, {"pixel_values": axes}, SIZES)
    for kind, settings in ONE_SIZE.items():
        size = config(kind, **settings).image_size
        side = size if isinstance(size, int) else size[0]
        sizes = [{"batch": batch, "height": side, "width": side} for batch in (2, 1, 5)]
        network = partial(_network, kind, settings)
        yield kind, Example(network, _image, {"pixel_values": {0: "batch"}}, sizes)
    for kind in PAIRS:
        sizes = [{"batch": b, "length": n} for b, n in ((2, 8), (1, 3), (3, 16))]
        dims = {"input_ids": {0: "batch", 1: "length"}, "pixel_values": {0: "batch"}}
        yield kind, Example(partial(_pair, kind), _pair_feeds, dims, sizes)


def _network(kind: str, settings: Mapping[str, Any]) -> torch.nn.Module:
    return ByPosition(built(config(kind, **settings)), ["pixel_values"])


def _image(sizes: Sizes) -> dict[str, torch.Tensor]:
    return {"pixel_values": numbers(sizes["batch"], 3, sizes["height"], sizes["width"])}


def _pair(kind: str) -> torch.nn.Module:
    default = config(kind)
    parts = {
        part: config(getattr(default, part).model_type).to_dict()
        for part in ("text_config", "vision_config")
    }
    stated = config(kind, **parts, projection_dim=32)
    return ByPosition(built(stated), ["input_ids", "pixel_values"])


def _pair_feeds(sizes: Sizes) -> dict[str, torch.Tensor]:
    return {
        "input_ids": tokens(sizes["batch"], sizes["length"]),
        "pixel_values": numbers(sizes["batch"], 3, 32, 32),
    }
