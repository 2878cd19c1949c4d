"""Outputs that take the memory of an input: where that is proven, and what a kernel then stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import tvm_ffi
from graphs import graph, tensor
from tvm import IRModule, relax, tirx
from tvm.ir import Call, Expr
from tvm.relax import op
from tvm.tirx import BufferStore, For, PrimFunc

from tvmfuse.build.sharing import with_sharing
from tvmfuse.ops import append_rows, write_rows
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.runtime.functions import IN_PLACE
from tvmfuse.schedules.views import viewed

C, N = tirx.Var("c", "int64"), tirx.Var("n", "int64")
CACHE = tensor(2, 40, 8)
ROWS = tensor(2, 3, 8)
AT = tensor(3, dtype="int64")
STARTS = tensor(2, dtype="int64")


def lowered(compute: Callable[..., Any], *inputs: relax.TensorType) -> IRModule:
    return viewed(lower(graph(compute, *inputs)).module)


def shared(
    compute: Callable[..., Any], *inputs: relax.TensorType, writable: int = 9
) -> dict[int, int]:
    """Return which outputs of a graph share an input's memory."""
    module = lowered(compute, *inputs)
    made, found = with_sharing(module, min(writable, len(inputs)))
    assert (made is module) == (not found)
    return dict(found)


def kernels_in_place(module: IRModule) -> list[PrimFunc]:
    """Return the kernels that write in place, in the order of a run."""
    found: list[PrimFunc] = []

    def visit(expr: Expr) -> None:
        if isinstance(expr, Call) and getattr(expr.op, "name", "") == "relax.call_tir_inplace":
            found.append(module[expr.args[0]])

    relax.analysis.post_order_visit(module[IN_PLACE], visit)
    return found


def stored(function: PrimFunc) -> int:
    """Return how many elements a kernel of fixed sizes stores in its first operand at most."""

    def count(statement: Any, times: int) -> Iterator[int]:
        if isinstance(statement, BufferStore):
            yield times * statement.buffer.same_as(function.params[0])
        elif isinstance(statement, For):
            yield from count(statement.body, times * int(statement.extent))
        elif isinstance(statement, tirx.SeqStmt):
            for one in statement:
                yield from count(one, times)
        elif isinstance(statement, tirx.IfThenElse):
            yield from count(statement.then_case, times)
        elif hasattr(statement, "block"):
            yield from count(statement.block.body, times)
        else:
            assert isinstance(statement, tirx.AttrStmt | tirx.DeclBuffer)
            yield from count(getattr(statement, "body", None), times)

    return sum(count(function.body, 1))


def appended(past: Expr, new: Expr, starts: Expr, **options: Any) -> Expr:
    return append_rows(past, new, starts, past.ty.shape.values[options.get("axis", 2)], **options)


WRITERS: dict[str, tuple[Callable[..., Any], Sequence[relax.TensorType]]] = {
    "scatter_elements": (
        lambda x, at, rows, emit: op.scatter_elements(x, at, rows, 1),
        (CACHE, tensor(2, 3, 8, dtype="int64"), ROWS),
    ),
    "scatter_nd": (
        lambda x, at, rows, emit: op.scatter_nd(x, at, rows),
        (CACHE, tensor(6, 2, dtype="int64"), tensor(6, 8)),
    ),
    "write_rows": (lambda x, at, rows, emit: write_rows(x, at, rows, 1), (CACHE, AT, ROWS)),
    "write_rows in half precision": (
        lambda x, at, rows, emit: write_rows(x, at, rows, 1),
        (tensor(2, 40, 8, dtype="float16"), AT, tensor(2, 3, 8, dtype="float16")),
    ),
    "append_rows": (
        lambda x, new, starts, emit: appended(x, new, starts),
        (tensor(2, 4, 40, 8), tensor(2, 4, 3, 8), STARTS),
    ),
    "append_rows, of one sequence": (
        lambda x, new, starts, emit: appended(x, new, starts),
        (tensor(1, 4, 40, 8), tensor(1, 4, 3, 8), tensor(1, dtype="int64")),
    ),
    "append_rows that keeps the rest": (
        lambda x, new, starts, emit: appended(x, new, starts, axis=1, keeps_rest=True),
        (CACHE, ROWS, STARTS),
    ),
}


@pytest.mark.parametrize("name", WRITERS)
def test_only_new_rows_are_stored(name: str) -> None:
    compute, inputs = WRITERS[name]
    module, found = with_sharing(lowered(compute, *inputs), 1)
    assert dict(found) == {0: 0}
    (kernel,) = kernels_in_place(module)
    assert len(kernel.params) == len(inputs)
    rows = next(ty for ty in inputs[1:] if ty.dtype == inputs[0].dtype)
    assert stored(kernel) == np.prod([int(d) for d in rows.shape])


def test_sizes_may_be_symbolic() -> None:
    cache, rows = tensor(N, C, 8), tensor(N, 3, 8)
    assert shared(lambda x, at, rows, emit: write_rows(x, at, rows, 1), cache, AT, rows) == {0: 0}
    starts = tensor(N, dtype="int64")
    compute = WRITERS["append_rows that keeps the rest"][0]
    assert shared(compute, cache, rows, starts) == {0: 0}


def test_what_reads_it_before_or_reads_the_result_does_not_matter() -> None:
    def compute(x: Expr, at: Expr, rows: Expr, emit: Any) -> list[Expr]:
        before = emit(op.sum(emit(op.reshape(x, (80, 8)))))
        written = emit(write_rows(x, at, rows, 1), output=True)
        return [written, op.exp(emit(op.reshape(written, (80, 8)))), before]

    assert shared(compute, CACHE, AT, ROWS) == {0: 0}


def test_writes_follow_each_other() -> None:
    def compute(x: Expr, at: Expr, rows: Expr, emit: Any) -> list[Expr]:
        once = emit(write_rows(x, at, rows, 1))
        return [write_rows(once, at, rows, 1)]

    module, found = with_sharing(lowered(compute, CACHE, AT, ROWS), 1)
    assert dict(found) == {0: 0}
    assert len(kernels_in_place(module)) == 2


def test_each_output_takes_an_input_of_its_own() -> None:
    def compute(x: Expr, y: Expr, at: Expr, rows: Expr, emit: Any) -> list[Expr]:
        return [write_rows(y, at, rows, 1), op.exp(y), write_rows(x, at, rows, 1)]

    assert shared(compute, CACHE, CACHE, AT, ROWS) == {2: 0}  # `exp` reads `y` after it changed
    assert shared(lambda *a: compute(*a)[::2], CACHE, CACHE, AT, ROWS) == {0: 1, 1: 0}
    assert shared(lambda *a: compute(*a)[::2], CACHE, CACHE, AT, ROWS, writable=1) == {1: 0}

    def twice(x: Expr, at: Expr, rows: Expr, emit: Any) -> list[Expr]:
        return [emit(write_rows(x, at, rows, 1), output=True) for _ in range(2)]

    assert shared(twice, CACHE, AT, ROWS) == {1: 0}  # the first one reads it before it changes


DECLINED: dict[str, tuple[Callable[..., Any], Sequence[relax.TensorType]]] = {
    "the input is read later": (
        lambda x, at, rows, emit: [write_rows(x, at, rows, 1), op.exp(x)],
        (CACHE, AT, ROWS),
    ),
    "the input is an output": (
        lambda x, at, rows, emit: [emit(write_rows(x, at, rows, 1), output=True), x],
        (CACHE, AT, ROWS),
    ),
    "a view of the input is an output": (
        lambda x, at, rows, emit: [write_rows(x, at, rows, 1), op.reshape(x, (80, 8))],
        (CACHE, AT, ROWS),
    ),
    "the kernel reads it twice": (
        lambda x, at, emit: op.scatter_elements(x, at, x, 1),
        (CACHE, tensor(2, 40, 8, dtype="int64")),
    ),
    "a view of the input is read later": (
        lambda x, at, rows, emit: [
            flat := emit(op.reshape(x, (80, 8))),
            emit(write_rows(x, at, rows, 1), output=True),
            op.exp(flat),
        ][1:],
        (CACHE, AT, ROWS),
    ),
    "the output is twice there": (
        lambda x, at, rows, emit: [y := emit(write_rows(x, at, rows, 1), output=True), y],
        (CACHE, AT, ROWS),
    ),
    "it is computed from the input": (
        lambda x, at, rows, emit: write_rows(emit(op.exp(x)), at, rows, 1),
        (CACHE, AT, ROWS),
    ),
    "all of it changes": (lambda x, emit: op.exp(x), (CACHE,)),
    "it grows": (
        lambda x, new, starts, emit: append_rows(x, new, starts, 41),
        (tensor(2, 4, 40, 8), tensor(2, 4, 3, 8), STARTS),
    ),
    "rows are read at other places": (
        lambda x, emit: op.concat([op.strided_slice(x, [1], [1], [40]), op.strided_slice(x, [1], [0], [1])], 1),
        (CACHE,),
    ),
    "where a mask says": (
        lambda mask, x, rows, emit: op.where(mask, rows, x),
        (tensor(2, 40, 8, dtype="bool"), CACHE, CACHE),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DECLINED)
def test_memory_is_not_shared_where(name: str) -> None:
    compute, inputs = DECLINED[name]
    assert shared(compute, *inputs) == {}


@pytest.mark.parametrize("written_first", [True, False])
def test_a_branch_may_return_the_input_and_so_counts(*, written_first: bool) -> None:
    builder = relax.BlockBuilder()
    x, at = relax.Var("x", CACHE), relax.Var("at", AT)
    rows, condition = relax.Var("rows", ROWS), relax.Var("condition", tensor(dtype="bool"))
    with builder.function("main", [x, at, rows, condition]):
        branches = (relax.SeqExpr([], e) for e in (x, relax.const(np.zeros((2, 40, 8), "float32"))))
        values = [write_rows(x, at, rows, 1), relax.If(condition, *branches)]
        emitted = [builder.emit(v) for v in (values if written_first else values[::-1])]
        builder.emit_func_output(relax.Tuple(emitted))
    module = viewed(relax.transform.LegalizeOps()(builder.get()))
    assert with_sharing(module, 1) == (module, {})


def test_main_stays_as_it_is() -> None:
    compute, inputs = WRITERS["write_rows"]
    module = lowered(compute, *inputs)
    made, _ = with_sharing(module, 1)
    assert tvm_ffi.structural_equal(made["main"], module["main"])
