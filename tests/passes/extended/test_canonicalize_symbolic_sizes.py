"""CanonicalizeSymbolicSizes: kernels have the sizes of their own tensors."""

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper, parser
from reference import assert_agrees, reference
from tvm import te, tirx
from tvm.tirx import BufferType, PrimFunc

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.kernels import launches
from tvmfuse.ir.own_sizes import told_sizes, with_own_sizes
from tvmfuse.passes.extended.canonicalize_symbolic_sizes import CanonicalizeSymbolicSizes
from tvmfuse.passes.selection import Selection
from tvmfuse.passes.trace import Trace
from tvmfuse.pipeline.optimize import optimize

NAME = "CanonicalizeSymbolicSizes"
HALVED = "MaxPool<kernel_shape=[2,2],strides=[2,2]>"


def model(text: str, **constants: Any) -> onnx.ModelProto:
    made = parser.parse_model(f'<ir_version: 8, opset_import: ["": 20]> g {text}')
    made.graph.initializer.extend(
        numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()
    )
    return made


def deep() -> onnx.ModelProto:
    """Return the same two convolutions at a half and at a quarter of an image."""
    rng = np.random.default_rng(0)
    weights = {name: rng.standard_normal((8, 8, 3, 3), "float32") for name in ("u", "v")}
    same = "pads=[1,1,1,1]"
    return model(
        f"""(float[n,8,h,w] x) => (float[] y) {{
            a = {HALVED}(x) b = Conv<{same}>(a, u) c = Conv<{same},strides=[2,2]>(b, v)
            d = Conv<{same}>(c, u) e = Conv<{same},strides=[2,2]>(d, v) y = Softmax<axis=3>(e)
        }}""",
        **weights,
    )


def kernels_of(model: onnx.ModelProto, *disabled: str) -> list[PrimFunc]:
    module = optimize(import_model(model).module, Selection.of("all", disabled)).kernels
    names = dict.fromkeys(callee for _, callee, _ in launches(module))
    return [module[name] for name in names]


def fired(model: onnx.ModelProto) -> tuple[int, dict[str, int]]:
    report = tvmfuse.explain(model)
    (ran,) = (p for p in report.passes if p.name == NAME)
    return ran.fired, {declined.reason: declined.count for declined in ran.declined}


def test_kernels_are_told_no_sizes_and_serve_two_depths() -> None:
    plain, told = (kernels_of(deep(), "NchwcTransformer", *off) for off in ((), (NAME,)))
    assert sum(bool(told_sizes(kernel)) for kernel in told) == 5
    assert not any(told_sizes(kernel) for kernel in plain)
    assert len(plain) == len(told) - 2  # each convolution is one kernel at both depths


@pytest.mark.parametrize("target", ["llvm", "avx2"])
@pytest.mark.sampled(3)
def test_the_numbers_stay(target: str) -> None:
    run = tvmfuse.compile(deep(), target).load()
    for n, h, w in ((1, 2, 2), (1, 3, 9), (3, 17, 30), (2, 64, 33)):
        feeds = {"x": np.random.default_rng(h).standard_normal((n, 8, h, w), "float32")}
        assert_agrees(run(**feeds), reference(deep(), feeds))


def test_it_says_what_it_did_and_why_not() -> None:
    told = [kernel for kernel in kernels_of(deep(), NAME) if told_sizes(kernel)]
    assert fired(deep()) == (len(told), {})
    doubled = model(
        f"""(float[1,2,h,4] x) => (float[] y) {{
            a = {HALVED}(x) b = Concat<axis=2>(a, a) y = Softmax<axis=2>(b)
        }}"""
    )
    assert fired(doubled) == (1, {"its tensors do not tell the sizes that it is told": 1})


def test_it_is_silent_on_sizes_that_are_fixed_or_plain() -> None:
    for shape in ("2,8,16,16", "n,8,h,w"):
        relu = model(f"(float[{shape}] x) => (float[] y) {{ a = Relu(x) y = Softmax<axis=3>(a) }}")
        assert fired(relu) == (0, {})


def test_it_stops_where_it_is_told_to() -> None:
    module = optimize(import_model(deep()).module, Selection.of("all", (NAME,))).kernels
    trace = Trace(limit=2)
    after = CanonicalizeSymbolicSizes()(module, trace)
    assert len(trace.fired) == 2
    left = [f for f in after.functions.values() if isinstance(f, PrimFunc) and told_sizes(f)]
    told = [f for f in module.functions.values() if isinstance(f, PrimFunc) and told_sizes(f)]
    assert len(left) == len(told) - 2 > 0


def kernel(size: Any, told: tirx.Var, *, reads_told: bool = False) -> PrimFunc:
    """Return the negative of a vector of so many numbers, plus what the kernel is told."""
    x = te.placeholder((size,), "float32", "x")
    more = told.astype("float32") if reads_told else tirx.const(0, "float32")
    y = te.compute((size,), lambda i: more - x[i], "y")
    return te.create_prim_func([x, told, y])


H, W = tirx.Var("h", "int64"), tirx.Var("w", "int64")


@pytest.mark.parametrize(
    "size",
    [H + 3, H - 3, 5 + H, H // 4, (H - 1) // 8 + 1, (H + 5) // 3 - 2, (H // 2 + 1) // 3, H + W],
    ids=str,
)
def test_a_size_that_tells_what_a_kernel_is_told(size: Any) -> None:
    after = with_own_sizes(kernel(size, H))
    assert not [p for p in after.params if not isinstance(p.ty, BufferType)]
    (dim,) = after.params[0].shape
    assert isinstance(dim, tirx.Var)
    assert dim.same_as(after.params[-1].shape[0])


@pytest.mark.parametrize(
    "size", [H * 2, 7 - H, H % 4, tirx.max(H, 4), H * H, W // (H + 1)], ids=str
)
def test_a_size_that_does_not(size: Any) -> None:
    before = kernel(size, H)
    assert with_own_sizes(before) is before


def test_a_choice_that_has_been_made_is_no_choice() -> None:
    size = H // 4 + 1
    whole = (size - 1) // 3 + 1  # the places of a window of 3, of which none begins behind the end
    x = te.placeholder((size,), "float32", "x")
    inside = tirx.if_then_else((whole - 1) * 3 >= size, whole - 1, whole)
    y = te.compute((inside,), lambda i: -x[i * 3], "y")
    image, places = with_own_sizes(te.create_prim_func([x, H, y])).params
    (own,), (chosen,) = image.shape, places.shape
    assert isinstance(own, tirx.Var)
    assert isinstance(chosen, tirx.Add)
    (var,) = tirx.analysis.undefined_vars(chosen)
    assert var.same_as(own)


def test_a_kernel_that_computes_with_the_size_itself_is_told_it() -> None:
    before = kernel(H // 2, H, reads_told=True)
    assert with_own_sizes(before) is before  # of 4 and 5 it makes different numbers
    assert with_own_sizes(kernel(H + 2, H, reads_told=True)) is not before  # 2 less is all it needs
