"""What cannot be compiled goes to onnxruntime: which nodes, in which groups, with which numbers."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import onnx
import pytest
from fallbacks import (
    WORDS,
    V,
    W,
    agree,
    chain,
    compiled,
    engines,
    handed,
    node,
    refuse,
    silently,
    words,
)
from graphs import onnx_model
from onnx import TensorProto, helper

import tvmfuse
from tvmfuse.arrays import numpy_dtype
from tvmfuse.errors import ConfigurationError, FallbackWarning, InputError, UnsupportedModelError

X = np.random.default_rng(1).standard_normal((3, 4), dtype="float32")


@pytest.fixture(autouse=True)
def _refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "Sin", "Tan")


@pytest.mark.parametrize("level", ["none", "all"])
def test_a_node_in_a_chain_of_any_length(level: str) -> None:
    model = chain()
    artifact = compiled(model, level=level)
    assert engines(artifact) == "tot"
    assert handed(artifact) == ["Sin"]
    run = artifact.load()
    for rows in (1, 3, 0):
        agree(model, run, {"x": np.ones((rows, 4), "float32")})
    agree(model, run, {"x": np.array([[np.inf, np.nan, -0.0, 1.0]], "float32")})


def test_it_says_which_nodes_and_why() -> None:
    with pytest.warns(FallbackWarning, match="onnxruntime computes 1 of 3 nodes.*: 1 Sin; "):
        artifact = tvmfuse.compile(chain(batch=2), fallback="onnxruntime")
    assert "kernels, in onnxruntime 1 Sin, " in repr(artifact)
    assert repr(artifact.load()).endswith("(y: float32[2, 4]), in onnxruntime 1 Sin)")
    [said] = artifact.report.handed_over
    assert (said.name, said.operator, said.engine) == ("wave", "Sin", "onnxruntime")
    assert said.why == "tvmfuse has no converter for this operator"
    assert "onnxruntime computes Sin 'wave': tvmfuse has no" in str(artifact.report)
    assert artifact.manifest.versions["onnxruntime"]
    assert [k.schedule for k in artifact.manifest.kernels if "onnxruntime" in k.symbol] == [
        "onnxruntime"
    ]
    assert artifact.nbytes


def test_a_model_without_such_nodes_is_the_same_artifact() -> None:
    model = onnx_model(
        [node("MatMul", ["x", "w"], ["y"])], {"x": ("float32", [2, 4])}, {"y": "float32"}, {"w": W}
    )
    artifact = silently(model)
    assert artifact.manifest.parts == ()
    assert artifact.launches == tvmfuse.compile(model).launches
    assert artifact.manifest == tvmfuse.compile(model).manifest


def test_without_a_fallback_it_is_an_error_that_names_the_nodes() -> None:
    with pytest.raises(UnsupportedModelError, match="1 node cannot be compiled") as error:
        tvmfuse.compile(chain())
    assert error.value.nodes == {"wave": "tvmfuse has no converter for this operator"}


def test_a_refusal_says_last_who_may_compute_it(monkeypatch: pytest.MonkeyPatch) -> None:
    advice = 'onnxruntime may compute that: fallback="onnxruntime", or tvmfuse compile --fallback '
    for asked in (tvmfuse.compile, tvmfuse.explain):
        with pytest.raises(UnsupportedModelError) as error:
            asked(chain())
        assert str(error.value).splitlines()[-1] == f"{advice}onnxruntime"
    newer = chain()
    newer.opset_import[0].version = 999
    with pytest.raises(UnsupportedModelError) as error:
        tvmfuse.compile(newer)
    assert "fallback" not in str(error.value)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UnsupportedModelError) as error:
        tvmfuse.compile(chain())
    assert str(error.value).endswith("after python -m pip install 'tvmfuse[ort]'")


def test_a_diamond_does_not_become_a_cycle() -> None:
    model = onnx_model(
        [node("MatMul", ["x", "w"], ["a"]), node("Sin", ["a"], ["b"]), node("Relu", ["a"], ["c"]),
         node("Add", ["b", "c"], ["d"]), node("MatMul", ["d", "v"], ["y"])],
        {"x": ("float32", ["n", 4])}, {"y": "float32", "c": "float32"}, {"w": W, "v": V},
    )  # fmt: skip
    artifact = compiled(model)
    assert engines(artifact) == "tot"
    agree(model, artifact.load(), {"x": X})


def test_sizes_are_computed_wherever_they_are_read() -> None:
    """The second part of ours would be refused if it were fed the shape as a tensor."""
    model = onnx_model(
        [node("Shape", ["x"], ["s"]), node("MatMul", ["x", "w"], ["a"]), node("Sin", ["a"], ["b"]),
         node("Gather", ["s", "zero"], ["rows"]), node("Concat", ["rows", "two"], ["to"], axis=0),
         node("Reshape", ["b", "to"], ["c"]), node("MatMul", ["c", "u"], ["d"]),
         node("Tan", ["d"], ["y"])],
        {"x": ("float32", ["n", 4])}, {"y": "float32"},
        {"w": W, "zero": np.array([0]), "two": np.array([2, 2]), "u": np.ones((2, 3), "float32")},
    )  # fmt: skip
    artifact = compiled(model)
    assert handed(artifact) == ["Sin", "Tan"]
    run = artifact.load()
    for rows in (1, 5):
        agree(model, run, {"x": np.ones((rows, 4), "float32")})


def test_sizes_that_one_part_knows_reach_the_next() -> None:
    """onnx knows no shape of what com.microsoft's operators make."""
    model = onnx_model(
        [node("FastGelu", ["x"], ["a"], domain="com.microsoft"), node("Sin", ["a"], ["b"]),
         node("Add", ["a", "b"], ["c"]), node("MatMul", ["c", "w"], ["y"])],
        {"x": ("float32", ["n", 4])}, {"y": "float32"}, {"w": W}, domains=["com.microsoft"],
    )  # fmt: skip
    artifact = compiled(model)
    assert engines(artifact) == "tot"
    assert str(artifact.manifest.outputs[0]) == "y: float32[n, 4]"
    agree(model, artifact.load(), {"x": X})


def test_what_a_branch_captures_goes_with_the_whole_node() -> None:
    then = helper.make_graph(
        [node("Sin", ["a"], ["t"])], "then", [], [onnx.ValueInfoProto(name="t")]
    )
    other = helper.make_graph(
        [node("Add", ["a", "w"], ["e"])], "else", [], [onnx.ValueInfoProto(name="e")]
    )
    for branch, name in ((then, "t"), (other, "e")):
        branch.output[0].CopyFrom(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    model = onnx_model(
        [node("MatMul", ["x", "w"], ["a"]),
         node("If", ["c"], ["b"], then_branch=then, else_branch=other),
         node("MatMul", ["b", "v"], ["y"])],
        {"x": ("float32", [4, 4]), "c": ("bool", [])}, {"y": "float32"}, {"w": W, "v": V},
    )  # fmt: skip
    artifact = compiled(model)
    assert handed(artifact) == ["If"]
    assert artifact.manifest.parts[1].inputs == ("c", "a")
    run = artifact.load()
    for condition in (True, False):
        agree(model, run, {"x": W, "c": np.array(condition)})


def test_strings_stay_with_the_other_engine() -> None:
    model = words()
    artifact = compiled(model)
    assert handed(artifact) == ["Unique"]
    assert "holds string" in artifact.report.handed_over[0].why
    run = artifact.load()
    agree(model, run, WORDS)
    assert [str(spec) for spec in run.inputs] == ["x: float32[n, 4]", "s: string[words]"]
    for texts, found in (
        ([], []),
        (["a", "a"], ["a"]),
        (np.array(["b"], np.dtypes.StringDType()), ["b"]),
    ):
        assert run({**WORDS, "s": texts})["t"].tolist() == found
    for odd in (np.ones(2), ["a", None], [["a"], ["b", "c"]], None):
        with pytest.raises(InputError, match=r"expected string\[words\], found"):
            run({**WORDS, "s": odd})


def test_a_sequence_that_is_fed_stays_with_the_other_engine() -> None:
    rows = helper.make_tensor_type_proto(TensorProto.FLOAT, ["n", 4])
    model = onnx_model(
        [node("SequenceAt", ["q", "i"], ["a"]), node("MatMul", ["a", "w"], ["y"])],
        {"i": ("int64", [])}, {"y": "float32"}, {"w": W},
    )  # fmt: skip
    model.graph.input.append(helper.make_value_info("q", helper.make_sequence_type_proto(rows)))
    artifact = compiled(model)
    assert engines(artifact) == "ot"
    run = artifact.load()
    agree(model, run, {"q": [X, X[:1] + 1], "i": np.array(1)})
    assert str(run.inputs[1]) == "q: seq(tensor(float32))"
    with pytest.raises(InputError, match="to be a list of arrays"):
        run({"q": X, "i": np.array(1)})


def test_a_value_of_unknown_rank_takes_its_reader_along() -> None:
    """What a Loop gives that runs as often as it is told has the rank that its body makes."""
    model = onnx_model(
        [node("Sin", ["x"], ["s"]), node("Reshape", ["s", "shape"], ["r"]),
         node("Tan", ["r"], ["t"]), node("Relu", ["t"], ["y"])],
        {"x": ("float32", ["n", 4]), "shape": ("int64", ["rank"])}, {"y": "float32"},
    )  # fmt: skip
    artifact = compiled(model)
    assert engines(artifact) == "o"
    reasons = {said.operator: said.why for said in artifact.report.handed_over}
    assert "'t', whose rank is not known" in reasons["Relu"]
    agree(model, artifact.load(), {"x": X, "shape": np.array([2, 3, 2])})


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e5m2"])
def test_types_that_numpy_lacks_pass_borders(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "Identity")
    kind = numpy_dtype(dtype)
    model = onnx_model(
        [node("Identity", ["x"], ["y"])], {"x": ("float32", [3])}, {"y": "float32"}, opset=21
    )
    for value in (model.graph.input[0], model.graph.output[0]):
        value.type.tensor_type.elem_type = helper.np_dtype_to_tensor_dtype(kind)
    for numbers in ([1, -2, 0.5], 3):
        del model.graph.input[0].type.tensor_type.shape.dim[len(np.shape(numbers)) :]
        found = compiled(model).load()(x=np.array(numbers, kind))["y"]
        assert (found.dtype, found.shape) == (kind, np.shape(numbers))
        np.testing.assert_array_equal(found.astype("float32"), numbers)


def test_small_groups_between_the_others_are_given_to_them() -> None:
    model = onnx_model(
        [node("Sin", ["x"], ["a"]), node("Relu", ["a"], ["b"]), node("Tan", ["b"], ["c"]),
         node("MatMul", ["c", "w"], ["d"]), node("Sin", ["d"], ["y"])],
        {"x": ("float32", ["n", 4])}, {"y": "float32"}, {"w": W},
    )  # fmt: skip
    artifact = compiled(model)
    assert engines(artifact) == "oto"
    reasons = {said.operator: said.why for said in artifact.report.handed_over}
    assert "fewer than 4 of ours" in reasons["Relu"]
    agree(model, artifact.load(), {"x": X})


def test_a_model_of_which_nothing_is_compiled_runs_too() -> None:
    model = onnx_model([node("Sin", ["x"], ["y"])], {"x": ("float32", ["n"])}, {"y": "float32"})
    artifact = compiled(model)
    assert engines(artifact) == "o"
    run = artifact.load()
    agree(model, run, {"x": X[0]})
    assert run.sizes({"x": X[0]}) == {"n": 4}
    with pytest.raises(ConfigurationError, match="num_threads: expected 1 or more, found 'two'"):
        artifact.load(num_threads="two")  # type: ignore[arg-type]


def test_large_constants_of_the_other_engine_are_there_once() -> None:
    large = np.arange(4096, dtype="float32").reshape(64, 64)
    model = onnx_model(
        [node("Sin", ["x"], ["a"]), node("Add", ["a", "w"], ["b"], "plus"), node("MatMul", ["b", "w"], ["c"]),
         node("Tan", ["c"], ["d"]), node("Div", ["d", "w"], ["y"], "by")],
        {"x": ("float32", [64, 64])}, {"y": "float32"}, {"w": large},
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        refuse(patch, "Add", "Div")
        artifact = compiled(model)
    assert engines(artifact) == "oto"
    code: Any = artifact.code
    assert [*code.weights] == ["w"]
    assert [len(part.content) < large.nbytes for part in (code.parts[0], code.parts[2])] == [
        True
    ] * 2
    agree(model, artifact.load(), {"x": large})


def test_functions_of_the_model_travel_with_their_callers() -> None:
    model = chain()
    function = helper.make_function(
        "ours", "Wave", ["p"], ["q"], [node("Sin", ["p"], ["q"])], [helper.make_opsetid("", 17)]
    )
    model.functions.append(function)
    model.opset_import.append(helper.make_opsetid("ours", 1))
    model.graph.node[1].op_type, model.graph.node[1].domain = "Wave", "ours"
    artifact = compiled(model)
    assert handed(artifact) == ["ours.Wave"]
    agree(model, artifact.load(), {"x": X})


def test_an_output_may_be_a_constant_or_an_input() -> None:
    model = chain()
    for name in ("w", "x"):
        model.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    model.graph.output.append(model.graph.output[0])
    run = compiled(model).load()
    agree(model, run, {"x": X})
    y, w, x, again = run.run(None, {"x": X})
    assert not np.shares_memory(x, X)
    assert not np.shares_memory(y, again)
    assert not np.shares_memory(w, run(x=X)["w"])


def test_dimensions_are_fixed_as_of_any_model() -> None:
    assert compiled(chain(), dims={"n": 2}).manifest.inputs[0].shape == (2, 4)
    assert compiled(chain(), shapes={"x": (2, 4)}).manifest.inputs[0].shape == (2, 4)
    run = compiled(chain(), dims={"n": (2, 3)}).load()
    agree(chain(), run, {"x": X})
    with pytest.raises(InputError, match="dimension 0 is 1, and the model takes 2 to 3 for 'n'"):
        run(x=X[:1])
    with pytest.raises(ConfigurationError, match="no symbolic dimension 'm'"):
        tvmfuse.compile(chain(), fallback="onnxruntime", dims={"m": 2})


def test_what_onnxruntime_does_not_take_either_is_an_error() -> None:
    model = chain()
    model.opset_import.append(helper.make_opsetid("nobody", 1))
    model.graph.node[1].op_type, model.graph.node[1].domain = "Thing", "nobody"
    with pytest.raises(
        UnsupportedModelError, match="neither tvmfuse nor onnxruntime takes nobody.Thing"
    ):
        tvmfuse.compile(model, fallback="onnxruntime")


def test_onnxruntime_has_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(
        ConfigurationError, match=r"not installed: python -m pip install 'tvmfuse\[ort\]'"
    ):
        tvmfuse.compile(chain(), fallback="onnxruntime")


def test_another_engine_does_not_exist() -> None:
    with pytest.raises(ConfigurationError, match="expected onnxruntime or None, found 'tensorrt'"):
        tvmfuse.compile(chain(), fallback="tensorrt")


def test_what_is_asked_of_a_whole_is_refused(tmp_path: Any) -> None:
    with pytest.raises(ConfigurationError, match="save_optimized: .* in parts takes none"):
        tvmfuse.compile(chain(), fallback="onnxruntime", save_optimized=tmp_path / "g")


def test_explaining_says_it_too() -> None:
    report = tvmfuse.explain(chain(), fallback="onnxruntime")
    assert [said.name for said in report.handed_over] == ["wave"]
    assert report.kernels == 2
