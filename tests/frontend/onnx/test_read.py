"""Anything that is no whole ONNX model is refused in words, wherever it comes from."""

from pathlib import Path
from typing import Any

import onnx
import pytest
from graphs import onnx_model
from onnx import helper

from tvmfuse.errors import (
    ConfigurationError,
    MalformedModelError,
    ModelError,
    UnsupportedModelError,
)
from tvmfuse.frontend.onnx import import_model


def relu(**changes: Any) -> onnx.ModelProto:
    model = onnx_model(
        [helper.make_node("Relu", ["x"], ["y"])], {"x": ("float32", [2])}, {"y": "float32"}
    )
    for name, value in changes.items():
        setattr(model, name, value)
    return model


def test_path_string_bytes_and_proto_are_the_same_model(tmp_path: Path) -> None:
    file = tmp_path / "relu.onnx"
    onnx.save(relu(), file)
    for source in (file, str(file), file.read_bytes(), relu()):
        imported = import_model(source)
        assert [str(t) for t in (*imported.inputs, *imported.outputs)] == [
            "x: float32[2]",
            "y: float32[2]",
        ]


def test_a_proto_is_never_changed() -> None:
    model = relu()
    before = model.SerializeToString()
    import_model(model)
    assert model.SerializeToString() == before


@pytest.mark.parametrize("source", [None, 5, ["relu.onnx"]])
def test_what_is_no_model_at_all_is_a_wrong_argument(source: Any) -> None:
    with pytest.raises(ConfigurationError, match="a path, bytes or an onnx.ModelProto; found"):
        import_model(source)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no file '.*missing.onnx'"):
        import_model(tmp_path / "missing.onnx")


def test_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is a folder; expected an ONNX file"):
        import_model(tmp_path)


def test_empty_file(tmp_path: Path) -> None:
    file = tmp_path / "empty.onnx"
    file.write_bytes(b"")
    with pytest.raises(MalformedModelError, match="found nothing: it is empty"):
        import_model(file)


@pytest.mark.parametrize("data", [b"hello, this is text" * 9, bytes(range(256)), b"\x00" * 64])
def test_garbage(data: Any) -> None:
    with pytest.raises(MalformedModelError, match="not a valid ONNX file"):
        import_model(data)


def test_truncated_anywhere() -> None:
    whole = relu().SerializeToString()
    for length in range(1, len(whole)):
        with pytest.raises(ModelError):
            import_model(whole[:length])


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("graph", "it holds no graph"),
        ("ir_version", "it gives no IR version"),
        ("opset_import", "it imports no operator set"),
    ],
)
def test_a_part_is_missing(field: str, words: str) -> None:
    model = relu()
    model.ClearField(field)
    with pytest.raises(MalformedModelError, match=words):
        import_model(model)


def test_newer_than_the_onnx_package() -> None:
    model = relu()
    model.opset_import[0].version = 999
    with pytest.raises(UnsupportedModelError, match=r"opset 999 is newer than \d+.*upgrade onnx"):
        import_model(model)
    with pytest.raises(UnsupportedModelError, match=r"IR version 999 is newer than \d+"):
        import_model(relu(ir_version=999))
