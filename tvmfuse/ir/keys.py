"""IR nodes as dictionary keys."""

from __future__ import annotations

from typing import Any

import tvm_ffi


class Structure:
    """An attribute, a shape, a function: equal to another of the same structure.

    >>> from tvm import relax
    >>> Structure(relax.ShapeExpr([2, 3])) == Structure(relax.ShapeExpr([2, 3]))
    True
    """

    def __init__(self, node: Any) -> None:
        self.node = node
        self._hash = int(tvm_ffi.structural_hash(node))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Structure) and bool(
            tvm_ffi.structural_equal(self.node, other.node)
        )
