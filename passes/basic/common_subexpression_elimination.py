"""What is computed twice is computed once."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Hashable, Sequence

from tvm import IRModule, relax
from tvm.ir import Call, Expr, GenericConst, Op, TupleGetItem
from tvm.relax import DataflowVar, Var
from tvm.relax.analysis import contains_impure_call

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.keys import structural_key
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ir.replace import replace
from tvmfuse.passes.basic.constant_sharing import content_of
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.folding.evaluate import is_random
from tvmfuse.passes.trace import Trace


class CommonSubexpressionElimination(GraphPass):
    """Merge calls of the same operator with the same attributes and the same operands.

    Before::

        a = exp(x)
        b = exp(x)
        return a + b

    After::

        a = exp(x)
        return a + a

    Operands are the same if they are one variable, one constant, or small constants of equal
    content. What is computed in a branch of an `If` stays there: the other branch does not run it.

    Pays because exporters repeat shape arithmetic and masks in every layer.
    """

    name = "CommonSubexpressionElimination"
    aliases = (
        "Common Subexpression Elimination", "EliminateCommonSubexpr", "CSE",
    )  # fmt: skip

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Merge within every function."""
        trace = Trace() if trace is None else trace
        trace.declined.clear()

        def change(function: relax.Function) -> relax.Function:
            search = _Search(trace, Dataflow.of(function).outputs)
            search.visit(function.body, ChainMap())
            if not search.duplicates:
                return function
            plan: dict[Var, Expr] = dict(search.duplicates)
            for var, nodes in search.nodes.items():
                if isinstance(call := search.values[var], Call):
                    plan[var] = with_nodes(call, nodes)
            return replace(function, plan)

        return map_functions(module, change)


class _Search:
    """Walks the bindings in order.

    Attributes:
        duplicates: Variables to drop, and what their readers read instead.
        values: What the other variables are bound to.
        nodes: For each call that stays in place of others, the ONNX nodes it computes from now on.
    """

    def __init__(self, trace: Trace, outputs: Sequence[Expr]) -> None:
        self.trace = trace
        self.duplicates: dict[Var, Var] = {}
        self.values: dict[Var, Expr] = {}
        self.nodes: dict[Var, tuple[str, ...]] = {}
        self._same: dict[Var, Expr] = {}
        self._outputs = {o for o in outputs if isinstance(o, Var)}

    def visit(self, body: Expr, outer: ChainMap[Hashable, Var]) -> None:
        """Look through a sequence that sees the values in `outer`."""
        if not isinstance(body, relax.SeqExpr):
            return
        scope = outer.new_child()
        for block in body.blocks:
            # A dataflow variable is known only inside its block, any other to the end of the scope.
            inner = scope.new_child()
            for binding in block.bindings:
                if isinstance(binding, relax.VarBinding):
                    self._look(binding.var, binding.value, scope, inner)

    def _look(
        self, var: Var, value: Expr, scope: ChainMap[Hashable, Var], inner: ChainMap[Hashable, Var]
    ) -> None:
        if isinstance(value, relax.If):
            for branch in (value.true_branch, value.false_branch):
                self.visit(branch, inner)
        elif isinstance(value, Var | GenericConst):
            self._same[var] = self._original(value)
        elif (key := self._key(value)) is not None:
            kept = inner.get(key)
            if kept is None:
                (inner if isinstance(var, DataflowVar) else scope)[key] = var
                self.values[var] = value
            else:
                self._merge(var, value, kept)

    def _merge(self, var: Var, value: Expr, kept: Var) -> None:
        if contains_impure_call(value) or is_random(value):
            self.trace.decline("equal calls give equal results", nodes_of(value))
        elif {var, kept} <= self._outputs:
            self.trace.decline("at most one of the calls is a graph output", nodes_of(value))
        elif not self.trace.exhausted:
            self._replace(var, value, kept)

    def _replace(self, var: Var, value: Expr, kept: Var) -> None:
        if var in self._outputs:
            self._outputs.add(kept)
        known = self.nodes.get(kept, nodes_of(self.values[kept]))
        self.nodes[kept] = tuple(dict.fromkeys([*known, *nodes_of(value)]))
        self.duplicates[var] = self._same[var] = kept
        self.trace.fire(self.nodes[kept])

    def _key(self, value: Expr) -> Hashable | None:
        """Return what two expressions share exactly if they compute the same; None for no call."""
        if isinstance(value, TupleGetItem):
            return value.index, self._operand(value.tuple_value)
        if isinstance(value, Call) and isinstance(value.op, Op):
            operands = tuple(self._operand(a) for a in value.args)
            types = tuple(structural_key(t) for t in value.ty_args)
            attributes = None if value.attrs is None else structural_key(value.attrs)
            return str(value.op.name), attributes, types, operands
        return None

    def _operand(self, expr: Expr) -> Hashable:
        expr = self._original(expr)
        if isinstance(expr, GenericConst):
            return content_of(expr) or hash(expr)
        if isinstance(expr, relax.Tuple):
            return tuple(self._operand(field) for field in expr.fields)
        # The hash of a variable is its address; of a dimension, == would build a comparison.
        return hash(expr) if isinstance(expr, Var) else structural_key(expr)

    def _original(self, expr: Expr) -> Expr:
        return self._same.get(expr, expr) if isinstance(expr, Var) else expr
