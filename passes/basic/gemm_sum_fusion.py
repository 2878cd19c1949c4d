"""An addition to a gemm that adds nothing yet becomes its third operand."""

from __future__ import annotations

from tvm.ir import Call, Expr
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import same_shape
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class GemmSumFusion(RewriteRule[None]):
    """Add where the gemm is computed.

    Before::

        y = gemm(a, b)                   # alpha * a @ b
        z = y + c                        # c broadcasts to y

    After::

        z = gemm(a, b, c)                # alpha * a @ b + c

    Pays because the addition reads and writes the whole product once more, while a gemm adds `c`
    with the product still in registers. ONNX ``Gemm``, then ``Sum`` or ``Add``.
    """

    name = "GemmSumFusion"
    aliases = ("Gemm Sum Fusion",)
    barrier_at = "gemm"

    def pattern(self) -> Pattern:
        gemm, c = is_op("tvmfuse.gemm")(varg_default_wildcard=True), wildcard()
        add = is_op("relax.add")
        return Pattern(add(gemm, c) | add(c, gemm), gemm=gemm, c=c)

    def requires(self, match: Match) -> Conditions[None]:
        yield len(match["gemm"].args) == 2, "the gemm adds nothing yet"
        yield match.num_uses("gemm") == 1, "the sum is the gemm's only reader"
        yield same_shape(match.root, match["gemm"]), "the sum has the gemm's shape"

    def rewrite(self, match: Match, found: None) -> Expr:
        gemm = match["gemm"]
        return Call(gemm.op, [*gemm.args, match["c"]], attrs={**gemm.attrs, "beta": 1.0})
