"""The ways in which exporters write that rows are divided by the root of their mean square."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.dpl import DFPattern, is_const, is_op, wildcard

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import Dim, dtype_of, rank_of, same_shape, scalar_of, shape_of
from tvmfuse.ops.lowering.half import HALF
from tvmfuse.passes.norms.parameters import filled, filling, fits
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.rewrite import Conditions

ADD, DIVIDE, MULTIPLY, POWER = (
    is_op(f"relax.{name}") for name in ("add", "divide", "multiply", "power")
)
#: Of the exponents and of the one that is divided, as exporters write them.
RTOL = 1e-5


def norm(again: DFPattern, x: DFPattern, *, shifts: bool, **parts: DFPattern) -> Pattern:
    """Return the pattern of ``x / sqrt(mean(x * x) + epsilon)``, scaled and shifted or not.

    Args:
        again: `x` where it is squared: the same, or computed twice.
        x: What is divided.
        shifts: Whether something may be added in the end.
        parts: Of `x`, by their names.
    """
    two, half, minus_half, one = is_const(), is_const(), is_const(), is_const()
    epsilon = wildcard()
    square = POWER(again, two) | MULTIPLY(again, again)
    mean = is_op("relax.mean")(square)
    shifted = ADD(mean, epsilon) | ADD(epsilon, mean)
    root = is_op("relax.sqrt")(shifted) | POWER(shifted, half)
    inverse = is_op("relax.rsqrt")(shifted) | POWER(shifted, minus_half) | DIVIDE(one, root)
    normal = DIVIDE(x, root) | MULTIPLY(x, inverse) | MULTIPLY(inverse, x)
    narrow = is_op("relax.astype")(normal)
    gamma, beta = wildcard(), wildcard()
    scaled = _either(MULTIPLY, narrow, gamma) | _either(MULTIPLY, normal, gamma)
    whole = scaled | narrow | normal
    if shifts:
        whole = _either(ADD, whole, beta) | whole
    return Pattern(
        whole, two=two, square=square, mean=mean, epsilon=epsilon, shifted=shifted, deviation=root,
        half=half, minus_half=minus_half, one=one, inverse=inverse, normal=normal, narrow=narrow,
        gamma=gamma, scaled=scaled, beta=beta, x=x, again=again, **parts,
    )  # fmt: skip


@dataclass(frozen=True)
class NormMatch:
    """A match of `norm`, read.

    Attributes:
        wide: What is normalized, in the dtype in which it is.
        operand: The same before it is cast to this dtype, if the result is cast back.
        rows: The shape of a row: the last dimensions, which are normalized over.
    """

    match: Match
    wide: Expr
    operand: Expr
    rows: tuple[Dim, ...]

    @staticmethod
    def of(match: Match, operand: str) -> NormMatch:
        """Read a match whose operand has this name."""
        mean, wide = match["mean"], match.var(operand)
        cast, rows = match.resolve(wide), (shape_of(mean.args[0]) or ())[-len(axes_of(mean)) :]
        narrowed = "narrow" in match and op_name(cast) == "relax.astype"
        narrowed = narrowed and dtype_of(cast.args[0]) in HALF
        return NormMatch(match, wide, cast.args[0] if narrowed else wide, rows)

    def ends_here(self, *, shifts: bool = True) -> bool:
        """Whether what reads the result alone is no part of the norm, too.

        Args:
            shifts: Whether an addition may be.
        """
        match, rest = self.match, ["narrow", "gamma", "beta"]
        last = [rest.index(name) for name in rest if name in match]
        after = match.only_user()
        if after is None:
            return True
        name = op_name(after)
        if name == "relax.astype":
            cast = match.resolve(self.wide)
            back = op_name(cast) == "relax.astype" and dtype_of(cast.args[0]) == dtype_of(after)
            return bool(last) or not back
        done = {"relax.multiply": 1, **({"relax.add": 2} if shifts else {})}.get(name or "")
        if done is None or max(last, default=-1) >= done:
            return True
        others = [a for a in after.args if not a.same_as(match.root)]
        return len(others) != 1 or not self._fits(others[0])

    def requires(self) -> Conditions[None]:
        """Yield the conditions that hold for all norms."""
        match, mean = self.match, self.match["mean"]
        wide = dtype_of(mean) in ("float32", "float64")
        yield wide, "the sums are in float32 or float64"
        if "two" in match:
            yield _is(match["two"], 2), "what is averaged are squares"
        yield bool(mean.attrs.keepdims), "the means keep their dimensions"
        rank = rank_of(mean.args[0])
        axes = axes_of(mean)
        last = rank is not None and axes == list(range(rank - len(axes), rank))
        yield last and bool(axes), "the means are over the last dimensions"
        epsilon = scalar_of(match["epsilon"])
        yield epsilon is not None, "epsilon is one constant number"
        for name, number in (("half", 0.5), ("minus_half", -0.5), ("one", 1)):
            if name in match:
                yield _is(match[name], number), "squares are divided by their mean's root"
        normal = match["normal"] if "normal" in match else match.resolve(match.root)
        alike = all(same_shape(e, mean.args[0]) for e in (normal, match.root))
        yield alike, "the result has the operand's shape"
        inner = [n for n in ("square", "mean", "shifted", "deviation", "inverse") if n in match]
        once = all(match.num_uses(n) == 1 for n in inner)
        yield once, "nobody else reads the variance"
        after = [n for n in ("normal", "narrow", "scaled") if n in match]
        once = all(match.num_uses(n) == 1 for n in after if match.var(n) is not match.root)
        yield once, "nobody else reads the normalized rows"
        yield dtype_of(match.root) == dtype_of(self.operand), "the result has the operand's dtype"
        for name in ("gamma", "beta"):
            if name in match:
                yield self._fits(match[name]), f"{name} has a number for each element of a row"
        known = "gamma" in match or self._filled(1) is not None
        yield known, "a row's length is known"

    @property
    def epsilon(self) -> float:
        """What is added to the mean square."""
        return float(scalar_of(self.match["epsilon"]) or 0)

    @property
    def axes(self) -> list[int]:
        """The dimensions of a row."""
        return axes_of(self.match["mean"])

    def looked_through(self) -> tuple[Var, ...]:
        """Return the cast that the norm computes itself."""
        cast = self.wide is not self.operand and isinstance(self.wide, Var)
        return (self.wide,) if cast else ()

    def parameter(self, name: str, default: float) -> Expr:
        """Return what rows are multiplied by, or what is added to them."""
        if name in self.match:
            return filling(self.match[name], self.rows)
        filled_row = self._filled(default)
        assert filled_row is not None
        return filled_row

    def _filled(self, number: float) -> Expr | None:
        return filled(number, self.rows, dtype_of(self.match.root))

    def _fits(self, tensor: Expr) -> bool:
        return fits(self.match.resolve(tensor), self.rows, dtype_of(self.match.root))


def axes_of(mean: Expr) -> list[int]:
    """Return the dimensions that a mean is over, in order."""
    rank = rank_of(mean.args[0]) or 0
    axes = mean.attrs.axis
    return list(range(rank)) if axes is None else sorted(int(a) % rank for a in axes)


def _is(constant: Expr, number: float) -> bool:
    value = scalar_of(constant)
    return value is not None and bool(np.isclose(value, number, rtol=RTOL, atol=0))


def _either(op: DFPattern, a: DFPattern, b: DFPattern) -> DFPattern:
    return op(a, b) | op(b, a)
