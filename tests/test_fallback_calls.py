"""Calling models in parts: what they are fed and give, as lists, mappings, from many threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from fallbacks import WORDS, agree, chain, compiled, expected, node, refuse, words
from onnx import TensorProto, helper

import tvmfuse
from tvmfuse import backend
from tvmfuse.errors import ConfigurationError, FallbackWarning, InputError, UnsupportedModelError

X = np.random.default_rng(1).standard_normal((3, 4), dtype="float32")


@pytest.fixture(autouse=True)
def _refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, "Sin", "Tan")


def test_sizes_of_strings_are_given_as_those_of_numbers() -> None:
    run = compiled(words(), dims={"words": (1, 2)}, shapes={"x": (3, 4)}).load()
    agree(words(), run, WORDS)
    with pytest.raises(
        InputError, match="dimension 0 is 3, and the model takes 1 to 2 for 'words'"
    ):
        run({**WORDS, "s": ["a", "b", "c"]})
    assert str(compiled(words(), shapes={"s": [2]}).manifest.inputs[1]) == "s: string[2]"


def test_sizes_that_are_arithmetic_over_others_are_checked() -> None:
    model = chain()
    model.graph.input.append(helper.make_tensor_value_info("z", TensorProto.FLOAT, ["2*n", 4]))
    model.graph.node.append(node("Tan", ["z"], ["t"]))
    model.graph.output.append(helper.make_tensor_value_info("t", TensorProto.FLOAT, None))
    run = compiled(model).load()
    agree(model, run, {"x": X, "z": np.ones((6, 4), "float32")})
    with pytest.raises(InputError, match=r"n\*2 in dimension 0 of 'z'; here that is 3 == 6"):
        run(x=X, z=X)


def test_strings_may_have_any_rank(tmp_path: Any) -> None:
    model = words()
    model.graph.input[1].type.tensor_type.ClearField("shape")
    compiled(model).save(tmp_path / "m.bundle")
    run = tvmfuse.load(tmp_path / "m.bundle")
    assert str(run.inputs[1]) == "s: tensor(string)"
    agree(model, run, WORDS)
    agree(model, run, {**WORDS, "s": np.array([["a", "b"]], object)})


def test_an_output_may_be_a_sequence_that_was_fed() -> None:
    model = chain()
    rows = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, None))
    for values in (model.graph.input, model.graph.output):
        values.append(helper.make_value_info("q", rows))
    found = compiled(model).load()({"x": X, "q": [X]})["q"]
    np.testing.assert_array_equal(found[0], X)
    assert not np.shares_memory(found[0], X)


def test_types_that_numpy_lacks_do_not_pass_beside_strings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What onnxruntime's Python interface cannot be fed is said before it is fed."""
    refuse(monkeypatch, "Cast")
    model = words()
    model.graph.node.append(node("Cast", ["b"], ["c"], to=TensorProto.FLOAT))
    model.graph.input.append(helper.make_tensor_value_info("b", TensorProto.BFLOAT16, ["n"]))
    model.graph.output.append(helper.make_tensor_value_info("c", TensorProto.FLOAT, None))
    with pytest.raises(
        UnsupportedModelError, match=r"does not pass tensor\(bfloat16\) beside tensor\(string\)"
    ):
        tvmfuse.compile(model, fallback="onnxruntime")


def test_threads_call_it_at_once() -> None:
    model = chain()
    run = compiled(model).load(num_threads=1)
    feeds = [np.full((rows, 4), rows, "float32") for rows in range(1, 9)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda x: run(x=x)["y"], feeds * 4))
    for x, y in zip(feeds * 4, found, strict=True):
        np.testing.assert_allclose(y, expected(model, {"x": x})[0], rtol=1e-5, atol=1e-6)


def test_it_is_called_in_every_way() -> None:
    run = compiled(chain()).load()
    wanted = run(x=X)["y"]
    np.testing.assert_array_equal(run({"x": X})["y"], wanted)
    np.testing.assert_array_equal(run.call([X])[0], wanted)
    np.testing.assert_array_equal(run.call({"x": X}, like="torch")[0].numpy(), wanted)
    assert run.bound({"x": X})() is not None
    timed = run.timed({"x": X})
    assert [kernel.symbol for kernel, *_ in timed.launches] == [
        k.symbol for k in run.manifest.kernels
    ]
    with pytest.raises(ConfigurationError, match="parts that are not compiled"):
        run.watch({"x": X}, lambda *_: None)
    with pytest.raises(InputError, match="no output 'z'"):
        run.run(["z"], {"x": X})
    with pytest.raises(InputError, match=r"expected 1 tensors \('x'\), found 2"):
        run.call([X, X])
    for odd in (X, iter([X]), None):
        with pytest.raises(InputError, match="expected a list of tensors in the order"):
            run.call(odd)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError):
        run.call([X], share=True)


def test_the_session_and_the_backend_take_it() -> None:
    options = tvmfuse.SessionOptions()
    options.fallback = "onnxruntime"
    with pytest.warns(FallbackWarning):
        session = tvmfuse.InferenceSession(words().SerializeToString(), options)
    assert [(arg.name, arg.type) for arg in session.get_inputs()] == [
        ("x", "tensor(float)"),
        ("s", "tensor(string)"),
    ]
    assert session.run(["t"], WORDS)[0].tolist() == ["Monday", "b"]
    with pytest.warns(FallbackWarning):
        prepared = backend.prepare(chain(), fallback="onnxruntime")
    np.testing.assert_allclose(
        prepared.run([X])[0], expected(chain(), {"x": X})[0], rtol=1e-5, atol=1e-6
    )
