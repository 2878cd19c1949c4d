"""Outputs that may take the memory of an input: a cache, of which a step changes some rows.

`main` never writes to what it is given. Where it can be done without a copy, a second function
beside it computes the same, and writes outputs into the inputs that they continue. An output takes
an input's memory where all of this is proven:

- both have one shape and one dtype, and no other output takes that input's memory or is it;
- a kernel makes the output of the input, directly or after others such, and has a form that stores
  only what changes (`in_place`);
- nothing reads the input, by whatever name or view, once that kernel ran, and the kernel reads it
  as that one operand only.

The sizes that a call has to be given, and the memory of its inputs, are no matter of this file: at
run time `runtime.apart` sees to it that no two inputs overlap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tvm import IRModule, relax
from tvm.ir import Call, Expr
from tvm.relax.analysis import free_vars
from tvm.relax.op import call_tir_inplace
from tvm.relax.utils import copy_with_new_vars
from tvm.tirx import PrimFunc
from tvm_ffi import structural_equal

from tvmfuse.build.aliasing import (
    CALL_TIR,
    aliased_outputs,
    bindings,
    memory,
    other_name,
    outputs,
    source,
)
from tvmfuse.build.in_place import InPlace
from tvmfuse.ir.copies import can_be_copied
from tvmfuse.ir.loops import callers
from tvmfuse.ir.replace import replace
from tvmfuse.runtime.functions import IN_PLACE


@dataclass(frozen=True)
class Write:
    """A kernel that may write into the memory of an operand.

    Attributes:
        var: Its result.
        operand: Whose memory.
        kernel: Its form that does so.
    """

    var: relax.Var
    operand: int
    kernel: PrimFunc


def with_sharing(module: IRModule, inputs: int) -> tuple[IRModule, Mapping[int, int]]:
    """Add the function that writes outputs into inputs, where there are any to write so.

    Args:
        module: `main` calls kernels that are not scheduled yet; reshapes are views.
        inputs: How many of its first parameters may be written to.

    Returns:
        The module, as it was where no output can share memory; and for each output that can, by
        its index, the index of the input.
    """
    main = module["main"]
    if not _may_share(main, inputs) or len(callers(module)) > 1:  # loops hand weights on
        return module, {}
    chains = _Reads(module).chains(inputs)
    if not chains or not can_be_copied(main):
        return module, {}
    builder = relax.BlockBuilder(module)
    values, plan = dict(bindings(main)), dict[relax.Var, Expr]()
    for write in (write for _, writes in chains.values() for write in writes):
        call = values[write.var]
        kernel = builder.add_func(write.kernel, f"{call.args[0].name_hint}_in_place")
        plan[write.var] = call_tir_inplace(kernel, call.args[1], write.operand, call.ty)
    changed = copy_with_new_vars(replace(main, plan)).with_attr("global_symbol", IN_PLACE)
    builder.add_func(changed, IN_PLACE)
    made = IRModule(dict(builder.get().functions_items()), attrs=module.attrs)
    return made, {place: taken for place, (taken, _) in chains.items()}


def _may_share(main: relax.Function, inputs: int) -> bool:
    """Whether any output has the type of any input: most models have none."""
    returned = main.ret_ty.fields if isinstance(main.ret_ty, relax.TupleType) else []
    taken = [p.ty for p in main.params[:inputs]]
    return any(_same_type(given, made) for made in returned for given in taken)


def _same_type(one: relax.TensorType, other: relax.TensorType) -> bool:
    same_dtype = one.dtype == other.dtype and one.ndim == other.ndim
    return same_dtype and structural_equal(one.shape, other.shape)


def _may_hand_on(value: Expr) -> bool:
    """Whether a value may lie in the memory of what it reads: a branch's, that returns its own."""
    computed = isinstance(value, Call) and value.op == CALL_TIR
    return not computed and isinstance(value.ty, relax.TensorType | relax.TupleType)


class _Reads:
    """What each value of `main` is made of, and when it is read for the last time."""

    def __init__(self, module: IRModule) -> None:
        self._module = module
        self._main = module["main"]
        self._values = dict(bindings(self._main))
        blocks = self._main.body.blocks
        checked = (b for block in blocks for b in block.bindings if isinstance(b, relax.MatchCast))
        self._checked = {binding.var for binding in checked}
        self._places = {var: place for place, var in enumerate(self._values)}
        self._last: dict[tuple[Expr, int], int] = {}
        for place, value in enumerate(self._values.values()):
            if other_name(value) is None:
                end = len(self._values) if _may_hand_on(value) else place
                for read in free_vars(value):
                    memory_read = self._memory(read)
                    self._last[memory_read] = max(end, self._last.get(memory_read, 0))
        self._params = {*self._main.params}
        self._made_of: dict[Expr, Mapping[relax.Var, Sequence[Write]]] = {}
        self._outputs = outputs(self._main, self._values)
        self._returned = {self._memory(output) for output in self._outputs}

    def chains(self, inputs: int) -> dict[int, tuple[int, Sequence[Write]]]:
        """Return for each output that may share an input's memory that input, and who writes."""
        found: dict[int, tuple[int, Sequence[Write]]] = {}
        own = set(range(len(self._outputs))) - set(aliased_outputs(self._main))
        for taken, param in enumerate(self._main.params[:inputs]):
            for place in sorted(own - found.keys()):
                output = self._outputs[place]
                alike = _same_type(output.ty, param.ty)
                writes = self._writes(output).get(param) if alike else None
                if writes:
                    found[place] = taken, writes
                    break
        return found

    def _writes(self, output: Expr) -> Mapping[relax.Var, Sequence[Write]]:
        """Return the kernels that make an output of a parameter, one after the other, for each."""
        var = source(output, self._values)
        if var not in self._made_of:
            self._made_of[var] = self._writes_of(var)
        return self._made_of[var]

    def _writes_of(self, var: Expr) -> Mapping[relax.Var, Sequence[Write]]:
        value = self._values.get(var)
        if not isinstance(value, Call) or value.op != CALL_TIR or var in self._checked:
            return {}
        found: dict[relax.Var, Sequence[Write]] = {}
        kernel = InPlace(self._module[value.args[0]])
        for operand, given in self._ends_at(var, value):
            changed = kernel.into(operand)
            if changed is None:
                continue
            origin, write = source(given, self._values), Write(var, operand, changed)
            before = {origin: []} if origin in self._params else self._writes(given)
            for param, writes in before.items():
                found.setdefault(param, [*writes, write])
        return found

    def _ends_at(self, var: relax.Var, call: Call) -> Iterator[tuple[int, Expr]]:
        """Yield the operands of a call that nothing else reads from then on."""
        operands = call.args[1].fields
        read = [self._memory(operand) for operand in operands]
        times = Counter(read)
        for place, (operand, known) in enumerate(zip(operands, read, strict=True)):
            alone = times[known] == 1 and known not in self._returned
            if alone and self._last.get(known) == self._places[var]:
                yield place, operand

    def _memory(self, expr: Expr) -> tuple[Expr, int]:
        return memory(source(expr, self._values), self._values)
