"""DQMatMulNBitsFusion: products with dequantized matrices read these as they are stored."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from graphs import graph, onnx_model, ops, tensor
from onnx import helper, numpy_helper
from reference import assert_agrees, reference
from tvm import relax
from tvm.ir import Expr

import tvmfuse
from tvmfuse.ir.types import constant
from tvmfuse.ops import dequantize_blocks, gemm
from tvmfuse.passes.basic.dq_mat_mul_n_bits_fusion import DQMatMulNBitsFusion
from tvmfuse.passes.trace import Trace

DEPTH, COLUMNS, BLOCK = 72, 48, 32
RNG = np.random.default_rng(0)


def matrix(depth: int = DEPTH, *, dtype: str = "int8", block: int = BLOCK, axis: int = 0) -> Expr:
    """Return a dequantized matrix of four bits, whose blocks lie along an axis."""
    shape, parts = [depth, COLUMNS], [-(-depth // block), COLUMNS]
    if axis:
        shape, parts = shape[::-1], parts[::-1]
    low = -8 if dtype == "int8" else 0
    stored = RNG.integers(low, low + 16, shape).astype(dtype)
    scales = RNG.random(parts, "float32")
    return dequantize_blocks(
        constant(stored), constant(scales), axis=axis, block_size=block, bits=4
    )


def fused(product: Any) -> tuple[list[str], list[str]]:
    """Return what operators become of a product of x, and why the pass declines."""
    trace, x = Trace(), tensor(7, DEPTH)
    after = DQMatMulNBitsFusion()(graph(product, x), trace)
    assert ops(DQMatMulNBitsFusion()(after)) == ops(after)
    return ops(after), [reason for reason, _ in trace.declined]


@pytest.mark.parametrize(
    "product",
    [
        lambda x, emit: relax.op.matmul(x, emit(matrix())),
        lambda x, emit: relax.op.matmul(x, emit(relax.op.permute_dims(emit(matrix(axis=1))))),
        lambda x, emit: relax.op.matmul(x, emit(relax.op.permute_dims(emit(matrix()), [0, 1]))),
        lambda x, emit: gemm(x, emit(matrix(dtype="uint8"))),
        lambda x, emit: gemm(x, emit(matrix(axis=1)), constant(np.ones(COLUMNS, "float32")), trans_b=True),
    ],
    ids=["matmul", "transposed", "in the same order", "gemm", "gemm of columns, and a bias"],
)  # fmt: skip
def test_it_fires(product: Any) -> None:
    after, declined = fused(product)
    assert after == ["matmul_nbits"]
    assert not declined


@pytest.mark.parametrize(
    ("product", "why"),
    [
        (lambda x, emit: gemm(x, emit(matrix()), alpha=2.0), "it multiplies and adds, and scales nothing"),
        (lambda x, emit: relax.op.matmul(x, emit(matrix(axis=1, depth=COLUMNS))), "blocks lie along the sum"),
        (lambda x, emit: relax.op.matmul(x, emit(matrix(block=6))), "a block is whole words"),
        (lambda x, emit: gemm(x, emit(matrix()), constant(np.ones((7, COLUMNS), "float32"))),
            "what is added has a number for each column"),
    ],
    ids=["alpha", "blocks of columns", "short blocks", "a matrix is added"],
)  # fmt: skip
def test_it_declines(product: Any, why: str) -> None:
    trace, x = Trace(), tensor(7, COLUMNS if "sum" in why else DEPTH)
    after = DQMatMulNBitsFusion()(graph(product, x), trace)
    assert "matmul_nbits" not in ops(after)
    assert [reason for reason, _ in trace.declined] == [why]


def test_it_declines_batches_and_scales_that_are_fed() -> None:
    stored = RNG.integers(-8, 8, (2, BLOCK, COLUMNS)).astype("int8")
    scales = np.ones((2, 1, COLUMNS), "float32")

    def product(x: Expr, stored: np.ndarray, scales: Expr, emit: Any) -> Expr:
        axis = stored.ndim - 2
        matrix = dequantize_blocks(constant(stored), scales, axis=axis, block_size=BLOCK, bits=4)
        return relax.op.matmul(x, emit(matrix))

    cases = {
        "what is dequantized is a matrix": lambda x, s, emit: product(
            x, stored, constant(scales), emit
        ),
        "its parameters are constant": lambda x, s, emit: product(x, stored[0], s, emit),
    }
    for why, operator in cases.items():
        trace = Trace()
        given = graph(operator, tensor(7, BLOCK), tensor(1, COLUMNS))
        assert "matmul_nbits" not in ops(DQMatMulNBitsFusion()(given, trace))
        assert [reason for reason, _ in trace.declined] == [why]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("level", ["none", "all"])
@pytest.mark.parametrize(
    ("dtype", "zeros", "axis", "rows"),
    [
        ("int4", False, 0, 1),
        ("int4", True, 1, "n"),
        ("uint4", False, 0, "n"),
        ("uint4", True, 0, 1),
        ("int8", True, 0, 5),
        ("uint8", True, 1, 1),
    ],
)
def test_numbers_are_onnxruntime_s(
    dtype: str, zeros: bool, axis: int, rows: Any, level: Any
) -> None:
    kind = getattr(ml_dtypes, dtype, dtype)
    low, high = (-8, 8) if dtype == "int4" else (0, 16) if dtype == "uint4" else (0, 120)
    shape, parts = [DEPTH, COLUMNS], [-(-DEPTH // BLOCK), COLUMNS]
    shape, parts = (shape[::-1], parts[::-1]) if axis else (shape, parts)
    weights: dict[str, Any] = {
        "q": RNG.integers(low, high, shape),
        "s": RNG.random(parts, "float32"),
    }
    weights |= {"z": RNG.integers(low, high, parts)} if zeros else {}
    said: dict[str, Any] = {"axis": axis, "block_size": BLOCK}
    nodes = [helper.make_node("DequantizeLinear", list(weights), ["w"], **said)]
    nodes += [helper.make_node("Transpose", ["w"], ["v"])] if axis else []
    nodes += [helper.make_node("MatMul", ["x", "v" if axis else "w"], ["y"])]
    model = onnx_model(nodes, {"x": ("float32", (rows, DEPTH))}, {"y": "float32"}, opset=21)
    for name, array in weights.items():
        typed = array if name == "s" else array.astype(kind)
        model.graph.initializer.append(numpy_helper.from_array(typed, name))
    model.ir_version = 10
    x = RNG.standard_normal((5 if rows == "n" else rows, DEPTH), "float32")
    artifact = tvmfuse.compile(model, level=level)
    assert_agrees(artifact.load()(x=x), reference(model, {"x": x}))
    if level == "all":
        assert [k.schedule for k in artifact.manifest.kernels] == ["matmul"]


def test_the_artifact_has_packed_numbers_alone() -> None:
    depth, columns = 1024, 2048
    stored = RNG.integers(-8, 8, (depth, columns)).astype(ml_dtypes.int4)
    scales = RNG.random((depth // BLOCK, columns), "float32")
    said: dict[str, Any] = {"axis": 0, "block_size": BLOCK}
    nodes = [helper.make_node("DequantizeLinear", ["q", "s"], ["w"], **said)]
    nodes += [helper.make_node("MatMul", ["x", "w"], ["y"])]
    model = onnx_model(nodes, {"x": ("float32", (1, depth))}, {"y": "float32"}, opset=21)
    model.graph.initializer.extend(
        [numpy_helper.from_array(stored, "q"), numpy_helper.from_array(scales, "s")]
    )
    model.ir_version = 10
    packed = depth * columns // 2 + scales.nbytes
    assert packed < (tvmfuse.compile(model).nbytes or 0) < 1.15 * packed
