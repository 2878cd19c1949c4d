"""GemmSumFusion: gemm(a, b) -> add becomes gemm(a, b, c)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, ops, run, tensor
from onnx.helper import make_node
from reference import assert_agrees, reference
from tvm import IRModule, tirx
from tvm.ir import Expr
from tvm.relax.op import add, exp

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ops import gemm
from tvmfuse.passes.basic.gemm_sum_fusion import GemmSumFusion
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = GemmSumFusion()
A, B = tensor(4, 3), tensor(5, 4)
TRANSPOSED: dict[str, Any] = {"trans_a": True, "trans_b": True}
Shape = tuple[int, ...]


def separate(c: Shape, **attrs: Any) -> IRModule:
    return graph(lambda a, b, c, _: add(gemm(a, b, **TRANSPOSED, **attrs), c), A, B, tensor(*c))


def fused(c: Shape, **attrs: Any) -> IRModule:
    return graph(lambda a, b, c, _: gemm(a, b, c, **TRANSPOSED, **attrs), A, B, tensor(*c))


@pytest.mark.parametrize("c", [(5,), (1, 5), (3, 1), (3, 5), (1,), ()])
def test_addends_that_broadcast_to_the_product(c: Shape) -> None:
    assert_rewrites(RULE, separate(c), fused(c))


def test_the_addend_counts_once_and_the_product_stays_scaled() -> None:
    assert_rewrites(RULE, separate((5,), alpha=0.5, beta=4.0), fused((5,), alpha=0.5, beta=1.0))


def test_the_addend_may_stand_first() -> None:
    assert_rewrites(
        RULE,
        graph(lambda a, b, c, _: add(c, gemm(a, b, **TRANSPOSED)), A, B, tensor(3, 5)),
        fused((3, 5)),
    )


def test_the_gemm_that_nobody_else_reads_is_taken() -> None:
    def compute(a: Expr, b: Expr, emit: Callable[[Expr], Expr]) -> list[Expr]:
        first, second = emit(gemm(a, b)), emit(gemm(b, a))
        return [add(first, second), exp(first)]

    def expected(a: Expr, b: Expr, emit: Callable[[Expr], Expr]) -> list[Expr]:
        first = emit(gemm(a, b))
        return [gemm(b, a, first), exp(first)]

    types = tensor(4, 4), tensor(4, 4)
    assert_rewrites(RULE, graph(compute, *types), graph(expected, *types))


def test_symbolic_rows() -> None:
    m, trace = tirx.Var("m", "int64"), Trace()
    RULE(
        graph(lambda a, b, c, _: add(gemm(a, b), c), tensor(m, 4), tensor(4, 5), tensor(m, 5)),
        trace,
    )
    assert len(trace.fired) == 1


@pytest.mark.parametrize("c", [(2, 3, 5), (1, 3, 5)])
def test_declines_addends_that_grow_the_product(c: Shape) -> None:
    assert_declines(RULE, separate(c), because="the sum has the gemm's shape")


def test_declines_dimensions_that_may_differ() -> None:
    m, n = tirx.Var("m", "int64"), tirx.Var("n", "int64")
    assert_declines(
        RULE,
        graph(lambda a, b, c, _: add(gemm(a, b), c), tensor(m, 4), tensor(4, 5), tensor(n, 5)),
        because="the sum has the gemm's shape",
    )


def test_declines_a_gemm_that_adds_already() -> None:
    assert_declines(
        RULE,
        graph(
            lambda a, b, c, d, _: add(gemm(a, b, c, **TRANSPOSED), d), A, B, tensor(5), tensor(3, 5)
        ),
        because="the gemm adds nothing yet",
    )


@pytest.mark.parametrize("reader", [lambda y: y, exp])
def test_declines_where_something_else_reads_the_gemm(reader: Callable[[Expr], Expr]) -> None:
    def compute(a: Expr, c: Expr, emit: Callable[[Expr], Expr]) -> list[Expr]:
        y = emit(gemm(a, a))
        return [add(y, c), reader(y)]

    assert_declines(
        RULE,
        graph(compute, tensor(4, 4), tensor(4)),
        because="the sum is the gemm's only reader",
    )


def test_ignores_sums_of_other_operators() -> None:
    assert_ignores(RULE, graph(lambda a, _: add(exp(a), a), tensor(4, 4)))


@pytest.mark.parametrize("operator", ["Sum", "Add"])
def test_a_gemm_and_a_sum_of_a_model(operator: str) -> None:
    rng = np.random.default_rng(0)
    feeds = {
        name: rng.standard_normal(shape).astype("float32")
        for name, shape in {"a": (4, 3), "b": (4, 5), "c": (3, 1)}.items()
    }
    model = onnx_model(
        [
            make_node("Gemm", ["a", "b"], ["p"], transA=1, alpha=0.5),
            make_node(operator, ["c", "p"], ["y"]),
        ],
        {name: ("float32", value.shape) for name, value in feeds.items()},
        {"y": "float32"},
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["gemm"]
    assert_agrees({"y": run(module, *feeds.values())[0]}, reference(model, feeds))
