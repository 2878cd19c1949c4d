"""Scaled dot-product attention becomes one operator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from tvm import relax
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.dpl import is_const, is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ir.types import (
    dtype_of,
    numbers_of,
    rank_of,
    same_dims,
    same_shape,
    scalar_of,
    shape_of,
)
from tvmfuse.ops import attention
from tvmfuse.ops.lowering.half import HALF
from tvmfuse.passes.attention.views import View, operands_of, view_of
from tvmfuse.passes.contract import CPU
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

#: From batch, head, sequence, element to batch, sequence, head, element, and back.
SWAPPED = (0, 2, 1, 3)


@dataclass(frozen=True)
class Heads:
    """What an attention computes on.

    Attributes:
        q: Queries as they lie in memory.
        k: Keys as they lie in memory.
        v: Values as they lie in memory.
        scale: What the products of queries and keys are multiplied by.
        of_nan: Whether zeros take the place of weights that are NaN.
    """

    q: View
    k: View
    v: View
    scale: float
    of_nan: bool

    @property
    def looked_through(self) -> list[Var]:
        """The variables between the operands and the tensors that they are views of."""
        return [var for view in (self.q, self.k, self.v) for var in view.looked_through]

    @property
    def is_safe(self) -> bool:
        """Whether all scales together neither overflow nor vanish."""
        factors = [self.scale, self.q.factor, self.k.factor]
        together = abs(float(np.prod(factors, dtype="float64")))
        limits = np.finfo("float32")
        usual = 0 in factors or not np.isfinite(factors).all()
        return usual or float(limits.tiny) <= together <= float(limits.max)


class AttentionFusion(RewriteRule[Heads]):
    """Compute a head's scores, their softmax and its sums of values while they are near.

    Before::

        s = matmul(q, k) * scale + mask      # q: (B, H, S, D), k: (B, H, D, T); all transposed
        p = softmax(s)
        o = matmul(p, v)                     # (B, H, S, E)
        o = permute_dims(o, (0, 2, 1, 3))

    After::

        o = attention(q, k, v, mask)         # each in the order in which it lies in memory

    The scale may be a product or a quotient, of the scores or of either operand; the mask may be
    absent, and zeros may take the place of weights: where they are NaN, or where a mask leaves no
    key. Operands are read as they lie before they are transposed, split into heads or scaled, and
    heads of keys and values that neighbouring heads of queries share before they are copied.

    Pays because neither the scores, of which there are S x T for each head, nor transposed operands
    are stored as a whole. Source: Vaswani et al., "Attention Is All You Need", NeurIPS 2017; blocks
    of queries are those of Rabe and Staats, "Self-attention Does Not Need O(n^2) Memory", 2021;
    shared heads those of Ainslie et al., "GQA: Training Generalized Multi-Query Transformer Models
    from Multi-Head Checkpoints", EMNLP 2023.
    """

    name = "AttentionFusion"
    aliases = ("Attention Fusion",)
    targets = CPU  # on a GPU its kernel would be dlight's fallback

    def pattern(self) -> Pattern:
        multiply, divide, add = (is_op(f"relax.{n}") for n in ("multiply", "divide", "add"))
        scale, mask, v = is_const(), wildcard(), wildcard()
        products = is_op("relax.matmul")(wildcard(), wildcard())
        by = multiply(products, scale) | multiply(scale, products) | divide(products, scale)
        scaled = products | by
        scores = scaled | add(scaled, mask) | add(mask, scaled)
        softmax = is_op("relax.nn.softmax")(scores)
        where, zero = wildcard(), is_const()
        zero_where = is_op("relax.where")(where, zero, softmax)
        sums = is_op("relax.matmul")(softmax | zero_where, v)
        transposed = is_op("relax.permute_dims")(sums)
        return Pattern(
            transposed | sums,
            products=products, scale=scale, by=by, mask=mask, scores=scores, softmax=softmax,
            where=where, zero=zero, zero_where=zero_where, v=v, sums=sums, transposed=transposed,
        )  # fmt: skip

    def is_candidate(self, match: Match) -> bool:
        # What is transposed right away is found again, with its transpose.
        apart = "transposed" not in match and match.num_uses("sums") == 1
        return not (apart and match.num_uses_by("sums", "relax.permute_dims") == 1)

    def requires(self, match: Match) -> Conditions[Heads]:
        products, scores, softmax = match["products"], match["scores"], match["softmax"]
        yield dtype_of(products) in ("float32", *HALF), "it is in float32, or half of it"
        four = all(rank_of(e) == 4 for e in (*products.args, match["v"]))
        yield four, "queries, keys and values have four dimensions: batch, head and two more"
        shapes = [shape_of(e) for e in (*products.args, match["v"])]
        yield None not in shapes, "their sizes are known or have names"
        first, *others = [(shape or ())[:2] for shape in shapes]
        same = all(same_dims(first, other) for other in others)
        yield same, "queries, keys and values have the same batch and heads"
        yield int(softmax.attrs.axis) in (-1, 3), "the softmax is over the keys"
        if "by" in match:
            scale = scalar_of(match["scale"])
            yield scale is not None, "the scale is one number"
            yield scale != 0 or op_name(match["by"]) != "relax.divide", "the divisor is not 0"
        heads = _heads(match)
        yield heads.is_safe, "the scale is a number of float32"
        yield (shape_of(match["products"].args[0]) or (0,))[-1] != 0, "queries have elements"
        if "zero" in match:
            yield scalar_of(match["zero"]) == 0, "zeros take the place of weights"
            yield same_shape(match["zero_where"], products), "they add no dimension to the weights"
        yield same_shape(scores, products), "the mask adds no dimension to the scores"
        inner = [n for n in ("products", "by", "scores", "zero_where") if n in match]
        once = all(match.num_uses(n) == 1 for n in inner if match[n] is not softmax)
        uses = 2 if heads.of_nan else 1
        yield once and match.num_uses("softmax") == uses, "nobody else reads scores or weights"
        if "transposed" in match:
            yield (
                match.num_uses("sums") == 1,
                "nobody else reads the result before it is transposed",
            )
        return heads

    def absorbs(self, match: Match, found: Heads) -> Iterable[Var]:
        yield from found.looked_through
        if found.of_nan and isinstance(match["where"], Var):
            yield match["where"]

    def rewrite(self, match: Match, found: Heads) -> Expr:
        q, k, v = found.q, found.k, found.v
        queries, keys, values = operands_of((q, k, v))
        result = attention(
            queries,
            keys,
            values,
            match.get("mask"),
            None if found.of_nan else _zero_where(match),
            scale=found.scale * q.factor * k.factor,
            q_axes=q.order,
            k_axes=k.order,
            v_axes=v.order,
            zero_masked_rows=found.of_nan,
        )
        before = [n for var in found.looked_through for n in _nodes(var, match)]
        result = with_nodes(result, tuple(dict.fromkeys([*before, *match.nodes])))
        order = _order(match["transposed"]) if "transposed" in match else (0, 1, 2, 3)
        left = [SWAPPED[d] for d in order]
        return result if left == sorted(left) else relax.op.permute_dims(result, left)


def _heads(match: Match) -> Heads:
    q, k = match["products"].args
    return Heads(
        q=view_of(q, "bhsd", match.resolve),
        k=view_of(k, "bhds", match.resolve, shared=True),
        v=view_of(match["v"], "bhsd", match.resolve, scaled=False, shared=True),
        scale=_scale(match),
        of_nan=_of_nan(match),
    )


def _nodes(var: Var, match: Match) -> tuple[str, ...]:
    """Return the nodes of what an operand is looked through, unless others read it, too."""
    return nodes_of(match.resolve(var)) if match.num_uses(var) == 1 else ()


def _of_nan(match: Match) -> bool:
    """Whether zeros take the place of weights that are NaN."""
    if "where" not in match:
        return False
    where = match.resolve(match["where"])
    return op_name(where) == "relax.isnan" and match.resolve(where.args[0]) == match["softmax"]


def _zero_where(match: Match) -> Expr | None:
    """Return where zeros take the place of weights; None for nowhere."""
    if "where" not in match:
        return None
    known = numbers_of(match["where"])
    return None if known is not None and not known.any() else match["where"]


def _scale(match: Match) -> float:
    """Return what the products are multiplied by."""
    if "by" not in match:
        return 1.0
    number = scalar_of(match["scale"]) or 0.0
    return number if op_name(match["by"]) == "relax.multiply" else 1 / number


def _order(transposed: Expr) -> list[int]:
    """Return the axes of a transpose."""
    axes = transposed.attrs.axes
    return [3, 2, 1, 0] if axes is None else [int(a) % 4 for a in axes]
