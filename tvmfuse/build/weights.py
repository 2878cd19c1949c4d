"""Taking the weights out of a module and putting them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import tvm
from tvm import IRModule, relax
from tvm.ir import Expr, GenericConst
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.arrays import as_array

# Smaller constants stay in the module: they are its structure (axes, scalars) more than weights.
SMALLEST: Final = 256  # bytes


def detach(module: IRModule, *, smallest: int = SMALLEST) -> tuple[IRModule, list[np.ndarray]]:
    """Make each large constant of `main` a further parameter.

    Args:
        module: Stays as it is.
        smallest: The size in bytes from which on a constant is large.

    Returns:
        The module, whose last parameters of `main` are the weights, and the weights in order, in
        the constants' own memory; a constant that is read twice comes once.
    """
    main = module["main"]
    taking = _Detach(smallest)
    body = taking.visit_expr(main)
    params = [*body.params, *taking.params]
    changed = relax.Function(params, body.body, body.ret_ty, body.is_pure, body.attrs, body.span)
    functions = dict(module.functions_items()) | {module.get_global_var("main"): changed}
    return IRModule(functions, attrs=module.attrs), taking.values


def attach(module: IRModule, values: Sequence[np.ndarray]) -> IRModule:
    """Undo `detach`: bind the last parameters of `main`, without a copy of the values."""
    params = module["main"].params
    names = [p.name for p in params[len(params) - len(values) :]]
    bound: Mapping[str, tvm.runtime.Tensor] = {
        name: tvm.runtime.from_dlpack(value) for name, value in zip(names, values, strict=True)
    }
    return relax.transform.BindParams("main", bound)(module)


@mutator
class _Detach(PyExprMutator):
    def __init__(self, smallest: int) -> None:
        super().__init__()
        self._smallest = smallest
        self.params: list[relax.Var] = []
        self.values: list[np.ndarray] = []
        self._taken: dict[GenericConst, relax.Var] = {}

    def visit_generic_const_(self, op: GenericConst) -> Expr:
        if op not in self._taken:
            value = as_array(op.value)
            if value.nbytes < self._smallest:
                return op
            param = relax.Var(f"tvmfuse.weight{len(self.params)}", op.ty)
            self._taken[op] = param
            self.params.append(param)
            self.values.append(value)
        return self._taken[op]
