"""Slices that take everything disappear."""

from __future__ import annotations

from tvm.ir import Expr, Tuple
from tvm.relax.dpl import is_op, wildcard

from tvmfuse.ir.types import same_shape
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions, RewriteRule


class EliminateSlice(RewriteRule[None]):
    """Read the operand of a slice that keeps every element.

    Before, with ``x`` of shape (n, c)::

        y = strided_slice(x, axes=[1], begin=[0], end=[c], strides=[1])
        z = f(y)

    After::

        z = f(x)

    Pays because the copy reads and writes the whole tensor. The ends are not looked at: with
    steps of 1, a slice of an axis is as long as the axis only if it is the axis, however its ends
    are spelled (past the end, negative, symbolic).

    Source: ONNX ``Slice``; ONNX Runtime's EliminateSlice.
    """

    name = "EliminateSlice"
    aliases = ("Slice Elimination",)

    def pattern(self) -> Pattern:
        x, known = wildcard(), is_op("relax.strided_slice")
        slice_ = known(x, wildcard(), wildcard(), wildcard(), varg_default_wildcard=True)
        unknown = is_op("relax.dynamic_strided_slice")(x, wildcard(), wildcard(), wildcard())
        return Pattern(slice_ | unknown, x=x, slice=slice_)

    def requires(self, match: Match) -> Conditions[None]:
        yield "slice" in match, "the bounds are known before the model runs"
        yield _steps(match["slice"]) == {1}, "every step is 1"
        yield same_shape(match.root, match["x"]), "the slice is as long as the axis, on every axis"
        yield match.can_become("x"), "no graph output becomes a graph input or another output"

    def rewrite(self, match: Match, found: None) -> Expr:
        return match["x"]


def _steps(call: Expr) -> set[int | None]:
    """Return the steps that occur; None for one that is not known."""
    if len(call.args) < 5:
        return {1}
    strides = call.args[4]
    fields = strides.fields if isinstance(strides, Tuple) else [strides]
    return {getattr(step, "value", None) for step in fields} or {1}
