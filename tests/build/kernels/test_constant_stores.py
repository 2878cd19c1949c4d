"""Vectors of a constant of bfloat16, which TVM refuses, are stored all the same."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from onnx import numpy_helper, parser
from tvm import tirx
from tvm.tirx import BufferStore, For, ForKind, PrimFunc
from tvm_ffi import structural_walk

import tvmfuse
from tvmfuse.build.kernels.constant_stores import with_stored_constants


def kernel(value: Any, dtype: str = "bfloat16") -> PrimFunc:
    """Return a kernel that stores a value in eight lanes, or what one is of a lane."""
    buffer, lane = tirx.decl_buffer((8,), dtype, "y"), tirx.Var("lane", "int64")
    store = BufferStore(buffer, value(lane) if callable(value) else value, [lane])
    begin, end = tirx.const(0, "int64"), tirx.const(8, "int64")
    return PrimFunc([buffer], For(lane, begin, end, ForKind.VECTORIZED, store))


def kinds(function: PrimFunc) -> list[int]:
    found: list[For] = []
    structural_walk(function.body, (For, found.append))
    return [loop.kind for loop in found]


@pytest.mark.parametrize("number", [0.0, 1.5, float("inf")])
def test_a_constant_is_stored_one_by_one(number: float) -> None:
    narrow = tirx.const(number, "bfloat16")
    for value in (narrow, tirx.Cast("bfloat16", tirx.Cast("float32", narrow))):
        once = with_stored_constants(kernel(value))
        assert kinds(once) == [ForKind.SERIAL]
        assert with_stored_constants(once).same_as(once)


def test_what_is_the_same_in_all_lanes_is_stored_one_by_one() -> None:
    """And what may be: a choice by where it is, but none by what is read there."""
    x = tirx.decl_buffer((9,), "bfloat16", "x")
    first, zero = x[tirx.const(0, "int64")], tirx.const(0, "bfloat16")
    assert kinds(with_stored_constants(kernel(first * first))) == [ForKind.SERIAL]

    def chosen(condition: Any, other: Any) -> list[int]:
        made = kernel(lambda lane: tirx.Select(condition(lane), x[lane], other))
        return kinds(with_stored_constants(made))

    assert chosen(lambda lane: lane < 5, zero) == [ForKind.SERIAL]
    assert chosen(lambda lane: lane < 5, x[tirx.const(8, "int64")]) == [ForKind.VECTORIZED]
    assert chosen(lambda lane: x[lane] > first, zero) == [ForKind.VECTORIZED]


def test_what_tvm_takes_stays_as_it_is() -> None:
    for made in (
        kernel(tirx.const(0, "float16"), "float16"),
        kernel(lambda lane: tirx.Cast("bfloat16", tirx.Cast("float32", lane))),
    ):
        assert with_stored_constants(made).same_as(made)


@pytest.mark.parametrize("precision", ["bf16", "f16"])
@pytest.mark.parametrize("channels", [1, 3, 17, 30, 38])
def test_channels_padded_to_blocks_compile_without_a_warning(channels: int, precision: Any) -> None:
    text = f'<ir_version: 8, opset_import: ["": 17]> g (float[1,{channels},2,8] x) => (float[] y)'
    model = parser.parse_model(f"{text} {{ y = Conv(x, w) }}")
    weights = np.ones((16, channels, 1, 1), "float32")
    model.graph.initializer.append(numpy_helper.from_array(weights, "w"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tvmfuse.compile(model, target="llvm -mcpu=znver4", precision=precision)
