"""Reading a module's `main` as steps: `steps_of`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tvm import IRModule, relax
from tvm.ir import Call as CallExpr, Expr, GlobalVar, TupleGetItem, Var
from tvm.relax.utils import copy_with_new_vars
from tvm.tirx import PrimFunc

from tvmfuse.build.main_steps import (
    Branch,
    Call,
    Copy,
    Loop,
    Match,
    Memory,
    Numbers,
    Step,
    Steps,
    Take,
    Value,
    View,
)
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.kernels import RESHAPE
from tvmfuse.ir.loops import LOOP
from tvmfuse.schedules.expressions import variables

ALLOCATE: Final = "relax.builtin.alloc_tensor"
SHAPE_OF: Final = "relax.shape_of"
SIZES: Final = "relax.tensor_to_shape"


class UnreadableError(Exception):
    """A function holds what no step does: a defect of whatever made it."""


def steps_of(module: IRModule, name: str = "main") -> Steps:
    """Read a module's `main`, or another function of the same parameters.

    Raises:
        UnreadableError: It does what no step does.
    """
    return _Reader(module).read(name)


class _Reader:
    def __init__(self, module: IRModule) -> None:
        self._module = module
        self._values: dict[Expr, Value] = {}
        self._memories: list[Memory] = []
        self._known = set[Var]()  # the variables of sizes that have a value
        self._count = self._depth = self._calls = 0

    def read(self, name: str) -> Steps:
        main = self._module[name]
        given = [self._memory(param.ty) for param in main.params]
        for param, memory in zip(main.params, given, strict=True):
            self._values[param] = View(memory, memory.sizes)
            self._known.update(variables(*memory.sizes))
        steps, result = self._body(main.body)
        results = self._views(result)
        self._use(*(view.memory for view in results))
        for memory in reversed(self._memories):
            for other in memory.among or ():
                other.used += memory.used
        return Steps(steps, given, self._memories, results, self._calls)

    # --- Values

    def _value(self, expr: Expr) -> Value:
        if isinstance(expr, relax.Tuple):
            return [self._value(part) for part in expr.fields]
        if isinstance(expr, TupleGetItem):
            whole = self._value(expr.tuple_value)
            if not isinstance(whole, list):
                raise UnreadableError(f"a tuple: {expr}")
            found: Value = whole[expr.index]
            return found
        if isinstance(expr, relax.ShapeExpr):
            return expr
        if (known := self._values.get(expr)) is None:
            raise UnreadableError(f"a value: {expr}")
        return known

    def _view(self, expr: Expr) -> View:
        value = self._value(expr)
        if not isinstance(value, View):
            raise UnreadableError(f"no tensor: {expr}")
        return value

    def _views(self, value: Value) -> list[View]:
        values = value if isinstance(value, list) else [value]
        views = [each for each in values if isinstance(each, View)]
        if len(views) != len(values):
            raise UnreadableError(f"no tensors: {value}")
        return views

    def _memory(self, ty: relax.Type, sizes: Sequence[Expr] | None = None) -> Memory:
        found = shape_of(ty) if sizes is None else sizes
        if not isinstance(ty, relax.TensorType) or found is None:
            raise UnreadableError(f"a tensor of unknown rank: {ty}")
        memory = Memory(found, str(ty.dtype.dtype), self._count, is_nested=self._depth > 0)
        self._memories.append(memory)
        return memory

    def _allocated(self, ty: relax.Type, sizes: Sequence[Expr] | None = None) -> Memory:
        memory = self._memory(ty, sizes)
        memory.is_own = True
        return memory

    def _use(self, *memories: Memory) -> None:
        for memory in memories:
            memory.used.append(self._count)
        self._count += 1

    # --- Steps

    def _body(self, body: relax.SeqExpr) -> tuple[list[Step], Value]:
        bindings = (binding for block in body.blocks for binding in block.bindings)
        steps = [step for binding in bindings for step in self._binding(binding)]
        return steps, self._value(body.body)

    def _binding(self, binding: relax.Binding) -> Iterator[Step]:
        var, value = binding.var, binding.value
        if isinstance(binding, relax.MatchCast):
            yield from self._matched(var, value)
        elif op_name(value) == ALLOCATE:
            memory = self._allocated(var.ty)
            self._values[var] = View(memory, memory.sizes)
            yield Take(memory)
        elif op_name(value) == LOOP:
            yield from self._loop(var, value)
        elif isinstance(value, relax.If):
            yield self._branch(var, value)
        elif isinstance(value, CallExpr) and isinstance(value.op, GlobalVar):
            yield from self._called(var, value)
        else:
            self._values[var] = self._seen(value, var.ty)

    def _seen(self, value: Expr, ty: relax.Type) -> Value:
        """Return what takes no step: other names, and sizes."""
        name = op_name(value)
        if name == RESHAPE and (sizes := shape_of(ty)) is not None:
            return View(self._view(value.args[0]).memory, sizes)
        if name == SIZES:
            return Numbers(self._view(value.args[0]).memory)
        if name == SHAPE_OF:
            return relax.ShapeExpr(self._view(value.args[0]).sizes)
        return self._value(value)

    def _called(self, var: relax.Var, call: CallExpr) -> Iterator[Step]:
        """Yield the call of a kernel, or the steps of a function."""
        function = self._module[call.op]
        if isinstance(function, PrimFunc):
            yield self._call(call)
        else:
            yield from self._inlined(var, function, call.args)

    def _inlined(
        self, var: relax.Var, function: relax.Function, operands: Sequence[Expr]
    ) -> Iterator[Step]:
        """Yield the steps of a function that is called."""
        body = copy_with_new_vars(function)
        for param, operand in zip(body.params, operands, strict=True):
            yield from self._parameter(param, self._value(operand))
        steps, self._values[var] = self._body(body.body)
        yield from steps

    def _call(self, call: CallExpr) -> Call:
        tensors = (isinstance(operand.ty, relax.TensorType) for operand in call.args)
        operands = [self._sized(o) if t else o for o, t in zip(call.args, tensors, strict=True)]
        memories = [view.memory if isinstance(view, View) else None for view in operands]
        new = [n for n, m in enumerate(memories) if m is not None and m.is_own and not m.used]
        self._use(*(memory for memory in memories if memory is not None))
        self._calls += 1
        return Call(call.op.name_hint, operands, new)

    def _sized(self, operand: Expr) -> View:
        """Return an operand, of its type's sizes: kernels were compiled for those."""
        view, sizes = self._view(operand), shape_of(operand.ty)
        return view if sizes is None else View(view.memory, sizes)

    def _matched(self, var: relax.Var, value: Expr) -> Iterator[Match]:
        found = self._value(value)
        if isinstance(found, Numbers):
            wanted = shape_of(var.ty) or []
            self._use(found.memory)
            self._values[var] = relax.ShapeExpr(wanted)
            yield self._match(found.memory, wanted)
            return
        is_tuple = isinstance(var.ty, relax.TupleType)
        views, cast = self._views(found), list[View]()
        for view, ty in zip(views, var.ty.fields if is_tuple else [var.ty], strict=True):
            sizes = shape_of(ty)
            cast.append(View(view.memory, view.sizes if sizes is None else sizes))
            if sizes is not None:
                yield self._match(view.sizes, sizes)
        self._values[var] = cast if is_tuple else cast[0]

    def _match(self, found: Sequence[Expr] | Memory, wanted: Sequence[Expr]) -> Match:
        is_new = []
        for size in wanted:
            is_new.append(isinstance(size, Var) and size not in self._known)
            if is_new[-1]:
                self._known.add(size)
            elif not self._known.issuperset(variables(size)):
                raise UnreadableError(f"a size: {size}")
        return Match(found, wanted, is_new)

    def _branch(self, var: relax.Var, value: relax.If) -> Branch:
        condition = self._view(value.cond).memory
        self._use(condition)
        self._depth += 1
        sides, results = [], []
        for body in (value.true_branch, value.false_branch):
            steps, result = self._body(body)
            self._use(*(view.memory for view in self._views(result)))
            sides.append(steps)
            results.append(self._views(result))
        self._depth -= 1
        types = var.ty.fields if isinstance(var.ty, relax.TupleType) else [var.ty]
        joined = [
            self._joined(ty, [side[place].memory for side in results])
            for place, ty in enumerate(types)
        ]
        views = [View(memory, memory.sizes) for memory in joined]
        self._values[var] = views if isinstance(var.ty, relax.TupleType) else views[0]
        return Branch(condition, sides, results, joined)

    def _joined(self, ty: relax.Type, among: list[Memory]) -> Memory:
        """Return what is one of some memories, of sizes that are not known but for numbers."""
        sizes = shape_of(ty) or [Var("size", "int64")] * ty.ndim
        memory = self._memory(ty, self._later(sizes))
        memory.among = among
        return memory

    def _later(self, sizes: Sequence[Expr]) -> list[Expr]:
        """Return sizes of which those that are no numbers are variables, that a run tells."""
        told = [Var("size", "int64") if variables(size) else size for size in sizes]
        self._known.update(variables(*told))
        return told

    def _loop(self, var: relax.Var, call: CallExpr) -> Iterator[Step]:
        function, *operands = call.args
        body = copy_with_new_vars(self._module[function])
        carries = len(body.ret_ty.fields)
        begin = self._views([self._value(operand) for operand in operands[:carries]])
        start = self._count
        self._use(*(view.memory for view in begin))
        states = [
            self._joined(param.ty, [view.memory])
            for param, view in zip(body.params, begin, strict=False)
        ]
        self._depth += 1
        steps = list[Step]()
        for param, state in zip(body.params, states, strict=False):
            steps += self._parameter(param, View(state, state.sizes))
        for param, operand in zip(body.params[carries:], operands[carries:], strict=True):
            steps += self._parameter(param, self._value(operand))
        inner, result = self._body(body.body)
        results = self._views(result)
        steps += [*inner, *self._own_results(body.ret_ty.fields, states, results)]
        self._depth -= 1
        self._use(*(view.memory for view in results), *states)
        for memory in self._memories:
            if memory.born < start and any(used > start for used in memory.used):
                memory.used.append(self._count)
        last = [View(state, self._later(state.sizes)) for state in states]
        self._values[var] = last
        yield Loop(begin, states, steps, results, last)

    def _parameter(self, param: relax.Var, value: Value) -> Iterator[Match]:
        """Give a body's parameter its value, and the sizes in its type theirs."""
        sizes = shape_of(param.ty)
        if isinstance(value, View):
            self._values[param] = View(value.memory, value.sizes if sizes is None else sizes)
            found = value.sizes
        elif isinstance(value, relax.ShapeExpr):
            self._values[param], found = value, value.values
        else:
            raise UnreadableError(f"a parameter: {param}")
        pairs = [
            (own, given)
            for own, given in zip(sizes or (), found, strict=False)
            if isinstance(own, Var) and own not in self._known
        ]
        if pairs:
            yield self._match([given for _, given in pairs], [own for own, _ in pairs])

    def _own_results(
        self, types: Sequence[relax.Type], states: Sequence[Memory], results: list[View]
    ) -> Iterator[Step]:
        """Yield copies of what an iteration passes on and did not allocate; note what it did."""
        sources = [view.memory for view in results]
        for place, (ty, view) in enumerate(zip(types, results, strict=True)):
            memory = view.memory
            if memory is states[place]:
                continue
            if not memory.is_own or memory.born < states[0].born or memory.changes_hands:
                memory = self._allocated(ty, view.sizes)
                yield Take(memory)
                yield Copy(view, memory)
                self._use(memory)
                results[place] = View(memory, view.sizes)
            memory.changes_hands = states[place].changes_hands = True
        self._use(*sources)  # none is written over before all are copied


def shape_of(ty: relax.Type) -> Sequence[Expr] | None:
    """Return the sizes that a type of tensors or of sizes has; None where it has none."""
    if isinstance(ty, relax.ShapeType):
        return [*ty.values]
    if not isinstance(ty, relax.TensorType):
        raise UnreadableError(f"a type: {ty}")
    return [*ty.shape.values] if isinstance(ty.shape, relax.ShapeExpr) else None
