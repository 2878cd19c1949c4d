"""passes.neighbours: how weights of bytes lie for the fastest dot product that is exact."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from libraries import needs_cpu
from onnx import helper
from onnx.reference import ReferenceEvaluator

import tvmfuse
from tvmfuse.passes.neighbours import MOST_TERMS, are_low, filled, neighbours_of, of_signed
from tvmfuse.target.isa import (
    PMADDUBSW,
    PMADDUBSW_512,
    PMADDWD,
    PMADDWD_128,
    PMADDWD_512,
    SDOT,
    USDOT,
    VPDPBUSD_512,
)
from tvmfuse.target.machine import AVX2, AVX512, NEOVERSE_N1, SSE2, ZEN4, Machine
from tvmfuse.target.resolve import resolve

FULL = np.array([[127, -128, 5], [100, 29, 0]], "int8")


@pytest.mark.parametrize(
    ("machine", "dot"),
    [(ZEN4, VPDPBUSD_512), (AVX512, PMADDWD_512), (AVX2, PMADDWD), (SSE2, PMADDWD_128)],
    ids=["zen4", "avx512", "avx2", "sse2"],
)
def test_eight_bits_are_widened_where_an_instruction_would_clip(machine: Any, dot: Any) -> None:
    found = neighbours_of(FULL, 1, machine)
    assert found is not None
    assert (found.dot, found.bounded) == (dot, False)


@pytest.mark.parametrize(
    ("weights", "axis", "fits"),
    [
        ([[64, 64, -64, -64, 127]], 1, True),
        ([[127, -128], [-128, 127]], 1, True),  # signs differ
        ([[65, 64]], 1, False),
        ([[-65, -64]], 1, False),
        ([[3, 65, 64]], 1, True),  # in two pairs
        ([[65], [64]], 0, False),
        ([[65, 64], [0, 0]], 0, True),
    ],
)
def test_pairs_that_fit_sixteen_bits_are_clipped_by_none(
    weights: list[list[int]], axis: int, fits: bool
) -> None:
    array = np.array(weights, "int8")
    found = neighbours_of(array, axis, AVX2)
    assert found is not None
    assert (found.dot, found.bounded) == ((PMADDUBSW, True) if fits else (PMADDWD, False))
    pairs = np.moveaxis(filled(array, axis, -(-array.shape[axis] // 2) * 2), axis, -1)
    sums = [pairs.astype(int).clip(*side).reshape(-1, 2).sum(-1) for side in ((0, 127), (-128, 0))]
    assert fits == (np.abs(np.array(sums) * 255 + 0.5).max() < 2**15)


@pytest.mark.parametrize(
    ("machine", "dot"),
    [(ZEN4, VPDPBUSD_512), (AVX512, PMADDUBSW_512), (AVX2, PMADDUBSW), (SSE2, PMADDWD_128)],
    ids=["zen4", "avx512", "avx2", "sse2"],
)
def test_eight_bits_that_meet_low_bytes_are_bytes(machine: Any, dot: Any) -> None:
    found = neighbours_of(FULL, 1, machine, low=True)
    assert found is not None
    assert (found.dot, found.bounded) == (dot, False)


@pytest.mark.parametrize("low", [True, False])
def test_few_bits_are_bounded_whatever_they_meet(low: bool) -> None:
    found = neighbours_of(np.full((2, 6), 64, "int8"), 1, AVX2, low=low)
    assert found is not None
    assert (found.dot, found.bounded) == (PMADDUBSW, True)


@pytest.mark.parametrize(("zero", "low"), [(0, True), (64, True), (65, False), (128, False)])
def test_bytes_near_a_small_zero_point_are_low(zero: int, low: bool) -> None:
    assert are_low(zero) is low


@pytest.mark.parametrize(
    ("machine", "dot"),
    [(ZEN4, None), (AVX512, PMADDUBSW_512), (AVX2, PMADDUBSW), (SSE2, None), (NEOVERSE_N1, None)],
    ids=["zen4", "avx512", "avx2", "sse2", "neoverse-n1"],
)
def test_bytes_around_the_middle_are_signed_where_an_instruction_clips(
    machine: Any, dot: Any
) -> None:
    found = of_signed(FULL.T, 128, machine)
    assert (found and found.dot) == dot
    assert found is None or found.signed


@pytest.mark.parametrize(
    ("zero", "dtype", "terms", "fits"),
    [
        (96, "int8", 4, True),
        (95, "int8", 4, False),
        (160, "int8", 4, True),
        (161, "int8", 4, False),
        (-1, "int8", 4, False),
        (128, "int16", 4, False),
        (128, "int8", MOST_TERMS, True),
        (128, "int8", MOST_TERMS + 1, False),
    ],
)
def test_what_is_signed_is_near_zero_and_fits_an_int32(
    zero: int, dtype: str, terms: int, fits: bool
) -> None:
    found = of_signed(np.zeros((terms, 1), dtype), zero, AVX2)
    assert (found is not None) == fits


def test_sums_of_the_most_terms_fit_an_int32() -> None:
    products, rows, columns = 128 * 255, 128 * 128, 128 * 128
    assert (products + rows + columns) * MOST_TERMS <= np.iinfo("int32").max


def test_what_no_byte_holds_is_multiplied_as_sixteen_bits() -> None:
    found = neighbours_of(np.array([[255]], "int16"), 1, ZEN4)
    assert found is not None
    assert found.dot == PMADDWD_512


def test_a_machine_without_dot_products_has_none() -> None:
    assert neighbours_of(FULL, 1, Machine.of(resolve("cortex-a57"))) is None


@pytest.mark.parametrize(
    ("target", "size", "taps", "group"),
    [
        ("neoverse-v1", 16, 1, 8),
        ("neoverse-v1", 8, 9, 8),
        ("neoverse-v1", 8, 1, 4),
        ("neoverse-v1", 12, 9, 4),
        ("neoverse-v1", 3, 49, 4),
        ("neoverse-v1", 13, 1, 8),
        ("neoverse-n1", 16, 1, 4),
    ],
)
def test_two_rows_take_whole_words(target: str, size: int, taps: int, group: int) -> None:
    machine = Machine.of(resolve(target))
    one = neighbours_of(np.ones((4, size), "int8"), 1, machine)
    assert one is not None
    two = one.of_two_rows(size, machine, taps)
    assert two.dot.k_group == group
    assert (two.dot.half == one.dot) == (group == 8)
    assert two.moves == one.moves


@pytest.mark.parametrize(("target", "dot"), [("neoverse-n1", SDOT), ("neoverse-v1", USDOT)])
def test_signed_bytes_meet_bytes_less_128(target: str, dot: Any) -> None:
    found = neighbours_of(FULL, 1, Machine.of(resolve(target)))
    assert found is not None
    assert (found.dot, found.moves) == (dot, 128 * (dot is SDOT))
    stored = np.array([0, 255, 7])
    products = (stored - found.moves) * FULL.astype("int64")
    missing = found.of_columns(FULL, 1)
    np.testing.assert_array_equal(products.sum(1) + missing, FULL.astype("int64") @ stored)


@pytest.mark.parametrize(("terms", "fits"), [(MOST_TERMS, True), (MOST_TERMS + 1, False)])
def test_moved_bytes_make_no_sum_that_an_int32_does_not_hold(terms: int, fits: bool) -> None:
    for weights, axis in (
        (np.zeros((terms, 2), "int8"), 0),
        (np.zeros((2, terms, 1, 1), "int8"), 1),
    ):
        assert (neighbours_of(weights, axis, NEOVERSE_N1) is not None) == fits


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("operator", "x", "w", "zero", "said"),
    [
        ("ConvInteger", "uint8", "int8", 0, {"pads": [1, 1, 1, 1]}),
        ("ConvInteger", "uint8", "int8", 7, {"strides": [2, 1], "group": 2}),
        ("ConvInteger", "int8", "int8", -128, {"dilations": [2, 2], "pads": [2, 0, 1, 3]}),
        ("ConvInteger", "uint8", "uint8", 0, {"group": 4}),
        ("MatMulInteger", "uint8", "int8", 0, {}),
        ("MatMulInteger", "int8", "int8", -128, {}),
        ("MatMulInteger", "uint8", "uint8", 5, {}),
    ],
    ids=str,
)
def test_integers_are_exact_without_vnni(
    operator: str, x: str, w: str, zero: int, said: dict[str, Any]
) -> None:
    """ONNX's own evaluator is the reference; sizes are symbolic, and two threads compute."""
    rng, group = np.random.default_rng(0), said.get("group", 1)
    conv = operator == "ConvInteger"
    weights = rng.integers(*((0, 200) if w == "uint8" else (-128, 128)), (48, 16 // group, 3, 3))
    if not conv:
        weights = weights[:, :, 0, 0].T
    shape = (1, 16, "h", "w") if conv else ("n", 16)
    node = helper.make_node(operator, ["x", "k", "zero", "none"], ["y"], **said)
    constants = {
        "k": weights.astype(w),
        "zero": np.array(zero, x),
        "none": np.array(100 if w == "uint8" else 0, w),
    }
    model = onnx_model([node], {"x": (x, shape)}, {"y": "int32"}, constants)
    run = tvmfuse.compile(model, target="haswell").load(num_threads=2)
    limits = np.iinfo(x)
    for most in (zero + 127, limits.max):
        image = rng.integers(zero, most + 1, (1, 16, 23, 19) if conv else (37, 16)).astype(x)
        if most < limits.max:
            image[0, -2:] = limits.max  # one place breaks the bound
        (expected,) = ReferenceEvaluator(model).run(None, {"x": image})
        np.testing.assert_array_equal(run({"x": image})["y"], expected)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("target", ["haswell", "skylake-avx512", "x86-64"])
@pytest.mark.parametrize("zero", [3, 128, 100, 80], ids=str)
@pytest.mark.parametrize("x", ["uint8", "int8"])
@pytest.mark.parametrize(
    "shape", [(2, 64, 48), (13, 37, 61), (197, 40, 24), (1, 16, 48), ("n", 64, 48)], ids=str
)
def test_rows_of_bytes_are_exact_whatever_is_split(
    target: str, zero: int, x: str, shape: tuple[Any, int, int]
) -> None:
    """ONNX's own evaluator is the reference; most bytes are near the zero point, some are not."""
    rng, (rows, terms, columns) = np.random.default_rng(0), shape
    node = helper.make_node("MatMulInteger", ["x", "k", "zero"], ["y"])
    limits = np.iinfo(x)
    constants = {
        "k": rng.integers(-128, 128, (terms, columns)).astype("int8"),
        "zero": np.array(zero + limits.min, x),
    }
    model = onnx_model([node], {"x": (x, (rows, terms))}, {"y": "int32"}, constants)
    artifact = tvmfuse.compile(model, target=target)
    needs_cpu(resolve(target))
    run, size = artifact.load(num_threads=2), (rows if rows != "n" else 21, terms)
    spread = zero + rng.normal(0, 40, size)
    for numbers in (spread, rng.integers(0, 256, size), np.zeros(size), np.full(size, 255)):
        a = (np.clip(numbers, 0, 255).astype("int64") + limits.min).astype(x)
        (expected,) = ReferenceEvaluator(model).run(None, {"x": a})
        np.testing.assert_array_equal(run({"x": a})["y"], expected)
