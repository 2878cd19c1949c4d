"""Models that C can run, the library that runs them, and a process that calls it."""

import functools
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import onnx
import pytest
import quantized_models
from graphs import onnx_model
from onnx import TensorProto
from onnx.helper import make_node

import tvmfuse
from tvmfuse.build.artifact import Artifact
from tvmfuse.build.linker import COMPILERS
from tvmfuse.c.ep_context import save_ep_context
from tvmfuse.c.library import FLAGS, INCLUDE, build_library, c_compiler
from tvmfuse.c.plugin import build_plugin
from tvmfuse.c.plugin_headers import are_kept

TESTS = Path(__file__).parent.parent
RNG = np.random.default_rng(0)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what compiles C where nothing does."""
    if any(shutil.which(name) for name in COMPILERS if "+" not in name):
        return
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.skip(reason="no C compiler is installed"))


def floats(*shape: int) -> np.ndarray:
    return (RNG.standard_normal(shape) * 0.2).astype(np.float32)


def perceptron() -> onnx.ModelProto:
    return quantized_models.products(floats(32, 64), floats(64, 8))


def quantized() -> onnx.ModelProto:
    nodes = [
        make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        make_node("MatMulInteger", ["q", "w", "z"], ["y"]),
    ]
    weights = RNG.integers(-100, 100, (32, 16)).astype(np.int8)
    constants: Mapping[str, np.ndarray] = {
        "s": np.array(0.1, np.float32),
        "z": np.array(128, np.uint8),
        "w": weights,
    }
    return onnx_model(nodes, {"x": ("float32", (4, 32))}, {"y": "int32"}, constants)


def of_several_types() -> onnx.ModelProto:
    nodes = [
        make_node("Greater", ["x", "zero"], ["positive"]),
        make_node("Cast", ["x"], ["half"], to=TensorProto.FLOAT16),
        make_node("Cast", ["x"], ["double"], to=TensorProto.DOUBLE),
        make_node("Add", ["i", "i"], ["sum"]),
        make_node("Not", ["positive"], ["negative"]),
    ]
    inputs = {"x": ("float32", (3, 5)), "i": ("int64", (7,))}
    outputs = {"positive": "bool", "half": "float16", "double": "float64", "sum": "int64"}
    constants = {"zero": np.zeros((), np.float32)}
    return onnx_model(nodes, inputs, outputs | {"negative": "bool"}, constants)


def without_elements() -> onnx.ModelProto:
    nodes = [
        make_node("Add", ["full", "full"], ["twice"]),
        make_node("Concat", ["x", "twice"], ["y"], axis=0),
        make_node("Sqrt", ["full"], ["root"]),
    ]
    inputs = {"x": ("float32", (0, 3)), "full": ("float32", (2, 3))}
    return onnx_model(nodes, inputs, {"y": "float32", "root": "float32"})


def of_any_size() -> onnx.ModelProto:
    """Return a model of three symbolic sizes."""
    nodes = [
        make_node("Concat", ["a", "b"], ["all"], axis=0),
        make_node("Softmax", ["all"], ["shares"], axis=1),
        make_node("ReduceSum", ["shares", "first"], ["sums"], keepdims=0),
    ]
    inputs = {"a": ("float32", ("n", "k")), "b": ("float32", ("m", "k"))}
    outputs = {"shares": "float32", "sums": "float32"}
    return onnx_model(nodes, inputs, outputs, {"first": np.array([0])})


def sum_of_two() -> onnx.ModelProto:
    """Return a model whose two inputs have names of their own for one size."""
    nodes = [make_node("Add", ["a", "b"], ["y"])]
    inputs = {"a": ("float32", ("n",)), "b": ("float32", ("m",))}
    return onnx_model(nodes, inputs, {"y": "float32"})


def rows() -> onnx.ModelProto:
    """Return a model whose numbers pick rows of a table of ten."""
    nodes = [make_node("Gather", ["table", "ids"], ["y"])]
    return onnx_model(nodes, {"ids": ("int64", (4,))}, {"y": "float32"}, {"table": floats(10, 6)})


def with_caches() -> onnx.ModelProto:
    """Return a step of attention without a softmax, whose rows are written into two caches."""
    nodes = [
        make_node("MatMul", ["x", "for keys"], ["new keys"]),
        make_node("MatMul", ["x", "for values"], ["new values"]),
        make_node("ScatterND", ["keys", "at", "new keys"], ["all keys"]),
        make_node("ScatterND", ["values", "at", "new values"], ["all values"]),
        make_node("Transpose", ["all keys"], ["turned"], perm=[1, 0]),
        make_node("MatMul", ["x", "turned"], ["scores"]),
        make_node("MatMul", ["scores", "all values"], ["y"]),
        make_node("NonZero", ["y"], ["places"]),
    ]
    cache = "float32", ("capacity", 8)
    inputs = {"x": ("float32", ("rows", 8)), "at": ("int64", ("rows", 1))}
    inputs |= {"keys": cache, "values": cache}
    outputs = {"y": "float32", "all keys": "float32", "all values": "float32", "places": "int64"}
    constants = {"for keys": floats(8, 8), "for values": floats(8, 8)}
    return onnx_model(nodes, inputs, outputs, constants)


def summing() -> onnx.ModelProto:
    """Return a model that adds to a row of a table, and says what the table's sum is then."""
    nodes = [
        make_node("Gather", ["table", "at"], ["old"]),
        make_node("Add", ["old", "x"], ["new"]),
        make_node("Unsqueeze", ["at", "last"], ["places"]),
        make_node("ScatterND", ["table", "places", "new"], ["changed"]),
        make_node("ReduceSum", ["changed"], ["sum"], keepdims=0),
    ]
    row = "float32", (1, "width")
    inputs = {"table": ("float32", (9, "width")), "at": ("int64", (1,)), "x": row}
    outputs = {"changed": "float32", "sum": "float32"}
    return onnx_model(nodes, inputs, outputs, {"last": np.array([-1])})


def with_defaults() -> onnx.ModelProto:
    """Return a model of one input, a factor and numbers of rows that a caller may replace."""
    nodes = [
        make_node("Gather", ["x", "ids"], ["picked"]),
        make_node("Exp", ["factor"], ["power"]),
        make_node("Mul", ["picked", "power"], ["y"]),
    ]
    inputs = {"x": ("float32", (5, 3)), "factor": ("float32", (3,)), "ids": ("int64", (4,))}
    constants = {"factor": floats(3), "ids": np.array([4, 0, 0, 2])}
    return onnx_model(nodes, inputs, {"y": "float32"}, constants)


MODELS: Mapping[str, Callable[[], onnx.ModelProto]] = {
    "perceptron": perceptron,
    "convolution": quantized_models.network,
    "quantized": quantized,
    "of several types": of_several_types,
    "without elements": without_elements,
    "rows": rows,
    "of any size": of_any_size,
    "sum of two": sum_of_two,
    "with caches": with_caches,
    "summing": summing,
    "with defaults": with_defaults,
}


@pytest.fixture(scope="session")
def artifact() -> Callable[[str], Artifact]:
    """Return a function that compiles one of the models, once."""
    return functools.cache(lambda name: tvmfuse.compile(MODELS[name]()))


@pytest.fixture(scope="session")
def model_file(
    artifact: Callable[[str], Artifact], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    """Return a function that writes one of the compiled models."""
    folder = tmp_path_factory.mktemp("models")

    def file(name: str) -> Path:
        path = folder / f"{name}.so"
        if not path.exists():
            artifact(name).save(path)
        return path

    return file


@pytest.fixture(scope="session")
def expected(model_file: Callable[[str], Path]) -> Callable[[str], Path]:
    """Return a function that runs a model in Python, and keeps inputs and outputs in a file."""

    def file(name: str) -> Path:
        path = model_file(name).with_suffix(".npz")
        if not path.exists():
            model = tvmfuse.load(model_file(name))
            feeds = {s.name: drawn(s.dtype, s.shape) for s in model.inputs}
            arrays = [*feeds.values(), *model(feeds).values()]
            np.savez(path, *arrays)
        return path

    return file


def drawn(dtype: str, shape: tuple[int | str, ...]) -> np.ndarray:
    sizes = tuple(map(int, shape))
    if dtype == "int64":
        return RNG.integers(-9, 9, sizes)
    return RNG.standard_normal(sizes).astype(dtype)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the library, of this tree's sources."""
    return build_library(tmp_path_factory.mktemp("library"), ["-Werror"])


@pytest.fixture(scope="session")
def watched_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the same, watched by sanitizers where the compiler has them."""
    folder = tmp_path_factory.mktemp("watched")
    if runtime_of_sanitizers() is None:
        return build_library(folder)
    return build_library(folder, SANITIZERS)


SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover", "-O1"]


@pytest.fixture(scope="session")
def sanitizers() -> list[str]:
    """Return the flags of a program that sanitizers watch, where the compiler has them."""
    return SANITIZERS if runtime_of_sanitizers() else []


def runtime_of_sanitizers() -> str | None:
    """Return the path of gcc's library that has to be loaded first; None where it has none."""
    return file_of_compiler("libasan.so")


def file_of_compiler(name: str) -> str | None:
    """Return the path of a library of the C compiler's; None where it has none."""
    command = [c_compiler(), f"-print-file-name={name}"]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return found if Path(found).is_absolute() else None


@pytest.fixture
def in_c(library: Path) -> Callable[..., str]:
    """Return a function that runs lines of Python in a process of their own, with `c_calls`.

    The lines read paths and other texts from `given`. A signal fails the test.
    """
    return lambda lines, *given: call(library, lines, *given)


@pytest.fixture
def in_watched_c(watched_library: Path) -> Callable[..., str]:
    """Return the same with sanitizers."""
    return lambda lines, *given: call(watched_library, lines, *given, **watched())


def watched(*libraries: str | None) -> dict[str, str]:
    """Return what a process needs of its environment to load what sanitizers watch.

    Args:
        libraries: Paths of what has to be loaded with the sanitizers'.
    """
    runtime = runtime_of_sanitizers()
    if runtime is None:
        return {}
    first = " ".join([runtime, *filter(None, libraries)])
    options = {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1"}
    return {"LD_PRELOAD": first, **options}


def call(library: Path, lines: str, *given: object, **environment: str) -> str:
    return in_process("c_calls", lines, *given, TVMFUSE_C_LIBRARY=str(library), **environment)


def in_process(module: str, lines: str, *given: object, **environment: str) -> str:
    """Run lines of Python in a process of their own, with all of a module of `tests`."""
    text = f"from {module} import *\ngiven = sys.argv[1:]\n{textwrap.dedent(lines)}"
    paths = {"PYTHONPATH": f"{TESTS}:{TESTS.parent}"}
    done = subprocess.run(
        [sys.executable, "-c", text, *map(str, given)],
        env={**os.environ, **paths, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode < 0:
        pytest.fail(f"{signal.Signals(-done.returncode).name}\n{done.stderr}")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def compiled_c(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Return a function that compiles a C file with flags, and returns what came out."""

    def compiled(source: Path, *flags: str) -> Path:
        path = tmp_path_factory.mktemp("c") / source.stem
        command = [c_compiler(), *FLAGS, f"-I{INCLUDE}", str(source), *flags, "-o", str(path)]
        subprocess.run(command, check=True, timeout=60)
        return path

    return compiled


@pytest.fixture(scope="session")
def headers() -> Path:
    """Return the folder of onnxruntime's headers."""
    folder = TESTS.parent / "build" / "onnxruntime-headers"
    if not are_kept(folder):
        command = "python -m tvmfuse.c.plugin_headers build/onnxruntime-headers"
        pytest.skip(f"onnxruntime's headers are not here; `{command}` fetches them, 150 MB")
    return folder


@pytest.fixture(scope="session")
def plugin(headers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return onnxruntime's plug-in, of this tree's sources."""
    path = tmp_path_factory.mktemp("plugin") / "libtvmfuse_onnxruntime.so"
    build_plugin(path, headers, ["-Werror"])
    return path


@pytest.fixture(scope="session")
def watched_plugin(headers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the same, watched by sanitizers where the compiler has them."""
    path = tmp_path_factory.mktemp("watched") / "libtvmfuse_onnxruntime.so"
    build_plugin(path, headers, SANITIZERS if runtime_of_sanitizers() else [])
    return path


@pytest.fixture
def in_onnxruntime(plugin: Path) -> Callable[..., str]:
    """Return a function that runs lines of Python in a process of their own, with `plugin_calls`.

    The lines read paths and other texts from `given`. A signal fails the test.
    """
    variable = {"TVMFUSE_PLUGIN": str(plugin)}
    return lambda lines, *given: in_process("plugin_calls", lines, *given, **variable)


@pytest.fixture
def in_watched_onnxruntime(watched_plugin: Path) -> Callable[..., str]:
    """Return the same with sanitizers."""
    variables = {
        "TVMFUSE_PLUGIN": str(watched_plugin),
        **watched(file_of_compiler("libstdc++.so.6")),
    }
    return lambda lines, *given: in_process("plugin_calls", lines, *given, **variables)


@pytest.fixture(scope="session")
def context_model(
    artifact: Callable[[str], Artifact], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Path]:
    """Return a function that writes one of the compiled models for onnxruntime."""
    folder = tmp_path_factory.mktemp("context")

    def file(name: str, *, embed: bool = False) -> Path:
        path = folder / f"{name}{' embedded' * embed}.onnx"
        if not path.exists():
            save_ep_context(artifact(name), path, embed=embed)
        return path

    return file
