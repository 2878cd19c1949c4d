"""Models are loaded and run without PyTorch, in a program that may import it at any time."""

import subprocess
import sys
from pathlib import Path

import onnx
import pytest
from onnx import helper

import tvmfuse

PROGRAM = """
import sys, threading
import numpy as np
finders = [*sys.meta_path]
import tvmfuse
from tvmfuse import without_torch

# Another thread imports torch at just the moment at which this one imports TVM's FFI.
found = []
real = without_torch.importlib.import_module

def meanwhile(name):
    if name == "tvm_ffi":
        look = lambda: found.append(sys.meta_path[0].find_spec("torch"))
        other = threading.Thread(target=look)
        other.start()
        other.join()
    return real(name)

without_torch.importlib.import_module = meanwhile
model = tvmfuse.load(sys.argv[1])
assert not {"tvm_ffi", "tvm", "onnx", "torch"} & sys.modules.keys()
without_torch.import_ffi()
without_torch.importlib.import_module = real
assert found == [None], found
assert "torch" not in sys.modules
assert sys.meta_path == finders
x = np.array([[1.0, -2.0, 3.0]], np.float32)
assert model({"x": x})["y"].tolist() == [[1.0, 0.0, 3.0]]

import torch
(given,) = model.call([torch.from_numpy(x)])
assert isinstance(given, torch.Tensor) and given.tolist() == [[1.0, 0.0, 3.0]]
assert hasattr(torch.Tensor, "__dlpack_c_exchange_api__")  # by which TVM's FFI takes it at once
import tvm  # the compiler, too, with torch imported in between
print("passed")
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    x, y = (helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, [1, 3]) for n in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "relu", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = tmp_path_factory.mktemp("relu") / "relu.so"
    tvmfuse.compile(model).save(path)
    return path


def test_loading_imports_no_torch_and_torch_may_come_later(compiled: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(compiled)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "passed\n", done.stderr


def test_a_program_that_has_torch_keeps_all_of_it(compiled: Path) -> None:
    program = (
        "import torch, sys, tvmfuse; tvmfuse.load(sys.argv[1]); import tvm_ffi;"
        "print(tvm_ffi.convert(torch.float32))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(compiled)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "float32\n", done.stderr
