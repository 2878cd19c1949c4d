"""Operators of many operands: what is done for each of them does not grow with their number."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.build import in_place
from tvmfuse.schedules import kernels


def summed(count: int, op: str) -> Any:
    names = [f"x{place}" for place in range(count)]
    inputs = dict.fromkeys(names, ("float32", ("n", 4)))
    return onnx_model([helper.make_node(op, names, ["y"])], inputs, {"y": "float32"})


def counted(function: Callable[..., Any], calls: list[None]) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        calls.append(None)
        return function(*args)

    return call


def work(count: int, op: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Return how many kernels are read for the sake of memory, and stages' loads looked at."""
    read, loads = list[None](), list[None]()
    with monkeypatch.context() as patch:
        patch.setattr(in_place, "read", counted(vars(in_place)["read"], read))
        patch.setattr(kernels, "loads", counted(vars(kernels)["loads"], loads))
        tvmfuse.compile(summed(count, op), cache=False)
    return len(read), len(loads)


@pytest.mark.parametrize("op", ["Sum", "Max"])
def test_work_grows_in_proportion(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = (work(count, op, monkeypatch) for count in (8, 32))
    assert many[0] == few[0] == 1
    assert many[1] <= 6 * few[1]


def test_a_sum_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    model = summed(300, "Sum")
    feeds = {f"x{place}": np.full((2, 4), place, "float32") for place in range(300)}
    assert_agrees(tvmfuse.compile(model).load()(feeds), reference(model, feeds))
    assert work(300, "Sum", monkeypatch)[0] <= 300 // 64 + 1
