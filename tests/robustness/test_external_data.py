"""Weights in other files: read from the model's folder, and from nowhere else."""

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from graphs import onnx_model
from malformed import X, Y, beside, external, external_tensor, node, refused
from onnx import TensorProto

import tvmfuse
from tvmfuse.errors import LimitExceededError, MalformedModelError, ModelError
from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.onnx import external_data, import_model
from tvmfuse.frontend.onnx.graph import Graph, read_graph
from tvmfuse.frontend.onnx.model_folder import ModelFolder
from tvmfuse.frontend.onnx.read import read_model, read_with_weights
from tvmfuse.limits import Limits
from tvmfuse.tensors import as_tensor


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


@pytest.mark.parametrize("key", ["offset", "length"])
@pytest.mark.parametrize(
    "text", ["-4", "1e3", "0x10", "many", "٣", " 4", "4 ", "", "+4", "1_0", 2**63, "9" * 5000]
)
def test_what_is_no_number_of_bytes(folder: Path, key: str, text: object) -> None:
    path = external(folder, "w.bin", **{key: text})
    refused(path, "tensor 'w'", key, "is no number of bytes")


@pytest.mark.parametrize("number", [13, 100, 2**31, 2**32 + 12, 2**62, 2**63 - 1])
def test_bytes_that_the_file_does_not_have(folder: Path, number: int) -> None:
    refused(external(folder, "w.bin", offset=number), "tensor 'w' lies in 'w.bin'", "which has 12")
    refused(external(folder, "w.bin", offset=number, length=12), "which has 12")
    refused(external(folder, "w.bin", length=number), "which has 12")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"dims": [4]}, "takes 16 bytes, and 12 are there"),
        ({"dims": [2]}, "takes 8 bytes, and 12 are there"),
        ({"dims": []}, "takes 4 bytes, and 12 are there"),
        ({"dims": [0]}, "takes 0 bytes, and 12 are there"),
        ({"dims": [2**31]}, f"takes {2**33} bytes, and 12 are there"),
        ({"dims": [-3]}, "[-3] is no shape"),
        ({"dims": [-1000, -1000]}, "[-1000, -1000] is no shape"),
        ({"data_type": TensorProto.DOUBLE}, "takes 24 bytes, and 12 are there"),
        ({"data_type": TensorProto.UINT4}, "takes 2 bytes, and 12 are there"),
        ({"data_type": TensorProto.STRING}, "strings cannot lie in another file"),
        ({"data_type": TensorProto.UNDEFINED}, "0 is no element type"),
        ({"data_type": 99}, "99 is no element type"),
    ],
)
def test_a_shape_that_takes_other_bytes(folder: Path, fields: Any, words: str) -> None:
    tensor = external_tensor("w", [3], "w.bin")
    tensor.dims[:] = fields.get("dims", [3])
    tensor.data_type = fields.get("data_type", TensorProto.FLOAT)
    refused(beside(folder, tensor), "tensor 'w'", words)


def test_entries_that_say_two_things(folder: Path) -> None:
    tensor = external_tensor("w", [3], "w.bin")
    tensor.external_data.add(key="location", value="data/w.bin")
    refused(beside(folder, tensor), "tensor 'w' states its 'location' twice")


def test_entries_that_are_no_text(folder: Path) -> None:
    path = external(folder, "w.bin")
    path.write_bytes(path.read_bytes().replace(b"w.bin", b"w\xff\xfein"))
    refused(path)


def test_the_file_is_read_once_and_in_order(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(0).standard_normal((3000, 200), dtype="float32")
    (folder / "w.bin").write_bytes(numbers.tobytes())
    tensors = [
        external_tensor(f"w{i}", [200], "w.bin", offset=800 * i, length=800) for i in range(3000)
    ]
    model = onnx_model([node("Add", ["w0", "w2999"], ["y"])], {}, Y)
    model.graph.initializer.extend(reversed(tensors))
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    opened, really = [], ModelFolder.opened

    def counted(owner: ModelFolder, location: str, said: str) -> AbstractContextManager[int]:
        opened.append(location)
        return really(owner, location, said)

    monkeypatch.setattr(ModelFolder, "opened", counted)
    _, weights = read_with_weights(folder / "m.onnx", Gate())
    assert len(opened) == 1
    np.testing.assert_array_equal([weights[f"w{i}"] for i in range(3000)], numbers)


@pytest.mark.parametrize(
    "dtype", ["float32", "float16", "bfloat16", "int64", "uint8", "bool", "int4"]
)
@pytest.mark.parametrize("shape", [(), (0, 5), (7,), (40, 9)])
def test_numbers_of_each_type_are_what_onnx_reads(folder: Path, dtype: str, shape: Any) -> None:
    array = np.random.default_rng(0).integers(0, 2, shape).astype(getattr(ml_dtypes, dtype, dtype))
    model = onnx_model([node("Identity", ["w"], ["y"])], {}, {"y": dtype}, {"w": array})
    onnx.save(model, folder / "m.onnx", save_as_external_data=True, location="o", size_threshold=0)
    assert [f.name for f in folder.glob("o")] == ["o"]
    graph = read_graph_of(folder / "m.onnx")
    assert graph.constants["w"].dtype == array.dtype
    np.testing.assert_array_equal(graph.constants["w"], array)


def read_graph_of(path: Path) -> Graph:
    proto, weights = read_with_weights(path, Gate())
    return read_graph(proto.graph, proto.graph.initializer, {"": 17}, (), weights)


def test_large_weights_are_held_once(folder: Path) -> None:
    (folder / "w.bin").write_bytes(bytes(4000))
    model = onnx_model([node("Identity", ["w"], ["y"])], {}, {"y": "float32"})
    model.graph.initializer.append(external_tensor("w", [1000], "w.bin"))
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    graph = read_graph_of(folder / "m.onnx")
    assert as_tensor(graph.constants["w"]).data_ptr() == graph.constants["w"].ctypes.data
    proto, weights = read_with_weights(folder / "m.onnx", Gate())
    assert not proto.graph.initializer[0].raw_data
    assert list(weights) == ["w"]
    assert len(read_model(folder / "m.onnx").graph.initializer[0].raw_data) == 4000


def mapped(path: Path) -> Mapping[str, np.ndarray]:
    return read_with_weights(path, Gate(), mapped=True)[1]


@pytest.mark.parametrize("offset", [0, 64, 100])
def test_mapped_weights_are_the_files_own_memory(folder: Path, offset: int) -> None:
    """Constants share it where it is aligned; in the file nothing changes."""
    numbers = np.random.default_rng(0).standard_normal(1000, dtype="float32")
    (folder / "w.bin").write_bytes(bytes(offset) + numbers.tobytes())
    model = onnx_model([node("Add", ["w", "x"], ["y"])], {"x": ("float32", [1000])}, Y)
    model.graph.initializer.append(external_tensor("w", [1000], "w.bin", offset=offset))
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    weights = mapped(folder / "m.onnx")
    np.testing.assert_array_equal(weights["w"], numbers)
    assert any("w.bin" in line for line in Path("/proc/self/maps").read_text().splitlines())
    shares = as_tensor(weights["w"]).data_ptr() == weights["w"].ctypes.data
    assert shares == (offset % 64 == 0)
    weights["w"][:] = 0
    np.testing.assert_array_equal(mapped(folder / "m.onnx")["w"], numbers)
    found = tvmfuse.compile(folder / "m.onnx", map_weights=True).load()(x=np.ones(1000, "float32"))
    np.testing.assert_array_equal(found["y"], numbers + 1)


def test_what_cannot_be_mapped_is_read_or_refused(folder: Path) -> None:
    """A tensor of a few elements moves into the model; a file is as long as it has to be."""
    (folder / "w.bin").write_bytes(b"")
    model = onnx_model([node("Identity", ["w"], ["y"])], {}, Y)
    model.graph.initializer.append(external_tensor("w", [0], "w.bin"))
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    assert mapped(folder / "m.onnx") == {}
    with pytest.raises(MalformedModelError, match="of a file which has 0"):
        mapped(external(folder, "w.bin", length=8000))


def lying_on(folder: Path, count: int) -> Path:
    """Write a model whose weights all lie on the same 4,000 bytes."""
    (folder / "w.bin").write_bytes(bytes(4000))
    model = onnx_model([node("Add", ["w0", "w1"], ["y"])], {}, Y)
    model.graph.initializer.extend(external_tensor(f"w{i}", [1000], "w.bin") for i in range(count))
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    return folder / "m.onnx"


def test_weights_may_be_shared_but_not_multiply(folder: Path) -> None:
    import_model(lying_on(folder, 8))
    refused(lying_on(folder, 9), "9 tensors take 36000 bytes of a file which has 4000")


def test_a_hollow_file_is_refused_before_it_is_read(folder: Path) -> None:
    os.truncate(folder / "w.bin", 2**40)
    for dims in ([2**38], [2**62], [2**62, 2**62, 2**62]):
        path = beside(folder, external_tensor("w", dims, "w.bin"))
        refused(path, f"tensor 'w' has the shape {dims}", kind=LimitExceededError)


def test_a_file_that_becomes_shorter_as_it_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = external_data._Extent.check_within

    def cut(extent: Any, size: int) -> None:
        check(extent, size)
        os.truncate(folder / "w.bin", 5)

    monkeypatch.setattr(external_data._Extent, "check_within", cut)
    refused(external(folder, "w.bin"), "tensor 'w' lies in 'w.bin'", "became shorter")


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
    refused(external(folder, "data"), "tensor 'w'", "no regular file")
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


def in_one_file(folder: Path, count: int, elements: int) -> Path:
    """Write a model that adds up tensors which lie one after the other in a file with holes."""
    names = [f"w{i}" for i in range(count)]
    model = onnx_model([node("Sum", [*names], ["y"], name="n")], {}, Y)
    for place, name in enumerate(names):
        where = {"offset": 4 * elements * place, "length": 4 * elements}
        model.graph.initializer.append(external_tensor(name, [elements], "w.bin", **where))
    with (folder / "w.bin").open("wb") as file:
        file.truncate(4 * elements * count)
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    return folder / "m.onnx"


def test_files_beside_the_model_are_held_to_a_limit_together(tmp_path: Path) -> None:
    path = in_one_file(tmp_path, 3, 1000)
    import_model(path, limits=Limits(external_bytes=12_000))
    with pytest.raises(LimitExceededError) as error:
        import_model(path, limits=Limits(external_bytes=11_999))
    assert "tensor 'w2' brings what lies in files beside the model to 12000 bytes" in str(
        error.value
    )
    assert "the limit is external_bytes=11999" in str(error.value)


def test_a_file_of_holes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """It takes no room on the disk, and 40 GiB of memory; each tensor is within the limits."""
    refused(
        in_one_file(tmp_path, 5, 2**31),
        "'w4'",
        "external_bytes=34359738368",
        kind=LimitExceededError,
    )
