"""IR nodes as dictionary keys."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, cast

import tvm_ffi


def structural_key(node: Any) -> Hashable:
    """Return a key of an attribute, a shape or a function: equal for the same structure.

    >>> from tvm import relax
    >>> structural_key(relax.ShapeExpr([2, 3])) == structural_key(relax.ShapeExpr([2, 3]))
    True
    """
    # The stub of the constructor wants the hash, too, which the constructor computes.
    return cast("Hashable", tvm_ffi.StructuralKey(node))  # type: ignore[call-arg]
