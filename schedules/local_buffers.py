"""Buffers for the inside of a loop, and which of them TVM puts on the stack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvm.ir import Expr
from tvm.tirx import Buffer

from tvmfuse.schedules.expressions import product, static

#: Bytes; TVM's kMaxStackAlloca.
STACK: Final = 1024


@dataclass(frozen=True, eq=False)
class LocalElement:
    """An element of a buffer that is kept inside the loops, at an offset of another buffer."""

    buffer: Buffer
    offset: Expr


def on_stack(buffer: Buffer) -> bool:
    """Return whether TVM puts a buffer of the inside of a loop on the stack.

    What is smaller than `STACK` lies there, and LLVM turns it into registers if its offsets are
    constants.
    """
    elements = static(product(buffer.shape))
    return elements is not None and elements * buffer.dtype.itemsize < STACK
