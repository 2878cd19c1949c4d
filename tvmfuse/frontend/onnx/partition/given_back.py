"""Small groups of ours beside the other engine's: their nodes are given to it.

A part costs the launch of its kernels, the end of the other engine's part and the begin of the
next, and what it reads and writes passes through memory; the nodes around it may fuse with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvmfuse.frontend.onnx.partition.division import Group
from tvmfuse.frontend.onnx.partition.whole import WholeModel

LEAST_NODES: Final = 4
"""Fewer nodes between two parts of the other engine are given to it."""

FREE_OF_COMPUTE: Final = frozenset(
    {"Cast", "CastLike", "Expand", "Flatten", "Identity", "Reshape", "Shape", "Size", "Squeeze"}
    | {"Transpose", "Unsqueeze"}
)
"""Operators that compute nothing."""

WORTH_A_LAUNCH: Final = frozenset(
    {"Attention", "Conv", "ConvInteger", "ConvTranspose", "DeformConv", "Einsum", "Gemm", "GRU"}
    | {"LSTM", "LinearAttention", "MatMul", "MatMulInteger", "QLinearConv", "QLinearMatMul", "RNN"}
)
"""Operators that take long enough to stand alone; of other domains, all may."""


def given_back(groups: Sequence[Group], whole: WholeModel) -> dict[str, str]:
    """Return nodes of ours that the other engine shall compute, and why, by their names."""
    makers = {name: group.ours for group in groups for name in group.outputs}
    readers: dict[str, list[bool]] = {}
    for group in groups:
        for name in group.inputs:
            readers.setdefault(name, []).append(group.ours)
    found: dict[str, str] = {}
    for group in groups:
        after = any(not makers.get(name, True) for name in group.inputs)
        before = any(not ours for name in group.outputs for ours in readers.get(name, ()))
        if group.ours and (why := _why(group, whole, after=after, before=before)):
            found |= dict.fromkeys(group.nodes, why)
    return found


def _why(group: Group, whole: WholeModel, *, after: bool, before: bool) -> str:
    operators = [whole.node(name).operator for name in group.nodes]
    if (after or before) and FREE_OF_COMPUTE.issuperset(operators):
        return "it stands alone beside nodes of onnxruntime, and computes nothing"
    small = len(operators) < LEAST_NODES and not any(map(_worth_a_launch, operators))
    if after and before and small:
        return f"it stands between nodes of onnxruntime, with fewer than {LEAST_NODES} of ours"
    return ""


def _worth_a_launch(operator: str) -> bool:
    return operator in WORTH_A_LAUNCH or "." in operator
