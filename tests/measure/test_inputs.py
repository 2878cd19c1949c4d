"""Inputs from files and from a seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tvmfuse.errors import ConfigurationError, InputError
from tvmfuse.measure.inputs import random_inputs, read_inputs, write_arrays
from tvmfuse.tensor_spec import TensorSpec

X = TensorSpec("x", "float32", ("batch", 3))
IDS = TensorSpec("ids", "int64", ("batch", "length"))


@pytest.mark.parametrize(
    "dtype", ["float32", "float16", "bfloat16", "float64", "bool", "uint8", "int64"]
)
def test_random_inputs_have_the_specs_type_and_shape(dtype: str) -> None:
    array = random_inputs([TensorSpec("x", dtype, (2, 300))])["x"]
    assert (array.dtype.name, array.shape) == (dtype, (2, 300))
    assert len(np.unique(array.astype(np.float64))) > 1
    if dtype in ("bool", "uint8", "int64"):
        assert set(np.unique(array.astype(int))) == {0, 1}


def test_random_inputs_are_seeded() -> None:
    one, same, other = (random_inputs([X, IDS], seed=s) for s in (1, 1, 2))
    assert np.array_equal(one["x"], same["x"])
    assert not np.array_equal(one["x"], other["x"])


def test_symbolic_dimensions_have_usual_sizes_unless_named() -> None:
    inputs = random_inputs([X, IDS], dims={"batch": 7})
    assert (inputs["x"].shape, inputs["ids"].shape) == ((7, 3), (7, 128))
    inputs = random_inputs([X, IDS], dims={"batch": 0, "length": 5})
    assert (inputs["x"].shape, inputs["ids"].shape) == ((0, 3), (0, 5))


def test_scalars_and_empty_inputs() -> None:
    inputs = random_inputs([TensorSpec("s", "float32", ()), TensorSpec("e", "float32", (0, 2))])
    assert (inputs["s"].shape, inputs["e"].shape) == ((), (0, 2))
    assert isinstance(inputs["s"], np.ndarray)


def test_a_dimension_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="called 'bacth'; did you mean batch"):
        random_inputs([X], dims={"bacth": 1})
    with pytest.raises(ConfigurationError, match=r"is to be \(1, 4\); expected a number: an input"):
        random_inputs([X], dims={"batch": (1, 4)})
    with pytest.raises(ConfigurationError, match="all dimensions are fixed"):
        random_inputs([TensorSpec("x", "float32", (1,))], dims={"batch": 1})


def test_reading_what_was_written(tmp_path: Path) -> None:
    arrays = {"file": np.arange(3.0), "a/b:0": np.array(2, "float32"), "x=y": np.zeros((0, 2))}
    write_arrays(tmp_path / "all.npz", arrays)
    back = read_inputs([str(tmp_path / "all.npz")], [])
    assert set(back) == set(arrays)
    assert all(np.array_equal(back[name], arrays[name]) for name in arrays)


def test_npy_files_by_name_and_alone(tmp_path: Path) -> None:
    np.save(tmp_path / "one.npy", np.ones(2))
    one = str(tmp_path / "one.npy")
    assert np.array_equal(read_inputs([f"ids={one}"], [X, IDS])["ids"], np.ones(2))
    assert list(read_inputs([one], [X])) == ["x"]
    with pytest.raises(InputError, match=r"which input is .*one.npy\? write NAME=.* one of x, ids"):
        read_inputs([one], [X, IDS])


def test_the_same_input_twice_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "one.npy", np.ones(2))
    source = f"x={tmp_path / 'one.npy'}"
    with pytest.raises(InputError, match="each input once, found 'x' again"):
        read_inputs([source, source], [X])


def test_files_that_numpy_cannot_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.npz").write_bytes(b"PK\x03\x04 garbage")
    (tmp_path / "empty.npy").write_bytes(b"")
    np.save(tmp_path / "pickled.npy", np.array([{}], dtype=object))
    for name in ("bad.npz", "empty.npy", "pickled.npy", "missing.npy"):
        with pytest.raises(InputError, match=f"cannot read .*{name} as .npz or .npy"):
            read_inputs([f"x={tmp_path / name}"], [X])
