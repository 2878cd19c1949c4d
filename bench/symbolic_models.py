"""Small networks whose sizes are known only as they run, each at some sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Sizes = Mapping[str, int]
Shape = tuple[int | str, ...]

OPSETS: Final = (("", 21), ("com.microsoft", 1))


@dataclass
class Net:
    """A graph as it is written; each method adds nodes and returns the name of their result.

    Attributes:
        inputs: Their shapes; a string is a size that is known only later.
    """

    inputs: Mapping[str, Shape]
    _nodes: list[onnx.NodeProto] = field(default_factory=list)
    _weights: dict[str, np.ndarray] = field(default_factory=dict)
    _random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def model(self, *outputs: str) -> onnx.ModelProto:
        """Return the model of these outputs."""
        kind = TensorProto.FLOAT
        graph = helper.make_graph(
            self._nodes,
            "net",
            [helper.make_tensor_value_info(n, kind, shape) for n, shape in self.inputs.items()],
            [helper.make_tensor_value_info(n, kind, None) for n in outputs],
            [numpy_helper.from_array(a, n) for n, a in self._weights.items()],
        )
        imports = [helper.make_opsetid(*opset) for opset in OPSETS]
        return helper.make_model(graph, ir_version=10, opset_imports=imports)

    def op(self, name: str, *operands: str, **attributes: Any) -> str:
        """Add a node of one result."""
        result = f"v{len(self._nodes)}"
        self._nodes.append(helper.make_node(name, operands, [result], **attributes))
        return result

    def constant(self, array: Any) -> str:
        """Add an initializer."""
        name = f"c{len(self._weights)}"
        self._weights[name] = np.asarray(array)
        return name

    def weight(self, *shape: int, sums: int) -> str:
        """Add numbers with which sums of so many products are about 1."""
        drawn = self._random.standard_normal(shape, "float32")
        return self.constant(drawn / np.float32(sums**0.5))

    def conv(
        self, x: str, channels: int, filters: int, *size: int, stride: int = 1, groups: int = 1
    ) -> str:
        """Convolve, with half a window of padding on each side, and a bias."""
        inner = channels // groups
        return self.op(
            "Conv",
            x,
            self.weight(filters, inner, *size, sums=inner * int(np.prod(size))),
            self.weight(filters, sums=9),
            pads=[s // 2 for s in size] * 2,
            strides=[stride] * len(size),
            group=groups,
        )

    def linear(self, x: str, inner: int, columns: int) -> str:
        """Multiply rows by a matrix and add a bias."""
        product = self.op("MatMul", x, self.weight(inner, columns, sums=inner))
        return self.op("Add", product, self.weight(columns, sums=9))

    def norm(self, x: str, width: int) -> str:
        """Normalize rows."""
        scale, bias = self.weight(width, sums=1), self.weight(width, sums=1)
        return self.op("LayerNormalization", x, scale, bias)

    def heads(self, x: str, count: int, width: int) -> str:
        """Divide rows (batch, sequence, count * width) among heads."""
        shape = self.constant(np.array([0, 0, count, width]))
        return self.op("Transpose", self.op("Reshape", x, shape), perm=[0, 2, 1, 3])


@dataclass(frozen=True)
class Case:
    """One network.

    Attributes:
        name: Its name.
        make: Returns it.
        sizes: Values for its symbolic sizes, each a row of the table.
    """

    name: str
    make: Callable[[], onnx.ModelProto]
    sizes: tuple[Sizes, ...]

    def __str__(self) -> str:
        """Say which."""
        return self.name


IMAGE: Final[Shape] = ("n", 3, "h", "w")


def residual() -> onnx.ModelProto:
    """Return ResNet-18."""
    net = Net({"x": IMAGE})
    x = net.op("Relu", net.conv("x", 3, 64, 7, 7, stride=2))
    x = net.op("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    before = 64
    for width in (64, 128, 256, 512):
        for block in range(2):
            stride = 2 if width > 64 and not block else 1
            y = net.op("Relu", net.conv(x, before, width, 3, 3, stride=stride))
            y = net.conv(y, width, width, 3, 3)
            if stride > 1:
                x = net.conv(x, before, width, 1, 1, stride=2)
            x, before = net.op("Relu", net.op("Add", y, x)), width
    x = net.op("Flatten", net.op("GlobalAveragePool", x))
    return net.model(net.linear(x, 512, 1000))


def inverted() -> onnx.ModelProto:
    """Return a network of inverted residuals, as MobileNetV2's."""
    net = Net({"x": IMAGE})

    def clipped(x: str) -> str:
        return net.op("Clip", x, net.constant(np.float32(0)), net.constant(np.float32(6)))

    x, before = clipped(net.conv("x", 3, 32, 3, 3, stride=2)), 32
    for width, stride in ((16, 1), (24, 2), (24, 1), (32, 2), (32, 1), (64, 2), (96, 1), (160, 2)):
        inner = before * 6
        y = clipped(net.conv(x, before, inner, 1, 1))
        y = clipped(net.conv(y, inner, inner, 3, 3, stride=stride, groups=inner))
        y = net.conv(y, inner, width, 1, 1)
        x, before = net.op("Add", x, y) if stride == 1 and before == width else y, width
    x = clipped(net.conv(x, before, 640, 1, 1))
    return net.model(net.linear(net.op("Flatten", net.op("GlobalAveragePool", x)), 640, 1000))


def down_and_up() -> onnx.ModelProto:
    """Return a U-Net of three levels, with Resize."""
    net = Net({"x": IMAGE})

    def twice(x: str, before: int, width: int) -> str:
        x = net.op("Relu", net.conv(x, before, width, 3, 3))
        return net.op("Relu", net.conv(x, width, width, 3, 3))

    def halved(x: str) -> str:
        return net.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])

    def doubled(x: str, mode: str) -> str:
        scales = net.constant(np.array([1, 1, 2, 2], "float32"))
        return net.op("Resize", x, "", scales, mode=mode)

    first = twice("x", 3, 32)
    second = twice(halved(first), 32, 64)
    third = twice(halved(second), 64, 128)
    x = twice(net.op("Concat", doubled(third, "linear"), second, axis=1), 192, 64)
    x = twice(net.op("Concat", doubled(x, "nearest"), first, axis=1), 96, 32)
    return net.model(net.op("Sigmoid", net.conv(x, 32, 8, 1, 1)))


def attended(net: Net, x: str, width: int, heads: int, past: tuple[str, str] | None = None) -> str:
    """Add attention over `x` and what came before."""
    inner = width // heads
    q, k, v = (net.heads(net.linear(x, width, width), heads, inner) for _ in range(3))
    if past:
        k, v = (net.op("Concat", a, b, axis=2) for a, b in zip(past, (k, v), strict=True))
    scores = net.op("MatMul", q, net.op("Transpose", k, perm=[0, 1, 3, 2]))
    scores = net.op("Mul", scores, net.constant(np.float32(inner**-0.5)))
    y = net.op("MatMul", net.op("Softmax", scores, axis=-1), v)
    y = net.op("Transpose", y, perm=[0, 2, 1, 3])
    y = net.op("Reshape", y, net.constant(np.array([0, 0, width])))
    return net.linear(y, width, width)


def gelu(net: Net, x: str) -> str:
    """Add the exact Gelu."""
    return net.op("Gelu", x)


def layer(net: Net, x: str, width: int, past: tuple[str, str] | None = None) -> str:
    """Add a layer of a transformer, with norms behind its halves."""
    x = net.norm(net.op("Add", x, attended(net, x, width, width // 64, past)), width)
    y = net.linear(gelu(net, net.linear(x, width, 4 * width)), 4 * width, width)
    return net.norm(net.op("Add", x, y), width)


def encoder() -> onnx.ModelProto:
    """Return one layer of BERT-base."""
    net = Net({"x": ("n", "t", 768)})
    return net.model(layer(net, "x", 768))


def decoder() -> onnx.ModelProto:
    """Return one layer that sees one more token, with caches of any length."""
    cache: Shape = ("n", 12, "t", 64)
    net = Net({"x": ("n", 1, 768), "k": cache, "v": cache})
    return net.model(layer(net, "x", 768, ("k", "v")))


def products() -> onnx.ModelProto:
    """Return two products around a Gelu."""
    net = Net({"x": ("n", 384)})
    return net.model(net.linear(gelu(net, net.linear("x", 384, 1536)), 1536, 384))


def feature_map(
    *size: int, filters: int = 64, groups: int = 1, stride: int = 1, twice: int = 1
) -> onnx.ModelProto:
    """Return convolutions of a feature map of 64 channels."""
    net = Net({"x": ("n", 64, *("h", "w")[: len(size)])})
    x = "x"
    for _ in range(twice):
        x = net.op("Relu", net.conv(x, 64, filters, *size, stride=stride, groups=groups))
    return net.model(x)


def one(operator: str, *shape: int | str, **attributes: Any) -> onnx.ModelProto:
    """Return one node of one operand."""
    net = Net({"x": shape})
    return net.model(net.op(operator, "x", **attributes))


def rows() -> onnx.ModelProto:
    """Return a norm of rows."""
    net = Net({"x": ("n", 768)})
    return net.model(net.norm("x", 768))


def listened() -> onnx.ModelProto:
    """Return convolutions of a signal of 80 channels, as those in front of an encoder of speech."""
    net = Net({"x": ("n", 80, "t")})
    x = gelu(net, net.conv("x", 80, 384, 3))
    x = gelu(net, net.conv(x, 384, 384, 3, stride=2))
    return net.model(net.op("Relu", net.conv(x, 384, 384, 5)))


def _images(*sizes: tuple[int, int, int]) -> tuple[Sizes, ...]:
    return tuple({"n": n, "h": h, "w": w} for n, h, w in sizes)


def _sequences(*sizes: tuple[int, int]) -> tuple[Sizes, ...]:
    return tuple({"n": n, "t": t} for n, t in sizes)


def _cases() -> Iterator[Case]:
    images = _images((1, 224, 224), (1, 160, 200), (2, 97, 131))
    yield Case("ResNet-18", residual, images)
    yield Case("inverted residuals", inverted, images)
    yield Case("U-Net", down_and_up, _images((1, 128, 128), (2, 64, 96)))
    yield Case("encoder", encoder, _sequences((1, 128), (1, 13), (4, 50)))
    yield Case("decoder step", decoder, _sequences((1, 1), (1, 100), (4, 500)))
    yield Case("two products", products, tuple({"n": n} for n in (1, 13, 128)))
    maps = _images((1, 56, 56), (1, 13, 29), (3, 7, 7))
    make = feature_map
    yield Case("Conv 3x3, twice", partial(make, 3, 3, twice=2), maps)
    yield Case("Conv 3x3 / 2", partial(make, 3, 3, stride=2, filters=128), maps)
    yield Case("Conv 5x5", partial(make, 5, 5), maps)
    yield Case("Conv 1x1", partial(make, 1, 1, filters=256), maps)
    yield Case("depthwise 3x3, twice", partial(make, 3, 3, groups=64, twice=2), maps)
    yield Case("depthwise 3x3 / 2", partial(make, 3, 3, groups=64, stride=2), maps)
    yield Case("Conv of signals", listened, _sequences((1, 3000), (2, 77)))
    tall: Shape = ("n", 64, "h", "w")
    window: dict[str, Any] = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4}
    stem = _images((1, 112, 112))
    yield Case("MaxPool", partial(one, "MaxPool", *tall, **window), stem + maps)
    yield Case("AveragePool", partial(one, "AveragePool", *tall, **window), stem + maps)
    yield Case("GlobalAveragePool", partial(one, "GlobalAveragePool", *tall), maps)
    yield Case(
        "Softmax", partial(one, "Softmax", "n", "t", axis=-1), _sequences((128, 128), (7, 1001))
    )
    yield Case("LayerNormalization", rows, tuple({"n": n} for n in (128, 5)))
    yield Case("Transpose", partial(one, "Transpose", *tall, perm=[0, 2, 3, 1]), maps)


CASES: Final = tuple(_cases())
