"""Small files that ask for more than any machine has: what the gate is there for."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import onnx
from graphs import onnx_model
from malformed import X, Y, node
from onnx import TensorProto, helper

Bomb = Callable[[], onnx.ModelProto]


def sized(op: str, **attributes: Any) -> Callable[..., Bomb]:
    """Return what makes a model of one operator on `x` (2, 3) and constants."""

    def of(
        *constants: Any, reads: Sequence[str] = ("x",), dtype: str = "float32", opset: int = 17
    ) -> Bomb:
        def make() -> onnx.ModelProto:
            weights = {f"c{i}": np.asarray(c) for i, c in enumerate(constants)}
            made = node(op, [*reads, *weights], ["y"], name="bomb", **attributes)
            return onnx_model([made], X, {"y": dtype}, weights, opset=opset)

        return make

    return of


def fill(value: float = 1.0, dtype: int = TensorProto.FLOAT) -> onnx.TensorProto:
    return helper.make_tensor("value", dtype, [1], [value])


def calls(depth: int, width: int) -> Bomb:
    """Functions that each call the next one `width` times."""

    def make() -> onnx.ModelProto:
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
        body = [node("Relu", ["a"], ["b"])]
        functions = [helper.make_function("own", "f0", ["a"], ["b"], body, opsets)]
        for level in range(1, depth):
            names = ["a", *(f"t{i}" for i in range(1, width)), "b"]
            body = [
                node(f"f{level - 1}", [names[i]], [names[i + 1]], domain="own")
                for i in range(width)
            ]
            functions.append(helper.make_function("own", f"f{level}", ["a"], ["b"], body, opsets))
        model = onnx_model([node(f"f{depth - 1}", ["x"], ["y"], name="bomb", domain="own")], X, Y)
        model.opset_import.append(opsets[1])
        model.functions.extend(functions)
        return model

    return make


def passed_on(size: int, count: int) -> Bomb:
    """A function that writes an attribute of its caller down many times."""

    def make() -> onnx.ModelProto:
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
        body = [node("Constant", [], [f"k{i}"]) for i in range(count)]
        for each in body:
            each.attribute.add(name="value", ref_attr_name="t", type=onnx.AttributeProto.TENSOR)
        body.append(node("Relu", ["a"], ["b"]))
        function = helper.make_function("own", "f", ["a"], ["b"], body, opsets, ["t"])
        large = onnx.numpy_helper.from_array(np.zeros(size, "uint8"))
        made = node("f", ["x"], ["y"], name="bomb", domain="own", t=large)
        model = onnx_model([made], X, Y)
        model.opset_import.append(opsets[1])
        model.functions.append(function)
        return model

    return make


def long_names(size: int, count: int) -> Bomb:
    """A function whose caller's name goes before each name inside."""

    def make() -> onnx.ModelProto:
        model = calls(2, count)()
        model.graph.node[0].name = "bomb" + "n" * size
        return model

    return make


def through_functions(depth: int) -> Bomb:
    """An If in a function that calls a function with an If."""

    def make() -> onnx.ModelProto:
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
        functions = []
        for level in range(depth):
            called = (
                node(f"f{level - 1}", ["a", "c"], ["t"], domain="own")
                if level
                else node("Relu", ["a"], ["t"])
            )
            out = helper.make_tensor_value_info("t", TensorProto.FLOAT, [2, 3])
            out2 = helper.make_tensor_value_info("e", TensorProto.FLOAT, [2, 3])
            then = helper.make_graph([called], "then", [], [out])
            other = helper.make_graph([node("Identity", ["a"], ["e"])], "else", [], [out2])
            body = [node("If", ["c"], ["b"], then_branch=then, else_branch=other)]
            functions.append(
                helper.make_function("own", f"f{level}", ["a", "c"], ["b"], body, opsets)
            )
        made = node(f"f{depth - 1}", ["x", "c"], ["y"], name="bomb", domain="own")
        model = onnx_model([made], X | {"c": ("bool", ())}, Y)
        model.opset_import.append(opsets[1])
        model.functions.extend(functions)
        return model

    return make


def doubled(times: int, op: str = "Concat") -> Bomb:
    """A constant that is set beside itself, again and again."""

    def make() -> onnx.ModelProto:
        def step(i: int) -> onnx.NodeProto:
            if op == "Concat":
                return node("Concat", [f"v{i}"] * 2, [f"v{i + 1}"], name=f"bomb{i}", axis=0)
            return node("Tile", [f"v{i}", "two"], [f"v{i + 1}"], name=f"bomb{i}")

        nodes = [step(i) for i in range(times)]
        last = node("Add", [f"v{times}", "s"], ["y"], name="last")
        weights = {"v0": np.ones(1024, "float32"), "two": np.array([2])}
        return onnx_model([*nodes, last], {"s": ("float32", ())}, Y, weights)

    return make


def outer(size: int) -> Bomb:
    """The outer product of two constants."""
    weights = {"a": np.ones((size, 1), "float32"), "b": np.ones((1, size), "float32")}
    nodes = [node("Mul", ["a", "b"], ["m"], name="bomb"), node("Add", ["m", "s"], ["y"])]
    return lambda: onnx_model(nodes, {"s": ("float32", ())}, Y, weights)


def given(*dims: int) -> Bomb:
    """An input of a fixed size."""
    return lambda: onnx_model([node("Relu", ["x"], ["y"], name="n")], {"x": ("float32", dims)}, Y)


def declared(*dims: int) -> Bomb:
    """An initializer that is said to have many more numbers than the file has."""

    def make() -> onnx.ModelProto:
        model = onnx_model(
            [node("Add", ["x", "bomb"], ["y"])], X, Y, {"bomb": np.ones(3, "float32")}
        )
        model.graph.initializer[0].dims[:] = dims
        return model

    return make


def sparse(*dims: int) -> Bomb:
    """A sparse initializer of three numbers."""

    def make() -> onnx.ModelProto:
        model = onnx_model([node("Add", ["x", "bomb"], ["y"])], X, Y)
        values = onnx.numpy_helper.from_array(np.ones(1, "float32"), "bomb")
        indices = onnx.numpy_helper.from_array(np.zeros((1, len(dims)), "int64"), "at")
        model.graph.sparse_initializer.append(helper.make_sparse_tensor(values, indices, dims))
        return model

    return make


def strings() -> onnx.ModelProto:
    """One long string among many: numpy gives each the room of the longest."""
    nodes = [node("Equal", ["bomb", "bomb"], ["e"], name="n"), node("Cast", ["e"], ["y"], to=1)]
    model = onnx_model(nodes, X, Y, opset=19)
    texts = [b"a" * 1_000_000, *([b""] * 20_000)]
    model.graph.initializer.append(
        onnx.TensorProto(name="bomb", data_type=8, dims=[len(texts)], string_data=texts)
    )
    return model


HUGE: Final = 2**62

WRAPS: Final[Mapping[str, Bomb]] = {
    "pad that wraps to 2": sized("Pad")(np.array([0, 2**63 - 1, 0, 2**63 - 1])),
    "tile that wraps to 0": sized("Tile")(np.array([HUGE, HUGE])),
}
"""Sizes beyond 64 bits, which onnx refuses as malformed before anybody counts elements."""

BOMBS: Final[Mapping[str, Bomb]] = {
    "pad to 2^62 floats": sized("Pad")(np.array([0, 0, 0, HUGE])),
    "pad a constant": lambda: onnx_model(
        [node("Pad", ["w", "p"], ["m"], name="bomb"), node("Add", ["m", "s"], ["y"])],
        {"s": ("float32", ())},
        Y,
        {"w": np.ones(4, "float32"), "p": np.array([0, 2**30])},
    ),
    "tile to 2^40": sized("Tile")(np.array([2**20, 2**20])),
    "expand to 2^62": sized("Expand")(np.array([2**31, 2**30, 1, 1])),
    "expand that wraps": sized("Expand")(np.array([2**32, 2**32, 1, 1])),
    "constant of 2^62": sized("ConstantOfShape", value=fill())(np.array([HUGE]), reads=()),
    "constant of 2^40": sized("ConstantOfShape", value=fill())(np.array([2**20, 2**20]), reads=()),
    "constant of 1 GiB": sized("ConstantOfShape", value=fill())(np.array([2**28]), reads=()),
    "range to 2^62": sized("Range")(0, HUGE, 1, reads=(), dtype="int64"),
    "range to 2^30": sized("Range")(0, 2**30, 1, reads=(), dtype="int64"),
    "range of tiny steps": sized("Range")(
        np.float32(0), np.float32(1), np.float32(1e-30), reads=()
    ),
    "one-hot of 2^40": lambda: onnx_model(
        [node("OneHot", ["i", "d", "v"], ["y"], name="bomb")],
        {"i": ("int64", (4,))},
        Y,
        {"d": np.array(2**40), "v": np.array([0, 1], "float32")},
    ),
    "eye of 2^40": lambda: onnx_model(
        [
            node("ConstantOfShape", ["c"], ["z"], name="bomb", value=fill()),
            node("EyeLike", ["z"], ["y"], name="eye"),
        ],
        {},
        Y,
        {"c": np.array([2**20, 2**20])},
    ),
    "resize by 2^40": lambda: onnx_model(
        [node("Resize", ["x", "", "s"], ["y"], name="bomb")],
        X,
        Y,
        {"s": np.array([2.0**20, 2.0**20], "float32")},
    ),
    "resize to 2^62": lambda: onnx_model(
        [node("Resize", ["x", "", "", "s"], ["y"], name="bomb")],
        X,
        Y,
        {"s": np.array([2**31, 2**31])},
    ),
    "resize a constant": lambda: onnx_model(
        [node("Resize", ["w", "", "", "s"], ["m"], name="bomb"), node("Add", ["m", "t"], ["y"])],
        {"t": ("float32", ())},
        Y,
        {"w": np.ones((1, 1, 4, 4), "float32"), "s": np.array([1, 1, 2**14, 2**14])},
    ),
    "upsample by 2^30": lambda: onnx_model(
        [node("Upsample", ["i", "s"], ["y"], name="bomb")],
        {"i": ("float32", (1, 1, 4, 4))},
        Y,
        {"s": np.array([1, 1, 2.0**30, 2.0**30], "float32")},
        opset=9,
    ),
    "transposed convolution that strides 2^62": lambda: onnx_model(
        [node("ConvTranspose", ["i", "w"], ["y"], name="bomb", strides=[HUGE, 1])],
        {"i": ("float32", (1, 1, 5, 5))},
        Y,
        {"w": np.ones((1, 1, 3, 3), "float32")},
    ),
    "convolution padded by 2^62": lambda: onnx_model(
        [node("Conv", ["i", "w"], ["y"], name="bomb", pads=[HUGE] * 4)],
        {"i": ("float32", (1, 1, 5, 5))},
        Y,
        {"w": np.ones((1, 1, 3, 3), "float32")},
    ),
    "pool padded by 2^40": lambda: onnx_model(
        [node("MaxPool", ["i"], ["y"], name="bomb", kernel_shape=[2**40] * 2, pads=[2**39] * 4)],
        {"i": ("float32", (1, 1, 5, 5))},
        Y,
    ),
    "doubled 40 times": doubled(40),
    "doubled 17 times": doubled(17),
    "tiled 40 times": doubled(40, "Tile"),
    "outer product of 2^40": outer(2**20),
    "outer product of 1 GiB": outer(2**14),
    "reshape to rank 65": sized("Reshape")(np.ones(65, "int64")),
    "reshape to rank 1,000,000": sized("Reshape")(np.ones(1_000_000, "int64")),
    "constant of rank 100": sized("ConstantOfShape", value=fill())(np.ones(100, "int64"), reads=()),
    "unsqueezed to rank 100": sized("Unsqueeze")(np.arange(98)),
    "expand to rank 1000": sized("Expand")(np.ones(1000, "int64")),
    "input of rank 100": given(*([1] * 100)),
    "input of rank 20,000": given(*([1] * 20_000)),
    "input of 2^62 floats": given(2**31, 2**31),
    "input that wraps to 0": given(2**32, 2**32),
    "initializer of 2^62": declared(HUGE),
    "initializer that wraps": declared(2**32, 2**32),
    "initializer of rank 100": declared(*([1] * 100)),
    "sparse initializer of 2^40": sparse(2**20, 2**20),
    "one long string": strings,
    "calls 2^24": calls(24, 2),
    "calls 2^20": calls(20, 2),
    "calls 2^60": calls(16, 16),
    "calls 200 deep": calls(200, 1),
    "names of 1 MB": long_names(1_000_000, 1000),
    "attribute of 1 MB 1,000 times": passed_on(1_000_000, 1000),
    "If in functions 40 deep": through_functions(40),
}
