"""Models of scikit-learn, as skl2onnx writes them by default: compiled, without a fallback."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from fallbacks import expected
from graphs import onnx_model
from onnx import TensorProto, helper
from sklearn_models import (
    LABELS,
    MICROSOFT,
    ML,
    RNG,
    TABLE,
    X,
    logistic,
    ml,
    of,
    rows,
    same,
    silently,
    table,
)

import tvmfuse
from tvmfuse.cli import main
from tvmfuse.errors import (
    InputError,
)
from tvmfuse.frontend.onnx.partition.labels_apart import with_labels_apart

pytestmark = pytest.mark.sampled(5)


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


@pytest.mark.parametrize("count", [1, 2])
def test_nodes_need_no_names(count: int) -> None:
    """Names are made up of places, and nodes of labels that are split off change these."""
    nodes = [
        helper.make_node(
            "LinearClassifier", ["X"], [f"label{i}", f"scores{i}"], domain="ai.onnx.ml",
            classlabels_strings=["ham", "spam"], coefficients=[1.0, -1, 2, -2, -1, 1, 0, 3], intercepts=[0.0, i],
        )
        for i in range(count)
    ]  # fmt: skip
    model = of(nodes, rows(), {f"label{i}": TensorProto.STRING for i in range(count)})
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


def test_columns_of_strings() -> None:
    artifact = silently(table())
    assert [part.engine for part in artifact.manifest.parts] == ["text", "tvmfuse", "text"]
    run = artifact.load()
    same(run.run(None, TABLE), expected(table(), TABLE))
    for texts in (TABLE["colour"].tolist(), TABLE["colour"].astype(np.str_)):
        same(run.run(None, {**TABLE, "colour": texts}), expected(table(), TABLE))
    strict = silently(table(zeros=0)).load()
    with pytest.raises(InputError, match="each value is one of its categories"):
        strict.run(None, TABLE)


@pytest.mark.parametrize(
    ("colours", "found"),
    [
        ([["red"], [None], ["blue"]], "None (NoneType) at [1, 0]"),
        ([["red"], ["blue"], [2]], "2 (int) at [2, 0]"),
        (np.array([[math.nan], ["red"], ["blue"]], object), "nan (float) at [0, 0]"),
        ([["red"], ["blue", "red"], ["red"]], "['red'] (list) at [0]"),
        (np.ones((3, 1)), "a numpy.ndarray of float64"),
    ],
)
def test_what_is_no_string_is_named_with_its_place(colours: Any, found: str) -> None:
    with pytest.raises(InputError) as error:
        silently(table()).load().run(None, {**TABLE, "colour": colours})
    assert f"input 'colour': expected string[n, 1], found {found}" in str(error.value)


def test_a_list_keeps_the_zeros_that_end_a_string() -> None:
    lists = {**TABLE, "colour": [["red\0"], ["red"], ["blue"]]}
    arrays = {**TABLE, "colour": np.array(lists["colour"], object)}
    run = silently(table()).load()
    same(run.run(None, lists), run.run(None, arrays))
    same(run.run(None, arrays), expected(table(), arrays))


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
    with pytest.raises(InputError, match=r"expected: \(tensor\(string\)\).*\.astype\(str\)"):
        ours.run(None, {**TABLE, "colour": np.ones((3, 1))})
    with pytest.raises(InputError, match=r"'colour': expected UTF-8, found b'\\xff'"):
        ours.run(None, {**TABLE, "colour": np.array([[b"\xff"], [b"red"], [b"red"]])})


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


def test_a_fallback_that_is_not_needed_gets_nothing() -> None:
    assert silently(table(), fallback="onnxruntime").manifest.handed_over == ()


def test_it_takes_no_onnxruntime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = expected(table(), TABLE)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    silently(table()).save(tmp_path / "table.bundle")
    same(tvmfuse.load(tmp_path / "table.bundle").run(None, TABLE), wanted)


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
