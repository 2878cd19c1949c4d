"""Sizes of torch's, which are sympy expressions, as ours."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import torch
from tvm import tirx

from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.frontend.symbols import Dim, Symbols

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

    def dim(self, size: Size) -> Dim:
        """Return a size as a number or an expression over symbolic dimensions.

        Raises:
            CannotConvertError: It is arithmetic that has no counterpart.
        """
        if isinstance(size, int):
            return size
        found: Dim = self._symbols.simplify(self._translated(size.node.expr))
        return found

    def _translated(self, expr: Any) -> Dim:
        if expr.is_Integer:
            return int(expr)
        if expr.is_Symbol:
            name = self._names.get(str(expr), str(expr))
            return self._fixed[name] if name in self._fixed else self._symbols.dim(name)
        combine = _ARITHMETIC.get(type(expr).__name__)
        if combine is None:
            raise CannotConvertError(f"the size {expr} cannot be computed")
        found: Dim = combine([self._translated(arg) for arg in expr.args])
        return found


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
    "FloorDiv": lambda args: args[0] // args[1],
    "CleanDiv": lambda args: args[0] // args[1],
    "Mod": lambda args: args[0] % args[1],
    "PythonMod": lambda args: args[0] % args[1],
    "Max": _either(tirx.max, max),
    "Min": _either(tirx.min, min),
    "Pow": _power,
    "PowByNatural": _power,
}
