"""feeds: what an input may be, and the words for what it may not."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch

from tvmfuse.errors import InputError
from tvmfuse.runtime.feeds import check_feeds, check_output_names
from tvmfuse.tensor_spec import TensorSpec

IMAGE = TensorSpec("image", "float32", ("batch", 3))
MASK = TensorSpec("mask", "int64", ("batch",))
SCALAR = TensorSpec("scale", "float32", ())


class WithArray:
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.ones((2, 3), "float32")


def test_arrays_come_in_the_models_order() -> None:
    image, mask = np.ones((2, 3), "float32"), np.ones(2, "int64")
    first, second = check_feeds([IMAGE, MASK], {"mask": mask, "image": image})
    assert first is image
    assert second is mask


def test_a_tensor_with_dlpack_shares_its_memory() -> None:
    tensor = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    (array,) = check_feeds([IMAGE], {"image": tensor})
    assert array.ctypes.data == tensor.data_ptr()
    np.testing.assert_array_equal(array, tensor.numpy())


def test_a_low_precision_torch_tensor_is_read_as_it_is() -> None:
    spec = TensorSpec("x", "bfloat16", (3,))
    (array,) = check_feeds([spec], {"x": torch.tensor([1.0, 2.5, -3.0], dtype=torch.bfloat16)})
    np.testing.assert_array_equal(array, np.array([1, 2.5, -3], ml_dtypes.bfloat16))


@pytest.mark.parametrize(
    ("spec", "value", "expected"),
    [
        (IMAGE, [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]),
        (IMAGE, [(0.1, 0.2, 0.3)], np.array([[0.1, 0.2, 0.3]], "float32")),
        (IMAGE, [[float("nan"), float("inf"), 1.0]], [[np.nan, np.inf, 1]]),
        (IMAGE, [[True, False, True]], [[1, 0, 1]]),
        (IMAGE, [np.ones(3, "float32"), np.zeros(3, "float32")], [[1, 1, 1], [0, 0, 0]]),
        (MASK, [1, 2**40], [1, 2**40]),
        (SCALAR, 3, 3),
        (SCALAR, 0.1, np.float32(0.1)),
        (SCALAR, np.float32(2.5), 2.5),
        (SCALAR, np.float64(2.5), 2.5),
        (TensorSpec("x", "bfloat16", (2,)), [1.0, 0.1], np.array([1.0, 0.1], ml_dtypes.bfloat16)),
        (TensorSpec("x", "uint8", (0,)), [], np.zeros(0)),
        (IMAGE, WithArray(), np.ones((2, 3))),
    ],
)
def test_numbers_take_the_models_dtype(spec: Any, value: Any, expected: Any) -> None:
    (array,) = check_feeds([spec], {spec.name: value})
    assert array.dtype.name == spec.dtype
    np.testing.assert_array_equal(array, np.asarray(expected).astype(array.dtype))


@pytest.mark.parametrize(
    ("spec", "value", "words"),
    [
        (IMAGE, None, "input 'image': expected float32[batch, 3], found None"),
        (IMAGE, "cat.png", "found a builtins.str"),
        (IMAGE, {"a": 1}, "found a builtins.dict"),
        (IMAGE, object(), "found a builtins.object"),
        (IMAGE, [[1, 2, 3], [4]], "that is none: setting an array element with a sequence"),
        (IMAGE, [["1", "2", "3"]], "found values that float32 does not hold: [['1', '2', '3']]"),
        (IMAGE, [[None, 1, 2]], "float32 does not hold: [[None, 1, 2]]"),
        (IMAGE, np.ones((2, 3)), "expected float32[batch, 3], found dtype float64"),
        (
            IMAGE,
            np.ones((2, 3), ">f4"),
            "in the other byte order (>f4): convert it with .astype('float32')",
        ),
        (IMAGE, np.ones((2, 3), object), "found dtype object"),
        (IMAGE, torch.ones(2, 3, dtype=torch.float16), "found dtype float16"),
        (IMAGE, torch.ones(2, 3, device="meta"), "does not hand out its memory"),
        (IMAGE, np.ones(3, "float32"), "2 dimensions, found 1: (3,)"),
        (IMAGE, np.ones((2, 4), "float32"), "found (2, 4): dimension 1 is 4 instead of 3"),
        (SCALAR, np.ones(1, "float32"), "expected float32[]: 0 dimensions, found 1: (1,)"),
        (MASK, [0.5], "found values that int64 does not hold: [0.5]"),
        (MASK, [2**70], "found"),
        (TensorSpec("x", "int8", (1,)), [200], "int8 does not hold: [200]"),
        (TensorSpec("x", "uint8", (1,)), [-1], "uint8 does not hold: [-1]"),
        (SCALAR, 1e300, "float32 does not hold: 1e+300"),
        (SCALAR, 2**24 + 1, "float32 does not hold: 16777217"),
        (SCALAR, np.float64(0.1), "float32 does not hold: np.float64(0.1)"),
        (SCALAR, 1j, "found a builtins.complex"),
    ],
)
def test_what_does_not_fit_is_named(spec: Any, value: Any, words: str) -> None:
    with pytest.raises(InputError) as error:
        check_feeds([spec], {spec.name: value})
    assert f"input {spec.name!r}" in str(error.value)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("feeds", "words"),
    [
        ({"imgae": 0, "mask": 0}, "the model has no input 'imgae'; did you mean image?"),
        ({"image": 0, "mask": 0, "more": 0}, "the model has no input 'more'; known: image, mask"),
        ({"image": 0}, "missing input 'mask': the model takes 'image', 'mask', given was 'image'"),
        ({}, "missing input 'image', 'mask': the model takes 'image', 'mask', given was none"),
    ],
)
def test_names_must_be_the_models(feeds: Any, words: str) -> None:
    with pytest.raises(InputError) as error:
        check_feeds([IMAGE, MASK], feeds)
    assert str(error.value) == words


def test_a_model_without_inputs_takes_none() -> None:
    assert check_feeds([], {}) == []
    with pytest.raises(InputError, match="the model has no input 'x'; it takes none"):
        check_feeds([], {"x": 0})


def test_inputs_must_agree_on_a_symbolic_dimension() -> None:
    feeds = {"image": np.ones((2, 3), "float32"), "mask": np.ones(7, "int64")}
    with pytest.raises(InputError) as error:
        check_feeds([IMAGE, MASK], feeds)
    assert str(error.value) == (
        "inputs 'image' and 'mask' disagree on the dimension 'batch': "
        "it is 2 in 'image' and 7 in 'mask' (dimension 0)"
    )


def test_one_input_must_agree_with_itself() -> None:
    with pytest.raises(InputError, match="inputs 'x' and 'x' disagree on the dimension 'n'"):
        check_feeds([TensorSpec("x", "float32", ("n", "n"))], {"x": np.ones((2, 3), "float32")})


def test_output_names_must_be_the_models() -> None:
    assert check_output_names([IMAGE, MASK], ["mask", "image", "mask"]) == [1, 0, 1]
    with pytest.raises(InputError, match="the model has no output 'msk'; did you mean mask"):
        check_output_names([IMAGE, MASK], ["msk"])


@pytest.mark.parametrize("names", [3, "mask", b"mask", None])
def test_output_names_are_a_list(names: Any) -> None:
    with pytest.raises(InputError, match="expected a list of names of outputs, found"):
        check_output_names([IMAGE, MASK], names)


@pytest.mark.parametrize("name", [["mask"], None, 0, b"mask"])
def test_an_output_name_is_text(name: Any) -> None:
    with pytest.raises(InputError, match="the model has no output"):
        check_output_names([IMAGE, MASK], [name])


def test_the_smallest_size_is_asked_for() -> None:
    spec = TensorSpec("image", "float32", ("batch", "rows"), (0, 3))
    check_feeds([spec], {"image": np.ones((0, 3), "float32")})
    with pytest.raises(
        InputError, match="'image'.*dimension 1 is 2, and the model takes at least 3"
    ):
        check_feeds([spec], {"image": np.ones((4, 2), "float32")})


@pytest.mark.parametrize("feeds", [3, None, [1], np.ones(3)], ids=str)
def test_feeds_that_are_no_mapping(feeds: Any) -> None:
    with pytest.raises(InputError, match="expected a mapping from names to inputs"):
        check_feeds([IMAGE], feeds)
