"""Operators that move elements."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model, ops, run
from onnx import helper, parser

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.onnx.convert import movement
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of, values_of

X = np.random.default_rng(0).standard_normal((2, 3, 4)).astype("float32")
FAR = 2**63 - 1


def i64(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


@pytest.mark.parametrize("shape", [(6, 4), (-1,), (0, -1), (0, 0, 2, 2), (24, 1, 1), (2, -1, 2)])
def test_reshape(node_agrees: Any, shape: tuple[int, ...]) -> None:
    assert ops(node_agrees("Reshape", X, i64(*shape), fixed=[1]).module) == ["reshape"]


def test_reshape_of_nothing(node_agrees: Any) -> None:
    empty = np.zeros((0, 3, 4), "float32")
    node_agrees("Reshape", empty, i64(3, 4, 0), fixed=[1], allowzero=1)
    node_agrees("Reshape", empty, i64(0, 12), fixed=[1])


@pytest.mark.parametrize("shape", [(5, 5), (-1, -1), (-1, 7), (0, 0, 0, 0)])
def test_reshape_that_does_not_fit_is_refused(shape: tuple[int, ...]) -> None:
    nodes = [helper.make_node("Reshape", ["x", "s"], ["y"], "r")]
    model = onnx_model(nodes, {"x": ("float32", [2, 3, 4])}, {"y": "float32"}, {"s": i64(*shape)})
    with pytest.raises(ValueError, match=r"Reshape.*'r'|'r' \(Reshape\)"):
        import_model(model)


@pytest.mark.parametrize("axis", [0, 1, 3, -1])
def test_flatten(node_agrees: Any, axis: int) -> None:
    node_agrees("Flatten", X, axis=axis)


@pytest.mark.parametrize("perm", [None, [0, 1, 2], [2, 0, 1]])
def test_transpose_also_to_the_same(node_agrees: Any, perm: Any) -> None:
    attributes = {} if perm is None else {"perm": perm}
    assert ops(node_agrees("Transpose", X, **attributes).module) == ["permute_dims"]


@pytest.mark.parametrize(
    ("op", "shape", "axes"),
    [
        ("Squeeze", (1, 3, 1), [0, -1]),
        ("Squeeze", (1, 3, 1), [2]),
        ("Unsqueeze", (2, 3), [0, -1]),
        ("Unsqueeze", (2, 3), [1]),
    ],
)
@pytest.mark.parametrize("opset", [11, 13])
def test_squeeze_and_unsqueeze(
    node_agrees: Any, op: str, shape: tuple[int, ...], axes: list[int], opset: int
) -> None:
    x = np.ones(shape, "float32")
    if opset < 13:
        node_agrees(op, x, opset=opset, axes=axes)
    else:
        node_agrees(op, x, i64(*axes), fixed=[1], opset=opset)


def test_squeeze_everything(node_agrees: Any) -> None:
    node_agrees("Squeeze", np.ones((1, 3, 1), "float32"))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_concat(node_agrees: Any, axis: int) -> None:
    node_agrees("Concat", X, X + 1, X + 2, axis=axis)
    node_agrees("Concat", X, axis=axis)


@pytest.mark.parametrize(("sizes", "axis"), [([1, 2], 1), ([3], 1), ([1, 1, 2], -1), ([0, 3], 1)])
@pytest.mark.parametrize("opset", [11, 13])
def test_split_by_sizes(node_agrees: Any, sizes: list[int], axis: int, opset: int) -> None:
    outputs = ["float32"] * len(sizes)
    if opset < 13:
        node_agrees("Split", X, outputs=outputs, opset=opset, axis=axis, split=sizes)
    else:
        node_agrees("Split", X, i64(*sizes), fixed=[1], outputs=outputs, opset=opset, axis=axis)


def test_split_into_parts(node_agrees: Any) -> None:
    node_agrees("Split", X, outputs=["float32"] * 2, axis=2)
    node_agrees("Split", X, outputs=["float32"] * 2, opset=18, axis=1, num_outputs=2)


@pytest.mark.parametrize("parts", [4, 5, 11, 17])
def test_split_into_many_parts(
    node_agrees: Any, monkeypatch: pytest.MonkeyPatch, parts: int
) -> None:
    monkeypatch.setattr(movement, "WIDEST", 4)
    x = np.arange(4.0 * parts, dtype="float32").reshape(2, -1)
    node_agrees("Split", x, outputs=["float32"] * parts, axis=1)
    outputs = {f"y{i}": "float32" for i in range(parts)}
    split = helper.make_node("Split", ["x"], [*outputs], "split", axis=1)
    module = import_model(onnx_model([split], {"x": ("float32", x.shape)}, outputs)).module
    flow = Dataflow.of(module["main"])
    assert {nodes_of(flow.values[v]) for v in flow.calls("relax.split")} == {("split",)}
    assert all(len(flow.values[v].ty.fields) <= 4 for v in flow.calls("relax.split"))
    named = [v.name for _, value in flow.bindings for v in values_of(value)]
    assert named == [*outputs]


def test_split_of_which_one_part_is_unread() -> None:
    """A missing output's name is empty; onnxruntime 1.31 ends with a signal on this."""
    nodes = [helper.make_node("Split", ["x"], ["", "y"], axis=2)]
    [y] = run(
        import_model(onnx_model(nodes, {"x": ("float32", X.shape)}, {"y": "float32"})).module, X
    )
    np.testing.assert_array_equal(y, X[:, :, 2:])


@pytest.mark.parametrize(
    ("starts", "ends", "axes", "steps"),
    [
        ([0], [2], [1], None), ([1, 0], [FAR, -1], [0, 2], None), ([-2], [FAR], [2], [1]),
        ([0], [FAR], [2], [2]), ([-1], [-(FAR)], [2], [-1]), ([3], [0], [2], [-2]),
        ([FAR], [-100], [1], [-1]), ([5], [9], [1], None), ([2], [1], [1], None), ([0, 0], [1, 2], None, None),
        ([-100], [100], [-1], None), ([1], [2], [2], [-1]), ([FAR, 1], [-9, 3], [0, 1], [2, -(FAR)]),
    ],
)  # fmt: skip
def test_slice(node_agrees: Any, starts: Any, ends: Any, axes: Any, steps: Any) -> None:
    operands = [None if o is None else i64(*o) for o in (starts, ends, axes, steps)]
    while operands[-1] is None:
        operands.pop()
    fixed = [i + 1 for i, o in enumerate(operands) if o is not None]
    assert ops(node_agrees("Slice", X, *operands, fixed=fixed).module) == ["strided_slice"]


@pytest.mark.parametrize("step", [2**63 - 1, -(2**63 - 1), 2**40])
@pytest.mark.parametrize("fixed", [[1, 2, 3, 4], [3, 4]], ids=["known", "fed"])
@pytest.mark.parametrize("dims", [{}, {0: ("a", "b", "c")}], ids=["sizes", "symbols"])
def test_slice_by_a_step_longer_than_the_axis(
    node_agrees: Any, step: int, fixed: list[int], dims: Any
) -> None:
    start, end = (0, -1) if step > 0 else (-1, -100)
    node_agrees("Slice", X, i64(start), i64(end), i64(2), i64(step), fixed=fixed, dims=dims)


def test_slice_by_attributes(node_agrees: Any) -> None:
    node_agrees("Slice", X, opset=9, starts=[1, -2], ends=[2, FAR], axes=[0, 2])


@pytest.mark.parametrize("shape", [(2, 3, 4), (5, 2, 3, 4), (1, 1, 1)])
def test_expand_also_to_the_same(node_agrees: Any, shape: tuple[int, ...]) -> None:
    assert ops(node_agrees("Expand", X, i64(*shape), fixed=[1]).module) == ["broadcast_to"]


def test_tile(node_agrees: Any) -> None:
    node_agrees("Tile", X, i64(2, 1, 3), fixed=[1])


@pytest.mark.parametrize("mode", ["constant", "reflect", "edge"])
def test_pad(node_agrees: Any, mode: str) -> None:
    imported = node_agrees("Pad", X, i64(0, 1, 2, 1, 2, 3), fixed=[1], mode=mode)
    assert ops(imported.module) == ["pad"]


def test_pad_forms(node_agrees: Any) -> None:
    node_agrees("Pad", X, i64(0, 1, 0, 0, 0, 2), np.array(7.5, "float32"), fixed=[1, 2])
    node_agrees("Pad", X, i64(1, 2, 1, 0), None, i64(-1, 1), fixed=[1, 3], opset=18)
    node_agrees("Pad", X, i64(0, -1, 1, 0, 0, -2), fixed=[1])
    node_agrees("Pad", X.astype("int64"), i64(0, 1, 0, 0, 0, 0), fixed=[1], outputs=["int64"])
    node_agrees("Pad", X, opset=10, pads=[0, 1, 0, 0, 0, 2], value=1.5)
    node_agrees("Pad", X, i64(1, 0, 0, 0, 2, 4), fixed=[1], opset=19, mode="wrap")


@pytest.mark.parametrize("mode", ["reflect", "edge", "wrap"])
def test_pad_of_nothing(mode: str) -> None:
    node = helper.make_node("Pad", ["x", "p"], ["y"], mode=mode)
    x, pads = np.zeros((2, 0, 3), "float32"), {"p": i64(0, 0, 1, 0, 0, 2)}
    model = onnx_model([node], {"x": ("float32", x.shape)}, {"y": "float32"}, pads, opset=19)
    assert run(import_model(model).module, x)[0].shape == (2, 0, 6)


def test_pads_that_read_what_is_not_there_are_refused() -> None:
    nodes = [helper.make_node("Pad", ["x", "p"], ["y"], "p", mode="reflect")]
    model = onnx_model(nodes, {"x": ("float32", [2])}, {"y": "float32"}, {"p": i64(3, 0)})
    with pytest.raises(UnsupportedModelError, match="reflect padding by 3 of 2 elements"):
        import_model(model)


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_depth_to_space(node_agrees: Any, mode: str) -> None:
    x = np.arange(2 * 8 * 2 * 3, dtype="float32").reshape(2, 8, 2, 3)
    node_agrees("DepthToSpace", x, blocksize=2, mode=mode)
    node_agrees("SpaceToDepth", x.reshape(2, 2, 4, 6), blocksize=2)


@pytest.mark.parametrize("upper", [0, 1])
@pytest.mark.parametrize("k", [0, 1, -2, 10, FAR, -FAR])
def test_triangles(node_agrees: Any, upper: int, k: int) -> None:
    node_agrees("Trilu", X, np.array(k), fixed=[1], upper=upper)
    node_agrees("Trilu", X, np.array(k), upper=upper)


def test_where_and_eye(node_agrees: Any) -> None:
    node_agrees("Where", X > 0, X, np.ones((3, 1), "float32"))
    node_agrees("EyeLike", X[0], k=1)


def test_shapes_of_nothing() -> None:
    """TVM's reshape takes a 0 for the operand's dimension there."""
    model = parser.parse_model("""
        <ir_version: 8, opset_import: ["": 11]>
        g (float[1,2,0] x, float[2,0] v, float[n,2,0] w)
        => (float[a,b] squeezed, float[c,d,e] unsqueezed, float[i,k] flat, float[p,q,r] soft) {
            a = Relu(x) b = Squeeze<axes=[0]>(a) squeezed = Neg(b)
            c = Relu(v) d = Unsqueeze<axes=[1]>(c) unsqueezed = Neg(d)
            e = Flatten<axis=2>(w) flat = Neg(e)
            soft = Softmax<axis=1>(w)
        }""")
    loaded = tvmfuse.compile(model, level="none").load()
    shapes = {"x": (1, 2, 0), "v": (2, 0), "w": (3, 2, 0)}
    found = loaded({name: np.zeros(shape, "float32") for name, shape in shapes.items()})
    assert [a.shape for a in found.values()] == [(2, 0), (2, 1, 0), (6, 0), (3, 2, 0)]
