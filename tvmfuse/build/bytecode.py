"""The virtual machine's code: what TVM makes of Relax functions, less what runs can do without."""

from __future__ import annotations

from collections.abc import Sequence

from tvm import IRModule, relax
from tvm.ir.transform import Pass, Sequential

from tvmfuse import _tvm
from tvmfuse.build.large_pages import with_large_pages
from tvmfuse.build.loops import emit_loops, with_steps
from tvmfuse.build.needless_calls import without_needless_calls
from tvmfuse.build.operand_checks import emit_weight_checks, with_trusted_operands
from tvmfuse.build.size_calls import with_own_size_calls
from tvmfuse.build.sized_tensors import with_sized_tensors
from tvmfuse.build.storages import with_shared_storages
from tvmfuse.build.tensor_storages import with_tensor_storages


def emit_bytecode(
    module: IRModule, finalize: Sequence[Pass], weights: int
) -> tuple[relax.ExecBuilder, IRModule]:
    """Compile Relax functions to bytecode.

    Args:
        module: No function has dataflow blocks.
        finalize: TVM's passes that make the module what bytecode is made of.
        weights: How many of the last parameters of `main` are weights.

    Returns:
        What holds the bytecode, and the PrimFuncs.
    """
    names = [p.info.name for p in finalize]
    planned, lowered = (names.index(p) + 1 for p in (_tvm.LOWERS_ALLOCATIONS, _tvm.LOWERS_BUILTINS))
    module = with_shared_storages(Sequential(finalize[:planned])(module))
    module = with_tensor_storages(Sequential(finalize[planned:lowered])(module))
    module = without_needless_calls(with_steps(Sequential(finalize[lowered:])(module)))
    module = with_own_size_calls(with_trusted_operands(module))
    module = with_large_pages(with_sized_tensors(module))
    builder = relax.ExecBuilder()
    left = _tvm.bytecode(builder, module)
    emit_loops(builder, module)
    params = module["main"].params
    emit_weight_checks(builder, params[len(params) - weights :])
    return builder, left
