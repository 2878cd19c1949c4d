"""Code of its own for sizes that a caller names, in one kernel with the code for all sizes.

::

    if h == 224 and w == 224:       the kernel as it is scheduled for these sizes
    else:                           as it is for all

Sizes that are not named stay symbolic in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tvm import tirx
from tvm.ir import Expr, Var
from tvm.s_tir import SBlock, SBlockRealize, renew_defs
from tvm.tirx import Bind, BufferType, DeclBuffer, IfThenElse, PrimFunc, Stmt

from tvmfuse.schedules.loop_nests import sequence

#: Of a PrimFunc: for each code of its own the sizes of some of the kernel's variables.
SIZES: Final = "tvmfuse.sizes"

#: What is left out of a kernel where code for some sizes fails.
SPECIALIZE: Final = "specialize"

Sizes = Mapping[Var, int]


def sizes_of(function: PrimFunc) -> list[Sizes]:
    """Return the sizes that a kernel is to have code of its own for."""
    found = function.attrs.get(SIZES, ())
    return [{var: int(size) for var, size in sizes.items()} for sizes in found]


def at_sizes(function: PrimFunc, sizes: Sizes) -> PrimFunc:
    """Return a kernel, not scheduled yet, with sizes put in the place of their variables.

    It shares no variable with the other, so that both may stand in one kernel.
    """
    given = [var for var in sizes if var not in function.params]
    # TVM puts values in the place of parameters alone.
    params = [*given, *function.params]
    taking = PrimFunc(params, function.body, function.ret_type, function.attrs)
    values = {var: tirx.const(size, var.ty.dtype) for var, size in sizes.items()}
    return renew_defs(taking.without_attr(SIZES).specialize(values))


def joined(general: PrimFunc, special: Sequence[tuple[Sizes, PrimFunc]]) -> PrimFunc:
    """Return a scheduled kernel with the code for some sizes, each in a branch of its own."""
    body = general.body
    for sizes, function in reversed(special):
        these = tirx.all(*(var == tirx.const(size, var.ty.dtype) for var, size in sizes.items()))
        given = [param for param in general.params if param not in sizes]
        body = IfThenElse(these, sequence([*_same(function, given), function.body]), body)
    if special:
        body = SBlockRealize([], tirx.const(1, "bool"), SBlock([], [], [], "root", body))
    return general.with_body(body)


def _same(function: PrimFunc, given: Sequence[Var]) -> Iterator[Stmt]:
    """Yield what makes the parameters of a function, and its sizes, those that are given."""
    known = set[Var]()
    pairs = [*zip(function.params, given, strict=True)]
    for own, param in pairs:
        for var, value in zip(_numbers(own), _numbers(param), strict=True):
            if isinstance(var, Var) and var not in known:
                known.add(var)
                yield Bind(var, value)
    for own, param in pairs:
        if isinstance(own.ty, BufferType):
            yield DeclBuffer(own, data=param.data)


def _numbers(param: Var) -> list[Expr]:
    """Return what a parameter says in numbers: itself, or where a tensor's elements lie."""
    if not isinstance(param.ty, BufferType):
        return [param]
    return [*param.shape, *param.strides, param.elem_offset]
