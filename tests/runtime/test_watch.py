"""What each kernel wrote, seen between two kernels of an ordinary run."""

from __future__ import annotations

from typing import Any, Never

import numpy as np
import onnx
import pytest
from graphs import onnx_model

import tvmfuse

X = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)
node = onnx.helper.make_node
NODES = [
    node("Exp", ["x"], ["a"], name="exp"),
    node("Softmax", ["a"], ["b"], name="softmax"),
    node("Split", ["b"], ["c", "d"], name="split", axis=1),
    node("Neg", ["c"], ["y"], name="negate"),
    node("Abs", ["d"], ["z"], name="size"),
]


def executable(rows: int = 4, **options: Any) -> Any:
    model = onnx_model(NODES, {"x": ("float32", (rows, 6))}, {"y": "float32", "z": "float32"})
    return tvmfuse.compile(model, level="none").load(**options)


def test_calls_of_which_a_branch_skips_some_are_not_shown() -> None:
    """Four calls of one kernel, of which three run: which they are is not known."""
    model = onnx.parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]>'
        "g (bool c, float[4,6] x) => (float[4,6] y, float[4,6] z) {"
        " r = If(c) <then_branch = t () => (float[4,6] p) { a = Exp(x) p = Softmax(a) },"
        " else_branch = e () => (float[4,6] q) { b = Neg(x) q = Softmax(b) }>"
        " y = Softmax(r) w = Neg(y) z = Softmax(w) }"
    )
    compiled = tvmfuse.compile(model, level="none").load()
    for condition, ran in ((True, ["Exp_1"]), (False, [])):
        seen: list[str] = []

        def wrote(place: int, _arrays: Any, seen: list[str] = seen) -> None:
            seen += compiled.manifest.kernels[place].nodes

        compiled.watch({"c": np.array(condition), "x": X}, wrote)
        assert set(seen) - {"Neg_3", "Neg_6"} == set(ran)
        assert not [name for name in seen if name.startswith("Softmax")]


def watched(model: Any, x: Any = X) -> Any:
    seen = []
    model.watch({"x": x}, lambda place, arrays: seen.append((place, [a.copy() for a in arrays])))
    return seen


@pytest.mark.parametrize("options", [{}, {"num_threads": 1}])
@pytest.mark.parametrize("rows", [4, "rows"])
def test_each_kernel_shows_what_it_wrote(rows: Any, options: Any) -> None:
    model = executable(rows, **options)
    kernels = model.manifest.kernels
    seen = watched(model)
    assert [place for place, _ in seen] == [*range(len(kernels))]
    wrote = {kernels[place].nodes: arrays for place, arrays in seen}
    exp = np.exp(X)
    softmax = np.exp(exp - exp.max(1, keepdims=True))
    softmax /= softmax.sum(1, keepdims=True)
    np.testing.assert_allclose(wrote["exp",][0], exp, rtol=1e-6)
    np.testing.assert_allclose(wrote["softmax",][0], softmax, rtol=1e-5)
    c, d = wrote["split",]
    np.testing.assert_allclose(c, softmax[:, :3], rtol=1e-5)
    np.testing.assert_allclose(d, softmax[:, 3:], rtol=1e-5)
    np.testing.assert_array_equal(wrote["negate",][0], -c)


def test_watching_is_a_run_like_any_other() -> None:
    model = executable()
    before = model(x=X)
    seen = watched(model)
    after = model(x=X)
    for name in before:
        np.testing.assert_array_equal(before[name], after[name])
    np.testing.assert_array_equal(seen[-1][1][0], before["z"])


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError("mine")])
def test_what_the_watcher_raises_ends_the_run_as_it_is(error: Any) -> None:
    model = executable()

    def seen(_place: Any, _arrays: Any) -> Never:
        raise error

    with pytest.raises(error if isinstance(error, type) else type(error)):
        model.watch({"x": X}, seen)
    assert len(watched(model)) == len(model.manifest.kernels)


def test_a_wrong_feed_is_refused() -> None:
    with pytest.raises(tvmfuse.TvmfuseError, match="x"):
        watched(executable(), X[:, :3])
