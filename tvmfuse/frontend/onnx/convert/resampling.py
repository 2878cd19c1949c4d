"""Which axis is resampled first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank
from tvmfuse.ops.lowering.half import HALF
from tvmfuse.ops.resample import Taps, resample


@dataclass(frozen=True)
class Table:
    """The taps of one axis.

    Attributes:
        taps: Where they are, and their weights.
        ratio: Elements of the result for each element; None where that shows as the model runs.
    """

    taps: Taps
    ratio: float | None


def weights_dtype(dtype: str) -> str:
    """Return the dtype of the weights that elements of a dtype are multiplied by."""
    return "float32" if dtype in HALF else dtype


def resampled(op: Operation, x: Expr, tables: Sequence[Table], *, skips_zeros: bool) -> Expr:
    """Mix the elements along some axes.

    What shrinks comes first, and what grows last, so that fewest elements are computed. Between
    them comes the last axis, along which the elements of a vector are gathered one by one.
    """
    if not tables:
        return x
    last = require_rank(x) - 1

    def rank(table: Table) -> float:
        ratio = 2.0 if table.ratio is None else table.ratio
        return 1.0 if table.taps.axis == last else ratio

    ordered = [table.taps for table in sorted(tables, key=rank)]
    return op.emit(resample(x, ordered, skips_zeros=skips_zeros))
