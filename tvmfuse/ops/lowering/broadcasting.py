"""Tensors that broadcast from the right: where one is read, for an element of the result."""

from __future__ import annotations

from collections.abc import Sequence

from tvm import tirx
from tvm.ir import Expr


def is_one(size: Expr) -> bool:
    """Whether a dimension is known to have one element."""
    return isinstance(size, tirx.IntImm) and size.value == 1


def broadcast(sizes: Sequence[Expr], at: Sequence[Expr]) -> list[Expr]:
    """Return where a tensor of these dimensions is read for the result's element `at`."""
    own = at[len(at) - len(sizes) :]
    return [0 if is_one(n) else i for n, i in zip(sizes, own, strict=True)]
