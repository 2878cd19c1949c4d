"""Activations that weigh a number by how large it is: ``x * 0.5 * (1 + f(p(x)))``."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from tvm.ir import Call, Expr
from tvm.relax import Var
from tvm.relax.dpl import DFPattern, is_const, is_op, wildcard

from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ir.types import dtype_of, same_shape
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.polynomials import Arithmetic, Polynomial, are_near, is_near
from tvmfuse.passes.rewrite import Conditions, RewriteRule

ALONE = "nobody else reads what is computed on the way"


@dataclass(frozen=True)
class Argument:
    """What a gate's argument is of `x`.

    Attributes:
        polynomial: None where it is none.
        num_uses: How often each variable on the way from `x` is used there.
    """

    polynomial: Polynomial | None
    num_uses: Counter[Var]

    @staticmethod
    def of(match: Match) -> Argument:
        """Read the argument of a match."""
        arithmetic = Arithmetic(match["x"], match.resolve)
        return Argument(arithmetic.polynomial(match["argument"]), arithmetic.num_uses)

    def is_alone(self, match: Match) -> bool:
        """Whether only the activation reads what is computed between `x` and its result."""
        inner = (var for var in match.bound if not var.same_as(match.root))
        return all(match.num_uses(var) == 1 for var in inner) and all(
            match.num_uses(var) == count for var, count in self.num_uses.items()
        )

    def named(self, activation: Call, match: Match) -> Call:
        """Let an activation have the nodes of its argument, too."""
        inner = [n for var in reversed(self.num_uses) for n in nodes_of(match.resolve(var))]
        return with_nodes(activation, [*inner, *match.nodes])


class GeluRule(RewriteRule[Argument]):
    """One operator in place of ``x * 0.5 * (1 + f(p(x)))``, however its factors are multiplied.

    Attributes:
        function: The operator that is f.
        inside: The polynomial that is p.
        formula: Both, in words.
    """

    function: ClassVar[str]
    inside: ClassVar[Polynomial]
    formula: ClassVar[str]
    barrier_at = "gate"

    def pattern(self) -> Pattern:
        """Find f, 1 added to it, and a product of that, `x` and a constant."""
        multiply, divide, add = (is_op(f"relax.{n}") for n in ("multiply", "divide", "add"))
        x, argument, one, half, two = wildcard(), wildcard(), is_const(), is_const(), is_const()
        gate = is_op(self.function)(argument)
        weight = add(gate, one) | add(one, gate)

        def halved(value: DFPattern) -> DFPattern:
            return multiply(value, half) | multiply(half, value) | divide(value, two)

        def times(a: DFPattern, b: DFPattern) -> DFPattern:
            return multiply(a, b) | multiply(b, a)

        whole = times(halved(x), weight) | times(x, halved(weight)) | halved(times(x, weight))
        return Pattern(whole, x=x, argument=argument, gate=gate, one=one, half=half, two=two)

    def requires(self, match: Match) -> Conditions[Argument]:
        """Yield that each constant is the right one, and that the values in between are free."""
        yield is_near(match["one"], 1), f"1 is added to {self.function.removeprefix('relax.')}"
        factor, number = ("half", 0.5) if "half" in match else ("two", 2)
        yield is_near(match[factor], number), "the product is halved"
        found = Argument.of(match)
        near = are_near(found.polynomial, self.inside, dtype_of(match["x"]))
        yield near, f"it is {self.formula}"
        yield same_shape(match.root, match["x"]), "no constant adds an axis"
        yield found.is_alone(match), ALONE
        return found

    def absorbs(self, match: Match, found: Argument) -> Iterable[Var]:
        """Return what computes f's argument."""
        del match
        return found.num_uses

    def rewrite(self, match: Match, found: Argument) -> Expr:
        """Build the activation of `x`."""
        return found.named(self.activation(match["x"]), match)

    @abstractmethod
    def activation(self, x: Expr) -> Call:
        """Build the one operator."""
