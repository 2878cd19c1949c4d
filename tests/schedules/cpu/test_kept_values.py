"""schedules.cpu.kept_values: functions of functions compile as fast as they follow each other."""

from collections.abc import Callable
from typing import Any

import pytest
from tvm import tirx
from tvm.relax import op as R

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
