"""Weights beside the model load; weights anywhere else do not."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, run
from onnx import helper

from tvmfuse.errors import MalformedModelError, ModelError
from tvmfuse.frontend.onnx import import_model

W = np.arange(6, dtype="float32").reshape(2, 3)


def add() -> onnx.ModelProto:
    nodes = [helper.make_node("Add", ["x", "w"], ["y"])]
    return onnx_model(nodes, {"x": ("float32", [2, 3])}, {"y": "float32"}, {"w": W})


@pytest.fixture
def stored(tmp_path: Path) -> Any:
    """Return a function that writes the model with `w` in another file, said to be `location`."""

    def store(location: str = "w.bin", **entries: str) -> Any:
        folder = tmp_path / "model"
        (folder / "sub").mkdir(parents=True, exist_ok=True)
        (folder / "w.bin").write_bytes(W.tobytes())
        (folder / "sub" / "w.bin").write_bytes(W.tobytes())
        (tmp_path / "outside.bin").write_bytes(W.tobytes())
        (folder / "link.bin").unlink(missing_ok=True)
        (folder / "link.bin").symlink_to(tmp_path / "outside.bin")
        model = add()
        tensor = model.graph.initializer[0]
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in {"location": location, **entries}.items():
            tensor.external_data.add(key=key, value=value)
        file = folder / "add.onnx"
        file.write_bytes(model.SerializeToString())
        return file

    return store


@pytest.mark.parametrize("location", ["w.bin", "sub/w.bin", "./w.bin", "sub/../w.bin"])
def test_files_below_the_folder_load(stored: Any, location: str) -> None:
    imported = import_model(stored(location))
    np.testing.assert_array_equal(run(imported.module, W)[0], 2 * W)


def test_offset_and_length(stored: Any) -> None:
    file = stored(offset="4", length="24")
    (file.parent / "w.bin").write_bytes(b"\xff" * 4 + W.tobytes() + b"\xff" * 4)
    np.testing.assert_array_equal(run(import_model(file).module, W)[0], 2 * W)


@pytest.mark.parametrize(
    "location", ["../outside.bin", "/etc/hostname", "link.bin", "sub/../../outside.bin"]
)
def test_paths_that_leave_the_folder_are_refused(stored: Any, location: str) -> None:
    with pytest.raises(
        MalformedModelError, match=r"tensor 'w' lies in .* leaves the model's folder"
    ):
        import_model(stored(location))


@pytest.mark.parametrize(
    ("location", "entries", "words"),
    [
        ("missing.bin", {}, "the model's folder has no such file"),
        ("", {}, "none is named"),
        ("w.bin", {"length": "100"}, "bytes 0 to 100 are wanted of a file which has 24"),
        ("w.bin", {"offset": "-4"}, "offset '-4' is no number of bytes"),
        ("w.bin", {"length": "many"}, "length 'many' is no number of bytes"),
    ],
)
def test_files_that_do_not_fit(
    stored: Any, location: str, entries: dict[str, str], words: str
) -> None:
    with pytest.raises(MalformedModelError, match=words):
        import_model(stored(location, **entries))


def test_too_few_numbers(stored: Any) -> None:
    with pytest.raises(MalformedModelError, match="tensor 'w'|tensor name: w"):
        import_model(stored(length="8"))


def test_without_a_folder_nobody_finds_the_file(stored: Any) -> None:
    file = stored()
    with pytest.raises(
        ModelError, match="the folder is not known; pass the path of the model's file"
    ):
        import_model(file.read_bytes())
    with pytest.raises(ModelError, match="'w' lie in another file.*load it with onnx.load"):
        import_model(onnx.load(file, load_external_data=False))
