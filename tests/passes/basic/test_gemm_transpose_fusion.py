"""GemmTransposeFusion: a transpose beside a gemm becomes trans_a and trans_b."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, ops, run, tensor
from onnx.helper import make_node
from reference import assert_agrees, reference
from tvm.ir import Expr
from tvm.relax.op import exp, permute_dims

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.ops import gemm
from tvmfuse.passes.basic.gemm_transpose_fusion import GemmTransposeFusion
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = GemmTransposeFusion()
A, B = tensor(3, 4), tensor(4, 5)
Emit = Callable[[Expr], Expr]


@pytest.mark.parametrize("axes", [None, [1, 0], [-1, -2]])
def test_the_left_operand(axes: list[int] | None) -> None:
    assert_rewrites(
        RULE,
        graph(
            lambda a, b, c, _: gemm(permute_dims(a, axes), b, c, alpha=0.5, beta=2),
            tensor(4, 3), B, tensor(5),
        ),
        graph(
            lambda a, b, c, _: gemm(a, b, c, trans_a=True, alpha=0.5, beta=2),
            tensor(4, 3), B, tensor(5),
        ),
    )  # fmt: skip


def test_both_operands_one_of_them_back_to_front() -> None:
    types = A, tensor(5, 4)
    assert_rewrites(
        RULE,
        graph(lambda a, b, _: gemm(permute_dims(a), permute_dims(b), trans_a=True), *types),
        graph(lambda a, b, _: gemm(a, b, trans_b=True), *types),
    )


def test_one_transpose_that_several_gemms_read() -> None:
    def compute(a: Expr, b: Expr, emit: Emit) -> list[Expr]:
        transposed = emit(permute_dims(a))
        return [gemm(transposed, b), gemm(transposed, transposed)]

    def expected(a: Expr, b: Expr, _: Emit) -> list[Expr]:
        return [gemm(a, b, trans_a=True), gemm(a, a, trans_a=True, trans_b=True)]

    types = tensor(4, 4), B
    assert_rewrites(RULE, graph(compute, *types), graph(expected, *types))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"trans_a": True, "trans_b": True}),
        ({"trans_a": True}, {"trans_a": True}),
        ({"trans_b": True}, {"trans_b": True}),
        ({"trans_a": True, "trans_b": True, "alpha": 0.5}, {"alpha": 0.5}),
    ],
)
def test_the_result(before: dict[str, Any], after: dict[str, Any]) -> None:
    a = tensor(4, 3) if before.get("trans_a") else A
    b = tensor(5, 4) if before.get("trans_b") else B
    assert_rewrites(
        RULE,
        graph(lambda a, b, _: permute_dims(gemm(a, b, **before)), a, b),
        graph(lambda a, b, _: gemm(b, a, **after), a, b),
    )


@pytest.mark.parametrize(
    ("addend", "transposed"),
    [((), ()), ((1,), (1,)), ((5,), (5, 1)), ((1, 5), (5, 1)), ((3, 1), (1, 3)), ((3, 5), (5, 3))],
)
def test_the_result_with_a_constant_addend(
    addend: tuple[int, ...], transposed: tuple[int, ...]
) -> None:
    values = np.arange(np.prod(addend, dtype=int), dtype="float32").reshape(addend)
    turned = np.transpose(values) if values.ndim == 2 else values
    assert_rewrites(
        RULE,
        graph(lambda a, b, _: permute_dims(gemm(a, b, constant(values), beta=2)), A, B),
        graph(
            lambda a, b, _: gemm(
                b, a, constant(turned.reshape(transposed)), trans_a=True, trans_b=True, beta=2
            ),
            A, B,
        ),
    )  # fmt: skip


def test_the_result_with_one_number_that_comes_at_run_time() -> None:
    assert_rewrites(
        RULE,
        graph(lambda a, b, c, _: permute_dims(gemm(a, b, c)), A, B, tensor(1)),
        graph(
            lambda a, b, c, _: gemm(b, a, c, trans_a=True, trans_b=True),
            A,
            B,
            tensor(1),
        ),
    )


def test_declines_a_permutation_that_changes_nothing() -> None:
    assert_declines(
        RULE,
        graph(lambda a, b, _: gemm(permute_dims(a, [0, 1]), b), A, B),
        because="the transpose swaps the dimensions of a matrix",
    )


def test_declines_permutations_of_more_dimensions() -> None:
    assert_declines(
        RULE,
        graph(lambda a, b, _: gemm(permute_dims(a, [0, 2, 1]), b), tensor(2, 4, 3), B),
        because="the transpose swaps the dimensions of a matrix",
    )
    assert_declines(
        RULE,
        graph(lambda a, b, _: permute_dims(gemm(a, b), [0, 2, 1]), tensor(2, 3, 4), B),
        because="the transpose swaps the dimensions of a matrix",
    )


@pytest.mark.parametrize("reader", [lambda y: y, exp])
def test_declines_a_transpose_that_something_else_reads(reader: Callable[[Expr], Expr]) -> None:
    def compute(a: Expr, b: Expr, emit: Emit) -> list[Expr]:
        transposed = emit(permute_dims(a))
        return [gemm(transposed, b), reader(transposed)]

    assert_declines(RULE, graph(compute, tensor(4, 3), B), because="only gemms read the transpose")


@pytest.mark.parametrize("reader", [lambda y: y, exp])
def test_declines_a_gemm_that_something_else_reads(reader: Callable[[Expr], Expr]) -> None:
    def compute(a: Expr, b: Expr, emit: Emit) -> list[Expr]:
        y = emit(gemm(a, b))
        return [permute_dims(y), reader(y)]

    assert_declines(
        RULE,
        graph(compute, A, B),
        because="the transpose is the gemm's only reader",
    )


def test_declines_an_addend_that_would_need_a_transpose() -> None:
    assert_declines(
        RULE,
        graph(lambda a, b, c, _: permute_dims(gemm(a, b, c)), A, B, tensor(5)),
        because="what the gemm adds is constant",
    )


def test_ignores_other_transposes() -> None:
    assert_ignores(RULE, graph(lambda a, _: exp(permute_dims(a)), A))


def test_transposes_around_a_gemm_of_a_model() -> None:
    rng = np.random.default_rng(0)
    feeds = {
        "a": rng.standard_normal((4, 3)).astype("float32"),
        "b": rng.standard_normal((5, 4)).astype("float32"),
    }
    model = onnx_model(
        [
            make_node("Transpose", ["a"], ["at"]),
            make_node("Transpose", ["b"], ["bt"], perm=[1, 0]),
            make_node("Gemm", ["at", "bt", "c"], ["p"], beta=2.0),
            make_node("Transpose", ["p"], ["y"], perm=[1, 0]),
        ],
        {name: ("float32", value.shape) for name, value in feeds.items()},
        {"y": "float32"},
        {"c": rng.standard_normal(5).astype("float32")},
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["gemm"]
    assert_agrees({"y": run(module, *feeds.values())[0]}, reference(model, feeds))
