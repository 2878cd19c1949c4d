"""Channels in blocks, from one convolution to the next."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from tvm import IRModule, relax
from tvm.ir import Call, Expr, GenericConst, TupleGetItem
from tvm.relax import DataflowVar, Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.dataflow import TUPLE_GET_ITEM, Dataflow, op_name
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of, values_of, with_nodes
from tvmfuse.ir.types import constant, dtype_of, known_array, shape_of, static_shape_of
from tvmfuse.manifest import StoredValue
from tvmfuse.ops import conv_blocked, from_blocked, to_blocked
from tvmfuse.ops.epilogue import has_epilogue
from tvmfuse.ops.traits import Kind, traits_of
from tvmfuse.passes.contract import CPU, GraphPass
from tvmfuse.passes.nchwc.arrays import block_of, blocked_weights
from tvmfuse.passes.nchwc.rules import on_blocks, rule_of
from tvmfuse.passes.per_channel import are_constant
from tvmfuse.passes.trace import Trace
from tvmfuse.passes.transposes.rules import operands
from tvmfuse.target.core import Tuning
from tvmfuse.target.machine import AVX2, Machine

LONG: Final = 64
"""What a symbolic dimension is taken to be."""


class NchwcTransformer(GraphPass):
    """Compute convolutions, and what lies between them, on channels in blocks.

    Before::

        y = relu(conv(x, W, b))                    # NCHW

    After::

        x' = to_blocked(x)                         # NCHW16c, or 8c
        y' = relu(conv_blocked(x', W', b'))
        y = from_blocked(y')                       # where somebody reads the plain tensor

    Pays because a vector then holds output channels: each number of the input is used by a whole
    vector of weights that lie side by side, whatever the size of the image. Weights are rearranged
    here, at compile time. Tensors stay in blocks through pooling, concatenation, batch norm,
    resizing and all that is computed element by element. A convolution whose input channels fill
    no block reads the plain tensor. Source: ONNX Runtime's NCHWc transformer; Liu et al.,
    "Optimizing CNN Model Inference on CPUs", USENIX ATC 2019.
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
        changed = _InBlocks(Dataflow.of(function), trace, self._machine.tuning).visit_expr(function)
        return changed if len(trace.fired) > before else function


@mutator
class _InBlocks(PyExprMutator):
    """Computes on blocks what can be, and makes plain tensors for the rest.

    Attributes:
        blocked: Each variable whose tensor exists in blocks, and the variable that holds it.
        plain: Those of them whose plain tensor exists, too.
        reordered: Those of them that were plain before.
    """

    def __init__(self, flow: Dataflow, trace: Trace, tuning: Tuning) -> None:
        super().__init__()
        self.tuning = tuning
        self.flow = flow
        self.trace = trace
        self.blocked: dict[Expr, Var] = {}
        self.plain: set[Expr] = set()
        self.reordered: set[Expr] = set()

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        call = binding.value
        value = self._value(binding.var, call)
        if value is None:
            super().visit_var_binding_(binding)
            if op_name(call) == "tvmfuse.from_blocked" and isinstance(call.args[0], Var):
                self.blocked[binding.var] = self.visit_expr(call.args[0])
                self.plain.add(binding.var)
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
            self.set_var_remap(op, self._emit(_plain(self.blocked[op]), nodes, values))
        return super().visit_dataflow_var_(op)

    def _emit(self, call: Call, nodes: tuple[str, ...], values: Iterable[StoredValue] = ()) -> Var:
        """Bind a call, and each call among its operands before it, all with these ONNX nodes."""
        fields = [self._operand(arg, nodes) for arg in call.args]
        bound = Call(call.op, fields, attrs=call.attrs, ty_args=call.ty_args)
        return self.builder_.emit(with_nodes(bound, nodes, values))

    def _operand(self, arg: Expr, nodes: tuple[str, ...]) -> Expr:
        if isinstance(arg, Call):
            return self._emit(arg, nodes)
        return self.visit_expr(arg)

    def _value(self, var: Var, value: Expr) -> Var | None:
        """Return the variable that holds a value in blocks; None where it is not computed there."""
        if isinstance(value, TupleGetItem):
            return self.blocked.get(value.tuple_value)  # of a batch norm
        found = self._on_blocks(var, value) if isinstance(value, Call) else None
        if found is None:
            return None
        inside = [replace(stored, blocked=True) for stored in values_of(value)]
        return self._emit(found, nodes_of(value), inside)

    def _on_blocks(self, var: Var, call: Call) -> Call | None:
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
        conv = Convolution(call, found, self.tuning, goes_on=self._goes_on(var))
        for holds, words in conv.requires():
            if not holds:
                self.trace.decline(words, nodes_of(call))
                return None
        self.trace.fire(nodes_of(call))
        if conv.reorders:
            block = conv.block_of(conv.channels)
            assert block is not None
            source = self._emit(_in_blocks(call.args[0], block), nodes_of(call))
            self.blocked[call.args[0]] = source
            self.plain.add(call.args[0])
            self.reordered.add(call.args[0])
            conv = replace(conv, blocked=source)
        return conv.on_blocks()

    def _only_first(self, norm: Var) -> bool:
        """Whether of a batch norm only the first output is read, as a tensor."""
        reads = [self.flow.values.get(reader) for reader in self.flow.users(norm)]
        return isinstance(norm, DataflowVar) and all(
            isinstance(read, TupleGetItem) and read.index == 0 for read in reads
        )

    def _goes_on(self, var: Var) -> bool:
        """Whether a tensor's blocks reach a convolution, or what leaves one number of a channel."""
        todo, seen = [var], {var}
        while todo:
            for reader in self.flow.users(todo.pop()):
                value = self.flow.values.get(reader)
                op = op_name(value)
                if op == "tvmfuse.conv" or traits_of(value).kind is Kind.REDUCTION:
                    return True
                goes_on = rule_of(value) is not None or op == TUPLE_GET_ITEM
                if reader is not None and goes_on and reader not in seen:
                    seen.add(reader)
                    todo.append(reader)
        return False


@dataclass(frozen=True)
class Convolution:
    """A `tvmfuse.conv`, and how it looks on blocks.

    Attributes:
        call: The convolution.
        blocked: Its input in blocks, where that exists.
        tuning: The blocks, and what they gain and cost.
        goes_on: Whether its readers take the blocks.
    """

    call: Call
    blocked: Var | None
    tuning: Tuning
    goes_on: bool

    @property
    def weights(self) -> tuple[int, ...]:
        """The shape of the weights, (O, I / groups, k1..kr)."""
        return static_shape_of(self.call.args[1]) or ()

    @property
    def groups(self) -> int:
        """The number of groups."""
        return int(self.call.attrs["groups"])

    @property
    def channels(self) -> int:
        """The number of input channels."""
        return self.weights[1] * self.groups

    @property
    def depthwise(self) -> bool:
        """Whether each channel is convolved on its own, into one channel."""
        return self.groups > 1 and self.groups == self.weights[0] == self.channels

    @property
    def reorders(self) -> bool:
        """Whether the input has to be brought into blocks."""
        return self.blocked is None and self.block_of(self.channels) is not None

    def block_of(self, channels: int) -> int | None:
        """Return into blocks of how many channels a tensor is divided; None where none fits."""
        return block_of(channels, self.tuning.channel_blocks)

    def requires(self) -> Iterator[tuple[bool, str]]:
        """Yield each condition with its wording."""
        yield dtype_of(self.call) == "float32", "the convolution is in float32"
        yield are_constant(self.call.args[1:2]), "the convolution's weights are constant"
        yield are_constant(self.call.args[2:]), "the convolution's bias is constant"
        single = self.groups == 1 or self.depthwise
        yield single, "the convolution has one group, or one channel in each"
        fits = self.block_of(self.weights[0]) is not None
        yield fits, "the number of output channels is a multiple of 8"
        yield self._pays(), "the convolution gains more than its reorders cost"

    def _pays(self) -> bool:
        flop = 2 * math.prod(_sizes(self.call)) * math.prod(self.weights[1:])
        moved = _moved(self.call.args[0])
        if self.blocked is None:
            moved *= self.reorders
        else:
            moved = -moved  # by a plain convolution
        moved += _moved(self.call) * (not self.goes_on)
        gained = flop / self.tuning.nchwc_flop_per_cycle
        return moved <= 0 or gained > moved * self.tuning.reorder_cycles

    def on_blocks(self) -> Call:
        """Return the convolution on its input, in blocks or plain, into blocks."""
        _, weights, *bias = self.call.args
        after = self.block_of(self.weights[0])
        assert after is not None
        before = self.block_of(self.channels) if self.blocked is not None else self.channels
        array, attrs = known_array(weights), self.call.attrs
        return conv_blocked(
            self.call.args[0] if self.blocked is None else self.blocked,
            constant(blocked_weights(array, 1 if self.depthwise else before or 1, after)),
            *(constant(_rows(b, after)) for b in bias),
            strides=[int(s) for s in attrs["strides"]],
            padding=[int(p) for p in attrs["padding"]],
            dilation=[int(d) for d in attrs["dilation"]],
            depthwise=self.depthwise,
        )


def _rows(bias: GenericConst, block: int) -> np.ndarray:
    rows: np.ndarray = known_array(bias).reshape(-1, block)
    return rows


def _sizes(expr: Expr) -> list[int]:
    return [d if isinstance(d, int) else LONG for d in shape_of(expr) or ()]


def _moved(expr: Expr) -> int:
    """Return how many elements a reorder moves; none where there is one for each channel."""
    sizes = _sizes(expr)
    return math.prod(sizes) if math.prod(sizes[2:]) > 1 else 0


def _in_blocks(x: Expr, block: int) -> Call:
    n, c, *spatial = shape_of(x) or ()
    if all(isinstance(d, int) and d == 1 for d in spatial):
        return relax.op.reshape(x, (n, c // block, *spatial, block))
    return to_blocked(x, block)


def _plain(blocked: Var) -> Call:
    n, chunks, *spatial, block = shape_of(blocked) or ()
    if all(isinstance(d, int) and d == 1 for d in spatial):
        return relax.op.reshape(blocked, (n, chunks * block, *spatial))
    return from_blocked(blocked)
