"""Shape computations are done at import: none of them is left as an operator."""

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, ops
from onnx import TensorProto, helper, numpy_helper

from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

node = helper.make_node
F32: dict[str, Any] = {"y": "float32"}


def i64(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def x_of(*shape: int) -> dict[str, np.ndarray]:
    return {"x": np.random.default_rng(sum(shape)).standard_normal(shape).astype("float32")}


def test_flatten_by_shape_gather_concat_reshape(agrees: Any) -> None:
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "zero"], ["n"], axis=0),
        node("Unsqueeze", ["n", "axes"], ["n1"]),
        node("Concat", ["n1", "rest"], ["shape"], axis=0),
        node("Reshape", ["x", "shape"], ["y"]),
    ]
    constants = {"zero": np.array(0), "axes": i64(0), "rest": i64(-1)}
    model = onnx_model(nodes, {"x": ("float32", ["batch", 3, 4])}, F32, constants)
    imported = agrees(model, x_of(1, 3, 4), x_of(7, 3, 4))
    assert ops(imported.module) == ["reshape"]
    assert imported.outputs[0].shape == ("batch", 12)


def test_torch_expand_of_symbolic_sizes(agrees: Any) -> None:
    """What torch makes of ``x.expand(-1, s, 4)``: where a size is -1, the tensor's own counts."""
    nodes = [
        node("Shape", ["x"], ["own"]),
        node("Slice", ["own", "one", "two"], ["s"]),
        node("Concat", ["minus", "s", "four"], ["wanted"], axis=0),
        node("Shape", ["wanted"], ["rank"]),
        node("ConstantOfShape", ["rank"], ["ones"], value=numpy_helper.from_array(i64(1))),
        node("Mul", ["ones", "minus"], ["minuses"]),
        node("Equal", ["wanted", "minuses"], ["keep"]),
        node("Where", ["keep", "ones", "wanted"], ["shape"]),
        node("Expand", ["x", "shape"], ["y"]),
    ]
    constants = {"one": i64(1), "two": i64(2), "four": i64(4), "minus": i64(-1)}
    model = onnx_model(nodes, {"x": ("float32", ["b", "s", 1])}, F32, constants)
    imported = agrees(model, x_of(2, 3, 1), x_of(1, 5, 1))
    assert ops(imported.module) == ["broadcast_to"]


def test_mobilenet_pads_by_a_constant_subgraph(agrees: Any) -> None:
    """How torch's classic exporter writes ``F.pad(x, (1, 1, 0, 2))``."""
    nodes = [
        node("ConstantOfShape", ["missing"], ["zeros"], value=numpy_helper.from_array(i64(0))),
        node("Concat", ["given", "zeros"], ["all"], axis=0),
        node("Reshape", ["all", "pairs"], ["matrix"]),
        node("Slice", ["matrix", "last", "before", "axis", "last"], ["back"]),
        node("Transpose", ["back"], ["columns"], perm=[1, 0]),
        node("Reshape", ["columns", "flat"], ["flattened"]),
        node("Cast", ["flattened"], ["pads"], to=TensorProto.INT64),
        node("Pad", ["x", "pads"], ["y"]),
    ]
    constants = {
        "missing": i64(4), "given": i64(1, 1, 0, 2), "pairs": i64(-1, 2), "last": i64(-1),
        "before": i64(-(2**63) + 1), "axis": i64(0), "flat": i64(-1),
    }  # fmt: skip
    model = onnx_model(nodes, {"x": ("float32", [1, 2, 5, 6])}, F32, constants)
    imported = agrees(model, x_of(1, 2, 5, 6))
    assert ops(imported.module) == ["pad"]
    assert imported.outputs[0].shape == (1, 2, 7, 8)


def test_attention_heads_by_division(agrees: Any) -> None:
    nodes = [
        node("Shape", ["x"], ["s"]),
        *(node("Gather", ["s", f"i{i}"], [f"d{i}"], axis=0) for i in range(3)),
        node("Div", ["d2", "heads"], ["depth"]),
        *(node("Unsqueeze", [v, "axes"], [f"{v}_1"]) for v in ("d0", "d1", "heads", "depth")),
        node("Concat", ["d0_1", "d1_1", "heads_1", "depth_1"], ["shape"], axis=0),
        node("Reshape", ["x", "shape"], ["split"]),
        node("Transpose", ["split"], ["y"], perm=[0, 2, 1, 3]),
    ]
    constants = {**{f"i{i}": np.array(i) for i in range(3)}, "heads": np.array(4), "axes": i64(0)}
    model = onnx_model(nodes, {"x": ("float32", ["b", "s", 12])}, F32, constants)
    imported = agrees(model, x_of(2, 5, 12))
    assert ops(imported.module) == ["reshape", "permute_dims"]
    assert imported.outputs[0].shape == ("b", 4, "s", 3)


def test_scale_from_a_fixed_dimension_is_one_constant(agrees: Any) -> None:
    """torch scales attention by the root of a dimension, read from the shape."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Slice", ["s", "last", "end"], ["d"]),
        node("Cast", ["d"], ["f"], to=TensorProto.FLOAT),
        node("Sqrt", ["f"], ["root"]),
        node("Div", ["x", "root"], ["y"]),
    ]
    constants = {"last": i64(-1), "end": i64(2**63 - 1)}
    model = onnx_model(nodes, {"x": ("float32", ["b", 16])}, F32, constants)
    assert ops(agrees(model, x_of(3, 16)).module) == ["divide"]


def test_root_of_a_symbolic_dimension_is_computed_when_the_model_runs(agrees: Any) -> None:
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "zero"], ["n"]),
        node("Cast", ["n"], ["f"], to=TensorProto.FLOAT),
        node("Sqrt", ["f"], ["root"]),
        node("Div", ["x", "root"], ["y"]),
    ]
    model = onnx_model(nodes, {"x": ("float32", ["n", 2])}, F32, {"zero": np.array(0)})
    agrees(model, x_of(3, 2), x_of(9, 2))


def test_a_shape_may_be_an_output(agrees: Any) -> None:
    nodes = [node("Relu", ["x"], ["y"]), node("Shape", ["y"], ["s"]), node("Size", ["y"], ["n"])]
    outputs = {"y": "float32", "s": "int64", "n": "int64"}
    for shape in (["batch", 3], [2, 3]):
        agrees(onnx_model(nodes, {"x": ("float32", shape)}, outputs), x_of(2, 3))


def test_shape_reads_only_a_type() -> None:
    """What only feeds a Shape is not computed."""
    nodes = [
        node("Exp", ["x"], ["unread"]),
        node("Shape", ["unread"], ["s"], start=1),
        node("ConstantOfShape", ["s"], ["y"]),
    ]
    model = onnx_model(nodes, {"x": ("float32", ["n", 3])}, F32)
    assert ops(import_model(model).module) == ["full"]


def test_range_over_a_symbolic_dimension(agrees: Any) -> None:
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "zero"], ["n"]),
        node("Range", ["zero", "n", "one"], ["r"]),
        node("Cast", ["r"], ["f"], to=TensorProto.FLOAT),
        node("Mul", ["x", "f"], ["y"]),
    ]
    model = onnx_model(
        nodes, {"x": ("float32", ["n"])}, F32, {"zero": np.array(0), "one": np.array(1)}
    )
    imported = agrees(model, x_of(1), x_of(6))
    assert imported.outputs[0].shape == ("n",)


def test_a_size_among_others_is_replaced(agrees: Any) -> None:
    """As torch's classic exporter expands the places of `index_copy`."""
    nodes = [
        node("Shape", ["x"], ["shape"]),
        node("Shape", ["at"], ["count"]),
        node("ScatterElements", ["shape", "one", "count"], ["wanted"], axis=0),
        node("Unsqueeze", ["at", "around"], ["wide"]),
        node("Expand", ["wide", "wanted"], ["places"]),
        node("ScatterElements", ["x", "places", "new"], ["y"], axis=1),
    ]
    inputs: dict[str, Any] = {
        "x": ("float32", ["b", "n", 2]),
        "at": ("int64", ["m"]),
        "new": ("float32", ["b", "m", 2]),
    }
    constants = {"one": np.array([-2]), "around": np.array([0, 2])}
    model = onnx_model(nodes, inputs, {"y": "float32"}, constants)
    feed = {
        "x": np.ones((3, 5, 2), "float32"),
        "at": np.array([4, 1]),
        "new": np.arange(12, dtype="float32").reshape(3, 2, 2),
    }
    assert agrees(model, feed).outputs[0].shape == ("b", "n", 2)


@pytest.mark.parametrize("end", [-1, 2, 100, -100, 2**63 - 1])
def test_slices_of_a_symbolic_dimension_clamp(agrees: Any, end: int) -> None:
    nodes = [node("Slice", ["x", "start", "end"], ["y"])]
    constants = {"start": i64(-3), "end": i64(end)}
    model = onnx_model(nodes, {"x": ("float32", ["n", 2])}, F32, constants)
    agrees(model, x_of(2, 2), x_of(5, 2))


WEIGHTS = {"a": np.ones(3, "float32"), "b": np.full(3, 2, "float32")}


def test_arithmetic_on_weights_is_left_to_the_passes() -> None:
    nodes = [node("Add", ["a", "b"], ["w"]), node("Mul", ["x", "w"], ["y"])]
    model = onnx_model(nodes, {"x": ("float32", [3])}, F32, WEIGHTS)
    assert ops(import_model(model).module) == ["add", "multiply"]


def test_values_that_depend_on_the_data_are_refused_in_words() -> None:
    nodes = [
        node("SplitToSequence", ["x", "split"], ["s"], "parts"),
        node("SequenceAt", ["s", "zero"], ["y"]),
    ]
    fed = {"x": ("float32", [3, 2]), "split": ("int64", [])}
    with pytest.raises(
        UnsupportedModelError,
        match=r"SplitToSequence \(opset 17, node 'parts'\): its operand 1 \('split'\)",
    ):
        import_model(onnx_model(nodes, fed, F32, {"zero": np.array(0)}))


X: dict[str, Any] = {"x": ("float32", [4, 6])}


@pytest.mark.parametrize(
    ("op", "operands", "numbers"),
    [
        ("Reshape", ["x", "v"], [i64(0, -1, 2), i64(8, 3, 1), i64(1, 1, 24)]),
        ("Slice", ["x", "v", "w"], [i64(1, 0), i64(-3, 2), i64(-100, 100)]),
        ("Tile", ["x", "v"], [i64(1, 2), i64(3, 1)]),
        ("Expand", ["x", "v"], [i64(2, 1, 1), i64(3, 4, 6)]),
        ("ConstantOfShape", ["v"], [i64(2, 3), i64(0, 3)]),
    ],
)
def test_shapes_that_the_model_computes(
    agrees: Any, op: str, operands: list[str], numbers: list[np.ndarray]
) -> None:
    inputs = {**X, "v": ("int64", [len(numbers[0])])}
    feeds = [{**x_of(4, 6), "v": v} for v in numbers]
    if "w" in operands:
        inputs["w"] = inputs["v"]
        feeds = [{**f, "w": i64(4, -1)} for f in feeds]
    nodes = [node(op, operands, ["t"]), node("Identity", ["x"], ["z"]), node("Abs", ["t"], ["y"])]
    agrees(onnx_model(nodes, inputs, {**F32, "z": "float32"}), *feeds)


@pytest.mark.parametrize(
    ("start", "limit", "delta"), [(0, 5, 2), (5, 0, -1), (3, 3, 1), (0.5, 2.0, 0.25)]
)
def test_range_that_the_model_computes(
    agrees: Any, start: float, limit: float, delta: float
) -> None:
    dtype = "float32" if isinstance(start, float) else "int64"
    inputs: dict[str, Any] = {name: (dtype, []) for name in ("a", "b", "c")}
    model = onnx_model([node("Range", ["a", "b", "c"], ["y"])], inputs, {"y": dtype})
    agrees(
        model, {n: np.array(v, dtype) for n, v in zip("abc", (start, limit, delta), strict=True)}
    )


@pytest.mark.parametrize("opset", [10, 13, 17, 19, 21])
def test_quantized_numbers_are_known_in_every_opset(agrees: Any, opset: int) -> None:
    nodes = [
        node("QuantizeLinear", ["v", "s", "z"], ["q"]),
        node("DequantizeLinear", ["q", "s", "z"], ["fill"]),
        node("Pad", ["x", "widths", "fill"] if opset > 10 else ["x"], ["y"]),
    ]
    constants: dict[str, Any] = {
        "v": np.float32(1.26),
        "s": np.float32(0.25),
        "z": np.uint8(3),
        "widths": i64(1, 0, 0, 2),
    }
    if opset == 10:  # whose Pad has attributes
        nodes[2:] = [node("Add", ["x", "fill"], ["y"])]
    model = onnx_model(nodes, {"x": ("float32", [2, 3])}, F32, constants, opset=opset)
    imported = agrees(model, x_of(2, 3))
    assert ops(imported.module)[-1] == ("pad" if opset > 10 else "add")


@pytest.mark.parametrize(
    ("operator", "attributes"),
    [
        ("RandomUniform", {"shape": [2, 3]}),
        ("RandomNormal", {"shape": [2, 3]}),
        ("RandomUniformLike", {}),
        ("RandomNormalLike", {"dtype": TensorProto.DOUBLE}),
        ("Bernoulli", {}),
    ],
)
def test_of_a_random_tensor_only_the_shape_is_known(
    agrees: Any, operator: str, attributes: Any
) -> None:
    operands = [] if "shape" in attributes else ["x"]
    random = helper.make_node(operator, operands, ["r"], name="dice", **attributes)
    nodes = [
        random,
        helper.make_node("Shape", ["r"], ["s"]),
        helper.make_node("Reshape", ["z", "s"], ["y"]),
    ]
    inputs = {"x": ("float32", ("n", 3)), "z": ("float32", ("k",))}
    model = onnx_model(nodes, inputs, {"y": "float32"})
    agrees(model, {"x": np.ones((2, 3), "float32"), "z": np.arange(6, dtype="float32")})
    dtype = "float64" if "dtype" in attributes else "float32"
    assert import_model(onnx_model([random], inputs, {"r": dtype})).outputs[0].dtype == dtype


def test_strings_are_computed_with_before_the_model_runs(agrees: Any) -> None:
    nodes = [
        helper.make_node("Constant", [], ["a"], value_strings=["x", "y", "zz"]),
        helper.make_node("Constant", [], ["b"], value_strings=["x", "zz"]),
        helper.make_node("Gather", ["a", "i"], ["g"]),
        helper.make_node("Equal", ["g", "b"], ["e"]),
        helper.make_node("Where", ["e", "x", "o"], ["y"]),
    ]
    model = onnx_model(
        nodes,
        {"x": ("float32", (2,))},
        {"y": "float32"},
        {"i": np.array([1, 2]), "o": np.zeros(2, "float32")},
        opset=19,
    )
    assert ops(agrees(model, {"x": np.ones(2, "float32")}).module) == ["where"]


def test_strings_from_outside_are_refused_by_name() -> None:
    model = onnx_model(
        [helper.make_node("Equal", ["a", "a"], ["y"], name="n")],
        {"a": ("float32", (2,))},
        {"y": "bool"},
        opset=19,
    )
    model.graph.input[0].type.tensor_type.elem_type = TensorProto.STRING
    with pytest.raises(UnsupportedModelError, match="'a'"):
        import_model(model)


@pytest.mark.parametrize("shape", [(2, 3), ("a", "b")], ids=["fixed", "symbolic"])
@pytest.mark.parametrize("op", ["ReduceSum", "ReduceProd", "ReduceMean", "ReduceMax"])
def test_sizes_become_floats(agrees: Any, op: str, shape: Any) -> None:
    nodes = [
        node("Shape", ["x"], ["shape"]),
        node("Cast", ["shape"], ["sizes"], to=1),
        node(op, ["sizes"], ["factor"]),
        node("Mul", ["x", "factor"], ["y"]),
    ]
    x = {"x": np.arange(6, dtype="float32").reshape(2, 3)}
    agrees(onnx_model(nodes, {"x": ("float32", shape)}, {"y": "float32"}), x)


def test_a_shape_that_became_floats_is_a_tensor_where_a_fraction_meets_it(agrees: Any) -> None:
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Cast", ["s"], ["f"], to=TensorProto.FLOAT),
        node("Mul", ["f", "k"], ["y"]),
    ]
    model = onnx_model(
        nodes, {"x": ("float32", ["n", 4])}, F32, {"k": np.array([1.5, 0.5], np.float32)}
    )
    agrees(model, x_of(1, 4), x_of(7, 4))


@pytest.mark.parametrize(
    "nodes",
    [
        "c = Cast<to = 1>(s) z = ReduceMax<keepdims = 0>(c)",
        "c = Cast<to = 1>(s) z = ReduceProd(c)",
        "c = Cast<to = 1>(s) all = Concat<axis = 0>(c, half) z = ReduceSum<keepdims = 0>(all)",
        "e = Greater(n, five) w = Where(e, five, six) z = Cast<to = 1>(w)",
        "e = Greater(n, five) z = Where(e, half, half)",
        "e = Greater(n, five) c = Cast<to = 1>(n) z = Where(e, two, c)",
        "e = Greater(s, five) c = Cast<to = 1>(e) z = ReduceMin(c)",
        "e = Greater(n, five) l = Less(n, six) b = And(e, l) z = Cast<to = 1>(b)",
    ],
)
def test_fixed_and_symbolic_sizes_and_fractions_meet(agrees: Any, nodes: str) -> None:
    """A fixed size that became a float is a size among expressions, a condition is 1 or 0."""
    model = onnx.parser.parse_model(f"""<ir_version: 8, opset_import: ["": 17]>
        g (float[N, 3] x) => (float[] y)
        <int64 zero = {{0}}, int64 five = {{5}}, int64 six = {{6}}, float two = {{2}},
         float[1] half = {{0.5}}> {{
          s = Shape(x) n = Gather(s, zero) {nodes} y = Mul(x, z)
        }}""")
    agrees(model, *({"x": np.full((size, 3), 2, "float32")} for size in (6, 1, 5)))
