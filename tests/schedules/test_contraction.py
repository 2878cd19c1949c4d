"""schedules.contraction: what counts as a sum of products, and as a window."""

import pytest
from tvm.relax import op as R

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.kernels import read


def head(lab, operator, *shapes):
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
def test_reads_products_and_windows(lab, operator, shapes, windows) -> None:
    product = contraction(head(lab, operator, *shapes))
    assert len({load.source.name for load in product.windows}) == windows


@pytest.mark.parametrize(
    "operator", [lambda a: R.sum(a, -1), lambda a: R.max(a, -1)], ids=["sum", "max"]
)
def test_other_reductions_are_none(lab, operator) -> None:
    assert contraction(head(lab, operator, (3, 4))) is None
