"""empty_launches: a launch of a size that may be 0 has a block all the same, which does nothing."""

from __future__ import annotations

from typing import Any

import pytest
import tvm_ffi
from relax_models import N
from tvm import relax, tirx
from tvm.ir import Expr, Var
from tvm.relax import op as R
from tvm.s_tir import SBlockRealize
from tvm.sym import Analyzer
from tvm.tirx import For, ForKind, PrimFunc

from tvmfuse.build.empty_launches import without_empty_launches
from tvmfuse.schedules.cuda.dlight import LOWERED
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.resolve import resolve

CUDA = resolve("cuda")
OPERATORS = {
    "elementwise": R.exp,
    "softmax": R.nn.softmax,
    "sum": lambda x: R.sum(x, axis=1),
    "scan": lambda x: R.scatter_elements(x, R.zeros((1, 4), "int64"), R.ones((1, 4), "float32")),
}


def kernels(operator: Any, *shape: int | Expr) -> tuple[dict[str, PrimFunc], dict[str, PrimFunc]]:
    """Return an operator's kernels before and after."""
    builder, x = relax.BlockBuilder(), relax.Var("x", relax.TensorType(shape, "float32"))
    with CUDA, builder.function("main", [x]):
        with builder.dataflow():
            result = builder.emit_output(builder.normalize(operator(x)))
        builder.emit_func_output(result)
    before = schedule(relax.transform.LegalizeOps()(builder.get()), CUDA).module
    after = without_empty_launches(before)
    LOWERED(after)
    both = (
        {s.name_hint: f for s, f in module.functions_items() if isinstance(f, PrimFunc)}
        for module in (before, after)
    )
    return next(both), next(both)


def blocks(kernel: PrimFunc) -> list[Expr]:
    found: list[Expr] = []

    def seen(loop: For) -> None:
        if loop.kind == ForKind.THREAD_BINDING and "block" in loop.thread_binding.thread_tag:
            found.append(loop.extent)

    tvm_ffi.structural_walk(kernel.body, (For, seen))
    return found


def at(extent: Expr, size: int) -> int:
    """Return an extent where each size is one number."""
    number = tvm_ffi.structural_map(extent, (Var, lambda _: tirx.const(size, "int64")))
    return int(Analyzer().simplify(number))


@pytest.mark.parametrize("name", OPERATORS)
def test_a_launch_has_a_block_where_a_size_is_0(name: str) -> None:
    before, after = kernels(OPERATORS[name], N, 4)
    sizes = [
        pair
        for symbol, kernel in after.items()
        for pair in zip(blocks(before[symbol]), blocks(kernel), strict=True)
    ]
    assert [at(new, 500) for _, new in sizes] == [at(old, 500) for old, _ in sizes]
    assert all(at(new, 0) == 1 for _, new in sizes)
    assert any(at(old, 0) == 0 for old, _ in sizes)


def test_every_block_of_threads_asks_for_the_size() -> None:
    (kernel,) = kernels(R.nn.softmax, N, 4)[1].values()
    predicates: list[str] = []

    def seen(realized: SBlockRealize) -> None:
        if realized.block.iter_vars:
            predicates.append(str(realized.predicate))

    tvm_ffi.structural_walk(kernel.body, (SBlockRealize, seen))
    assert len(predicates) >= 3  # the maximum, the sum, the quotient
    assert all(" > 0" in p or " > T.int64(0)" in p for p in predicates)


def test_a_constant_stays() -> None:
    ((kernel,), (after,)) = (k.values() for k in kernels(R.exp, 3, 4))
    assert tvm_ffi.structural_equal(kernel, after)


def test_a_constant_of_0_has_a_block() -> None:
    (after,) = kernels(R.exp, 0, 4)[1].values()
    assert [at(extent, 0) for extent in blocks(after)] == [1]
