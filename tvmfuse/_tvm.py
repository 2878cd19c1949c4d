"""All of TVM that is private, found by its registered name, or apt to change with a version.

A new version of TVM is first of all a matter of this file, of `tvm_runtime`, which does the same
for running where no compiler is, and of `docs/tvm-0.27.md`. Nothing else in the package takes a
function of TVM by its name or uses one that begins with an underscore.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import tvm_ffi
from tvm import IRModule, relax
from tvm.ir import Call, Expr, _ffi_api as ir_ffi
from tvm.relax.frontend.onnx import onnx_frontend
from tvm.relax.transform.legalize_ops import linear_algebra, nn, statistical
from tvm.target import Target
from tvm_ffi import WalkOrder, _ffi_api as tvm_ffi_api
from tvm_ffi.structural import _callback_type_to_type_index

#: What TVM's runtime puts before the name of a function that it looks up in a library.
SYMBOL_PREFIX: Final = "__tvm_ffi_"

#: The pass by which tensors share memory; it lets one branch of an If use what only the other one
#: allocates.
PLANS_MEMORY: Final = "StaticPlanBlockMemory"

#: A node comes after its parts, or before them.
AFTER: Final = WalkOrder.POSTORDER
BEFORE: Final = WalkOrder.PREORDER

#: TVM's own lowerings of sums, by operator: those registered are the same until they are replaced.
STOCK_LOWERINGS: Final[Mapping[str, Callable[[relax.BlockBuilder, Call], Expr]]] = {
    "relax.mean": statistical._mean,  # noqa: SLF001
    "relax.variance": statistical._variance,  # noqa: SLF001
    "relax.einsum": linear_algebra._einsum,  # noqa: SLF001
    "relax.nn.softmax": nn._nn_softmax,  # noqa: SLF001
    "relax.nn.log_softmax": nn._nn_log_softmax,  # noqa: SLF001
    "relax.nn.avg_pool1d": nn._nn_avg_pool1d,  # noqa: SLF001
    "relax.nn.avg_pool2d": nn._nn_avg_pool2d,  # noqa: SLF001
    "relax.nn.avg_pool3d": nn._nn_avg_pool3d,  # noqa: SLF001
}


def llvm_module(functions: IRModule, target: Target) -> Any:
    """Return the LLVM module of lowered PrimFuncs, for a target of kind ``llvm``."""
    return tvm_ffi.get_global_func("target.build.llvm")(functions, target)


def walk(root: Any, *seen: tuple[type, Callable[[Any], Any]], order: WalkOrder = AFTER) -> None:
    """Do as `tvm_ffi.structural_walk`, which takes four times as long to begin.

    Args:
        root: What is walked through.
        seen: Kinds of nodes, and what is called with each of a kind: the first that fits.
        order: Whether a node comes before its parts or after them.
    """
    tvm_ffi_api.StructuralWalk(root, [(_index(kind), visit) for kind, visit in seen], [], order)


def mapped(root: Any, *changes: tuple[type, Callable[[Any], Any]]) -> Any:
    """Do as `tvm_ffi.structural_map`, a node after its parts; see `walk`."""
    entries = [(_index(kind), change) for kind, change in changes]
    return tvm_ffi_api.StructuralMap(root, entries, [], AFTER)


@cache
def _index(kind: type) -> int:
    index: int = _callback_type_to_type_index(kind, api_name="structural_walk")
    return index


def register_operator(name: str, doc: str) -> None:
    """Register a Relax operator, without attributes."""
    ir_ffi.RegisterOp(name, doc)


def begin_binding_block(builder: relax.BlockBuilder) -> None:
    """Begin a block of bindings inside the one that is being built."""
    builder._begin_binding_block()  # noqa: SLF001


def end_block(builder: relax.BlockBuilder) -> relax.BindingBlock:
    """End the innermost block of bindings, and return it."""
    return builder._end_block()  # noqa: SLF001


def onnx_converters() -> Mapping[str, Any]:
    """Return TVM's own ONNX converters: operator -> class with `get_converter(opset)`."""
    converters: Mapping[str, Any] = onnx_frontend._get_convert_map()  # noqa: SLF001
    return converters


def onnx_operands(operands: Iterable[Expr | None]) -> Sequence[Expr | None]:
    """Return operands as these converters take them: None where they ask for one too many."""
    given: Sequence[Expr | None] = onnx_frontend.onnx_input(operands)
    return given


def bytecode_object(module: Any) -> Any:
    """Return TVM's LLVM module that holds, as data, the bytecode which calls the kernels.

    Args:
        module: An executable's module, whose only import is LLVM's module of the kernels.
    """
    (kernels,) = module.imports
    pack = _function("runtime.ModulePackImportsToLLVM")
    return pack(module, False, kernels["_get_target_string"](), "")  # noqa: FBT003


def llvm_from_ir(path: Path) -> Any:
    """Return TVM's LLVM module of a file in LLVM's own text form, which states its processor."""
    return _function("ffi.Module.load_from_file.ll")(str(path), "ll")


def serialized_imports(module: Any) -> bytes:
    """Return TVM's serialization of the modules that this one imports."""
    return np.from_dlpack(_function("runtime.ModulePackImportsToTensor")(module)).tobytes()


def _function(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = tvm_ffi.get_global_func(name)
    return function
