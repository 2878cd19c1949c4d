"""Dimensions of two names that have to be the same: checked at every level, fused or not."""

from typing import Any

import numpy as np
import pytest
from onnx import parser
from reference import assert_agrees, reference
from tvm import IRModule, relax, tirx

import tvmfuse
from tvmfuse.errors import TvmfuseError
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.passes.extended.fuse_ops import FuseOps
from tvmfuse.passes.extended.fuse_tir import FuseTIR
from tvmfuse.testing import evaluate

LEVELS = "none", "all"
PAIR = "(float[N,4] x, float[M,4] w) => (float[] y)"
MODELS = {
    "sums": PAIR + "{ a = Add(x, w) b = Add(a, x) y = Relu(b) }",
    "maximum": PAIR + "{ y = Max(x, w, x) }",
    "concat": PAIR + "{ a = Exp(x) b = Concat<axis=1>(a, w) y = Relu(b) }",
    "other way": PAIR + "{ a = Exp(w) b = Mul(a, x) c = Add(b, w) y = Sub(c, x) }",
}


def model_of(text: Any) -> Any:
    return parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g {text}')


def random(*shape: Any) -> Any:
    return np.random.default_rng(0).standard_normal(shape).astype("float32")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_equal_sizes(text: Any, level: str) -> None:
    model = model_of(text)
    executable = tvmfuse.compile(model, level=level).load()
    for n in (1, 2, 5, 64):
        feeds: dict[str, Any] = {"x": random(n, 4), "w": random(n, 4)}
        assert_agrees(executable(**feeds), reference(model, feeds))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("sizes", [(5, 3), (3, 5)])
def test_sizes_that_differ_are_an_error(text: Any, level: str, sizes: tuple[int, ...]) -> None:
    executable = tvmfuse.compile(model_of(text), level=level).load()
    with pytest.raises(TvmfuseError):
        executable(x=random(sizes[0], 4), w=random(sizes[1], 4))


def test_sizes_that_may_differ_stay_two_symbols() -> None:
    model = model_of(PAIR + "{ a = Exp(x) b = Concat<axis=0>(a, w) y = Relu(b) }")
    for level in LEVELS:
        executable = tvmfuse.compile(model, level=level).load()
        for sizes in ((5, 3), (1, 4), (2, 2)):
            feeds: dict[str, Any] = {"x": random(sizes[0], 4), "w": random(sizes[1], 4)}
            assert_agrees(executable(**feeds), reference(model, feeds))


@pytest.mark.long
def test_an_attention_mask_of_its_own_symbols() -> None:
    model = model_of(
        """(float[B,2,S,D] q, float[B,2,S,D] k, float[B,1,T,U] mask) => (float[] y) {
            kt = Transpose<perm=[0,1,3,2]>(k)
            p = MatMul(q, kt)
            s = Add(p, mask)
            w = Softmax(s)
            y = MatMul(w, q)
        }"""
    )
    for level in LEVELS:
        executable = tvmfuse.compile(model, level=level).load()
        for n in (2, 5, 9):
            feeds = {name: random(3, 2, n, 4) for name in "qk"} | {"mask": random(3, 1, n, n)}
            assert_agrees(executable(**feeds), reference(model, feeds))


def matched() -> IRModule:
    """Return a module that says of its second operand's rows that they are as many."""
    n, m = tirx.Var("n", "int64"), tirx.Var("m", "int64")
    x, w = (
        relax.Var(name, relax.TensorType((rows, 4), "float32"))
        for name, rows in (("x", n), ("w", m))
    )
    bb = relax.BlockBuilder()
    with bb.function("main", [x, w]):
        with bb.dataflow():
            same = bb.match_cast(w, x.ty)
            total = bb.emit(relax.op.add(bb.emit(relax.op.exp(x)), same))
            result = bb.emit_output(relax.Tuple([bb.emit(relax.op.negative(total))]))
        bb.emit_func_output(result)
    return bb.get()


def test_lowering_and_fusing_keep_a_check_between_symbols() -> None:
    lowered = lower(matched()).module
    fused = FuseTIR()(FuseOps()(lowered))
    assert [name for name, _ in kernel_calls(fused)] == ["fused_tir_exp_add_tir_negative"]
    for kernels in (lowered, fused):
        assert "match_cast" in kernels.script()
        for rows in (1, 5):
            x, w = random(rows, 4), random(rows, 4)
            np.testing.assert_allclose(evaluate(kernels, [x, w])[0], -(np.exp(x) + w), rtol=1e-5)
        with pytest.raises(Exception, match="shape"):
            evaluate(kernels, [random(5, 4), random(3, 4)])


def test_a_slice_that_looks_like_a_reshape() -> None:
    model = model_of(
        """(float[6,2,T,5] x) => (float[] y)
        <int64[2] k = {8, 1}, int64 i = {0}> { u, a = Split<axis=2>(x, k) y = Gather<axis=3>(a, i) }"""
    )
    feeds: dict[str, Any] = {"x": random(6, 2, 9, 5)}
    for level in LEVELS:
        executable = tvmfuse.compile(model, level=level).load()
        assert_agrees(executable(**feeds), reference(model, feeds))
