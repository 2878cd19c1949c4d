"""Products of bfloat16 where a model multiplies float32."""

from __future__ import annotations

from collections.abc import Mapping

from tvm import IRModule, relax
from tvm.ir import Call, Expr
from tvm.relax import DataflowVar, Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of, values_of, with_nodes
from tvmfuse.ops.traits import Kind, traits_of
from tvmfuse.passes.bfloat16_products import in_bfloat16, is_product, requires
from tvmfuse.passes.contract import CPU, GraphPass
from tvmfuse.passes.trace import Trace
from tvmfuse.target.machine import AVX2, Machine


class AutoMixedPrecision(GraphPass):
    """Multiply weights in bfloat16, and add up in float32.

    Before::

        y = relu(conv(x, W, b) + r)                # float32
        z = conv(y, V, c)

    After::

        y' = bfloat16(relu(conv(x', W', b) + float32(r')))
        z = conv(y', V', c)                        # W', V' in bfloat16, and sums in float32

    Pays because an instruction multiplies pairs of bfloat16, twice as many as of float32, and
    weights and what lies between products take half the memory. What is added up, normalized,
    activated or computed element by element stays in float32 inside its kernel. It is off until a
    caller asks for it, ``precision="bf16"``, because bfloat16 holds 8 bits of a number. Source:
    Kalamkar et al., "A Study of BFLOAT16 for Deep Learning Training", 2019.
    """

    name = "AutoMixedPrecision"
    aliases = ("Auto Mixed Precision",)
    default = False
    targets = CPU
    note = "products are of bfloat16: outputs keep two or three decimal digits"

    def __init__(self, machine: Machine = AVX2) -> None:
        self._machine = machine

    def configured(self, machine: Machine) -> AutoMixedPrecision:
        """Return the pass that asks this machine for its instructions."""
        return AutoMixedPrecision(machine)

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with products of bfloat16; each is one rewrite."""
        trace = Trace() if trace is None else trace
        trace.declined.clear()
        return map_functions(module, lambda function: self._narrowed(function, trace))

    def _narrowed(self, function: relax.Function, trace: Trace) -> relax.Function:
        flow = Dataflow.of(function)
        chosen = self._chosen(flow, trace)
        return _Narrowed(flow, chosen).visit_expr(function) if chosen else function

    def _chosen(self, flow: Dataflow, trace: Trace) -> dict[Var, Call]:
        found = dict[Var, Call]()
        for var, value in flow.bindings:
            if not is_product(value) or trace.exhausted:
                continue
            trace.at = nodes_of(value)
            conditions = requires(value, self._machine)
            why = next((words for holds, words in conditions if not holds), None)
            if why is not None:
                trace.decline(why, trace.at)
            else:
                trace.fire(trace.at)
                found[var] = value
        return found


@mutator
class _Narrowed(PyExprMutator):
    """Computes products on bfloat16.

    Attributes:
        flow: Of the function as it was.
        chosen: The products.
        half: Each tensor that exists in bfloat16: for whom it was made, and what holds it. The
            block of that one knows it, and no other.
        multiplied: What the products read first.
    """

    def __init__(self, flow: Dataflow, chosen: Mapping[Var, Call]) -> None:
        super().__init__()
        self.flow = flow
        self.chosen = chosen
        self.half: dict[Expr, tuple[Var, Var]] = {}
        self.multiplied = {call.args[0] for call in chosen.values()}

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        call, var = binding.value, binding.var
        if var in self.chosen:
            call = in_bfloat16(call, self._half(call.args[0], var))
        elif traits_of(call).kind is Kind.ELEMENTWISE:
            args = [self._widened(a, var) if self._is_stored(a) else a for a in call.args]
            call = Call(call.op, args, attrs=call.attrs, ty_args=call.ty_args)
        else:
            super().visit_var_binding_(binding)
            return
        named = with_nodes(call, nodes_of(binding.value), values_of(binding.value))
        super().visit_var_binding_(relax.VarBinding(var, named))

    def _is_stored(self, operand: Expr) -> bool:
        """Whether a tensor is stored in bfloat16 alone: all readers take that, or widen it."""
        if operand not in self.multiplied or not isinstance(operand, DataflowVar):
            return False
        return operand in self.flow.values and all(map(self._takes_half, self.flow.users(operand)))

    def _takes_half(self, reader: Var | None) -> bool:
        return reader in self.chosen or (
            traits_of(self.flow.values.get(reader)).kind is Kind.ELEMENTWISE
        )

    def _half(self, operand: Expr, reader: Var) -> Var:
        """Return the variable that holds a tensor in bfloat16, for its readers from now on."""
        first, half = self.half.get(operand, (None, None))
        if first is None or half is None or not self.flow.same_block(first, reader):
            narrowed = relax.op.astype(self.visit_expr(operand), BFLOAT16)
            nodes = nodes_of(self.flow.values.get(operand, self.flow.values[reader]))
            half = self.builder_.emit(with_nodes(narrowed, nodes))
            self.half[operand] = reader, half
        return half

    def _widened(self, operand: Expr, reader: Var) -> Var:
        """Return a tensor in float32, for one reader: its kernel widens what it reads."""
        widened = relax.op.astype(self._half(operand, reader), "float32")
        return self.builder_.emit(with_nodes(widened, nodes_of(self.flow.values[reader])))
