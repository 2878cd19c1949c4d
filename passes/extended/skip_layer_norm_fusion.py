"""A residual sum and its norm become one operator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tvm.ir import Call, Expr
from tvm.relax import Var
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.provenance import nodes_of, products_of, with_nodes
from tvmfuse.ir.types import array_of, rank_of, same_dims, same_shape, shape_of
from tvmfuse.ops import skip_layer_norm
from tvmfuse.passes.norms.residual_norm_rule import ResidualNormRule
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions


@dataclass(frozen=True)
class Terms:
    """What is added up and normalized.

    Attributes:
        x: The first term.
        skip: The second one.
        bias: A vector that is added to every row of one of the two; None where there is none.
        looked_through: The sum that adds this vector.
    """

    x: Expr
    skip: Expr
    bias: Expr | None = None
    looked_through: tuple[Var, ...] = ()


class SkipLayerNormFusion(ResidualNormRule[Terms]):
    """Add and normalize row by row.

    Before::

        s = x + skip
        y = layer_norm(s, gamma, beta)       # or rms_norm(s, gamma)

    After::

        y = skip_layer_norm(x, skip, gamma, beta)

    or, where `s` has further readers, as in networks that normalize first::

        y, s = skip_layer_norm(x, skip, gamma, beta)

    A vector that is added to every row of one of the two is a further operand, if no matrix product
    adds it already. The sum may be one that a matrix product would store.

    Pays because a row is normalized while it is near: the sum is not read again, and not even
    stored where nobody else reads it. `FuseOps` would add where `x` is computed, and store the sum.

    Source: ONNX Runtime's SkipLayerNormFusion and BiasSkipLayerNormFusion, which ask for three
    dimensions and a sum that nobody else reads.
    """

    name = "SkipLayerNormFusion"
    aliases = (
        "BiasSkipLayerNormFusion",
        "Bias Skip Layer Norm Fusion",
        "Skip Layer Normalization Fusion",
        "Skip Layer Norm Fusion",
    )

    def pattern(self) -> Pattern:
        x, skip, gamma, beta = (wildcard() for _ in range(4))
        product = is_op("tvmfuse.gemm")(wildcard(), wildcard(), skip)
        total = is_op("relax.add")(x, skip) | product
        centered = is_op("relax.nn.layer_norm")(total, gamma, beta)
        return Pattern(
            centered | is_op("relax.nn.rms_norm")(total, gamma),
            x=x, skip=skip, gamma=gamma, beta=beta, total=total, product=product,
        )  # fmt: skip

    def is_candidate(self, match: Match) -> bool:
        # A bias is no residual.
        return "product" not in match or (rank_of(match["skip"]) or 0) > 1

    def requires(self, match: Match) -> Conditions[Terms]:
        total = match["total"]
        added = [match[name] for name in ("x", "skip") if name in match]
        alike = all(same_shape(tensor, total) for tensor in added)
        yield alike, "both tensors have the sum's shape"
        yield (rank_of(total) or 0) > 1, "the sum has rows"
        if "product" in match:
            yield match["product"].attrs["beta"] == 1, "the sum is added as it is"
        computed = all(array_of(match.resolve(tensor)) is None for tensor in added)
        yield computed, "neither is a constant, which joins the kernel before"
        norm = match.resolve(match.root)
        own = [int(a) for a in norm.attrs.axes] in ([-1], [(rank_of(total) or 0) - 1])
        yield own, "the norm is over the last dimension"
        yield from self.may_share(match)
        return _terms(match)

    def absorbs(self, match: Match, found: Terms) -> Iterable[Var]:
        del match
        return found.looked_through

    def fused(self, match: Match, found: Terms, *, sums: bool) -> Expr:
        norm = match.resolve(match.root)
        fused = skip_layer_norm(
            found.x,
            found.skip,
            match["gamma"],
            match.get("beta"),
            found.bias,
            epsilon=norm.attrs.epsilon,
            sums=sums,
        )
        before = [n for var in found.looked_through for n in nodes_of(match.resolve(var))]
        return with_nodes(fused, tuple(dict.fromkeys([*before, *match.nodes])))


def _terms(match: Match) -> Terms:
    """Return what is added, with the bias of one of the two."""
    skip = match["skip"]
    if "product" in match:
        gemm = match["product"]
        product = Call(gemm.op, gemm.args[:2], attrs=gemm.attrs)
        return Terms(with_nodes(product, nodes_of(gemm), products_of(gemm)), skip)
    x = match["x"]
    for one, other in ((x, skip), (skip, x)):
        inner = match.resolve(one)
        if isinstance(one, Var) and op_name(inner) == "relax.add" and match.num_uses(one) == 1:
            for row, bias in (inner.args, inner.args[::-1]):
                shape = shape_of(row) or ()
                if same_shape(row, inner) and same_dims(shape_of(bias), shape[-1:]):
                    return Terms(row, other, bias, (one,))
    return Terms(x, skip)
