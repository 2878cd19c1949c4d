"""schedules.cpu.padding: what a padded copy is made of, and what is more than to pad."""

from collections.abc import Callable
from typing import Any

import pytest
from tvm import te, tirx
from tvm.sym import Analyzer

from tvmfuse.schedules.cpu.padding import Padded, padded
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import read

W = tirx.Var("w", "int64")


def of(lab: Any, value: Callable[..., Any]) -> Padded | None:
    """Return what an element of a copy of 5 lines and w + 2 columns is said to be."""
    x = te.placeholder((3, W), name="x")
    copy = te.compute((5, W + 2), lambda i, j: value(x, i, j), name="copy")
    (stage,) = read(lab.function_of(x, copy)).stages
    load = tirx.BufferLoad(stage.store.buffer, [tirx.const(2, "int64"), tirx.const(4, "int64")])
    return padded(load, Group(stage, stored=frozenset({stage.store.buffer})))


def inside(i: Any, j: Any) -> Any:
    return tirx.all(i >= 1, i < 4, j >= 1, j < W + 1)


def test_lines_and_columns_are_told_apart(lab: Any) -> None:
    zero = tirx.const(0.0, "float32")
    found = of(lab, lambda x, i, j: tirx.if_then_else(inside(i, j), x[i - 1, j - 1], zero))
    assert found is not None
    pairs = zip((*found.load.indices, found.first, found.end), (1, 3, 1, W + 1), strict=True)
    assert all(Analyzer().can_prove_equal(*pair) for pair in pairs)
    assert float(found.fill) == 0


def test_what_has_no_end_goes_on_to_the_copy_s(lab: Any) -> None:
    found = of(lab, lambda x, i, j: tirx.if_then_else(j >= 1, x[0, j - 1], 0.0))
    assert found is not None
    pairs = zip((found.first, found.end), (1, W + 2), strict=True)
    assert all(Analyzer().can_prove_equal(*pair) for pair in pairs)


@pytest.mark.parametrize(
    ("why", "value"),
    [
        ("no condition", lambda x, i, j: x[i % 3, j]),
        ("computed", lambda x, i, j: tirx.if_then_else(inside(i, j), x[i - 1, j - 1] * 2.0, 0.0)),
        ("apart", lambda x, i, j: tirx.if_then_else(inside(i, j), x[i - 1, j * 2], 0.0)),
        ("by lines", lambda x, i, j: tirx.if_then_else(j < W + 1 - i, x[0, j], 0.0)),
    ],
)
def test_what_is_more_than_to_pad(lab: Any, why: str, value: Callable[..., Any]) -> None:
    assert of(lab, value) is None, why
