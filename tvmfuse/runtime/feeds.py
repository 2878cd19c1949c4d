"""Checking a call's inputs against the model's, before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tvmfuse.arrays import as_array, numpy_dtype
from tvmfuse.errors import InputError, closest, first_line
from tvmfuse.manifest import TensorSpec, computed


def check_feeds(specs: Sequence[TensorSpec], feeds: Mapping[str, Any]) -> list[np.ndarray]:
    """Return the inputs as arrays, in the order of the specifications.

    An array must have just the dtype and shape that the model states, whatever its strides.
    Numbers and nested lists of them have no dtype of their own, and are converted where no value
    changes but by rounding to a floating dtype.

    Args:
        specs: What the model takes.
        feeds: For each input an array, anything with ``__dlpack__`` on the CPU or ``__array__``,
            a number, or nested lists of numbers.

    Raises:
        InputError: An input is missing, unknown, no array, or of the wrong dtype or shape; or two
            inputs disagree on a symbolic dimension; or the model does not take these sizes
            together; or `feeds` is no mapping.

    >>> check_feeds([TensorSpec("x", "float32", ("n", 2))], {"x": [[1, 2]]})[0].dtype
    dtype('float32')
    """
    if not isinstance(feeds, Mapping):
        raise InputError(f"expected a mapping from names to inputs, a dict, found {_what(feeds)}")
    _check_names([spec.name for spec in specs], feeds)
    arrays = [_array(spec, feeds[spec.name]) for spec in specs]
    _check_shapes(specs, arrays)
    return arrays


def check_output_names(specs: Sequence[TensorSpec], names: Sequence[str]) -> list[int]:
    """Return the index of each named output.

    Raises:
        InputError: There is no such output.
    """
    places = {spec.name: i for i, spec in enumerate(specs)}
    for name in names:
        if name not in places:
            raise InputError(f"the model has no output {name!r}; {closest(str(name), places)}")
    return [places[name] for name in names]


def _check_names(expected: Sequence[str], feeds: Mapping[str, Any]) -> None:
    unknown = [name for name in feeds if name not in expected]
    missing = [name for name in expected if name not in feeds]
    if unknown:
        hint = closest(str(unknown[0]), missing or expected) if expected else "it takes none"
        raise InputError(f"the model has no input {unknown[0]!r}; {hint}")
    if missing:
        raise InputError(
            f"missing input {', '.join(map(repr, missing))}: the model takes "
            f"{', '.join(map(repr, expected))}, given was {', '.join(map(repr, feeds)) or 'none'}"
        )


def _array(spec: TensorSpec, value: object) -> np.ndarray:
    """Return the value as an array of the input's dtype."""
    if isinstance(value, np.ndarray):
        array = value
    elif isinstance(value, (bool, int, float, np.generic, list, tuple)):
        return _converted(spec, value)
    elif hasattr(value, "__dlpack__"):
        array = _shared(spec, value)
    elif hasattr(value, "__array__"):
        array = np.asarray(value)
    else:
        raise InputError(f"{_wanted(spec)}, found {_what(value)}")
    if not array.dtype.isnative:
        raise InputError(
            f"{_wanted(spec)}, found dtype {array.dtype.name} in the other byte order "
            f"({array.dtype.str}): convert it with .astype({spec.dtype!r})"
        )
    if array.dtype != numpy_dtype(spec.dtype):
        raise InputError(f"{_wanted(spec)}, found dtype {array.dtype.name}")
    return array


def _shared(spec: TensorSpec, value: object) -> np.ndarray:
    try:
        return as_array(value)
    except (BufferError, TypeError, RuntimeError, ValueError) as error:
        reason = first_line(error)
        raise InputError(
            f"{_wanted(spec)}, found {_what(value)} that does not share its memory with the CPU "
            f"({reason}): move it there first"
        ) from error


def _converted(spec: TensorSpec, value: object) -> np.ndarray:
    """Convert numbers, which come without a dtype of their own."""
    dtype = numpy_dtype(spec.dtype)
    try:
        found = np.asarray(value)
        with np.errstate(over="ignore", invalid="ignore"):
            array = found.astype(dtype)
    except (TypeError, ValueError, OverflowError) as error:
        reason = first_line(error)
        raise InputError(f"{_wanted(spec)}, found {_what(value)} that is none: {reason}") from error
    if found.size and not _same_numbers(found, array, rounded=not isinstance(value, np.generic)):
        raise InputError(
            f"{_wanted(spec)}, found values that {spec.dtype} does not hold: {_short(value)}"
        )
    return array


def _same_numbers(found: np.ndarray, array: np.ndarray, *, rounded: bool) -> bool:
    """Whether a conversion kept the values, up to rounding of a float to another float."""
    if found.dtype.kind == "f" and array.dtype.kind in "fV" and rounded:
        return bool(np.array_equal(np.isfinite(found), np.isfinite(array.astype(found.dtype))))
    if found.dtype.kind not in "biufV":
        return False
    return bool(np.array_equal(found, array.astype(found.dtype), equal_nan=found.dtype.kind == "f"))


def _check_shapes(specs: Sequence[TensorSpec], arrays: Sequence[np.ndarray]) -> None:
    sizes: dict[str, tuple[int, str]] = {}
    for spec, array in zip(specs, arrays, strict=True):
        if array.ndim != len(spec.shape):
            raise InputError(
                f"{_wanted(spec)}: {len(spec.shape)} dimensions, found {array.ndim}: {array.shape}"
            )
        for axis, (wanted, found) in enumerate(zip(spec.shape, array.shape, strict=True)):
            if isinstance(wanted, int):
                if wanted != found:
                    raise InputError(
                        f"{_wanted(spec)}, found {array.shape}: dimension {axis} is {found} "
                        f"instead of {wanted}"
                    )
                continue
            if spec.min_sizes and found < spec.min_sizes[axis]:
                raise InputError(
                    f"{_wanted(spec)}, found {array.shape}: dimension {axis} is {found}, and the "
                    f"model takes at least {spec.min_sizes[axis]}"
                )
            size, first = sizes.setdefault(wanted, (found, spec.name))
            if size != found:
                raise InputError(
                    f"inputs {first!r} and {spec.name!r} disagree on the dimension {wanted!r}: "
                    f"it is {size} in {first!r} and {found} in {spec.name!r} (dimension {axis})"
                )
        _check_shape_constraints(spec, array, {name: size for name, (size, _) in sizes.items()})


def _check_shape_constraints(spec: TensorSpec, array: np.ndarray, sizes: Mapping[str, int]) -> None:
    for constraint in spec.shape_constraints:
        left, right = (computed(side, sizes) for side in (constraint.left, constraint.right))
        if left != right:
            raise InputError(
                f"{_wanted(spec)}, found {array.shape}: the model takes only sizes with "
                f"{constraint.words}; here that is {left} == {right}"
            )


def _wanted(spec: TensorSpec) -> str:
    shape = ", ".join(map(str, spec.shape))
    return f"input {spec.name!r}: expected {spec.dtype}[{shape}]"


def _what(value: object) -> str:
    return "None" if value is None else f"a {type(value).__module__}.{type(value).__qualname__}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
