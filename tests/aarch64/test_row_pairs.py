"""Two rows by two columns in an instruction: bytes to the last bit, bfloat16 within its rounding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aarch64.emulated import Emulator
from graphs import onnx_model
from onnx import ModelProto, helper
from onnx.reference import ReferenceEvaluator

import tvmfuse
from tvmfuse.ir.bfloat16 import BFLOAT16

N1 = "llvm -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1"
I8MM, BF16 = f"{N1} -mattr=+i8mm", f"{N1} -mattr=+bf16"
ROWS = (0, 1, 2, 3, 5, 6, 7, 13, 64)

Ran = Callable[[Sequence[tuple[Any, np.ndarray]]], list[np.ndarray]]


@pytest.fixture
def results(emulator: Emulator, tmp_path: Path) -> Ran:
    """Return a function that runs compiled models, each on its input, in one process."""

    def run(cases: Sequence[tuple[Any, np.ndarray]]) -> list[np.ndarray]:
        feeds = {}
        for place, (artifact, x) in enumerate(cases):
            folder = tmp_path / str(place)
            folder.mkdir()
            artifact.save(folder / "model.so")
            feeds[folder] = [x]
        found = emulator.run(feeds)
        return [_only(found[folder]) for folder in feeds]

    return run


def _only(found: list[np.ndarray] | str) -> np.ndarray:
    assert not isinstance(found, str), found
    (array,) = found
    return array


def bytes_of(shape: Sequence[int], dtype: str, seed: int = 0) -> np.ndarray:
    """Return random bytes, a third of which are the ends of what there is."""
    rng, limits = np.random.default_rng(seed), np.iinfo(dtype)
    drawn = rng.integers(limits.min, limits.max + 1, shape)
    ends = rng.choice([limits.min, limits.max], shape)
    return np.where(rng.random(shape) < 1 / 3, ends, drawn).astype(dtype)


def of_integers(x: str, w: np.ndarray, zero: int, rows: Any) -> ModelProto:
    constants = {"w": w, "zero": np.array(zero, x), "none": np.array(0, w.dtype)}
    node = helper.make_node("MatMulInteger", ["x", "w", "zero", "none"], ["y"])
    return onnx_model([node], {"x": (x, (rows, len(w)))}, {"y": "int32"}, constants)


def pairs(artifact: Any) -> bool:
    """Whether a kernel multiplies two rows at a time."""
    return any("RowPairs" in kernel.plan["steps"] for kernel in artifact.manifest.kernels)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("x", "zero"), [("uint8", 0), ("uint8", 255), ("int8", 0), ("int8", -128), ("int8", 127)]
)
@pytest.mark.parametrize(
    ("terms", "columns"), [(16, 48), (24, 12), (9, 20), (203, 130), (768, 133)]
)
def test_products_of_bytes_are_exact(
    results: Ran, x: str, zero: int, terms: int, columns: int
) -> None:
    """One file for any number of rows, among them none, and files for some."""
    w = bytes_of((terms, columns), "int8")
    any_rows = tvmfuse.compile(of_integers(x, w, zero, "n"), target=I8MM)
    cases = [(any_rows, bytes_of((rows, terms), x, 1)) for rows in ROWS]
    cases += [
        (tvmfuse.compile(of_integers(x, w, zero, rows), target=I8MM), bytes_of((rows, terms), x, 2))
        for rows in (2, 3, 14)
    ]
    for found, (artifact, given) in zip(results(cases), cases, strict=True):
        assert pairs(artifact)
        expected = (given.astype("int64") - zero) @ w.astype("int64")
        np.testing.assert_array_equal(found, expected.astype("int32"))


@pytest.mark.parametrize(
    ("channels", "filters", "taps", "said"),
    [
        (16, 24, 1, {}),
        (48, 16, 1, {"strides": [2, 2]}),
        (24, 40, 3, {"pads": [1, 1, 1, 1]}),
        (32, 16, 3, {"strides": [2, 1], "pads": [0, 1, 2, 1], "dilations": [1, 2]}),
        (32, 32, 3, {"group": 2, "pads": [1, 0, 1, 0]}),
        (13, 24, 3, {"pads": [1, 1, 1, 1]}),
    ],
)
def test_convolutions_of_bytes_are_exact(
    results: Ran, channels: int, filters: int, taps: int, said: Any
) -> None:
    """Of images of any size, down to one pixel. Borders are the zero point."""
    w = bytes_of((filters, channels // said.get("group", 1), taps, taps), "int8")
    constants = {"w": w, "zero": np.array(7, "uint8")}
    node = helper.make_node("ConvInteger", ["x", "w", "zero"], ["y"], **said)
    inputs = {"x": ("uint8", (1, channels, "h", "w"))}
    model = onnx_model([node], inputs, {"y": "int32"}, constants)
    artifact = tvmfuse.compile(model, target=I8MM)
    assert pairs(artifact)
    sizes = [(9, 11), (6, 7), (5, 12)] + [(1, 1), (1, 3)] * (taps == 1)
    cases = [(artifact, bytes_of((1, channels, *size), "uint8", 1)) for size in sizes]
    for found, (_, x) in zip(results(cases), cases, strict=True):
        (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
        np.testing.assert_array_equal(found, expected)


def of_floats(w: np.ndarray, rows: Any) -> ModelProto:
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    return onnx_model([node], {"x": ("float32", (rows, len(w)))}, {"y": "float32"}, {"w": w})


@pytest.mark.parametrize(
    ("terms", "columns"), [(16, 48), (24, 12), (9, 20), (203, 130), (768, 133)]
)
def test_products_of_bfloat16_are_as_near_as_their_sums_are_rounded(
    results: Ran, terms: int, columns: int
) -> None:
    """Two products are added up, exact as they are, and then to the sum so far.

    Both are rounded, to odd: by less than a unit in the last place, 2 ** -23, of which there are so
    half as many as terms, and one for the two products. Dot products are rounded in the same places
    (Arm's BFMatMulAdd is two of BFDotAdd), so that the bits are the same.
    """
    rng = np.random.default_rng(0)
    w = rng.standard_normal((terms, columns)).astype("float32")
    options: dict[str, Any] = {"target": BF16, "precision": "bf16"}
    any_rows = tvmfuse.compile(of_floats(w, "n"), **options)
    one_row = tvmfuse.compile(of_floats(w, "n"), disabled_step="RowPairs", **options)
    assert pairs(any_rows)
    assert not pairs(one_row)
    given = [rng.standard_normal((rows, terms)).astype("float32") for rows in ROWS]
    found = results([(artifact, x) for artifact in (any_rows, one_row) for x in given])
    b = w.astype(BFLOAT16).astype("float64")
    for x, ours, dots in zip(given, found[: len(given)], found[len(given) :], strict=True):
        a = x.astype(BFLOAT16).astype("float64")
        allowed = (terms / 2 + 1) * 2.0**-23 * (np.abs(a) @ np.abs(b))
        assert (np.abs(ours - a @ b) <= allowed).all()
        np.testing.assert_array_equal(ours, dots)


@pytest.mark.parametrize(("channels", "taps"), [(3, 7), (16, 1), (13, 3)])
def test_convolutions_of_bfloat16_are_as_near(results: Ran, channels: int, taps: int) -> None:
    """The bound is that of products, with float32's own of the reference beside it."""
    rng = np.random.default_rng(0)
    shape = (24, channels, taps, taps)
    w = rng.standard_normal(shape).astype("float32").astype(BFLOAT16).astype("float32")
    x = rng.standard_normal((1, channels, 15, 12)).astype("float32")
    x = x.astype(BFLOAT16).astype("float32")
    node = helper.make_node("Conv", ["x", "w"], ["y"], strides=[2, 2], pads=[taps // 2] * 4)
    inputs = {"x": ("float32", x.shape)}
    model = onnx_model([node], inputs, {"y": "float32"}, {"w": w})
    magnitudes = onnx_model([node], inputs, {"y": "float32"}, {"w": np.abs(w)})
    options: dict[str, Any] = {"target": BF16, "precision": "bf16"}
    artifact = tvmfuse.compile(model, **options)
    one_row = tvmfuse.compile(model, disabled_step="RowPairs", **options)
    assert pairs(artifact)
    ours, dots = results([(artifact, x), (one_row, x)])
    found: Any = ReferenceEvaluator(model).run(None, {"x": x})
    sizes: Any = ReferenceEvaluator(magnitudes).run(None, {"x": np.abs(x)})
    terms = channels * taps**2
    assert (np.abs(ours - found[0]) <= (terms / 2 + 1 + terms) * 2.0**-23 * sizes[0]).all()
    np.testing.assert_array_equal(ours, dots)


def test_what_is_not_finite_stays_where_it_is(results: Ran) -> None:
    """A row that is beside another one, or beside its own copy, takes nothing from it."""
    rng = np.random.default_rng(0)
    w = rng.standard_normal((32, 24)).astype("float32")
    artifact = tvmfuse.compile(of_floats(w, 7), target=BF16, precision="bf16")
    x = rng.standard_normal((7, 32)).astype("float32")
    x[1, 3], x[4, 31], x[6, 0] = np.nan, np.inf, -np.inf
    (found,) = results([(artifact, x)])
    expected = x.astype(BFLOAT16).astype("float32") @ w.astype(BFLOAT16).astype("float32")
    assert pairs(artifact)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    np.testing.assert_array_equal(np.isposinf(found), np.isposinf(expected))
    np.testing.assert_array_equal(np.isneginf(found), np.isneginf(expected))


def test_a_file_is_refused_where_the_cpu_has_no_such_instruction(
    emulator: Emulator, tmp_path: Path
) -> None:
    artifact = tvmfuse.compile(of_integers("uint8", bytes_of((32, 24), "int8"), 0, 8), target=I8MM)
    artifact.save(tmp_path / "model.so")
    found = emulator.run({tmp_path: [bytes_of((8, 32), "uint8")]}, "neoverse-n1")[tmp_path]
    assert isinstance(found, str)
    assert 'needs a CPU with "i8mm"' in found
