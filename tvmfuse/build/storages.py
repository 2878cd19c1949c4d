"""Memory of symbolic sizes, for one tensor after another.

TVM plans memory whose sizes are known, and gives each other tensor some of its own. Here one that
is needed no more makes room for a later one, whichever of both is larger as the model runs::

    s = alloc_storage(n * h * w)            s = alloc_storage(max(n * h * w, n * t))
    ...  # the last use of what lies in s   ...
    t = alloc_storage(n * t)                # what lay in t lies in s

So a run touches less memory, which stays near, and asks for it less often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import tvm_ffi
from tvm import IRModule, relax, sym, tirx
from tvm.ir import Call, Expr, GlobalVar, Op
from tvm.relax import Var
from tvm.relax.analysis import free_vars

from tvmfuse.ir.kernels import call_like

ALLOC_STORAGE: Final = "relax.memory.alloc_storage"
ALLOC_TENSOR: Final = "relax.memory.alloc_tensor"
#: What gives a tensor another shape, in the same memory.
VIEWS: Final = ("relax.reshape", "relax.memory.view")
#: What a symbolic size is taken to be, to see which of two is larger.
LIKELY: Final = 128


def with_shared_storages(module: IRModule) -> IRModule:
    """Return the module with fewer storages, where their sizes are symbolic.

    Args:
        module: After TVM's `LowerAllocTensor`: storages and the tensors in them are bindings.
    """
    functions = dict(module.functions_items())
    for name, function in functions.items():
        if isinstance(function, relax.Function) and isinstance(function.body, relax.SeqExpr):
            functions[name] = _shared(function, module)
    return IRModule(functions, attrs=module.attrs, global_infos=module.global_infos)


@dataclass(eq=False)
class _Storage:
    """Memory that tensors lie in.

    Attributes:
        var: The variable.
        call: What allocates it.
        size: Its bytes, for all that lies there.
        begin: The binding that allocates it.
        end: The last binding that reads or writes what lies there; None where that is unknown.
    """

    var: Var
    call: Call
    size: Expr
    begin: int
    end: int | None

    @property
    def likely(self) -> int:
        """Bytes, if each symbolic size is likely."""
        likely = (tirx.Var, lambda var: tirx.const(LIKELY, var.ty.dtype))
        found = sym.Analyzer().simplify(tvm_ffi.structural_map(self.size, likely))
        return int(found) if isinstance(found, tirx.IntImm) else LIKELY


def _shared(function: relax.Function, module: IRModule) -> relax.Function:
    bindings = [b for block in function.body.blocks for b in block.bindings]
    storages = _storages(bindings, function.body.body, module)
    if all(isinstance(storage.size, tirx.IntImm) for storage in storages):
        return function
    places = _plan(storages, _known_at_entry(function))
    kept = {storage.var: storage for storage in places.values()}
    blocks = [
        relax.BindingBlock([*_changed(block.bindings, places, kept)])
        for block in function.body.blocks
    ]
    return relax.Function(
        function.params,
        relax.SeqExpr(blocks, function.body.body),
        *(function.ret_ty, function.is_pure, function.attrs, function.span),
    )


def _storages(bindings: Sequence[relax.Binding], result: Expr, module: IRModule) -> list[_Storage]:
    """Return the storages of a function, in the order in which they are allocated."""
    found: dict[Var, _Storage] = {}
    within: dict[Var, _Storage] = {}
    for place, binding in enumerate(bindings):
        value = binding.value
        if _is(value, ALLOC_STORAGE):
            (size,) = value.args[0].values
            found[binding.var] = _Storage(binding.var, value, size, place, place)
            continue
        if _is(value, ALLOC_TENSOR) and value.args[0] in found:
            within[binding.var] = found[value.args[0]]
            continue
        used = [within[var] for var in free_vars(value) if var in within]
        named = isinstance(value, Var) or any(_is(value, op) for op in VIEWS)
        if used and named:
            (within[binding.var],) = used
        for storage in used:
            if not (named or _is_kernel(value, module)):
                storage.end = None
            elif storage.end is not None:
                storage.end = place
    for var in free_vars(result):
        if var in within:
            within[var].end = None
    return [*found.values()]


def _plan(storages: Sequence[_Storage], known: set[tirx.Var]) -> dict[Var, _Storage]:
    """Return for each storage the one that it is a part of, or itself.

    Of those that are free, the smallest that is large enough, or else the largest.
    """
    places: dict[Var, _Storage] = {}
    kept: list[_Storage] = []
    for storage in storages:
        may_move = storage.end is not None and known.issuperset(_sizes(storage.size))
        free = [s for s in kept if may_move and _fits(s, storage)]
        wanted = storage.likely
        enough = [s for s in free if s.likely >= wanted]
        if not free:
            places[storage.var] = storage
            kept.append(storage)
            continue
        chosen = min(enough, key=_likely) if enough else max(free, key=_likely)
        chosen.size, chosen.end = _larger(chosen.size, storage.size), storage.end
        places[storage.var] = chosen
    return places


def _fits(free: _Storage, wanted: _Storage) -> bool:
    """Whether a storage holds nothing any more where another one is allocated, of its kind."""
    apart = free.end is not None and free.end < wanted.begin
    kinds = zip(free.call.args[1:3], wanted.call.args[1:3], strict=True)
    return apart and all(tvm_ffi.structural_equal(a, b) for a, b in kinds)


def _likely(storage: _Storage) -> int:
    return storage.likely


def _larger(one: Expr, other: Expr) -> Expr:
    known = sym.Analyzer()
    for var in _sizes(tirx.max(one, other)):
        known.update(var, sym.ConstIntBound(0, sym.ConstIntBound.POS_INF))
    return known.simplify(tirx.max(one, other))


def _changed(
    bindings: Sequence[relax.Binding], places: dict[Var, _Storage], kept: dict[Var, _Storage]
) -> Iterator[relax.Binding]:
    for binding in bindings:
        var, value = binding.var, binding.value
        if var in kept:
            size = relax.ShapeExpr([kept[var].size])
            yield relax.VarBinding(var, call_like(value, args=[size, *value.args[1:]]))
        elif _is(value, ALLOC_TENSOR) and value.args[0] in places:
            storage = places[value.args[0]].var
            yield relax.VarBinding(var, call_like(value, args=[storage, *value.args[1:]]))
        elif var not in places:
            yield binding


def _known_at_entry(function: relax.Function) -> set[tirx.Var]:
    """Return the sizes that the parameters tell."""
    return {
        var
        for param in function.params
        for var in relax.analysis.definable_tir_vars_in_type(param.ty)
    }


def _sizes(size: Expr) -> set[tirx.Var]:
    return {*tirx.analysis.undefined_vars(size)}


def _is(value: Expr, operator: str) -> bool:
    return isinstance(value, Call) and isinstance(value.op, Op) and value.op.name == operator


def _is_kernel(value: Expr, module: IRModule) -> bool:
    """Whether a binding calls a kernel, which keeps nothing that it is given."""
    if not isinstance(value, Call) or not isinstance(value.op, GlobalVar):
        return False
    return isinstance(module.functions.get(value.op), tirx.PrimFunc)
