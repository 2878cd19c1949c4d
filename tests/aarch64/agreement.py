"""Compares what AArch64 computes with what others do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from reference import assert_agrees

HALF_STEP: Final = 2.0**-10
"""Between neighbours of float16, of the larger one, at most."""


def assert_close(
    found: Mapping[str, np.ndarray], expected: Mapping[str, np.ndarray], tolerance: float
) -> None:
    """Fail where integers differ, places of NaN and infinities, or numbers by more than it takes.

    Args:
        found: Outputs by name.
        expected: The same of another machine or program.
        tolerance: Of an output's largest magnitude; of float16 it is one step.
    """
    assert list(found) == list(expected)
    half = {name for name, array in expected.items() if array.dtype == np.float16}
    for names, allowed in ((expected.keys() - half, tolerance), (half, HALF_STEP)):
        ours, theirs = ({n: all_[n] for n in sorted(names)} for all_ in (found, expected))
        assert_agrees(ours, theirs, tolerance=allowed)
