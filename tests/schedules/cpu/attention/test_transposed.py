"""schedules.cpu.heads.transposed: keys are copied in squares of vectors of any length."""

from dataclasses import replace
from typing import Any

import pytest

from tvmfuse.ops import attention
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, Machine

SHAPES = {
    "whole panels": (48, 64),
    "a last panel": (101, 32),
    "keys fewer than a panel": (5, 16),
    "a depth that is no whole number of vectors": (50, 20),
}


def module(lab: Any, keys: Any, depth: Any, order: str = "bshd") -> Any:
    sizes = {"b": 2, "s": keys, "h": 3, "d": depth}
    k = tuple(sizes[axis] for axis in order)
    given = (2, 7, 3, depth), k, (2, keys, 3, 16)
    compute = lambda *a: attention(*a, scale=0.25, k_axes=order)
    return lab.lowered(compute, *((shape, "float32") for shape in given))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("lanes", [4, 8, 16])
@pytest.mark.parametrize("name", SHAPES)
def test_numbers(lab: Any, monkeypatch: pytest.MonkeyPatch, name: str, lanes: int) -> None:
    """LLVM makes two vectors of one that is too long for the machine."""
    monkeypatch.setattr(
        Machine, "of", lambda target: replace(AVX2, isa=replace(AVX2.isa, float_lanes=lanes))
    )
    lab.assert_same_numbers(module(lab, *SHAPES[name]))


def code(lab: Any, machine: Any, order: Any, keys: int = 96) -> Any:
    given = module(lab, keys, 64, order)
    (function,) = lab.kernels(schedule(given, machine.target).module).values()
    return lab.assembly(function, machine)


@pytest.mark.parametrize("keys", [13, 96])
@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=lambda machine: machine.name)
def test_nothing_is_gathered(lab: Any, machine: Machine, keys: int) -> None:
    found = code(lab, machine, "bhsd", keys)
    assert "vunpck" in found
    assert "vinsertps" not in found
    assert "vgather" not in found


def test_keys_that_lie_transposed_are_copied_as_they_are(lab: Any) -> None:
    assert "vunpck" not in code(lab, AVX2, "bhds")
