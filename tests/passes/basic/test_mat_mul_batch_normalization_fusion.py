"""MatMul_BatchNormalization_Fusion: matmul or gemm -> batch_norm becomes gemm."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, ops, run, tensor
from onnx.helper import make_node
from reference import assert_agrees, reference
from tvm import tirx
from tvm.ir import Expr
from tvm.relax.op import exp, matmul
from tvm.relax.op.nn import batch_norm

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.ops import gemm
from tvmfuse.passes.basic.mat_mul_batch_normalization_fusion import MatMulBatchNormalizationFusion
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = MatMulBatchNormalizationFusion()
# Powers of two: every number below is exact, so modules can be compared bit by bit.
B = np.exp2(np.arange(12).reshape(3, 4) % 5).astype("float32")
GAMMA, BETA = np.array([2, 4, 1, -8], "float32"), np.array([1, 8, 0, 2], "float32")
MEAN, VAR = np.array([4, 2, -1, 0], "float32"), np.array([4, 16, 1, 0.25], "float32")
SCALE = GAMMA / np.sqrt(VAR)
SHIFT = BETA - MEAN * SCALE
A = tensor(2, 3)

Emit = Callable[[Expr], Expr]


def norm(y: Expr, *parameters: np.ndarray, **attrs: Any) -> Expr:
    constants = [constant(p) for p in parameters or (GAMMA, BETA, MEAN, VAR)]
    return batch_norm(y, *constants, **{"axis": 1, "epsilon": 0.0, "training": False, **attrs})


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_matrix_product(dtype: str) -> None:
    x, parameters = tensor(2, 3, dtype=dtype), [p.astype(dtype) for p in (GAMMA, BETA, MEAN, VAR)]
    b, c = (B * SCALE).astype(dtype), SHIFT.astype(dtype)
    assert_rewrites(
        RULE,
        graph(
            lambda a, emit: emit(norm(matmul(a, constant(B.astype(dtype))), *parameters))[0],
            x,
        ),
        graph(lambda a, _: gemm(a, constant(b), constant(c)), x),
    )


def test_products_of_more_dimensions_over_their_columns() -> None:
    assert_rewrites(
        RULE,
        graph(lambda a, emit: emit(norm(matmul(a, constant(B)), axis=-1))[0], tensor(2, 2, 3)),
        graph(lambda a, _: gemm(a, constant(B * SCALE), constant(SHIFT)), tensor(2, 2, 3)),
    )


@pytest.mark.parametrize("c", [None, (), (4,), (1, 4), (2, 1), (2, 4)])
def test_a_gemm(c: tuple[int, ...] | None) -> None:
    attrs: dict[str, Any] = {"trans_a": True, "trans_b": True, "alpha": 0.5}
    addend = np.zeros(1) if c is None else np.full(c, 4, "float32")
    addends = [] if c is None else [constant(addend)]
    folded = (2 * addend * SCALE + SHIFT).astype("float32")
    turned = np.ascontiguousarray(B.T)
    assert_rewrites(
        RULE,
        graph(
            lambda a, emit: emit(norm(gemm(a, constant(turned), *addends, beta=2, **attrs)))[0],
            tensor(3, 2),
        ),
        graph(
            lambda a, _: gemm(
                a, constant(turned * SCALE[:, None]), constant(folded), beta=1, **attrs
            ),
            tensor(3, 2),
        ),
    )


@pytest.mark.parametrize(
    ("attrs", "scale", "shift"),
    [
        ({"scale": False}, 1 / np.sqrt(VAR), BETA - MEAN / np.sqrt(VAR)),
        ({"center": False}, SCALE, -MEAN * SCALE),
    ],
)
def test_the_attributes_count(attrs: dict[str, Any], scale: np.ndarray, shift: np.ndarray) -> None:
    scale, shift = scale.astype("float32"), shift.astype("float32")
    assert_rewrites(
        RULE,
        graph(lambda a, emit: emit(norm(matmul(a, constant(B)), **attrs))[0], A),
        graph(lambda a, _: gemm(a, constant(B * scale), constant(shift)), A),
    )


def test_symbolic_batch() -> None:
    trace = Trace()
    RULE(
        graph(
            lambda a, emit: emit(norm(matmul(a, constant(B))))[0], tensor(tirx.Var("n", "int64"), 3)
        ),
        trace,
    )
    assert len(trace.fired) == 1


def test_declines_training() -> None:
    assert_declines(
        RULE,
        graph(lambda a, emit: emit(norm(matmul(a, constant(B)), training=True))[0], A),
        because="the batch norm is in inference mode",
    )


def test_declines_where_other_outputs_are_read() -> None:
    def compute(a: Expr, emit: Emit) -> list[Expr]:
        outputs = emit(norm(matmul(a, constant(B))))
        return [outputs[0], outputs[2]]

    assert_declines(
        RULE,
        graph(compute, A),
        because="of the batch norm only the first output is read",
    )


def test_declines_runtime_parameters() -> None:
    def compute(a: Expr, mean: Expr, emit: Emit) -> Expr:
        parameters = [constant(GAMMA), constant(BETA), mean, constant(VAR)]
        return emit(batch_norm(matmul(a, constant(B)), *parameters, axis=1, training=False))[0]

    assert_declines(
        RULE,
        graph(compute, A, tensor(4)),
        because="the batch norm's parameters are constant",
    )


def test_declines_runtime_factors() -> None:
    assert_declines(
        RULE,
        graph(lambda a, b, emit: emit(norm(matmul(a, b)))[0], A, tensor(*B.shape)),
        because="the right factor is constant",
    )


def test_declines_runtime_addends() -> None:
    assert_declines(
        RULE,
        graph(lambda a, c, emit: emit(norm(gemm(a, constant(B), c)))[0], A, tensor(4)),
        because="what the gemm adds is constant",
    )


def test_declines_batches_of_matrices() -> None:
    batch = np.stack([B, B])
    assert_declines(
        RULE,
        graph(lambda a, emit: emit(norm(matmul(a, constant(batch)), axis=-1))[0], tensor(2, 2, 3)),
        because="the right factor is a matrix",
    )


def test_declines_another_axis() -> None:
    assert_declines(
        RULE,
        graph(lambda a, emit: emit(norm(matmul(a, constant(B)), axis=1))[0], tensor(2, 4, 3)),
        because="the batch norm runs over the product's columns",
    )


def test_declines_products_in_another_dtype() -> None:
    half = constant(B.astype("float16"))
    assert_declines(
        RULE,
        graph(
            lambda a, emit: emit(norm(matmul(a, half, out_dtype="float32")))[0],
            tensor(2, 3, dtype="float16"),
        ),
        because="the product has its factors' dtype",
    )


@pytest.mark.parametrize("reader", [lambda y: y, exp])
def test_declines_where_something_else_reads_the_product(reader: Callable[[Expr], Expr]) -> None:
    def compute(a: Expr, emit: Emit) -> list[Expr]:
        y = emit(matmul(a, constant(B)))
        return [emit(norm(y))[0], reader(y)]

    assert_declines(
        RULE,
        graph(compute, A),
        because="the batch norm is the product's only reader",
    )


def test_declines_a_division_by_zero() -> None:
    zero = np.zeros(4, "float32")
    assert_declines(
        RULE,
        graph(lambda a, emit: emit(norm(matmul(a, constant(B)), GAMMA, BETA, MEAN, zero))[0], A),
        because="the scaled weights are finite",
    )


def test_ignores_other_batch_norms() -> None:
    assert_ignores(RULE, graph(lambda a, emit: emit(norm(exp(a)))[0], tensor(2, 4)))


@pytest.mark.parametrize("operator", ["MatMul", "Gemm"])
def test_a_normalized_layer_of_a_model(operator: str) -> None:
    rng = np.random.default_rng(0)
    sizes = {"w": (3, 4), "g": (4,), "b": (4,), "m": (4,), "v": (4,)}
    constants = {n: np.abs(rng.standard_normal(s)).astype("float32") for n, s in sizes.items()}
    model = onnx_model(
        [
            make_node(operator, ["x", "w"], ["p"]),
            make_node("BatchNormalization", ["p", "g", "b", "m", "v"], ["y"]),
        ],
        {"x": ("float32", ("n", 3))},
        {"y": "float32"},
        constants,
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["gemm"]
    x = rng.standard_normal((5, 3)).astype("float32")
    assert_agrees({"y": run(module, x)[0]}, reference(model, {"x": x}))
