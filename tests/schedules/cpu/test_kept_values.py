"""schedules.cpu.kept_values: functions of functions compile as fast as they follow each other."""

from collections.abc import Callable
from typing import Any

import pytest
import tvm_ffi
from onnx import parser
from tvm import tirx
from tvm.ir import TensorLoad
from tvm.relax import op as R

from tvmfuse.pipeline.compile import optimize_model
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.schedules.cpu.kept_values import LONGEST
from tvmfuse.schedules.expressions import size, variables
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2

N = tirx.Var("n", "int64")


def repeated(function: Callable[[Any], Any], times: int) -> Callable[[Any], Any]:
    def chain(a: Any) -> Any:
        for _ in range(times):
            a = function(a)
        return a

    return chain


def beside(a: Any, b: Any) -> Any:
    """Branch on an axis, to values that are out of range where the other ones are asked for."""
    return R.concat([repeated(R.sigmoid, 3)(a), repeated(R.tanh, 6)(b)], axis=0)


@pytest.mark.parametrize(
    ("operator", "inputs"),
    [
        (repeated(R.sigmoid, 4), [(3, 37)]),
        (repeated(R.tanh, 8), [(N, 37)]),
        (repeated(R.erf, 8), [(5,)]),
        (repeated(R.sin, 12), [()]),
        (lambda a, b: R.power(R.exp(R.power(R.abs(a), b)), R.sigmoid(R.sigmoid(b))), [(4, 9)] * 2),
        (lambda a: R.sum(repeated(R.sigmoid, 3)(a), -1), [(5, 70)]),
        (lambda a, b: repeated(R.sigmoid, 3)(R.matmul(a, b)), [(9, 20), (20, 33)]),
        (lambda a: repeated(R.sigmoid, 3)(R.nn.softmax(a, -1)), [(9, 21)]),
        (beside, [(5, 19), (3, 19)]),
        (beside, [(5, N), (3, N)]),
    ],
    ids="ragged symbolic vector scalar powers sum product softmax branch symbolic-branch".split(),
)
def test_numbers_stay(lab: Any, operator: Any, inputs: Any) -> None:
    module = lab.lowered(operator, *((shape, "float32") for shape in inputs))
    scheduled = lab.assert_same_numbers(module, n=23)
    assert "kept" in str(scheduled.module)


@pytest.mark.parametrize(
    "operator",
    [R.exp, R.sigmoid, R.tanh, R.erf, R.log, R.nn.gelu, R.nn.gelu_tanh, R.nn.silu],
)
def test_one_function_is_one_expression(lab: Any, operator: Any) -> None:
    module = lab.lowered(lambda a, b: operator(a * b + b), ((4, 37), "float32"), ((37,), "float32"))
    assert "kept" not in str(schedule(module, AVX2.target).module)


def test_what_is_kept_is_in_registers(lab: Any) -> None:
    module = lab.lowered(repeated(R.tanh, 4), ((4, 64), "float32"))
    scheduled = schedule(module, AVX2.target).module
    (function,) = lab.kernels(scheduled).values()
    assert "kept" in function.script()
    hottest = lab.hottest_block(lab.assembly(function, AVX2), "vmulps")
    assert not [line for line in hottest if "ymm" in line and "(%rsp)" in line.split(",")[-1]]


def written_out(store: tirx.BufferStore) -> int:
    """Count the nodes of what is stored with all names written out, and places that have sizes."""

    def short(load: TensorLoad, _: Any) -> Any:
        sizes = [v for v in variables(load.indices[0]) if str(v.name) in "BN"]
        return load if sizes else tirx.const(0, load.ty.dtype)

    def inlined(let: tirx.Let, mutator: Any) -> Any:
        mutator.var_remap_set(let.var, mutator.mutate(let.value))
        return mutator.mutate(let.body)

    loads = (TensorLoad, short)
    return size(tvm_ffi.structural_mutate(store.value, [(tirx.Let, inlined), loads]))


REFINED = parser.parse_model(
    """<ir_version: 9, opset_import: ["":17]> g (float[B,N,4] x, float[B,N,4] z) => (float[B,N,4] y)
    <float zero = {0}, float one = {1}, float low = {0.00001}> {
        kept = Clip(x, zero, one) a = Clip(kept, low) rest = Sub(one, kept) b = Clip(rest, low)
        odds = Div(a, b) logarithm = Log(odds) sum = Add(logarithm, z) y = Sigmoid(sum)
    }"""
)


def test_places_that_are_computed_of_sizes_count() -> None:
    """The inverse sigmoid that detectors refine boxes with reads one place a hundred times."""
    kernels = optimize_model(REFINED, CompileSettings.of()).kernels
    stores: list[tirx.BufferStore] = []
    for function in schedule(kernels, AVX2.target).module.functions.values():
        if isinstance(function, tirx.PrimFunc):
            tvm_ffi.structural_walk(function, (tirx.BufferStore, stores.append))
    assert 1000 < max(map(written_out, stores)) <= LONGEST
