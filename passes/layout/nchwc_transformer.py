"""Channels in blocks, from one convolution to the next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tvm import IRModule, relax
from tvm.ir import Call, Expr, TupleGetItem
from tvm.relax import DataflowVar, Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.dataflow import TUPLE_GET_ITEM, Dataflow, op_name
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.parts import SPLIT, as_slice
from tvmfuse.ir.provenance import nodes_of, values_of, with_nodes
from tvmfuse.ir.replace import drop_unused
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import shape_of
from tvmfuse.manifest import StoredValue
from tvmfuse.ops import from_blocked, to_blocked
from tvmfuse.ops.epilogue import has_epilogue
from tvmfuse.ops.traits import Kind, traits_of
from tvmfuse.passes.contract import CPU, GraphPass
from tvmfuse.passes.nchwc.convolution import Convolution, is_depthwise
from tvmfuse.passes.nchwc.rules import Plain, elementwise, on_blocks, rule_of
from tvmfuse.passes.neighbours import are_low
from tvmfuse.passes.trace import Trace
from tvmfuse.passes.transposes.rules import operands
from tvmfuse.target.machine import AVX2, Machine


class NchwcTransformer(GraphPass):
    """Compute convolutions, and what lies between them, on channels in blocks.

    Before::

        y = relu(conv(x, W, b))                    # NCHW

    After::

        x' = to_blocked(x)                         # NCHW16c, or 8c
        y' = relu(conv_blocked(x', W', b'))
        y = from_blocked(y')                       # where somebody reads the plain tensor

    Pays because a vector then holds output channels: each number of the input is used by a whole
    vector of weights that lie side by side, whatever the size of the image. Constant weights
    are rearranged here, at compile time, others by operators, where the convolution's work pays for
    that at each run. Tensors stay in blocks through pooling, concatenation, batch norm, resizing,
    gradients of weights and all that is computed element by element. A convolution whose input
    channels fill no block reads the plain tensor. Source: ONNX Runtime's NCHWc transformer; Liu et
    al., "Optimizing CNN Model Inference on CPUs", USENIX ATC 2019.
    """

    name = "NchwcTransformer"
    aliases = ("NCHWc Optimizer", "NCHWc Transformer")
    targets = CPU

    def __init__(self, machine: Machine = AVX2) -> None:
        self._machine = machine

    def configured(self, machine: Machine) -> NchwcTransformer:
        """Return the pass with this machine's blocks and costs."""
        return NchwcTransformer(machine)

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with its convolutions on blocks; each is one rewrite."""
        trace = Trace() if trace is None else trace
        trace.declined.clear()
        return map_functions(module, lambda function: self._laid_out(function, trace))

    def _laid_out(self, function: relax.Function, trace: Trace) -> relax.Function:
        before = len(trace.fired)
        flow = Dataflow.of(function)
        walk = _InBlocks(flow, trace, _with_blocks(flow, self._machine))
        changed = walk.visit_expr(function)
        return drop_unused(changed, walk.left) if len(trace.fired) > before else function


@mutator
class _InBlocks(PyExprMutator):
    """Computes on blocks what can be, and makes plain tensors for the rest.

    Attributes:
        blocked: Each variable whose tensor exists in blocks, and the variable that holds it.
        plain: Those of them whose plain tensor exists, too.
        reordered: Those of them that were plain before.
        left: Variables of plain tensors that nobody may read any more.
    """

    def __init__(self, flow: Dataflow, trace: Trace, machine: Machine) -> None:
        super().__init__()
        self.machine = machine
        self.flow = flow
        self.trace = trace
        self.blocked: dict[Expr, Var] = {}
        self.plain: set[Expr] = set()
        self.reordered: set[Expr] = set()
        self.left: set[Var] = set()

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        call = binding.value
        value = self._value(binding.var, call)
        if isinstance(value, Plain):
            bound = self._with_operands(value.call, nodes_of(call), values_of(call))
            super().visit_var_binding_(relax.VarBinding(binding.var, bound))
            return
        if value is None:
            super().visit_var_binding_(binding)
            if op_name(call) == "tvmfuse.from_blocked" and isinstance(call.args[0], Var):
                self.blocked[binding.var] = self.visit_expr(call.args[0])
                self.plain.add(binding.var)
                self.left.add(binding.var)
            return
        self.blocked[binding.var] = value
        if not isinstance(binding.var, DataflowVar):
            self.plain.add(binding.var)
            plain = with_nodes(_plain(value), nodes_of(call), values_of(call))
            super().visit_var_binding_(relax.VarBinding(binding.var, plain))

    def visit_dataflow_var_(self, op: DataflowVar) -> Expr:
        if op in self.blocked and op not in self.plain:
            self.plain.add(op)
            nodes = nodes_of(self.lookup_binding(self.blocked[op]))
            values = values_of(self.flow.values[op]) if op in self.flow.values else ()
            plain = self._emit(_plain(self.blocked[op]), nodes, values)
            self.left.add(plain)
            self.set_var_remap(op, plain)
        return super().visit_dataflow_var_(op)

    def _emit(self, call: Call, nodes: tuple[str, ...], values: Iterable[StoredValue] = ()) -> Var:
        """Bind a call, and each call among its operands before it, all with these ONNX nodes."""
        return self.builder_.emit(self._with_operands(call, nodes, values))

    def _with_operands(
        self, call: Call, nodes: tuple[str, ...], values: Iterable[StoredValue] = ()
    ) -> Call:
        fields = [self._operand(arg, nodes) for arg in call.args]
        bound = Call(call.op, fields, attrs=call.attrs, ty_args=call.ty_args)
        return with_nodes(bound, nodes, values)

    def _operand(self, arg: Expr, nodes: tuple[str, ...]) -> Expr:
        if op_name(arg) == "tvmfuse.to_blocked" and isinstance(arg.args[0], Var):
            return self._reordered(arg.args[0], int(arg.attrs["block"]), nodes)
        if isinstance(arg, Call):
            return self._emit(arg, nodes)
        return self.visit_expr(arg)

    def _reordered(self, var: Var, block: int, nodes: tuple[str, ...]) -> Var:
        """Return the variable that holds a plain tensor in blocks.

        What is computed element by element is computed there instead, of its operand's blocks, so
        that nobody reads the plain tensor where all readers go on.
        """
        if var in self.blocked:
            return self.blocked[var]
        again = self._moves(var, block)
        if again is None:
            return self._brought(var, block, nodes)
        call = self.flow.values[var]
        inside = [replace(stored, blocked=True) for stored in values_of(call)]
        self.left.add(var)
        self.plain.add(var)
        self.blocked[var] = self._emit(again, nodes_of(call), inside)
        return self.blocked[var]

    def _brought(self, var: Expr, block: int, nodes: tuple[str, ...]) -> Var:
        """Reorder a plain tensor, and return the variable that holds its blocks."""
        reorder = _in_blocks(self.visit_expr(var), block)
        self.blocked[var] = self.builder_.emit(with_nodes(reorder, nodes))
        self.plain.add(var)
        self.reordered.add(var)
        return self.blocked[var]

    def _moves(self, var: Var, block: int) -> Call | None:
        """Return what computes a plain tensor on blocks, of no more tensors that are plain."""
        call = self.flow.values.get(var)
        if traits_of(call).kind is not Kind.ELEMENTWISE or not isinstance(var, DataflowVar):
            return None
        readers = [self.flow.values.get(reader) for reader in self.flow.users(var)]
        if any(rule_of(reader) is None for reader in readers):
            return None
        found = elementwise(call, [self.blocked.get(operand) for operand in operands(call)], block)
        if found is None:
            return None
        reordered = {a.args[0] for a in found.args if op_name(a) == "tvmfuse.to_blocked"}
        return found if len(reordered - self.blocked.keys()) <= 1 else None

    def _value(self, var: Var, value: Expr) -> Var | Plain | None:
        """Return the variable that holds a value in blocks; None where it is not computed there."""
        if isinstance(value, TupleGetItem):
            whole = self.flow.values.get(value.tuple_value)
            part = as_slice(value, whole)
            if part is None:
                return self.blocked.get(value.tuple_value)  # of a batch norm
            self.left.add(value.tuple_value)
            value = with_nodes(part, nodes_of(whole), values_of(value))
        found = self._on_blocks(var, value) if isinstance(value, Call) else None
        if not isinstance(found, Call):
            return found
        inside = [replace(stored, blocked=True) for stored in values_of(value)]
        return self._emit(found, nodes_of(value), inside)

    def _on_blocks(self, var: Var, call: Call) -> Call | Plain | None:
        if op_name(call) != "tvmfuse.conv":
            flat = operands(call)
            if all(operand in self.reordered for operand in flat if operand in self.blocked):
                return None  # the plain tensors are there
            if op_name(call) == "relax.nn.batch_norm" and not self._only_first(var):
                return None
            found = on_blocks(call, [self.blocked.get(operand) for operand in flat])
            if isinstance(found, str):
                self.trace.decline(found, nodes_of(call))
                return None
            return found
        if self.trace.exhausted or has_epilogue(call):
            return None
        found = self.blocked.get(call.args[0])
        goes_on, low = self._goes_on(var), self._is_low(call)
        conv = Convolution(call, found, self.machine, goes_on, low)
        if not conv.in_step:
            conv = replace(conv, blocked=None)
        for holds, words in conv.requires():
            if not holds:
                self.trace.decline(words, nodes_of(call))
                return None
        self.trace.fire(nodes_of(call))
        if conv.reorders:
            conv = replace(conv, blocked=self._input(conv, nodes_of(call)))
        return conv.on_blocks()

    def _input(self, conv: Convolution, nodes: tuple[str, ...]) -> Var:
        """Bring the plain input of a convolution into its blocks."""
        assert conv.block is not None
        x, missing = conv.call.args[0], conv.filled - conv.summed
        if not missing:
            return self._brought(x, conv.block, nodes)
        beside = [0, 0] * (int(x.ty.ndim) - 2)
        whole = relax.op.nn.pad(x, [0, 0, 0, missing, *beside])
        return self._emit(to_blocked(whole, conv.block), nodes)

    def _only_first(self, norm: Var) -> bool:
        """Whether of a batch norm only the first output is read, as a tensor."""
        reads = [self.flow.values.get(reader) for reader in self.flow.users(norm)]
        return isinstance(norm, DataflowVar) and all(
            isinstance(read, TupleGetItem) and read.index == 0 for read in reads
        )

    def _is_low(self, conv: Call) -> bool:
        """Whether two bytes that a convolution reads seldom add up to more than a byte holds.

        Those of a depthwise one often do: networks that have them bound what comes out of it, at 6,
        and many of its numbers are at that bound.
        """
        value = self.flow.values.get(conv.args[0])
        while value is not None and traits_of(value).kind is Kind.ELEMENTWISE:
            value = self.flow.values.get(value.args[0])
        bounded = op_name(value) == "tvmfuse.conv" and is_depthwise(value)
        return not bounded and are_low(int(conv.attrs["pad_value"]))

    def _goes_on(self, var: Var) -> bool:
        """Whether a tensor's blocks reach a convolution, or what leaves one number of a channel."""
        todo, seen = [var], {var}
        while todo:
            for reader in self.flow.users(todo.pop()):
                value = self.flow.values.get(reader)
                op = op_name(value)
                if op == "tvmfuse.conv" or traits_of(value).kind is Kind.REDUCTION:
                    return True
                goes_on = rule_of(value) is not None or op in (TUPLE_GET_ITEM, SPLIT)
                if reader is not None and goes_on and reader not in seen:
                    seen.add(reader)
                    todo.append(reader)
        return False


def _with_blocks(flow: Dataflow, machine: Machine) -> Machine:
    """Return the machine with blocks of two vectors where convolutions multiply bfloat16.

    A pair of an image's numbers is copied to all lanes by an instruction of its own, as none of
    LLVM's does it on the way to a dot product: two vectors of weights share it.
    """
    if not any(flow.values[conv].attrs["wide"] for conv in flow.calls("tvmfuse.conv")):
        return machine
    most, *fewer = machine.tuning.channel_blocks
    tuning = replace(machine.tuning, channel_blocks=(2 * most, most, *fewer))
    return replace(machine, tuning=tuning)


def _in_blocks(x: Expr, block: int) -> Call:
    n, c, *spatial = shape_of(x) or ()
    if all(isinstance(d, int) and d == 1 for d in spatial):
        return in_shape(x, (n, c // block, *spatial, block))
    return to_blocked(x, block)


def _plain(blocked: Var) -> Call:
    n, chunks, *spatial, block = shape_of(blocked) or ()
    if all(isinstance(d, int) and d == 1 for d in spatial):
        return in_shape(blocked, (n, chunks * block, *spatial))
    return from_blocked(blocked)
