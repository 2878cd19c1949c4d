"""Symbolic dimensions: one TIR variable for each name, and arithmetic that simplifies."""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any, Final, TypeAlias

import tvm
import tvm_ffi
from tvm import tirx
from tvm.ir import Expr
from tvm.sym import Analyzer

from tvmfuse.frontend.shape_constraints import solved
from tvmfuse.frontend.solved_range import solved_range
from tvmfuse.frontend.truths import MARGINS, truth
from tvmfuse.ir.sizes import LARGEST, int64_range, proven, size_of
from tvmfuse.size_ranges import SizeRange
from tvmfuse.tensor_spec import ASSUMED, ShapeConstraint, symbols_in

Dim: TypeAlias = int | Expr
"""A dimension: a number, or an int64 expression over symbolic dimensions."""


class Symbols:
    """The symbolic dimensions of one model. All are at least 0.

    Attributes:
        ranges: Symbol -> the sizes that a caller says it has, where that says more. To be set
            before the symbol is asked for.
        min_sizes: Symbol -> the smallest number that the model takes; 0 where it has no entry.
        fed: The symbols that the inputs tell; others are not constrained.
        shape_constraints: What operators ask of the sizes that are fed, and what was assumed.
        assumptions: A number for each condition that holds where code is emitted, after a 0.
    """

    def __init__(
        self,
        known: Mapping[str, int | str] | None = None,
        shape_constraints: Collection[ShapeConstraint] = (),
        ranged: Mapping[str, SizeRange] | None = None,
    ) -> None:
        self.ranges: Mapping[str, SizeRange] = {}
        self.min_sizes: dict[str, int] = {}
        self.fed: Collection[str] = ()
        self.shape_constraints: dict[ShapeConstraint, None] = dict.fromkeys(shape_constraints)
        self._known = dict(known or {})
        self._ranged = dict(ranged or {})
        self._facts: dict[str, int | str | SizeRange] = {}
        self._guesses: dict[str, int | str | SizeRange] = {}
        self._guessed: dict[ShapeConstraint, None] = {}
        self._vars: dict[str, tirx.Var] = {}
        self._analyzer = Analyzer()
        self.assumptions: tuple[int, ...] = (0,)
        self._number_of = count(1)
        self._scope = ExitStack()

    def __contains__(self, name: str) -> bool:
        return name in self._vars

    @property
    def all(self) -> list[tirx.Var]:
        """All variables so far."""
        return [*self._vars.values()]

    def named(self, name: str) -> tirx.Var:
        """Return the one variable of this name."""
        if name not in self._vars:
            var = tirx.Var(name, "int64")
            given, learned = (of.get(name, SizeRange()) for of in (self.ranges, self._ranged))
            self._analyzer.bind(var, _interval(given.within(learned) or given))
            self._vars[name] = var
        return self._vars[name]

    def dim(self, name: str) -> Dim:
        """Return what is known of a name: a number, or the one variable for it."""
        known: int | str = name
        while isinstance(known, str) and known in self._known:
            known = self._known[known]
        return self.named(known) if isinstance(known, str) else known

    def fresh(self, name: str) -> tirx.Var:
        """Return a new variable, called `name` or nearly so."""
        unique, number = name, 0
        while unique in self._vars or unique in self._known:
            number += 1
            unique = f"{name}_{number}"
        return self.named(unique)

    def simplify(self, dim: Any) -> Any:
        """Return a number or an expression, of int64 or bool, in simpler terms.

        What is a number comes back as Python's.
        """
        if isinstance(dim, Expr):
            dim = self._analyzer.simplify(dim)
            if isinstance(dim, tirx.IntImm):
                value = int(dim.value)
                return bool(value) if str(dim.ty) == "bool" else value
        return dim

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Forget behind this block what is assumed inside of it."""
        scope, assumptions = self._scope, self.assumptions
        try:
            with ExitStack() as self._scope:
                yield
        finally:
            self._scope, self.assumptions = scope, assumptions

    def assume(self, condition: Expr) -> None:
        """Take a condition on sizes for true, as what is emitted in this block runs only then."""
        self._scope.enter_context(self._analyzer.constraint_scope(condition))
        self.assumptions += (next(self._number_of),)

    def equal(self, a: Dim, b: Dim) -> bool:
        """Whether two dimensions are equal whatever the symbols stand for."""
        if isinstance(a, int) and isinstance(b, int):
            return a == b
        return proven(lambda: self._analyzer.can_prove_equal(a, b))

    @staticmethod
    def evident(a: Dim, b: Dim) -> bool:
        """Whether two dimensions are equal by algebra alone, so that TVM's passes see it, too."""
        if isinstance(a, int) and isinstance(b, int):
            return a == b
        return proven(lambda: Analyzer().can_prove_equal(a, b))

    def differ(self, a: Dim, b: Dim) -> bool:
        """Whether two dimensions are never equal, whatever the symbols stand for."""
        if isinstance(a, int) and isinstance(b, int):
            return a != b
        can_prove = self._analyzer.can_prove
        return proven(lambda: can_prove(a < b) or can_prove(a > b))

    def at_most(self, a: Dim, b: Dim) -> bool:
        """Whether one dimension never exceeds another, whatever the symbols stand for."""
        if isinstance(a, int) and isinstance(b, int):
            return a <= b
        return proven(lambda: self._analyzer.can_prove(a <= b)) or self.equal(a, b)

    def at_most_one(self, dim: Dim) -> bool:
        """Whether a dimension is 0 or 1 whatever the symbols stand for."""
        return self.at_most(dim, 1)

    def non_negative(self, dim: Dim) -> bool:
        """Whether a dimension is at least 0 whatever the symbols stand for."""
        return self.at_most(0, dim)

    def smallest(self, name: str) -> int:
        """Return the smallest size that is both given and taken."""
        given = self.ranges.get(name, SizeRange())
        return max(given.least, self.min_sizes.get(name, 0))

    def require_non_negative(self, dim: Dim) -> bool:
        """Note which sizes a symbol must not have, lest this dimension be negative.

        Nothing is noted of a dimension that does not grow with one symbol alone.

        Returns:
            Whether it never is, where what is fed has none of these sizes.
        """
        if isinstance(dim, int) or self.non_negative(dim):
            return not isinstance(dim, int) or dim >= 0
        symbols = tirx.analysis.undefined_vars(dim)
        if len(symbols) != 1:
            return False
        [symbol] = symbols
        sizes = range(self.smallest(symbol.name), LARGEST)
        place = bisect.bisect_left(sizes, 1, key=lambda n: _never_negative(dim, symbol, n, 1))
        rest = LARGEST - sizes[0] - place
        if not rest or not _never_negative(dim, symbol, sizes[place], rest):
            return False
        if place:
            self.min_sizes[symbol.name] = sizes[place]
        return symbol.name in self.fed

    def equate(self, a: Dim, b: Dim, why: str, *, sure: bool = True) -> bool:
        """Constrain two dimensions to be equal whenever the model is fed.

        Args:
            a: A dimension.
            b: Another one.
            why: For whose sake.
            sure: Whether ONNX asks for it, or tvmfuse, which broadcasts nothing on a guess.

        Returns:
            Whether the inputs can tell; if not, the model has to check it as it runs.
        """
        left, right = size_of(a), size_of(b)
        if left is None or right is None or not symbols_in(left, right) <= set(self.fed):
            return False
        words = f"{written(a)} == {written(b)}, {why}"
        names = isinstance(left, str) or isinstance(right, str)
        if not sure and names and not symbols_in(left) & symbols_in(right):
            words += ASSUMED
        constraint = ShapeConstraint(left, right, words)
        (self.shape_constraints if sure else self._guessed)[constraint] = None
        learned = solved(a, b, list(self._vars)) or self._narrower(a, b)
        if learned is not None:
            (self._facts if sure else self._guesses).setdefault(*learned)
        return True

    def tells(self, condition: Expr) -> bool:
        """Whether the sizes that are fed tell if a condition holds, in the manifest's terms."""
        number = truth(condition)
        size = None if number is None else size_of(number)
        return size is not None and symbols_in(size) <= set(self.fed)

    def ask(self, condition: Expr, why: str) -> bool:
        """Constrain what is fed to sizes for which a condition holds.

        Args:
            condition: Of sizes.
            why: For whose sake; ends as `tensor_spec.CONDITIONS` do.

        Returns:
            Whether the inputs can tell.
        """
        if isinstance(condition, tirx.EQ):
            return self.equate(as_dim(condition.a), as_dim(condition.b), why)
        number = truth(condition)
        size = None if number is None else size_of(number)
        if size is None or not self.tells(condition):
            return False
        self.shape_constraints[ShapeConstraint(size, 1, f"{written(condition)}, {why}")] = None
        return True

    def _narrower(self, a: Dim, b: Dim) -> tuple[str, int | SizeRange] | None:
        """Return a symbol and the sizes for which two dimensions are equal, if that is new."""
        if (found := solved_range(a, b)) is None:
            return None
        name, sizes = found
        known = self._ranged.get(name, SizeRange())
        both = known.within(sizes)
        if both is None or both in (known, SizeRange(0, 0)):
            return None  # nothing is built for a size of 0 alone
        return name, both.number or both

    def learned(self) -> Symbols | None:
        """Return symbols that know more, or None if nothing was learned.

        What was assumed counts once nothing is left that is sure: it may turn out not to be needed.
        """
        if not self._facts:
            self.shape_constraints |= self._guessed
        new = self._facts or self._guesses
        if not new:
            return None
        known = {name: n for name, n in new.items() if not isinstance(n, SizeRange)}
        ranged = {name: n for name, n in new.items() if isinstance(n, SizeRange)}
        return Symbols(self._known | known, self.shape_constraints, ranged=self._ranged | ranged)

    def product(self, dims: Iterable[Dim]) -> Dim:
        """Multiply dimensions."""
        result: Dim = 1
        for dim in dims:
            result = result * dim
        return self.simplify(result)

    def smaller(self, a: Dim, b: Dim) -> Dim:
        """Return the smaller one of two dimensions."""
        for one, other in ((a, b), (b, a)):
            if self.at_most(one, other):
                return self.simplify(one)
        return self.simplify(tirx.min(_int64(a), _int64(b)))

    def larger(self, a: Dim, b: Dim) -> Dim:
        """Return the larger one of two dimensions."""
        for one, other in ((a, b), (b, a)):
            if self.at_most(one, other):
                return self.simplify(other)
        return self.simplify(tirx.max(_int64(a), _int64(b)))

    def quotient(self, a: Dim, b: Dim) -> Dim:
        """Divide non-negative dimensions, rounding down."""
        if isinstance(a, int) and isinstance(b, int):
            return a // b
        return self.simplify(tirx.floordiv(_int64(a), _int64(b)))

    def remainder(self, a: Dim, b: Dim) -> Dim:
        """Return a whole number modulo a positive one; it is never negative."""
        if isinstance(a, int) and isinstance(b, int):
            return a % b
        return self.simplify(tirx.floormod(_int64(a), _int64(b)))

    def quotient_of_products(self, dims: Iterable[Dim], by: Iterable[Dim]) -> Dim:
        """Divide products of non-negative dimensions, rounding down; equal factors cancel out."""
        left = [factor for dim in dims for factor in _factors(dim)]
        right = []
        for factor in (factor for dim in by for factor in _factors(dim)):
            place = next((i for i, f in enumerate(left) if self.equal(f, factor)), None)
            if place is None:
                right.append(factor)
            else:
                del left[place]
        a, b = self.product(left), self.product(right)
        times = _whole_ratio(a, b)
        if times is not None and self.equal(a, self.product([b, times])):
            return times
        return self.quotient(a, b)


def _interval(sizes: SizeRange) -> tvm.ir.Range:
    """Return a range as TVM's analysis takes it."""
    end = LARGEST if sizes.most is None else min(sizes.most + 1, LARGEST)
    return int64_range(sizes.least, max(sizes.least + 1, end))


def _factors(dim: Dim) -> list[Dim]:
    """Return what a dimension is a product of."""
    if isinstance(dim, tirx.Mul):
        return [*_factors(as_dim(dim.a)), *_factors(as_dim(dim.b))]
    return [dim]


def _whole_ratio(a: Dim, b: Dim) -> int | None:
    """Return how often one dimension goes into another of the same symbols, at one place."""
    if isinstance(a, int) or isinstance(b, int):
        return None
    symbols = tirx.analysis.undefined_vars(tirx.floordiv(a, b))
    place = {var: tirx.const(1009 + 2 * i, "int64") for i, var in enumerate(symbols)}
    known = (tirx.Var, lambda var: place.get(var, var))
    of_a, of_b = (Analyzer().simplify(tvm_ffi.structural_map(dim, known)) for dim in (a, b))
    numbers = isinstance(of_a, tirx.IntImm) and isinstance(of_b, tirx.IntImm)
    exact = numbers and int(of_b) > 0 and int(of_a) % int(of_b) == 0
    return int(of_a) // int(of_b) if exact else None


def _never_negative(dim: Expr, symbol: tirx.Var, smallest: int, count: int) -> bool:
    """Whether a dimension is at least 0 for `count` sizes of a symbol, from `smallest` on."""
    analyzer = Analyzer()
    analyzer.bind(symbol, int64_range(smallest, smallest + count))
    return proven(lambda: analyzer.can_prove(dim >= 0))


def _int64(dim: Dim) -> Expr:
    return tirx.const(dim, "int64") if isinstance(dim, int) else dim


_SIGNS: Final[Mapping[type[Expr], str]] = {
    tirx.EQ: "{} == {}",
    tirx.NE: "{} != {}",
    tirx.LT: "{} < {}",
    tirx.LE: "{} <= {}",
    tirx.GT: "{} > {}",
    tirx.GE: "{} >= {}",
    tirx.And: "{} and {}",
    tirx.Or: "{} or {}",
    tirx.Add: "{} + {}",
    tirx.Sub: "{} - {}",
    tirx.Mul: "{}*{}",
    tirx.FloorDiv: "{}//{}",
    tirx.FloorMod: "{}%{}",
    tirx.Min: "min({}, {})",
    tirx.Max: "max({}, {})",
}


def written(dim: Dim) -> str:
    """Return a dimension in words: ``batch``, ``seq + 1``.

    >>> written(Symbols().named("seq") * 2 + 1)
    'seq*2 + 1'
    """
    if isinstance(dim, tirx.Var):
        return str(dim.name)
    if isinstance(dim, tirx.IntImm):
        return str(dim.value)
    sign = _SIGNS.get(type(dim))
    if sign is None:
        return str(dim)
    expr: Any = dim
    sides = [written(side) for side in (expr.a, expr.b)]
    if not isinstance(dim, tirx.Add | tirx.Min | tirx.Max | tirx.And) and type(dim) not in MARGINS:
        sides = [f"({side})" if " " in side else side for side in sides]
    return sign.format(*sides)


def terms(dim: Dim) -> int:
    """Return of how many numbers, symbols and operations a dimension is made.

    >>> terms(Symbols().named("seq") * 2 + 1), terms(7)
    (5, 1)
    """
    found: list[Expr] = []
    if isinstance(dim, Expr):
        tvm_ffi.structural_walk(dim, (Expr, found.append))
    return len(found) or 1


def as_dim(dim: Expr | int) -> Dim:
    """Return a dimension as a Python number where it is one."""
    return int(dim.value) if isinstance(dim, tirx.IntImm) else dim
