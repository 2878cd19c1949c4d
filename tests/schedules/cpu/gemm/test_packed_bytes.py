"""schedules.cpu.gemm.packed_bytes: bytes of several vectors are narrowed and stored together."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import relax, tirx
from tvm.target import Target

from tvmfuse.ir.types import constant
from tvmfuse.ops import conv_blocked, gemm, requantize
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, SSE2, Machine
from tvmfuse.target.resolve import resolve

HERE = Machine.of(resolve("llvm"))
MACHINES = pytest.mark.parametrize("machine", [HERE, AVX2, SSE2], ids=["here", "avx2", "sse2"])

#: dtype, zero point, least and greatest result.
ENDS = [
    ("uint8", 0, 0, 255),
    ("uint8", 255, 0, 255),
    ("uint8", 121, 121, 255),
    ("uint8", 3, 3, 200),
    ("int8", 0, -128, 127),
    ("int8", -128, -128, 127),
    ("int8", 127, -100, 90),
]


def rounded(sums: Any, addend: Any, scale: Any, end: Any) -> Any:
    dtype, zero, low, high = end
    return requantize(sums, addend, scale, zero_point=zero, low=low, high=high, dtype=dtype)


def lines(lab: Any, end: Any, width: Any = 13, scale: Any = None, channels: int = 16) -> Any:
    """A 1x1 convolution of bytes, whose pixels lie beside each other in blocks of channels."""
    said: Any = {"strides": [1, 1], "dilation": [1, 1], "padding": [0] * 4}
    each = (1, 2, 1, 1, channels)

    def product(x: Any, w: Any, addend: Any, *given: Any) -> Any:
        scales = given[0] if given else constant(scale)
        return rounded(conv_blocked(x, w, **said), addend, scales, end)

    given = [] if scale is not None else [(each, "float32")]
    return lab.lowered(
        product,
        ((1, 2, 3, width, 8), "uint8"),
        ((2, 2, 1, 1, 2, channels, 4), "int8"),
        (each, "int32"),
        *given,
    )


def rows(lab: Any, end: Any, columns: int) -> Any:
    """A matrix product, whose rows lie apart."""
    return lab.lowered(
        lambda x, w, addend, scale: rounded(gemm(x, w, columns=columns), addend, scale, end),
        ((13, 36), "uint8"),
        ((-(-columns // 32), 9, 32, 4), "int8"),
        ((columns,), "int32"),
        ((columns,), "float32"),
    )


def computed(lab: Any, module: Any, machine: Machine, *given: Any, like: Any) -> Any:
    """Return what the one kernel makes of arrays."""
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    found = tvm.runtime.tensor(np.zeros_like(like))
    lab.runnable(function, machine)(*map(tvm.runtime.tensor, given), found)
    return found.numpy()


def expected(sums: Any, addend: Any, scale: Any, end: Any) -> Any:
    """Return ONNX's definition, by numpy."""
    dtype, zero, low, high = end
    with np.errstate(over="ignore"):
        steps = np.rint((sums + addend).astype("float32") * scale).astype("float64") + zero
    return np.clip(steps, low, high).astype(dtype)


def operands(channels: int = 16, width: int = 13) -> Any:
    """Return bytes, weights and their sums."""
    draw = np.random.default_rng(3)
    x = draw.integers(0, 256, (1, 2, 3, width, 8)).astype("uint8")
    w = draw.integers(-128, 128, (2, 2, 1, 1, 2, channels, 4)).astype("int8")
    words = x.astype("int32").reshape(1, 2, 3, width, 2, 4)
    sums = np.einsum("ncyxkb,ocijkvb->noyxv", words, w.astype("int32"))
    addend = draw.integers(-3000, 3000, (1, 2, 1, 1, channels)).astype("int32")
    return x, w, sums, addend


@MACHINES
@pytest.mark.parametrize("end", ENDS, ids=str)
@pytest.mark.parametrize("power", [-11, 0, 127])
@pytest.mark.sampled(5)
def test_bytes_are_onnx_s(lab: Any, machine: Machine, end: Any, power: int) -> None:
    """Halves go to even, and what is out of bounds to the bounds, be it beyond all of int32."""
    x, w, sums, addend = operands()
    scale = np.ldexp(np.ones((1, 2, 1, 1, 16), "float32"), power)
    addend[sums.max((0, 2, 3), keepdims=True) + addend == 0] += 1
    right = expected(sums, addend, scale, end)
    found = computed(lab, lines(lab, end), machine, x, w, addend, scale, like=right)
    np.testing.assert_array_equal(found, right)
    known = lines(lab, end, scale=scale)
    found = computed(lab, known, machine, x, w, addend, scale, like=right)
    np.testing.assert_array_equal(found, right)


@MACHINES
@pytest.mark.parametrize("width", [1, 2, 3, 5, 14, 31, tirx.Var("n", "int64")], ids=str)
@pytest.mark.sampled(4)
def test_any_line(lab: Any, machine: Machine, width: Any) -> None:
    for channels in (16, 32, 24, 8):
        module = lines(lab, ("uint8", 7, 0, 255), width, channels=channels)
        lab.assert_same_numbers(module, machine, n=11)


@pytest.mark.sampled(4)
@MACHINES
@pytest.mark.parametrize("columns", [16, 48, 64, 96, 157, 160])
def test_any_row(lab: Any, machine: Machine, columns: int) -> None:
    lab.assert_same_numbers(rows(lab, ("int8", -5, -128, 127), columns), machine)


def code_of(lab: Any, module: Any, mcpu: str) -> str:
    target = Target({"kind": "llvm", "mcpu": mcpu})
    (function,) = lab.kernels(schedule(module, target).module).values()
    code: str = lab.assembly(function, replace(Machine.of(target), mcpu=mcpu))
    return code


@pytest.mark.parametrize(
    ("mcpu", "end", "narrows", "register"),
    [
        ("znver4", ENDS[0], "vpackuswb", "zmm"),
        ("znver4", ENDS[4], "vpacksswb", "zmm"),
        ("alderlake", ENDS[0], "vpackuswb", "ymm"),
        ("haswell", ENDS[0], "vpackuswb", "ymm"),
    ],
)
def test_four_vectors_are_one_store(
    lab: Any, mcpu: str, end: Any, narrows: str, register: str
) -> None:
    """Of four pixels three instructions narrow the sums, and one puts the bytes in order."""
    small = np.full((1, 2, 1, 1, 16), 2**-9, "float32")
    code = code_of(lab, lines(lab, end, 16, small), mcpu).splitlines()
    packs = [line for line in code if narrows in line]
    assert packs
    assert all(register in line for line in packs)
    assert len(packs) < sum("vpackssdw" in line for line in code) <= 2 * len(packs)
    assert not any("vpmovusdb" in line or "vpmovdb" in line for line in code)
    bounds = ("vmaxps", "vminps", "vpmaxsd", "vpminsd", "vpmaxub", "vpminub")
    assert not any(name in line for line in code for name in bounds)  # instructions saturate


def test_vectors_of_what_has_no_such_instructions_are_stored_one_by_one(lab: Any) -> None:
    assert Machine.of(Target({"kind": "llvm", "mcpu": "knl"})).isa.packs is None
    assert "packus" not in code_of(lab, lines(lab, ENDS[0], 16), "knl")


def test_rounded_numbers_that_are_read_as_reals_are_no_bytes(lab: Any) -> None:
    def wide(x: Any, w: Any, addend: Any, scale: Any) -> Any:
        stored = rounded(gemm(x, w, columns=32), addend, scale, ENDS[0])
        return relax.op.astype(stored, "float32")

    module = lab.lowered(
        wide, ((13, 36), "uint8"), ((1, 9, 32, 4), "int8"), ((32,), "int32"), ((32,), "float32")
    )
    lab.assert_same_numbers(module, HERE)
    assert "vpackuswb" not in code_of(lab, module, "znver4")
