"""If and Squeeze whose results have another rank for some sizes: each case runs, or is asked for."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, ops
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

node = helper.make_node
Y = {"y": "float32"}
NUMBERS: Mapping[str, np.ndarray] = {
    "one": np.array([1]),
    "zero": np.zeros((), "float32"),
    "flat": np.array([-1]),
    "two": np.array([2], "float32"),
    "last": np.array([-1]),
}


def model_of(
    *nodes: onnx.NodeProto, shape: Sequence[Any] = ("b", "n"), outputs: Any = Y, **inputs: Any
) -> onnx.ModelProto:
    read = {name for n in nodes for name in (*n.input, *map(str, nodes))}
    constants = {name: array for name, array in NUMBERS.items() if any(name in r for r in read)}
    return onnx_model([*nodes], {"x": ("float32", shape), **inputs}, outputs, constants)


def branch(*nodes: onnx.NodeProto, outputs: Sequence[str] = ("r",)) -> onnx.GraphProto:
    values = [helper.make_tensor_value_info(o, 1, None) for o in outputs]
    return helper.make_graph(list(nodes), "branch", [], values)


def squeezed_if_one(x: str = "x", y: str = "h", axis: int = -1) -> list[onnx.NodeProto]:
    """What torch's classic exporter writes for `x.squeeze(axis)` where that axis is symbolic."""
    end: dict[str, Any] = {"end": axis + 1} if axis + 1 else {}
    return [
        node("Shape", [x], [f"{y}_size"], start=axis, **end),
        node("Equal", [f"{y}_size", "one"], [f"{y}_is_one"]),
        node("Constant", [], [f"{y}_axis"], value_ints=[axis]),
        node(
            "If", [f"{y}_is_one"], [y], f"choice_{y}",
            then_branch=branch(
                node("Squeeze", [x, f"{y}_axis"], [f"{y}_then"]), outputs=[f"{y}_then"]),
            else_branch=branch(node("Identity", [x], [f"{y}_else"]), outputs=[f"{y}_else"]),
        ),
    ]  # fmt: skip


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype("float32")


def agrees(model: onnx.ModelProto, *feeds: Mapping[str, np.ndarray], **options: Any) -> Any:
    """Compile a model once, and compare with onnxruntime for each of these feeds."""
    compiled = tvmfuse.compile(model, level="none", **options).load()
    for feed in feeds:
        assert_agrees(compiled(feed), reference(model, feed))
    return compiled


def shaped(*shapes: Sequence[int]) -> list[dict[str, np.ndarray]]:
    return [{"x": drawn(*shape)} for shape in shapes]


def test_what_takes_any_rank() -> None:
    """One If, in which both ranks are made one again; what comes after it stands once."""
    model = model_of(
        *squeezed_if_one(),
        node("Exp", ["h"], ["e"]),
        node("Reshape", ["e", "flat"], ["f"]),
        node("Mul", ["f", "two"], ["y"]),
    )
    agrees(model, *shaped((2, 1), (2, 3), (0, 1), (2, 0), (1, 1)))
    assert ops(import_model(model).module).count("multiply") == 1


def test_what_depends_on_the_rank() -> None:
    """The sum of the last axis: of the batch where the other one is gone."""
    model = model_of(
        *squeezed_if_one(), node("ReduceSum", ["h", "last"], ["s"], keepdims=0),
        node("Reshape", ["s", "flat"], ["y"]),
    )  # fmt: skip
    agrees(model, *shaped((2, 1), (2, 3), (1, 1), (1, 4)))


def test_two_choices_in_a_row() -> None:
    model = model_of(
        *squeezed_if_one("x", "g", 0), node("Abs", ["g"], ["a"]),
        *squeezed_if_one("a", "h", -1),
        node("ReduceSum", ["h"], ["s"], keepdims=0), node("Add", ["s", "x"], ["y"]),
    )  # fmt: skip
    agrees(model, *shaped((2, 3), (1, 3), (2, 1), (1, 1)))


def test_two_choices_that_meet() -> None:
    """What reads both waits for the first one, while the other is converted for its sake."""
    model = model_of(
        node("Split", ["x"], ["p", "q"], axis=1),
        node("Squeeze", ["p"], ["g"]), node("Squeeze", ["q"], ["h"]),
        node("Split", ["g"], ["g0", "g1", "g2"], axis=1),
        node("Split", ["h"], ["h0", "h1", "h2"], axis=1),
        node("Concat", ["g0", "h1"], ["u"], axis=1), node("Mul", ["u", "two"], ["v"]),
        node("Concat", ["v", "h0"], ["y"], axis=1), shape=("b", 2, 3),
    )  # fmt: skip
    agrees(model, *shaped((2, 2, 3), (3, 2, 3)))


def test_sizes_of_what_has_two_ranks() -> None:
    """Its shape has two lengths; the first size is the same, and is known behind the choice."""
    model = model_of(
        *squeezed_if_one(),
        node("Shape", ["h"], ["s"]),
        node("Slice", ["s", "from", "one"], ["rows"]),
        node("Concat", ["rows", "last"], ["wanted"], axis=0),
        node("Reshape", ["x", "wanted"], ["z"]),
        node("Size", ["s"], ["rank"]),
        node("Cast", ["rank"], ["number"], to=1),
        node("Add", ["z", "number"], ["y"]),
    )
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.array([0]), "from"))
    agrees(model, *shaped((2, 1), (2, 3), (1, 1)))


def test_what_stands_between_two_readers() -> None:
    """`a` reads what has one rank, and `b` both that and what has two."""
    two = ["p", "q"]
    model = model_of(
        node("Shape", ["x"], ["size"], start=-1),
        node("Equal", ["size", "one"], ["c"]),
        node(
            "If", ["c"], two, "choice",
            then_branch=branch(
                node("Squeeze", ["x", "last"], ["p1"]), node("Neg", ["x"], ["q1"]),
                outputs=["p1", "q1"]),
            else_branch=branch(
                node("Exp", ["x"], ["p2"]), node("Abs", ["x"], ["q2"]), outputs=["p2", "q2"]),
        ),
        node("ReduceSum", ["q"], ["a"], keepdims=0),
        node("Add", ["p", "a"], ["b"]),
        node("ReduceSum", ["b"], ["t"], keepdims=0),
        node("Add", ["t", "q"], ["y"]),
    )  # fmt: skip
    agrees(model, *shaped((2, 1), (2, 3)))


def test_what_is_known_in_a_branch_is_not_known_behind_it() -> None:
    """Where n is 1, twice n is 2; in the other branch, and behind them, it is not."""
    double = node("Concat", ["x", "x"], ["r"], axis=1)
    model = model_of(
        node("Shape", ["x"], ["size"], start=-1),
        node("Equal", ["size", "one"], ["c"]),
        node("Add", ["size", "size"], ["twice"]),
        node("Concat", ["flat", "twice"], ["wanted"], axis=0),
        node(
            "If", ["c"], ["h"], "choice",
            then_branch=branch(double, node("Reshape", ["r", "wanted"], ["r1"]), outputs=["r1"]),
            else_branch=branch(
                node("Concat", ["x", "x"], ["s"], axis=0), node("Concat", ["s", "s"], ["s2"], axis=1),
                node("Reshape", ["s2", "wanted"], ["r2"]), outputs=["r2"]),
        ),
        node("Concat", ["h", "h"], ["hh"], axis=0),
        node("Reshape", ["hh", "wanted"], ["y"]),
    )  # fmt: skip
    imported = import_model(model)
    assert imported.outputs[0].shape[1] == "n*2"
    agrees(model, *shaped((2, 1), (2, 3)))


def test_the_same_rank_and_other_sizes() -> None:
    """A size that is the same in both stays what it is; another one shows as the model runs."""
    model = model_of(
        node(
            "If", ["c"], ["h"],
            then_branch=branch(node("Concat", ["x", "x"], ["r"], axis=1)),
            else_branch=branch(node("Neg", ["x"], ["r2"]), outputs=["r2"]),
        ),
        node("Exp", ["h"], ["y"]),
        c=("bool", []),
    )  # fmt: skip
    batch, other = import_model(model).outputs[0].shape
    assert batch == "b"
    assert other not in ("n", "n*2")
    feeds = [{"x": drawn(*s), "c": np.array(c)} for s in ((2, 3), (0, 1)) for c in (True, False)]
    agrees(model, *feeds)


def test_a_condition_of_the_data_and_two_ranks() -> None:
    model = model_of(
        node(
            "If", ["c"], ["h"],
            then_branch=branch(node("ReduceMax", ["x"], ["r"], axes=[1], keepdims=0)),
            else_branch=branch(node("Neg", ["x"], ["r2"]), outputs=["r2"]),
        ),
        node("ReduceSum", ["h"], ["y"], keepdims=0),
        c=("bool", []),
    )  # fmt: skip
    feeds = [{"x": drawn(*s), "c": np.array(c)} for s in ((2, 3), (1, 1)) for c in (True, False)]
    agrees(model, *feeds)


def test_a_count_that_shows_as_the_model_runs() -> None:
    """One element that is kept is a number, more are a vector."""
    model = model_of(
        node("Greater", ["x", "zero"], ["keep"]), node("Compress", ["x", "keep"], ["kept"], axis=0),
        *squeezed_if_one("kept", "h", 0),
        node("ReduceSum", ["h"], ["s"], keepdims=0), node("Add", ["s", "x"], ["y"]),
        shape=("n",),
    )  # fmt: skip
    values = [[-1, -1], [-1, 2], [1, 2], [3]]
    agrees(model, *({"x": np.array(v, "float32")} for v in values))


def test_sequences_of_two_lengths() -> None:
    model = model_of(
        node(
            "If", ["c"], ["s"],
            then_branch=branch(node("SequenceConstruct", ["x"], ["r"])),
            else_branch=branch(
                node("Neg", ["x"], ["m"]), node("SequenceConstruct", ["m", "x", "m"], ["r2"]),
                outputs=["r2"]),
        ),
        node("ConcatFromSequence", ["s"], ["y"], axis=0),
        c=("bool", []),
    )  # fmt: skip
    for value in (
        *model.graph.node[0].attribute[0].g.output,
        *model.graph.node[0].attribute[1].g.output,
    ):
        value.CopyFrom(helper.make_tensor_sequence_value_info(value.name, 1, None))
    agrees(model, *({"x": drawn(2, 3), "c": np.array(c)} for c in (True, False)))


# Where one of them can never run.


def joined_to(rank: int) -> onnx.ModelProto:
    """A model whose Concat takes what has this rank."""
    weights = np.ones([2] * rank, "float32")
    model = model_of(*squeezed_if_one(), node("Concat", ["h", "w"], ["y"], "join", axis=0))
    model.graph.initializer.append(onnx.numpy_helper.from_array(weights, "w"))
    return model


def test_a_branch_behind_which_the_model_is_none() -> None:
    """Only where n is 1 the ranks fit: the input has that size, and no If is left."""
    imported = import_model(joined_to(1))
    assert "If" not in str(imported.module["main"])
    assert str(imported.inputs[0]) == "x: float32[b, n]"
    compiled = agrees(joined_to(1), *shaped((2, 1), (0, 1)))
    with pytest.raises(InputError, match="n == 1, of 'choice_h', whose other branch 'join' cannot"):
        compiled({"x": drawn(2, 3)})


def test_the_other_branch_behind_which_the_model_is_none() -> None:
    compiled = agrees(joined_to(2), *shaped((3, 2), (0, 2)))
    with pytest.raises(InputError, match="n != 1, of 'choice_h', whose other branch 'join' c"):
        compiled({"x": drawn(2, 1)})


def test_a_condition_of_the_data_that_never_holds() -> None:
    """What a feed's numbers choose is checked as the model runs, in words."""
    model = model_of(
        node(
            "If", ["c"], ["h"], "choice",
            then_branch=branch(node("ReduceMax", ["x"], ["r"], axes=[1], keepdims=0)),
            else_branch=branch(node("Neg", ["x"], ["r2"]), outputs=["r2"]),
        ),
        node("Transpose", ["h"], ["y"], perm=[1, 0]),
        c=("bool", []),
    )  # fmt: skip
    x = drawn(2, 3)
    compiled = agrees(model, {"x": x, "c": np.array(False)})
    with pytest.raises(Exception, match="choice.*its condition is false"):
        compiled({"x": x, "c": np.array(True)})


PLACES: Mapping[str, tuple[list[str], np.ndarray]] = {
    "GatherElements": (["h", "places"], np.array([[0, 1], [1, 1]])),
    "ScatterElements": (["x", "places", "h"], np.array([[1, 1, 0], [0, 0, 1]])),
    "ScatterND": (["x", "places", "h"], np.array([[1], [0]])),
}


@pytest.mark.parametrize("op", PLACES)
def test_a_branch_of_a_rank_that_no_gather_or_scatter_takes(op: str) -> None:
    """Of which onnx's own inference says nothing; inside of another branch, as in a KNNImputer."""
    operands, places = PLACES[op]
    inner = [
        node(
            "If", ["c"], ["h"], "choice",
            then_branch=branch(node("ReduceMax", ["x"], ["r"], axes=[1], keepdims=0)),
            else_branch=branch(node("Neg", ["x"], ["r2"]), outputs=["r2"]),
        ),
        node(op, operands, ["z1"]),
    ]  # fmt: skip
    outer = node(
        "If", ["d"], ["z"],
        then_branch=branch(*inner, outputs=["z1"]),
        else_branch=branch(node("Abs", ["x"], ["z2"]), outputs=["z2"]),
    )  # fmt: skip
    model = model_of(outer, node("Exp", ["z"], ["y"]), c=("bool", []), d=("bool", []))
    model.graph.initializer.append(onnx.numpy_helper.from_array(places, "places"))
    x, yes, no = drawn(2, 3), np.array(True), np.array(False)
    compiled = agrees(model, {"x": x, "c": no, "d": yes}, {"x": x, "c": yes, "d": no})
    with pytest.raises(InputError, match="choice.*its condition is false"):
        compiled({"x": x, "c": yes, "d": yes})


# What is given back has one rank.


def test_a_result_of_two_ranks_takes_a_symbol_for_another_size_than_1() -> None:
    """As broadcasting does; `dims` says where it is 1."""
    model = model_of(*squeezed_if_one(y="y"))
    compiled = agrees(model, *shaped((2, 3), (2, 0)))
    with pytest.raises(InputError, match=r"n != 1, of 'choice_y' \(else the output 'y' has another "
                                         r"rank: compile with dims= for that\)"):  # fmt: skip
        compiled({"x": drawn(2, 1)})
    agrees(model, *shaped((2, 1)), dims={"n": 1})


@pytest.mark.parametrize(
    ("stated", "taken", "refused"), [([], 1, 3), ([None], 3, 1), ([None, None], 3, 1), (None, 3, 1)]
)
def test_a_result_of_two_ranks_has_the_one_that_the_model_states(
    stated: Any, taken: int, refused: int
) -> None:
    """A rank that is neither of both decides nothing, as does none."""
    made = onnx_model([node("Squeeze", ["x"], ["y"])], {"x": ("float32", ("n",))}, {"y": "float32"})
    made.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", 1, stated))
    run = tvmfuse.compile(made).load()
    feeds = {"x": np.arange(taken, dtype="float32")}
    assert_agrees(run(feeds), reference(made, feeds))
    with pytest.raises(InputError, match="compile with dims= for that"):
        run(x=np.arange(refused, dtype="float32"))


def test_a_result_of_two_ranks_that_no_size_decides() -> None:
    model = model_of(
        node("If", ["c"], ["y"], "choice",
             then_branch=branch(node("ReduceMax", ["x"], ["r"], axes=[1], keepdims=0)),
             else_branch=branch(node("Neg", ["x"], ["r2"]), outputs=["r2"])),
        c=("bool", []),
    )  # fmt: skip
    words = "'y' is of rank 1 where its condition is true and else of rank 2"
    with pytest.raises(UnsupportedModelError, match=words):
        import_model(model)


def test_a_range_decides() -> None:
    imported = import_model(model_of(*squeezed_if_one(y="y")), dims={"n": (2, 9)})
    assert "if " not in imported.module["main"].script()
    assert imported.outputs[0].shape == ("b", "n")


def test_what_cannot_be_compiled_says_for_which_sizes() -> None:
    model = model_of(
        *squeezed_if_one(), node("Strange", ["h"], ["d"], "strange", domain="my.domain"),
        node("Reshape", ["d", "flat"], ["y"]),
    )  # fmt: skip
    model.opset_import.append(helper.make_opsetid("my.domain", 1))
    with pytest.raises(
        UnsupportedModelError, match=r"'strange'\): .* \(where n == 1, of 'choice_h"
    ):
        import_model(model)


# Squeeze without axes.


def test_all_dimensions_of_1_go() -> None:
    model = model_of(
        node("Squeeze", ["x"], ["h"]), node("ReduceSum", ["h"], ["s"], keepdims=0),
        node("Add", ["s", "x"], ["y"]), shape=("b", 1, "n"),
    )  # fmt: skip
    agrees(model, *shaped((2, 1, 3), (1, 1, 3), (2, 1, 1), (1, 1, 1), (0, 1, 1)))


def test_a_squeezed_result_takes_symbols_for_other_sizes_than_1() -> None:
    model = model_of(node("Squeeze", ["x"], ["y"], "squeeze"), shape=("b", 1, "n"))
    compiled = agrees(model, *shaped((2, 1, 3), (0, 1, 3)))
    for shape, name in (((1, 1, 3), "b"), ((2, 1, 1), "n")):
        with pytest.raises(InputError, match=f"{name} != 1, of 'squeeze'"):
            compiled({"x": drawn(*shape)})
    agrees(model, *shaped((1, 1, 3)), dims={"b": 1})
