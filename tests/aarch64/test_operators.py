"""Operators on AArch64 give what ONNX says, and the integers and places of NaN that x86 gives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from aarch64.agreement import assert_close
from operator_cases import CASES
from operator_models import REFUSED, model_of
from reference import TOLERANCE, reference

import tvmfuse

AT_ONCE = 20
"""Cases of one model."""

FROM_X86 = 1e-5
"""How far float32 may be from what x86 computes, of an output's largest magnitude."""

#: What C cannot run yet: sizes that data decide, and loops that stop on an error in the data.
NOT_IN_C = {
    *("Slice fed", "Compress axis=0", "ReverseSequence", "NonZero", "Unique"),
    *("Div int64", "Div uint8", "Mod int64", "Mod uint8", "Mod int64 fmod=1"),
}

KNOWN = [case for case in CASES.values() if case.name not in {*REFUSED, *NOT_IN_C}]
GROUPS = [
    group[begin : begin + AT_ONCE]
    for opset in sorted({case.opset for case in KNOWN})
    for group in [[case for case in KNOWN if case.opset == opset]]
    for begin in range(0, len(group), AT_ONCE)
]


@pytest.mark.sampled(10)
@pytest.mark.parametrize("place", range(len(GROUPS)))
def test_operators_give_what_onnxruntime_and_x86_give(
    ran: Callable[..., dict[str, np.ndarray]], place: int
) -> None:
    model, feeds, _ = model_of(GROUPS[place])
    found = ran(model, feeds)
    assert_close(found, reference(model, feeds), TOLERANCE)
    assert_close(found, tvmfuse.compile(model).load()(feeds), FROM_X86)
