"""Integers are numbers modulo 2^n, as numpy's: whatever is fused, sums and products wrap around."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
from onnx import parser

import tvmfuse

#: Bodies that TVM or LLVM would simplify if nothing wrapped, and what numpy computes of them.
BODIES: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "2x / 2": ("p = Mul(x, two) r = Div(p, two)", lambda x, y: quotient(x * 2, 2)),
    "3x / 3": ("p = Mul(three, x) r = Div(p, three)", lambda x, y: quotient(x * 3, 3)),
    "13x mod 13": ("p = Mul(x, thirteen) r = Mod(p, thirteen)", lambda x, y: (x * 13) % 13),
    "square / 2": ("p = Mul(x, x) r = Div(p, two)", lambda x, y: quotient(x * x, 2)),
    "sum / 2": ("p = Add(x, y) r = Div(p, two)", lambda x, y: quotient(x + y, 2)),
    "x - y - x": ("p = Sub(x, y) q = Sub(p, x) r = Div(q, two)", lambda x, y: quotient(-y, 2)),
    "x < x + 1": ("p = Add(x, one) q = Less(x, p) r = Where(q, x, y)", lambda x, y: np.where(x < x + 1, x, y)),
    "max": ("p = Add(x, two) q = Add(y, two) r = Max(p, q)", lambda x, y: np.maximum(x + 2, y + 2)),
    "equal": ("p = Sub(x, two) q = Equal(p, most) r = Where(q, x, y)", lambda x, y: np.where(x - 2 == most(x), x, y)),
    "row": ("p = Add(x, row) r = Div(p, two)", lambda x, y: quotient(x + x[..., :1, :], 2)),
}  # fmt: skip
#: Bodies of signed integers, or of what ONNX has for int32 and int64 alone.
SIGNED: Final[dict[str, tuple[str, Callable[..., Any]]]] = {
    "-x / 2": ("p = Neg(x) r = Div(p, two)", lambda x, y: quotient(-x, 2)),
    "|x| < 0": ("p = Abs(x) q = Less(p, one) r = Where(q, x, y)", lambda x, y: np.where(np.abs(x) < 1, x, y)),
    "squared": ("p = Pow(x, two) r = Div(p, two)", lambda x, y: quotient(x * x, 2)),
    "power": ("r = Pow(x, thirteen)", lambda x, y: x**13),
    "divided": ("r = Div(x, y)", lambda x, y: quotient(x, y)),
    "remainder": ("r = Mod(x, y)", lambda x, y: np.where(y == -1, 0, x % np.where(y == -1, 1, y))),
    "by -1": ("r = Div(x, minus)", lambda x, y: -x),
}  # fmt: skip
NUMBERS: Final = {"int32": 6, "int64": 7, "uint32": 12, "uint64": 13}


def quotient(a: Any, b: Any) -> Any:
    """Divide as ONNX does, rounding toward zero; the least number by -1 wraps around."""
    opposite = np.asarray(b) == np.asarray(-1).astype(a.dtype) if a.dtype.kind == "i" else False
    divisor = np.where(opposite, 1, b).astype(a.dtype)
    floor = a // divisor
    toward_zero = floor + ((floor < 0) & (floor * divisor != a)).astype(a.dtype)
    return np.where(opposite, -a, toward_zero)


def most(x: np.ndarray) -> Any:
    return x.dtype.type(np.iinfo(x.dtype).max)


def constants(dtype: str) -> str:
    numbers = {"one": 1, "two": 2, "three": 3, "thirteen": 13, "minus": -1}
    numbers["most"] = np.iinfo(dtype).max if dtype != "uint64" else -1
    return " ".join(
        f"{name}_ = Constant<value_int={value}>() {name} = Cast<to={NUMBERS[dtype]}>({name}_)"
        for name, value in numbers.items()
    )


@pytest.mark.parametrize(
    ("dtype", "sizes"),
    [*((dtype, "3, 8") for dtype in NUMBERS), ("int64", "N, M"), ("uint32", "N, M")],
)
def test_fused_arithmetic_wraps_around(dtype: str, sizes: str) -> None:
    bodies = BODIES | (SIGNED if dtype.startswith("int") else {})
    named = [
        re.sub(r"\b([pqr])\b", rf"\g<1>{i}", body) for i, (body, _) in enumerate(bodies.values())
    ]
    outputs = ", ".join(f"{dtype}[{sizes}] r{i}" for i in range(len(bodies)))
    model = parser.parse_model(
        f'<ir_version: 10, opset_import: ["":17]> '
        f"g ({dtype}[{sizes}] x, {dtype}[{sizes}] y) => ({outputs}) {{ {constants(dtype)} "
        f"start = Constant<value_ints=[0]>() end = Constant<value_ints=[1]>() "
        f"row = Slice(x, start, end, start) {' '.join(named)} }}"
    )
    info = np.iinfo(dtype)
    edge = [info.max, info.min, info.max // 2 + 1, info.max - 1, info.min + 1, 0, 1, 5]
    x = np.array([edge, edge[::-1], [*edge[3:], *edge[:3]]], dtype)
    y = np.array([[1, 2, 7, info.max, 3, 4, 5, 6], [*edge[:5], 1, 2, 3], [9] * 8], dtype)
    y[0, 1:3] = y[1, 1] = info.max if info.min == 0 else -1
    computed = tvmfuse.compile(model, strict=True).load()(x=x, y=y)
    for i, (name, (_, formula)) in enumerate(bodies.items()):
        with np.errstate(all="ignore"):
            expected = formula(x, y)
        np.testing.assert_array_equal(computed[f"r{i}"], expected, name)
