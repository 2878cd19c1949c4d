"""Inputs: what onnxruntime takes is taken, and what it refuses is refused in its words."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import onnxruntime
import pytest
from graphs import onnx_model
from onnxruntime_api.drop_in import (
    C,
    X,
    accepts,
    node,
    ort,
    product,
    scaled,
    session,
    texts,
)

from tvmfuse.errors import InputError

ROWS = np.arange(6, dtype=np.float32).reshape(2, 3)

#: Feeds of `product`'s x that both take, or refuse with the same class of error.
ALIKE: dict[str, Any] = {
    "lists": ROWS.tolist(),
    "lists of ints": [[1, 2, 3]],
    "a list of arrays": [*ROWS],
    "a list of arrays of another dtype": [*ROWS.astype("float64")],
    "a list of booleans": [[True, False, True]],
    "a list of numbers as texts": [["1", "2", "3"]],
    "a list of texts": [["a", "b", "c"]],
    "a ragged list": [[1, 2], [3]],
    "float64": ROWS.astype("float64"),
    "float16": ROWS.astype("float16"),
    "int64": ROWS.astype("int64"),
    "bool": ROWS.astype("bool"),
    "objects": ROWS.astype("object"),
    "texts": ROWS.astype("str"),
    "strides": np.asfortranarray(ROWS),
    "read-only": np.frombuffer(ROWS.tobytes(), "float32").reshape(2, 3),
    "no rows": ROWS[:0],
    "a matrix": np.ma.array(ROWS),
    "a rank less": ROWS[0],
    "a rank more": ROWS[None],
    "no rank": np.array(1, "float32"),
    "another size": ROWS[:, :2],
}

#: Feeds that onnxruntime refuses, and tvmfuse takes everywhere.
TAKEN_BEYOND: dict[str, Any] = {"a tuple": tuple(map(tuple, ROWS.tolist()))}


@pytest.fixture(scope="module")
def pair() -> Any:
    model = product().SerializeToString()
    return ort.InferenceSession(model), onnxruntime.InferenceSession(model)


def outcome(work: Callable[[], Any]) -> Any:
    """Return what comes out, or the names of the error's classes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return work()
    except Exception as error:  # compared by their names
        return {kind.__name__ for kind in type(error).__mro__}, str(error)


def computed(engine: Any, model: bytes, fed: Any) -> Any:
    return engine.InferenceSession(model).run(None, {"x": fed})


@accepts("list_as_input")
@pytest.mark.parametrize("name", ALIKE)
def test_a_feed_is_taken_or_refused_alike(pair: Any, name: str) -> None:
    ours, theirs = (outcome(partial(s.run, None, {"x": ALIKE[name]})) for s in pair)
    if isinstance(theirs, list):
        assert isinstance(ours, list), ours
        np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-6)
        assert ours[0].dtype == theirs[0].dtype
        return
    assert isinstance(ours, tuple), "taken, which onnxruntime refuses"
    assert theirs[0] - {"BaseException", "object"} <= ours[0]
    beginning = theirs[1].split(" Please fix")[0].split("(tensor(str")[0]
    assert beginning in ours[1]


def test_the_other_byte_order_is_read_as_it_is(pair: Any) -> None:
    """onnxruntime reads such numbers as if they were in the usual one."""
    ours, theirs = (opened.run(None, {"x": ROWS.astype(">f4")})[0] for opened in pair)
    np.testing.assert_array_equal(ours, pair[0].run(None, {"x": ROWS})[0])
    assert not np.array_equal(ours, theirs)


@pytest.mark.parametrize("name", TAKEN_BEYOND)
def test_more_is_taken_than_there(pair: Any, name: str) -> None:
    ours, theirs = (outcome(partial(s.run, None, {"x": TAKEN_BEYOND[name]})) for s in pair)
    assert isinstance(theirs, tuple)
    assert isinstance(ours, list)


@pytest.mark.parametrize(
    ("names", "feeds", "kind", "words"),
    [
        (None, {}, "ValueError", "Required inputs (['x']) are missing from input feed ([])."),
        (None, {"x": ROWS, "z": ROWS}, "InvalidArgument", "Invalid input name: z"),
        (["q"], {"x": ROWS}, "InvalidArgument", "Invalid output name:q"),
        ("y", {"x": ROWS}, "TypeError", ""),
        ([1], {"x": ROWS}, "TypeError", ""),
    ],
    ids=["missing", "unknown", "unknown output", "a text for outputs", "a number for an output"],
)
def test_names_are_refused_alike(pair: Any, names: Any, feeds: Any, kind: str, words: str) -> None:
    for opened in pair:
        kinds, said = outcome(partial(opened.run, names, feeds))
        assert kind in kinds
        assert words in said


@accepts("raise_wrong_num_inputs")
def test_the_first_missing_input_of_two_is_named() -> None:
    model = onnx_model(
        [node("And", ["one:0", "two:0"], ["y"])],
        {"one:0": ("bool", [2]), "two:0": ("bool", [2])},
        {"y": "bool"},
    )
    words = r"Required inputs \(\['one:0'\]\) are missing from input feed \(\['two:0'\]\)"
    with pytest.raises(ValueError, match=words):
        session(model).run([], {"two:0": np.ones(2, bool)})


@pytest.mark.parametrize("dtype", ["int64", "uint8", "bool", "float16"])
@pytest.mark.parametrize(
    "fed", [[[1, 2, 3]], [[1.5, 2, 3]], [[300, -2, 3]], [[None, 1, 2]]], ids=repr
)
def test_lists_become_the_input_s_dtype_alike(dtype: str, fed: Any) -> None:
    model = onnx_model(
        [node("Identity", ["x"], ["y"])], {"x": (dtype, ["n", 3])}, {"y": dtype}
    ).SerializeToString()
    ours, theirs = (outcome(partial(computed, kind, model, fed)) for kind in (ort, onnxruntime))
    if isinstance(theirs, list):
        np.testing.assert_array_equal(ours[0], theirs[0])
    else:
        assert {"RuntimeError", "InputError"} <= ours[0]


def test_an_error_is_pickled_with_both_its_classes() -> None:
    import pickle

    with pytest.raises(InputError) as caught:
        session(scaled()).run(None, {"X": X.astype("float64")})
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, InputError)
    assert isinstance(again, C.InvalidArgument)
    assert str(again) == str(caught.value)


TEXTS = [["this", "is"], ["identity", "test"]]


def test_an_object_is_fed_as_its_text() -> None:
    """As onnxruntime has it, which runs the model until it is compiled."""
    fed = np.array([[None, 2.5], [float("nan"), b"x"]], object)
    (found,) = session(texts()).run([], {"x": fed})
    theirs = onnxruntime.InferenceSession(texts().SerializeToString())
    assert found.tolist() == [["None", "2.5"], ["nan", "b'x'"]]
    np.testing.assert_array_equal(found, theirs.run([], {"x": fed})[0])


@accepts(
    "string_list_as_input", "string_input1", "string_input2", "input_bytes", "input_object",
    "input_void", but="by tvmfuse itself, on the host",
)  # fmt: skip
def test_texts_come_in_any_form() -> None:
    opened = session(texts())
    assert opened.get_inputs()[0].type == "tensor(string)"
    accents = np.array([["Olá", "你好"], ["여보세요", "hello"]])
    alike = np.array([[b"must", b"have"], [b"same", b"size"]])
    for fed, expected in (
        (TEXTS, TEXTS),
        (np.array(TEXTS), TEXTS),
        (np.array(TEXTS, object), TEXTS),
        (accents, accents),
        (alike, alike.astype(str)),
        (alike.astype(np.void), alike.astype(str)),
    ):
        np.testing.assert_array_equal(opened.run([], {"x": fed})[0], np.array(expected, object))
