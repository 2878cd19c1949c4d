"""NotWhereFusion: a negated choice becomes the choice the other way round."""

from typing import Any

import numpy as np
import tvm
from graphs import graph, onnx_model, ops, run, tensor
from onnx import helper
from reference import assert_agrees, reference
from tvm import tirx
from tvm.relax.op import expand_dims, logical_not, where

from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.basic.not_where_fusion import NotWhereFusion
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = NotWhereFusion()
C, A, B = tensor(2, 3, dtype="bool"), tensor(2, 3), tensor(2, 3)


def test_the_alternatives_swap() -> None:
    assert_rewrites(
        RULE,
        graph(lambda c, a, b, _: where(logical_not(c), a, b), C, A, B),
        graph(lambda c, a, b, _: where(c, b, a), C, A, B),
    )


def test_operands_that_broadcast() -> None:
    types = tensor(2, 1, dtype="bool"), tensor(3), tensor()
    assert_rewrites(
        RULE,
        graph(lambda c, a, b, _: where(logical_not(c), a, b), *types),
        graph(lambda c, a, b, _: where(c, b, a), *types),
    )


def test_two_negations_cancel() -> None:
    assert_rewrites(
        RULE,
        graph(lambda c, a, b, _: where(logical_not(logical_not(c)), a, b), C, A, B),
        graph(lambda c, a, b, _: where(c, a, b), C, A, B),
    )


def test_several_choices_by_one_negation() -> None:
    def before(c: Any, a: Any, b: Any, emit: Any) -> Any:
        n = emit(logical_not(c))
        return [where(n, a, b), where(n, b, a)]

    def after(c: Any, a: Any, b: Any, _: Any) -> Any:
        return [where(c, b, a), where(c, a, b)]

    assert_rewrites(RULE, graph(before, C, A, B), graph(after, C, A, B))


def test_symbolic_shapes() -> None:
    c = tensor(tirx.Var("n", "int64"), 3, dtype="bool")
    tvm.ir.assert_structural_equal(
        RULE(graph(lambda c, a, b, _: where(logical_not(c), a, b), c, tensor(3), tensor())),
        graph(lambda c, a, b, _: where(c, b, a), c, tensor(3), tensor()),
    )


def test_declines_where_the_negation_is_needed_anyway() -> None:
    def both(c: Any, a: Any, b: Any, emit: Any) -> Any:
        n = emit(logical_not(c))
        return [where(n, a, b), expand_dims(n, 0)]

    def returned(c: Any, a: Any, b: Any, emit: Any) -> Any:
        n = emit(logical_not(c), output=True)
        return [where(n, a, b), n]

    for compute in (both, returned):
        assert_declines(RULE, graph(compute, C, A, B), because="only choices read the negation")


def test_when_disabled_the_negation_stays_a_kernel_of_its_own() -> None:
    module = graph(lambda c, a, b, _: where(logical_not(c), a, b), C, A, B)
    assert ops(RULE.with_barriers(module)) == ["logical_not", "barrier", "where"]


def test_ignores_choices_that_are_not_negated() -> None:
    assert_ignores(RULE, graph(lambda c, a, b, _: where(c, a, b), C, A, B))


def test_a_whole_model() -> None:
    model = onnx_model(
        [
            helper.make_node("Not", ["c"], ["n"]),
            helper.make_node("Where", ["n", "a", "b"], ["y"]),
        ],
        {"c": ("bool", ["n", 1]), "a": ("float32", ["n", 3]), "b": ("float32", [1])},
        {"y": "float32"},
    )
    module = RULE(import_model(model).module)
    assert "logical_not" not in ops(module)
    feeds = {
        "c": np.array([[True], [False]]),
        "a": np.arange(6, dtype="float32").reshape(2, 3),
        "b": np.array([np.nan], "float32"),
    }
    assert_agrees({"y": run(module, *feeds.values())[0]}, reference(model, feeds))
