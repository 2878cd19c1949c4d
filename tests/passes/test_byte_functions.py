"""passes.byte_functions: what is computed from one tensor of bytes, however far away that is."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from graphs import graph, tensor
from tvm import relax
from tvm.ir import Expr
from tvm.relax import op as R
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.passes.byte_functions import LONGEST, ByteFunction
from tvmfuse.passes.pattern import Match, Pattern, matches_of

SCALE, ZERO = relax.const(np.float32(0.25)), relax.const(np.uint8(4))


def real(q: Expr) -> Expr:
    return R.dequantize(q, SCALE, ZERO, axis=0, out_dtype="float32")


def steps(x: Expr) -> Expr:
    return R.quantize(x, SCALE, ZERO, axis=0, out_dtype="uint8")


def read(
    compute: Callable[..., Any], *inputs: relax.TensorType
) -> tuple[Match, ByteFunction | None]:
    """Return the last quantize of a graph, and what it is a function of."""
    function = graph(compute, *inputs)["main"]
    pattern = Pattern(is_op("relax.quantize")(*[wildcard() for _ in range(3)]))
    *_, last = matches_of(pattern, Dataflow.of(function))
    match = next(last)
    return match, ByteFunction.of(match, match.root)


def bytes_of(shape: Sequence[int] = (3, 5)) -> relax.TensorType:
    return tensor(*shape, dtype="uint8")


def test_the_bytes_and_what_lies_between() -> None:
    def silu(q: Expr, emit: Any) -> Expr:
        x = emit(real(q))
        return steps(emit(R.multiply(x, emit(R.sigmoid(x)))))

    match, found = read(silu, bytes_of())
    assert found is not None
    assert found.source == match.resolve(found.source)
    assert len(found.inside) == 3
    assert found.has_scalars_only
    assert found.is_sound
    assert found.is_read_inside_only
    every = np.arange(256, dtype="float64")
    x = (every - 4) / 4
    expected = np.clip(np.rint(x / (1 + np.exp(-x)) * 4) + 4, 0, 255)
    np.testing.assert_array_equal(found.table(), expected.astype("uint8"))


def test_it_goes_on_behind_what_is_quantized_between() -> None:
    def chain(q: Expr, emit: Any) -> Expr:
        first = emit(steps(emit(R.tanh(emit(real(q))))))
        return steps(emit(R.exp(emit(real(first)))))

    match, found = read(chain, bytes_of())
    assert found is not None
    assert found.source == match.resolve(found.source)


def test_it_stops_where_two_tensors_come_together() -> None:
    def chain(q: Expr, p: Expr, emit: Any) -> Expr:
        total = emit(steps(emit(R.add(emit(real(q)), emit(real(p))))))
        return steps(emit(R.exp(emit(real(total)))))

    match, found = read(chain, bytes_of(), bytes_of())
    assert found is not None
    assert match.resolve(found.source).op.name == "relax.quantize"
    assert len(found.inside) == 2


@pytest.mark.parametrize("calls", [LONGEST - 2, LONGEST])
def test_it_goes_no_further_than_a_bound(calls: int) -> None:
    def chain(q: Expr, emit: Any) -> Expr:
        x = emit(real(q))
        for _ in range(calls):
            x = emit(R.negative(x))
        return steps(x)

    _, found = read(chain, bytes_of())
    assert (found is not None) == (calls < LONGEST)


def test_no_function_of_numbers_in_other_places() -> None:
    _, found = read(lambda q, emit: steps(emit(R.sum(emit(real(q)), [0]))), bytes_of())
    assert found is None
    _, found = read(lambda x, emit: steps(emit(R.negative(x))), tensor(3, 5))
    assert found is None


def test_infinities_are_clipped_and_nan_has_no_table() -> None:
    _, found = read(lambda q, emit: steps(emit(R.exp(emit(R.square(emit(real(q))))))), bytes_of())
    assert found is not None
    table = found.table()
    assert table is not None
    assert table[255] == 255
    _, found = read(lambda q, emit: steps(emit(R.log(emit(real(q))))), bytes_of())
    assert found is not None
    assert found.table() is None


def test_real_numbers_that_are_read_elsewhere() -> None:
    def chain(q: Expr, emit: Any) -> list[Expr]:
        x = emit(R.tanh(emit(real(q))))
        return [emit(R.negative(x)), steps(x)]

    _, found = read(chain, bytes_of())
    assert found is not None
    assert not found.is_read_inside_only
