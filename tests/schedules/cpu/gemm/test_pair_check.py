"""schedules.cpu.gemm.pair_check: products of full bytes where sums of pairs could be clipped."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import tirx
from tvm.target import Target
from tvm.tirx import BufferType

from tvmfuse import ops
from tvmfuse.schedules.plans import ContractionPlan
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, Machine
from tvmfuse.target.resolve import resolve

N = tirx.Var("n", "int64")
RNG = np.random.default_rng(0)


def without_vnni() -> Machine:
    """This machine, whose vectors may be of 512 bits, as if it had no `vpdpbusd`."""
    attrs = dict(resolve("llvm").attrs)
    off = [*attrs.pop("mattr", []), "-avx512vnni", "-avxvnni"]
    return Machine.of(Target({"kind": "llvm", **attrs, "mattr": off}))


MACHINES = {"avx2": AVX2, "here": without_vnni()}

#: Products of one body of a tile's loop, at least.
MANY = 8

Bytes = Callable[[int, int], np.ndarray]


def one_pair(rows: int, k: int) -> np.ndarray:
    """Zeros, and one pair of 255 where tiles of five rows end, and where all of them do."""
    a = np.zeros((rows, k), "uint8")
    a[4::5, -2:] = a[-1, -2:] = 255
    return a


#: Rows by numbers: what breaks the bound everywhere, nowhere, just not, in one place.
READ: dict[str, Bytes] = {
    "all 255": lambda rows, k: np.full((rows, k), 255, "uint8"),
    "low": lambda rows, k: RNG.integers(0, 128, (rows, k), "uint8"),
    "any": lambda rows, k: RNG.integers(0, 256, (rows, k), "uint8"),
    "255 in pairs": lambda rows, k: np.tile(np.array([0, 255, 127, 128], "uint8"), (rows, k // 4)),
    "256 in pairs": lambda rows, k: np.tile(np.array([1, 255], "uint8"), (rows, k // 2)),
    "255 in fours": lambda rows, k: np.resize(np.array([99, 28, 0, 255, 1, 127, 0, 0], "uint8"), (rows, k)),
    "256 in fours": lambda rows, k: np.resize(np.array([99, 28, 0, 255, 1, 128, 1, 0], "uint8"), (rows, k)),
    "one pair": one_pair,
    "one row": lambda rows, k: np.repeat(np.array([3] * (rows - 1) + [255], "uint8")[:, None], k, 1),
}  # fmt: skip

WEIGHTS: dict[str, Callable[..., np.ndarray]] = {
    "most": lambda *shape: np.full(shape, 127, "int8"),
    "least": lambda *shape: np.full(shape, -128, "int8"),
    "any": lambda *shape: RNG.integers(-128, 128, shape, "int8"),
}


def compiled(lab: Any, module: Any, machine: Machine, n: int) -> Callable[..., np.ndarray]:
    """Return the one kernel of a module as a function of its operands and of its result's shape."""
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    kernel = lab.runnable(function, machine)

    def run(a: np.ndarray, b: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        found = tvm.runtime.tensor(np.full(shape, -7, "int32"))
        given = iter([*(tvm.runtime.tensor(np.ascontiguousarray(x)) for x in (a, b)), found])
        kernel(*(next(given) if isinstance(p.ty, BufferType) else n for p in function.params))
        return np.asarray(found.numpy())

    return run


@pytest.mark.sampled(4)
@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize(
    ("rows", "k", "columns"),
    [(13, 36, 157), (1, 72, 64), (N, 4, 32), (N, 40, 161), (11, 64, 16)],
    ids=str,
)
def test_products_are_exact(lab: Any, machine: Machine, rows: Any, k: int, columns: int) -> None:
    module = lab.lowered(
        lambda x, w: ops.gemm(x, w, columns=columns),
        ((rows, k), "uint8"),
        ((-(-columns // 32), k // 4, 32, 4), "int8"),
    )
    n = 11 if rows is N else rows
    run = compiled(lab, module, machine, n)
    for weights in WEIGHTS.values():
        panels = weights(-(-columns // 32), k // 4, 32, 4)
        b = panels.transpose(1, 3, 0, 2).reshape(k, -1)[:, :columns].astype("int64")
        for read in READ.values():
            a = read(n, k)
            found = run(a, panels, (n, columns))
            np.testing.assert_array_equal(found, a.astype("int64") @ b)


def convolved(x: Any, w: Any, *, stride: int, dilation: int, pad: int, groups: int) -> np.ndarray:
    """Convolve an image (C, H, W), bordered with `pad`, by weights (O, C / groups, kh, kw)."""
    x, w = x.astype("int64"), w.astype("int64")
    x = np.pad(x, [(0, 0), (1, 1), (1, 1)], constant_values=pad)
    kh, kw = w.shape[2:]
    sizes = [
        (size - dilation * (k - 1) - 1) // stride + 1
        for size, k in zip(x.shape[1:], (kh, kw), strict=True)
    ]
    y = np.zeros((len(w), *sizes), "int64")
    parts = zip(np.split(x, groups), np.split(w, groups), np.split(y, groups), strict=True)
    for image, filters, sums in parts:
        for i, j in np.ndindex(kh, kw):
            down, along = (
                slice(at * dilation, at * dilation + (size - 1) * stride + 1, stride)
                for at, size in zip((i, j), sizes, strict=True)
            )
            sums += np.einsum("oc,chw->ohw", filters[:, :, i, j], image[:, down, along])
    return y


@pytest.mark.sampled(4)
@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize(
    ("channels", "block", "window", "stride", "dilation", "groups", "pad", "width"),
    [
        (16, 8, 3, 1, 1, 1, 0, 13),  # lines in one piece
        (32, 16, 3, 2, 1, 1, 7, 19),
        (24, 24, 3, 1, 2, 1, 255, 11),  # the border breaks the bound, and nothing else
        (8, 8, 1, 3, 1, 1, 0, 17),  # pixels apart, of two words each
        (32, 16, 3, 1, 1, 2, 0, N),
        (4, 4, 5, 3, 1, 1, 0, N),  # a word for each pixel
    ],
)
def test_convolutions_are_exact(
    lab: Any, machine: Machine, channels: int, block: int, window: int, stride: int,
    dilation: int, groups: int, pad: int, width: Any,
) -> None:  # fmt: skip
    n, inside = 14 if width is N else width, channels // groups
    module = lab.lowered(
        lambda x, w: ops.conv_blocked(
            x, w, strides=[stride] * 2, padding=[1] * 4, dilation=[dilation] * 2, groups=groups,
            pad_value=pad,
        ),
        ((1, channels // block, 9, width, block), "uint8"),
        ((2 * groups, inside // block, window, window, block // 4, 16, 4), "int8"),
    )  # fmt: skip
    run = compiled(lab, module, machine, n)
    for weights in (WEIGHTS["least"], WEIGHTS["any"]):
        w = weights(32 * groups, inside, window, window)
        b = w.reshape(2 * groups, 16, inside // block, block // 4, 4, window, window)
        for read in READ.values():
            x = read(9 * n, channels).reshape(9, n, channels)
            a = x.reshape(9, n, channels // block, block).transpose(2, 0, 1, 3)[None]
            expected = convolved(
                x.transpose(2, 0, 1), w, stride=stride, dilation=dilation, pad=pad, groups=groups
            )
            _, *size = expected.shape
            found = run(a, b.transpose(0, 2, 5, 6, 3, 1, 4), (1, 2 * groups, *size, 16))
            y = found[0].transpose(0, 3, 1, 2).reshape(expected.shape)
            np.testing.assert_array_equal(y, expected)


def test_each_block_of_a_sum_is_looked_at(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lab.tune(monkeypatch, l1_budget=512, l2_budget=1024, tiles_per_panel=1)
    rows, blocks = 31, 4
    module = lab.lowered(
        lambda x, w: ops.gemm(x, w), ((rows, 256), "uint8"), ((4, 64, 16, 4), "int8")
    )
    (decision,) = schedule(module, AVX2.target).report.decisions.values()
    (plan,) = decision.plan.nests
    assert isinstance(plan, ContractionPlan)
    assert plan.k_blocks == blocks
    run, panels = compiled(lab, module, AVX2, rows), WEIGHTS["least"](4, 64, 16, 4)
    b = panels.transpose(1, 3, 0, 2).reshape(256, 64).astype("int64")
    for at in range(0, 256, 256 // blocks):
        a = RNG.integers(0, 64, (rows, 256), "uint8")
        a[rows // 2, at : at + 2] = 255
        np.testing.assert_array_equal(run(a, panels, (rows, 64)), a.astype("int64") @ b)


@pytest.mark.parametrize("mcpu", ["haswell", "znver3", "skylake-avx512"])
def test_bytes_are_looked_at_before_they_are_multiplied(lab: Any, mcpu: str) -> None:
    """A tile has three loops: of two words added up in 16 bits, of one, and of no two products."""
    machine = Machine.of(Target({"kind": "llvm", "mcpu": mcpu}))
    module = lab.lowered(lambda x, w: ops.gemm(x, w), ((N, 256), "uint8"), ((2, 64, 32, 4), "int8"))
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    code = lab.assembly(function, machine)
    assert "vptest" in code
    blocks = re.split(r"^[.\w]+:|^\tj\w+.*$", code, flags=re.MULTILINE)
    counted = [(b.count("vpmaddubsw"), b.count("vpmaddwd")) for b in blocks]
    loops = {(narrow / wide) for narrow, wide in counted if wide >= MANY}
    assert loops == {2, 1, 0}
