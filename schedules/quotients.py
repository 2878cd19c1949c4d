"""Sizes that are written by what a division leaves of them, so that bounds can be proven.

Of an image of `h` lines, a window that moves by two has ``(h - 1) // 2 + 1`` lines of results; that
the last of them reads no line behind the image, an analyzer does not find::

    h  =  2 * q + r + 1,  0 <= r < 2        the results are q + 1
"""

from __future__ import annotations

from dataclasses import dataclass

import tvm_ffi
from tvm import sym, tirx
from tvm.ir import Expr, Var

from tvmfuse.schedules.expressions import coefficient, number, static, substitute, variables
from tvmfuse.schedules.kernels import analyzer


@dataclass(frozen=True, eq=False)
class Quotients:
    """Sizes in other words.

    Attributes:
        known: What is known of the words.
        _words: By their variables, the sizes.
    """

    known: sym.Analyzer
    _words: dict[Var, Expr]

    @classmethod
    def of(cls, size: Expr) -> Quotients:
        """Read the sizes that an expression divides, each by one number."""
        known, words = analyzer(sizes=[size]), dict[Var, Expr]()

        def visit(node: tirx.FloorDiv) -> None:
            divisor, inside = static(node.b), [*variables(node.a)]
            if not divisor or len(inside) != 1 or inside[0] in words:
                return
            (var,) = inside
            added = known.simplify(node.a - var)
            if static(added) is None or static(coefficient(node.a, var) or number(0)) != 1:
                return
            quotient, rest = (Var(name, var.ty.dtype) for name in ("quotient", "rest"))
            known.update(quotient, sym.ConstIntBound((static(added) or 0) // divisor, _MOST))
            known.update(rest, sym.ConstIntBound(0, divisor - 1))
            words[var] = quotient * divisor + rest - added

        tvm_ffi.structural_walk(size, (tirx.FloorDiv, visit))
        return cls(known, words)

    def can_prove(self, condition: Expr) -> bool:
        """Return whether a condition holds, whatever the sizes are."""
        return bool(self.known.can_prove(substitute(condition, self._words)))


_MOST = sym.ConstIntBound.POS_INF
