"""schedules.cpu.contraction_schedule: which kernels it is for."""

from typing import Any

import pytest
from tvm.relax import op as R

from tvmfuse.schedules.cpu.gemm.contraction_schedule import contraction_schedule
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.target.machine import AVX2

IMAGE, FILTER = ((1, 4, 9, 9), "float32"), ((4, 4, 3, 3), "float32")
MATRICES = ((9, 16), "float32"), ((16, 12), "float32")


def result(lab: Any, operator: Any, *inputs: Any, window: Any) -> Any:
    (function,) = lab.kernels(lab.lowered(operator, *inputs)).values()
    return contraction_schedule(Subject(function, AVX2.target), window=window)


@pytest.mark.parametrize(
    ("operator", "inputs", "window", "words"),
    [
        (R.exp, [MATRICES[0]], False, "it has no reductions, not one"),
        (lambda a: R.nn.softmax(a), [MATRICES[0]], False, "it has 2 reductions, not one"),
        (lambda a: R.sum(a, -1), [MATRICES[0]], False, "its reduction is no sum of products"),
        (R.matmul, MATRICES, True, "no operand is read through a window that slides"),
        (R.nn.conv2d, [IMAGE, FILTER], False, "an operand is read through a window that slides"),
    ],
    ids=["exp", "softmax", "sum", "matmul", "conv"],
)
def test_declines(lab: Any, operator: Any, inputs: Any, window: bool, words: str) -> None:
    assert result(lab, operator, *inputs, window=window) == Declined(words)


def test_takes_products_and_convolutions(lab: Any) -> None:
    assert not isinstance(result(lab, R.matmul, *MATRICES, window=False), Declined)
    assert not isinstance(result(lab, R.nn.conv2d, IMAGE, FILTER, window=True), Declined)
