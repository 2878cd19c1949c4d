"""A constant matrix in the order in which a product reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from tvm import relax
from tvm.ir import Call, Expr, GenericConst
from tvm.relax.dpl import is_const, is_op, wildcard

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, dtype_of, known_array, rank_of, shape_of
from tvmfuse.ops import gemm
from tvmfuse.ops.gemm import UNKNOWN
from tvmfuse.ops.lowering.half import HALF
from tvmfuse.passes.contract import CPU
from tvmfuse.passes.neighbours import Neighbours, are_low, filled, neighbours_of, of_signed
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule
from tvmfuse.target.machine import AVX2, Machine
from tvmfuse.target.register_tile import (
    MANY_COLUMNS,
    narrow_panel_columns,
    pair_panel_columns,
    panel_columns,
    single_pass_columns,
    tile_panel_columns,
)

RECURRENCE: Final = "tvmfuse.recurrence"
FEW_BITS: Final = "tvmfuse.matmul_nbits"
SUMS_TWICE: Final = 4
"""Of the registers that a row of sums takes at most, so that there is place for it twice, as for
sums over blocks, and for words."""

WORDS_AND_SCALES: Final = 4
"""Rows of a product for which panels of few bits are cut, at least: so as many registers are left
for what their numbers are made of."""


@dataclass(frozen=True)
class Packing:
    """How a matrix is stored.

    Attributes:
        columns: Of a panel; None for one row times a matrix, whose columns lie in one piece.
        neighbours: How many weights of a column lie side by side; None for one.
    """

    columns: int | None
    neighbours: Neighbours | None = None


class PrepackWeights(RewriteRule[Packing]):
    """Store a constant matrix in panels of columns.

    Before::

        gemm(a, B, c)        # B: (K, N), or (N, K) with trans_b; or matmul(a, B)
        recurrence(x, B)     # B: (H, N), which each step multiplies by
        matmul_nbits(a, B)   # B: (blocks, words, N)

    After::

        gemm(a, P, c)        # P: (N / w, K, w), P[j, k, i] = B[k, j * w + i]
        gemm(a, Q, c)        # where `a` is one row of float32, Q: (N, K)
        gemm(a, R)           # `a` of bytes, R: (N / w, K / g, w, g), for dot products of g numbers
        recurrence(x, P)
        matmul_nbits(a, P)   # P: (N / w, blocks, words, w), and scales and zeros with it

    The last panel is filled up with zeros where no panels of two vectors or more divide N.

    Pays because a register tile takes a few columns of all rows of the matrix, which then lie in
    one piece: by rows, each would come from another page. One row times a matrix is a dot product
    with each column, and runs as fast as columns in one piece are read; in a recurrence panels are
    as good, and suit any batch. Source: Goto and van de Geijn, "Anatomy of High-Performance Matrix
    Multiplication", ACM TOMS 2008, section 4.
    """

    name = "PrepackWeights"
    aliases = ("Prepack Weights",)
    targets = CPU

    def __init__(self, machine: Machine = AVX2) -> None:
        self._machine = machine

    def configured(self, machine: Machine) -> PrepackWeights:
        """Return the pass with panels as wide as this machine's register tile."""
        return PrepackWeights(machine)

    def pattern(self) -> Pattern:
        weights = is_const()
        product = is_op("tvmfuse.gemm")(wildcard(), weights, varg_default_wildcard=True)
        step = is_op("tvmfuse.recurrence")(wildcard(), weights, varg_default_wildcard=True)
        second = is_op("tvmfuse.recurrence")(
            wildcard(), wildcard(), weights, varg_default_wildcard=True
        )
        matmul = is_op("relax.matmul")(wildcard(), weights)
        few_bits = is_op(FEW_BITS)(wildcard(), weights, varg_default_wildcard=True)
        return Pattern(product | matmul | step | second | few_bits, weights=weights)

    def is_candidate(self, match: Match) -> bool:
        product = match.resolve(match.root)
        if 0 in (shape_of(match["weights"]) or ()):
            return False
        if op_name(product) == RECURRENCE:
            return rank_of(match["weights"]) == 2 and bool(_places(product, match["weights"]))
        if op_name(product) == FEW_BITS:
            return rank_of(match["weights"]) == 3
        lies_right = _rows(product) == 1 and _transposed(product) and not _of_dots(product)
        return rank_of(match["weights"]) == 2 and not lies_right

    def requires(self, match: Match) -> Conditions[Packing]:
        product = match.resolve(match.root)
        if op_name(product) == RECURRENCE:
            return (yield from self._of_recurrence(product, match["weights"]))
        if op_name(product) == FEW_BITS:
            return (yield from self._of_few_bits(product))
        if _of_dots(product):
            return (yield from self._of_neighbours(product))
        yield _is_single(product, match["weights"]), "it is in float32"
        one_row = _rows(product) == 1
        columns = None if one_row else self._width(product)
        yield one_row or columns is not None, "the columns are whole vectors, or many"
        return Packing(columns)

    def rewrite(self, match: Match, found: Packing) -> Expr:
        product = match.resolve(match.root)
        if op_name(product) == RECURRENCE:
            assert found.columns is not None
            return _with_panels(product, match["weights"], found.columns)
        if op_name(product) == FEW_BITS:
            assert found.columns is not None
            return _few_bits_in_panels(product, found.columns)
        if found.neighbours is not None:
            assert found.columns is not None
            return _in_neighbours(product, found.columns, found.neighbours)
        a, b, *c = product.args
        weights = known_array(b)
        if found.columns is None:
            packed = constant(weights.T)
        else:
            packed = constant(_panels(weights, found.columns, of_rows=_transposed(product)))
        said = _said(product)
        columns = int((shape_of(product) or (0,))[-1])
        if found.columns and columns % found.columns:
            said["columns"] = columns
        return gemm(a, packed, *c, trans_b=found.columns is None, **said)

    def _of_neighbours(self, product: Call) -> Conditions[Packing]:
        neighbours = self._neighbours(product)
        yield neighbours is not None, "the machine has dot products of what is multiplied"
        width = self._width(product, pairs=bool(neighbours and neighbours.dot.half))
        if neighbours and _rows(product) != 1 and self._machine.tile_product(neighbours.dot):
            width = tile_panel_columns(int((shape_of(product) or (0,))[-1])) or width
        yield width is not None, "the columns are whole vectors, or many"
        return Packing(width, neighbours)

    def _neighbours(self, product: Call) -> Neighbours | None:
        """Return how weights lie for dot products, or for what multiplies two rows at once."""
        weights, axis = known_array(product.args[1]), int(_transposed(product))
        found = self._of_one_row(product, weights, axis)
        if found is None or _rows(product) == 1:
            return found
        return found.of_two_rows(weights.shape[axis], self._machine)

    def _of_one_row(self, product: Call, weights: np.ndarray, axis: int) -> Neighbours | None:
        """Return how weights lie for dot products.

        One row takes as long as its weights are read: bytes are half as many. A known number of
        rows can be split so that few bytes near their zero point have to be multiplied apart.
        """
        rows, zero = _rows(product), int(product.attrs.get("zero", UNKNOWN))
        several = rows is not None and rows > 1
        low = rows == 1 or (several and zero != UNKNOWN and are_low(zero))
        found = neighbours_of(weights, axis, self._machine, low=low)
        if found is None or found.dot.a == "uint8" or not several:
            return found
        return of_signed(weights.T if axis else weights, zero, self._machine) or found

    def _of_recurrence(self, step: Call, weights: Expr) -> Conditions[Packing]:
        yield dtype_of(weights) == "float32", "it is in float32"
        (_, batch, _), (_, columns) = shape_of(step.args[0]) or (0,) * 3, weights.ty.shape.values
        rows, width = batch if isinstance(batch, int) else None, None
        if rows is not None:
            width = single_pass_columns(self._machine, rows, int(columns))
        width = width or panel_columns(self._machine, rows, int(columns))
        yield width is not None, "the columns are whole vectors, or many"
        return Packing(width)

    def _of_few_bits(self, product: Call) -> Conditions[Packing]:
        stored = product.args[1 : 3 + bool(product.attrs["zeros"])]
        yield (
            all(isinstance(x, GenericConst) for x in stored),
            "its scales and its zero points are constant",
        )
        yield dtype_of(product) == "float32", "it is in float32"
        rows, columns = _rows(product), int(product.args[1].ty.shape.values[-1])
        height = rows and max(rows, WORDS_AND_SCALES)
        width = panel_columns(self._machine, height, columns, whole=True)
        isa, vectors = self._machine.isa, (width or 0) // self._machine.isa.float_lanes
        if columns >= MANY_COLUMNS and not 1 < vectors <= isa.registers // SUMS_TWICE:
            width = narrow_panel_columns(self._machine, columns)
        yield width is not None, "the columns are whole vectors, or many"
        return Packing(width)

    def _width(self, product: Expr, *, pairs: bool = False) -> int | None:
        """Return the columns of a panel, None where no whole vectors divide all columns."""
        columns = (shape_of(product) or (0,))[-1]
        if not isinstance(columns, int):
            return None
        width = pair_panel_columns if pairs else panel_columns
        return width(self._machine, _rows(product), columns)


def _is_single(product: Expr, weights: Expr) -> bool:
    """Whether float32 is multiplied by weights, be they stored in half of it."""
    of_single = dtype_of(product) == dtype_of(product.args[0]) == "float32"
    return of_single and dtype_of(weights) in ("float32", *HALF)


def _of_dots(product: Expr) -> bool:
    """Whether it is a product of bytes, summed in int32, or of bfloat16, summed in float32."""
    types = {"int32": "uint8", "float32": BFLOAT16}
    return dtype_of(product.args[0]) == types.get(dtype_of(product))


def _said(product: Call) -> dict[str, Any]:
    """Return what a product says that no layout changes."""
    if op_name(product) != "tvmfuse.gemm":
        return {}
    return {name: product.attrs[name] for name in ("trans_a", "alpha", "beta", "wide")}


def _in_neighbours(product: Call, width: int, neighbours: Neighbours) -> Expr:
    left, b, *c = product.args
    weights = known_array(b).T if _transposed(product) else known_array(b)
    (k, columns), terms = weights.shape, neighbours.padded(len(weights))
    a = neighbours.operand(left)
    if terms > k:
        a = relax.op.nn.pad(a, [*[0, 0] * (int(left.ty.ndim) - 1), 0, terms - k])
    panels = _panels(filled(weights, 0, terms), width, of_rows=False)
    sums = gemm(
        a,
        constant(neighbours.side_by_side(panels)),
        *c,
        columns=columns if columns % width else 0,
        bounded=neighbours.bounded,
        **_said(product),
    )
    return relax.op.add(sums, neighbours.moved(a, weights)) if neighbours.moves else sums


def _places(step: Call, weights: Expr) -> list[int]:
    """Return where a recurrence has this matrix among those that its steps multiply by."""
    names = str(step.attrs["operands"]).split()
    return [
        place
        for place, (name, operand) in enumerate(zip(names, step.args, strict=True))
        if name.endswith("weights") and operand.same_as(weights)
    ]


def _with_panels(step: Call, weights: Expr, width: int) -> Expr:
    panels = constant(_panels(known_array(weights), width, of_rows=False))
    args = [*step.args]
    for place in _places(step, weights):
        args[place] = panels
    return Call(step.op, args, attrs=step.attrs)


def _few_bits_in_panels(product: Call, width: int) -> Expr:
    args, last = [*product.args], 3 + bool(product.attrs["zeros"])
    columns = int(args[1].ty.shape.values[-1])
    missing = -columns % width
    for place in range(1, last):
        stored = known_array(args[place])
        if missing:
            stored = np.pad(stored, [(0, 0)] * (stored.ndim - 1) + [(0, missing)])
        panels = stored.reshape(*stored.shape[:-1], -1, width)
        args[place] = constant(np.moveaxis(panels, -2, 0))
    return Call(product.op, args, attrs={**product.attrs, "columns": columns if missing else 0})


def _transposed(product: Expr) -> bool:
    return op_name(product) == "tvmfuse.gemm" and bool(product.attrs["trans_b"])


def _rows(product: Expr) -> int | None:
    """Return the number of rows, None where it is not known."""
    *rows, _ = shape_of(product) or (0,)
    return None if any(not isinstance(r, int) for r in rows) else int(np.prod(rows, dtype=int))


def _panels(matrix: np.ndarray, width: int, *, of_rows: bool) -> np.ndarray:
    """Return a matrix of shape (K, N), or (N, K) if `of_rows`, as (N / width, K, width)."""
    columns = matrix if of_rows else matrix.T
    if missing := -len(columns) % width:
        columns = np.pad(columns, [(0, missing), (0, 0)])
    panels = columns.reshape(-1, width, columns.shape[1])
    return panels.transpose(0, 2, 1)
