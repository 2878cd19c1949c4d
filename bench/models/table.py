"""The models by name: which configurations of transformers' architectures they are."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from bench.models.model import Build, Model

PRODUCTS: Final = ("Conv", "Gemm", "MatMul")
"""What is quantized of a transformer: masks of -inf have no range, and norms lose too much."""


def _classifier(
    name: str, architecture: str, *, full: Build, reduced: Build, int8: tuple[str, ...] = ()
) -> Model:
    return Model(name, architecture, "image", {"logits": {0: "batch"}}, full, reduced, int8)


def _encoder(name: str, tokens: int, config: Mapping[str, Any]) -> Model:
    """Return a BERT; the reduced size is the same for all."""
    return Model(
        name,
        "BertModel",
        "text",
        {"last_hidden_state": {0: "batch", 1: "sequence"}, "pooler_output": {0: "batch"}},
        full=Build(tokens, {"vocab_size": 30522, **config}),
        reduced=Build(
            16,
            {
                "vocab_size": 512,
                "hidden_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 4,
                "intermediate_size": 128,
                "max_position_embeddings": 64,
            },
        ),
        int8=PRODUCTS,
    )


_TABLE = (
    _classifier(
        "resnet18",
        "ResNetForImageClassification",
        full=Build(
            224,
            {
                "embedding_size": 64,
                "hidden_sizes": [64, 128, 256, 512],
                "depths": [2, 2, 2, 2],
                "layer_type": "basic",
                "num_labels": 1000,
            },
        ),
        reduced=Build(
            64,
            {
                "embedding_size": 16,
                "hidden_sizes": [16, 32, 48, 64],
                "depths": [2, 1, 1, 1],
                "layer_type": "basic",
                "num_labels": 10,
            },
        ),
    ),
    _classifier(
        "resnet50",
        "ResNetForImageClassification",
        full=Build(
            224,
            {
                "embedding_size": 64,
                "hidden_sizes": [256, 512, 1024, 2048],
                "depths": [3, 4, 6, 3],
                "layer_type": "bottleneck",
                "num_labels": 1000,
            },
        ),
        reduced=Build(
            64,
            {
                "embedding_size": 16,
                "hidden_sizes": [32, 64, 96, 128],
                "depths": [2, 1, 1, 1],
                "layer_type": "bottleneck",
                "num_labels": 10,
            },
        ),
    ),
    _classifier(
        "mobilenetv2",
        "MobileNetV2ForImageClassification",
        full=Build(224, {"num_labels": 1000}),
        reduced=Build(
            64,
            {"depth_multiplier": 0.25, "finegrained_output": False, "num_labels": 10},
            # Of 16 inverted residuals: 3 of stride 2, 2 that widen, and 1 of 10 with a shortcut.
            dropped=tuple(f"mobilenet_v2.layer.{i}" for i in (2, 3, 4, 6, 7, 8, 10, 11, 13, 14)),
        ),
    ),
    _encoder("bert", 128, {}),
    _encoder("bert-512", 512, {}),
    # all-MiniLM-L6-v2's shape.
    _encoder(
        "minilm",
        32,
        {
            "hidden_size": 384,
            "num_hidden_layers": 6,
            "num_attention_heads": 12,
            "intermediate_size": 1536,
        },
    ),
    Model(
        "gpt2",
        "GPT2Model",
        "tokens",
        {"last_hidden_state": {0: "batch", 1: "sequence"}},
        full=Build(128, {"vocab_size": 50257, "use_cache": False}),
        reduced=Build(
            16,
            {
                "vocab_size": 512,
                "n_embd": 64,
                "n_layer": 2,
                "n_head": 4,
                "n_positions": 64,
                "use_cache": False,
            },
        ),
        int8=PRODUCTS,
    ),
    _classifier(
        "vit",
        "ViTForImageClassification",
        full=Build(224, {"image_size": 224, "patch_size": 16, "num_labels": 1000}),
        reduced=Build(
            32,
            {
                "image_size": 32,
                "patch_size": 8,
                "hidden_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 4,
                "intermediate_size": 128,
                "num_labels": 10,
            },
        ),
        int8=PRODUCTS,
    ),
)

MODELS: Mapping[str, Model] = MappingProxyType({model.name: model for model in _TABLE})
