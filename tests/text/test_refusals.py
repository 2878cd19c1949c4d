"""What of strings and maps is refused, and in which words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fallbacks import agree
from onnx import TensorProto, helper
from sklearn_models import (
    TABLE,
    ml,
    of,
    silently,
    table,
)

import tvmfuse
from tvmfuse.errors import (
    ConfigurationError,
    FallbackWarning,
    InputError,
    ModelError,
    UnsupportedModelError,
)


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
