"""schedules.cpu.gemm.dot_product: sums of products by instructions that add up several."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import tirx
from tvm.target import Target

from tvmfuse import ops
from tvmfuse.schedules.plans import ContractionPlan
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine
from tvmfuse.target.resolve import resolve

BYTES, WIDE = ("uint8", "int8", 4), ("int16", "int16", 2)
HALF = ("bfloat16", "bfloat16", 2)
N = tirx.Var("n", "int64")
HERE = Machine.of(resolve("llvm"))


def gemm(
    lab: Any, stored: Any, rows: Any = 13, *, bounded: bool = False, columns: int = 160
) -> Any:
    a, b, group = stored
    return lab.lowered(
        lambda x, w: ops.gemm(x, w, columns=columns, bounded=bounded, wide=True),
        ((rows, 36), a),
        ((-(-columns // 32), 36 // group, 32, group), b),
    )


def conv(lab: Any, stored: Any, *, bounded: bool = False, **said: Any) -> Any:
    a, b, group = stored
    window = {"strides": [2, 1], "padding": [1, 0, 2, 1], "dilation": [1, 2], **said}
    return lab.lowered(
        lambda x, w: ops.conv_blocked(x, w, pad_value=7, bounded=bounded, wide=True, **window),
        ((1, 2, 9, 13, 8), a),
        ((3, 2, 3, 3, 8 // group, 16, group), b),
    )


def pixels(lab: Any, window: int, stride: int, dilation: int = 1, width: Any = 112) -> Any:
    """A convolution of pixels of four bytes, a word each."""
    read = (width - 1) * stride + (window - 1) * dilation + 1
    said: Any = {"strides": [stride] * 2, "dilation": [dilation] * 2, "padding": [0] * 4}
    return lab.lowered(
        lambda x, w: ops.conv_blocked(x, w, **said),
        ((1, 1, (window - 1) * dilation + 1, read, 4), "uint8"),
        ((2, 1, window, window, 1, 16, 4), "int8"),
    )


@pytest.mark.parametrize("machine", [HERE, AVX2, SSE2], ids=["here", "avx2", "sse2"])
@pytest.mark.parametrize("stored", [BYTES, WIDE, HALF], ids=["bytes", "wide", "half"])
@pytest.mark.sampled(4)
def test_numbers_stay(lab: Any, machine: Machine, stored: Any) -> None:
    for rows, columns in ((13, 157), (1, 161), (N, 24)):
        lab.assert_same_numbers(gemm(lab, stored, rows, columns=columns), machine, n=11)
    lab.assert_same_numbers(conv(lab, stored), machine)


def test_numbers_of_few_channels_stay(lab: Any) -> None:
    for width in (37, N):
        lab.assert_same_numbers(pixels(lab, window=7, stride=2, width=width), HERE, n=21)


def test_words_that_rows_share_stay_in_registers(lab: Any) -> None:
    """Each is copied to all lanes once, whichever rows and steps read it."""
    machine = Machine.of(Target({"kind": "llvm", "mcpu": "znver4"}))
    module = schedule(pixels(lab, window=7, stride=2), machine.target).module
    (function,) = lab.kernels(module).values()
    code = lab.hottest_block(lab.assembly(function, machine), "vpdpbusd")
    assert sum("vpdpbusd" in line for line in code) == 8 * 7
    assert sum("vpbroadcastd" in line for line in code) == 7 * 2 + 7
    assert not any("rsp" in line for line in code)


@pytest.mark.parametrize(
    ("mcpu", "window", "stride", "dilation", "rows"),
    [
        ("znver4", 7, 2, 1, 8),
        ("znver4", 3, 2, 1, 8),
        ("znver4", 3, 1, 1, 14),
        ("znver4", 7, 3, 2, 14),  # no row reads what another does
        ("znver4", 3, 3, 1, 14),  # each reads words of its own
        ("znver4", 11, 4, 1, 14),  # with so few rows that a sum waits for the last product
        ("znver4", 17, 2, 1, 14),  # a line of the window is no one body of code
        ("alderlake", 7, 2, 1, 6),  # of its registers none are left
    ],
)
def test_a_tile_s_rows_leave_registers_for_words_that_they_share(
    lab: Any, mcpu: str, window: int, stride: int, dilation: int, rows: int
) -> None:
    module = pixels(lab, window, stride, dilation)
    target = Target({"kind": "llvm", "mcpu": mcpu})
    (decision,) = schedule(module, target).report.decisions.values()
    product = decision.plan.nests[-1]
    assert isinstance(product, ContractionPlan)
    assert product.mr == rows


@pytest.mark.parametrize("least", [-64, 64])
def test_bounded_sums_are_exact_at_their_bounds(lab: Any, least: int) -> None:
    module = schedule(gemm(lab, BYTES, bounded=True), AVX2.target).module
    (function,) = lab.kernels(module).values()
    a, b = np.full((13, 36), 255, "uint8"), np.full((5, 9, 32, 4), least, "int8")
    found = tvm.runtime.tensor(np.zeros((13, 160), "int32"))
    lab.runnable(function, AVX2)(tvm.runtime.tensor(a), tvm.runtime.tensor(b), found)
    assert (found.numpy() == 255 * least * 36).all()


@pytest.mark.parametrize(
    ("mcpu", "stored", "bounded", "instructions"),
    [
        ("znver4", BYTES, False, {"vpdpbusd": "zmm"}),
        ("icelake-server", BYTES, False, {"vpdpbusd": "zmm"}),
        ("alderlake", BYTES, False, {"vpdpbusd": "ymm"}),
        ("skylake-avx512", BYTES, True, {"vpmaddubsw": "zmm", "vpmaddwd": "zmm"}),
        ("skylake-avx512", WIDE, False, {"vpmaddwd": "zmm"}),
        ("haswell", BYTES, True, {"vpmaddubsw": "ymm", "vpmaddwd": "ymm"}),
        ("haswell", WIDE, False, {"vpmaddwd": "ymm"}),
        ("x86-64", WIDE, False, {"pmaddwd": "xmm"}),
        ("znver4", HALF, False, {"vdpbf16ps": "zmm"}),
        ("cooperlake", HALF, False, {"vdpbf16ps": "zmm"}),
    ],
)
@pytest.mark.parametrize("operator", [gemm, conv])
def test_the_innermost_loop_is_of_dot_products(
    lab: Any, operator: Any, mcpu: str, stored: Any, bounded: bool, instructions: Any
) -> None:
    machine = replace(Machine.of(Target({"kind": "llvm", "mcpu": mcpu})), mcpu=mcpu)
    module = schedule(operator(lab, stored, bounded=bounded), machine.target).module
    (function,) = lab.kernels(module).values()
    code = lab.assembly(function, machine)
    loop = lab.hottest_block(
        code, "madd" if "madd" in str(instructions) else next(iter(instructions))
    )
    for name, register in instructions.items():
        assert sum(name in line and register in line for line in loop) > 1
    assert not any("mull" in line or "pmovzx" in line or "gather" in line for line in loop)


@pytest.mark.parametrize(
    ("mcpu", "stored", "rows"), [("alderlake", BYTES, 6), ("haswell", WIDE, 4)], ids=str
)
def test_products_that_are_added_apart_have_registers(
    lab: Any, mcpu: str, stored: Any, rows: int
) -> None:
    target = Target({"kind": "llvm", "mcpu": mcpu})
    module = conv(lab, stored, strides=[1, 1], padding=[1, 22, 1, 23], dilation=[1, 1])
    (decision,) = schedule(module, target).report.decisions.values()
    product = decision.plan.nests[-1]
    assert isinstance(product, ContractionPlan)
    assert (product.mr, product.nr) == (rows, 16)


def test_bfloat16_is_widened_where_no_instruction_takes_it(lab: Any) -> None:
    module = schedule(gemm(lab, HALF), AVX512.target).module
    (function,) = lab.kernels(module).values()
    code = lab.assembly(function, AVX512)
    assert "vdpbf16ps" not in code
    assert "vfmadd" in code


def test_nan_and_infinity_stay_in_place(lab: Any) -> None:
    module = schedule(gemm(lab, HALF), HERE.target).module
    (function,) = lab.kernels(module).values()
    a, b = np.ones((13, 36), "bfloat16"), np.ones((5, 18, 32, 2), "bfloat16")
    a[2, 3], a[5, 0], a[5, 1], a[7, 35] = np.nan, np.inf, -np.inf, np.inf
    found = tvm.runtime.tensor(np.zeros((13, 160), "float32"))
    lab.runnable(function, HERE)(tvm.runtime.tensor(a), tvm.runtime.tensor(b), found)
    with np.errstate(invalid="ignore"):
        expected = np.broadcast_to(a.astype("float32").sum(1)[:, None], (13, 160))
    np.testing.assert_array_equal(found.numpy(), expected)
