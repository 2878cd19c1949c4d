"""Loops whose tensors have the same sizes in each iteration: one kernel can call those of the body.

`KernelSequence` reads what an iteration does, as kernels one after the other; what it cannot read
has to be done by the virtual machine.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tvm import relax, tirx
from tvm.ir import Call, Expr, GenericConst, GlobalVar, TupleGetItem, Var
from tvm_ffi import structural_equal

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.kernels import CALL_TIR
from tvmfuse.ir.loops import LOOP

#: The attribute of a loop's body that is compiled.
COMPILED: Final = "tvmfuse.compiled_loop"

CALL_IN_PLACE: Final = "relax.call_tir_inplace"
RESHAPE: Final = "relax.reshape"
SIZES: Final = "relax.tensor_to_shape"

#: Kernels of an iteration: where it runs more, what their calls cost is no matter.
MOST: Final = 256

Key: TypeAlias = tuple[Expr, int]
"""A tensor that a kernel makes: the variable of the call, and which of its results it is."""


def is_compiled(body: relax.Function) -> bool:
    """Whether a loop's body is one that a kernel runs."""
    return COMPILED in (body.attrs or {})


class NotFixedError(Exception):
    """Why a loop is left to the virtual machine."""


@dataclass(frozen=True, eq=False)
class KernelCall:
    """A kernel that an iteration runs.

    Attributes:
        var: Its result, or the tuple of its results.
        kernel: In the module.
        operands: Tensors, and sizes that it is told.
        types: Of the results.
        over: The operand whose memory its one result takes; None where it has its own.
    """

    var: relax.Var
    kernel: GlobalVar
    operands: Sequence[Expr]
    types: Sequence[relax.TensorType]
    over: int | None = None


@dataclass(frozen=True, eq=False)
class Branch:
    """A choice of what an iteration runs.

    Attributes:
        var: The result, or the tuple of the results.
        condition: A bool of shape ().
        sides: What runs where it holds, and where it does not.
        results: Of each side.
        types: Of the results.
    """

    var: relax.Var
    condition: Expr
    sides: tuple[Sequence[KernelCall | Branch], Sequence[KernelCall | Branch]]
    results: tuple[Sequence[Expr], Sequence[Expr]]
    types: Sequence[relax.TensorType]


class KernelSequence:
    """One iteration, as kernels.

    Attributes:
        body: The function.
        carried: Those of its parameters that are handed from one iteration to the next.
        steps: What runs, in order.
        results: The tensors of the next iteration, in the order of `carried`.
    """

    def __init__(self, body: relax.Function, compiled: Container[GlobalVar] = ()) -> None:
        """Read a body.

        Args:
            body: One iteration.
            compiled: Bodies of loops inside that will be kernels.

        Raises:
            NotFixedError: It has to be run by the virtual machine.
        """
        self.body = body
        self._compiled = compiled
        self._values: dict[Expr, Expr] = {}
        self.symbols = _symbols(body)
        self.carried: Sequence[relax.Var] = [*body.params[: len(body.ret_ty.fields)]]
        self._count = 0
        self.steps, self.results = self._read(body.body)
        for param, result in zip(self.carried, self.results, strict=True):
            if not structural_equal(param.ty, result.ty):
                raise NotFixedError("a tensor that it hands on may change its shape")
        self._check_writes()

    def key(self, tensor: Expr) -> Key:
        """Return which tensor it is whose memory a variable names."""
        index = 0
        while True:
            value = self._values.get(tensor)
            if isinstance(value, TupleGetItem):
                tensor, index = value.tuple_value, int(value.index)
            elif isinstance(value, relax.Tuple):
                tensor, index = value.fields[index], 0
            elif isinstance(value, Call) and op_name(value) == RESHAPE:
                tensor = value.args[0]
            elif isinstance(value, relax.Var | GenericConst):
                tensor = value
            else:
                return tensor, index

    def _check_writes(self) -> None:
        """Check that nothing is written over but what is handed on in its own place."""
        ends = [self.key(result) for result in self.results]
        for step in self.steps:
            if isinstance(step, KernelCall) and step.over is not None:
                over = self.key(step.operands[step.over])
                places = [p for p, param in enumerate(self.carried) if over == (param, 0)]
                if not places or ends[places[0]] != (step.var, 0):
                    raise NotFixedError("a kernel writes over what another one may read")

    def _read(
        self, body: relax.SeqExpr, *, inside: bool = False
    ) -> tuple[list[KernelCall | Branch], list[Expr]]:
        steps: list[KernelCall | Branch] = []
        for block in body.blocks:
            for binding in block.bindings:
                steps += self._step(binding, inside=inside)
                self._check_sizes(binding)
        return steps, self._tensors(body.body)

    def _tensors(self, result: Expr) -> list[Expr]:
        value = result
        while isinstance(self._values.get(value), relax.Var | relax.Tuple):
            value = self._values[value]
        if isinstance(value, relax.Tuple):
            return [*value.fields]
        if isinstance(value.ty, relax.TensorType):
            return [value]
        raise NotFixedError("what it hands on is made in one piece")

    def _step(self, binding: relax.Binding, *, inside: bool) -> Iterator[KernelCall | Branch]:
        var, value = binding.var, binding.value
        name = op_name(value)
        if isinstance(value, relax.If):
            yield self._branch(var, value)
        elif name in (CALL_TIR, CALL_IN_PLACE):
            self._count += 1
            if self._count > MOST:
                raise NotFixedError(f"an iteration runs more than {MOST} kernels")
            if inside and name == CALL_IN_PLACE:
                raise NotFixedError("a branch of it writes over a tensor")
            yield _kernel_call(var, value)
        elif name == LOOP and value.args[0] in self._compiled:
            yield KernelCall(var, value.args[0], value.args[1:], _types(value.ty_args[0]))
        elif name == RESHAPE or isinstance(
            value, relax.Var | GenericConst | relax.Tuple | TupleGetItem
        ):
            self._values[var] = value
        elif name == LOOP:
            raise NotFixedError("a loop inside is run by the virtual machine")
        elif name == SIZES:
            raise NotFixedError("sizes of an iteration show as it runs")
        elif not isinstance(value, relax.ShapeExpr):
            raise NotFixedError(f"an iteration calls {name or 'a group of kernels'}")

    def _branch(self, var: relax.Var, value: relax.If) -> Branch:
        then, otherwise = (
            self._read(side, inside=True) for side in (value.true_branch, value.false_branch)
        )
        return Branch(
            var, value.cond, (then[0], otherwise[0]), (then[1], otherwise[1]), _types(var.ty)
        )

    def _check_sizes(self, binding: relax.Binding) -> None:
        """Check that sizes are known before the loop, and none is checked in it."""
        made, value = binding.var.ty, binding.value
        if isinstance(binding, relax.MatchCast) and not structural_equal(made, value.ty):
            raise NotFixedError("sizes of an iteration show as it runs")
        for ty in made.fields if isinstance(made, relax.TupleType) else [made]:
            shown = isinstance(ty, relax.TensorType) and not isinstance(ty.shape, relax.ShapeExpr)
            if shown or not {*sizes_in(ty)} <= self.symbols:
                raise NotFixedError("sizes of an iteration show as it runs")


def sizes_in(ty: relax.Type) -> Iterator[Var]:
    """Yield the symbols in the sizes of a tensor, or in sizes."""
    shape = ty.shape if isinstance(ty, relax.TensorType) else ty
    for size in getattr(shape, "values", None) or ():
        yield from tirx.analysis.undefined_vars(size)


def _symbols(body: relax.Function) -> set[Var]:
    """Return the symbols that are sizes of what a body takes."""
    shapes = [p.ty.shape if isinstance(p.ty, relax.TensorType) else p.ty for p in body.params]
    sizes = [size for shape in shapes for size in getattr(shape, "values", None) or ()]
    found = {size for size in sizes if isinstance(size, Var)}
    if not {symbol for param in body.params for symbol in sizes_in(param.ty)} <= found:
        raise NotFixedError("sizes of it are known only by what is computed of them")
    return found


def _kernel_call(var: relax.Var, call: Call) -> KernelCall:
    kernel, operands = call.args
    over = None
    if op_name(call) == CALL_IN_PLACE:
        (over,) = map(int, call.attrs.inplace_indices)
    return KernelCall(var, kernel, [*operands.fields], _types(call.ty_args[0]), over)


def _types(ty: relax.Type) -> list[relax.TensorType]:
    return [*ty.fields] if isinstance(ty, relax.TupleType) else [ty]
