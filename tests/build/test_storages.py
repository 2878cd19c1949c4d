"""build.storages: memory of symbolic sizes is used again, once nobody needs what lies there."""

from typing import Any

import numpy as np
import onnx
import pytest
import tvm
import tvm_ffi
from onnx import numpy_helper, parser
from reference import assert_agrees, reference
from tvm import IRModule, relax
from tvm.ir import Call
from tvm.target import Target

import tvmfuse
from tvmfuse.build.storages import ALLOC_STORAGE, ALLOC_TENSOR, with_shared_storages
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize


def model(text: str, **constants: Any) -> onnx.ModelProto:
    made = parser.parse_model(f'<ir_version: 8, opset_import: ["": 20]> g {text}')
    made.graph.initializer.extend(
        numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()
    )
    return made


def allocated(text: str, **constants: Any) -> IRModule:
    """Return a model as far as TVM has made its memory explicit, with a kernel for each node."""
    module = import_model(model(text, **constants)).module
    module = optimize(module, Selection.of("none")).kernels
    with Target("llvm"), tvm.transform.PassContext(opt_level=3):
        return tvm.transform.Sequential(
            [
                relax.transform.RewriteDataflowReshape(),
                relax.transform.ToNonDataflow(),
                relax.transform.RemovePurityChecking(),
                relax.transform.CallTIRRewrite(),
                relax.transform.StaticPlanBlockMemory(),
                relax.transform.LowerAllocTensor(),
            ]
        )(module)


def memory_of(module: IRModule) -> tuple[list[str], list[int]]:
    """Return the sizes of what is allocated, and which of it each tensor lies in."""
    sizes, places, storages = [], [], []
    for block in module["main"].body.blocks:
        for binding in block.bindings:
            if not isinstance(binding.value, Call) or not hasattr(binding.value.op, "name"):
                continue
            if binding.value.op.name == ALLOC_STORAGE:
                storages.append(binding.var)
                sizes.append(str(binding.value.args[0].values[0]).replace("T.int64", ""))
            elif binding.value.op.name == ALLOC_TENSOR:
                places.append(storages.index(binding.value.args[0]))
    return sizes, places


def shared(text: str, **constants: Any) -> tuple[list[str], list[int]]:
    return memory_of(with_shared_storages(allocated(text, **constants)))


def test_a_chain_needs_two_and_its_result_one_of_its_own() -> None:
    pool = "AveragePool<kernel_shape=[2],strides=[2]>"
    text = f"""(float[n,2,m] x) => (float[] y) {{
        a = Exp(x) b = {pool}(a) c = Neg(b) d = {pool}(c) e = Exp(d) y = Neg(e)
    }}"""
    before, after = memory_of(allocated(text)), shared(text)
    assert len(set(before[1])) == 6
    assert after[1] == [0, 1, 0, 1, 0, 2]


def test_what_is_read_later_stays() -> None:
    text = (
        "(float[n] x) => (float[] y) { a = Exp(x) b = Neg(a) c = Exp(b) d = Add(a, c) y = Neg(d) }"
    )
    assert shared(text)[1] == [0, 1, 2, 1, 3]


def test_a_view_is_a_use_of_its_memory() -> None:
    text = """(float[n,4] x) => (float[] y) {
        a = Exp(x) v = Reshape(a, flat) b = Neg(x) c = Exp(b) d = Neg(c) w = Sin(v) y = Mul(d, w)
    }"""
    places = shared(text, flat=np.array([4, -1]))[1]
    assert places == [0, 1, 2, 1, 2, 3]


def test_the_larger_of_both_sizes_is_allocated() -> None:
    text = """(float[n,m] x) => (float[] y) {
        a = ReduceSum<keepdims=0>(x, first) b = Exp(a) c = Unsqueeze(b, first) d = Mul(x, c)
        e = Exp(d) y = ReduceMax<keepdims=0>(e)
    }"""
    sizes, places = shared(text, first=np.array([0]))
    assert places == [0, 1, 0, 1, 2]
    assert all("max" in size for size in sizes[:2])


def test_what_is_returned_shares_nothing() -> None:
    text = "(float[n] x) => (float[] a, float[] y) { a = Exp(x) b = Neg(a) y = Exp(b) }"
    assert shared(text)[1] == [0, 1, 2]


def test_what_a_branch_reads_stays() -> None:
    text = """(float[n] x, bool c) => (float[] y) {
        a = Exp(x)
        z = If(c) <then_branch = t () => (float[n] u) { u = Neg(a) },
                   else_branch = e () => (float[n] v) { v = Sin(a) }>
        d = Exp(z) y = Add(d, x)
    }"""
    assert shared(text)[1][0] not in shared(text)[1][1:]


def test_a_size_that_is_known_later_gets_memory_of_its_own() -> None:
    text = """(float[n] x) => (float[] y) {
        a = Exp(x) b = Neg(a) i = NonZero(b) f = Cast<to=1>(i) g = Exp(f) h = Neg(g) y = Exp(h)
    }"""
    assert shared(text) == memory_of(allocated(text))


def test_fixed_sizes_are_left_as_they_are_planned() -> None:
    text = "(float[7] x) => (float[] y) { a = Exp(x) b = Neg(a) c = Exp(b) d = Neg(c) y = Exp(d) }"
    module = allocated(text)
    after = with_shared_storages(module)
    assert tvm_ffi.structural_equal(after["main"], module["main"])


@pytest.mark.parametrize("level", ["none", "all"])
def test_numbers_stay_at_any_size(level: str) -> None:
    rng = np.random.default_rng(0)
    weights = {f"w{i}": rng.standard_normal((8, 8, 3, 3), "float32") for i in range(3)}
    same, half = "pads=[1,1,1,1]", "pads=[1,1,1,1],strides=[2,2]"
    net = model(
        f"""(float[n,8,h,w] x) => (float[] y, float[] m) {{
            a = Conv<{same}>(x, w0) b = Relu(a) c = Conv<{half}>(b, w1) d = Conv<{same}>(c, w2)
            e = Add(c, d) m = ReduceMean(e, axes) f = Sub(e, m) g = Sigmoid(f)
            s = Shape(x) r = Resize<mode="linear">(g, , , s) t = Mul(r, x) y = Add(t, b)
        }}""",
        axes=np.array([2, 3]),
        **{name: weight / 9 for name, weight in weights.items()},
    )
    net = onnx.shape_inference.infer_shapes(net)
    run = tvmfuse.compile(net, level=level).load()
    for n, h, w in ((3, 17, 30), (1, 2, 2), (2, 64, 33), (1, 1, 1)):
        feeds = {"x": rng.standard_normal((n, 8, h, w), "float32")}
        assert_agrees(run(**feeds), reference(net, feeds))
