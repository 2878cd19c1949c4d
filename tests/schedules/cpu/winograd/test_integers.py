"""Winograd convolutions of bytes: exactly the sums of the convolution, by products of 16 bits."""

from typing import Any

import numpy as np
import pytest
import torch
import tvm
from tvm import tirx

from tvmfuse.ops import integer_winograd_most, integer_winograd_weights, winograd
from tvmfuse.passes.nchwc.arrays import blocked, blocked_weights
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2

RNG = np.random.default_rng(0)
PADS = [1, 1, 1, 1]


def bytes_of(*shape: int) -> Any:
    return RNG.integers(0, 256, shape).astype("uint8")


def weights_of(*shape: int) -> Any:
    return RNG.integers(-255, 256, shape).astype("int16")  # bytes less any zero point


def exact(x: Any, w: Any, pads: Any, pad_value: int) -> Any:
    top, left, bottom, right = pads
    image, weights = (torch.from_numpy(a.astype("int64")) for a in (x, w))
    image = torch.nn.functional.pad(image, (left, right, top, bottom), value=pad_value)
    groups = x.shape[1] // w.shape[1]
    return torch.nn.functional.conv2d(image, weights, groups=groups).numpy()


def scheduled(lab: Any, x: Any, w: Any, blocks: Any, machine: Any, batch: Any, **said: Any) -> Any:
    """Return the kernel, and the weights that it takes."""
    before, after = blocks
    u = integer_winograd_weights(blocked_weights(w, before, after))
    n, channels, *size = x.shape
    shape = (n if batch is None else batch, channels // before, *size, before)
    module = lab.lowered(lambda a, b: winograd(a, b, **said), (shape, "uint8"), (u.shape, "int16"))
    found = schedule(module, machine.target)
    assert [d.schedule for d in found.report.decisions.values()] == ["winograd"]
    (function,) = lab.kernels(found.module).values()
    return function, u


def check(
    lab: Any,
    x: Any,
    w: Any,
    *,
    pads: Any = PADS,
    pad_value: int = 0,
    blocks: Any = (16, 16),
    machine: Any = AVX2,
    batch: Any = None,
) -> None:
    said = {"padding": pads, "pad_value": pad_value, "groups": x.shape[1] // w.shape[1]}
    function, u = scheduled(lab, x, w, blocks, machine, batch, **said)
    expected = blocked(exact(x, w, pads, pad_value), blocks[1])
    found = tvm.runtime.tensor(np.zeros(expected.shape, "int32"))
    arrays = (np.ascontiguousarray(a) for a in (blocked(x, blocks[0]), u))
    lab.runnable(function, machine)(*map(tvm.runtime.tensor, arrays), found)
    np.testing.assert_array_equal(found.numpy(), expected)


@pytest.mark.parametrize("machine", [AVX2, SSE2], ids=["avx2", "sse2"])
@pytest.mark.parametrize(
    ("image", "outputs", "groups", "blocks", "pads"),
    [
        ((1, 32, 7, 7), 48, 1, (16, 16), PADS),
        ((2, 16, 5, 13), 16, 1, (8, 16), [0, 1, 2, 3]),
        ((1, 16, 8, 8), 24, 1, (16, 8), PADS),
        ((1, 4, 6, 61), 16, 1, (4, 16), [0, 0, 0, 0]),
        ((1, 16, 1, 2), 16, 1, (16, 16), PADS),
        ((1, 32, 9, 14), 48, 2, (16, 8), PADS),
    ],
)
@pytest.mark.sampled(6)
def test_any_size_padding_and_group(
    lab: Any, machine: Any, image: Any, outputs: int, groups: int, blocks: Any, pads: Any
) -> None:
    x, w = bytes_of(*image), weights_of(outputs, image[1] // groups, 3, 3)
    check(lab, x, w, pads=pads, pad_value=7, blocks=blocks, machine=machine)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("weight", [-255, -128, 127, 255])
@pytest.mark.parametrize(("byte", "pad_value"), [(0, 255), (255, 0), (255, 255), (128, 128)])
def test_extremes(lab: Any, weight: int, byte: int, pad_value: int) -> None:
    x, w = np.full((1, 32, 5, 6), byte, "uint8"), np.full((16, 32, 3, 3), weight, "int16")
    w[:8, :, ::2] *= -1
    x[:, :, ::2, 1::2] = 255 - byte
    check(lab, x, w, pad_value=pad_value)


def test_one_kernel_serves_every_batch(lab: Any) -> None:
    w, n = weights_of(16, 16, 3, 3), tirx.Var("n", "int64")
    for batch in (1, 7):
        check(lab, bytes_of(batch, 16, 9, 10), w, pad_value=3, batch=n)


def test_several_blocks_of_channels_at_once(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of 8 channels is one vector of AVX2: two or four of them make a tile."""
    lab.tune(monkeypatch, tile_blocks=4)
    for outputs, groups in ((32, 1), (48, 1), (48, 2)):
        x, w = bytes_of(1, 32, 9, 14), weights_of(outputs, 32 // groups, 3, 3)
        check(lab, x, w, pad_value=7, blocks=(16, 8))


@pytest.mark.parametrize(
    ("machine", "register"), [(AVX2, "ymm"), (AVX512, "zmm")], ids=["avx2", "avx512"]
)
def test_products_are_of_pairs_and_nothing_else_multiplies(
    lab: Any, machine: Any, register: str
) -> None:
    x, w = bytes_of(1, 64, 28, 28), weights_of(64, 64, 3, 3)
    function, _ = scheduled(lab, x, w, (16, 16), machine, None, padding=PADS)
    code = lab.assembly(function, machine)
    loop = lab.hottest_block(code, "vpmaddwd")
    assert sum("vpmaddwd" in line and register in line for line in loop) > 10
    assert "vpmull" not in code


def test_the_greatest_sum_is_no_less_than_any_on_the_way() -> None:
    """Of images of two bytes each transformed pixel is up to 4 x 255, each sum up to its weights'."""
    w = np.full((16, 64, 3, 3), -255, "int16")
    most = integer_winograd_most(integer_winograd_weights(blocked_weights(w, 16, 16)))
    assert most == 9 * 4 * 255 * 64 * 9 * 255
