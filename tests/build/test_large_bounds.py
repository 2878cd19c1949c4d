"""Memory is planned by bounds that are small; else it is asked for by what there is."""

import math
from collections.abc import Iterator

import pytest
from graphs import graph, tensor
from tvm import IRModule, relax, tirx
from tvm.ir import Call
from tvm.ir.transform import Sequential
from tvm.relax.backend.cpu_generic import pipeline

from tvmfuse.build.large_bounds import LARGEST, hide_large_bounds
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.target.resolve import resolve

ALLOCATE = "relax.memory.alloc_storage"


def planned(module: IRModule) -> list[int]:
    """Return the bytes of each storage that is planned; those that a run tells are left out."""
    target = resolve("avx2")
    passes = pipeline.dataflow_lower_passes(target)
    plan = pipeline.finalize_passes(target)[:2]
    with target:
        made = Sequential([*passes, hide_large_bounds, *plan])(lower(module).module)
    return [*_constants(made["main"])]


def _constants(main: relax.Function) -> Iterator[int]:
    for block in main.body.blocks:
        for binding in block.bindings:
            value = binding.value
            if isinstance(value, Call) and op_name(value) == ALLOCATE:
                sizes = value.args[0].values
                if all(isinstance(size, tirx.IntImm) for size in sizes):
                    yield math.prod(int(size) for size in sizes)


@pytest.mark.parametrize("rows", [64, LARGEST // 16, LARGEST // 8, 2**31 - 1, 2**61 + 1])
def test_rows_up_to_a_bound(rows: int) -> None:
    n = tirx.Var("n", "int64")
    least = tirx.min(tirx.const(rows, "int64"), n)

    def few(x: relax.Var, emit: object) -> relax.Expr:
        del emit
        first = relax.op.strided_slice(x, [0], [0], [least], assume_inbound=True)
        return relax.op.nn.relu(relax.op.exp(first))

    found = planned(graph(few, tensor(n, 4)))
    assert all(size <= LARGEST for size in found)
    assert bool(found) == (16 * rows <= LARGEST)
