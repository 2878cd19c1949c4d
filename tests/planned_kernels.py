"""Small kernels that take each kind of nest and each step, for tests of plans and steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvm import IRModule, tirx
from tvm.relax import op as R

from tvmfuse.ops import attention, conv_blocked, gemm

F = "float32"
ONES: dict[str, Any] = {"strides": [1, 1], "dilation": [1, 1], "padding": [0] * 4}


def _attention(q: Any, k: Any, v: Any) -> Any:
    return attention(q, k, v, scale=0.25)


def _strided(x: Any, w: Any) -> Any:
    return conv_blocked(x, w, strides=[2, 2], dilation=[1, 1], padding=[0] * 4)


def _depthwise(x: Any, w: Any) -> Any:
    channels = int(w.ty.shape[0]) * int(w.ty.shape[-1])
    return R.nn.relu(
        conv_blocked(x, w, padding=[1] * 4, groups=channels, strides=[1, 1], dilation=[1, 1])
    )


CASES = {
    "matmul": (lambda a, b, c: R.nn.relu(R.matmul(a, b) + c), (37, 45), (45, 53), (53,)),
    "strided": (lambda x, w: R.nn.conv2d(x, w, strides=2), (1, 3, 17, 17), (9, 3, 3, 3)),
    "strided pixels": (_strided, (1, 2, 14, 14, 16), (8, 2, 1, 1, 16, 16)),
    "panels": (lambda a, p: R.nn.gelu(gemm(a, p)), (29, 96), (3, 96, 16)),
    "long sum": (lambda a, p: gemm(a, p), (29, 4096), (2, 4096, 24)),
    "many rows": (lambda a, p: gemm(a, p), (1100, 512), (8, 512, 24)),
    "copied": (R.matmul, (64, 100), (100, 203)),
    "batched": (R.matmul, (3, 13, 7), (3, 7, 19)),
    "conv": (lambda x, w: R.nn.conv2d(x, w, padding=1), (1, 5, 13, 17), (7, 5, 3, 3)),
    "blocked conv": (
        lambda x, w: conv_blocked(x, w, **ONES),
        (1, 4, 9, 9, 16),
        (3, 4, 1, 1, 16, 16),
    ),
    "depthwise": (_depthwise, (1, 2, 61, 60, 16), (2, 1, 3, 3, 1, 16)),
    "strips": (_depthwise, (1, 2, 61, 60, 16), (2, 1, 5, 5, 1, 16)),
    "softmax": (lambda a: R.nn.softmax(a), (9, 37)),
    "row sums": (lambda a: R.sum(a, -1), (11, 100)),
    "column sums": (lambda a: R.sum(a, 0), (19, 45)),
    "argmax": (lambda a: R.argmax(a, -1), (5, 33)),
    "elements": (lambda a, b: R.exp(a) * b, (7, 53), (53,)),
    "transposition": (lambda a: R.permute_dims(a, [1, 0]), (23, 29)),
    "attention": (_attention, (1, 13, 2, 16), (1, 29, 2, 16), (1, 29, 2, 24)),
    "many keys": (_attention, (1, 13, 2, 16), (1, 1500, 2, 16), (1, 1500, 2, 24)),
}
"""An operator and the shapes of its inputs, by a name."""


def module(lab: Any, name: str) -> IRModule:
    """Return the kernels of a case."""
    operator, *shapes = CASES[name]
    return lab.lowered(operator, *((shape, F) for shape in shapes))


def functions(lab: Any, name: str) -> Mapping[str, tirx.PrimFunc]:
    """Return the PrimFuncs of a case by name."""
    found: Mapping[str, tirx.PrimFunc] = lab.kernels(module(lab, name))
    return found


def only(lab: Any, name: str) -> tuple[str, tirx.PrimFunc]:
    """Return the one PrimFunc of a case, and its name."""
    (item,) = functions(lab, name).items()
    return item
