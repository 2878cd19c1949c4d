"""schedules.contraction: what counts as a sum of products, and as a window."""

from typing import Any

import pytest
from tvm import te
from tvm.relax import op as R

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.kernels import read


def head(lab: Any, operator: Any, *shapes: Any) -> Any:
    (function,) = lab.kernels(lab.lowered(operator, *[(s, "float32") for s in shapes])).values()
    return next(s for s in read(function).stages if s.reduces)


@pytest.mark.parametrize(
    ("operator", "shapes", "windows"),
    [
        (R.matmul, [(3, 4), (4, 5)], 0),
        (R.nn.conv2d, [(1, 2, 5, 5), (3, 2, 3, 3)], 1),
        (R.nn.conv2d, [(1, 2, 5, 5), (3, 2, 1, 1)], 0),
    ],
    ids=["matmul", "3x3", "1x1"],
)
def test_reads_products_and_windows(
    lab: Any, operator: Any, shapes: list[tuple[int, ...]], windows: int
) -> None:
    product = contraction(head(lab, operator, *shapes))
    assert product is not None
    assert len({load.source.name for load in product.windows}) == windows


@pytest.mark.parametrize(
    "operator", [lambda a: R.sum(a, -1), lambda a: R.max(a, -1)], ids=["sum", "max"]
)
def test_other_reductions_are_none(lab: Any, operator: Any) -> None:
    assert contraction(head(lab, operator, (3, 4))) is None


def test_operands_are_read_through_casts(lab: Any) -> None:
    """Of float16 in memory, multiplied in float32: the bytes are those of what is stored."""
    a, b = te.placeholder((5, 7), "float16"), te.placeholder((7, 9), "float32")
    k = te.reduce_axis((0, 7))
    c = te.compute((5, 9), lambda i, j: te.sum(a[i, k].astype("float32") * b[k, j], k))
    (stage,) = read(lab.function_of(a, b, c)).stages
    product = contraction(stage)
    assert product is not None
    first, second = product.operands
    assert (first.stored_dtype, first.compute_dtype) == ("float16", "float32")
    assert (second.stored_dtype, second.compute_dtype) == ("float32", "float32")
    assert first.load is not None
    assert second.load is not None
    i, j = stage.spatial
    assert (first.uses(i), first.uses(j), second.uses(j)) == (True, False, True)


def test_an_operand_that_is_computed_is_no_element(lab: Any) -> None:
    a, b = te.placeholder((5, 7)), te.placeholder((7, 9))
    k = te.reduce_axis((0, 7))
    c = te.compute((5, 9), lambda i, j: te.sum((a[i, k] + 1.0) * b[k, j], k))
    (stage,) = read(lab.function_of(a, b, c)).stages
    product = contraction(stage)
    assert product is not None
    first, _ = product.operands
    assert first.load is None
    assert first.stored_dtype == "float32"
