"""Transforms of composite lengths against numpy's, in double precision."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model, run
from onnx import helper

from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.onnx.convert.fourier_factors import factors

RNG = np.random.default_rng(0)


def transformed(x: np.ndarray, lines: int | str, **said: Any) -> np.ndarray:
    """Return what DFT makes of lines of numbers, of their parts."""
    node = helper.make_node("DFT", ["x"], ["y"], **said)
    model = onnx_model(
        [node], {"x": (str(x.dtype), (lines, *x.shape[1:]))}, {"y": str(x.dtype)}, opset=17
    )
    [found] = run(import_model(model).module, x)
    return np.asarray(found).astype("float64")


def assert_is(found: np.ndarray, expected: np.ndarray, within: float) -> None:
    parts = np.stack([expected.real, expected.imag], -1)
    np.testing.assert_allclose(found, parts, rtol=0, atol=within * np.abs(parts).max())


@pytest.mark.parametrize("length", [200, 243, 256, 510, 1024])
@pytest.mark.parametrize("onesided", [0, 1])
def test_real_signals(length: int, onesided: int) -> None:
    x = RNG.standard_normal((3, length, 1)).astype("float32")
    expected = (np.fft.rfft if onesided else np.fft.fft)(x[..., 0].astype("float64"))
    assert_is(transformed(x, "n", onesided=onesided), expected, 1e-6)


@pytest.mark.parametrize("length", [210, 256])
@pytest.mark.parametrize("inverse", [0, 1])
def test_complex_signals_along_an_inner_axis(length: int, inverse: int) -> None:
    x = RNG.standard_normal((2, length, 3, 2)).astype("float32")
    values = x[..., 0] + 1j * x[..., 1].astype("float64")
    expected = (np.fft.ifft if inverse else np.fft.fft)(values, axis=1)
    assert_is(transformed(x, 2, inverse=inverse), expected, 1e-6)


def test_double_precision() -> None:
    x = RNG.standard_normal((2, 360, 2))
    assert_is(transformed(x, 2), np.fft.fft(x[..., 0] + 1j * x[..., 1]), 1e-15)


def test_a_number_that_is_none_spoils_its_line_only() -> None:
    x = RNG.standard_normal((2, 256, 1)).astype("float32")
    x[1, 7] = np.nan
    found = transformed(x, 2)
    assert np.isfinite(found[0]).all()
    assert np.isnan(found[1]).all()


def test_short_prime_and_very_long_ones_are_one_product() -> None:
    assert [factors(length, 1) for length in (1, 64, 509, 1 << 24)] == [None] * 4
    assert factors(2 * 509, 1) is None
