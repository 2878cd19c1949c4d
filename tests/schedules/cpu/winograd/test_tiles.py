"""The tiles of Winograd convolutions: how far a number reaches, how much rounding they add."""

from typing import Any

import numpy as np
import pytest
from winograd_kernels import drawn, exact, kernel, run

SIZES = pytest.mark.parametrize("m", [2, 4])


@SIZES
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_stays_in_its_tiles(m: Any, value: Any) -> None:
    """It reaches every output that reads it, and no tile that does not."""
    x, weights, bias, pads = drawn(1, 16, 16, 16), drawn(16, 16, 3, 3), drawn(16), [1] * 4
    x[0, 5, 9, 2] = value
    found = run(kernel(x, weights, bias, pads, m, before=16, after=16), x, 16)
    expected = exact(x, weights, bias, pads)
    assert not np.isfinite(found[~np.isfinite(expected)]).any()
    touched = {(y // m, z // m) for y in (8, 9, 10) for z in (1, 2, 3)}
    for y, z in np.ndindex(16, 16):
        if (y // m, z // m) not in touched:
            np.testing.assert_allclose(found[..., y, z], expected[..., y, z], atol=1e-4)


@pytest.mark.parametrize("channels", [16, 64, 256, 512])
@SIZES
@pytest.mark.sampled(3)
def test_rounding_error_below_eight_times_the_direct_ones(m: Any, channels: int) -> None:
    """Root-mean-square, against float64."""
    x, weights, bias, pads = (
        drawn(1, channels, 12, 12),
        drawn(16, channels, 3, 3),
        drawn(16),
        [1] * 4,
    )
    expected = exact(x, weights, bias, pads)

    def error(*, direct: bool) -> float:
        module = kernel(x, weights, bias, pads, m, before=16, after=16, direct=direct)
        return float(np.sqrt(np.mean((run(module, x, 16) - expected) ** 2)))

    assert error(direct=False) < 8 * error(direct=True)
