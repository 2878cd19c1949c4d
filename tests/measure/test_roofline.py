"""Roofline: each kernel is held to products of its own operands, or to a copy."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from tvmfuse.measure.interleave import Samples
from tvmfuse.measure.results.profile import Copy, Peaks, Product
from tvmfuse.measure.roofline import MOVED, Amount, Roofline

INT8 = Amount(8000, 10, "int8")
FLOAT32 = Amount(8000, 10)
COPIED = Amount(None, 1 << 14, "int8")


@pytest.fixture
def loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend loops of 2 and 8 million operations."""
    peak = SimpleNamespace(
        multiply_adds=lambda *_: ("fma", 2e6),
        dot_products=lambda operands, *_: (operands, 8e6),
        copy=lambda nbytes, *_: nbytes,
    )
    monkeypatch.setitem(sys.modules, "tvmfuse.measure.peak", peak)
    monkeypatch.setattr("tvmfuse.measure.peak", peak, raising=False)


def samples(*milliseconds: float) -> Samples:
    return Samples(np.array([milliseconds, milliseconds]), (1,), warm=True, interrupted=False)


#: Two runs of the model come first; then 1 GFLOP/s, 4 GOP/s of bytes, and copies of 16 GB/s.
MEASURED = samples(9.0, 9.0, 2.0, 2.0, MOVED / 16e6)


@pytest.mark.parametrize(
    ("amount", "microseconds", "bound", "share"),
    [
        (INT8, 4.0, "compute", 0.5),
        (FLOAT32, 16.0, "compute", 0.5),
        (COPIED, 4.096, "memory", 0.25),
        (Amount(), 4.0, None, None),
    ],
)
def test_a_kernel_is_held_to_what_it_multiplies(
    loops: None, amount: Amount, microseconds: float, bound: Any, share: Any
) -> None:
    roofline = Roofline.of([FLOAT32, INT8, COPIED], "llvm", 1, first=2)
    assert roofline.loops == ["fma", "int8", 1 << 14]
    found = roofline.bound(amount, np.full(2, microseconds), MEASURED)
    assert found == (bound, share if share is None else pytest.approx(share))


def test_peaks_name_the_products_that_kernels_have(loops: None) -> None:
    one, four, copy = (cast("Any", pytest.approx(speed)) for speed in (1.0, 4.0, 16.0))
    found = Roofline.of([INT8], "llvm", 1, first=2).peaks(MEASURED)
    assert found == Peaks(one, (Copy(1 << 14, copy),), (Product("int8", four),))
    alone = Roofline.of([FLOAT32], "llvm", 1, first=2)
    assert alone.loops == ["fma", 1 << 14]
    peaks = alone.peaks(samples(9.0, 9.0, 2.0, MOVED / 16e6))
    assert peaks is not None
    assert peaks.products == ()


def test_without_the_compiler_there_is_no_roof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tvmfuse.measure.peak", None)
    monkeypatch.delattr("tvmfuse.measure.peak", raising=False)
    roofline = Roofline.of([INT8], "llvm", 1, first=2)
    assert "TVM's compiler is not there" in roofline.missing
    assert roofline.bound(INT8, np.ones(2), MEASURED) == (None, None)
    assert roofline.peaks(MEASURED) is None
