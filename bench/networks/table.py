"""The networks by name: published sizes, or fewer layers where one run would take a second.

What a configuration does not say is its default in `transformers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from bench.networks.network import Draw, Network, image, of_transformers, sound, tokens

if TYPE_CHECKING:
    from torch import nn

CLASSES: Final = {"num_labels": 1000}
VOCABULARY: Final = 8192
"""Rows of the tables of tokens: one row is read of each, however many there are."""


def _seen() -> Iterator[tuple[str, int, str, Mapping[str, Any]]]:
    """Yield classifiers of images: the name, the side in pixels, the architecture, its settings."""
    yield "mobilenetv1", 224, "MobileNetV1ForImageClassification", {}
    yield "regnet-y-4gf", 224, "RegNetForImageClassification", {}
    yield "convnext-tiny", 224, "ConvNextForImageClassification", {}
    yield "mobilevit-small", 256, "MobileViTForImageClassification", {}
    yield "poolformer-s12", 224, "PoolFormerForImageClassification", {}
    yield "pvt-tiny", 224, "PvtForImageClassification", {}
    yield "swin-tiny", 224, "SwinForImageClassification", {}
    yield "deit-small", 224, "DeiTForImageClassification", {
        "hidden_size": 384, "num_attention_heads": 6, "intermediate_size": 1536,
    }  # fmt: skip


def _others() -> Iterator[tuple[str, Draw, str, Mapping[str, Any], tuple[str, ...]]]:
    """Yield the other networks of `transformers`, with their inputs and outputs."""
    yield (
        "clip-vision-b32", partial(image, 224), "CLIPVisionModel", {}, ("last_hidden_state",),
    )  # fmt: skip
    yield (
        "segformer-b0", partial(image, 512), "SegformerForSemanticSegmentation",
        {"num_labels": 150}, ("logits",),
    )  # fmt: skip
    yield (
        "dpt-small", partial(image, 224), "DPTForDepthEstimation",
        {
            "hidden_size": 384, "num_attention_heads": 6, "intermediate_size": 1536,
            "image_size": 224, "neck_hidden_sizes": [48, 96, 192, 384], "fusion_hidden_size": 64,
        },
        ("predicted_depth",),
    )  # fmt: skip
    yield (
        "detr-resnet50", partial(image, 320), "DetrForObjectDetection",
        {
            "use_timm_backbone": False, "use_pretrained_backbone": False, "backbone": None,
            "backbone_config": {"model_type": "resnet", "out_features": ["stage4"]},
        },
        ("logits", "pred_boxes"),
    )  # fmt: skip
    yield (
        "yolos-tiny", partial(image, 320), "YolosForObjectDetection",
        {
            "hidden_size": 192, "num_attention_heads": 3, "intermediate_size": 768,
            "image_size": [320, 320], "use_mid_position_embeddings": False,
        },
        ("logits", "pred_boxes"),
    )  # fmt: skip
    yield (
        "wav2vec2-base", partial(sound, "input_values", (32_000,)), "Wav2Vec2Model", {},
        ("last_hidden_state",),
    )  # fmt: skip
    yield (
        "whisper-tiny", partial(sound, "input_features", (80, 3000)),
        "WhisperForAudioClassification",
        {
            "d_model": 384, "encoder_layers": 4, "encoder_attention_heads": 6,
            "encoder_ffn_dim": 1536,
        },
        ("logits",),
    )  # fmt: skip
    yield (
        "bert-512", partial(tokens, 512, VOCABULARY), "BertModel",
        {"num_hidden_layers": 4, "vocab_size": VOCABULARY}, ("last_hidden_state",),
    )  # fmt: skip
    yield (
        "gpt2-1024", partial(tokens, 1024, VOCABULARY), "GPT2Model",
        {"n_layer": 2, "vocab_size": VOCABULARY, "use_cache": False}, ("last_hidden_state",),
    )  # fmt: skip
    yield (
        "distilbert", partial(tokens, 128, VOCABULARY), "DistilBertModel",
        {"vocab_size": VOCABULARY}, ("last_hidden_state",),
    )  # fmt: skip


def _efficientnet() -> nn.Module:
    """Return EfficientNet-B0; it would pool windows of 1,280 pixels, which OpenVINO refuses."""
    from torch.nn import AdaptiveAvgPool2d

    config = {
        **CLASSES, "width_coefficient": 1.0, "depth_coefficient": 1.0, "hidden_dim": 1280,
        "image_size": 224,
    }  # fmt: skip
    module = of_transformers("EfficientNetForImageClassification", config)
    module.get_submodule("efficientnet").pooler = AdaptiveAvgPool2d(1)
    return module


def _of_torch(name: str, **settings: Any) -> nn.Module:
    from bench.networks import modules

    module: nn.Module = getattr(modules, name)(**settings)
    return module


def _all() -> Iterator[Network]:
    yield Network(
        "resnext50-32x4d", partial(_of_torch, "ResNeXt"), partial(image, 224), ("logits",)
    )
    yield Network("efficientnet-b0", _efficientnet, partial(image, 224), ("logits",))
    levit = partial(of_transformers, "LevitForImageClassification", CLASSES)
    yield Network("levit-128s", levit, partial(image, 224), ("logits",), initial=True)
    for name, side, architecture, config in _seen():
        build = partial(of_transformers, architecture, {**CLASSES, **config})
        yield Network(name, build, partial(image, side), ("logits",))
    for name, draw, architecture, config, outputs in _others():
        yield Network(name, partial(of_transformers, architecture, config), draw, outputs)
    t5 = partial(of_transformers, "T5EncoderModel", {"vocab_size": VOCABULARY})
    draw = partial(tokens, 256, VOCABULARY)
    yield Network("t5-small", t5, draw, ("last_hidden_state",), initial=True)
    unet = partial(_of_torch, "UNet", width=32)
    yield Network("u-net", unet, partial(image, 256), ("logits",))


NETWORKS: Final[Mapping[str, Network]] = MappingProxyType({n.name: n for n in _all()})
