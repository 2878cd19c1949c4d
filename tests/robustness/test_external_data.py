"""Weights in other files: read from the model's folder, and from nowhere else."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from malformed import X, Y, node, refused
from onnx import TensorProto

from tvmfuse.errors import (
    ModelError,
)
from tvmfuse.frontend.onnx import import_model


def external(folder: Path, location: str, **more: object) -> Path:
    """Write a model whose weights lie elsewhere."""
    model = onnx_model([node("Add", ["x", "w"], ["y"], name="n")], X, Y)
    entries = {"location": location, **more}
    tensor = TensorProto(name="w", dims=[3], data_type=1, data_location=TensorProto.EXTERNAL)
    for key, value in entries.items():
        tensor.external_data.add(key=key, value=str(value))
    model.graph.initializer.append(tensor)
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    return folder / "m.onnx"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model's folder, a file in it and one outside of it."""
    (tmp_path / "model" / "data").mkdir(parents=True)
    numbers = np.arange(3, dtype="float32").tobytes()
    for name in ("secret", "model/w.bin", "model/data/w.bin"):
        (tmp_path / name).write_bytes(numbers)
    return tmp_path / "model"


@pytest.mark.parametrize("location", ["w.bin", "data/w.bin", "./w.bin", "data/../w.bin"])
def test_external_data_is_read(folder: Path, location: str) -> None:
    assert import_model(external(folder, location)).outputs[0].shape == (2, 3)


def test_external_data_in_a_subfolder_with_offset(folder: Path) -> None:
    (folder / "w.bin").write_bytes(bytes(100))
    import_model(external(folder, "w.bin", offset=88, length=12))
    for offset, length in ((96, 12), (200, 12), (0, 101), (88, 8), (0, "")):
        refused(external(folder, "w.bin", offset=offset, length=length), "w")
    for wrong in ("-4", "1e3", "0x10", "many", "٣"):
        refused(
            external(folder, "w.bin", offset=wrong), "tensor 'w'", "offset", "is no number of bytes"
        )


@pytest.mark.parametrize(
    "location", ["../secret", "data/../../secret", "/etc/passwd", "../model2/w.bin"]
)
def test_external_data_outside_of_the_folder(folder: Path, location: str) -> None:
    refused(
        external(folder, location),
        "tensor 'w' lies in",
        location,
        "which leaves the model's folder",
    )


def test_external_data_by_its_absolute_path(folder: Path) -> None:
    refused(external(folder, str(folder / "w.bin")), "leaves the model's folder")


def test_external_data_behind_a_link(folder: Path) -> None:
    (folder / "link").symlink_to("../secret")
    (folder / "out").symlink_to("..")
    refused(external(folder, "link"), "which leaves the model's folder")
    refused(external(folder, "out/secret"), "which leaves the model's folder")


def test_external_data_behind_a_link_to_itself(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    refused(external(folder, "loop"), "'w'")


def test_a_link_within_the_folder_is_followed(folder: Path) -> None:
    (folder / "link").symlink_to("data/w.bin")
    import_model(external(folder, "link"))


def test_missing_external_data(folder: Path) -> None:
    refused(external(folder, "none.bin"), "tensor 'w' lies in 'none.bin'", "no such file")
    refused(external(folder, "data"), "tensor 'w'", "no such file")
    refused(external(folder, ""), "tensor 'w'", "none is named")
    refused(external(folder, "a\0b"), "tensor 'w'", "no file can be called")


def test_external_data_by_a_name_that_is_too_long(folder: Path) -> None:
    refused(external(folder, "n" * 300), "tensor 'w'")


@pytest.mark.parametrize("size", [0, 8, 11])
def test_external_data_that_is_too_short(folder: Path, size: int) -> None:
    (folder / "w.bin").write_bytes(bytes(size))
    refused(external(folder, "w.bin"), "w")
    refused(external(folder, "w.bin", length=12), "tensor 'w'", f"which has {size}")


def test_large_external_data_that_is_too_short(folder: Path) -> None:
    (folder / "w.bin").write_bytes(bytes(8000))
    path = external(folder, "w.bin")
    model = onnx.load(path, load_external_data=False)
    model.graph.initializer[0].dims[:] = [1000, 2, 3]
    path.write_bytes(model.SerializeToString())
    refused(path, "'w'")


def test_external_data_of_a_model_without_a_folder(folder: Path) -> None:
    model = onnx.load(external(folder, "w.bin"), load_external_data=False)
    refused(model, "'w'", "lie in another file", "load it with onnx.load", kind=ModelError)
    refused(model.SerializeToString(), "'w'", "pass the path", kind=ModelError)


def test_external_data_of_an_attribute(folder: Path) -> None:
    tensor = TensorProto(name="w", dims=[3], data_type=1, data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="../secret")
    model = onnx_model(
        [node("Constant", [], ["c"], name="k", value=tensor), node("Add", ["x", "c"], ["y"])], X, Y
    )
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    refused(folder / "m.onnx", "leaves the model's folder")
