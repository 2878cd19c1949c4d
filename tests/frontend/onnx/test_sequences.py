"""Sequences and optional tensors whose make-up is known, against onnxruntime."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from frontend.onnx.conftest import computed
from graphs import onnx_model
from onnx import TensorProto, helper

from tvmfuse.errors import ConfigurationError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

node = helper.make_node
X = np.random.default_rng(0).standard_normal((5, 3)).astype("float32")
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def model(
    *nodes: onnx.NodeProto, outputs: Sequence[str] = ("y",), **constants: Any
) -> onnx.ModelProto:
    arrays = {name: np.array(value) for name, value in constants.items()}
    return onnx_model(
        list(nodes), {"x": ("float32", (5, 3))}, dict.fromkeys(outputs, "float32"), arrays
    )


@pytest.mark.parametrize(
    "split",
    [
        node("SplitToSequence", ["x"], ["s"]),
        node("SplitToSequence", ["x"], ["s"], axis=-1, keepdims=0),
        node("SplitToSequence", ["x", "two"], ["s"]),
        node("SplitToSequence", ["x", "sizes"], ["s"], keepdims=0),
    ],
    ids=["ones", "columns", "pieces", "sizes"],
)
def test_elements_of_a_tensor(split: onnx.NodeProto, agrees: Any) -> None:
    first, last = (node("SequenceAt", ["s", i], [o]) for i, o in (("zero", "a"), ("end", "b")))
    constants = {"two": 2, "sizes": [1, 3, 1], "zero": 0, "end": -1}
    agrees(model(split, first, last, outputs=("a", "b"), **constants), {"x": X})


@pytest.mark.parametrize("new_axis", [0, 1])
def test_a_sequence_that_changes(new_axis: int, agrees: Any) -> None:
    nodes = [
        node("Neg", ["x"], ["n"]),
        node("SequenceConstruct", ["x", "n"], ["s0"]),
        node("Abs", ["x"], ["a"]),
        node("SequenceInsert", ["s0", "a"], ["s1"]),
        node("SequenceInsert", ["s1", "a", "zero"], ["s2"]),
        node("SequenceErase", ["s2", "end"], ["s3"]),
        node("ConcatFromSequence", ["s3"], ["c"], axis=1, new_axis=new_axis),
        node("SequenceLength", ["s3"], ["l"]),
        node("CastLike", ["l", "x"], ["f"]),
        node("Mul", ["c", "f"], ["y"]),
    ]
    agrees(model(*nodes, zero=0, end=-2), {"x": X})


def test_a_loop_that_fills_a_sequence(agrees: Any) -> None:
    """Its number of iterations is the length of another one."""
    sequence = helper.make_tensor_sequence_value_info("v", FLOAT, None)
    filled = helper.make_tensor_sequence_value_info("u", FLOAT, None)
    body = helper.make_graph(
        [
            node("SequenceAt", ["s", "i"], ["e"]),
            node("Exp", ["e"], ["p"]),
            node("SequenceInsert", ["v", "p"], ["u"]),
            node("Identity", ["go"], ["on"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", INT64, []),
            helper.make_tensor_value_info("go", BOOL, []),
            sequence,
        ],
        [helper.make_tensor_value_info("on", BOOL, []), filled],
    )
    nodes = [
        node("SplitToSequence", ["x"], ["s"]),
        node("SequenceLength", ["s"], ["m"]),
        node("SequenceEmpty", [], ["none"]),
        node("Loop", ["m", "", "none"], ["t"], body=body),
        node("ConcatFromSequence", ["t"], ["y"], axis=0),
    ]
    agrees(model(*nodes), {"x": X})


def test_an_optional_tensor_that_is_there(agrees: Any) -> None:
    def branch(op: str) -> onnx.GraphProto:
        result = helper.make_tensor_value_info("r", FLOAT, None)
        return helper.make_graph([node(op, ["g"], ["r"])], "branch", [], [result])

    nodes = [
        node("Optional", ["x"], ["o"]),
        node("OptionalHasElement", ["o"], ["c"]),
        node("OptionalGetElement", ["o"], ["g"]),
        node("If", ["c"], ["y"], then_branch=branch("Exp"), else_branch=branch("Neg")),
    ]
    agrees(model(*nodes), {"x": X})


def refusal(refused: onnx.ModelProto) -> str:
    with pytest.raises(UnsupportedModelError) as error:
        import_model(refused)
    return str(error.value)


def test_what_is_refused() -> None:
    split = node("SplitToSequence", ["x"], ["s"])
    beyond = node("SequenceAt", ["s", "i"], ["y"], "at")
    assert "'at'): its index is 5, and its sequence has 5" in refusal(model(split, beyond, i=5))
    of_data = [node("ArgMax", ["x"], ["a"]), node("Slice", ["a", "o", "t"], ["i1"])]
    of_data += [node("Reshape", ["i1", "none"], ["i"])]
    fed = model(split, *of_data, beyond, o=[0, 0], t=[1, 1], none=np.zeros(0, "int64"))
    assert "its operand 1 depends on what the model is fed" in refusal(fed)


def parsed(graph: str) -> onnx.ModelProto:
    """Return the model of a graph in ONNX's text format, with the place `zero`."""
    text = graph.replace("{", "{ zero = Constant<value: tensor = int64 {0}>()", 1)
    return onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> {text}')


HELD = """
g (seq(float[N, 3]) s, optional(float[4]) o, optional(float[]) none, optional(seq(float[2])) q)
    => (seq(float[]) t, float[4] e, bool there, int64 length, float[2] first) {
  x = SequenceAt(s, zero)
  u = SequenceInsert(s, x)
  t = Identity(u)
  tensor = OptionalGetElement(o)
  e = Exp(tensor)
  there = OptionalHasElement(none)
  v = OptionalGetElement(q)
  length = SequenceLength(v)
  first = SequenceAt(v, zero)
}"""


def test_what_inputs_hold_are_inputs_of_their_own() -> None:
    """Elements may differ in their sizes; those of a sequence that is returned are outputs."""
    shapes: Any = {"s": [(5, 3), ((1, None), 3)], "o": [4], "none": None, "q": [[2], [2]]}
    imported = import_model(parsed(HELD), shapes=shapes)
    ours: dict[str, Any]
    ours = {"s[0]": (5, 3), "s[1]": ("s[1]_dim0", 3), "o[0]": (4,), "q[0]": (2,), "q[1]": (2,)}
    assert {spec.name: spec.shape for spec in imported.inputs} == ours
    numbers = np.random.default_rng(0)
    for size in (1, 7):
        fed = {**ours, "s[1]": (size, 3)}
        feeds = {name: numbers.random(shape, "float32") for name, shape in fed.items()}
        found = computed(imported, feeds)
        for place, element in enumerate((feeds["s[0]"], feeds["s[1]"], feeds["s[0]"])):
            np.testing.assert_array_equal(found[f"t[{place}]"], element)
        np.testing.assert_allclose(found["e"], np.exp(feeds["o[0]"]), rtol=1e-6)
        np.testing.assert_array_equal(found["first"], feeds["q[0]"])
        assert not found["there"]
        assert found["length"] == 2


BRANCHES = """
g (bool c, float[N] x) => (seq(float[]) y) {
  y = If(c) <then_branch: graph = a () => (seq(float[]) s) { s = SequenceConstruct(x) },
             else_branch: graph = b () => (seq(float[]) t) {
                two = Concat<axis = 0>(x, x)
                t = SequenceConstruct(two)
             }>
}"""


def test_branches_that_give_sequences() -> None:
    imported = import_model(parsed(BRANCHES))
    x = np.array([1, 2, 3], "float32")
    for condition, expected in ((True, x), (False, np.concatenate([x, x]))):
        found = computed(imported, {"c": np.array(condition), "x": x})
        np.testing.assert_array_equal(found["y[0]"], expected)


@pytest.mark.parametrize(
    ("sizes", "fits"), [([1, 3, 1], True), ([0, 0, 5], True), ([1, 3, 2], False)]
)
def test_sizes_of_elements_are_fed(sizes: Sequence[int], fits: bool) -> None:
    split = (
        "g (float[5, 3] x, int64[3] sizes) => (seq(float[]) y) { y = SplitToSequence(x, sizes) }"
    )
    imported = import_model(parsed(split))
    feeds = {"x": X, "sizes": np.array(sizes)}
    if not fits:
        with pytest.raises(Exception, match=r"(?i)match|shape"):
            computed(imported, feeds)
        return
    ends = np.cumsum(sizes)[:-1]
    for part, found in zip(np.split(X, ends), computed(imported, feeds).values(), strict=True):
        np.testing.assert_array_equal(found, part)


def test_a_sequence_of_a_loop_keeps_its_form() -> None:
    """Passed on, it is no tensor: its elements lie in the rows of one, and it is no output."""
    looped = """
    g (int64 m, float[2] x) => (seq(float[]) y) {
      none = SequenceEmpty()
      t = Loop(m, , none) <body: graph = b (int64 i, bool go, seq(float[]) v) => (bool on, seq(float[]) u) {
        on = Identity(go)
        u = SequenceInsert(v, x)
      }>
      %s
    }"""
    of_a_loop = "the output 'y' is a sequence of as many tensors as a run makes"
    assert of_a_loop in refusal(parsed(looped % "y = Identity(t)"))
    assert of_a_loop in refusal(parsed(looped % "o = Optional(t) y = OptionalGetElement(o)"))


@pytest.mark.parametrize(
    ("inputs", "shapes", "said"),
    [
        ("seq(float[]) s", None, "input 's' is of type sequence; only tensors are compiled: say"),
        (
            "optional(float[]) s",
            {},
            "input 's' is of type optional; only tensors are compiled: say",
        ),
        ("seq(float[]) s", {"s": None}, "'s' is to be None; it holds a sequence: expected a list"),
        ("seq(float[2]) s", {"s": [[3]]}, r"dimension 0 of 's\[0\]' is fixed to 2; found 3"),
        ("seq(float[2]) s", {"s": [3]}, r"'s\[0\]' is to be 3; expected a list of sizes"),
        ("seq(string[2]) s", {"s": [[2]]}, r"input 's\[0\]' holds string"),
        ("seq(float[2]) s", {"s": []}, r"its outputs are the tensors \[\]"),
        ("optional(float[]) s", {"s": None}, "an optional tensor that is absent is not compiled"),
    ],
)
def test_inputs_that_are_refused(inputs: str, shapes: Any, said: str) -> None:
    held = parsed(f"g ({inputs}) => ({inputs[:-1]}y) {{ y = Identity(s) }}")
    with pytest.raises((UnsupportedModelError, ConfigurationError), match=said):
        import_model(held, shapes=shapes)


def test_outputs_whose_names_are_taken() -> None:
    held = "g (float[2] x) => (seq(float[]) y, float[2] z) { y = SequenceConstruct(x) z = Exp(x) }"
    taken = parsed(held)
    taken.graph.node[-1].output[0] = taken.graph.output[1].name = "y[0]"
    assert "its outputs are the tensors ['y[0]', 'y[0]']" in refusal(taken)
