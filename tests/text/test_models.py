"""Models of scikit-learn, as skl2onnx writes them by default: compiled, without a fallback."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from fallbacks import agree, expected
from graphs import onnx_model
from onnx import TensorProto, helper, numpy_helper

import tvmfuse
from tvmfuse.cli import main
from tvmfuse.errors import (
    ConfigurationError,
    FallbackWarning,
    InputError,
    ModelError,
    UnsupportedModelError,
)
from tvmfuse.frontend.onnx.partition.labels_apart import with_labels_apart

ML, MICROSOFT = "ai.onnx.ml", "com.microsoft"
RNG = np.random.default_rng(3)
X = RNG.standard_normal((5, 4)).astype("float32")
WEIGHTS = RNG.standard_normal(12).tolist()
LABELS = ["spam", "ham", "eggs"]
LINEAR: dict[str, Any] = {
    "coefficients": WEIGHTS, "intercepts": [0.1, -0.2, 0.3], "post_transform": "SOFTMAX",
}  # fmt: skip


def ml(operator: str, inputs: list[str], outputs: list[str], **attributes: Any) -> onnx.NodeProto:
    name = operator if operator != "LabelEncoder" else ""
    return helper.make_node(operator, inputs, outputs, name, domain=ML, **attributes)


def dicts_of(key: int) -> onnx.TypeProto:
    """Return the type of a list of dicts from labels to floats."""
    number = helper.make_tensor_type_proto(TensorProto.FLOAT, [])
    return helper.make_sequence_type_proto(helper.make_map_type_proto(key, number))


def of(
    nodes: list[onnx.NodeProto],
    inputs: dict[str, tuple[Any, list[Any]]],
    outputs: dict[str, Any],
    version: int = 1,
    **constants: np.ndarray,
) -> onnx.ModelProto:
    """Return a model; an output is given by its element type, or by its type."""
    values = [helper.make_tensor_value_info(n, k, s) for n, (k, s) in inputs.items()]
    results = [
        helper.make_value_info(n, k)
        if isinstance(k, onnx.TypeProto)
        else helper.make_tensor_value_info(n, k, None)
        for n, k in outputs.items()
    ]
    tensors = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, "sklearn", values, results, tensors)
    opsets = [helper.make_opsetid(*o) for o in (("", 21), (ML, version), (MICROSOFT, 1))]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def rows(count: Any = "n") -> dict[str, tuple[Any, list[Any]]]:
    return {"X": (TensorProto.FLOAT, [count, 4])}


def logistic(labels: list[Any], version: int = 1) -> onnx.ModelProto:
    """Return LogisticRegression: a label and a dict for each row."""
    texts = isinstance(labels[0], str)
    kind = "strings" if texts else "ints"
    element = TensorProto.STRING if texts else TensorProto.INT64
    nodes = [
        ml("LinearClassifier", ["X"], ["label", "raw"], **{f"classlabels_{kind}": labels}, **LINEAR),
        helper.make_node("Identity", ["label"], ["output_label"]),
        ml("Normalizer", ["raw"], ["scores"], norm="L1"),
        ml("ZipMap", ["scores"], ["output_probability"],
           **{f"classlabels_{'strings' if texts else 'int64s'}": labels}),
    ]  # fmt: skip
    outputs = {"output_label": element, "output_probability": dicts_of(element)}
    return of(nodes, rows(), outputs, version)


def silently(model: onnx.ModelProto, **options: Any) -> Any:
    """Compile a model of which all is ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        return tvmfuse.compile(model, **options)


def same(found: list[Any], wanted: list[Any]) -> None:
    """Compare labels exactly, and scores within 1e-5."""
    for a, b in zip(found, wanted, strict=True):
        if isinstance(b, list):
            assert [[*map(repr, row)] for row in a] == [[*map(repr, row)] for row in b]
            np.testing.assert_allclose([[*r.values()] for r in a], [[*r.values()] for r in b], 1e-5)
            assert all(type(v) is float for row in a for v in row.values())
        elif b.dtype.kind == "f":
            np.testing.assert_allclose(a, b, 1e-5, 1e-6)
        else:
            assert (a.dtype, a.tolist()) == (b.dtype, b.tolist())


@pytest.mark.parametrize("version", [1, 3])
@pytest.mark.parametrize("labels", [LABELS, [7, -1, 3]])
def test_a_classifier_gives_labels_and_dicts(labels: list[Any], version: int) -> None:
    model = logistic(labels, version)
    artifact = silently(model)
    assert artifact.manifest.handed_over == artifact.report.handed_over == ()
    assert [part.engine for part in artifact.manifest.parts] == ["tvmfuse", "text"]
    assert "onnxruntime" not in artifact.manifest.versions
    run = artifact.load()
    for count in (5, 1, 0):
        same(run.run(None, {"X": X[:count]}), expected(model, {"X": X[:count]}))


def test_numbers_are_compiled_and_labels_looked_up() -> None:
    model = logistic(LABELS)
    before = model.SerializeToString()
    apart = with_labels_apart(model)
    assert model.SerializeToString() == before
    assert [node.op_type for node in apart.graph.node][:2] == ["LinearClassifier", "LabelEncoder"]
    assert apart.graph.node[1].name == "LinearClassifier/labels"
    compiled, host = silently(model).manifest.parts
    assert [n.operator for n in compiled.nodes] == [f"{ML}.LinearClassifier", f"{ML}.Normalizer"]
    assert [n.operator for n in host.nodes] == [f"{ML}.LabelEncoder", "Identity", f"{ML}.ZipMap"]
    numbers = logistic([1, 2, 3])
    assert with_labels_apart(numbers) is numbers


TREES: dict[str, Any] = {
    "nodes_treeids": [0, 0, 0], "nodes_nodeids": [0, 1, 2], "nodes_featureids": [1, 0, 0],
    "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_values": [0.1, 0.0, 0.0],
    "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0],
    "class_treeids": [0] * 6, "class_nodeids": [1, 1, 1, 2, 2, 2], "class_ids": [0, 1, 2] * 2,
    "class_weights": [0.1, 0.7, 0.2, 0.6, 0.1, 0.3],
}  # fmt: skip
MACHINE: dict[str, Any] = {
    "coefficients": RNG.standard_normal(10).tolist(), "rho": [0.1, -0.2, 0.3],
    "support_vectors": RNG.standard_normal(20).tolist(), "vectors_per_class": [2, 1, 2],
    "kernel_type": "RBF", "kernel_params": [0.3, 0.0, 3.0],
    "prob_a": [-1.5, 0.7, -3.0], "prob_b": [0.1, -0.2, 0.0],
}  # fmt: skip


@pytest.mark.parametrize(
    ("operator", "said"), [("TreeEnsembleClassifier", TREES), ("SVMClassifier", MACHINE)]
)
def test_other_classifiers_of_strings(operator: str, said: dict[str, Any]) -> None:
    nodes = [ml(operator, ["X"], ["label", "scores"], classlabels_strings=LABELS, **said)]
    outputs = {"label": TensorProto.STRING, "scores": TensorProto.FLOAT}
    model = of(nodes, rows(), outputs)
    same(silently(model).load().run(None, {"X": X}), expected(model, {"X": X}))


def test_classes_are_picked_among_strings() -> None:
    """As of GaussianNB, KNeighborsClassifier and MLPClassifier."""
    nodes = [
        helper.make_node("ArgMax", ["X"], ["at"], axis=1),
        ml("ArrayFeatureExtractor", ["classes", "at"], ["row"]),
        helper.make_node("Reshape", ["row", "flat"], ["label"]),
    ]
    classes = np.array([*LABELS, "ham"], object)
    model = of(nodes, rows(), {"label": TensorProto.STRING}, classes=classes, flat=np.array([-1]))
    artifact = silently(model)
    assert [part.engine for part in artifact.manifest.parts] == ["tvmfuse", "text"]
    same(artifact.load().run(None, {"X": X}), expected(model, {"X": X}))


def table(zeros: int = 1) -> onnx.ModelProto:
    """Return ColumnTransformer: a number scaled, a string as one of many, and a classifier."""
    nodes = [
        ml("Scaler", ["age"], ["scaled"], offset=[30.0], scale=[0.1]),
        ml("OneHotEncoder", ["colour"], ["hot"], cats_strings=["red", "green", "blue"], zeros=zeros),
        helper.make_node("Reshape", ["hot", "flat"], ["colours"]),
        helper.make_node("Concat", ["scaled", "colours"], ["features"], axis=1),
        ml("LinearClassifier", ["features"], ["label", "scores"], classlabels_strings=LABELS, **LINEAR),
        ml("ZipMap", ["scores"], ["dicts"], classlabels_strings=LABELS),
    ]  # fmt: skip
    inputs = {"age": (TensorProto.FLOAT, ["n", 1]), "colour": (TensorProto.STRING, ["n", 1])}
    outputs = {"label": TensorProto.STRING, "dicts": dicts_of(TensorProto.STRING)}
    return of(nodes, inputs, outputs, flat=np.array([-1, 3]))


TABLE = {
    "age": np.array([[20], [31.5], [44]], "float32"),
    "colour": np.array([["green"], ["mauve"], ["red"]], object),
}


def test_columns_of_strings() -> None:
    artifact = silently(table())
    assert [part.engine for part in artifact.manifest.parts] == ["text", "tvmfuse", "text"]
    run = artifact.load()
    same(run.run(None, TABLE), expected(table(), TABLE))
    for texts in (TABLE["colour"].tolist(), TABLE["colour"].astype(np.str_)):
        same(run.run(None, {**TABLE, "colour": texts}), expected(table(), TABLE))
    strict = silently(table(zeros=0)).load()
    with pytest.raises(InputError):
        strict.run(None, TABLE)


@pytest.mark.parametrize(
    "odd",
    [
        np.ones((3, 1), "float32"),
        np.array([["red"], [None], ["blue"]], object),
        np.array([["red"], [3], ["blue"]], object),
        [["red"], ["green", "blue"]],
        "red",
        None,
    ],
)
def test_what_is_no_string_is_refused_in_words(odd: Any) -> None:
    run = silently(table()).load()
    with pytest.raises(InputError, match="colour"):
        run.run(None, {**TABLE, "colour": odd})


def test_strings_of_another_shape_are_refused_in_words() -> None:
    run = silently(table()).load()
    for odd in (["red"], [[["red"]]], [["red"], ["blue"]], [["red", "blue"]]):
        with pytest.raises(InputError, match="colour"):
            run.run(None, {**TABLE, "colour": np.array(odd, object)})


def sentences(separated: bool = False) -> onnx.ModelProto:
    """Return TfidfVectorizer: words and pairs of words, counted and weighed."""
    said = {"separators": [" "]} if separated else {"tokenexp": "[a-zA-Z0-9_]+"}
    counted = helper.make_node(
        "TfIdfVectorizer", ["tokens2"], ["counts"], "TfIdf", min_gram_length=1, max_gram_length=2,
        max_skip_count=0, mode="TF", ngram_counts=[0, 3], ngram_indexes=[0, 1, 2, 3, 4],
        pool_strings=["cat", "mat", "the", "the", "cat", "the", "mat"],
    )  # fmt: skip
    nodes = [
        helper.make_node("Reshape", ["X", "flat"], ["flattened"]),
        helper.make_node("StringNormalizer", ["flattened"], ["normal"], locale="C",
                         case_change_action="LOWER", stopwords=["nothing"]),
        helper.make_node("Tokenizer", ["normal"], ["tokens"], domain=MICROSOFT, mark=0,
                         mincharnum=1, pad_value="#", **said),
        helper.make_node("Flatten", ["tokens"], ["tokens2"]),
        counted,
        helper.make_node("Mul", ["counts", "idf"], ["weighed"]),
        ml("Normalizer", ["weighed"], ["Y"], norm="L2"),
    ]  # fmt: skip
    idf = np.array([1, 2, 3, 4, 5], "float32")
    inputs = {"X": (TensorProto.STRING, ["n", 1])}
    return of(nodes, inputs, {"Y": TensorProto.FLOAT}, idf=idf, flat=np.array([-1]))


@pytest.mark.parametrize("separated", [False, True])
def test_words_are_counted(separated: bool) -> None:
    model = sentences(separated)
    artifact = silently(model)
    host, compiled = artifact.manifest.parts
    assert (host.engine, compiled.engine) == ("text", "tvmfuse")
    assert "TfIdfVectorizer" in [node.operator for node in compiled.nodes]
    run = artifact.load()
    texts = np.array([["The cat sat on the mat"], ["the the  CAT"], [""], ["a dog"]], object)
    for some in (texts, texts[:1]):
        same(run.run(None, {"X": some}), expected(model, {"X": some}))


def test_strings_for_strings() -> None:
    """SimpleImputer of strings: what is missing becomes the most frequent."""
    nodes = [
        ml("LabelEncoder", ["X"], ["m"], keys_strings=[""], values_int64s=[1], default_int64=0),
        helper.make_node("Cast", ["m"], ["missing"], to=TensorProto.BOOL),
        ml("LabelEncoder", ["zero"], ["fill"], keys_int64s=[0], values_strings=["red"]),
        helper.make_node("Where", ["missing", "fill", "X"], ["Y"]),
    ]
    inputs = {"X": (TensorProto.STRING, ["n", 2])}
    model = of(nodes, inputs, {"Y": TensorProto.STRING}, 2, zero=np.array([0]))
    feeds = {"X": np.array([["a", ""], ["", "b"]], object)}
    same(silently(model).load().run(None, feeds), expected(model, feeds))


def test_a_file_has_it_all(tmp_path: Path) -> None:
    artifact = silently(table())
    artifact.save(tmp_path / "table.bundle")
    run = tvmfuse.load(tmp_path / "table.bundle")
    same(run.run(None, TABLE), expected(table(), TABLE))
    assert [str(spec) for spec in run.outputs][1] == "dicts: seq(map(string,tensor(float32)))"
    assert "onnxruntime" not in repr(run) + repr(artifact)


def test_a_session_is_onnxruntimes() -> None:
    import onnxruntime

    model = table()
    ours = tvmfuse.InferenceSession(model.SerializeToString())
    other = onnxruntime.InferenceSession(model.SerializeToString())
    for a, b in (
        (ours.get_inputs(), other.get_inputs()),
        (ours.get_outputs(), other.get_outputs()),
    ):
        assert [(v.name, v.type) for v in a] == [(v.name, v.type) for v in b]
    same(ours.run(None, TABLE), other.run(None, TABLE))
    same(ours.run(["dicts"], TABLE), other.run(["dicts"], TABLE))
    with pytest.raises(InputError, match=r"expected: \(tensor\(string\)\)"):
        ours.run(None, {**TABLE, "colour": np.ones((3, 1))})


def test_the_command_line_takes_it(tmp_path: Path) -> None:
    source, made = tmp_path / "table.onnx", tmp_path / "table.bundle"
    source.write_bytes(table().SerializeToString())

    def cli(*arguments: Any) -> str:
        done = CliRunner().invoke(main, [*map(str, arguments)])
        assert done.exit_code == 0, done.output
        return done.output

    assert "warning" not in cli("compile", source, "-o", made)
    assert "not compiled" not in cli("inspect", made)
    cli("explain", source)
    for name, array in TABLE.items():
        kept = array.astype(np.str_) if array.dtype == object else array
        np.save(tmp_path / f"{name}.npy", kept)
    feeds = [f"--inputs={name}={tmp_path / name}.npy" for name in TABLE]
    ran = json.loads(cli("run", made, *feeds, "--json"))
    assert [held["name"] for held in ran["outputs"]] == ["label", "dicts"]


def test_what_is_left_is_refused_and_names_it_alone() -> None:
    nodes = [
        helper.make_node("Unique", ["X"], ["u"], "odd"),
        ml("LabelEncoder", ["u"], ["Y"], keys_strings=["a"], values_int64s=[1]),
    ]
    model = of(nodes, {"X": (TensorProto.STRING, ["n"])}, {"Y": TensorProto.INT64}, 2)
    with pytest.raises(UnsupportedModelError, match="1 node cannot be compiled") as error:
        tvmfuse.compile(model)
    assert [*error.value.nodes] == ["odd"]
    assert 'fallback="onnxruntime"' in str(error.value)
    with pytest.warns(FallbackWarning):
        run = tvmfuse.compile(model, fallback="onnxruntime").load()
    agree(model, run, {"X": np.array(["b", "a"], object)})


def test_patterns_of_another_syntax_are_the_fallbacks() -> None:
    model = of(
        [helper.make_node("RegexFullMatch", ["X"], ["Y"], "match", pattern=r"\pL+")],
        {"X": (TensorProto.STRING, ["n"])},
        {"Y": TensorProto.BOOL},
    )
    with pytest.raises(UnsupportedModelError, match=r"in '\\\\pL\+', '\\\\pL\+' is not taken"):
        tvmfuse.compile(model)
    with pytest.warns(FallbackWarning):
        run = tvmfuse.compile(model, fallback="onnxruntime").load()
    agree(model, run, {"X": np.array(["é", "1"], object)})


def test_a_fallback_that_is_not_needed_gets_nothing() -> None:
    assert silently(table(), fallback="onnxruntime").manifest.handed_over == ()


def test_it_takes_no_onnxruntime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = expected(table(), TABLE)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    silently(table()).save(tmp_path / "table.bundle")
    same(tvmfuse.load(tmp_path / "table.bundle").run(None, TABLE), wanted)


def test_what_is_asked_of_a_whole_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="save_optimized: a model in parts takes none"):
        tvmfuse.compile(table(), save_optimized=tmp_path / "g")


@pytest.mark.parametrize(
    ("operator", "said"),
    [
        ("LabelEncoder", {"keys_strings": ["a"], "values_int64s": [1]}),
        ("DictVectorizer", {"string_vocabulary": ["a"]}),
    ],
)
def test_types_that_onnx_does_not_know_end_no_process(operator: str, said: dict[str, Any]) -> None:
    """onnx's inference reads the type of what these are fed, which may be unknown."""
    odd = helper.make_node("Odd", ["X"], ["u"], "odd", domain="nobody")
    nodes = [odd, ml(operator, ["u"], ["Y"], **said)]
    model = of(nodes, {"X": (TensorProto.STRING, ["n"])}, {"Y": TensorProto.INT64}, 2)
    model.opset_import.append(helper.make_opsetid("nobody", 1))
    with pytest.raises(UnsupportedModelError, match=r"nobody::Odd|whose type is not known"):
        tvmfuse.compile(model)


@pytest.mark.parametrize(
    ("operator", "attribute", "said"),
    [
        ("OneHotEncoder", "cats_strings", {}),
        ("LabelEncoder", "keys_strings", {"values_int64s": [1]}),
    ],
)
def test_labels_that_are_no_text_are_refused_in_words(
    operator: str, attribute: str, said: dict[str, Any]
) -> None:
    nodes = [ml(operator, ["X"], ["Y"], **{attribute: [b"\xff"]}, **said)]
    output = TensorProto.FLOAT if operator == "OneHotEncoder" else TensorProto.INT64
    model = of(nodes, {"X": (TensorProto.STRING, ["n"])}, {"Y": output}, 2)
    with pytest.raises(ModelError, match="no UTF-8"):
        tvmfuse.compile(model)


def test_a_label_encoder_of_version_1_keeps_its_version() -> None:
    """All of a domain's operators have one version, and this one alone has changed."""
    nodes = [
        ml("LabelEncoder", ["X"], ["at"], classes_strings=["a", "b"]),
        ml("OneHotEncoder", ["X"], ["hot"], cats_strings=["b", "a"]),
    ]
    outputs = {"at": TensorProto.INT64, "hot": TensorProto.FLOAT}
    model = of(nodes, {"X": (TensorProto.STRING, ["n"])}, outputs)
    feeds = {"X": np.array(["a", "c"], object)}
    same(silently(model).load().run(None, feeds), expected(model, feeds))


def test_sizes_of_strings_are_numbers() -> None:
    nodes = [
        helper.make_node("Shape", ["X"], ["s"]),
        helper.make_node("Mul", ["s", "two"], ["t"]),
        helper.make_node("Expand", ["X", "t"], ["Y"]),
    ]
    inputs = {"X": (TensorProto.STRING, ["n", 1])}
    model = of(nodes, inputs, {"Y": TensorProto.STRING}, two=np.array([1, 3]))
    feeds = {"X": np.array([["a"], ["b"]], object)}
    same(silently(model).load().run(None, feeds), expected(model, feeds))


def test_models_of_numbers_are_compiled_as_before() -> None:
    model = onnx_model(
        [helper.make_node("Relu", ["x"], ["y"])], {"x": ("float32", [2])}, {"y": "float32"}
    )
    assert silently(model).manifest.parts == ()
