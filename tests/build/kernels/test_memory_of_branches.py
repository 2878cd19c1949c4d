"""build.kernels.memory_of_branches: memory that only a branch of a kernel takes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tvm import tirx
from tvm.ir import Var
from tvm.tirx import AllocBuffer, BufferStore, Evaluate, For, ForKind, IfThenElse, SeqStmt, Stmt

from tvmfuse.build.kernels.memory_of_branches import branches_ask

N = Var("n", "int64")


def temporary(*shape: object) -> Sequence[Stmt]:
    """Return what asks for memory, and uses it."""
    buffer = tirx.decl_buffer(shape, "float32", "t")
    value = tirx.const(1, "float32")
    return AllocBuffer(buffer), BufferStore(buffer, value, [tirx.const(0, "int64")])


def loop(*body: Stmt) -> Stmt:
    var = Var("i", "int64")
    return For(var, tirx.const(0, "int64"), N, ForKind.SERIAL, SeqStmt([*body, Evaluate(0)]))


def branches(*body: Stmt) -> Stmt:
    return IfThenElse(tirx.const(1, "int64") == N, Evaluate(0), SeqStmt([*body, Evaluate(0)]))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (branches(*temporary(N)), True),
        (branches(*temporary(256)), True),
        (branches(*temporary(N), loop(*temporary(255))), True),
        (branches(*temporary(255)), False),  # the stack has room for it
        (branches(*temporary(N), loop(*temporary(256))), False),  # asked for in each iteration
        (branches(loop(*temporary(N))), False),
        (SeqStmt([*temporary(N), Evaluate(0)]), False),  # no branch
        (IfThenElse(tirx.const(1, "int64") == N, SeqStmt([*temporary(N)]), None), False),
    ],
)
def test_who_asks(body: Stmt, expected: bool) -> None:
    assert branches_ask(tirx.PrimFunc([N], body)) == expected
