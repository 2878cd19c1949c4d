"""schedules.cpu.conv.pack_strided: pixels read with a stride are copied where that pays."""

from typing import Any

import pytest
from tvm import IRModule, te

from tvmfuse.schedules.cpu.conv.pack_strided import pack_strided
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.kernels import read
from tvmfuse.target.machine import AVX2


def conv(
    lab: Any,
    channels: Any,
    size: Any,
    filters: Any,
    *,
    stride: int = 2,
    taps: int = 1,
    images: int = 1,
) -> Any:
    """A convolution on blocks of sixteen channels, of int64 sizes as the importer makes them."""
    reach = (size - taps) // stride + 1
    x = te.placeholder((images, channels // 16, size, size, 16), name="x")
    w = te.placeholder((filters // 16, channels // 16, taps, taps, 16, 16), name="w")
    c, i, j, k = (te.reduce_axis((0, n)) for n in (channels // 16, taps, taps, 16))
    y = te.compute(
        (images, filters // 16, reach, reach, 16),
        lambda n, o, h, v, b: te.sum(
            x[n, c, h * stride + i, v * stride + j, k] * w[o, c, i, j, k, b], [c, i, j, k]
        ),
        name="y",
    )
    return lab.function_of(x, w, y)


def copied(function: Any) -> Any:
    kernel = pack_strided(read(function), AVX2)
    return [[static(d) for d in b.shape] for b in kernel.temporaries]


def test_copies_pixels_whose_lines_no_tile_divides(lab: Any) -> None:
    function = conv(lab, 32, 14, 128)
    assert copied(function) == [[2, 7, 7, 16]]
    lab.assert_same_numbers(IRModule({"main": function}))


@pytest.mark.parametrize(("size", "images"), [(14, 3), (13, 2)])
def test_ragged_sizes_and_batches(lab: Any, size: int, images: int) -> None:
    function = conv(lab, 16, size, 128, images=images)
    assert copied(function)
    lab.assert_same_numbers(IRModule({"main": function}))


def test_a_stride_of_three(lab: Any) -> None:
    function = conv(lab, 16, 20, 128, stride=3)
    assert copied(function) == [[7, 7, 16]]
    lab.assert_same_numbers(IRModule({"main": function}))


@pytest.mark.parametrize(
    ("why", "options"),
    [
        ("tiles divide its lines", {"size": 24}),
        ("its pixels stand side by side", {"size": 7, "stride": 1}),
        ("its window reads pixels several times", {"size": 14, "taps": 3}),
        ("too few tiles of columns read them", {"size": 14, "filters": 32}),
    ],
)
def test_leaves_the_image_where(lab: Any, why: str, options: Any) -> None:
    assert copied(conv(lab, **{"channels": 32, "filters": 128, **options})) == [], why


def test_no_pixels_of_what_is_one_number(lab: Any) -> None:
    """As Einsum of "cae,->c" is: each index is fixed, or there is none."""
    x, w = te.placeholder((4, 1, 8), name="x"), te.placeholder((1, 1), name="w")
    k = te.reduce_axis((0, 8))
    y = te.compute((4,), lambda c: te.sum(x[c, 0, k] * w[0, 0], [k]), name="y")
    assert not copied(lab.function_of(x, w, y))
