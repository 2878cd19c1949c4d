"""FuseOps: kernels that one loop nest can compute come in groups; barriers keep them apart."""

from typing import Any

import numpy as np
from named_calls import IMAGE, conv_relu_twice, emit, module
from tvm import relax

from tvmfuse.ir.kernels import calls_of, kernel_calls
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.ops import barrier, gemm
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.passes.extended.fuse_ops import LARGEST, WIDEST, FuseOps
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_same_numbers, evaluate


def test_groups_know_their_nodes_and_equal_ones_are_one() -> None:
    before, trace = lower(module(conv_relu_twice, IMAGE)).module, Trace()
    after = FuseOps()(before, trace)
    calls = [(callee.name_hint, nodes_of(call)) for _, call, callee in calls_of(after["main"])]
    assert calls == [
        ("fused_conv_relu", ("conv0", "relu0")), ("fused_conv_relu", ("conv1", "relu1")), ("reshape", ("reshape",)),
    ]  # fmt: skip
    assert trace.fired == [("conv0", "relu0"), ("conv1", "relu1")]


def test_groups_that_nobody_makes_one_kernel_still_run() -> None:
    before = lower(module(conv_relu_twice, IMAGE)).module
    assert_same_numbers(before, FuseOps()(before))


def test_a_kernel_with_two_readers_is_not_fused_into_one_of_them() -> None:
    def shared(bb: Any, x: Any) -> Any:
        p = emit(bb, gemm(x, x), "gemm")
        return [emit(bb, relax.op.exp(p), "exp"), p]

    trace = Trace()
    FuseOps()(lower(module(shared, np.ones((4, 4), "float32"))).module, trace)
    assert trace.fired == []


def test_a_barrier_keeps_kernels_apart_and_costs_none() -> None:
    def product(bb: Any, a: Any, apart: Any) -> Any:
        p = emit(bb, gemm(a, a), "gemm")
        p = bb.emit(barrier(p)) if apart else p
        return [emit(bb, relax.op.nn.relu(emit(bb, relax.op.add(p, a), "add")), "relu")]

    a = np.ones((4, 4), "float32")
    for apart, groups in ((False, [("gemm", "add", "relu")]), (True, [("add", "relu")])):
        lowered = lower(module(lambda bb, a, apart=apart: product(bb, a, apart), a)).module
        assert len(kernel_calls(lowered)) == 3
        trace = Trace()
        grouped = FuseOps()(lowered, trace)
        assert trace.fired == groups
        np.testing.assert_array_equal(evaluate(grouped, [a])[0], np.maximum(a @ a + a, 0))


def test_after_the_limit_kernels_stay_apart() -> None:
    before, trace = lower(module(conv_relu_twice, IMAGE)).module, Trace(limit=1)
    after = FuseOps()(before, trace)
    assert [nodes_of(call) for _, call, _ in calls_of(after["main"])] == [
        ("conv0", "relu0"), ("conv1",), ("relu1",), ("reshape",),
    ]  # fmt: skip
    assert trace.fired == [("conv0", "relu0")]
    assert_same_numbers(before, after)


def test_a_group_has_a_largest_size() -> None:
    def chain(bb: Any, x: Any) -> Any:
        for place in range(2 * LARGEST + 10):
            x = emit(bb, relax.op.nn.relu(x), f"relu{place}")
        return [x]

    trace = Trace()
    before = lower(module(chain, np.ones((2, 3), "float32"))).module
    after = FuseOps()(before, trace)
    assert sorted(map(len, trace.fired)) == [10, LARGEST, LARGEST]
    assert_same_numbers(before, after)


def joined(bb: Any, *parts: Any) -> Any:
    """Concatenate concatenations of ten tensors each."""
    rows = [
        emit(bb, relax.op.concat(list(parts[place : place + 10]), 1), f"row{place // 10}")
        for place in range(0, len(parts), 10)
    ]
    return [emit(bb, relax.op.concat(rows, 0), "all")]


def test_a_group_reads_a_limited_number_of_tensors() -> None:
    """Each tensor that a kernel reads takes it long to compile."""
    few, many = ([np.full((2, 3), n, "float32") for n in range(count)] for count in (60, 70))
    trace = Trace()
    FuseOps()(lower(module(joined, *few)).module, trace)
    assert [*map(len, trace.fired)] == [7]
    assert trace.declined == []
    before, trace = lower(module(joined, *many)).module, Trace()
    after = FuseOps()(before, trace)
    assert [nodes_of(call) for _, call, _ in calls_of(after["main"])] == [
        *((f"row{place}",) for place in range(7)), ("all",),
    ]  # fmt: skip
    assert trace.fired == []
    assert [reason for reason, _ in trace.declined] == [f"a group reads at most {WIDEST} tensors"]
    assert_same_numbers(before, after)
