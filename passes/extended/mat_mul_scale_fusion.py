"""The scale of a product, or of one of its factors, becomes the product's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

import numpy as np
from tvm.ir import Call, Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import (
    array_of,
    dtype_of,
    is_float,
    rank_of,
    same_shape,
    scalar_of,
    shape_of,
    static_size,
)
from tvmfuse.ops import batch_matmul, gemm
from tvmfuse.passes.extended.matmul_transpose_fusion import PRODUCTS
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

SCALES: Final = ("relax.multiply", "relax.divide")


@dataclass(frozen=True)
class Scaled:
    """A product and its scale.

    Attributes:
        product: The call that multiplies matrices.
        before: What is scaled, where that is one of the factors; None where it is the product.
        factor: What the product is multiplied by.
    """

    product: Expr
    before: Expr | None
    factor: float

    @property
    def is_safe(self) -> bool:
        """Whether the kernel's numbers have the scale; half precisions are computed in float32."""
        attrs, name = self.product.attrs, op_name(self.product)
        limits = np.finfo("float64" if dtype_of(self.product) == "float64" else "float32")
        said = [] if name == "relax.matmul" else [float(attrs["alpha"])]
        if name == "tvmfuse.gemm" and self.before is None:
            said += [beta for beta in [float(attrs["beta"])] if beta]
        scales = [abs(self.factor), *(abs(s * self.factor) for s in said)]
        return all(float(limits.tiny) <= s <= float(limits.max) for s in scales)


class MatMulScaleFusion(RewriteRule[Scaled]):
    """Scale a product where it is computed.

    Before::

        y = matmul(a * s, b)         # or b; multiplied by one number, or divided
        y = matmul(a, b) * s         # or a gemm, with its bias

    After::

        y = gemm(a, b, alpha=s)      # where `b` is one matrix
        y = batch_matmul(a, b, alpha=s)

    Pays because no factor is read and written once more to be scaled; results are scaled in
    registers. Where it is the result that is scaled, `FuseOps` makes the same kernel: here it is
    one operator. Source: ONNX Runtime's MatMulScaleFusion.
    """

    name = "MatMulScaleFusion"
    aliases = ("MatMul Scale Fusion",)
    barrier_at = "inner"

    def pattern(self) -> Pattern:
        calls = [is_op(name) for name in (*SCALES, *PRODUCTS)]
        pair = wildcard(), wildcard()
        inner = reduce(or_, [call(*pair, varg_default_wildcard=True) for call in calls])
        other = wildcard()
        roots = [
            call(*operands, varg_default_wildcard=True)
            for call in calls
            for operands in ((inner, other), (other, inner))
        ]
        return Pattern(reduce(or_, roots), inner=inner)

    def is_candidate(self, match: Match) -> bool:
        one_of_each = _is_product(match["inner"]) != _is_product(match.resolve(match.root))
        return one_of_each and bool(match.fact(_scales))

    def requires(self, match: Match) -> Conditions[Scaled]:
        product, call, (scaled, by) = _product(match), _call(match), match.fact(_scales)[0]
        yield is_float(product), "the product is a floating-point one"
        yield len({dtype_of(e) for e in (product, *product.args)}) == 1, "it has one dtype"
        yield scalar_of(by) is not None, "the scale is one number, known before the model runs"
        found = Scaled(product, None if _is_product(match["inner"]) else scaled, _factor(call, by))
        yield found.is_safe, "the scale is finite, and not zero"
        yield same_shape(call, scaled), "the scale adds no dimension"
        yield match.num_uses("inner") == 1, "nobody else reads what is computed first"
        a, b = product.args[:2]
        matrices = rank_of(b) == 2 or min(rank_of(a) or 0, rank_of(b) or 0) > 1
        yield matrices, "the factors are matrices, or batches of them"
        yield shape_of(product) is not None, "the product's shape is known"
        return found

    def rewrite(self, match: Match, found: Scaled) -> Expr:
        product, before, factor = found.product, found.before, found.factor
        operands = list(product.args)
        if before is not None:
            operands = [before if match.resolve(a).same_as(match["inner"]) else a for a in operands]
        if op_name(product) == "relax.matmul":
            a, b = operands
            return (gemm if rank_of(b) == 2 else batch_matmul)(a, b, alpha=factor)
        said = dict(product.attrs.items())
        said["alpha"] *= factor
        if "beta" in said and before is None:
            said["beta"] *= factor
        return Call(product.op, operands, attrs=said)


def _is_product(call: Expr) -> bool:
    return op_name(call) in PRODUCTS


def _product(match: Match) -> Expr:
    return match["inner"] if _is_product(match["inner"]) else match.resolve(match.root)


def _call(match: Match) -> Expr:
    """Return what multiplies or divides."""
    return match.resolve(match.root) if _is_product(match["inner"]) else match["inner"]


def _scales(match: Match) -> list[tuple[Expr, Expr]]:
    """Return what is scaled and its scale, a constant or one number, as often as there is one."""
    left, right = _call(match).args
    found = [(left, right), (right, left)][: 2 if op_name(_call(match)) == "relax.multiply" else 1]
    if _is_product(match["inner"]):
        found = [(x, by) for x, by in found if match.resolve(x).same_as(match["inner"])]
    return [(x, by) for x, by in found if array_of(by) is not None or static_size(by) == 1]


@np.errstate(all="ignore")
def _factor(call: Expr, by: Expr) -> float:
    """Return what the product is multiplied by."""
    number = np.float64(scalar_of(by) or 0)
    return float(1 / number if op_name(call) == "relax.divide" else number)
