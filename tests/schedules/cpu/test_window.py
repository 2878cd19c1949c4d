"""schedules.cpu.window: which reductions slide along columns, and over what."""

from typing import Any

import pytest
from tvm import te, tirx
from tvm.relax import op as R

from tvmfuse.schedules.cpu.window import Window, window
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read

H, W = tirx.Var("h", "int64"), tirx.Var("w", "int64")


def found(lab: Any, operator: Any, *shape: Any, dtype: str = "float32") -> Window | None:
    (function,) = lab.kernels(lab.lowered(operator, (shape, dtype))).values()
    return window(groups(inline(read(function))))


def of_copy(lab: Any, element: Any) -> Window | None:
    """Return the window of the sums of three columns of a copy that is one wider on each side."""
    taps = tirx.const(0, "int64"), tirx.const(3, "int64")
    x, k = te.placeholder((9, W), name="x"), te.reduce_axis(taps, "k")
    copy = te.compute((9, W + 2), lambda y, i: element(x, y, i), name="copy")
    sums = te.compute((9, W), lambda y, i: te.sum(copy[y, i + k], k), name="sums")
    return window(groups(inline(read(lab.function_of(x, sums)))))


@pytest.mark.parametrize("size", [(H, W), (29, 31)], ids=["symbolic", "fixed"])
def test_a_pool_is_a_window(lab: Any, size: Any) -> None:
    padded = found(lab, lambda a: R.nn.max_pool2d(a, (3, 5), (1, 2), (1, 2), (2, 1)), 2, 4, *size)
    assert padded is not None
    assert (padded.stride, padded.taps, padded.dilation, padded.span) == (2, 5, 1, 5)
    assert [static(axis.extent) for axis in padded.lines] == [3]
    assert padded.before is not None
    plain = found(lab, lambda a: R.nn.avg_pool2d(a, (1, 2), (1, 3)), 2, 4, *size)
    assert plain is not None
    assert (plain.stride, plain.span, plain.before) == (3, 2, None)


def test_few_vectors_are_enough_for_a_number_of_results(lab: Any) -> None:
    pool = found(lab, lambda a: R.nn.max_pool2d(a, (3, 3), (2, 2), (1, 1)), 2, 4, H, W)
    assert pool is not None
    assert [pool.results(16, n) for n in (1, 2, 3)] == [7, 15, 16]


def test_others_are_none(lab: Any) -> None:
    for operator in (
        lambda a: R.sum(a, axis=2),  # its columns are not joined
        lambda a: R.mean(a, axis=(2, 3)),  # its results are not side by side
        lambda a: R.nn.max_pool2d(a, (3, 7), (2, 7)),  # columns too far apart
        lambda a: R.nn.max_pool2d(a, (3, 3), layout="NHWC"),
        lambda a: R.nn.softmax(a, -1),
    ):
        assert found(lab, operator, 2, 4, H, W) is None
    assert found(lab, lambda a: R.nn.max_pool2d(a, (3, 3)), 2, 4, H, W, dtype="int8") is None


def test_a_copy_is_left_out_where_it_pads_with_what_changes_nothing(lab: Any) -> None:
    def padded(fill: float, *, last: Any = W, step: int = 1) -> Any:
        return lambda x, y, i: tirx.if_then_else(
            tirx.all(i >= 1, i <= last), x[y, (i - 1) * step], tirx.const(fill, "float32")
        )

    assert of_copy(lab, padded(0)) is not None
    assert of_copy(lab, padded(1)) is None
    assert of_copy(lab, lambda x, y, i: padded(0, last=y)(x, y, i)) is None  # a triangle
    assert of_copy(lab, padded(0, last=W // 2, step=2)) is None
    assert of_copy(lab, lambda x, y, i: x[y, tirx.max(tirx.min(i - 1, W - 1), 0)]) is None
    assert of_copy(lab, lambda x, y, i: padded(0)(x, y, i) * 2.0) is None
