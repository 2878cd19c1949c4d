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
    """A product on operands in another type.

    Attributes:
        stored: The type.
        product: The product, of the operands in that type.
        summed: The type of its sums; where the model says another one, they are rounded to that.
        operands: Which operands are stored so.
        rounded: The product whose results are stored so, too; None where their readers round them.
    """

    stored: str
    product: Callable[..., Call]
    summed: str = "float32"
    operands: tuple[int, ...] = (0,)
    rounded: Callable[..., Call] | None = None


def recast(
    function: relax.Function, flow: Dataflow, chosen: Mapping[Var, Recast]
) -> relax.Function:
    """Return a function in which products are of operands in other types.

    A tensor that nobody reads but products and what is computed element by element is stored in the
    products' type alone: its other readers cast it back inside their kernels. One that is reshaped
    first is cast before it is, where it is computed.
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
            for operand in self._operands(var):
                self.multiplied[operand].add(found.stored)
                while (whole := self._reshaped(operand)) is not None:
                    self.multiplied[whole].add(found.stored)
                    operand = whole

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        call, var = binding.value, binding.var
        if var in self.chosen and self._is_rounded(var):
            self._emit_rounded(var, call)
            return
        if self._reshaped(var) is not None and self._is_cast_alone(var):
            return
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
        product = found.product(*self._all_stored(var))
        if found.summed == said:
            return product
        sums = self.builder_.emit(with_nodes(self.visit_expr(product), nodes_of(call)))
        return relax.op.astype(sums, said)

    def _emit_rounded(self, var: Var, call: Call) -> None:
        """Compute a product whose results are stored as their readers take them."""
        found = self.chosen[var]
        assert found.rounded is not None
        product = self.visit_expr(found.rounded(*self._all_stored(var)))
        self.cast[var, found.stored] = var, self.builder_.emit(with_nodes(product, nodes_of(call)))

    def _is_rounded(self, var: Var) -> bool:
        found = self.chosen[var]
        return (
            found.rounded is not None
            and self.multiplied.get(var) == {found.stored}
            and self._is_cast_alone(var)
        )

    def _all_stored(self, var: Var) -> list[Expr]:
        stored = self.chosen[var].stored
        return [self._stored(operand, stored, var) for operand in self._operands(var)]

    def _operands(self, var: Var) -> list[Expr]:
        """Return the operands of a product that are stored in another type."""
        return [self.flow.values[var].args[n] for n in self.chosen[var].operands]

    def _reshaped(self, operand: Expr) -> Expr | None:
        """Return what a tensor is another shape of; None where it is none."""
        value = self.flow.values.get(operand) if isinstance(operand, DataflowVar) else None
        if value is None or traits_of(value).kind is not Kind.RESHAPE:
            return None
        return value.args[0]

    def _is_cast_alone(self, operand: Expr) -> bool:
        """Whether a tensor is stored in the products' type alone."""
        if not isinstance(operand, DataflowVar) or operand not in self.flow.values:
            return False
        types = self.multiplied.get(operand, set())
        is_other = len(types) == 1 and dtype_of(operand) not in types
        return is_other and all(self._takes_cast(r, operand) for r in self.flow.users(operand))

    def _takes_cast(self, reader: Var | None, operand: Expr) -> bool:
        if reader in self.chosen:
            args = self.flow.values[reader].args
            taken = self.chosen[reader].operands
            return all(n in taken for n, arg in enumerate(args) if arg.same_as(operand))
        if reader is not None and self._reshaped(reader) is not None:
            return self._is_cast_alone(reader)
        return traits_of(self.flow.values.get(reader)).kind is Kind.ELEMENTWISE

    def _stored(self, operand: Expr, stored: str, reader: Var) -> Expr:
        """Return the variable that holds a tensor in a type, for its readers from now on."""
        if stored == dtype_of(operand):
            return operand
        first, cast = self.cast.get((operand, stored), (None, None))
        if first is None or cast is None or not self.flow.same_block(first, reader):
            made = self._made(operand, stored, reader)
            computed = [v for v in (operand, reader) if v in self.flow.values]
            nodes = next(filter(None, (nodes_of(self.flow.values[v]) for v in computed)), ())
            cast = self.builder_.emit(with_nodes(made, nodes))
            self.cast[operand, stored] = reader, cast
        return cast

    def _made(self, operand: Expr, stored: str, reader: Var) -> Call:
        whole = self._reshaped(operand)
        if whole is None:
            return relax.op.astype(self.visit_expr(operand), stored)
        reshape = self.flow.values[operand]
        args = [self._stored(whole, stored, reader), *map(self.visit_expr, reshape.args[1:])]
        return Call(reshape.op, args, attrs=reshape.attrs, ty_args=reshape.ty_args)

    def _back(self, operand: Expr, reader: Var) -> Var:
        """Return a tensor in its own type, for one reader: its kernel casts what it reads."""
        (stored,) = self.multiplied[operand]
        back = relax.op.astype(self._stored(operand, stored, reader), dtype_of(operand))
        return self.builder_.emit(with_nodes(back, nodes_of(self.flow.values[reader])))
