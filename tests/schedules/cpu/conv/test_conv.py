"""schedules.cpu.conv: right on ragged shapes, and made of the instructions it promises."""

from typing import Any

import pytest
from tvm import tirx
from tvm.relax import op as R

from tvmfuse.ops import conv_transpose
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine

N, M = tirx.Var("n", "int64"), tirx.Var("m", "int64")


def f32(*shape: Any) -> Any:
    return shape, "float32"


def conv(**options: Any) -> Any:
    return lambda x, w: R.nn.conv2d(x, w, **options)


def transposed(strides: Any = (1, 1), padding: Any = (0, 0, 0, 0), dilation: Any = (1, 1)) -> Any:
    return lambda x, w: R.nn.relu(
        conv_transpose(
            x, w, strides=strides, padding=padding, output_padding=(0, 0), dilation=dilation
        )
    )


CASES = {
    "3x3": (conv(padding=1), f32(1, 5, 14, 14), f32(10, 5, 3, 3)),
    "no padding": (conv(), f32(1, 5, 14, 14), f32(10, 5, 3, 3)),
    "bias relu": (
        lambda x, w, b: R.nn.relu(R.nn.conv2d(x, w, padding=1) + b),
        f32(2, 6, 9, 13),
        f32(8, 6, 3, 3),
        f32(1, 8, 1, 1),
    ),
    "residual": (
        lambda x, w, b, r: R.nn.relu(R.nn.conv2d(x, w, padding=1) + b + r),
        f32(1, 6, 9, 13),
        f32(8, 6, 3, 3),
        f32(1, 8, 1, 1),
        f32(1, 8, 9, 13),
    ),
    "stride": (conv(strides=2, padding=3), f32(1, 3, 33, 33), f32(8, 3, 7, 7)),
    "stride 3": (conv(strides=3), f32(1, 3, 20, 20), f32(8, 3, 2, 2)),
    "one-sided padding": (
        conv(strides=2, padding=(0, 1, 2, 0)),
        f32(1, 3, 12, 13),
        f32(8, 3, 3, 3),
    ),
    "dilated": (conv(dilation=2, padding=2), f32(1, 4, 13, 13), f32(6, 4, 3, 3)),
    "groups": (conv(strides=2, padding=1, groups=4), f32(1, 8, 15, 15), f32(12, 2, 3, 3)),
    "depthwise": (
        lambda x, w, b: R.clip(R.nn.conv2d(x, w, padding=1, groups=8) + b, 0, 6),
        f32(1, 8, 14, 14),
        f32(8, 1, 3, 3),
        f32(1, 8, 1, 1),
    ),
    "depthwise multiplier": (conv(padding=1, groups=4), f32(1, 4, 9, 9), f32(8, 1, 3, 3)),
    "depthwise stride": (conv(strides=2, padding=1, groups=8), f32(1, 8, 15, 15), f32(8, 1, 3, 3)),
    "depthwise stride without padding": (
        conv(strides=2, groups=8),
        f32(1, 8, 15, 15),
        f32(8, 1, 3, 3),
    ),
    "1d": (lambda x, w: R.nn.conv1d(x, w, padding=2), f32(2, 6, 41), f32(8, 6, 5)),
    "3d": (lambda x, w: R.nn.conv3d(x, w, padding=1), f32(1, 3, 6, 7, 8), f32(5, 3, 3, 3, 3)),
    "patches": (conv(strides=4), f32(1, 3, 16, 16), f32(24, 3, 4, 4)),
    "channels last": (
        conv(padding=1, data_layout="NHWC", kernel_layout="HWIO"),
        f32(1, 9, 9, 6),
        f32(3, 3, 6, 20),
    ),
    "dynamic batch": (conv(padding=1), f32(N, 5, 14, 14), f32(10, 5, 3, 3)),
    "dynamic image": (conv(strides=2, padding=1), f32(1, 3, N, M), f32(6, 3, 3, 3)),
    "transposed": (
        lambda x, w: R.nn.conv2d_transpose(x, w, strides=2, padding=1),
        f32(1, 6, 7, 7),
        f32(6, 4, 3, 3),
    ),
    "transposed by 2": (
        transposed(strides=(2, 2), padding=(1, 1, 1, 1)),
        f32(1, 6, 7, 7),
        f32(6, 4, 3, 3),
    ),
    "transposed from a pixel": (transposed(), f32(1, 16, 1, 1), f32(16, 8, 4, 4)),
    "transposed dilated": (
        transposed(strides=(2, 2), dilation=(3, 3)),
        f32(1, 6, 5, 5),
        f32(6, 4, 3, 3),
    ),
    "transposed dynamic": (transposed(strides=(2, 2)), f32(N, 4, M, 9), f32(4, 6, 4, 4)),
    "half": (conv(padding=1), ((1, 4, 9, 9), "float16"), ((6, 4, 3, 3), "float16")),
    "int": (conv(padding=1), ((1, 4, 9, 9), "int32"), ((6, 4, 3, 3), "int32")),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.sampled(6)
def test_computes_the_same(lab: Any, name: str) -> None:
    operator, *inputs = CASES[name]
    tolerance = 2e-2 if name == "half" else 1e-5  # float16 has 11 bits, and 36 terms are added up
    scheduled = lab.assert_same_numbers(
        lab.lowered(operator, *inputs), n=6, m=37, tolerance=tolerance
    )
    expected = "matmul" if name == "transposed from a pixel" else "conv"
    assert expected in {d.schedule for d in scheduled.report.decisions.values()}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["bias relu", "stride", "groups", "depthwise", "dynamic image"])
@pytest.mark.parametrize("threads", [False, True], ids=["serial", "parallel"])
def test_computes_the_same_on_other_machines(
    lab: Any, monkeypatch: pytest.MonkeyPatch, name: str, threads: bool
) -> None:
    lab.tune(monkeypatch, parallel_operations=0 if threads else 1 << 60)
    operator, *inputs = CASES[name]
    lab.assert_same_numbers(lab.lowered(operator, *inputs), SSE2, n=9, m=20)


@pytest.mark.parametrize(
    "inputs",
    [(f32(1, 16, 32, 32), f32(28, 16, 3, 3)), (f32(1, 16, 64, 64), f32(28, 16, 1, 3))],
    ids=str,
)
@pytest.mark.parametrize(
    ("machine", "register"), [(AVX2, "ymm"), (AVX512, "zmm")], ids=["avx2", "avx512"]
)
def test_multiplies_whole_vectors(lab: Any, machine: Machine, register: str, inputs: Any) -> None:
    module = lab.lowered(
        lambda x, w: R.nn.relu(R.nn.conv2d(x, w, padding=(w_pad(inputs), 1))), *inputs
    )
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    code = lab.assembly(function, machine)
    fma = [line for line in code.splitlines() if "vfmadd" in line]
    assert fma
    assert all(register in line for line in fma)
    assert register == "zmm" or "zmm" not in code


def w_pad(inputs: Any) -> Any:
    return inputs[1][0][2] // 2


def test_a_depthwise_convolution_multiplies_whole_vectors(lab: Any) -> None:
    module = lab.lowered(conv(padding=1, groups=16), f32(1, 16, 32, 32), f32(16, 1, 3, 3))
    (function,) = lab.kernels(schedule(module, AVX2.target).module).values()
    fma = [line for line in lab.assembly(function, AVX2).splitlines() if "vfmadd" in line]
    assert fma
    assert all("ymm" in line for line in fma)


def test_the_padded_copy_has_no_branch_for_each_element(lab: Any) -> None:
    module = lab.lowered(conv(padding=1), f32(1, 4, 32, 32), f32(8, 4, 3, 3))
    (function,) = lab.kernels(schedule(module, AVX2.target).module).values()
    # Of the copy's vectorized loops, each holds at most the test for the row.
    text = function.script()
    assert "v_i3" not in text.partition("T.if_then_else(")[2].partition(",")[0]


def test_declines_what_has_no_window(lab: Any) -> None:
    scheduled = lab.assert_same_numbers(lab.lowered(R.matmul, f32(9, 16), f32(16, 12)))
    (decision,) = scheduled.report.decisions.values()
    assert decision.declined["conv"] == "no operand is read through a window that slides"
