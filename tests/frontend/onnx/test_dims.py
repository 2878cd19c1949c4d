"""Symbolic dimensions stay symbolic unless `shapes` or `dims` fix them."""

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, run
from onnx import helper

import tvmfuse
from tvmfuse.errors import ConfigurationError, InputError, ModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.runtime.feeds import check_feeds

node = helper.make_node


def shape_of(model: onnx.ModelProto, **options: Any) -> tuple[int | str, ...]:
    return import_model(model, **options).outputs[0].shape


def relu(*shape: int | str | None) -> onnx.ModelProto:
    return onnx_model([node("Relu", ["x"], ["y"])], {"x": ("float32", shape)}, {"y": "float32"})


def test_one_module_for_every_batch(agrees: Any) -> None:
    nodes = [node("MatMul", ["x", "w"], ["h"]), node("Relu", ["h"], ["y"])]
    w = np.random.default_rng(0).standard_normal((3, 4)).astype("float32")
    model = onnx_model(nodes, {"x": ("float32", ["batch", 3])}, {"y": "float32"}, {"w": w})
    feeds = [
        {"x": np.random.default_rng(n).standard_normal((n, 3)).astype("float32")} for n in (1, 7)
    ]
    imported = agrees(model, *feeds)
    assert str(imported.inputs[0]) == "x: float32[batch, 3]"
    assert str(imported.outputs[0]) == "y: float32[batch, 4]"


def test_dims_fix_a_symbol_everywhere() -> None:
    assert shape_of(relu("batch", "n", "batch"), dims={"batch": 2}) == (2, "n", 2)


def test_shapes_fix_name_or_leave_dimensions() -> None:
    assert shape_of(relu("batch", 3, "n"), shapes={"x": (4, 3, None)}) == (4, 3, "n")
    assert shape_of(relu("batch", 3, "n"), shapes={"x": ("rows", 3, "n")}) == ("rows", 3, "n")
    assert shape_of(relu("batch", "batch"), shapes={"x": (4, None)}) == (4, 4)


def test_dimensions_without_a_name_are_different_ones() -> None:
    model = relu(None, 3, None)
    assert shape_of(model) == ("x_dim0", 3, "x_dim2")
    x = np.ones((1, 3, 5), "float32")
    assert run(import_model(model).module, x)[0].shape == (1, 3, 5)


@pytest.mark.parametrize("unknown", [-1, -2, -(2**63)])
def test_a_dimension_below_0_is_unknown(unknown: int, agrees: Any) -> None:
    """paddle2onnx writes -1; onnxruntime takes any such number for a size that nobody knows."""

    def typed(name: str) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [unknown, 3])

    model = onnx_model(
        [
            node("Abs", ["x"], ["a"]),
            node(
                "If", ["c"], ["y"],
                then_branch=helper.make_graph([node("Exp", ["a"], ["t"])], "t", [], [typed("t")]),
                else_branch=helper.make_graph([node("Neg", ["a"], ["f"])], "f", [], [typed("f")]),
            ),
        ],
        {"x": ("float32", [unknown, 3]), "c": ("bool", [])},
        {"y": "float32"},
    )  # fmt: skip
    model.graph.value_info.append(typed("a"))
    model.graph.output[0].CopyFrom(typed("y"))
    before = model.SerializeToString()
    feeds = [
        {"x": np.ones((rows, 3), "float32"), "c": np.array(c)}
        for rows in (0, 1, 4)
        for c in (True, False)
    ]
    assert str(agrees(model, *feeds).inputs[0]) == "x: float32[x_dim0, 3]"
    assert model.SerializeToString() == before


def test_expressions_in_names_are_computed() -> None:
    model = relu("seq", "seq + 1", "2*seq", "seq//2", "a b")
    assert shape_of(model, dims={"seq": 6}) == (6, 7, 12, 3, "a b")
    assert shape_of(model) == ("seq", "seq + 1", "seq*2", "seq//2", "a b")


def test_a_name_that_is_no_expression_is_a_symbol() -> None:
    assert shape_of(relu("batch-size!", "unk__61", "a/b")) == ("batch-size!", "unk__61", "a/b")


def test_an_empty_dimension_is_one() -> None:
    assert shape_of(relu(0, 3)) == (0, 3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dims": {"bacth": 1}}, "no symbolic dimension 'bacth'; did you mean batch?"),
        ({"shapes": {"xx": (1, 3, 5)}}, "no input 'xx'"),
        ({"shapes": {"x": (1, 3)}}, r"'x' has 3 dimensions \['batch', 3, 'n'\]; found \[1, 3\]"),
        ({"shapes": {"x": (1, 4, 5)}}, "dimension 1 of 'x' is fixed to 3; found 4"),
        ({"shapes": {"x": (1, 3, 5)}, "dims": {"batch": 2}}, "dimension 'batch' is to be 2 and 1"),
        ({"dims": {"batch": -1}}, "expected a number >= 0"),
        ({"dims": {"batch": 1.5}}, "expected a number >= 0"),
        ({"dims": {"batch": True}}, "expected a number >= 0"),
        ({"dims": {"bacth": (1, 4)}}, "no symbolic dimension 'bacth'; did you mean batch?"),
        ({"dims": {"batch": (5, 4)}}, r"is to be \(5, 4\), and no size is from 5 to 4"),
        ({"dims": {"batch": (-1, 4)}}, r"is to be \(-1, 4\); expected a number >= 0, or the small"),
        ({"dims": {"batch": (1, 4.0)}}, "and the largest of a range, None where there is no bound"),
        ({"dims": {"batch": (1, 4, 5)}}, "expected a number >= 0, or"),
        ({"dims": {"batch": "1:4"}}, "expected a number >= 0, or"),
        ({"dims": {"batch": (1, 2**63)}}, "expected 63 bits at most"),
        ({"shapes": {"x": ((1, 4), (1, 4), 5)}}, "dimension 1 of 'x' is fixed to 3; found"),
        (
            {"shapes": {"x": ((1, 4), 3, 5)}, "dims": {"batch": (1, 5)}},
            "dimension 'batch' is to be 1 to 5 and 1 to 4; it is one dimension",
        ),
    ],
)
def test_contradictions(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        import_model(relu("batch", 3, "n"), **options)


def test_an_input_without_a_rank_needs_a_shape() -> None:
    model = relu()
    model.graph.input[0].type.tensor_type.ClearField("shape")
    with pytest.raises(ModelError, match=r"'x' has no shape, not even a rank; pass shapes=\{'x': "):
        import_model(model)
    assert shape_of(model, shapes={"x": (2, "n")}) == (2, "n")


def test_two_symbols_that_meet_are_to_be_equal(agrees: Any) -> None:
    model = onnx_model(
        [node("Add", ["x", "z"], ["y"])],
        {"x": ("float32", ["a", 3]), "z": ("float32", ["b", 3])},
        {"y": "float32"},
    )
    two, four = np.ones((2, 3), "float32"), np.ones((4, 3), "float32")
    imported = agrees(model, {"x": two, "z": two})
    assert imported.outputs[0].shape == ("a", 3)
    with pytest.raises(InputError, match="'z': .* only sizes with b == a, of 'Add_0'"):
        check_feeds(imported.inputs, {"x": two, "z": four})


def test_a_symbol_that_meets_a_bounded_one(agrees: Any) -> None:
    """A table of 8 rows, of which the first `seq` are added: position embeddings."""
    nodes = [
        node("Shape", ["x"], ["shape"]),
        node("Slice", ["shape", "one", "two"], ["seq"]),
        node("Slice", ["table", "zero", "seq"], ["rows"]),
        node("Add", ["x", "rows"], ["y"]),
    ]
    constants = {
        "table": np.random.default_rng(0).standard_normal((8, 3)).astype("float32"),
        **{name: np.array([n]) for n, name in enumerate(("zero", "one", "two"))},
    }
    model = onnx_model(nodes, {"x": ("float32", ["batch", "seq", 3])}, {"y": "float32"}, constants)
    imported = agrees(model, *({"x": np.ones((2, n, 3), "float32")} for n in (1, 5, 8)))
    assert imported.outputs[0].shape == ("batch", "seq", 3)
    with pytest.raises(InputError, match=r"only sizes with min\(seq, 8\) == seq, of 'Add_3'"):
        check_feeds(imported.inputs, {"x": np.ones((2, 9, 3), "float32")})


def test_symbols_that_meet_in_a_product_are_taken_to_be_equal(agrees: Any) -> None:
    inputs = {"a": ("float32", ["b", 2, "k"]), "c": ("float32", ["batch", "depth", 3])}
    model = onnx_model([node("MatMul", ["a", "c"], ["y"])], inputs, {"y": "float32"})
    feed = {"a": np.ones((2, 2, 4), "float32"), "c": np.ones((2, 4, 3), "float32")}
    assert agrees(model, feed).outputs[0].shape == ("b", 2, 3)


def sizes_of(model: onnx.ModelProto, **options: Any) -> tuple[object, object]:
    taken = import_model(model, **options).inputs[0]
    return taken.min_sizes, taken.max_sizes


def test_ranges_bound_a_symbol_that_stays_one() -> None:
    model = relu("batch", 3, "n")
    assert sizes_of(model) == ((), ())
    assert sizes_of(model, dims={"batch": (1, 64)}) == ((1, 0, 0), (64, None, None))
    assert sizes_of(model, dims={"n": [2, None]}) == ((0, 0, 2), ())
    assert sizes_of(model, dims={"n": (None, np.int64(9))}) == ((), (None, None, 9))
    assert sizes_of(model, dims={"n": (None, None)}) == ((), ())
    assert sizes_of(model, shapes={"x": ((1, 64), None, 5)}) == ((1, 0, 0), (64, None, None))
    assert shape_of(model, dims={"batch": (1, 64)}) == ("batch", 3, "n")


def test_a_range_of_one_number_is_that_number() -> None:
    model = relu("batch", 3, "n")
    assert shape_of(model, dims={"batch": (4, 4)}) == (4, 3, "n")
    assert shape_of(model, shapes={"x": ((4, 4), 3, None)}) == (4, 3, "n")
    assert sizes_of(model, dims={"batch": (4, 4)}) == ((), ())


def test_a_feed_outside_its_range_is_refused() -> None:
    model = onnx_model(
        [node("Add", ["x", "z"], ["y"])],
        {"x": ("float32", ["batch", "n"]), "z": ("float32", ["batch", "n"])},
        {"y": "float32"},
    )
    specs = import_model(model, dims={"batch": (2, 4), "n": (None, 3)}).inputs
    for batch, n in [(2, 0), (4, 3)]:
        check_feeds(specs, dict.fromkeys("xz", np.ones((batch, n), "float32")))
    for shape, words in [
        ((1, 3), "'x'.*, found .*: dimension 0 is 1, and the model takes 2 to 4 for 'batch'"),
        ((5, 3), "dimension 0 is 5, and the model takes 2 to 4 for 'batch'"),
        ((2, 4), "dimension 1 is 4, and the model takes at most 3 for 'n'"),
    ]:
        with pytest.raises(InputError, match=words):
            check_feeds(specs, dict.fromkeys("xz", np.ones(shape, "float32")))


def test_what_a_range_says_is_known_while_a_model_is_converted(agrees: Any) -> None:
    """A size of 2 or more is none that is broadcast, and of 8 or less it is within 8 rows."""
    nodes = [
        node("Shape", ["x"], ["shape"]),
        node("Slice", ["shape", "one", "two"], ["seq"]),
        node("Slice", ["table", "zero", "seq"], ["rows"]),
        node("Add", ["x", "rows"], ["y"]),
    ]
    constants = {
        "table": np.random.default_rng(0).standard_normal((8, 3)).astype("float32"),
        **{name: np.array([n]) for n, name in enumerate(("zero", "one", "two"))},
    }
    model = onnx_model(nodes, {"x": ("float32", ["batch", "seq", 3])}, {"y": "float32"}, constants)
    assert import_model(model).inputs[0].shape_constraints
    bounded = import_model(model, dims={"seq": (1, 8)})
    assert not bounded.inputs[0].shape_constraints
    for rows in (1, 5, 8):
        x = np.ones((2, rows, 3), "float32")
        np.testing.assert_array_equal(run(bounded.module, x)[0], x + constants["table"][:rows])


def test_a_range_that_the_model_takes_none_of_is_refused() -> None:
    pool = node("MaxPool", ["x"], ["y"], kernel_shape=[3, 3])
    model = onnx_model([pool], {"x": ("float32", ["n", 1, "h", 8])}, {"y": "float32"})
    words = "dimension 'h' is to be at most 1, and the model takes at least 2"
    with pytest.raises(ConfigurationError, match=words):
        import_model(model, dims={"h": (0, 1)})
    assert sizes_of(model, dims={"h": (1, 9)}) == ((0, 0, 2, 0), (None, None, 9, None))


def test_a_range_of_what_no_input_tells_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'seq' is only computed with, and no input tells"):
        import_model(relu("2*seq"), dims={"seq": (1, 4)})
    with pytest.raises(ConfigurationError, match="dimension 1 of 'x' is computed, 2\\*seq, and is"):
        import_model(relu("seq", "2*seq"), shapes={"x": (None, (1, 4))})


def test_dimensions_called_by_a_question_mark_are_of_no_one_size() -> None:
    """paddle2onnx calls each size so that it does not know; onnxruntime compares none of them."""
    model = onnx_model(
        [helper.make_node("Relu", ["x"], ["y"])],
        {"x": ("float32", ("?", 3, "?", "?"))},
        {"y": "float32"},
    )
    x = np.arange(24, dtype="float32").reshape(1, 3, 4, 2) - 9
    np.testing.assert_array_equal(tvmfuse.compile(model).load()(x=x)["y"], np.maximum(x, 0))
