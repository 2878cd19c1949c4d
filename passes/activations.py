"""The activation behind a product: what is computed of each of its numbers on its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from tvm import relax
from tvm.ir import Call, Expr
from tvm.relax import Var
from tvm.relax.dpl import is_op

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import is_float, same_shape, scalar_of, static_size
from tvmfuse.ops.traits import Kind, traits_of
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule

BARRIER: Final = "tvmfuse.barrier"

MARK: Final = "activated"
"""The attribute of a product whose activation is part of its kernel."""


@dataclass(frozen=True)
class Activation:
    """What is computed of a product alone, with numbers.

    Attributes:
        result: The one value of it that others read; None where they read several, or the product.
        numbers: What else it reads.
    """

    result: Var | None
    numbers: tuple[Expr, ...]


class ActivationRule(RewriteRule[None]):
    """A product, and the activation that nobody but its kernel needs to read it for.

    One ONNX node may be several operators, of which the last is the activation's result.

    Attributes:
        product: The operator.
    """

    product: ClassVar[str]
    barrier_at = "product"

    def pattern(self) -> Pattern:  # noqa: D102
        product = is_op(self.product)(varg_default_wildcard=True)
        return Pattern(product, product=product)

    def is_candidate(self, match: Match) -> bool:  # noqa: D102
        return MARK not in match["product"].attrs and match.fact(_activation) is not None

    def requires(self, match: Match) -> Conditions[None]:  # noqa: D102
        found = match.fact(_activation)
        yield is_float(match.root), "the numbers are floats"
        result = None if found is None else found.result
        yield result is not None, "only the activation reads the product"
        assert found is not None
        assert result is not None
        known = all(_is_known(number) for number in found.numbers)
        yield known, "the activation's numbers are known before the model runs"
        yield same_shape(result, match.root), "the activation adds no dimension"

    def rewrite(self, match: Match, found: None) -> Expr:  # noqa: D102
        product = match["product"]
        return Call(product.op, product.args, attrs={**product.attrs, MARK: True})


def _activation(match: Match) -> Activation | None:
    """Follow what is computed of a product alone until it is one value that others read."""
    inside, numbers, nonlinear = {match.root: None}, list[Expr](), False
    while True:
        ahead = {v: [r for r in match.users(v) if r not in inside] for v in inside}
        read = [v for v, readers in ahead.items() if readers]
        if nonlinear and len(read) == 1 and read[0] is not match.root:
            return Activation(read[0], tuple(numbers))
        ready = (r for readers in ahead.values() for r in readers if _is_ready(r, inside, match))
        reader = next(ready, None)
        if reader is None:
            return Activation(None, ()) if nonlinear else None
        call = match.resolve(reader)
        inside[reader] = None
        numbers += [a for a in call.args if a not in inside]
        nonlinear |= traits_of(call).nonlinear


def _is_ready(reader: Var | None, inside: dict[Var, None], match: Match) -> bool:
    """Whether a reader computes each number from numbers that are there."""
    value = match.value(reader)
    if traits_of(value).kind is not Kind.ELEMENTWISE or op_name(value) == BARRIER:
        return False
    assert value is not None
    return all(a in inside or _is_known(a) or static_size(a) == 1 for a in value.args)


def _is_known(number: Expr) -> bool:
    return not isinstance(number.ty, relax.TensorType) or scalar_of(number) is not None
