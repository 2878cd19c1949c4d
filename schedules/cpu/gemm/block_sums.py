"""Sums over blocks whose terms share a factor, which multiplies each block's sum once.

::

    Before::  for b: for k in the block: tile[c] += a[b, k] * (w[b, k, c] * scale[b, c])
    After::   for b:
                  sum[c] = 0
                  for k in the block: sum[c] += a[b, k] * w[b, k, c]
                  tile[c] += scale[b, c] * sum[c]

That spares a multiplication for each vector of the matrix, and takes twice the registers for sums:
it pays where few rows read each vector, as a decoder's one row does.
"""

from __future__ import annotations

from dataclasses import dataclass

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr
from tvm_ffi import structural_equal

from tvmfuse.schedules.contraction import Contraction
from tvmfuse.schedules.expressions import variables
from tvmfuse.schedules.kernels import Axis


@dataclass(frozen=True, eq=False)
class BlockSums:
    """A sum in blocks whose terms share a factor.

    Attributes:
        value: What the sum becomes with one more term, without the factor.
        factor: The factor that all terms of a block share.
        outer: The axes of the sum that count blocks.
        inner: Those inside a block.
    """

    value: Expr
    factor: Expr
    outer: tuple[Axis, ...]
    inner: tuple[Axis, ...]


def block_sums(product: Contraction) -> BlockSums | None:
    """Read a sum of products as one of blocks that share a factor; None where it is none."""
    stage = product.stage
    for whole in (operand.factor for operand in product.operands):
        if not isinstance(whole, tirx.Mul):
            continue
        for rest, factor in ((whole.a, whole.b), (whole.b, whole.a)):
            inner = _inner(stage.reduction, factor)
            if 0 < len(inner) < len(stage.reduction):
                value = _with(stage.store.value, whole, rest)
                return BlockSums(value, factor, stage.reduction[: -len(inner)], inner)
    return None


def _inner(reduction: tuple[Axis, ...], factor: Expr) -> tuple[Axis, ...]:
    """Return the last axes of a sum, over which a factor stays what it is."""
    used, count = variables(factor), 0
    while count < len(reduction) and reduction[-1 - count].var not in used:
        count += 1
    return reduction[len(reduction) - count :]


def _with(value: Expr, old: Expr, new: Expr) -> Expr:
    found: Expr = tvm_ffi.structural_map(
        value, (tirx.Mul, lambda node: new if structural_equal(node, old) else node)
    )
    return found
