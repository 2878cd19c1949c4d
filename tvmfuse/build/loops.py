"""Loops of the virtual machine.

TVM compiles a Relax function to bytecode that runs once. `tvmfuse.loop` becomes an indirect call of
its function, and the function that is called a few instructions around the one that TVM compiled:
they jump back while the first of its results is true.
"""

from __future__ import annotations

from collections.abc import Mapping

from tvm import IRModule, relax
from tvm.ir import GlobalVar
from tvm.relax.expr_functor import PyExprMutator, mutator
from tvm.target import Target

from tvmfuse.build.operand_checks import without_checks
from tvmfuse.errors import CompilationError
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.loops import LOOP, is_body
from tvmfuse.ir.map_functions import map_functions

#: What TVM's machine calls a function by that it is given, with these operands.
INVOKE = "vm.builtin.invoke_closure"


def bodies_of(module: IRModule) -> Mapping[GlobalVar, relax.Function]:
    """Return the functions that run again and again."""
    return {name: f for name, f in module.functions_items() if is_body(f)}


def check_loops(module: IRModule, target: Target) -> None:
    """Refuse loops on a GPU.

    Raises:
        CompilationError: There are some, and the target is one.
    """
    if target.kind.name != "llvm" and bodies_of(module):
        raise CompilationError(
            "a loop whose number of iterations shows as the model runs is compiled for the CPU "
            f"alone, and the target is {target.kind.name}: compile for llvm"
        )


def with_indirect_calls(module: IRModule) -> IRModule:
    """Make an indirect call of each `tvmfuse.loop`; the module has no dataflow blocks any more."""
    return map_functions(module, lambda f: _Invoke().visit_expr(f)) if bodies_of(module) else module


def with_steps(module: IRModule) -> IRModule:
    """Name the bytecode of each body apart from the body, whose name the loop is called by.

    It does not check in every iteration what is known of its operands' types.
    """
    steps = {
        name: without_checks(body, body.params).with_attr("global_symbol", _step(name.name_hint))
        for name, body in bodies_of(module).items()
    }
    return IRModule({**module.functions, **steps}, module.attrs, module.global_infos)


def emit_loops(builder: relax.ExecBuilder, module: IRModule) -> None:
    """Emit the loop around each body.

    Args:
        builder: Holds the bytecode of the module that `with_steps` returned.
        module: That module.
    """
    for name, body in bodies_of(module).items():
        _emit_loop(builder, name.name_hint, len(body.params), len(body.ret_ty.fields))


def _emit_loop(builder: relax.ExecBuilder, name: str, takes: int, carries: int) -> None:
    """Emit a function that runs its step while the first of `carries` tensors is true.

    What is carried stands in the first registers, where each step's results take its place.
    """
    results, goes_on = takes, takes + 1
    with builder.function(name, num_inputs=takes):
        builder.emit_call("vm.builtin.read_if_cond", [builder.r(0)], dst=goes_on)
        builder.emit_if(builder.r(goes_on), carries + 3)
        builder.emit_call(_step(name), [builder.r(place) for place in range(takes)], dst=results)
        for place in range(carries):
            operands = [builder.r(results), builder.imm(place)]
            builder.emit_call("vm.builtin.tuple_getitem", operands, dst=place)
        builder.emit_goto(-(carries + 3))
        carried = [builder.r(place) for place in range(carries)]
        builder.emit_call("vm.builtin.make_tuple", carried, dst=results)
        builder.emit_ret(builder.r(results))


def _step(name: str) -> str:
    return f"{name}.step"


@mutator
class _Invoke(PyExprMutator):
    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        value = binding.value
        if op_name(value) == LOOP:
            value = relax.op.call_builtin_with_ctx(
                INVOKE, relax.Tuple(value.args), ty_args=[*value.ty_args]
            )
        super().visit_var_binding_(relax.VarBinding(binding.var, value))
