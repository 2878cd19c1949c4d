"""What depends on constants only is computed here, not when the model runs."""

from __future__ import annotations

from typing import Final

import numpy as np
from tvm import IRModule, relax
from tvm.ir import Call, Expr, GenericConst, Op, Tuple, TupleGetItem, Type
from tvm.relax import ShapeExpr, Var
from tvm.relax.analysis import free_vars
from tvm.tirx import FloatImm, IntImm

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.live import constant_of
from tvmfuse.ir.live_array import CHANGES, LiveArray, is_live_array
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.ir.replace import replace
from tvmfuse.ir.types import array_of, bytes_of, static_shape_of
from tvmfuse.ops.traits import traits_of
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.folding.decided import bind_dimensions, decided_if, inline_branch
from tvmfuse.passes.folding.evaluate import CannotEvaluateError, Evaluator, Value, is_random
from tvmfuse.passes.trace import Trace

QUANTIZE: Final = "relax.quantize"
DEQUANTIZE: Final = ("relax.dequantize", "tvmfuse.dequantize_blocks")


class ConstantFolding(GraphPass):
    """Replace each call whose operands are constants by its value.

    Before::

        s = sqrt(64.0)
        y = x / s

    After::

        y = x / 8.0

    The shape of a tensor of static shape is a constant, too, and an `If` on a constant becomes the
    branch that it takes. A dequantize of constants stays, so that weights stay small, unless what
    is computed from it is quantized again.

    Pays because weights are re-laid, masks built and shapes computed once, at compile time.

    Args:
        max_output_bytes: A result above this is left to the run; 0 for no limit.
    """

    name = "ConstantFolding"
    aliases = ("Constant Folding", "FoldConstant", "ConstantFold")

    def __init__(self, *, max_output_bytes: int = 1 << 30) -> None:
        self.max_output_bytes = max_output_bytes

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Fold in every function, in topological order; again where that decided an `If`."""
        trace = Trace() if trace is None else trace
        evaluator = Evaluator()

        def change(function: relax.Function) -> relax.Function:
            while True:
                folded = _Folding(function, evaluator, self.max_output_bytes, trace).run()
                function = folded if trace.exhausted else _decided(folded, trace)
                if function is folded:
                    return function

        return map_functions(module, change)


def _decided(function: relax.Function, trace: Trace) -> relax.Function:
    """Do what the constants decide; then there may be more to fold."""
    decided = decided_if(function)
    if decided is None:
        return bind_dimensions(function)
    trace.fire(nodes_of(Dataflow.of(function).values[decided]))
    return inline_branch(function, decided)


class _Folding:
    """One walk over a function.

    Attributes:
        known: The values of variables that something not folded yet may still read.
        held: Variables computed from a dequantize of constants, evaluated if a quantize asks.
        folded: Variables whose calls the values replace.
    """

    def __init__(
        self, function: relax.Function, evaluator: Evaluator, max_bytes: int, trace: Trace
    ) -> None:
        self.function = function
        self.flow = Dataflow.of(function)
        self.evaluator = evaluator
        self.max_bytes = max_bytes
        self.trace = trace
        self.known: dict[Var, Value] = {}
        self.held: dict[Var, None] = {}  # in order
        self.folded: set[Var] = set()
        self._left = {var: len(self.flow.users(var)) for var, _ in self.flow.bindings}

    def run(self) -> relax.Function:
        """Return the folded function."""
        self.trace.declined.clear()
        for var, value in self.flow.bindings:
            if self.trace.exhausted:
                break
            if self._is_candidate(value):
                self._visit(var, value)
        gone = self.folded | self._unread_held()
        if not self.folded:
            return self.function
        plan = {var: literal(value, var.ty) for var, value in self.known.items()}
        return replace(self.function, plan, drop=gone)

    def _unread_held(self) -> set[Var]:
        """Return what only folded calls read; the trace gets each dequantize that stays."""
        gone: set[Var] = set()
        for var in reversed(self.held):
            if all(r in self.folded or r in gone for r in self.flow.users(var)):
                gone.add(var)
            elif op_name(self.flow.values[var]) in DEQUANTIZE:
                why = "what is computed from the dequantized constant is quantized again"
                self.trace.decline(why, nodes_of(self.flow.values[var]))
        return gone

    def _is_candidate(self, value: Expr) -> bool:
        if isinstance(value, TupleGetItem):
            return self._is_known(value.tuple_value)
        if not isinstance(value, Call) or not isinstance(value.op, Op):
            return False
        if traits_of(value).reads_type and static_shape_of(value.args[0]) is not None:
            return True
        return bool(value.op.get_attr("FPurity")) and all(map(self._is_known, value.args))

    def _visit(self, var: Var, value: Expr) -> None:
        reads_held = any(v in self.held for v in free_vars(value))
        if op_name(value) in DEQUANTIZE or (reads_held and op_name(value) != QUANTIZE):
            self.held[var] = None
            return
        try:
            self.known[var] = self._compute(value)
        except CannotEvaluateError as error:
            self.trace.decline(str(error), nodes_of(value))
            return
        self.folded.add(var)
        if isinstance(value, Call):
            self.trace.fire(nodes_of(value))
        self._release(value)

    def _release(self, value: Expr) -> None:
        """Forget the values that this folded expression was the last to read."""
        for operand in free_vars(value):
            if operand in self._left:
                self._left[operand] -= 1
                if not self._left[operand]:
                    self.known.pop(operand, None)

    def _compute(self, value: Expr) -> Value:
        if isinstance(value, TupleGetItem):
            return self._value(value.tuple_value)[value.index]
        if is_random(value):
            raise CannotEvaluateError("the operator draws no random numbers")
        self._require_small(bytes_of(value.ty))
        if op_name(value) == "relax.shape_of":
            return static_shape_of(value.args[0])
        operands = () if traits_of(value).reads_type else map(self._value, value.args)
        result = self._evaluated(value, list(operands))
        self._require_small(_bytes(result))
        return result

    def _evaluated(self, call: Call, operands: list[Value]) -> Value:
        if not is_live_array(operands):
            return self.evaluator(call, operands)
        if not bytes_of(call.ty) or getattr(call.ty, "ndim", None) == 0:
            # A number would be written into the code; and so would a shape.
            raise CannotEvaluateError(CHANGES)
        return self.evaluator.followed(call, operands)

    def _require_small(self, size: int | None) -> None:
        if self.max_bytes and size is not None and size > self.max_bytes:
            raise CannotEvaluateError(f"the result takes at most {self.max_bytes} bytes")

    def _is_known(self, expr: Expr) -> bool:
        if isinstance(expr, Tuple):
            return all(map(self._is_known, expr.fields))
        if isinstance(expr, ShapeExpr):
            return all(isinstance(d, IntImm) for d in expr.values)
        if isinstance(expr, GenericConst | IntImm | FloatImm):
            return True
        if expr in self.known or expr in self.held:
            return True
        bound = self._bound(expr)
        return bound is not None and self._is_known(bound)

    def _bound(self, expr: Expr) -> Expr | None:
        """Return what a variable stands for, if that is no computation."""
        bound = self.flow.values.get(expr) if isinstance(expr, Var) else None
        return bound if isinstance(bound, Var | Tuple | ShapeExpr | GenericConst) else None

    def _value(self, expr: Expr) -> Value:
        if isinstance(expr, Tuple):
            return tuple(map(self._value, expr.fields))
        if isinstance(expr, ShapeExpr):
            return tuple(int(d) for d in expr.values)
        if isinstance(expr, GenericConst):
            return array_of(expr)
        if isinstance(expr, IntImm | FloatImm):
            return expr.value
        if expr in self.known:
            return self.known[expr]
        if expr in self.held:
            return self._compute(self.flow.values[expr])
        return self._value(self._bound(expr))


def literal(value: Value, ty: Type) -> Expr:
    """Return the constant of this value; of a tuple, the tuple of constants."""
    if isinstance(ty, relax.ShapeType):
        return ShapeExpr(value)
    if isinstance(value, LiveArray):
        return constant_of(value)
    if isinstance(ty, relax.TupleType):
        return Tuple([literal(v, t) for v, t in zip(value, ty.fields, strict=True)])
    return relax.const(np.asarray(value, order="C"), str(ty.dtype))


def _bytes(value: Value) -> int:
    if isinstance(value, tuple):
        return sum(map(_bytes, value))
    return int(value.nbytes) if isinstance(value, np.ndarray | LiveArray) else 0
