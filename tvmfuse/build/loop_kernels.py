"""Putting compiled loops into a module: what stays for the virtual machine, and what is called.

`main` calls the loops' kernels. `WATCHED` is `main` as it was: the virtual machine runs its loops,
and so each kernel of each iteration can be seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from tvm import IRModule, relax, tirx
from tvm.ir import Call, Expr, GlobalVar, TupleGetItem, Var
from tvm.relax.expr_functor import PyExprMutator, mutator
from tvm.relax.utils import copy_with_new_vars

from tvmfuse.build.compiled_loops import CompiledLoop, compiled_loop
from tvmfuse.build.loops import bodies_of
from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.fixed_loops import KernelSequence, NotFixedError, is_compiled
from tvmfuse.ir.kernels import CALL_TIR, call_like
from tvmfuse.ir.loops import LOOP, bodies_in
from tvmfuse.ir.replace import drop_unused
from tvmfuse.ops.new_rows import UNSET
from tvmfuse.runtime.virtual_machine import WATCHED
from tvmfuse.schedules.expressions import substitute


def with_loop_kernels(module: IRModule) -> IRModule:
    """Call a kernel for each loop that is to be compiled."""
    if not any(is_compiled(body) for body in bodies_of(module).values()):
        return module
    made = _Kernels(module)
    main = module.get_global_var("main")
    changed = made.changed(main)
    if changed is module[main]:
        return module
    watched = copy_with_new_vars(module[main]).with_attr("global_symbol", WATCHED)
    made.builder.add_func(watched, WATCHED)
    made.builder.update_func(main, changed)
    return made.builder.get()


class _Kernels:
    """The kernels of a module's loops.

    Attributes:
        builder: Of the module with those made so far, and with bodies that call them.
    """

    def __init__(self, module: IRModule) -> None:
        self._module = module
        self.builder = relax.BlockBuilder(module)
        self._changed: dict[GlobalVar, relax.Function] = {}

    def changed(self, name: GlobalVar) -> relax.Function:
        """Return a function that calls kernels for loops, where it has some; else itself."""
        if name not in self._changed:
            function = self._module[name]
            if any(True for _ in bodies_in(function)):
                calling = _Calling(self, Dataflow.of(function).values)
                made = calling.visit_expr(function)
                function = drop_unused(made, calling.unset) if calling.fired else function
            self._changed[name] = function
        return self._changed[name]

    def kernel(self, name: GlobalVar, unset: Sequence[bool]) -> tuple[GlobalVar, CompiledLoop]:
        """Make the kernel of a loop.

        Raises:
            NotFixedError: Its body is none that a kernel can run.
        """
        made = compiled_loop(KernelSequence(self.changed(name)), unset)
        return self.add(name, made.function), made

    def add(self, name: GlobalVar, function: tirx.PrimFunc | relax.Function) -> GlobalVar:
        """Add a function, called like that one but for its end."""
        return self.builder.add_func(function, f"{name.name_hint}_compiled")

    def original(self, name: GlobalVar) -> relax.Function:
        """Return a function as it was."""
        return self._module[name]

    def is_unset(self, value: Expr) -> bool:
        """Whether an expression is memory that nobody has written to."""
        return op_name(value) == CALL_TIR and UNSET in (self._module[value.args[0]].attrs or {})


@mutator
class _Calling(PyExprMutator):
    """Calls a function's loops.

    Attributes:
        fired: Whether there was one to call.
        unset: Variables of memory that the kernels have no use for.
    """

    def __init__(self, kernels: _Kernels, values: Mapping[Var, Expr]) -> None:
        super().__init__()
        self._kernels = kernels
        self._values = values
        self.fired = False
        self.unset: set[Var] = set()

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        value = binding.value
        if op_name(value) == LOOP:
            value = self._called(value)
        super().visit_var_binding_(relax.VarBinding(binding.var, value))

    def _called(self, loop: Call) -> Expr:
        name, *operands = loop.args
        body = self._kernels.changed(name)
        if is_compiled(body):
            carried = operands[: len(body.ret_ty.fields)]
            unset = [self._kernels.is_unset(self._values.get(o)) for o in carried]
            with suppress(NotFixedError):
                return self._call(self._kernels.kernel(name, unset), body, operands, unset)
        if body is not self._kernels.original(name):
            self.fired = True
            return call_like(loop, args=[self._kernels.add(name, body), *operands])
        return loop

    def _call(
        self,
        made: tuple[GlobalVar, CompiledLoop],
        body: relax.Function,
        operands: Sequence[Expr],
        unset: Sequence[bool],
    ) -> Expr:
        """Return the results of a loop's kernel."""
        kernel, loop = made
        self.fired = True
        self.unset |= {o for o, is_unset in zip(operands, unset, strict=False) if is_unset}
        sizes = _sizes(body.params, operands)
        tensors = [o for o in operands if isinstance(o.ty, relax.TensorType)]
        types = [
            relax.TensorType([substitute(d, sizes) for d in ty.shape.values], ty.dtype)
            for ty in loop.results
        ]
        given = relax.Tuple([*tensors, *(sizes[symbol] for symbol in loop.symbols)])
        call = relax.call_tir(kernel, given, types)
        results = self.builder_.emit(self.visit_expr(call))
        items = [TupleGetItem(results, place) for place in range(len(body.ret_ty.fields))]
        return relax.Tuple([self.builder_.emit(item) for item in items])


def _sizes(params: Sequence[relax.Var], operands: Sequence[Expr]) -> dict[Var, Expr]:
    """Return what a body's symbols are where it is called."""
    sizes: dict[Var, Expr] = {}
    for param, operand in zip(params, operands, strict=True):
        for own, given in zip(_shape(param), _shape(operand), strict=True):
            if isinstance(own, Var):
                sizes.setdefault(own, given)
    return sizes


def _shape(given: Expr) -> Sequence[Expr]:
    sizes: Sequence[Expr] = getattr(given.ty, "shape", given.ty).values
    return sizes
