"""`tvmfuse.loop`: a function of the module, run again and again on what it returned before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax
from tvm.ir import Call, Expr, GlobalVar

from tvmfuse.ir.loops import LOOP
from tvmfuse.ops.definition import call, define
from tvmfuse.ops.traits import Kind, Traits

_LOOP: Final = define(
    LOOP,
    traits=Traits(kind=Kind.OTHER, why="it runs another function"),
    infer=lambda node: node.ty_args[0],
    doc="A function that runs while the first of its results is true.",
)


def loop(
    body: GlobalVar, carried: Sequence[Expr], captured: Sequence[Expr], result: relax.TupleType
) -> Call:
    """Run a function while the first tensor that it returned is true, or that it is given.

    `build.compiled_main` makes a loop of machine code of it.

    Args:
        body: A function with `ir.loops.BODY`, which takes what is carried and captured, and returns
            as many tensors as are carried.
        carried: What it is given first; it is a bool of shape () that comes first.
        captured: What it is given each time.
        result: The types of what is carried in the end. What changes from one iteration to the next
            has only a rank.
    """
    made = call(_LOOP, [body, *carried, *captured])
    return Call(made.op, made.args, ty_args=[result])
