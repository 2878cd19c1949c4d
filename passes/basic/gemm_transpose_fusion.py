"""A transpose before or after a gemm becomes an attribute of the gemm."""

from __future__ import annotations

import numpy as np
from tvm.ir import Call, Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import array_of, constant, rank_of, static_size
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class GemmTransposeFusion(RewriteRule[None]):
    """Read a gemm's operand, or compute its result, in the other order.

    Before::

        gemm(permute_dims(a), permute_dims(b), c)
        permute_dims(gemm(a, b, c))

    After, for the result by ``(a @ b).T == b.T @ a.T``::

        gemm(a, b, c, trans_a=True, trans_b=True)
        gemm(b, a, c.T, trans_a=True, trans_b=True)

    Pays because a transpose reads and writes the whole matrix, and a gemm can read it in either
    order. An operand's transpose with other readers would stay, so that nothing would be gained;
    several gemms may read it.
    """

    name = "GemmTransposeFusion"
    aliases = ("Gemm Transpose Fusion",)

    def pattern(self) -> Pattern:
        transpose = is_op("relax.permute_dims")(wildcard())
        gemm = is_op("tvmfuse.gemm")
        inner = gemm(varg_default_wildcard=True)
        return Pattern(
            gemm(transpose, wildcard(), varg_default_wildcard=True)
            | gemm(wildcard(), transpose, varg_default_wildcard=True)
            | is_op("relax.permute_dims")(inner),
            transpose=transpose,
            gemm=inner,
        )

    def requires(self, match: Match) -> Conditions[None]:
        if "transpose" in match:
            transpose = match["transpose"]
            yield _swaps(transpose), "the transpose swaps the dimensions of a matrix"
            gemms = match.num_uses_by("transpose", "tvmfuse.gemm")
            yield gemms == match.num_uses("transpose"), "only gemms read the transpose"
        else:
            root = match.resolve(match.root)
            yield _swaps(root), "the transpose swaps the dimensions of a matrix"
            yield match.num_uses("gemm") == 1, "the transpose is the gemm's only reader"
            addends = match["gemm"].args[2:]
            yield all(_foldable(c) for c in addends), "what the gemm adds is constant"

    def rewrite(self, match: Match, found: None) -> Expr:
        if "transpose" in match:
            return self._read_transposed(match)
        gemm = match["gemm"]
        a, b, *addends = gemm.args
        attrs = {
            **gemm.attrs,
            "trans_a": not gemm.attrs["trans_b"],
            "trans_b": not gemm.attrs["trans_a"],
        }
        return Call(gemm.op, [b, a, *(_transposed(c) for c in addends)], attrs=attrs)

    def _read_transposed(self, match: Match) -> Expr:
        gemm, operands = match.resolve(match.root), list(match.resolve(match.root).args)
        is_left = match.resolve(operands[0]).same_as(match["transpose"])
        side, flag = (0, "trans_a") if is_left else (1, "trans_b")
        operands[side] = match["transpose"].args[0]
        return Call(gemm.op, operands, attrs={**gemm.attrs, flag: not gemm.attrs[flag]})


def _swaps(transpose: Expr) -> bool:
    """Whether a permutation is a matrix's transpose; without axes it reverses all."""
    axes = transpose.attrs.axes
    return rank_of(transpose) == 2 and (axes is None or [a % 2 for a in axes] == [1, 0])


def _foldable(addend: Expr) -> bool:
    return array_of(addend) is not None or static_size(addend) == 1


def _transposed(addend: Expr) -> Expr:
    """Return what broadcasts to the transposed matrix as this does to the matrix."""
    values = array_of(addend)
    if values is None or values.size == 1:
        return addend
    return constant(np.atleast_2d(values).T)
