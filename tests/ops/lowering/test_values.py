"""Who holds a tensor's transpose or reshape holds the tensor: proven, and nothing further."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import graph, tensor
from tvm import relax

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import values_of, with_values
from tvmfuse.manifest import StoredValue
from tvmfuse.measure.order import restored
from tvmfuse.ops.lowering.values import with_values_of_results, with_values_of_views

X = np.random.default_rng(0).standard_normal((2, 3, 4))


def of(*values: StoredValue) -> Any:
    return lambda call: with_values(call, values)


def held(build: Any) -> list[tuple[StoredValue, ...]]:
    main = with_values_of_views(graph(build, tensor(2, 3, 4))["main"])
    return [values_of(value) for _, value in Dataflow.of(main).bindings][:-1]


@pytest.mark.parametrize("axes", [(2, 0, 1), (1, 0, 2), None])
def test_who_computes_a_tensor_holds_its_transpose(axes: Any) -> None:
    def build(x: Any, emit: Any) -> Any:
        y = emit(of(StoredValue("y"))(relax.op.permute_dims(emit(relax.op.exp(x)), axes)))
        return relax.op.abs(y)

    (before,), (after,) = held(build)
    assert after == StoredValue("y")
    np.testing.assert_array_equal(restored(before, X), X.transpose(axes))


def test_a_transpose_holds_what_it_is_of() -> None:
    def build(x: Any, emit: Any) -> Any:
        a = emit(of(StoredValue("a"))(relax.op.exp(x)))
        return relax.op.abs(emit(relax.op.permute_dims(a, (2, 0, 1))))

    _, (after,) = held(build)
    np.testing.assert_array_equal(restored(after, X.transpose(2, 0, 1)), X)


def test_two_transposes_and_a_reshape() -> None:
    def build(x: Any, emit: Any) -> Any:
        a = emit(relax.op.permute_dims(emit(relax.op.exp(x)), (2, 0, 1)))
        b = emit(relax.op.permute_dims(a, (0, 2, 1)))
        return relax.op.abs(emit(of(StoredValue("y"))(relax.op.reshape(b, (4, 6)))))

    first, second, third, _ = (one for (one,) in held(build))
    expected = X.transpose(2, 0, 1).transpose(0, 2, 1).reshape(4, 6)
    for stored, array in (
        (first, X), (second, X.transpose(2, 0, 1)), (third, X.transpose(2, 1, 0)),
    ):  # fmt: skip
        np.testing.assert_array_equal(restored(stored, array, (4, 6)), expected)


@pytest.mark.parametrize(
    "stored",
    [
        StoredValue("y", blocked=True),
        StoredValue("y", part=(1, 0, 2)),
        StoredValue("y", axes=(1, 0)),
    ],
)
def test_what_cannot_be_said_is_not(stored: StoredValue) -> None:
    def build(x: Any, emit: Any) -> Any:
        return relax.op.abs(emit(of(stored)(relax.op.reshape(emit(relax.op.exp(x)), (4, 6)))))

    before, after = held(build)
    assert (before, after) == ((), (stored,))


def test_a_call_of_several_results_says_what_each_is() -> None:
    def build(x: Any, emit: Any) -> Any:
        both = emit(relax.op.split(x, 2, axis=2))
        a = emit(of(StoredValue("a"))(relax.TupleGetItem(both, 0)))
        b = emit(of(StoredValue("b"))(relax.TupleGetItem(both, 1)))
        return relax.op.add(a, b)

    main = with_values_of_results(graph(build, tensor(2, 3, 4))["main"])
    call = Dataflow.of(main).bindings[0][1]
    assert [(v.name, v.result) for v in values_of(call)] == [("a", 0), ("b", 1)]
