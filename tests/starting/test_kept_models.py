"""Sessions keep what was compiled: the next one takes it, as long as nothing else is asked for."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Never

import numpy as np
import onnx
import pytest
from fallbacks import refuse
from onnx import TensorProto, helper, numpy_helper

from tvmfuse import api
from tvmfuse.errors import FallbackWarning, LeftOutWarning, PassError
from tvmfuse.levels import GraphOptimizationLevel
from tvmfuse.passes.basic.mat_mul_add_fusion import MatMulAddFusion
from tvmfuse.session import InferenceSession, SessionOptions
from tvmfuse.starting import key, model_digest

X = np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3)
WEIGHT = np.arange(12, dtype="float32").reshape(3, 4) - 5


def product(weight: np.ndarray = WEIGHT, last: str = "Relu") -> onnx.ModelProto:
    """Return `last(x @ weight + 1)`."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("Add", ["p", "one"], ["s"]),
        helper.make_node(last, ["s"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 4])],
        [numpy_helper.from_array(weight, "w"), numpy_helper.from_array(np.ones(4, "f4"), "one")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def expected(weight: np.ndarray = WEIGHT) -> np.ndarray:
    found: np.ndarray = np.maximum(X @ weight + 1, 0)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "kept"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "product.onnx"
    onnx.save(product(), place)
    return place


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return what is compiled, and not taken from what is kept."""
    made, compile_it = [], api.compile

    def counted(model: Any, **settings: Any) -> Any:
        made.append(settings)
        return compile_it(model, **settings)

    monkeypatch.setattr(api, "compile", counted)
    return made


def options(folder: Path | bool, **changes: Any) -> SessionOptions:
    chosen = SessionOptions()
    chosen.cache = folder
    for name, value in changes.items():
        setattr(chosen, name, value)
    return chosen


def result(model: Any, folder: Path | bool, **changes: Any) -> np.ndarray:
    """Start a session, and return what it computes."""
    results: list[np.ndarray] = InferenceSession(model, options(folder, **changes)).run(
        None, {"x": X}
    )
    return results[0]


IN_A_PROCESS = """
import sys
import numpy as np
import tvmfuse as ort

options = ort.SessionOptions()
options.cache = sys.argv[2]
session = ort.InferenceSession(sys.argv[1], options)
x = np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3)
print(session.run(None, {"x": x})[0].tolist(), session.get_inputs()[0].shape)
print([name for name in ("tvm", "torch", "onnx", "onnxruntime") if name in sys.modules])
"""


def test_another_process_takes_it_and_imports_no_compiler(path: Path, folder: Path) -> None:
    result(str(path), folder)
    done = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS, path, folder],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == f"{expected().tolist()} ['batch', 3]\n[]\n", done.stderr


def test_the_same_again_is_not_compiled(path: Path, folder: Path, compiled: list[Any]) -> None:
    for model in (str(path), path, path.read_bytes()):
        np.testing.assert_array_equal(result(model, folder), expected())
    # A file's digest is one of all its files, that of bytes is theirs.
    assert len(compiled) == 2


def test_what_is_asked_for_and_what_compiles_make_another_one(
    path: Path, folder: Path, compiled: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed = options(folder)
    fixed.add_free_dimension_override_by_name("batch", 2)
    sessions: list[Callable[[], object]] = [
        lambda: result(str(path), folder),
        lambda: result(
            str(path), folder, graph_optimization_level=GraphOptimizationLevel.ORT_DISABLE_ALL
        ),
        lambda: InferenceSession(str(path), options(folder), disabled_optimizers=["FuseOps"]),
        lambda: InferenceSession(str(path), fixed),
    ]
    for number, session in enumerate(sessions, 1):
        session()
        session()
        assert len(compiled) == number
    for place in ("compilers", "sources", "machine"):
        monkeypatch.setattr(key, place, lambda: "another")
        result(str(path), folder)
    assert len(compiled) == len(sessions) + 3


def test_other_threads_are_the_same_model(path: Path, folder: Path, compiled: list[Any]) -> None:
    for threads in (1, 2):
        np.testing.assert_array_equal(
            result(str(path), folder, intra_op_num_threads=threads), expected()
        )
    assert len(compiled) == 1


def test_nothing_is_kept_where_that_is_off(path: Path, compiled: list[Any]) -> None:
    from tvmfuse.format.kept_files import user_folder

    place = user_folder(os.environ, "models")
    assert place is not None
    before = sorted(place.iterdir()) if place.exists() else []
    result(str(path), False)
    result(str(path), False)
    assert len(compiled) == 2
    assert all(settings["cache"] is False for settings in compiled)
    assert (sorted(place.iterdir()) if place.exists() else []) == before


def test_the_optimized_graph_is_written_each_time(
    path: Path, folder: Path, tmp_path: Path, compiled: list[Any]
) -> None:
    written = tmp_path / "optimized"
    for _ in range(2):
        result(str(path), folder, optimized_model_filepath=str(written))
        assert written.read_bytes()
        written.unlink()
    assert len(compiled) == 2


# Models that change.


def test_a_model_that_is_written_over_is_another_one(path: Path, folder: Path) -> None:
    """Also where its size and, as clocks go, its time stay."""
    before = path.stat()
    np.testing.assert_array_equal(result(str(path), folder), expected())
    path.write_bytes(product(2 * WEIGHT).SerializeToString())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    np.testing.assert_array_equal(result(str(path), folder), expected(2 * WEIGHT))


def test_a_digest_is_remembered_of_a_file_that_rests(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, really = [], model_digest.read_model

    def counted(file: Any, **chosen: Any) -> Any:
        read.append(file.name)
        return really(file, **chosen)

    monkeypatch.setattr(model_digest, "read_model", counted)
    monkeypatch.setattr(model_digest, "RESTS_S", 1e9)
    result(str(path), folder)
    result(str(path), folder)
    assert len(read) == 3  # before and after the compilation, and in the second session
    monkeypatch.setattr(model_digest, "RESTS_S", -1e9)
    result(str(path), folder)
    result(str(path), folder)
    assert len(read) == 4
    path.write_bytes(product(3 * WEIGHT).SerializeToString())
    np.testing.assert_array_equal(result(str(path), folder), expected(3 * WEIGHT))


@pytest.mark.parametrize("rests", [-1e9, 1e9], ids=["remembered", "read"])
def test_weights_beside_a_model_count(
    tmp_path: Path, folder: Path, compiled: list[Any], monkeypatch: pytest.MonkeyPatch, rests: float
) -> None:
    monkeypatch.setattr(model_digest, "RESTS_S", rests)
    path = tmp_path / "beside.onnx"

    def save(weight: np.ndarray) -> None:
        onnx.save(product(weight), path, save_as_external_data=True, location="w.bin",
                  size_threshold=0, convert_attribute=False)  # fmt: skip

    save(WEIGHT)
    for _ in range(2):
        np.testing.assert_array_equal(result(str(path), folder), expected())
    assert len(compiled) == 1
    model = path.read_bytes()
    (tmp_path / "w.bin").unlink()
    save(3 * WEIGHT)
    assert path.read_bytes() == model
    np.testing.assert_array_equal(result(str(path), folder), expected(3 * WEIGHT))
    assert len(compiled) == 2


# What is odd about the folder costs a warning at most.


def the_kept(folder: Path) -> Path:
    (found,) = folder.glob("*.model")
    return found


def test_a_damaged_model_is_compiled_anew_and_replaced(
    path: Path, folder: Path, compiled: list[Any]
) -> None:
    result(str(path), folder)
    file = the_kept(folder)
    whole = file.read_bytes()
    for damaged in (b"", whole[:-1], whole[:100], bytes([whole[0] ^ 1]) + whole[1:]):
        before = len(compiled)
        file.write_bytes(damaged)
        with pytest.warns(UserWarning, match="a kept entry is not used, and compiled anew") as said:
            np.testing.assert_array_equal(result(str(path), folder), expected())
        assert len(said) == 1
        assert len(compiled) == before + 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_array_equal(result(str(path), folder), expected())
        assert len(compiled) == before + 1


def test_a_model_that_others_can_write_to_is_not_loaded(
    path: Path, folder: Path, compiled: list[Any]
) -> None:
    result(str(path), folder)
    the_kept(folder).chmod(0o666)
    with pytest.warns(UserWarning, match="others can write to it, and it is code"):
        result(str(path), folder)
    assert len(compiled) == 2
    assert the_kept(folder).stat().st_mode & 0o777 == 0o600


def test_a_full_disk_costs_a_warning(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> Never:
        raise OSError(errno.ENOSPC, "No space left on device")

    result(str(path), folder)  # so that there are kernels
    the_kept(folder).unlink()
    monkeypatch.setattr("tvmfuse.format.file.write_record", full)
    with pytest.warns(UserWarning, match="compiled models are not kept.*No space left") as said:
        np.testing.assert_array_equal(result(str(path), folder), expected())
    assert len(said) == 1
    assert not [*folder.glob("*.model")]
    assert not [*folder.glob(".tvmfuse-*")]


def test_a_folder_that_cannot_be_made_costs_a_warning_of_each_kind(
    path: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.warns(UserWarning, match="not kept for the next time.*Not a directory") as said:
        np.testing.assert_array_equal(result(str(path), tmp_path / "file" / "kept"), expected())
    assert len({str(w.message).partition(" are not kept")[0] for w in said}) == len(said)


def test_what_was_compiled_with_a_failure_is_not_kept(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> Never:
        raise PassError("MatMulAddFusion", "planted")

    monkeypatch.setattr(MatMulAddFusion, "__call__", fails)
    for _ in range(2):
        with pytest.warns(LeftOutWarning, match="MatMulAddFusion"):
            np.testing.assert_array_equal(result(str(path), folder), expected())
    assert not [*folder.glob("*.model")]


def test_each_session_says_what_onnxruntime_computes(
    tmp_path: Path, folder: Path, compiled: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(monkeypatch, "Sin")
    path = tmp_path / "sin.onnx"
    onnx.save(product(last="Sin"), path)
    for _ in range(2):
        with pytest.warns(FallbackWarning, match="onnxruntime computes 1 of 3 nodes") as said:
            found = result(str(path), folder, fallback="onnxruntime")
        np.testing.assert_allclose(found, np.sin(X @ WEIGHT + 1), rtol=1e-5, atol=1e-6)
        assert len(said) == 1
    assert len(compiled) == 1


def test_those_not_used_for_longest_go(path: Path, folder: Path, compiled: list[Any]) -> None:
    from tvmfuse.starting import kept_models

    result(str(path), folder)
    first = the_kept(folder)
    old = time.time() - 1000
    os.utime(first, (old, old))
    result(str(path), folder)
    assert first.stat().st_mtime > old + 500  # which used it
    os.utime(first, (old, old))
    limit = first.stat().st_size * 3 // 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_models, "LIMIT", limit)
        InferenceSession(str(path), options(folder), disabled_optimizers=["FuseOps"])
    assert not first.exists()
    assert len([*folder.glob("*.model")]) == 1
