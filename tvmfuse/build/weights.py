"""Taking the weights out of a module and putting them back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import tvm
from tvm import IRModule, relax
from tvm.ir import Expr, GenericConst, GlobalVar
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.kernels import call_like
from tvmfuse.ir.loops import LOOP, bodies_in
from tvmfuse.runtime.functions import IN_PLACE
from tvmfuse.tensors import as_array

# Smaller constants stay in the module: they are its structure (axes, scalars) more than weights.
SMALLEST: Final = 256  # bytes


def detach(module: IRModule, *, smallest: int = SMALLEST) -> tuple[IRModule, list[np.ndarray]]:
    """Make each large constant a further parameter of `main`; loops hand it to their bodies.

    `IN_PLACE`, where there is such a function, takes the same ones.

    Args:
        module: Stays as it is.
        smallest: The size in bytes from which on a constant is large.

    Returns:
        The module, whose last parameters of `main` are the weights, and the weights in order, in
        the constants' own memory; a constant that is read twice comes once.
    """
    functions = dict(module.functions_items())
    taken: dict[GlobalVar, _Detach] = {}

    def take(name: GlobalVar) -> None:
        function = functions[name]
        for body in dict.fromkeys(bodies_in(function)):
            if body not in taken:
                take(body)
        taking = taken[name] = _Detach(smallest, taken)
        left = taking.visit_expr(function)
        functions[name] = _with_params(left, taking.taken.values())

    main = module.get_global_var("main")
    take(main)
    for name in [name for name in functions if name.name_hint == IN_PLACE]:
        own = {c: relax.Var(param.name, param.ty) for c, param in taken[main].taken.items()}
        left = _Detach(smallest, taken, own).visit_expr(functions[name])
        functions[name] = _with_params(left, own.values())
    return IRModule(functions, attrs=module.attrs), [as_array(c.value) for c in taken[main].taken]


def _with_params(left: relax.Function, params: Iterable[relax.Var]) -> relax.Function:
    """Return a function with further parameters."""
    rest = (left.body, left.ret_ty, left.is_pure, left.attrs, left.span)
    return relax.Function([*left.params, *params], *rest)


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
    """Makes parameters of a function's constants, and of those that its loops take from it.

    Attributes:
        taken: The constants, and the parameters that took their place.
    """

    def __init__(
        self,
        smallest: int,
        bodies: Mapping[GlobalVar, _Detach],
        taken: dict[GenericConst, relax.Var] | None = None,
    ) -> None:
        super().__init__()
        self._smallest = smallest
        self._bodies = bodies
        self.taken: dict[GenericConst, relax.Var] = {} if taken is None else taken

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        value = binding.value
        if op_name(value) == LOOP:
            args = [*value.args, *self._bodies[value.args[0]].taken]
            binding = relax.VarBinding(binding.var, call_like(value, args=args))
        super().visit_var_binding_(binding)

    def visit_generic_const_(self, op: GenericConst) -> Expr:
        if op not in self.taken:
            if as_array(op.value).nbytes < self._smallest:
                return op
            self.taken[op] = relax.Var(f"tvmfuse.weight{len(self.taken)}", op.ty)
        return self.taken[op]
