"""quantize_blocks: bytes, scales and sums of each block of a row; infinities and NaN."""

import numpy as np
import pytest
from graphs import graph, run, tensor
from tvm.ir import TupleGetItem

from tvmfuse.ops import quantize_blocks

BLOCK = 16


def quantized(x: np.ndarray) -> list[np.ndarray]:
    module = graph(
        lambda x, emit: [
            TupleGetItem(emit(quantize_blocks(x, block_size=BLOCK)), n) for n in range(3)
        ],
        tensor(*x.shape),
    )
    return run(module, x)


@pytest.mark.parametrize("depth", [48, 41])
def test_each_block_is_scaled_to_127(depth: int) -> None:
    x = np.random.default_rng(0).standard_normal((2, 3, depth), "float32")
    x[0, 1, :BLOCK] = 0
    numbers, scales, sums = quantized(x)
    padded = np.pad(x, [(0, 0), (0, 0), (0, -depth % BLOCK)]).reshape(2, 3, -1, BLOCK)
    largest = np.abs(padded).max(-1)
    np.testing.assert_array_equal(scales, largest / np.float32(127))
    np.testing.assert_array_equal(np.abs(numbers).max(-1), np.where(largest > 0, 127, 0))
    error = np.abs(numbers * scales[..., None] - padded)
    assert np.all(error <= 0.5001 * scales[..., None])
    np.testing.assert_array_equal(sums, numbers.sum(-1, dtype="float32"))


def test_a_block_of_an_infinity_has_that_alone_and_one_of_a_nan_its_scale() -> None:
    x = np.ones((1, 3 * BLOCK), "float32")
    x[0, 3], x[0, 5], x[0, BLOCK] = np.inf, -np.inf, np.nan
    numbers, scales, _ = quantized(x)
    np.testing.assert_array_equal(np.isinf(scales), [[True, False, False]])
    np.testing.assert_array_equal(np.isnan(scales), [[False, True, False]])
    expected = np.zeros(BLOCK, "int8")
    expected[3], expected[5] = 127, -127
    np.testing.assert_array_equal(numbers[0, 0], expected)


@pytest.mark.parametrize("size", [1e-44, 1e-37, 3e38])
def test_the_smallest_and_largest_numbers_do_not_overflow(size: float) -> None:
    x = np.linspace(-size, size, BLOCK, dtype="float32")[None]
    numbers, scales, _ = quantized(x)
    assert np.all(np.isfinite(scales))
    assert np.array_equal(np.sign(numbers[0, 0, [0, -1]]), [-1, 1])
