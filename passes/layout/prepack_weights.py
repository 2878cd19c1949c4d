"""A constant matrix in the order in which a product reads it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from tvm.ir import Expr
from tvm.relax.dpl import is_const, is_op, wildcard
from tvm.target import Target

from tvmfuse.ops import gemm
from tvmfuse.passes.dataflow import op_name
from tvmfuse.passes.facts import constant, dtype_of, rank_of, shape_of
from tvmfuse.passes.rewrite import Match, Pattern, RewriteRule
from tvmfuse.schedules.cpu.isa import AVX2, Isa


class PrepackWeights(RewriteRule):
    """Store a constant matrix in panels of columns.

    Before::

        gemm(a, B, c)        # B: (K, N), or (N, K) with trans_b; or matmul(a, B)

    After::

        gemm(a, P, c)        # P: (N / w, K, w), P[j, k, i] = B[k, j * w + i]

    Pays because a register tile takes a few columns of all rows of the matrix, which then lie in
    one piece: by rows, each would come from another page. One row times a matrix reads each weight
    once, in any order. Source: Goto and van de Geijn, "Anatomy of High-Performance Matrix
    Multiplication", ACM TOMS 2008, section 4.
    """

    name = "PrepackWeights"
    aliases = ("Prepack Weights",)

    def __init__(self, isa: Isa = AVX2) -> None:
        self._isa = isa

    def for_target(self, target: Target) -> PrepackWeights:
        """Return the pass with panels as wide as the target's register tile."""
        return PrepackWeights(Isa.of(target))

    def pattern(self) -> Pattern:
        weights = is_const()
        product = is_op("tvmfuse.gemm")(wildcard(), weights, varg_default_wildcard=True)
        return Pattern(product | is_op("relax.matmul")(wildcard(), weights), weights=weights)

    def concerns(self, match: Match) -> bool:
        return rank_of(match["weights"]) == 2

    def requires(self, match: Match) -> Iterator[tuple[bool, str]]:
        product = match.resolve(match.root)
        yield dtype_of(product) == dtype_of(match["weights"]) == "float32", "it is in float32"
        whole = self._width(product) is not None
        yield whole, "the number of columns is a multiple of a vector's"
        yield _rows(product) != 1, "the first operand has more than one row"

    def rewrite(self, match: Match) -> Expr:
        product = match.resolve(match.root)
        a, b, *c = product.args
        width = self._width(product)
        assert width is not None
        packed = constant(_panels(b.value.numpy(), width, of_rows=_transposed(product)))
        if op_name(product) == "relax.matmul":
            return gemm(a, packed)
        attrs = product.attrs
        return gemm(
            a, packed, *c, trans_a=attrs["trans_a"], alpha=attrs["alpha"], beta=attrs["beta"]
        )


    def _width(self, product: Expr) -> int | None:
        """Return the columns of a panel: as many vectors as a register tile has, if they fit."""
        columns = (shape_of(product) or (0,))[-1]
        lanes = self._isa.lanes(32)
        widths = [lanes * vectors for vectors in range(self._isa.tile_vectors, 0, -1)]
        return next((w for w in widths if isinstance(columns, int) and columns % w == 0), None)


def _transposed(product: Expr) -> bool:
    return op_name(product) == "tvmfuse.gemm" and bool(product.attrs["trans_b"])


def _rows(product: Expr) -> int | None:
    """Return the number of rows, None where it is not known."""
    *rows, _ = shape_of(product) or (0,)
    return None if any(not isinstance(r, int) for r in rows) else int(np.prod(rows, dtype=int))


def _panels(matrix: np.ndarray, width: int, *, of_rows: bool) -> np.ndarray:
    """Return a matrix of shape (K, N), or (N, K) if `of_rows`, as (N / width, K, width)."""
    columns = matrix if of_rows else matrix.T
    panels = columns.reshape(-1, width, columns.shape[1])
    return np.ascontiguousarray(panels.transpose(0, 2, 1))
