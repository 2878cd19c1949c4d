"""Which operands are values: numbers that the importer has to know, not tensors to compute with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tvmfuse.frontend.onnx.graph import Node

_REDUCTIONS: Final = (
    "L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare",
)  # fmt: skip

VALUE_OPERANDS: Final[Mapping[str, tuple[int, ...]]] = {
    **{f"Reduce{kind}": (1,) for kind in _REDUCTIONS},
    "AffineGrid": (1,),
    "CenterCropPad": (1,),
    "Clip": (1, 2),
    "Col2Im": (1, 2),
    "ConstantOfShape": (0,),
    "CumProd": (1,),
    "CumSum": (1,),
    "DFT": (1, 2),
    "Dropout": (1, 2),
    "Expand": (1,),
    "If": (0,),
    "Loop": (0, 1),
    "MaxUnpool": (2,),
    "MelWeightMatrix": (0, 1),
    "NonMaxSuppression": (2, 3, 4),
    "OneHot": (1, 2),
    "Pad": (1, 2, 3),
    "Range": (0, 1, 2),
    "Reshape": (1,),
    "Resize": (1, 2, 3),
    "SequenceAt": (1,),
    "SequenceErase": (1,),
    "SequenceInsert": (2,),
    "STFT": (1, 3),
    "Slice": (1, 2, 3, 4),
    "Split": (1,),
    "SplitToSequence": (1,),
    "Squeeze": (1,),
    "Tile": (1, 2),
    "TopK": (1,),
    "Trilu": (1,),
    "Unsqueeze": (1,),
    "Upsample": (1,),
    "com.microsoft::DecoderMaskedMultiHeadAttention": (7,),
    "com.microsoft::GroupQueryAttention": (6,),
    "com.microsoft::Pad": (1, 2),
    "com.microsoft::Range": (0, 1, 2),
    "com.microsoft::Trilu": (1,),
}
"""Operator -> positions of the operands that say how, not what. Conv has none; Reshape has one."""

SIZE_OPERANDS: Final[Mapping[str, tuple[int, ...]]] = {
    "AffineGrid": (1,),
    "BlackmanWindow": (0,),
    "CenterCropPad": (1,),
    "Col2Im": (1, 2),
    "ConstantOfShape": (0,),
    "DFT": (1,),
    "Expand": (1,),
    "HammingWindow": (0,),
    "HannWindow": (0,),
    "MaxUnpool": (2,),
    "MelWeightMatrix": (0, 1),
    "OneHot": (1,),
    "Pad": (1,),
    "Range": (0, 1, 2),
    "Reshape": (1,),
    "Resize": (2, 3),
    "STFT": (1, 3),
    "Split": (1,),
    "Tile": (1, 2),
    "Upsample": (1,),
    "com.microsoft::GroupQueryAttention": (6,),
    "com.microsoft::Pad": (1,),
    "com.microsoft::Range": (0, 1, 2),
}
"""Operator -> positions of the operands that say how large its result gets."""

TYPE_OPERANDS: Final[Mapping[str, tuple[int, ...]]] = {
    "CastLike": (1,),
    "Shape": (0,),
    "Size": (0,),
}
"""Operator -> positions of the operands of which it reads the type and nothing else."""

RANDOM: Final = frozenset(
    {
        "Bernoulli",
        "Multinomial",
        "RandomNormal",
        "RandomNormalLike",
        "RandomUniform",
        "RandomUniformLike",
    }
)
"""Operators that draw their result: it is never computed here."""


SEQUENCES: Final = frozenset(
    {
        "ConcatFromSequence",
        "Optional",
        "OptionalGetElement",
        "OptionalHasElement",
        "SequenceAt",
        "SequenceConstruct",
        "SequenceEmpty",
        "SequenceErase",
        "SequenceInsert",
        "SequenceLength",
        "SplitToSequence",
    }
)
"""Operators of sequences and optional tensors, which are no arrays of numbers."""


def value_operands(node: Node) -> tuple[int, ...]:
    """Return the positions of a node's value operands."""
    return VALUE_OPERANDS.get(node.op, ())


def content_operands(node: Node) -> list[str]:
    """Return the operands of which a node reads more than the type."""
    positions = TYPE_OPERANDS.get(node.op, ())
    return [name for i, name in enumerate(node.inputs) if name and i not in positions]
