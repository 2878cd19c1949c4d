"""Winograd convolutions of bfloat16: transforms in float32, products of pairs, sums in float32."""

from typing import Any

import numpy as np
import pytest
import torch
import tvm
from tvm import relax, tirx

from tvmfuse.ops import bfloat16_winograd_weights, winograd
from tvmfuse.passes.nchwc.arrays import blocked, blocked_weights
from tvmfuse.schedules.cpu.narrow import narrowed_lanes
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SAPPHIRE_RAPIDS, ZEN4, Machine
from tvmfuse.target.resolve import this_machine

RNG = np.random.default_rng(0)
PADS = [1, 1, 1, 1]
HERE = this_machine()
HALF = "bfloat16"


def whole(*shape: int, most: int = 8, times: int = 1) -> Any:
    """Whole numbers that bfloat16 holds, transformed, too: the sums are exact."""
    return (RNG.integers(-most, most + 1, shape) * times).astype(HALF)


def exact(x: Any, w: Any, pads: Any) -> Any:
    top, left, bottom, right = pads
    image, weights = (torch.from_numpy(a.astype("float64")) for a in (x, w))
    image = torch.nn.functional.pad(image, (left, right, top, bottom))
    groups = x.shape[1] // w.shape[1]
    return torch.nn.functional.conv2d(image, weights, groups=groups).numpy()


def scheduled(
    lab: Any, x: Any, w: Any, blocks: Any, machine: Machine, batch: Any, *, ends: str, **said: Any
) -> Any:
    """Return the kernel, and the weights that it takes."""
    before, after = blocks
    u = bfloat16_winograd_weights(blocked_weights(w, before, after))
    n, channels, *size = x.shape
    shape = (n if batch is None else batch, channels // before, *size, before)

    def compute(a: Any, b: Any) -> Any:
        y = winograd(a, b, **said)
        return y if ends == "float32" else relax.op.astype(y, ends)

    module = lab.lowered(compute, (shape, HALF), (u.shape, HALF))
    found = schedule(module, machine.target)
    (decision,) = found.report.decisions.values()
    assert (decision.schedule == "winograd") == bool(narrowed_lanes(machine))
    (function,) = lab.kernels(found.module).values()
    return function, u


def computed(
    lab: Any,
    x: Any,
    w: Any,
    *,
    pads: Any = PADS,
    blocks: Any = (16, 32),
    machine: Machine = HERE,
    batch: Any = None,
    ends: str = "float32",
) -> tuple[Any, Any]:
    """Return the results, and what they are exactly."""
    said = {"padding": pads, "groups": x.shape[1] // w.shape[1]}
    function, u = scheduled(lab, x, w, blocks, machine, batch, ends=ends, **said)
    expected = blocked(exact(x, w, pads), blocks[1])
    found = tvm.runtime.tensor(np.zeros(expected.shape, ends))
    arrays = (np.ascontiguousarray(a) for a in (blocked(x, blocks[0]), u))
    lab.runnable(function, machine)(*map(tvm.runtime.tensor, arrays), found)
    return found.numpy(), expected


@pytest.mark.parametrize("machine", [HERE, AVX2], ids=["here", "avx2"])
@pytest.mark.parametrize(
    ("image", "outputs", "groups", "blocks", "pads"),
    [
        ((1, 64, 7, 7), 96, 1, (32, 32), PADS),
        ((2, 16, 5, 13), 16, 1, (8, 16), [0, 1, 2, 3]),
        ((1, 16, 8, 8), 24, 1, (16, 8), PADS),
        ((1, 4, 6, 61), 32, 1, (4, 32), [0, 0, 0, 0]),
        ((1, 16, 1, 2), 16, 1, (16, 16), PADS),
        ((1, 32, 9, 14), 64, 2, (16, 16), PADS),
        ((1, 32, 33, 35), 32, 1, (32, 32), PADS),
    ],
    ids=str,
)
@pytest.mark.sampled(4)
def test_any_size_padding_and_group(
    lab: Any,
    machine: Machine,
    image: Any,
    outputs: int,
    groups: int,
    blocks: Any,
    pads: Any,
) -> None:
    x, w = whole(*image), whole(outputs, image[1] // groups, 3, 3, most=1, times=4)
    found, expected = computed(lab, x, w, pads=pads, blocks=blocks, machine=machine)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.long
def test_one_kernel_serves_every_batch(lab: Any) -> None:
    w, n = whole(32, 32, 3, 3, most=1, times=4), tirx.Var("n", "int64")
    for batch in (1, 7):
        found, expected = computed(lab, whole(batch, 32, 9, 10), w, blocks=(32, 32), batch=n)
        np.testing.assert_array_equal(found, expected)


def test_results_in_bfloat16(lab: Any) -> None:
    x, w = whole(1, 32, 9, 10), whole(32, 32, 3, 3, most=1, times=4)
    found, expected = computed(lab, x, w, ends=HALF)
    np.testing.assert_array_equal(found, expected.astype("float32").astype(HALF))


def test_the_error_is_less_than_three_times_that_of_rounded_operands(lab: Any) -> None:
    """Direct sums of what bfloat16 holds are exact but for float32: tiles are rounded once more."""
    x, w = (RNG.standard_normal(shape) for shape in ((1, 64, 20, 22), (32, 64, 3, 3)))
    halves = x.astype(HALF), w.astype(HALF)
    found, _ = computed(lab, *halves, blocks=(32, 32))
    expected, once = (blocked(exact(a, b, PADS), 32) for a, b in ((x, w), halves))
    error, rounded = (np.sqrt(np.square(a - expected).mean()) for a in (found, once))
    assert error < 3 * rounded


@pytest.mark.parametrize("number", [np.nan, np.inf], ids=str)
def test_a_number_reaches_its_tiles_alone(lab: Any, number: float) -> None:
    """Pixel (4, 5) is read by the outputs of lines 3 to 5 and columns 4 to 6."""
    x, w = whole(1, 32, 10, 12), whole(32, 32, 3, 3, most=1, times=4)
    w[w == 0] = 4
    before, _ = computed(lab, x, w)
    x[0, 7, 4, 5] = number
    found, _ = computed(lab, x, w)
    beside = np.ones(found.shape[2:4], bool)
    beside[2:6, 4:8] = False
    np.testing.assert_array_equal(found[:, :, beside], before[:, :, beside])
    assert not np.isfinite(found[:, :, 3:6, 4:7]).any()


@pytest.mark.parametrize("machine", [ZEN4, SAPPHIRE_RAPIDS], ids=lambda machine: machine.name)
def test_products_are_of_pairs_and_tiles_are_rounded_by_one_instruction(
    lab: Any, machine: Machine
) -> None:
    x, w = whole(1, 64, 28, 28), whole(64, 64, 3, 3)
    function, _ = scheduled(lab, x, w, (32, 32), machine, None, ends=HALF, padding=PADS)
    code = lab.assembly(function, machine)
    loop = lab.hottest_block(code, "vdpbf16ps")
    assert sum("vdpbf16ps" in line and "zmm" in line for line in loop) > 10
    assert code.count("vcvtneps2bf16") >= 16
    assert "vpmovdw" not in code


def test_it_declines_where_nothing_multiplies_pairs(lab: Any) -> None:
    u = bfloat16_winograd_weights(np.zeros((1, 1, 3, 3, 32, 32), HALF))
    shapes = ((1, 1, 9, 10, 32), HALF), (u.shape, HALF)
    module = lab.lowered(lambda a, b: winograd(a, b, padding=PADS), *shapes)
    (decision,) = schedule(module, AVX512.target).report.decisions.values()
    assert decision.declined["winograd"] == "the machine multiplies no pairs of bfloat16"
