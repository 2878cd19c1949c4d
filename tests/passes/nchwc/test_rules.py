"""passes.blocked.rules: batch norms and resizing on blocks, and where they read plain tensors."""

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, ops
from onnx import helper
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check

import tvmfuse
from tvmfuse.errors import InputError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize

blocks = about("NchwcTransformer", disabled=("WinogradConv",))

W, V = (32, 16, 3, 3), (16, 32, 3, 3)
CONV = "Conv<pads=[1,1,1,1]>"
X = "float[1,16,12,11] x"
NORM: dict[str, Any] = {
    "g": (32,),
    "b": (32,),
    "m": (32,),
    "s": np.linspace(0.5, 2, 32, dtype="float32"),
}
TWICE = np.array([1, 1, 2, 3], "float32")


def resized(
    attributes: str, scales: np.ndarray = TWICE, op: str = "Resize"
) -> tuple[str, dict[str, Any]]:
    """Return a graph that resizes between two convolutions, and its constants."""
    operands = "a, scales" if op == "Upsample" else "a, , scales"
    graph = f"({X}) => (float[] y) {{a = {CONV}(x, w) r = {op}<{attributes}>({operands}) y = {CONV}(r, v)}}"
    return graph, {"scales": scales, "w": W, "v": (16, int(32 * scales[1]), 3, 3)}


def speckled(shape: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Return an image with one NaN and one infinity, far enough apart to leave numbers."""
    image = np.random.default_rng(1).standard_normal(shape, dtype="float32")
    image[0, 3, 2, 2], image[0, 5, 9, 8] = np.nan, np.inf
    return {"x": image}


def padded(bullet: Any, attributes: Any, p: Any, left: Any, because: Any = None) -> Case:
    graph = (
        f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Pad<{attributes}>(a, p, c) y = Conv(r, v)}}"
    )
    return blocks(bullet, graph, left, because, fires=True, feeds=speckled((1, 16, 12, 11)),
                  w=W, v=(16, 32 + sum(p[1::4]), 3, 3), p=np.array(p), c=np.float32(2))  # fmt: skip


def resize(
    bullet: Any,
    attributes: Any,
    left: Any,
    because: Any = None,
    scales: Any = TWICE,
    op: str = "Resize",
    opset: int = 18,
) -> Case:
    graph, constants = resized(attributes, scales, op)
    return blocks(bullet, graph, left, because, fires=True, opset=opset, **constants)


LINEAR = "to_blocked conv_blocked resample conv_blocked from_blocked"
NEAREST = "to_blocked conv_blocked take take conv_blocked from_blocked"
SLICED = "to_blocked conv_blocked strided_slice take conv_blocked from_blocked"
PADDED = "to_blocked conv_blocked pad conv_blocked from_blocked"
GATHERED = "to_blocked conv_blocked from_blocked take to_blocked conv_blocked from_blocked"


@cases(
    blocks("a batch norm",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Relu(a) n = BatchNormalization(r, g, b, m, s) y = {CONV}(n, v)}}",
           "to_blocked conv_blocked relu multiply add conv_blocked from_blocked", w=W, v=V, **NORM),
    blocks("a batch norm that is an output",
        f"({X}) => (float[] n) {{a = {CONV}(x, w) r = Relu(a) n = BatchNormalization(r, g, b, m, s)}}",
           "to_blocked conv_blocked relu multiply add from_blocked", w=W, **NORM),
    blocks("a batch norm in three dimensions", "(float[1,16,5,6,7] x) => (float[] y) {a = Conv(x, w) r = Relu(a) "
           "n = BatchNormalization(r, g, b, m, s) y = Relu(n)}",
           "to_blocked conv_blocked relu multiply add relu from_blocked", w=(32, 16, 3, 3, 3), **NORM),
    resize("nearest", 'mode="nearest"', NEAREST),
    resize("nearest, smaller", 'mode="nearest", nearest_mode="floor"', SLICED,
        scales=np.array([1, 1, 0.5, 2], "float32")),
    resize("linear", 'mode="linear"', LINEAR),
    resize("linear, corners aligned", 'mode="linear", coordinate_transformation_mode="align_corners"', LINEAR),
    resize("linear, from the corner", 'mode="linear", coordinate_transformation_mode="asymmetric"', LINEAR),
    resize("cubic", 'mode="cubic", cubic_coeff_a=-0.5', LINEAR),
    resize("cubic, without what is outside", 'mode="cubic", exclude_outside=1', LINEAR),
    resize("cubic, from the middle", 'mode="cubic", coordinate_transformation_mode="half_pixel_symmetric"', LINEAR,
        opset=19),
    resize("antialias", 'mode="linear", antialias=1', LINEAR, scales=np.array([1, 1, 0.5, 0.7], "float32")),
    blocks("linear, one dimension", "(float[2,64,15] x) => (float[] y) {a = Conv<pads=[1,1]>(x, w) "
           "r = Resize<mode=\"linear\">(a, , scales) y = Conv<pads=[1,1]>(r, w)}",
           LINEAR, scales=np.array([1, 1, 2], "float32"),
           w=(64, 64, 3)),
    blocks("a slice", f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Slice(a, i, j, k, l) y = {CONV}(r, v)}}",
           "to_blocked conv_blocked strided_slice conv_blocked from_blocked", w=W, v=V,
           i=np.array([1, -9]), j=np.array([10, 99]), k=np.array([-2, -1]), l=np.array([1, 2])),
    blocks("a half of the channels, and columns",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Slice(a, i, j, k) y = {CONV}(r, v)}}",
           "to_blocked conv_blocked strided_slice conv_blocked from_blocked", w=W, v=(16, 16, 3, 3),
           i=np.array([2, -16]), j=np.array([9, 99]), k=np.array([-1, 1])),
    blocks("halves of the channels",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) r, s = Split<axis=1>(a) t = Mul(r, s) y = {CONV}(t, v)}}",
           "to_blocked conv_blocked strided_slice strided_slice multiply conv_blocked from_blocked", opset=13,
           w=W, v=(16, 16, 3, 3)),
    padded("a pad by reflection", 'mode="reflect"', [0, 0, 1, 2, 0, 0, 2, 1], PADDED),
    padded("a pad by the edge", 'mode="edge"', [0, 0, 1, 2, 0, 0, 0, 1], PADDED),
    padded("a pad by twos", 'mode="constant"', [0, 0, 1, 2, 0, 0, 2, 1], PADDED),
    blocks("a reshape of the image",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Reshape(a, s) y = {CONV}(r, v)}}",
           "to_blocked conv_blocked reshape conv_blocked from_blocked", w=W, v=V, s=np.array([0, 0, 33, 4])),
    blocks("an instance norm",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) n = InstanceNormalization(a, g, b) r = Relu(n) y = {CONV}(r, v)}}",
           "to_blocked conv_blocked mean subtract variance add sqrt divide multiply add relu conv_blocked from_blocked",
           feeds=speckled((1, 16, 12, 11)), w=W, v=V, g=(32,), b=(32,)),
    blocks("a product of all places",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) r = ReduceProd<axes=[2,3]>(a) y = Conv(r, v)}}",
           "to_blocked conv_blocked prod conv_blocked reshape", feeds=speckled((1, 16, 12, 11)), w=W, v=(16, 32, 1, 1)),
    blocks("a mean of each channel",
        f"({X}) => (float[] y, float[] m) {{a = {CONV}(x, w) m = ReduceMean<axes=[0,2,3], keepdims=0>(a) "
        f"n = ReduceMean<axes=[0,2,3]>(a) b = Sub(a, n) y = {CONV}(b, v)}}",
           "to_blocked conv_blocked mean reshape mean subtract conv_blocked from_blocked", w=W, v=V),
    blocks("pixels beside zeros",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Reshape(a, s) c = Concat<axis=4>(r, z) f = Reshape(c, t) "
        f"y = {CONV}(f, v)}}",
           "to_blocked conv_blocked reshape concat reshape conv_blocked from_blocked", w=W, v=V,
           s=np.array([1, 32, 12, 11, 1]), z=np.zeros((1, 32, 12, 11, 1), "float32"), t=np.array([1, 32, 12, 22])),
    blocks("what is computed of a plain tensor, for two readers",
        f"({X}, float[1,32,12,11] u) => (float[] y) {{a = {CONV}(x, w) d = Sub(u, k) b = Mul(a, d) e = Mul(d, k) "
        f"c = Sub(b, e) y = {CONV}(c, v)}}",
           "to_blocked conv_blocked to_blocked subtract multiply multiply subtract conv_blocked from_blocked",
           w=W, v=V, k=(32, 1, 1)),
    blocks("what is computed of two plain tensors",
        f"({X}, float[1,32,12,11] u, float[1,32,12,11] t) => (float[] y) {{a = {CONV}(x, w) d = Sub(u, t) "
        f"b = Mul(a, d) y = {CONV}(b, v)}}",
           "to_blocked conv_blocked subtract to_blocked multiply conv_blocked from_blocked", w=W, v=V),
    blocks("what a softmax reads, too",
        f"({X}, float[1,32,12,11] u) => (float[] y, float[] z) {{a = {CONV}(x, w) d = Sub(u, k) b = Mul(a, d) "
        f"y = {CONV}(b, v) z = Softmax<axis=1>(d)}}",
           "to_blocked conv_blocked subtract to_blocked multiply conv_blocked from_blocked softmax",
           w=W, v=V, k=(32, 1, 1)),
    resize("Upsample", 'mode="nearest"', NEAREST, op="Upsample", opset=9),
    resize("Upsample, linear", 'mode="linear"', LINEAR, op="Upsample", opset=9),
    blocks("places that are fed",
        f"({X}, int64[4] i) => (float[] y) {{a = {CONV}(x, w) r = Gather<axis=-1>(a, i) y = {CONV}(r, v)}}",
           "to_blocked conv_blocked less add where take conv_blocked from_blocked",
           feeds={"i": np.array([3, 0, 10, 3])}, w=W, v=V),
)  # fmt: skip
def test_fires(case: Case) -> None:
    check(case)


@cases(
    resize("more channels", 'mode="nearest"', GATHERED,
        "places are taken along an axis of the image, not among channels",
           scales=np.array([1, 2, 1, 1], "float32")),
    blocks("a slice of the channels",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Slice(a, i, j, i) y = {CONV}(r, v)}}",
           "to_blocked conv_blocked from_blocked strided_slice to_blocked conv_blocked from_blocked",
           "channels are taken in whole blocks, one after the other",
           fires=True, w=W, v=(16, 16, 3, 3), i=np.array([1]), j=np.array([17])),
    blocks("parts that are no blocks",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) r, s = Split<axis=1>(a, i) y = Relu(r)}}",
           "to_blocked conv_blocked from_blocked split TupleGetItem relu",
           "channels are taken in whole blocks, one after the other",
           opset=13, fires=True, w=W, i=np.array([8, 24])),
    blocks("every other channel",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Slice(a, i, j, k, l) y = {CONV}(r, v)}}",
           "to_blocked conv_blocked from_blocked strided_slice to_blocked conv_blocked from_blocked",
           "channels are taken in whole blocks, one after the other",
           fires=True, w=W, v=(16, 16, 3, 3), i=np.array([0]), j=np.array([32]), k=np.array([1]), l=np.array([2])),
    blocks("a product over channels",
        "(float[2,64,15] x) => (float[] y) {a = Conv<pads=[1,1]>(x, w) r = MatMul(k, a) y = Conv<pads=[1,1]>(r, w)}",
           "to_blocked conv_blocked from_blocked matmul to_blocked conv_blocked from_blocked",
           "the product is along an axis of the image, not over channels", fires=True, w=(64, 64, 3), k=(64, 64)),
    padded("a pad of the channels", 'mode="constant"', [0, 16, 1, 1, 0, 0, 1, 1],
           "to_blocked conv_blocked from_blocked pad to_blocked conv_blocked from_blocked",
           "the pad leaves the batch and the channels as they are"),
    blocks("a reshape of the channels",
        f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Reshape(a, s) y = {CONV}(r, w)}}",
           "to_blocked conv_blocked from_blocked reshape to_blocked conv_blocked from_blocked",
           "the batch and the channels stay as they are", fires=True, w=W, s=np.array([2, 16, 12, 11])),
    blocks("one place", f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Gather<axis=2>(a, i) y = Softmax<axis=1>(r)}}",
           "to_blocked conv_blocked from_blocked take softmax", "places are taken without an axis more, or less",
           fires=True, w=W, i=np.array(3)),
    blocks("a batch norm that is fed",
        f"({X}, float[32] g) => (float[] y) {{a = {CONV}(x, w) r = Relu(a) n = BatchNormalization(r, g, b, m, s) "
        f"y = {CONV}(n, v)}}",
           "to_blocked conv_blocked relu from_blocked batch_norm TupleGetItem to_blocked conv_blocked from_blocked",
           "the batch norm's parameters are constant", fires=True, w=W, v=V,
           **{k: v for k, v in NORM.items() if k != "g"}),
    blocks("a batch norm of no variance", f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Relu(a) "
           f"n = BatchNormalization<epsilon=0.0>(r, g, b, m, z) y = {CONV}(n, v)}}",
           "to_blocked conv_blocked relu from_blocked batch_norm TupleGetItem to_blocked conv_blocked from_blocked",
           "the batch norm's scale and shift are finite", fires=True, w=W, v=V, z=np.zeros(32, "float32"), **NORM),
    blocks("a batch norm whose scale is no float32", f"({X}) => (float[] y) {{a = {CONV}(x, w) r = Relu(a) "
           f"n = BatchNormalization<epsilon=0.0>(r, g, b, m, z) y = {CONV}(n, v)}}",
           "to_blocked conv_blocked relu from_blocked batch_norm TupleGetItem to_blocked conv_blocked from_blocked",
           "the batch norm's scale and shift are finite", fires=True, w=W, v=V, z=np.full(32, 1e-30, "float32"),
           **NORM | {"g": np.full(32, 1e30, "float32")}),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("target", ["llvm", "avx2"])
@pytest.mark.sampled(3)
def test_images_of_symbolic_sizes_that_have_to_agree(target: str) -> None:
    """That ``h // 2 * 2`` is `h` only the feed can tell: a view, of blocks."""
    graph = (
        f"(float[n,16,h,m] x) => (float[] y) {{a = {CONV}(x, w) "
        "b = MaxPool<kernel_shape=[2,2], strides=[2,2]>(a) "
        f'r = Resize<mode="nearest">(b, , scales) c = Concat<axis=1>(r, a) y = {CONV}(c, v)}}'
    )
    scales = np.array([1, 1, 2, 2], "float32")
    model = blocks("sizes that agree", graph, None, w=W, v=(16, 64, 3, 3), scales=scales).model()
    compiled = tvmfuse.compile(model, target)
    kernels = [kernel.symbol for kernel in compiled.manifest.kernels]
    assert not any("reshape" in kernel for kernel in kernels)
    assert sum("from_blocked" in kernel for kernel in kernels) == 1
    run = compiled.load()
    for n, h, m in ((1, 2, 2), (3, 6, 4), (1, 14, 30)):
        feeds = {"x": np.random.default_rng(n).standard_normal((n, 16, h, m), "float32")}
        assert_agrees(run(**feeds), reference(model, feeds))
    with pytest.raises(InputError, match=r"h == h//2\*2"):
        run(x=np.zeros((1, 16, 7, 4), "float32"))


def build(nodes: Any, weights: Any, x: Any, *, outputs: tuple[str, ...] = ("y",)) -> Any:
    return onnx_model(nodes, {"x": ("float32", x)}, dict.fromkeys(outputs, "float32"), weights)


class Net:
    """A graph that grows node by node; weights are random."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.nodes: list[onnx.NodeProto] = []
        self.weights: dict[str, np.ndarray] = {}

    def add(self, op: str, *inputs: str, **attributes: Any) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name

    def weight(self, *shape: int, low: float = -0.2) -> str:
        name = f"w{len(self.weights)}"
        self.weights[name] = self.rng.uniform(low, 0.6, shape).astype("float32")
        return name

    def norm(self, x: str, channels: int) -> str:
        return self.add(
            "BatchNormalization", x, *(self.weight(channels, low=0.2) for _ in range(4))
        )

    def conv(self, x: str, before: int, after: int, size: int = 3) -> str:
        return self.add("Conv", x, self.weight(after, before, size, size), pads=[size // 2] * 4)

    def model(self, y: str, x: tuple[int, ...]) -> Any:
        return build([*self.nodes, helper.make_node("Identity", [y], ["y"])], self.weights, x)


def densenet() -> Any:
    net, channels = Net(), 32
    x = net.add(
        "MaxPool",
        net.add("Relu", net.norm(net.conv("x", 3, channels), channels)),
        kernel_shape=[2, 2],
        strides=[2, 2],
    )
    for _ in range(3):
        a = net.conv(net.add("Relu", net.norm(x, channels)), channels, 64, 1)
        b = net.conv(net.add("Relu", net.norm(a, 64)), 64, 16)
        x, channels = net.add("Concat", x, b, axis=1), channels + 16
    x = net.conv(net.add("Relu", net.norm(x, channels)), channels, channels // 2, 1)
    x = net.add("AveragePool", x, kernel_shape=[2, 2], strides=[2, 2])
    x = net.add("Relu", net.norm(x, channels // 2))
    return net.model(net.add("GlobalAveragePool", x), (1, 3, 32, 32))


def unet(mode: str) -> Any:
    net = Net()

    def block(x: str, before: int, after: int) -> str:
        return net.add("Relu", net.norm(net.conv(x, before, after), after))

    def halved(x: str) -> str:
        return net.add("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])

    def doubled(x: str) -> str:
        net.weights["scales"] = np.array([1, 1, 2, 2], "float32")
        return net.add(
            "Resize",
            x,
            "",
            "scales",
            mode=mode,
            coordinate_transformation_mode="asymmetric",
            nearest_mode="floor",
        )

    one = block("x", 3, 16)
    two = block(halved(one), 16, 32)
    three = block(halved(two), 32, 64)
    two = block(net.add("Concat", doubled(three), two, axis=1), 96, 32)
    one = block(net.add("Concat", doubled(two), one, axis=1), 48, 16)
    return net.model(net.conv(one, 16, 8, 1), (1, 3, 24, 24))


@pytest.mark.parametrize(
    ("model", "reorders"),
    [(densenet(), []), (unet("nearest"), ["from_blocked"]), (unet("linear"), ["from_blocked"])],
    ids=["densenet", "unet-nearest", "unet-linear"],
)
@pytest.mark.sampled(4)
def test_a_net_has_one_reorder_at_its_end(model: Any, reorders: Any) -> None:
    """The first convolution reads three channels as they are; an average leaves none to reorder."""
    optimized = optimize(import_model(model).module, Selection.of("layout", ("WinogradConv",)))
    assert [
        op for op in ops(optimized.operators) if op in ("to_blocked", "from_blocked")
    ] == reorders
    assert not {"conv", "batch_norm"} & set(ops(optimized.operators))
    shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    x = np.random.default_rng(1).standard_normal(shape).astype("float32")
    assert_agrees(tvmfuse.compile(model, "llvm").load()(x=x), reference(model, {"x": x}))
