"""LateWidening: what is stored between groups of kernels is stored before it is widened."""

import re
from typing import Any

import numpy as np
import onnx
import pytest
from named_calls import emit, module
from tvm import relax

import tvmfuse
from tvmfuse.ir.kernels import calls_of
from tvmfuse.ir.provenance import nodes_of, values_of, with_nodes, with_values
from tvmfuse.ir.types import dtype_of
from tvmfuse.manifest import StoredValue
from tvmfuse.ops import gemm
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.passes.extended.fuse_ops import FuseOps
from tvmfuse.passes.extended.fuse_tir import FuseTIR
from tvmfuse.passes.extended.late_widening import LateWidening
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_same_numbers, evaluate

X = np.arange(12, dtype="float32").reshape(3, 4) / 8
W = [np.cos(np.arange(16, dtype="float32") + seed).reshape(4, 4) for seed in range(2)]


def rounded(bb: Any, x: Any, branch: int, dtype: str = "float16") -> Any:
    """Return a product, in so few bits, and its name."""
    product = emit(bb, gemm(x, relax.const(W[branch])), f"product{branch}")
    narrow = with_nodes(relax.op.astype(product, dtype), [f"narrow{branch}"])
    return bb.emit(with_values(narrow, [StoredValue(f"n{branch}")]))


def widened(bb: Any, narrow: Any, branch: int) -> Any:
    return emit(bb, relax.op.astype(narrow, "float32"), f"wide{branch}")


def branches(bb: Any, x: Any) -> Any:
    """Two products that meet in a sum."""
    one, other = (widened(bb, rounded(bb, x, branch), branch) for branch in range(2))
    return [emit(bb, relax.op.add(one, other), "sum")]


def grouped(build: Any, *inputs: Any) -> Any:
    return FuseOps()(lower(module(build, *inputs)).module)


def given(after: Any) -> list[tuple[str, tuple[str, ...]]]:
    """Return the type and the nodes of each group."""
    return [(dtype_of(call), nodes_of(call)) for _, call, _ in calls_of(after["main"])]


def test_of_two_branches_that_meet_one_is_stored_narrow() -> None:
    before, trace = grouped(branches, X), Trace()
    after = LateWidening()(before, trace)
    (wide,) = trace.fired
    kept = "01".replace(wide[0][-1], "")
    stored = wide[0][-1]
    assert given(after) == [
        ("float16", (f"product{stored}", f"narrow{stored}")),
        ("float32", (f"wide{stored}", f"product{kept}", f"narrow{kept}", f"wide{kept}", "sum")),
    ]
    names = [callee.name_hint for _, _, callee in calls_of(after["main"])]
    assert [re.sub(r"\d", "", name) for name in names] == [
        "fused_gemm_cast", "fused_cast_gemm_cast_cast_add"
    ]  # fmt: skip
    assert_same_numbers(before, after)
    assert len(given(FuseTIR()(after))) == 2
    assert_same_numbers(before, FuseTIR()(after))


def test_what_is_stored_is_the_value_that_it_is() -> None:
    after = LateWidening()(grouped(branches, X))
    first, second = (call for _, call, _ in calls_of(after["main"]))
    assert [value.name for value in values_of(first)] in (["n0"], ["n1"])
    assert values_of(second) == ()


def test_all_readers_widen_it() -> None:
    def read_twice(bb: Any, x: Any) -> Any:
        wide = widened(bb, rounded(bb, x, 0), 0)
        others = [rounded(bb, relax.op.add(x, x), 1), rounded(bb, x, 1)]
        return [
            emit(bb, relax.op.multiply(wide, widened(bb, other, n)), f"times{n}")
            for n, other in enumerate(others)
        ]

    before, trace = grouped(read_twice, X), Trace()
    after = LateWidening()(before, trace)
    assert ("wide0",) in trace.fired
    assert [dtype for dtype, _ in given(after)].count("float16") == 1
    assert_same_numbers(before, after)


def test_a_kernel_is_told_sizes_by_its_new_group() -> None:
    """Of an image of unknown size; that of one group is not that of the other."""
    graph = """<ir_version: 10, opset_import: ["": 21]> net (float[1,3,h,w] x) => (float[] y) {
        a = Conv<pads=[1,1,1,1],strides=[2,2]>(x, v) b = Cast<to=10>(a) c = Cast<to=1>(b)
        d = Conv<strides=[2,2]>(x, u) e = Cast<to=10>(d) f = Cast<to=1>(e) y = Add(c, f) }"""
    model = onnx.parser.parse_model(graph)
    for name, size in (("v", 3), ("u", 1)):
        weights = np.cos(np.arange(48 * size * size, dtype="float32")).reshape(16, 3, size, size)
        model.graph.initializer.append(onnx.numpy_helper.from_array(weights, name))
    late, early = (
        tvmfuse.compile(model, target="llvm", strict=True, disabled_pass=off)
        for off in ((), "LateWidening")
    )
    (fired,) = (r for r in late.report.passes if r.name == "LateWidening")
    assert fired.fired == 1
    for height, width in ((7, 9), (16, 5)):
        feeds = {"x": np.random.default_rng(0).standard_normal((1, 3, height, width), "float32")}
        found, expected = (artifact.load()(feeds)["y"] for artifact in (late, early))
        np.testing.assert_array_equal(found, expected)


def is_given(bb: Any, x: Any) -> Any:
    return [widened(bb, rounded(bb, x, 0), 0)]


def is_multiplied(bb: Any, x: Any) -> Any:
    wide = widened(bb, rounded(bb, x, 0), 0)
    return [emit(bb, gemm(wide, relax.const(W[1])), "product1")]


def is_broadcast(bb: Any, x: Any) -> Any:
    row = widened(bb, rounded(bb, relax.const(X[:1]), 0), 0)
    product = emit(bb, gemm(x, relax.const(W[1])), "product1")
    return [emit(bb, relax.op.add(product, row), "sum")]


def is_as_wide(bb: Any, x: Any) -> Any:
    one, other = (
        emit(bb, relax.op.astype(rounded(bb, x, branch, "int32"), "float32"), f"wide{branch}")
        for branch in range(2)
    )
    return [emit(bb, relax.op.add(one, other), "sum")]


@pytest.mark.parametrize(
    "build", [is_given, is_multiplied, is_broadcast, is_as_wide], ids=lambda build: build.__name__
)
def test_others_stay_as_they_are(build: Any) -> None:
    before, trace = grouped(build, X), Trace()
    assert given(LateWidening()(before, trace)) == given(before)
    assert trace.fired == []


def test_after_the_limit_values_stay_wide() -> None:
    before = grouped(branches, X)
    assert given(LateWidening()(before, Trace(limit=0))) == given(before)


def test_a_kernel_that_cannot_be_compiled_is_not_made() -> None:
    before = grouped(branches, X)
    for nodes in [nodes for _, nodes in given(LateWidening()(before))]:
        assert given(LateWidening().keeping_apart([nodes])(before)) == given(before)


def test_the_number_is_rounded_as_before() -> None:
    (found,) = evaluate(FuseTIR()(LateWidening()(grouped(branches, X))), [X])
    expected = sum((X @ w).astype("float16").astype("float32") for w in W)
    np.testing.assert_allclose(found, expected, rtol=2e-3, atol=2e-3)
