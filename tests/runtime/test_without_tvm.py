"""A compiled file runs where numpy, ml-dtypes, msgspec and xxhash are, and no TVM, onnx or torch."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import pytest
from onnx import parser
from onnx.reference import ReferenceEvaluator

import tvmfuse

#: A state that grows, and a result whose size data decide.
MODEL: Final = """<ir_version: 8, opset_import: ["": 17]>
g (float[n, 4] x, int64 m) => (float[k, 4] y, int64[2, p] places) <bool go = {1}> {
    s = MatMul(x, w)
    y = Loop(m, go, s) <body = b (int64 i, bool c, float[u, 4] v) => (bool d, float[t, 4] o) {
        d = Identity(c)
        o = Concat <axis = 0> (v, v)
    }>
    places = NonZero(y)
}"""

LINES: Final = """
import importlib.metadata, sys
import numpy as np

hidden = ("tvm", "tvm_ffi", "onnx", "torch", "onnxruntime")
hidden += ("click", "rich", "packaging", "cryptography")
for name in hidden:
    sys.modules[name] = None
real = importlib.metadata.version

def version(name):
    if name == "apache-tvm":
        raise importlib.metadata.PackageNotFoundError(name)
    return real(name)

importlib.metadata.version = version
import tvmfuse

kept = np.load(sys.argv[2])
feeds = {"x": kept["x"], "m": kept["m"]}
model = tvmfuse.load(sys.argv[1], num_threads=2)
session = tvmfuse.InferenceSession(sys.argv[1])
for _ in range(2):
    for run in (lambda: model(feeds).values(), lambda: session.run(None, feeds)):
        y, places = run()
        np.testing.assert_allclose(y, kept["y"], rtol=1e-5)
        assert np.array_equal(places, kept["places"])
assert tvmfuse.inspect(sys.argv[1]).name == "g" and model.sizes(feeds) == {"n": 3}
try:
    model({"x": np.zeros((3, 5), "float32"), "m": feeds["m"]})
except tvmfuse.TvmfuseError as error:
    print(error)
assert model.timed(feeds).launches
assert np.array_equal(model.call([feeds["x"], feeds["m"]])[0], y)
assert not any(sys.modules.get(name) for name in hidden)
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = parser.parse_model(MODEL)
    w = np.random.default_rng(0).standard_normal((4, 4)).astype("float32")
    model.graph.initializer.append(onnx.numpy_helper.from_array(w, "w"))
    folder = tmp_path_factory.mktemp("without")
    tvmfuse.compile(model).save(folder / "m.so")
    x, m = np.random.default_rng(1).standard_normal((3, 4)).astype("float32"), np.array(2)
    y, places = ReferenceEvaluator(model).run(None, {"x": x, "m": m})
    np.savez(folder / "m.npz", x=x, m=m, y=y, places=places)
    return folder


def test_a_file_is_loaded_and_run_without_them(compiled: Path) -> None:
    command = [sys.executable, "-c", LINES, *(str(compiled / f) for f in ("m.so", "m.npz"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("input 'x': expected float32[n, 4], found (3, 5)")


BESIDE_TORCH: Final = """
import sys
import numpy as np
for name in ("tvm", "tvm_ffi"):
    sys.modules[name] = None
import torch, tvmfuse

class Others:
    def __dlpack__(self, **options):
        raise AssertionError
    __dlpack_device__ = __dlpack__

kept = np.load(sys.argv[2])
model = tvmfuse.load(sys.argv[1], num_threads=1)
m = torch.from_numpy(kept["m"])
x = torch.empty(13)[1:].view(3, 4).copy_(torch.from_numpy(kept["x"]))  # at an odd address
for found in (model({"x": x, "m": m}).values(), model.call([x, m], like="numpy"),
              [t.numpy() for t in model.call([x, m])]):
    y, places = found
    np.testing.assert_allclose(y, kept["y"], rtol=1e-5)
    assert np.array_equal(places, kept["places"])
try:
    model({"x": Others(), "m": kept["m"]})
except tvmfuse.TvmfuseError as error:
    print(error)
"""


def test_tensors_of_torch_are_taken_without_tvm(compiled: Path) -> None:
    command = [sys.executable, "-c", BESIDE_TORCH, *(str(compiled / f) for f in ("m.so", "m.npz"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "take apache-tvm-ffi, which is not installed: python -m pip install" in done.stdout
