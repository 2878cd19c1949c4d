"""build.mains_of_sizes: what calls the kernels of sizes that a caller names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from bytecode_calls import calls
from onnx import parser
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.build.artifact import Artifact
from tvmfuse.build.native import HEAP, SHAPE, SIZED_TENSOR
from tvmfuse.runtime.executable import Executable
from tvmfuse.tensors import as_tensor

#: Two kernels, of which the second turns the result of the first.
TURNED = "(float[n,m] x) => (float[] y) { a = Softmax(x) y = Transpose(a) }"


def model(text: str) -> onnx.ModelProto:
    return parser.parse_model(f'<ir_version: 8, opset_import: ["": 20]> g {text}')


def compiled(text: str, *named: Mapping[str, int]) -> Artifact:
    return tvmfuse.compile(model(text), target="llvm", specialize=[*named], strict=True)


def functions(artifact: Artifact) -> set[str]:
    text = artifact.code.unlinked.executable.as_text()  # type: ignore[attr-defined]
    return {part.split(":")[0] for part in text.split("\n\n") if ":\n" in part}


def test_it_asks_for_tensors_of_fixed_sizes() -> None:
    found = calls(compiled(TURNED, {"n": 3, "m": 5}), "main_of_sizes_0")
    assert found.keys().isdisjoint({HEAP, SHAPE, SIZED_TENSOR})
    assert (found["softmax"], found["transpose"], found["alloc_tensor"]) == (1, 1, 2)


def test_sizes_that_are_not_named_are_found_out() -> None:
    found = calls(compiled(TURNED, {"m": 5}), "main_of_sizes_0")
    assert found[HEAP] == 1


def test_each_set_of_sizes_has_one() -> None:
    built = compiled(TURNED, {"n": 3}, {"n": 3, "m": 5}, {"m": 7})
    assert functions(built) == {"@main", *(f"@main_of_sizes_{i}" for i in range(3))}


def test_none_is_named() -> None:
    assert functions(compiled(TURNED)) == {"@main"}


@pytest.mark.parametrize(
    "text",
    [
        """(float[n] x, bool c) => (float[] y) {
            y = If(c) <then_branch = t () => (float[m] u) { u = Neg(x) },
                       else_branch = e () => (float[m] v) { v = Sin(x) }>
        }""",
        """(float[n] x, int64 k) => (float[] y) {
            y = Loop(k, , x) <body = b (int64 i, bool go, float[m] u) => (bool on, float[m] v) {
                on = Identity(go) v = Neg(u)
            }>
        }""",
    ],
    ids=["branches", "loop"],
)
def test_what_is_more_than_kernels_has_none(text: str) -> None:
    built = compiled(text, {"n": 3})
    assert not any("of_sizes" in name for name in functions(built))
    feeds = {"x": np.arange(3, dtype=np.float32), "c": np.array(True), "k": np.array(3)}
    given = {v.name: feeds[v.name] for v in model(text).graph.input}
    assert_agrees(built.load()(given), reference(model(text), given))


@pytest.mark.parametrize("shape", [(3, 5), (3, 4), (2, 5), (2, 2), (0, 5), (3, 0)])
def test_the_same_numbers_whichever_is_called(shape: Any) -> None:
    x = np.random.default_rng(0).standard_normal(shape, "float32")
    built = compiled(TURNED, {"n": 3}, {"n": 3, "m": 5})
    for run in (built.load(), built.load(num_threads=2)):
        assert_agrees(run({"x": x}), reference(model(TURNED), {"x": x}))


def asked(run: Executable, *inputs: np.ndarray) -> set[str]:
    """Return the names of what a run calls beside the machine's own."""
    machine, names = run._machine._machines._turns._idle[0], set[str]()

    def called(_: object, name: str, *__: object) -> int:
        names.add(name)
        return 0

    machine._instrument(called)
    try:
        machine.run([as_tensor(x) for x in inputs], None, share=False)
    finally:
        machine._instrument(None)
    return {name for name in names if not name.startswith("vm.")}


@pytest.mark.parametrize("from_file", [False, True])
def test_a_run_of_named_sizes_calls_it(tmp_path: Path, from_file: bool) -> None:
    built = compiled(TURNED, {"n": 3, "m": 5})
    built.save(tmp_path / "turned.so")
    run = tvmfuse.load(tmp_path / "turned.so") if from_file else built.load()
    assert asked(run, np.zeros((3, 5), "float32")) == {"softmax", "transpose"}
    for shape in ((3, 4), (2, 5)):
        assert {HEAP, SHAPE} < asked(run, np.zeros(shape, "float32"))


def test_weights_and_several_outputs() -> None:
    text = """(float[n,4] x, float[n,4] z) => (float[] y, float[] s)
        <float[4] w = {1, 2, 3, 4}> { a = Mul(x, w) s = Softmax(a) y = Add(s, z) }"""
    run = compiled(text, {"n": 3}).load()
    for n in (3, 2):
        feeds = {name: np.arange(4 * n, dtype=np.float32).reshape(n, 4) for name in "xz"}
        assert_agrees(run(feeds), reference(model(text), feeds))


def test_a_size_that_the_model_fixes_after_all() -> None:
    """As the weight does here, whatever the input's name for it is."""
    text = """(float[n,k] x) => (float[] y)
        <float[2,3] w = {1, 2, 3, 4, 5, 6}> { a = MatMul(x, w) y = Softmax(a) }"""
    run = compiled(text, {"n": 3, "k": 2}).load()
    for n in (3, 4):
        x = np.arange(2 * n, dtype=np.float32).reshape(n, 2)
        assert_agrees(run({"x": x}), reference(model(text), {"x": x}))
