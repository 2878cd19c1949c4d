"""What sizes that are known only later are taken to be, where costs are reckoned."""

from __future__ import annotations

from typing import Final

import tvm_ffi
from tvm import sym, tirx
from tvm.ir import Expr, Var

LIKELY: Final = 224
"""An image's height and width, if the model leaves them open: those of ImageNet's networks."""


def likely_size(extent: int | Expr) -> int:
    """Return an extent, or what it is where the sizes that it depends on are `LIKELY`.

    So a layer that halves its input's size is taken to have half as many lines as that.

    >>> h = tirx.Var("h", "int64")
    >>> likely_size(7), likely_size(h), likely_size(((h - 1) // 2 + 1) // 4)
    (7, 224, 28)
    """
    if isinstance(extent, int):
        return extent

    def likely(var: Var) -> Expr:
        return tirx.const(LIKELY, var.ty.dtype)

    found = sym.Analyzer().simplify(tvm_ffi.structural_map(extent, (Var, likely)))
    return int(found) if isinstance(found, tirx.IntImm) else LIKELY
