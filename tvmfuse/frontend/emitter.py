"""Emitting Relax: what every front end does with what it has read.

An `Emitter` binds expressions in one function, says which operations of the source they compute,
and sees to it that each dimension of each tensor is a number or a symbol. A `NodeEmitter` is what
the converter of one operation sees of it. Neither knows where the operations come from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from itertools import count
from typing import NoReturn

import tvm_ffi
from tvm import relax
from tvm.ir import (
    Call,
    Expr,
    GenericConst,
    GlobalVar,
    PrimType,
    Tuple,
    TupleGetItem,
    Type,
)
from tvm.relax.analysis import free_symbolic_vars, free_vars
from tvm.relax.utils import copy_with_new_vars

from tvmfuse import _tvm
from tvmfuse.frontend.folded_sizes import ask_for_type
from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.index_ranges import IndexRanges
from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.frontend.symbols import Dim, Symbols, as_dim, written
from tvmfuse.ir.loops import BODY
from tvmfuse.ir.provenance import with_nodes
from tvmfuse.ir.sizes import size_of
from tvmfuse.manifest import StoredValue
from tvmfuse.tensor_spec import IndexConstraint, symbols_in


class Emitter:
    """Binds expressions in a function that is being built.

    Args:
        builder: Stands inside a binding block.
        symbols: The model's symbolic dimensions.
        gate: Is asked for each tensor.
        in_dataflow: Whether that is a dataflow block.
        draws: Numbers the tensors of random numbers; all emitters of a model share it.
        inputs: The model's. Inside of an operation there are none: it may not be taken.

    Attributes:
        values: Variable -> the source's values that it is.
        ranges: Between which numbers tensors of integers lie.
        indexed: Input -> what its numbers pick.
        known: What is not bound twice, by a key that says what it is.
    """

    def __init__(
        self,
        builder: relax.BlockBuilder,
        symbols: Symbols,
        gate: Gate,
        *,
        in_dataflow: bool = True,
        draws: Iterator[int] | None = None,
        inputs: Collection[Expr] = (),
    ) -> None:
        self.symbols = symbols
        self.gate = gate
        self.draws = count() if draws is None else draws
        self._builder = builder
        self._in_dataflow = in_dataflow
        self.values: dict[Expr, list[StoredValue]] = {}
        self.indexed: dict[Expr, list[IndexConstraint]] = {var: [] for var in inputs}
        self.known: dict[tuple[Hashable, ...], Expr] = {}
        self.ranges = IndexRanges(symbols, builder.lookup_binding)

    def emit(self, expr: Expr, nodes: Sequence[str], value: str = "") -> Expr:
        """Bind an expression, said to compute these operations; every dimension gets a symbol.

        Args:
            expr: What is bound; a variable or a constant stays what it is.
            nodes: The operations' names.
            value: What the source calls it; empty where it is nothing that the source knows.
        """
        if isinstance(expr, relax.Var | GenericConst):
            return self._called(expr, value)
        bound = self._called(self._builder.emit(stamped(expr, nodes)), value)
        return self._with_dims(bound, nodes[0])

    def emit_output(self, expr: Expr, nodes: Sequence[str], value: str = "") -> Expr:
        """Bind an expression that the caller reads, so that it outlives the dataflow block."""
        if isinstance(expr, relax.Var | GenericConst) or not self._in_dataflow:
            return self.emit(expr, nodes, value)
        bound = self._called(self._builder.emit_output(stamped(expr, nodes)), value)
        return self._with_dims(bound, nodes[0])

    def _called(self, bound: Expr, value: str) -> Expr:
        if value and isinstance(bound, relax.Var):
            self.values.setdefault(bound, []).append(StoredValue(value))
        return bound

    def match(self, expr: Expr, ty: Type) -> Expr:
        """Bind an expression to a variable of this type, which is checked when the model runs."""
        return self._builder.match_cast(expr, ty)

    def inside(self) -> Emitter:
        """Return what emits a graph inside an operation, in the same block."""
        return Emitter(self._builder, self.symbols, self.gate, in_dataflow=False, draws=self.draws)

    def block(self, emit: Callable[[], Sequence[Expr]]) -> relax.SeqExpr:
        """Return what `emit` binds as blocks of its own, for a branch that may not be taken.

        Args:
            emit: Emits here, and returns the results.
        """
        min_sizes, fed = dict(self.symbols.min_sizes), self.symbols.fed
        self.symbols.fed = ()  # a branch that may not be taken constrains no input
        _tvm.begin_binding_block(self._builder)
        try:
            with self.symbols.apart():
                outputs = emit()
            body = self._builder.emit(relax.Tuple(outputs)) if len(outputs) > 1 else outputs[0]
        finally:
            block = _tvm.end_block(self._builder)
            self.symbols.min_sizes, self.symbols.fed = min_sizes, fed
        return relax.SeqExpr([block], body)

    def function(
        self, name: str, params: Sequence[relax.Var], emit: Callable[[], Sequence[Expr]]
    ) -> tuple[GlobalVar, list[Expr]]:
        """Make a function of what `emit` binds and returns: a loop's body, private to the module.

        Args:
            name: What it is called, or nearly so.
            params: What it takes first. `emit` may add some, and may read what is bound here.
            emit: Emits here, and returns at least two results.

        Returns:
            The function, and what it takes beside `params`: values and sizes of what is around it.
        """
        sizes = relax.Var("sizes", relax.ShapeType(self.symbols.all))
        self._builder.begin_scope([*params, sizes])
        try:
            body = self._builder.normalize(self.block(emit))
        finally:
            self._builder.end_scope()
        own = set(params)
        values = [v for v in free_vars(body) if v not in own and not isinstance(v.ty, PrimType)]
        function = relax.Function([*params, *values], body)
        captured: list[Expr] = [*values]
        if free := list(free_symbolic_vars(function)):
            sizes = relax.Var("sizes", relax.ShapeType(free))
            function = relax.Function([*params, *values, sizes], body)
            captured.append(relax.ShapeExpr(free))
        function = copy_with_new_vars(function).with_attr(BODY, 1)
        return self._builder.add_func(function, name), captured

    def _with_dims(self, var: Expr, node: str) -> Expr:
        """Return a tensor each of whose dimensions is a number or has a symbol."""
        ty = var.ty
        ask_for_type(self.gate, f"node {node!r}", ty)
        if isinstance(ty, relax.TensorType) and isinstance(ty.shape, relax.ShapeExpr):
            dims = [as_dim(d) for d in ty.shape.values]
            for dim in dims:
                if not self.symbols.require_non_negative(dim) and self.symbols.at_most(dim, -1):
                    raise CannotConvertError(f"its result would have the shape {dims}")
        if not isinstance(ty, relax.TensorType) or ty.shape is not None:
            return var
        if ty.ndim < 0:
            raise CannotConvertError("the rank of its result is not known")
        dims = [self.symbols.fresh(f"{node}_dim{i}") for i in range(ty.ndim)]
        return self.match(var, relax.TensorType(dims, ty.dtype))


class NodeEmitter:
    """One operation that is being converted.

    Attributes:
        name: The operation's, unique in the model.
        symbols: The model's symbolic dimensions.
        ranges: Between which numbers tensors of integers lie.
        limits: How much the model may ask for.
    """

    def __init__(self, name: str, emitter: Emitter) -> None:
        self.name = name
        self.symbols = emitter.symbols
        self.ranges = emitter.ranges
        self.limits = emitter.gate.limits
        self._emitter = emitter

    def emit(self, expr: Expr) -> Expr:
        """Bind an intermediate expression to a variable, which has a type."""
        return self._emitter.emit(expr, [self.name])

    def next_draw(self) -> int:
        """Return how many tensors of random numbers the model has drawn before."""
        return next(self._emitter.draws)

    def match(self, expr: Expr, ty: Type) -> Expr:
        """Bind an expression to a variable of this type; the model checks it when it runs."""
        return self._emitter.match(expr, ty)

    def picks(self, indices: Expr, dim: Dim, *, from_back: bool = True) -> bool:
        """Note that a tensor's numbers are indices of so many elements, for what feeds it.

        Returns:
            Whether it is fed, and that is looked at; if not, the model has to check it as it runs.
        """
        found = self._emitter.indexed.get(self.ranges.source(indices))
        size = size_of(dim)
        if found is None or size is None or not symbols_in(size) <= set(self.symbols.fed):
            return False
        found.append(IndexConstraint(size, f"of {self.name!r}", from_back))
        return True

    def once(self, key: tuple[Hashable, ...], make: Callable[[], Expr]) -> Expr:
        """Return what `make` returns, bound, or what was bound for an equal key before."""
        known = self._emitter.known
        if key not in known:
            known[key] = self.emit(make())
        return known[key]

    def makes(self, what: str, dims: Sequence[Dim], dtype: str) -> None:
        """Ask the gate for a constant that is about to be made.

        Raises:
            LimitExceededError: It is larger than the limits admit.
        """
        bits = int(tvm_ffi.dtype(dtype).bits)
        self._emitter.gate.constant(f"{what} of node {self.name!r}", dims, bits)

    def same(self, a: Dim, b: Dim, *, sure: bool = True) -> bool:
        """Constrain two dimensions to be equal.

        Args:
            a: A dimension.
            b: Another one.
            sure: Whether the source asks for it, or tvmfuse alone.

        Returns:
            Whether they are, whenever the model runs. If not, `match` has to check it.

        Raises:
            CannotConvertError: They never are.
        """
        if self.symbols.equal(a, b):
            return True
        if self.symbols.differ(a, b):
            self.refuse(f"the dimensions {written(a)} and {written(b)} have to be equal")
        if isinstance(a, int):
            a, b = b, a
        return self.symbols.equate(a, b, f"of {self.name!r}", sure=sure)

    def refuse(self, why: str) -> NoReturn:
        """Say why this operation cannot be compiled."""
        raise CannotConvertError(why)

    def require(self, condition: object, why: str) -> None:
        """Refuse the operation unless a condition holds."""
        if not condition:
            self.refuse(why)


def stamped(expr: Expr, nodes: Sequence[str]) -> Expr:
    """Return an expression all of whose calls are said to compute these operations."""
    if isinstance(expr, Call):
        args = [stamped(a, nodes) for a in expr.args]
        return with_nodes(Call(expr.op, args, attrs=expr.attrs, ty_args=expr.ty_args), nodes)
    if isinstance(expr, Tuple):
        return relax.Tuple([stamped(f, nodes) for f in expr.fields])
    if isinstance(expr, TupleGetItem):
        return TupleGetItem(stamped(expr.tuple_value, nodes), expr.index)
    return expr
