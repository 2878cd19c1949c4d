"""schedules.cpu.gemm.blocks_nest: register tiles that are several blocks of channels wide."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import IRModule, tirx
from tvm.relax import op as R

from tvmfuse.errors import ConfigurationError
from tvmfuse.ops import conv_blocked, requantize
from tvmfuse.schedules.plans import ContractionPlan
from tvmfuse.schedules.schedule import plan_kernel, schedule
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import (
    AVX2,
    AVX512,
    ICELAKE_SERVER,
    SAPPHIRE_RAPIDS,
    ZEN3,
    ZEN4,
    Machine,
)
from tvmfuse.target.resolve import resolve

SAME: dict[str, Any] = {"strides": [1, 1], "dilation": [1, 1], "padding": [0] * 4}
INTEL = [AVX512, ICELAKE_SERVER, SAPPHIRE_RAPIDS]


def convolution(
    lab: Any,
    image: Any,
    blocks: int,
    taps: int = 1,
    *,
    inner: int = 8,
    outer: int = 8,
    step: int = 1,
) -> IRModule:
    """Return the kernel of a convolution and what ends it; of one block of channels of weights."""
    n, chunks, height, width = image
    x = (n, chunks, height, width, inner)
    weights, bias = (blocks, chunks, taps, taps, inner, outer), (blocks, 1, 1, outer)
    settings: Any = {"strides": [step] * 2, "dilation": [1, 1], "padding": [taps // 2] * 4}
    module: IRModule = lab.lowered(
        lambda x, w, b: R.nn.relu(R.add(conv_blocked(x, w, **settings), b)),
        *((shape, "float32") for shape in (x, weights, bias)),
    )
    return module


def contraction_plan(lab: Any, module: IRModule, machine: Machine) -> ContractionPlan:
    (function,) = lab.kernels(module).values()
    return next(
        plan
        for plan in plan_kernel("conv", function, machine.target).plan.nests
        if isinstance(plan, ContractionPlan)
    )


def code_for(lab: Any, module: IRModule, machine: Machine) -> str:
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    code: str = lab.assembly(function, machine)
    return code


def assert_few_loads(lab: Any, code: str, multiplies: str) -> None:
    """The hottest block has no spill, and at most half as many loads as products."""
    body = lab.hottest_block(code, multiplies)
    products = sum(multiplies in line for line in body)
    loads = sum(bool(re.search(r"\tv\w+\t.*\(.*\).*, ?%zmm", line)) for line in body)
    assert products >= 24
    assert loads <= products / 2
    assert not any("rsp" in line and "zmm" in line for line in body), "a spill"


@pytest.mark.parametrize("machine", INTEL, ids=lambda machine: machine.name)
def test_where_a_load_takes_longer_than_a_multiply_add_a_tile_is_several_blocks(
    lab: Any, machine: Machine
) -> None:
    module = convolution(lab, (1, 16, 14, 14), 16, inner=16, outer=16)
    plan = contraction_plan(lab, module, machine)
    assert plan.blocks > 1
    assert plan.nr == plan.blocks * 16


@pytest.mark.parametrize("machine", [ZEN3, ZEN4], ids=lambda machine: machine.name)
def test_elsewhere_it_is_one(lab: Any, machine: Machine) -> None:
    module = convolution(lab, (1, 16, 14, 14), 16, inner=16, outer=16)
    assert contraction_plan(lab, module, machine).blocks == 1


@pytest.mark.parametrize("taps", [1, 3])
def test_it_has_at_most_half_a_load_for_each_multiply_add_and_no_spill(lab: Any, taps: int) -> None:
    module = convolution(lab, (1, 16, 28, 28), 16, taps, inner=16, outer=16, step=2)
    assert_few_loads(lab, code_for(lab, module, ICELAKE_SERVER), "vfmadd")


def bytes_convolution(
    lab: Any, image: Any, blocks: int, taps: int = 1, *, outer: int = 16, **said: Any
) -> IRModule:
    """Return the kernel of a convolution of bytes that ends in bytes."""
    n, chunks, height, width = image
    settings = SAME | {"padding": [taps // 2] * 4}
    each = (blocks, 1, 1, outer)

    def product(x: Any, w: Any, addend: Any, scale: Any) -> Any:
        sums = conv_blocked(x, w, pad_value=3, **settings, **said)
        return requantize(sums, addend, scale, zero_point=7, low=7, high=255, dtype="uint8")

    module: IRModule = lab.lowered(
        product,
        ((n, chunks, height, width, 16), "uint8"),
        ((blocks, chunks, taps, taps, 4, outer, 4), "int8"),
        (each, "int32"),
        (each, "float32"),
    )
    return module


@pytest.mark.parametrize("taps", [1, 3])
def test_dot_products_have_tiles_over_blocks_and_bytes_are_stored_together(
    lab: Any, taps: int
) -> None:
    module = bytes_convolution(lab, (1, 16, 28, 28), 16, taps)
    assert contraction_plan(lab, module, ICELAKE_SERVER).blocks > 1
    code = code_for(lab, module, ICELAKE_SERVER)
    assert_few_loads(lab, code, "vpdpbusd")
    assert "vpackuswb" in code


def test_dot_products_of_bfloat16_have_them_too(lab: Any) -> None:
    module = lab.lowered(
        lambda x, w: conv_blocked(x, w, wide=True, **SAME),
        ((1, 16, 28, 28, 16), "bfloat16"),
        ((16, 16, 1, 1, 8, 16, 2), "bfloat16"),
    )
    machine = Machine.of(resolve("cooperlake"))
    machine = replace(machine, mcpu="cooperlake")
    assert contraction_plan(lab, module, machine).blocks > 1
    assert_few_loads(lab, code_for(lab, module, machine), "vdpbf16ps")


@pytest.mark.parametrize("outer", [8, 16, 24])
@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize(
    ("image", "blocks", "taps"),
    [((1, 2, 7, 9), 6, 1), ((2, 3, 5, 11), 4, 3), ((1, 40, 3, 4), 4, 1)],
    ids=["1x1", "padded", "long sum"],
)
@pytest.mark.sampled(6)
def test_bytes_are_those_of_one_block(
    lab: Any, image: tuple[int, ...], blocks: int, taps: int, rows: int, outer: int
) -> None:
    module = bytes_convolution(lab, image, blocks, taps, outer=outer, bounded=True)
    asked = asking(lab, module, 2, block=outer, rows=rows)
    (written,) = lab.kernels(module).values()
    (scheduled,) = lab.kernels(schedule(module, AVX2.target, asked).module).values()
    (n, chunks, height, width), draw = image, np.random.default_rng(0)
    each = (blocks, 1, 1, outer)
    given = [
        draw.integers(0, 256, (*image, 16)).astype("uint8"),
        draw.integers(-64, 64, (blocks, chunks, taps, taps, 4, outer, 4)).astype("int8"),
        draw.integers(-3000, 3000, each).astype("int32"),
        np.full(each, 2.0**-10, "float32"),
    ]
    results = []
    for function in (written, scheduled):
        found = tvm.runtime.tensor(np.zeros((n, blocks, height, width, outer), "uint8"))
        lab.runnable(function, AVX2)(*map(tvm.runtime.tensor, given), found)
        results.append(found.numpy())
    assert len(np.unique(results[0])) > 50
    np.testing.assert_array_equal(*results)


def test_a_tile_has_all_columns_of_its_blocks_in_the_registers_that_products_leave(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One row of seven vectors takes 15 registers, of which dot products leave 14."""
    monkeypatch.setattr("tvmfuse.target.register_tile.MOST_ROWS", 1)
    lab.tune(monkeypatch, tile_blocks=8, fma_latency=16)
    plan = contraction_plan(
        lab, bytes_convolution(lab, (1, 2, 7, 9), 7, outer=8, bounded=True), AVX2
    )
    assert plan.nr == plan.blocks * 8


def test_bytes_that_may_be_clipped_are_of_one_block(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which they are is found out for each tile before its sum, of one block of channels."""
    lab.tune(monkeypatch, tile_blocks=4)
    module = bytes_convolution(lab, (1, 2, 7, 9), 6)
    assert contraction_plan(lab, module, AVX2).blocks == 1


N, H, W = (tirx.Var(name, "int64") for name in "nhw")


@pytest.mark.parametrize(
    ("image", "blocks", "taps", "step"),
    [
        ((1, 2, 7, 9), 6, 1, 1),
        ((2, 3, 5, 11), 4, 3, 1),
        ((1, 1, 3, 3), 3, 3, 2),
        ((1, 64, 4, 4), 8, 1, 1),
    ],
    ids=["1x1", "padded", "four pixels", "sum in blocks"],
)
def test_numbers_are_those_of_one_block(
    lab: Any,
    monkeypatch: pytest.MonkeyPatch,
    image: tuple[int, ...],
    blocks: int,
    taps: int,
    step: int,
) -> None:
    """Blocks of 8 channels are one vector of AVX2."""
    lab.tune(monkeypatch, tile_blocks=4)
    module = convolution(lab, image, blocks, taps, step=step)
    assert contraction_plan(lab, module, AVX2).blocks > 1
    lab.assert_same_numbers(module)


@pytest.mark.parametrize("machine", [ICELAKE_SERVER, ZEN4], ids=lambda machine: machine.name)
@pytest.mark.parametrize(
    ("image", "blocks", "taps", "step"),
    [((1, 4, 14, 14), 4, 1, 1), ((2, 2, 9, 7), 6, 3, 1), ((1, 32, 7, 7), 8, 1, 1)],
    ids=["1x1", "padded", "sum in blocks"],
)
def test_numbers_of_tiles_of_avx512(
    lab: Any, machine: Machine, image: tuple[int, ...], blocks: int, taps: int, step: int
) -> None:
    module = convolution(lab, image, blocks, taps, inner=16, outer=16, step=step)
    assert (contraction_plan(lab, module, machine).blocks > 1) == (machine in INTEL)
    lab.assert_same_numbers(module, machine, runs_on=AVX2)


def test_numbers_of_sizes_that_are_known_later(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.tune(monkeypatch, tile_blocks=4)
    module = convolution(lab, (N, 3, H, W), 6, 3, step=2)
    assert contraction_plan(lab, module, AVX2).blocks == 3
    sizes = [{"n": n, "h": h, "w": w} for n, h, w in ((1, 1, 1), (2, 9, 13), (1, 4, 30), (0, 3, 3))]
    lab.assert_same_numbers(module, each=sizes)


def test_channels_in_a_number_of_blocks_that_nothing_divides_are_tiled_one_by_one(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.tune(monkeypatch, tile_blocks=4)
    assert contraction_plan(lab, convolution(lab, (1, 2, 7, 7), 7), AVX2).blocks == 1


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_a_plan_may_ask_for_any_divisor(lab: Any, count: int) -> None:
    module = convolution(lab, (1, 2, 7, 9), 6)
    lab.assert_same_numbers(module, settings=asking(lab, module, count))


def test_a_plan_that_asks_for_another_number_is_told_the_divisors(lab: Any) -> None:
    module = convolution(lab, (1, 2, 7, 9), 6)
    words = "blocks: expected one of 1, 2, 3, 6, found 4"
    with pytest.raises(ConfigurationError, match=words):
        lab.assert_same_numbers(module, settings=asking(lab, module, 4))


def test_a_matrix_has_no_blocks(lab: Any) -> None:
    module = lab.lowered(R.matmul, ((9, 16), "float32"), ((16, 24), "float32"))
    with pytest.raises(ConfigurationError, match="blocks: expected 1, found 3"):
        lab.assert_same_numbers(module, settings=asking(lab, module, 3))


def asking(
    lab: Any, module: IRModule, count: int, *, block: int = 8, rows: int = 1
) -> ScheduleSettings:
    """Return the settings by which the kernel's tile has some rows of so many blocks."""
    ((name, function),) = lab.kernels(module).items()
    whole = plan_kernel(name, function, AVX2.target).plan
    nests = tuple(
        replace(plan, blocks=count, nr=block * count, mr=rows)
        if isinstance(plan, ContractionPlan)
        else plan
        for plan in whole.nests
    )
    return ScheduleSettings(plans={name: replace(whole, nests=nests)})
