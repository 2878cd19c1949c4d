"""A header that lies, with checksums that fit, is refused in words before anything is loaded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from relax_models import affine, saved
from resealed import changed, index_of, resealed, shares_its_input

import tvmfuse
from tvmfuse.errors import DamagedArtifactError
from tvmfuse.format.file import inspect
from tvmfuse.runtime import whole_file
from tvmfuse.runtime.loading import load


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return saved(affine(), tmp_path_factory.mktemp("model")).read_bytes()


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what refuses a file's bytes, and says why; nothing of the file may be loaded."""
    monkeypatch.setattr(whole_file, "LibraryFunctions", lambda *_: pytest.fail("it was loaded"))

    def why(content: bytes) -> str:
        (tmp_path / "m.so").write_bytes(content)
        with pytest.raises(DamagedArtifactError) as error:
            load(tmp_path / "m.so")
        return str(error.value)

    return why


def put(*path: Any) -> Any:
    """Return a change of an index: the last of `path` is set at the place of the others."""
    *keys, last, value = path

    def change(index: Any) -> None:
        for key in keys:
            index = index[key]
        index[last] = value

    return change


BUILD = ("header", "builds", 0)
MANIFEST = (*BUILD, "manifest")
X = (*MANIFEST, "inputs", 0)

LIES: dict[str, tuple[Any, str]] = {
    "a weight is not aligned": (put("payloads", 1, 0, 4100), "do not lie one behind the other"),
    "a weight is behind the end": (put("payloads", 1, 0, 2**62), "do not lie one behind the other"),
    "a size is negative": (put("payloads", 1, 1, -512), "do not lie one behind the other"),
    "a size is huge": (put("payloads", 1, 1, 2**70), "do not lie one behind the other"),
    "the library is empty": (put("payloads", 0, 1, 0), "do not lie one behind the other"),
    "two weights overlap": (
        lambda index: put("payloads", 2, 0, index["payloads"][1][0])(index),
        "do not lie one behind the other",
    ),
    "a part is missing": (lambda index: index["payloads"].pop(), "do not lie"),
    "a number is a bool": (put("payloads", 1, 1, True), "Expected `int`, got `bool`"),
    "a number is a fraction": (put("payloads", 1, 1, 0.5), "Expected `int`, got `float`"),
    "a number is none": (put("payloads", 1, 1, float("nan")), "NaN is no finite number"),
    "a number has no end": (put(*MANIFEST, "opset", float("inf")), "Infinity is no finite number"),
    "no header": (lambda index: index.pop("header"), "missing required field `header`"),
    "no build": (put("header", "builds", []), "holds no build of a model"),
    "a build of parts that are not there": (
        put(*BUILD, "payloads", [0, 1, 3]), "a build has the parts [0, 1, 3]",
    ),
    "a build of fewer parts": (put(*BUILD, "payloads", []), "2 weights in 0 parts"),
    "no weights": (put(*BUILD, "weights", []), "0 weights in 3 parts"),
    "a weight of another size": (put(*BUILD, "weights", 0, 1, [16, 9]), "has 512 bytes"),
    "a weight without a dtype": (put(*BUILD, "weights", 0, 0, "<f4"), "the dtype '<f4'"),
    "a weight of Python's": (put(*BUILD, "weights", 0, 0, "object"), "the dtype 'object'"),
    "a weight of less than nothing": (put(*BUILD, "weights", 0, 1, [-16, -8]), "a dimension of -16"),
    "a weight whose strides do not fit": (
        put(*BUILD, "weights", 0, 1, [2**62, 2**62, 0]), "has 512 bytes",
    ),
    "a weight of many dimensions": (put(*BUILD, "weights", 0, 1, [1] * 65), "has 65 dimensions"),
    "device code that is not there": (put(*BUILD, "device_code", True), "2 weights in 3 parts"),
    "an output that is not there": (put(*BUILD, "aliased_outputs", [1]), "share memory"),
    "an input of no dtype": (put(*X, "dtype", "V16"), "the dtype 'V16'"),
    "an input of a negative size": (put(*X, "shape", [-1, 16]), "has a dimension of -1"),
    "an input of a huge size": (put(*X, "shape", [2**63, 16]), "has a dimension of 92233720"),
    "smallest sizes of another rank": (put(*X, "min_sizes", [1]), "and smallest sizes for 1"),
    "largest sizes of another rank": (put(*X, "max_sizes", [1]), "and largest sizes for 1"),
    "a largest size below nothing": (put(*X, "max_sizes", [-1, None]), "a dimension of -1"),
    "a constraint without a sign": (
        put(*X, "shape_constraints", [{"left": ["?", "n", 2], "right": 1, "words": ""}]),
        "a constraint of tensor 'x' has the size ('?', 'n', 2)",
    ),
    "a constraint of one side": (
        put(*X, "shape_constraints", [{"left": ["*", "n"], "right": 1, "words": ""}]),
        "a constraint of tensor 'x' has the size ('*', 'n')",
    ),
    "an output that shares no input": (
        put(*MANIFEST, "shared", {"y": "z"}), "the output 'y' shares the memory of 'z'",
    ),
    "an output that shares one of another type": (
        put(*MANIFEST, "shared", {"y": "x"}), "the output 'y' shares the memory of 'x'",
    ),
    "work that is no number": (
        lambda index: put("work", {"flop": ["*", None, 1], "nbytes": 0})(
            index["header"]["builds"][0]["manifest"]["kernels"][0]
        ),
        "has the size None",
    ),
    "two inputs of one name": (
        lambda index: put("inputs", index["header"]["builds"][0]["manifest"]["inputs"] * 2)(
            index["header"]["builds"][0]["manifest"]
        ),
        "two inputs are called 'x'",
    ),
    "a default that is not there": (
        lambda index: put("overridable", index["header"]["builds"][0]["manifest"]["outputs"])(
            index["header"]["builds"][0]["manifest"]
        ),
        "do not fit their defaults",
    ),
    "a target that is none": (put(*MANIFEST, "target", "[]"), "the target is '[]'"),
    "a GPU that is none": (
        put(*MANIFEST, "target", '{"kind": "cuda", "arch": "sm_"}'), "architecture is 'sm_'",
    ),
    "a machine that is none": (put(*MANIFEST, "machine", {"name": 3}), "the machine is {'name'"),
    "metadata of no texts": (put(*MANIFEST, "metadata", {"custom": [1]}), "metadata has [1]"),
    "a version that is no number": (
        put(*MANIFEST, "metadata", {"model_version": "two"}), "the model's version is 'two'",
    ),
    "parts in a library": (
        put(*MANIFEST, "parts", [{"engine": "tvmfuse", "nodes": [], "inputs": [], "outputs": []}]),
        "a library has parts, as bundles have",
    ),
    "versions that are no texts": (put(*MANIFEST, "versions", {"apache-tvm": 27}), "got `int`"),
}  # fmt: skip


def with_work(index: Any) -> None:
    manifest = index["header"]["builds"][0]["manifest"]
    manifest["kernels"] = [{"symbol": "f", "nodes": [], "schedule": "s", "work": None}]


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_refused_in_words(content: bytes, refused: Any, lie: str) -> None:
    tell, words = LIES[lie]

    def change(index: Any) -> None:
        with_work(index)
        tell(index)

    said = refused(changed(content, change))
    assert "m.so says of itself what tvmfuse does not write: " in said
    assert words in said
    assert said.endswith("; compile the model again")
    assert len(said) < 400


def test_what_is_not_changed_is_loaded(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.so").write_bytes(changed(content, with_work))
    assert load(tmp_path / "m.so").manifest.name == "affine"


@pytest.mark.parametrize(
    "text",
    [
        b"", b"[]", b"{", b"null", b"\xff\xfe\x00", b"\0" * 50, b'{"header": 1e999}', b"7" * 5000,
        b"[" * 100_000, b'{"a":' * 100_000, b'{"header": {}, "payloads": [], "sha256": 7}',
    ],
    ids=lambda text: ascii(text)[:12],
)  # fmt: skip
def test_an_index_that_is_none_is_refused(content: bytes, refused: Any, text: bytes) -> None:
    assert "says of itself what tvmfuse does not write" in refused(resealed(content, text=text))


def test_a_size_that_nests_without_end_is_refused(content: bytes, refused: Any) -> None:
    size: Any = 1
    for _ in range(401):
        size = ["+", "n", size]
    constraint = {"left": size, "right": 1, "words": ""}
    said = refused(changed(content, put(*X, "shape_constraints", [constraint])))
    assert "more than 400 signs within each other" in said


def test_what_begins_as_no_library_is_refused(content: bytes, refused: Any) -> None:
    contents = content[: index_of(content)["payloads"][-1][0]]
    contents = b"\x7fELG" + contents[4:] + content[len(contents) : len(contents) + 32]
    assert "its first part is no library" in refused(resealed(content, contents=contents))


def test_what_is_only_shown_is_checked_too(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.so").write_bytes(changed(content, put(*MANIFEST, "kernels", [7])))
    with pytest.raises(DamagedArtifactError, match="Expected `object`, got `int`"):
        inspect(tmp_path / "m.so")


@pytest.mark.parametrize("count", [0, 2])
def test_outputs_that_it_does_not_return(content: bytes, tmp_path: Path, count: int) -> None:
    outputs = index_of(content)["header"]["builds"][0]["manifest"]["outputs"] * count
    (tmp_path / "m.so").write_bytes(changed(content, put(*MANIFEST, "outputs", outputs)))
    run = load(tmp_path / "m.so")
    with pytest.raises(DamagedArtifactError, match="states other results than its code has"):
        run(x=[[0.0] * 16])


def test_a_function_that_it_lacks(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.so").write_bytes(changed(content, shares_its_input))
    run = load(tmp_path / "m.so")
    with pytest.raises(DamagedArtifactError, match="its library has no function 'main_in_place'"):
        run.call([np.zeros((1, 16), "float32")], share=True)


# Optimized graphs.


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    from tvmfuse.demo import wee_net

    path = tmp_path_factory.mktemp("graph") / "wee.graph"
    tvmfuse.compile(wee_net(), save_optimized=path)
    return path.read_bytes()


def module_of(graph: bytes, change: Any) -> bytes:
    """Return a graph whose module, of the same length, is another text."""
    index = index_of(graph)
    start, size = index["payloads"][0]
    contents_size = sum(index["payloads"][-1])
    text = change(graph[start : start + size])[:size].ljust(size)
    return resealed(graph, contents=graph[:start] + text + graph[start + size : contents_size])


GRAPH_LIES: dict[str, Any] = {
    "an input of no dtype": lambda g: changed(g, put("header", "inputs", 0, "dtype", "x")),
    "an input of another rank": lambda g: changed(g, put("header", "inputs", 0, "shape", [1, 3])),
    "an input too few": lambda g: changed(g, put("header", "inputs", [])),
    "a weight that is not aligned": lambda g: changed(g, put("payloads", 1, 0, 12)),
    "a weight of another dtype": lambda g: changed(g, put("header", "weights", 0, "dtype", "int32")),
    "a weight of another rank": lambda g: changed(g, put("header", "weights", 0, "shape", [64, 27])),
    "a weight of nobody": lambda g: changed(g, put("header", "weights", 0, "dtype", "object")),
    "a weight of huge strides": lambda g: changed(g, put("header", "weights", 0, "shape", [2**62, 9])),
    "no report": lambda g: changed(g, put("header", "report", {})),
    "a report of numbers": lambda g: changed(g, put("header", "report", "passes", [1])),
    "an opset that is none": lambda g: changed(g, put("header", "opset", True)),
    "metadata of lists": lambda g: changed(g, put("header", "metadata", {"custom": []})),
    "a module of no JSON": lambda g: module_of(g, lambda text: b"{" + text),
    "a module of other JSON": lambda g: module_of(g, lambda text: b'{"root_index": 0, "nodes": []}'),
    "a module of no text": lambda g: module_of(g, lambda text: b"\xff" * 100),
    "a module without main": lambda g: module_of(g, lambda t: t.replace(b'"main"', b'"moin"')),
    "a module of deep lists": lambda g: module_of(g, lambda text: b"[" * len(text)),
}  # fmt: skip


@pytest.mark.parametrize("lie", GRAPH_LIES)
def test_a_graph_that_lies_is_refused_in_words(graph: bytes, lie: str) -> None:
    with pytest.raises(DamagedArtifactError, match="these bytes.*; optimize the model again"):
        tvmfuse.compile(GRAPH_LIES[lie](graph), cache=False)


def test_a_graph_that_is_not_changed_is_compiled(graph: bytes) -> None:
    assert json.loads(json.dumps(index_of(resealed(graph)))) == index_of(graph)
    assert tvmfuse.compile(resealed(graph)).manifest.name == "WeeNet"
