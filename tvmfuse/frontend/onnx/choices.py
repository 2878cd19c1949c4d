"""Attributes that are one of some words, or 0 or 1: no checker reads further than their types.

A word that the operator does not have would be taken for its default, or for what a converter
tries last: the model would be compiled to other numbers. A 2 is yes to some, and no to others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import onnx

from tvmfuse.errors import MalformedModelError
from tvmfuse.frontend.onnx.graph import STANDARD
from tvmfuse.frontend.onnx.without_weights import all_nodes

_COORDINATES: Final = (
    *("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric"),
    *("tf_half_pixel_for_nn", "tf_crop_and_resize"),
)
_DIRECTIONS: Final = ("forward", "reverse", "bidirectional")
_MEANS: Final = ("none", "sum", "mean")
_SCATTERS: Final = ("none", "add", "mul", "max", "min")

#: Operator -> attribute -> what ONNX has for it, in any opset.
CHOICES: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = MappingProxyType(
    {
        "BitShift": {"direction": ("LEFT", "RIGHT")},
        "DepthToSpace": {"mode": ("DCR", "CRD")},
        "Gelu": {"approximate": ("none", "tanh")},
        "GridSample": {
            "mode": ("linear", "nearest", "cubic", "bilinear", "bicubic"),
            "padding_mode": ("zeros", "border", "reflection"),
        },
        "Pad": {"mode": ("constant", "reflect", "edge", "wrap")},
        "Resize": {
            "mode": ("nearest", "linear", "cubic"),
            "coordinate_transformation_mode": _COORDINATES,
            "nearest_mode": ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"),
            "keep_aspect_ratio_policy": ("stretch", "not_larger", "not_smaller"),
        },
        "RoiAlign": {
            "mode": ("avg", "max"),
            "coordinate_transformation_mode": ("half_pixel", "output_half_pixel"),
        },
        "Upsample": {"mode": ("nearest", "linear", "bilinear", "cubic")},
        **{name: {"direction": _DIRECTIONS} for name in ("RNN", "GRU", "LSTM")},
        **{name: {"reduction": _SCATTERS} for name in ("ScatterElements", "ScatterND")},
        **{
            name: {"reduction": _MEANS}
            for name in ("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
        },
    }
)
_FLAGS: Final = (
    *("align_corners", "allowzero", "antialias", "ceil_mode", "center_point_box"),
    *("count_include_pad", "detect_negative", "detect_positive", "exclude_outside", "exclusive"),
    *("fmod", "input_forget", "interleaved", "inverse", "is_causal", "keepdims", "largest"),
    *("layout", "linear_before_reset", "new_axis", "noop_with_empty_axes", "onesided", "periodic"),
    *("reverse", "saturate", "select_last_index", "sorted", "storage_order", "training_mode"),
    *("transA", "transB", "upper"),
)
#: Domain -> integers that mean yes or no, of every operator that has them.
FLAGS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        **dict.fromkeys(STANDARD, _FLAGS),
        "com.microsoft": ("channels_last", "do_rotary", "unidirectional"),
    }
)
#: Of every operator that has it.
AUTO_PAD: Final = ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")


def check_choices(nodes: Iterable[onnx.NodeProto]) -> None:
    """Check that such attributes are what ONNX has for them, in branches, too.

    Args:
        nodes: Their attributes have the types that their operators state.

    Raises:
        MalformedModelError: One is another word, or another number than 0 and 1.
    """
    for node in all_nodes(nodes):
        flags = FLAGS.get(node.domain, ())
        is_standard = node.domain in STANDARD
        choices = {"auto_pad": AUTO_PAD, **CHOICES.get(node.op_type, {})} if is_standard else {}
        for attribute in node.attribute:
            if attribute.name in flags and attribute.i not in (0, 1):
                said = f"node {node.name!r} ({node.op_type}): {attribute.name} is {attribute.i}"
                raise MalformedModelError(f"{said}; expected 0 or 1")
            _check(node, attribute, choices.get(attribute.name))


def _check(
    node: onnx.NodeProto, attribute: onnx.AttributeProto, choices: tuple[str, ...] | None
) -> None:
    if choices is None or attribute.s.decode(errors="replace") in choices:
        return
    raise MalformedModelError(
        f"node {node.name!r} ({node.op_type}): {attribute.name} is {attribute.s!r:.60}, and ONNX "
        f"has {', '.join(choices)}"
    )
