"""Numbers that compiled code tells in one place and reads in another: `Told`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tvm import tirx
from tvm.ir import Expr, PointerType, PrimType, Var
from tvm.tirx import Bind, Evaluate, Stmt, op

from tvmfuse.build.kernel_calls import VALUE
from tvmfuse.schedules.expressions import variables


class Told:
    """Such numbers: the sizes of a branch's results, say.

    Args:
        sizes: What they are for; of those that are no variables nothing is told.
    """

    def __init__(self, sizes: Sequence[Expr]) -> None:
        self.sizes = sizes
        self._values = Var("told", PointerType(PrimType("void")))

    def declared(self) -> Iterator[Stmt]:
        """Yield what there has to be before."""
        yield Bind(self._values, op.tvm_stack_alloca("tvm_ffi_any", max(len(self.sizes), 1)))

    def tell(self, sizes: Sequence[Expr]) -> list[Stmt]:
        """Return what tells the first of them."""
        told = enumerate(zip(sizes, self.sizes, strict=False))
        return [self.store(n, size) for n, (size, own) in told if variables(own)]

    def named(self, sizes: Sequence[Expr]) -> list[Stmt]:
        """Return what gives variables the values that were told; others are numbers."""
        return [Bind(s, self.load(n)) for n, s in enumerate(sizes) if isinstance(s, Var)]

    def store(self, place: int, value: Expr) -> Stmt:
        """Return what tells one."""
        return Evaluate(op.tvm_struct_set(self._values, place, VALUE, tirx.Cast("int64", value)))

    def load(self, place: int) -> Expr:
        """Return one."""
        return op.tvm_struct_get(self._values, place, VALUE, "int64")
