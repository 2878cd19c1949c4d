"""Blocks of TensorIR."""

from __future__ import annotations

from tvm.s_tir import SBlock
from tvm.tirx import Stmt


def with_body(block: SBlock, body: Stmt) -> SBlock:
    """Return a block that is the same but for its body."""
    return SBlock(
        block.iter_vars,
        block.reads,
        block.writes,
        block.name_hint,
        body,
        block.init,
        block.alloc_buffers,
        block.match_buffers,
        block.annotations,
    )
