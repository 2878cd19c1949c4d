"""Products on operands that are stored in another type than a model says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tvm import relax
from tvm.ir import Call, Expr
from tvm.relax import DataflowVar, Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of, values_of, with_nodes
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops.traits import Kind, traits_of


@dataclass(frozen=True)
class Recast:
    """A product on its first operand in another type.

    Attributes:
        stored: The type.
        product: The product, of the operand in that type.
        summed: The type of its sums; where the model says another one, they are rounded to that.
    """

    stored: str
    product: Callable[[Expr], Call]
    summed: str = "float32"


def recast(
    function: relax.Function, flow: Dataflow, chosen: Mapping[Var, Recast]
) -> relax.Function:
    """Return a function in which products are of operands in other types.

    A tensor that nobody reads but products and what is computed element by element is stored in the
    products' type alone: its other readers cast it back inside their kernels.
    """
    return _Recast(flow, chosen).visit_expr(function) if chosen else function


@mutator
class _Recast(PyExprMutator):
    """Computes products on operands in other types.

    Attributes:
        flow: Of the function as it was.
        chosen: The products.
        cast: Each tensor that exists in another type, and that type: for whom it was made, and
            what holds it. The block of that one knows it, and no other.
        multiplied: What the products read first, and in which types.
    """

    def __init__(self, flow: Dataflow, chosen: Mapping[Var, Recast]) -> None:
        super().__init__()
        self.flow = flow
        self.chosen = chosen
        self.cast: dict[tuple[Expr, str], tuple[Var, Var]] = {}
        self.multiplied: dict[Expr, set[str]] = defaultdict(set)
        for var, found in chosen.items():
            self.multiplied[flow.values[var].args[0]].add(found.stored)

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        call, var = binding.value, binding.var
        if var in self.chosen:
            call = self._product(var, call)
        elif traits_of(call).kind is Kind.ELEMENTWISE:
            args = [self._back(a, var) if self._is_cast_alone(a) else a for a in call.args]
            call = Call(call.op, args, attrs=call.attrs, ty_args=call.ty_args)
        else:
            super().visit_var_binding_(binding)
            return
        named = with_nodes(call, nodes_of(binding.value), values_of(binding.value))
        super().visit_var_binding_(relax.VarBinding(var, named))

    def _product(self, var: Var, call: Call) -> Call:
        found, said = self.chosen[var], dtype_of(call)
        product = found.product(self._stored(call.args[0], found.stored, var))
        if found.summed == said:
            return product
        sums = self.builder_.emit(with_nodes(self.visit_expr(product), nodes_of(call)))
        return relax.op.astype(sums, said)

    def _is_cast_alone(self, operand: Expr) -> bool:
        """Whether a tensor is stored in the products' type alone."""
        if not isinstance(operand, DataflowVar) or operand not in self.flow.values:
            return False
        types = self.multiplied.get(operand, set())
        is_other = len(types) == 1 and dtype_of(operand) not in types
        return is_other and all(map(self._takes_cast, self.flow.users(operand)))

    def _takes_cast(self, reader: Var | None) -> bool:
        return reader in self.chosen or (
            traits_of(self.flow.values.get(reader)).kind is Kind.ELEMENTWISE
        )

    def _stored(self, operand: Expr, stored: str, reader: Var) -> Expr:
        """Return the variable that holds a tensor in a type, for its readers from now on."""
        if stored == dtype_of(operand):
            return operand
        first, cast = self.cast.get((operand, stored), (None, None))
        if first is None or cast is None or not self.flow.same_block(first, reader):
            made = relax.op.astype(self.visit_expr(operand), stored)
            computed = [v for v in (operand, reader) if v in self.flow.values]
            nodes = next(filter(None, (nodes_of(self.flow.values[v]) for v in computed)), ())
            cast = self.builder_.emit(with_nodes(made, nodes))
            self.cast[operand, stored] = reader, cast
        return cast

    def _back(self, operand: Expr, reader: Var) -> Var:
        """Return a tensor in its own type, for one reader: its kernel casts what it reads."""
        (stored,) = self.multiplied[operand]
        back = relax.op.astype(self._stored(operand, stored, reader), dtype_of(operand))
        return self.builder_.emit(with_nodes(back, nodes_of(self.flow.values[reader])))
