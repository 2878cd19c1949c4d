"""Inputs to run a model on: the user's files, or seeded random numbers."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tvmfuse.arrays import numpy_dtype
from tvmfuse.errors import ConfigurationError, InputError, closest
from tvmfuse.format.atomic import atomic_write
from tvmfuse.measure.sizes import assumed_sizes
from tvmfuse.size_ranges import GivenSizes, fixed_sizes
from tvmfuse.tensor_spec import computed

if TYPE_CHECKING:
    from tvmfuse.measure.agreement import Array
    from tvmfuse.tensor_spec import TensorSpec

    Inputs = Mapping[str, Array] | Callable[[Sequence[TensorSpec]], Mapping[str, Array]]


WORDS: Final = ("Monday", "tuesday", "a", "")
"""What random strings are."""


def random_inputs(
    specs: Sequence[TensorSpec], *, dims: GivenSizes | None = None, seed: int = 0
) -> dict[str, Array]:
    """Make one array per input: normal floats, fair booleans, 0 or 1 for integers, and words.

    0 and 1 are valid wherever ONNX exports take integers: token ids, token types, attention
    masks, indices. Where there is one element to pick, all are 0.

    Args:
        specs: The model's inputs.
        dims: The symbolic dimensions by name; one that is not named has its usual size
            (`assumed_sizes`).
        seed: The same seed makes the same arrays.

    Raises:
        ConfigurationError: `dims` names a dimension that no input has, or gives a range; or no
            sizes fit together; or an input is no tensor.
    """
    dims = dims or {}
    known = {d for spec in specs for d in spec.shape if isinstance(d, str)}
    for name in dims:
        if name not in known:
            there = closest(name, known) if known else "all dimensions are fixed"
            raise ConfigurationError(f"no input has a dimension called {name!r}; {there}")
        if not isinstance(dims[name], int | np.integer):
            raise ConfigurationError(
                f"dimension {name!r} is to be {dims[name]!r}; expected a number: an input has one "
                "size, and a range is for `compile`"
            )
    given = fixed_sizes(dims)
    sizes = {**assumed_sizes(specs, given), **given}
    rng = np.random.default_rng(seed)
    return {spec.name: _random(spec, sizes, rng) for spec in specs}


def feeds_of(
    specs: Sequence[TensorSpec], inputs: Inputs | None, dims: GivenSizes, seed: int
) -> Mapping[str, Array]:
    """Return the arrays to run on: those that are given, what makes them says, or random ones.

    The other arguments and the errors are those of `random_inputs`.
    """
    if inputs is None:
        return random_inputs(specs, dims=dims, seed=seed)
    return inputs(specs) if callable(inputs) else inputs


def read_inputs(sources: Iterable[str], specs: Sequence[TensorSpec]) -> dict[str, Array]:
    """Read arrays by input name: from `all.npz`, `name=file.npy`, or `file.npy` for one input.

    Raises:
        InputError: A file is missing or no numpy file, or two files have the same input.
    """
    inputs: dict[str, Array] = {}
    for source in sources:
        for name, array in _read(source, specs).items():
            if name in inputs:
                raise InputError(f"expected each input once, found {name!r} again in {source}")
            inputs[name] = array
    return inputs


def write_arrays(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write an .npz file that holds any name; `numpy.savez` cannot take one called `file`.

    Raises:
        InputError: One is no array, but a list.
        ArtifactError: It cannot be written; what stood there stays.
    """
    for name, array in arrays.items():
        if not hasattr(array, "dtype"):
            raise InputError(f"{name!r} is a {type(array).__name__}, and .npz files hold arrays")
    with atomic_write(path, durable=False) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                plain = array.astype(np.str_) if array.dtype == object else np.asanyarray(array)
                np.lib.format.write_array(member, plain, allow_pickle=False)


def _random(spec: TensorSpec, sizes: Mapping[str, int], rng: np.random.Generator) -> Array:
    if "(" in spec.dtype:
        raise ConfigurationError(
            f"input {spec.name!r} is {spec.dtype}, of which no random one is made: give inputs"
        )
    shape = [sizes[d] if isinstance(d, str) else d for d in spec.shape]
    if spec.dtype == "string":
        return np.asarray(rng.choice(WORDS, shape), dtype=object)
    dtype = numpy_dtype(spec.dtype)
    if dtype == np.bool_:
        return rng.random(shape) < 0.5
    if np.issubdtype(dtype, np.integer):
        picked = [computed(constraint.size, sizes) for constraint in spec.index_constraints]
        return rng.integers(0, min([2, *picked]), shape).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


def _read(source: str, specs: Sequence[TensorSpec]) -> dict[str, Array]:
    name, equals, path = source.rpartition("=")
    if Path(source).exists() or not equals:
        name, path = "", source
    try:
        with open(path, "rb") as file:
            content = np.load(file, allow_pickle=False)
            if isinstance(content, np.lib.npyio.NpzFile):
                return {key: content[key] for key in content}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"cannot read {path} as .npz or .npy: {error}") from error
    if not name and len(specs) != 1:
        names = ", ".join(spec.name for spec in specs)
        raise InputError(f"which input is {path}? write NAME={path}, where NAME is one of {names}")
    return {name or specs[0].name: content}
