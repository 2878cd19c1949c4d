"""The quantizer's process: what it meets is told, it ends with its caller, and shares nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from quantized_models import products

import tvmfuse
from tvmfuse.errors import (
    ArtifactError,
    ConfigurationError,
    InputError,
    OutOfMemoryError,
    UnsupportedModelError,
)
from tvmfuse.progress import silent
from tvmfuse.quantization.quantizer import quantized_by_onnxruntime
from tvmfuse.quantization.samples import samples_of
from tvmfuse.quantization.settings import QuantizeSettings

MODEL = products(np.eye(8))
DATA = [{"x": np.ones((4, 8), np.float32)}]


def quantized(data: Any = DATA) -> onnx.ModelProto:
    """Quantize, without measuring what that costs."""
    specs = [tvmfuse.TensorSpec("x", "float32", (4, 8))]
    given = samples_of(data, specs, dims=None, seed=0, progress=silent)
    return quantized_by_onnxruntime(MODEL, QuantizeSettings(), given, silent).quantized


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let a program of the test's take the quantizer's place."""

    def plant(code: str) -> None:
        head = "import os, resource, signal, sys\nfrom tvmfuse.quantization.worker import main\n"
        (tmp_path / "planted_quantizer.py").write_text(head + code)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr("tvmfuse.quantization.apart.PROGRAM", "planted_quantizer")

    return plant


@pytest.mark.parametrize(
    ("code", "error", "words"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", OutOfMemoryError, "was killed, as the system"),
        ("os.abort()", UnsupportedModelError, "its process ended with SIGABRT"),
        (
            "sys.exit('libfoo.so: not found')",
            UnsupportedModelError,
            "its process ended with exit code 1: libfoo.so: not found",
        ),
        (
            "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); main(sys.argv[1:])",
            ArtifactError,
            "cannot prepare in a temporary folder: .*File too large",
        ),
    ],
)
def test_how_the_process_ends_is_an_error_of_ours(
    planted: Any, code: str, error: type[Exception], words: str
) -> None:
    planted(code)
    with pytest.raises(error, match=words):
        quantized()


def test_an_error_keeps_where_it_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = onnx.ModelProto.FromString(MODEL.SerializeToString())
    broken.graph.node[0].input[1] = "nowhere"
    monkeypatch.setattr(sys.modules[__name__], "MODEL", broken)
    with pytest.raises(UnsupportedModelError, match="onnxruntime cannot quantize") as raised:
        quantized()
    assert "quantize_static" in str(raised.value.__cause__)


def test_without_a_place_for_temporary_files_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "no"))
    with pytest.raises(ArtifactError, match="no place for temporary files: .*No such file"):
        quantized()


def test_threads_quantize_side_by_side(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    both, found = threading.Barrier(2, timeout=60), list[onnx.ModelProto]()

    def data() -> Any:
        both.wait()  # each waits in the middle of its work for the other
        yield from DATA

    threads = [threading.Thread(target=lambda: found.append(quantized(data()))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == found[1]
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, InputError])
def test_what_ends_the_caller_s_work_ends_the_process(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = children()

    def data() -> Any:
        assert len(children()) == len(before) + 1
        raise error
        yield

    with pytest.raises(error):
        quantized(data())
    assert children() == before
    assert [*tmp_path.iterdir()] == []


def children() -> list[str]:
    tasks = Path("/proc/self/task").iterdir()
    return sorted(child for t in tasks for child in (t / "children").read_text().split())


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import test_apart

def data():
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            print(child, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
    yield

test_apart.quantized(data())
"""


def test_a_killed_caller_leaves_no_process_and_its_files_go_with_the_next_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(here)], stdout=subprocess.PIPE, text=True, check=False,
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(here.parent)},
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL
    (child,) = done.stdout.split()
    until = time.monotonic() + 60
    while Path(f"/proc/{child}").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(f"/proc/{child}").exists()
    assert len([*tmp_path.iterdir()]) == 1
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    quantized()
    assert [*tmp_path.iterdir()] == []


NONE_OF_THEM: list[Any] = [3, None, []]
NO_LISTS: list[Any] = [3, None, [3]]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *((name, value) for name in ("mode", "activation", "weight") for value in NONE_OF_THEM),
        *((name, value) for name in ("operators", "exclude") for value in NO_LISTS),
        *((name, value) for name in ("seed", "threads") for value in (-1, "word", 2.5)),
    ],
)
def test_options_of_a_wrong_type_are_refused(option: str, value: object) -> None:
    given: dict[str, Any] = {option: value}
    with pytest.raises(ConfigurationError):
        tvmfuse.quantize(MODEL, iter(()), **given)


@pytest.mark.long
def test_a_model_beyond_a_protobuf_is_refused(tmp_path: Path) -> None:
    """Two weights of 1.1 GB in a file of holes: 7 GB of memory."""
    rows, columns = 1 << 14, 17000
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["x", "w0"], ["h"], name="m0"),
            helper.make_node("MatMul", ["h", "w1"], ["y"], name="m1"),
        ],
        "large",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, rows])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [weight(0, [rows, columns]), weight(1, [columns, rows])],
    )
    opsets = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), tmp_path / "m.onnx")
    with (tmp_path / "w.bin").open("wb") as file:
        file.truncate(2 * rows * columns * 4)
    with pytest.raises(UnsupportedModelError, match=r"below 2 GB, .* found 2\.2 GB"):
        tvmfuse.quantize(tmp_path / "m.onnx", [])


def weight(place: int, shape: list[int]) -> onnx.TensorProto:
    nbytes = 4 * int(np.prod(shape))
    tensor = TensorProto(
        name=f"w{place}", data_type=TensorProto.FLOAT, dims=shape,
        data_location=TensorProto.EXTERNAL,
    )  # fmt: skip
    where = {"location": "w.bin", "offset": str(place * nbytes), "length": str(nbytes)}
    for key, value in where.items():
        tensor.external_data.add(key=key, value=value)
    return tensor
