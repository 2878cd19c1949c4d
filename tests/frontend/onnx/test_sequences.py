"""Sequences and optional tensors whose make-up is known, against onnxruntime."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import TensorProto, helper

from tvmfuse.errors import UnsupportedModelError
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
    returned = model(node("SequenceConstruct", ["x"], ["y"]))
    declared = helper.make_tensor_sequence_value_info("y", FLOAT, None)
    returned.graph.output[0].CopyFrom(declared)
    assert "the output 'y' is a sequence; only tensors are compiled" in refusal(returned)
