"""Winograd convolutions: any size, padding, batch and ending."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tvm import relax, tirx
from winograd_kernels import close, drawn, exact, kernel, run, runnable

from tvmfuse.target.machine import AVX2, AVX512, ICELAKE_SERVER, ZEN4, Machine

pytestmark = pytest.mark.sampled(5)

SIZES = pytest.mark.parametrize("m", [2, 4])


IMAGES = [
    (1, 32, 48, 7, 7, [1, 1, 1, 1]),
    (1, 48, 16, 5, 13, [0, 1, 2, 3]),
    (1, 16, 16, 8, 8, [1, 1, 1, 1]),
    (2, 16, 32, 9, 14, [1, 1, 1, 1]),
    (3, 16, 16, 10, 6, [0, 0, 0, 0]),
    (1, 16, 16, 3, 3, [0, 0, 0, 0]),
    (1, 16, 16, 1, 2, [1, 1, 1, 1]),
    (1, 16, 16, 61, 5, [1, 1, 1, 1]),
    (1, 16, 16, 6, 230, [1, 1, 1, 1]),
]


@SIZES
@pytest.mark.parametrize(
    ("image", "blocks"),
    [
        *((image, (16, 16)) for image in IMAGES),
        *((image, blocks) for image in IMAGES[:2] for blocks in ((8, 16), (16, 8))),
    ],
)
@pytest.mark.sampled(4)
def test_any_size_and_padding(m: Any, image: Any, blocks: tuple[int, int]) -> None:
    (n, c, o, h, w, pads), (before, after) = image, blocks
    x, weights, bias = drawn(n, c, h, w), drawn(o, c, 3, 3), drawn(o)
    module = kernel(x, weights, bias, pads, m, before=before, after=after)
    expected = exact(x, weights, bias, pads)
    close(run(module, x, before), expected)


@SIZES
@pytest.mark.parametrize(
    ("channels", "outputs", "groups"), [(64, 96, 2), (48, 48, 3)], ids=["two chunks", "one chunk"]
)
def test_groups(m: Any, channels: int, outputs: int, groups: int) -> None:
    x, weights, bias = (
        drawn(2, channels, 9, 14),
        drawn(outputs, channels // groups, 3, 3),
        drawn(outputs),
    )
    module = kernel(x, weights, bias, [1] * 4, m, before=16, after=16)
    close(run(module, x, 16), exact(x, weights, bias, [1] * 4))


@SIZES
@pytest.mark.sampled(3)
def test_one_kernel_serves_every_batch(m: Any) -> None:
    weights, bias, pads = drawn(16, 32, 3, 3), drawn(16), [1] * 4
    n = tirx.Var("n", "int64")
    module = kernel(drawn(1, 32, 9, 10), weights, bias, pads, m, before=16, after=16, batch=n)
    computed = runnable(module, 16)
    for batch in (1, 2, 7, 30):  # few strips, and many
        x = drawn(batch, 32, 9, 10)
        expected = exact(x, weights, bias, pads)
        close(computed(x), expected)


def test_weights_in_float16() -> None:
    x, weights, bias = drawn(2, 32, 9, 14), drawn(48, 32, 3, 3).astype("float16"), drawn(48)
    module = kernel(x, weights, bias, [1] * 4, 2, before=16, after=16)
    expected = exact(x, weights, bias, [1] * 4)
    close(run(module, x, 16), expected, tolerance=2**-11)


def share(bb: Any, y: Any) -> Any:
    """A value that is read twice, and then the result again."""
    kept = bb.emit(relax.op.exp(bb.emit(relax.op.negative(bb.emit(relax.op.abs(y))))))
    total = bb.emit(relax.op.add(kept, relax.const(2.0)))
    return bb.emit(relax.op.add(bb.emit(relax.op.divide(kept, total)), y))


ENDINGS: dict[str, tuple[Any, Callable[..., Any]]] = {
    "share": (share, lambda y: np.exp(-np.abs(y)) / (np.exp(-np.abs(y)) + 2) + y),
    "relu": (lambda bb, y: bb.emit(relax.op.nn.relu(y)), lambda y: np.maximum(y, 0)),
    "clip": (lambda bb, y: bb.emit(relax.op.clip(y, -1.0, 6.0)), lambda y: np.clip(y, -1, 6)),
    "silu": (lambda bb, y: bb.emit(relax.op.nn.silu(y)), lambda y: y / (1 + np.exp(-y))),
    "itself": (lambda bb, y: bb.emit(relax.op.add(bb.emit(relax.op.exp(relax.op.negative(y))), y)), lambda y: np.exp(-y)
    + y),
}  # fmt: skip


@SIZES
@pytest.mark.parametrize("name", ENDINGS)
@pytest.mark.sampled(6)
def test_what_is_fused_behind_it(m: Any, name: str) -> None:
    ending, reference = ENDINGS[name]
    x, weights, bias, pads = drawn(1, 16, 9, 11), drawn(32, 16, 3, 3) / 4, drawn(32), [1] * 4
    module = kernel(x, weights, bias, pads, m, before=16, after=16, ending=ending)
    expected = reference(exact(x, weights, bias, pads))
    close(run(module, x, 16), expected)


@SIZES
@pytest.mark.parametrize("image", [IMAGES[0], IMAGES[1], IMAGES[3], IMAGES[7]], ids=str)
def test_several_blocks_of_channels_at_once(
    lab: Any, monkeypatch: pytest.MonkeyPatch, m: Any, image: Any
) -> None:
    """A block of 8 channels is one vector: two to four of them make a tile of AVX2."""
    lab.tune(monkeypatch, tile_blocks=4)
    n, c, o, h, w, pads = image
    x, weights, bias = drawn(n, c, h, w), drawn(o, c, 3, 3), drawn(o)
    batch = tirx.Var("n", "int64")
    module = kernel(x, weights, bias, pads, m, before=16, after=8, batch=batch)
    close(run(module, x, 16), exact(x, weights, bias, pads))


@pytest.mark.parametrize("machine", [ZEN4, ICELAKE_SERVER], ids=lambda machine: machine.name)
@pytest.mark.parametrize("batch", [None, "n"])
def test_ragged_tiles_for_cpus_that_are_not_here(
    lab: Any, machine: Machine, batch: str | None
) -> None:
    """With AVX-512 the lines of one tile lie in several buffers."""
    x, weights, bias = drawn(1, 32, 7, 7), drawn(64, 32, 3, 3), drawn(64)
    n = tirx.Var(batch, "int64") if batch else None
    ones: dict[str, Any] = {"before": 16, "after": 16, "machine": machine}
    (function,) = lab.kernels(kernel(x, weights, bias, [1] * 4, 4, batch=n, **ones)).values()
    assert "zmm" in lab.assembly(function, machine)


@SIZES
@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=lambda machine: machine.name)
@pytest.mark.sampled(3)
def test_products_stay_in_registers(lab: Any, m: Any, machine: Machine) -> None:
    x, weights, bias = drawn(1, 64, 28, 28), drawn(64, 64, 3, 3), drawn(64)
    module = kernel(x, weights, bias, [1] * 4, m, before=16, after=16, machine=machine)
    (function,) = lab.kernels(module).values()
    blocks = re.split(r"^[.\w]+:|^\tj\w+.*$", lab.assembly(function, machine), flags=re.MULTILINE)
    products = [b for b in blocks if b.count("vfmadd") >= 10 and "vaddps" not in b]
    assert products
    assert not any("rsp" in b or "vmovups\t%" in b for b in products), "a spill"


def test_points_that_lie_apart_by_a_variable_are_found_by_adding(lab: Any) -> None:
    """LLVM multiplied the number of the block of channels anew for each of a tile's 36 points."""
    x, weights, bias = drawn(1, 64, 28, 28), drawn(64, 64, 3, 3), drawn(64)
    batch = tirx.Var("n", "int64")
    module = kernel(x, weights, bias, [1] * 4, 4, before=16, after=16, batch=batch, machine=AVX2)
    (function,) = lab.kernels(module).values()
    blocks = re.split(r"^[.\w]+:|^\tj\w+.*$", lab.assembly(function, AVX2), flags=re.MULTILINE)
    points = [b for b in blocks if b.count("vfnmadd") >= 36]
    assert points
    assert max(b.count("imul") for b in points) < 6


@pytest.mark.parametrize(("size", "strips"), [(14, 1), (16, 1), (17, 2)])
def test_a_few_tiles_more_are_no_strip_of_their_own(lab: Any, size: int, strips: int) -> None:
    """Two strips read all weights twice: up to 64 tiles are one, where others have 48."""
    x, weights = np.zeros((1, 256, size, size), "f4"), drawn(256, 256, 3, 3)
    module = kernel(x, weights, drawn(256), [1] * 4, 2, before=16, after=16, machine=AVX512)
    (function,) = lab.kernels(module).values()
    assert str(function).count("inputs = T.alloc_buffer") == strips


@pytest.mark.parametrize(
    ("channels", "size", "shared"), [(64, 56, True), (64, 28, False), (256, 56, False)]
)
def test_threads_share_many_strips_of_weights_that_are_near(
    lab: Any, channels: int, size: int, shared: bool
) -> None:
    x, weights = np.zeros((1, channels, size, size), "f4"), drawn(channels, channels, 3, 3)
    module = kernel(x, weights, drawn(channels), [1] * 4, 4, before=16, after=16, machine=AVX512)
    (function,) = lab.kernels(module).values()
    own_strips = r"for piece in T.parallel.*\n(?: +(?:begin|end)\b.*\n)+ +for strip in"
    assert bool(re.search(own_strips, str(function))) == shared
