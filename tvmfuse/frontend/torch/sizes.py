"""Sizes of torch's, which are sympy expressions, as ours."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import torch
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols
from tvm import tirx

from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.frontend.symbols import Dim, Symbols
from tvmfuse.ir.sizes import size_of
from tvmfuse.tensor_spec import ShapeConstraint, symbols_in

FINEST: Final = 2**16
"""The largest denominator of a fraction of a size: their product is exact in float64."""

Size: TypeAlias = int | torch.SymInt


class Sizes:
    """Sizes of one program.

    Args:
        symbols: The model's symbolic dimensions.
        names: What they are called, by torch's names; others keep these.
        fixed: The sizes that some of them have.
    """

    def __init__(
        self, symbols: Symbols, names: Mapping[str, str], fixed: Mapping[str, int]
    ) -> None:
        self._symbols = symbols
        self._names = names
        self._fixed = fixed
        self._told: dict[str, Dim] = {}

    def tell(self, size: Size, dim: Dim) -> None:
        """Say what a size is that shows as the model runs, if that is not yet said."""
        if not isinstance(size, int) and free_unbacked_symbols(size) and size.node.expr.is_Symbol:
            self._told.setdefault(str(size), dim)

    def dim(self, size: Size) -> Dim:
        """Return a size as a number or an expression over symbolic dimensions.

        Raises:
            CannotConvertError: It is arithmetic that has no counterpart.
        """
        if isinstance(size, int):
            return size
        found: Dim = self._symbols.simplify(self._translated(size.node.expr))
        return found

    def require(self, condition: Any, words: str) -> bool:
        """Ask of what is fed that a condition holds, an expression of sympy's over sizes.

        Returns:
            Whether it can: it does not where the sizes that are given contradict it.

        Raises:
            CannotConvertError: It has no counterpart.
        """
        if type(condition).__name__ == "Equality":
            left, right = map(self._translated, condition.args)
        else:
            left, right = self._truth(condition), 1
        left, right = self._symbols.simplify(left), self._symbols.simplify(right)
        if isinstance(left, int) and isinstance(right, int):
            return left == right
        one, other = size_of(left), size_of(right)
        if one is None or other is None or not symbols_in(one, other) <= set(self._symbols.fed):
            raise CannotConvertError(f"no input's sizes tell whether {condition}")
        self._symbols.shape_constraints[ShapeConstraint(one, other, words)] = None
        return True

    def _truth(self, condition: Any) -> Dim:
        """Return 1 where a condition holds, and 0 where it does not."""
        kind = type(condition).__name__
        if kind in _LOGIC:
            truths = [self._truth(arg) for arg in condition.args]
            return _LOGIC[kind](truths)
        if kind not in _MARGINS:
            raise CannotConvertError(f"the condition {condition} cannot be computed")
        margin = _MARGINS[kind](*(self._translated(arg) for arg in condition.args))
        truth = _at_most([_at_least([margin, 0]), 1])
        return 1 - truth if kind == "Equality" else truth

    def _translated(self, expr: Any) -> Dim:
        if expr.is_Integer:
            return int(expr)
        if expr.is_Symbol and str(expr) in self._told:
            return self._told[str(expr)]
        if expr.is_Symbol:
            name = self._names.get(str(expr), str(expr))
            return self._fixed[name] if name in self._fixed else self._symbols.dim(name)
        kind = type(expr).__name__
        if kind in _ROUNDED:
            above, below = self._ratio(expr.args[0])
            return _ROUNDED[kind](above, below)
        combine = _ARITHMETIC.get(kind)
        if combine is None:
            raise CannotConvertError(f"the size {expr} cannot be computed")
        found: Dim = combine([self._translated(arg) for arg in expr.args])
        return found

    def _ratio(self, expr: Any) -> tuple[Dim, int]:
        """Return a fraction's numerator and its denominator, which is above 0.

        Raises:
            CannotConvertError: It is none of small denominator, or has no counterpart.
        """
        kind = type(expr).__name__
        if expr.is_Float:
            # Others are rounded by torch: 0.29 * 100 is less than 29.
            above, below = float(expr).as_integer_ratio()
            if below <= FINEST:
                return above, below
        if kind == "ToFloat":
            return self._translated(expr.args[0]), 1
        if kind in ("Add", "Mul", "FloatTrueDiv", "IntTrueDiv"):
            parts = [self._ratio(arg) for arg in expr.args]
            return functools.reduce(_FRACTIONS[kind], parts)
        if expr.is_Integer or expr.is_Symbol:
            return self._translated(expr), 1
        raise CannotConvertError(f"the fraction {expr} cannot be computed")


def _sum(a: tuple[Any, int], b: tuple[Any, int]) -> tuple[Any, int]:
    return a[0] * b[1] + b[0] * a[1], a[1] * b[1]


def _product(a: tuple[Any, int], b: tuple[Any, int]) -> tuple[Any, int]:
    return a[0] * b[0], a[1] * b[1]


def _ratio_of(a: tuple[Any, int], b: tuple[Any, int]) -> tuple[Any, int]:
    if not isinstance(b[0], int) or b[0] == 0:
        raise CannotConvertError("a size is divided by another one, with a fraction")
    sign = 1 if b[0] > 0 else -1
    return a[0] * (b[1] * sign), a[1] * abs(b[0])


_FRACTIONS: Final[Mapping[str, Callable[[Any, Any], tuple[Any, int]]]] = {
    "Add": _sum,
    "Mul": _product,
    "FloatTrueDiv": _ratio_of,
    "IntTrueDiv": _ratio_of,
}


def _quotient(args: list[Any]) -> Any:
    number, divisor = args
    if isinstance(divisor, int) and divisor < 0:  # TVM's analysis takes none below 0
        return -number // -divisor
    return number // divisor


def _power(args: list[Any]) -> Any:
    base, exponent = args
    if not isinstance(exponent, int) or exponent < 0:
        raise CannotConvertError(f"a size has the exponent {exponent}")
    return functools.reduce(lambda a, b: a * b, [base] * exponent, 1)


def _either(function: Callable[[Any, Any], Any], plain: Callable[..., int]) -> Any:
    def combine(args: list[Any]) -> Any:
        if all(isinstance(arg, int) for arg in args):
            return plain(args)
        wide = [tirx.const(a, "int64") if isinstance(a, int) else a for a in args]
        return functools.reduce(function, wide)

    return combine


_ARITHMETIC: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "Add": sum,
    "Mul": lambda args: functools.reduce(lambda a, b: a * b, args),
    "FloorDiv": _quotient,
    "CleanDiv": _quotient,
    "Mod": lambda args: args[0] % args[1],
    "PythonMod": lambda args: args[0] % args[1],
    "Max": _either(tirx.max, max),
    "Min": _either(tirx.min, min),
    "Pow": _power,
    "PowByNatural": _power,
}

_at_least, _at_most = _ARITHMETIC["Max"], _ARITHMETIC["Min"]

_MARGINS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "Equality": lambda a, b: _at_least([a - b, b - a]),
    "Unequality": lambda a, b: _at_least([a - b, b - a]),
    "LessThan": lambda a, b: b - a + 1,
    "StrictLessThan": lambda a, b: b - a,
    "GreaterThan": lambda a, b: a - b + 1,
    "StrictGreaterThan": lambda a, b: a - b,
}
"""By how much a comparison holds: above 0 where it does; of an equation, where it does not."""

_LOGIC: Final[Mapping[str, Callable[[list[Any]], Any]]] = {
    "And": _at_most,
    "Or": _at_least,
    "Not": lambda truths: 1 - truths[0],
}

_ROUNDED: Final[Mapping[str, Callable[[Any, int], Any]]] = {
    "CeilToInt": lambda above, below: (above + (below - 1)) // below,
    "FloorToInt": lambda above, below: above // below,
    "TruncToInt": lambda above, below: above // below,  # sizes are not below 0
}
