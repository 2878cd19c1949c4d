"""Symbolic sizes of a kernel: those of its own tensors, in place of those of the model's inputs.

A convolution behind three others of stride 2 has tensors of ``(h - 1) // 8 + 1`` lines, and is told
`h`. With a variable for these lines, which the tensors themselves tell, its addresses are short::

    conv(x: (n, 16, (h - 1) // 8 + 1), w, h, y: (n, 16, (h - 1) // 8 + 1))
    conv(x: (n, 16, p), w, y: (n, 16, p))

It is the same function if all that it computes of `h` depends on `p` alone. As ``p = (h - 1) // 8 +
1`` stands for ``h = 8 * (p - 1) + r + 1`` with any ``0 <= r < 8``, that is so where no `r` is left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import tvm_ffi
from tvm import sym, tirx
from tvm.ir import Call, Expr
from tvm.tirx import BufferType, PrimFunc, Var

from tvmfuse.ir.copies import CHOICE
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.sizes import int64_range

#: What is simplified where it has changed, so that equal kernels are written alike.
COMPUTED: Final = (
    *(tirx.Add, tirx.Sub, tirx.Mul, tirx.FloorDiv, tirx.FloorMod, tirx.Min, tirx.Max),
    *(tirx.LT, tirx.LE, tirx.GT, tirx.GE),
)


def told_sizes(kernel: PrimFunc) -> list[Var]:
    """Return the parameters that are numbers of which tensors' sizes are computed."""
    used = {var for dim in _dims(kernel) for var in tirx.analysis.undefined_vars(dim)}
    return [param for param in kernel.params if not _is_tensor(param) and param in used]


def with_own_sizes(kernel: PrimFunc) -> PrimFunc:
    """Return a kernel that is told fewer sizes, where those of its tensors tell enough."""
    for told in told_sizes(kernel):
        kernel = next(_without(kernel, told), kernel)
    return kernel


def _without(kernel: PrimFunc, told: Var) -> Iterator[PrimFunc]:
    """Yield the kernel with another variable instead of one that it is told, for each that does."""
    params = [param for param in kernel.params if not param.same_as(told)]
    free = PrimFunc(params, kernel.body, kernel.ret_type, kernel.attrs, kernel.span)
    tried = list[Expr]()
    for dim in _dims(kernel):
        if any(tvm_ffi.structural_equal(dim, other) for other in tried):
            continue
        tried.append(dim)
        own, rests = Var(told.name, told.ty.dtype), _Rests(sym.Analyzer(), {})
        value = rests.solve(dim, told, own)
        if value is None:
            continue
        found = _substituted(free, told, value, own, rests)
        if not rests.variables.keys() & _variables(found):
            yield found


@dataclass(frozen=True, eq=False)
class _Rests:
    """What divisions leave, each a variable within its bounds.

    Attributes:
        known: What is known of them.
        variables: Each with its divisor.
    """

    known: sym.Analyzer
    variables: dict[Var, int]

    def solve(self, dim: Expr, told: Var, value: Expr) -> Expr | None:
        """Return what a variable is where an expression of it has a value; None where it is odd."""
        if isinstance(dim, Var):
            return value if dim.same_as(told) else None
        if not isinstance(dim, tirx.Add | tirx.Sub | tirx.FloorDiv):
            return None
        if told in tirx.analysis.undefined_vars(dim.b):
            flipped = isinstance(dim, tirx.Add) and told not in tirx.analysis.undefined_vars(dim.a)
            return self.solve(dim.b, told, value - dim.a) if flipped else None
        if isinstance(dim, tirx.FloorDiv):
            if not isinstance(dim.b, tirx.IntImm) or int(dim.b) < 1:
                return None
            return self.solve(dim.a, told, value * dim.b + self._rest(int(dim.b)))
        return self.solve(
            dim.a, told, value - dim.b if isinstance(dim, tirx.Add) else value + dim.b
        )

    def simplify(self, expr: Expr) -> Expr:
        """Simplify; ``(2 * p - 2 + rest) // 4``, too, which TVM leaves, to ``(p - 1) // 2``."""
        expr = self.known.simplify(expr)
        if not isinstance(expr, tirx.FloorDiv) or not isinstance(expr.b, tirx.IntImm):
            return expr
        names, divisor = list(tirx.analysis.undefined_vars(expr.a)), int(expr.b)
        found = sym.detect_linear_equation(expr.a, names)
        if not found or not all(isinstance(factor, tirx.IntImm) for factor in found):
            return expr
        *factors, constant = (int(factor) for factor in found)
        terms = dict(zip(names, factors, strict=True))
        left = {var: terms.pop(var) for var in names if var in self.variables}
        common = math.gcd(divisor, *terms.values())
        least = constant % common
        most = least + sum(factor * (self.variables[var] - 1) for var, factor in left.items())
        if min(left.values(), default=0) < 0 or most >= common or common == 1:
            return expr
        whole: Expr = tirx.const((constant - least) // common, "int64")
        for var, factor in terms.items():
            whole += var * (factor // common)
        return self.known.simplify(tirx.floordiv(whole, divisor // common))

    def _rest(self, divisor: int) -> Var:
        rest = Var("rest", "int64")
        self.known.bind(rest, int64_range(0, divisor))
        self.variables[rest] = divisor
        return rest


def _substituted(kernel: PrimFunc, told: Var, value: Expr, own: Var, rests: _Rests) -> PrimFunc:
    """Replace a variable, and simplify what is computed of it."""
    new = {own, *rests.variables}

    def simple(expr: Any) -> Expr:
        computed = not new.isdisjoint(tirx.analysis.undefined_vars(expr))
        return rests.simplify(expr) if computed else expr

    def chosen(call: Call) -> Expr:
        return rests.known.simplify(call) if op_name(call) == CHOICE else call

    replaced = (Var, lambda var: value if var.same_as(told) else var)
    return tvm_ffi.structural_map(kernel, [replaced, (COMPUTED, simple), (Call, chosen)])


def _variables(kernel: PrimFunc) -> set[Var]:
    found = set[Var]()

    def seen(var: Var) -> Var:
        found.add(var)
        return var

    tvm_ffi.structural_map(kernel, (Var, seen))
    return found


def _dims(kernel: PrimFunc) -> Iterator[Expr]:
    """Yield the sizes of a kernel's tensors."""
    for param in kernel.params:
        if _is_tensor(param):
            yield from param.shape


def _is_tensor(param: Var) -> bool:
    return isinstance(param.ty, BufferType)
