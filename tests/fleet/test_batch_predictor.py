"""fleet.batch_predictor: columns in, columns out; what does not fit is named by column and row."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import tvmfuse
from tvmfuse.arrays import aligned_copy
from tvmfuse.errors import ConfigurationError, InputError
from tvmfuse.fleet.batch_predictor import BatchPredictor

HEADER = '<ir_version: 8, opset_import: ["" : 20]> '
TWICE = (
    "net (float[{n},16] x) => (float[{n},16] y, float[{n}] z) "
    "{{ y = Add(x, x)\n z = ReduceSum<keepdims = 0>(x, one) }}"
)
RELU = "net (float[n, 2] x) => (float[n, 2] y) { y = Relu(x) }"
X = np.arange(7 * 16, dtype="float32").reshape(7, 16)


def saved(folder: Path, graph: str, **weights: np.ndarray) -> Path:
    model = onnx.parser.parse_model(HEADER + graph)
    weights = {name: array for name, array in weights.items() if name in graph}
    model.graph.initializer.extend(onnx.numpy_helper.from_array(a, n) for n, a in weights.items())
    path = folder / "net.so"
    tvmfuse.compile(model).save(path)
    return path


@pytest.fixture(scope="module", params=["n", 3, 7, 16])
def twice(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``y = 2 x`` and ``z``, the sum of a row, of any number of rows or of just so many."""
    graph = TWICE.format(n=request.param)
    return saved(tmp_path_factory.mktemp("model"), graph, one=np.array([1]))


def assert_twice(found: dict[str, np.ndarray], x: np.ndarray) -> None:
    assert [*found] == ["y", "z"]
    np.testing.assert_array_equal(found["y"], 2 * x)
    np.testing.assert_allclose(found["z"], x.sum(axis=1))


def test_any_number_of_rows_and_the_last_piece_of_a_fixed_one(twice: Path) -> None:
    predictor = BatchPredictor(twice, num_threads=1)
    for rows in (7, 1, 6):
        assert_twice(predictor({"x": X[:rows]}), X[:rows])


def test_the_files_bytes_will_do(twice: Path) -> None:
    assert_twice(BatchPredictor(twice.read_bytes())({"x": X}), X)


def test_columns_are_named_and_kept(twice: Path) -> None:
    predictor = BatchPredictor(
        twice, columns={"x": "image"}, outputs={"z": "sum"}, keep=["path", "image"]
    )
    paths = np.array([f"{row}.png" for row in range(7)], object)
    found = predictor({"image": X, "path": paths, "other": X})
    assert [*found] == ["path", "image", "sum"]
    assert found["path"] is paths
    assert found["image"] is X
    np.testing.assert_allclose(found["sum"], X.sum(axis=1))


def test_rows_that_lie_apart_are_put_together(twice: Path) -> None:
    rows = np.empty(7, object)
    rows[:] = [*X]
    assert_twice(BatchPredictor(twice)({"x": rows}), X)
    assert_twice(BatchPredictor(twice)({"x": np.asfortranarray(X)}), X)


@pytest.fixture(scope="module")
def open_twice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    return saved(folder, TWICE.format(n="n"), one=np.array([1]))


def test_rows_of_arrow_are_read_where_they_lie(
    open_twice: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = np.zeros(2 * X.nbytes, np.uint8)
    start = -memory.ctypes.data % 64
    lies = memory[start : start + X.nbytes].view(np.float32).reshape(X.shape)
    lies[...] = X
    lies.flags.writeable = False
    predictor = BatchPredictor(open_twice)
    copies: list[np.ndarray] = []

    def copied(array: np.ndarray) -> tuple[np.ndarray, int]:
        copies.append(array)
        return aligned_copy(array)

    monkeypatch.setattr("tvmfuse.runtime.arguments.aligned_copy", copied)
    assert_twice(predictor({"x": lies}), X)
    assert_twice(predictor({"x": lies[4:]}), X[4:])
    assert copies == []
    behind = memory[start + 4 : start + 4 + X[:3].nbytes].view(np.float32).reshape(3, 16)
    assert_twice(predictor({"x": behind}), behind)
    assert len(copies) == 1


def test_no_rows(open_twice: Path, tmp_path: Path) -> None:
    nothing = np.array([], object)
    for column in (X[:0], nothing):
        found = BatchPredictor(open_twice)({"x": column})
        assert [array.shape for array in found.values()] == [(0, 16), (0,)]
    fixed = saved(tmp_path, "net (float[3,16] x) => (float[3,16] y) { y = Relu(x) }")
    with pytest.raises(InputError, match="a model of 3 rows cannot be run on a batch of none"):
        BatchPredictor(fixed)({"x": X[:0]})


def objects(*rows: Any) -> np.ndarray:
    column = np.empty(len(rows), object)
    column[:] = rows
    return column


@pytest.mark.parametrize(
    ("batch", "words"),
    [
        ({"y": X}, "the batch has no column 'x'; known: y"),
        ({"x": [1, 2]}, r"column 'x': expected a numpy array, found a builtins.list; Ray makes"),
        (
            {"x": X.astype("float64")},
            r"column 'x', row 0 and all others: expected float32\[16\] for input 'x', found float64\[16\]",
        ),
        ({"x": X[:, :15]}, r"row 0 and all others: .*found float32\[15\]"),
        ({"x": X.reshape(7, 4, 4)}, r"row 0 and all others: .*found float32\[4, 4\]"),
        ({"x": objects(X[0], X[1], X[2, :9])}, r"column 'x', row 2: expected .*found float32\[9\]"),
        ({"x": objects(X[0], X[1].astype("int8"))}, r"column 'x', row 1: .*found int8\[16\]"),
        ({"x": objects(X[0], X[1], None)}, r"column 'x', row 2: .*found object\[\], in None"),
        ({"x": objects([1.0, 2.0], X[0])}, r"column 'x', row 0: .*float64\[2\], in a builtins"),
    ],
)
def test_rows_that_do_not_fit(open_twice: Path, batch: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        BatchPredictor(open_twice)(batch)


def test_texts_of_several_lengths_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, "net (int64[n, m] x) => (int64[n, m] y) { y = Neg(x) }")
    predictor = BatchPredictor(path)
    texts = objects(np.arange(4), np.arange(4), np.arange(3))
    with pytest.raises(InputError, match=r"column 'x', row 2: .* \(3,\), and row 0's \(4,\).*fill"):
        predictor({"x": texts})
    np.testing.assert_array_equal(predictor({"x": texts[:2]})["y"], [-np.arange(4)] * 2)


def test_columns_of_several_lengths_are_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, "net (float[n] a, float[n] b) => (float[n] y) { y = Add(a, b) }")
    with pytest.raises(InputError, match="column 'a' has 7 rows, and 'b' has 6"):
        BatchPredictor(path)({"a": X[:, 0], "b": X[:6, 0]})


def test_strings_are_rows_too(tmp_path: Path) -> None:
    path = saved(
        tmp_path,
        "net (string[n] t, float[n] x) => (string[n] u, float[n] y) "
        "{ u = StringConcat(t, t)\n y = Neg(x) }",
    )
    found = BatchPredictor(path)({"t": np.array(["a", "b"], object), "x": X[:2, 1]})
    assert found["u"].tolist() == ["aa", "bb"]
    np.testing.assert_array_equal(found["y"], -X[:2, 1])


@pytest.mark.parametrize(
    ("graph", "options", "words"),
    [
        (RELU, {"columns": {"z": "image"}}, "no input 'z'; known: x"),
        (RELU, {"outputs": {"x": "y"}}, "no output 'x'; known: y"),
        (RELU, {"keep": ["y"]}, "column 'y' twice"),
        (
            "net (float[n, 2] x, float[m] w) => (float[n, 2] y, float[m] v) { y = Relu(x)\n v = Neg(w) }",
            {},
            r"one batch, found x: float32\[n, 2\], w: float32\[m\]",
        ),
        (
            "net (float[n, 2] x, float w) => (float[n, 2] y) { y = Mul(x, w) }",
            {},
            r"input 'w' has no rows",
        ),
    ],
)
def test_models_and_names_that_do_not_fit(
    tmp_path: Path, graph: str, options: Any, words: str
) -> None:
    with pytest.raises(ConfigurationError, match=words):
        BatchPredictor(saved(tmp_path, graph), **options)


def test_an_output_without_rows_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, "net (float[n, 2] x) => (float y) { y = ReduceSum<keepdims = 0>(x) }")
    with pytest.raises(InputError, match=r"output 'y' has the shape \(\) for 7 rows"):
        BatchPredictor(path)({"x": X[:, :2]})


def test_it_is_used_without_ray() -> None:
    code = "import sys, tvmfuse.fleet.batch_predictor; assert not {'ray', 'tvm', 'onnx'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
