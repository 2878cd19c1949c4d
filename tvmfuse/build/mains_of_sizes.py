"""The virtual machine's code for sizes that a caller names, beside that for all.

Kernels have code of their own for such sizes (`schedules.specialize`); here is what calls them,
which then neither finds out sizes nor makes shapes of them::

    main(x: (n, 64)):                       main_of_sizes_0(x: (8, 64)):
        h = tvmfuse_size_heap(1, x, ...)        a = alloc_tensor([8, 64])
        a = alloc_tensor(shape(h, ...))         kernel(x, a)
        kernel(x, a)                            ...
        ...

Which is called is chosen in each run (`runtime.choices`), not in the machine, whose calls to tell
and to branch take as long as it spares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import IRModule, relax, tirx
from tvm.ir import Call, Expr, GlobalVar
from tvm.relax import Var, VarBinding
from tvm.relax.utils import copy_with_new_vars

from tvmfuse.runtime.choices import InputSize, name_of

#: Of `main`: for each set of sizes, for each of them an input's place, an axis, and the size.
SIZES: Final = "tvmfuse.input_sizes"


def with_input_sizes(main: relax.Function, named: Sequence[Sequence[InputSize]]) -> relax.Function:
    """Return `main` that is to have code of its own for some sizes of its inputs."""
    return main.with_attr(SIZES, [[list(size) for size in sizes] for sizes in named])


def with_mains_of_sizes(module: IRModule) -> IRModule:
    """Return the module with a function for each set of sizes that is noted.

    There is none where `main` is more than kernels, one after the other.

    Args:
        module: `main` calls kernels with `R.call_tir`.
    """
    main = module["main"]
    if SIZES not in main.attrs:
        return module
    functions = dict(module.functions_items())
    named = main.attrs[SIZES] if _is_plain(module) else ()
    functions[module.get_global_var("main")] = main = main.without_attr(SIZES)
    for number, sizes in enumerate(named):
        at: dict[tirx.Var, Expr] = {}
        for place, axis, size in sizes:
            var = main.params[place].ty.shape[axis]
            if isinstance(var, tirx.Var):  # else the model has turned out to fix it
                at[var] = tirx.const(int(size), var.ty.dtype)
        own = copy_with_new_vars(main.bind_symbolic_vars(at))
        name = name_of(number)
        functions[GlobalVar(name)] = own.with_attr("global_symbol", name)
    return IRModule(functions, module.attrs, module.global_infos)


def _is_plain(module: IRModule) -> bool:
    """Whether `main` is kernels alone, and nothing else calls them."""
    others = [f for f in module.functions.values() if isinstance(f, relax.Function)]
    bindings = [binding for block in module["main"].body.blocks for binding in block.bindings]
    plain = (Call, relax.Tuple, relax.TupleGetItem, Var)
    return len(others) == 1 and all(
        isinstance(binding, VarBinding) and isinstance(binding.value, plain) for binding in bindings
    )
