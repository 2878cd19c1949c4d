"""A residual addition, and the activation behind it, become a convolution's epilogue."""

from __future__ import annotations

from functools import reduce
from operator import or_

from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.dpl import DFPattern, is_op, wildcard

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import dtype_of, shape_of
from tvmfuse.ops.epilogue import ACTIVATIONS, has_epilogue, with_epilogue
from tvmfuse.ops.traits import operators
from tvmfuse.passes.contract import CPU
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class ConvAddActivationFusion(RewriteRule[None]):
    """Add a tensor to a convolution's results, and activate them, before they are stored.

    Before::

        y = conv(x, W, b)            # conv, conv_blocked or winograd
        z = relu(y + r)              # r of y's shape; or clip, leaky relu, sigmoid, tanh, none

    After::

        z = conv(x, W, b, r)         # with relu as its epilogue

    Pays because the sum reads and writes the whole activation once more. `FuseOps` makes the same
    kernel of it; here it is one operator, also where `FuseOps` is switched off. As in ONNX Runtime,
    it runs after the convolutions are in blocks.
    """

    name = "ConvAddActivationFusion"
    aliases = ("Conv Add Activation Fusion",)
    barrier_at = "conv"
    targets = CPU

    def pattern(self) -> Pattern:
        conv, addend = reduce(or_, map(_convolution, operators(lambda t: t.epilogue))), wildcard()
        add = is_op("relax.add")
        sums = [add(conv, addend), add(addend, conv)]
        activated = [
            is_op(name)(total, varg_default_wildcard=True) for name in ACTIVATIONS for total in sums
        ]
        roots = reduce(or_, [*activated, *sums])
        return Pattern(roots, conv=conv, addend=addend, sum=sums[0], sum_reversed=sums[1])

    def is_candidate(self, match: Match) -> bool:
        return not has_epilogue(match["conv"]) and not (_is_sum(match) and _is_activated(match))

    def requires(self, match: Match) -> Conditions[None]:
        conv, addend = match["conv"], match["addend"]
        yield dtype_of(conv) == "float32", "the convolution is in float32"
        yield shape_of(addend) == shape_of(conv), "the addend has the convolution's shape"
        yield match.num_uses("conv") == 1, "the sum is the convolution's only reader"
        only = _is_sum(match) or match.num_uses(_sum(match)) == 1
        yield only, "the activation is the sum's only reader"

    def absorbs(self, match: Match, found: None) -> tuple[Var, ...]:
        addend = match["addend"]
        return (addend,) if isinstance(addend, Var) and _stored(match) is not None else ()

    def rewrite(self, match: Match, found: None) -> Expr:
        root = match.resolve(match.root)
        activation = root if op_name(root) in ACTIVATIONS else None
        stored = _stored(match)
        addend = match["addend"] if stored is None else stored
        return with_epilogue(match["conv"], addend, activation)


def _stored(match: Match) -> Expr | None:
    """Return the addend as it is in memory where that is of bfloat16, which the kernel widens."""
    cast = match.resolve(match["addend"])
    is_half = op_name(cast) == "relax.astype" and dtype_of(cast.args[0]) == BFLOAT16
    return cast.args[0] if is_half else None


def _convolution(name: str) -> DFPattern:
    return is_op(name)(wildcard(), wildcard(), varg_default_wildcard=True)


def _is_sum(match: Match) -> bool:
    return op_name(match.resolve(match.root)) == "relax.add"


def _is_activated(match: Match) -> bool:
    """Whether the sum's one reader is an activation: that is the root, then."""
    name = _sum(match)
    return match.num_uses(name) == 1 == sum(match.num_uses_by(name, op) for op in ACTIVATIONS)


def _sum(match: Match) -> str:
    return "sum" if "sum" in match else "sum_reversed"
