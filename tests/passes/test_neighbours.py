"""passes.neighbours: how weights of bytes lie for the fastest dot product that is exact."""

from typing import Any

import numpy as np
import pytest

from tvmfuse.passes.neighbours import filled, neighbours_of
from tvmfuse.target.isa import PMADDUBSW, PMADDWD, PMADDWD_128, PMADDWD_512, VPDPBUSD_512
from tvmfuse.target.machine import AVX2, AVX512, NEOVERSE_N1, SSE2, ZEN4

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


def test_what_no_byte_holds_is_multiplied_as_sixteen_bits() -> None:
    found = neighbours_of(np.array([[255]], "int16"), 1, ZEN4)
    assert found is not None
    assert found.dot == PMADDWD_512


def test_a_machine_without_dot_products_has_none() -> None:
    assert neighbours_of(FULL, 1, NEOVERSE_N1) is None
