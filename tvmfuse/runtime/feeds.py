"""Checking a call's inputs against the model's, before anything runs."""

from __future__ import annotations

import functools
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmfuse.arrays import numpy_dtype
from tvmfuse.errors import IndexOutOfRangeError, InputError, SizesError, closest, first_line
from tvmfuse.runtime.described import expected, type_name
from tvmfuse.runtime.sharing import plain_array, shared_array
from tvmfuse.size_ranges import taken_by
from tvmfuse.tensor_spec import ShapeConstraint, TensorSpec, computed

#: What a node's numbers have to be, and what they are indices of.
RANGE: Final = "numbers from {} to {}, indices of {} elements"

#: Integers without a sign, by their bytes.
UNSIGNED: Final = {n: np.dtype(f"uint{8 * n}") for n in (1, 2, 4, 8)}


def check_feeds(specs: Sequence[TensorSpec], feeds: Mapping[str, Any]) -> list[np.ndarray]:
    """Return the inputs as arrays, in the order of the specifications.

    An array must have just the dtype and shape that the model states, whatever its strides.
    Numbers and nested lists of them have no dtype of their own, and are converted where no value
    changes but by rounding to a floating dtype.

    Args:
        specs: What the model takes.
        feeds: For each input an array, anything with ``__dlpack__`` on the CPU or ``__array__``,
            a number, or nested lists of numbers. Of a torch tensor that requires gradients the
            numbers are taken, and nothing is recorded.

    Raises:
        InputError: An input is missing, unknown, no array, or of the wrong dtype or shape; or two
            inputs disagree on a symbolic dimension; or the model does not take these sizes
            together; or an index is out of range; or `feeds` is no mapping.

    >>> check_feeds([TensorSpec("x", "float32", ("n", 2))], {"x": [[1, 2]]})[0].dtype
    dtype('float32')
    """
    if not isinstance(feeds, Mapping):
        raise InputError(
            f"expected a mapping from names to inputs, a dict, found {type_name(feeds)}"
        )
    check_names([spec.name for spec in specs], feeds)
    arrays = [_array(spec, feeds[spec.name]) for spec in specs]
    check_shapes(specs, [array.shape for array in arrays])
    check_indices(specs, arrays)
    return arrays


def check_output_names(specs: Sequence[TensorSpec], names: Sequence[str]) -> list[int]:
    """Return the index of each named output.

    Raises:
        InputError: There is no such output, or `names` is no list of names.
    """
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        raise InputError(f"expected a list of names of outputs, found {type_name(names)}")
    names, places = list(names), {spec.name: i for i, spec in enumerate(specs)}
    for name in names:
        if not isinstance(name, str) or name not in places:
            raise InputError(f"the model has no output {name!r}; {closest(str(name), places)}")
    return [places[name] for name in names]


def no_tensors(found: object) -> InputError:
    """Return the refusal of what is neither a list of tensors nor a mapping."""
    return InputError(
        "expected a list of tensors in the order of the inputs, or a mapping from their "
        f"names, found {type_name(found)}"
    )


def check_names(taken: Sequence[str], feeds: Mapping[str, Any]) -> None:
    """Refuse inputs that the model does not take, and missing ones.

    Raises:
        InputError: There is such an input.
    """
    unknown = [name for name in feeds if name not in taken]
    missing = [name for name in taken if name not in feeds]
    if unknown:
        hint = closest(str(unknown[0]), missing or taken) if taken else "it takes none"
        raise InputError(f"the model has no input {unknown[0]!r}; {hint}")
    if missing:
        raise InputError(
            f"missing input {', '.join(map(repr, missing))}: the model takes "
            f"{', '.join(map(repr, taken))}, given was {', '.join(map(repr, feeds)) or 'none'}"
        )


def _array(spec: TensorSpec, value: object) -> np.ndarray:
    """Return the value as an array of the input's dtype."""
    if isinstance(value, np.ndarray):
        array = plain_array(spec, value)
    elif isinstance(value, (bool, int, float, np.generic, list, tuple)):
        return _converted(spec, value)
    else:
        array = shared_array(spec, value)
    check_dtype(spec, array)
    return array


def check_dtype(spec: TensorSpec, array: np.ndarray) -> None:
    """Refuse an array of another dtype.

    Raises:
        InputError: It is one.
    """
    if not array.dtype.isnative:
        raise InputError(
            f"{expected(spec)}, found dtype {array.dtype.name} in the other byte order "
            f"({array.dtype.str}): convert it with .astype({spec.dtype!r})"
        )
    if array.dtype != numpy_dtype(spec.dtype):
        raise InputError(f"{expected(spec)}, found dtype {array.dtype.name}: convert it first")


def _converted(spec: TensorSpec, value: object) -> np.ndarray:
    """Convert numbers, which come without a dtype of their own."""
    dtype = numpy_dtype(spec.dtype)
    try:
        found = np.asarray(value)
        with np.errstate(over="ignore", invalid="ignore"):
            array = found.astype(dtype)
    except Exception as error:  # an element may be anything, and run its own code
        reason = first_line(error)
        raise InputError(
            f"{expected(spec)}, found {type_name(value)} that is none: {reason}"
        ) from error
    if found.size and not _same_numbers(found, array, rounded=not isinstance(value, np.generic)):
        raise InputError(
            f"{expected(spec)}, found values that {spec.dtype} does not hold: {reprlib.repr(value)}"
        )
    return array


def _same_numbers(found: np.ndarray, array: np.ndarray, *, rounded: bool) -> bool:
    """Whether a conversion kept the values, up to rounding of a float to another float."""
    if found.dtype.kind == "f" and array.dtype.kind in "fV" and rounded:
        return bool(np.array_equal(np.isfinite(found), np.isfinite(array.astype(found.dtype))))
    if found.dtype.kind not in "biufV":
        return False
    return bool(np.array_equal(found, array.astype(found.dtype), equal_nan=found.dtype.kind == "f"))


def check_shapes(specs: Sequence[TensorSpec], shapes: Sequence[tuple[int, ...]]) -> None:
    """Refuse shapes that the model does not take, alone or together.

    Raises:
        InputError: There is such a shape.
    """
    sizes: dict[str, tuple[int, str]] = {}
    for spec, shape in zip(specs, map(tuple, shapes), strict=True):
        if len(shape) != len(spec.shape):
            raise InputError(
                f"{expected(spec)}: {len(spec.shape)} dimensions, found {len(shape)}: {shape}"
            )
        for axis, (wanted, found) in enumerate(zip(spec.shape, shape, strict=True)):
            if isinstance(wanted, int):
                if wanted != found:
                    raise InputError(
                        f"{expected(spec)}, found {shape}: dimension {axis} is {found} "
                        f"instead of {wanted}"
                    )
                continue
            if (spec.min_sizes or spec.max_sizes) and found not in (taken := taken_by(spec, axis)):
                raise SizesError(
                    f"{expected(spec)}, found {shape}: dimension {axis} is {found}, and the "
                    f"model takes {taken} for {wanted!r}"
                )
            size, first = sizes.setdefault(wanted, (found, spec.name))
            if size != found:
                raise SizesError(
                    f"inputs {first!r} and {spec.name!r} disagree on the dimension {wanted!r}: "
                    f"it is {size} in {first!r} and {found} in {spec.name!r} (dimension {axis})"
                )
        _check_shape_constraints(spec, shape, {name: size for name, (size, _) in sizes.items()})


def check_indices(specs: Sequence[TensorSpec], tensors: Sequence[Any]) -> None:
    """Refuse indices of elements that there are not: token 50,257 of as many, say.

    Args:
        specs: What the model takes.
        tensors: Arrays, or other tensors on the CPU, of such shapes.

    Raises:
        IndexOutOfRangeError: There is such an index.
    """
    for spec, tensor in zip(specs, tensors, strict=True):
        if not spec.index_constraints:
            continue
        array = _as_numbers(tensor)
        if not array.size:
            continue
        # Without a sign those below zero are the largest: mostly one look says that all is well.
        largest = np.maximum.reduce(array.view(UNSIGNED[array.itemsize]), None)
        for constraint in spec.index_constraints:
            size = constraint.size
            if not isinstance(size, int):
                size = computed(size, _sizes(specs, tensors))
            if largest < size:
                continue
            lowest, highest = int(array.min()), int(array.max())
            least = -size if constraint.from_back else 0
            wrong = highest if highest >= size else lowest
            if not least <= wrong < size:
                what = RANGE.format(least, size - 1, size)
                raise IndexOutOfRangeError(
                    f"{expected(spec)} with {what}, {constraint.words}; found {wrong}"
                )


def _as_numbers(tensor: Any) -> np.ndarray:
    """Return a tensor on the CPU as an array, torch's without DLPack, which takes longer."""
    if isinstance(tensor, np.ndarray):
        return tensor
    as_array: Callable[[], np.ndarray] | None = getattr(tensor, "numpy", None)
    return np.from_dlpack(tensor) if as_array is None else as_array()


def _sizes(specs: Sequence[TensorSpec], tensors: Sequence[Any]) -> dict[str, int]:
    """Return what the symbolic dimensions are."""
    return {
        dim: size
        for spec, tensor in zip(specs, tensors, strict=True)
        for dim, size in zip(spec.shape, tensor.shape, strict=True)
        if isinstance(dim, str)
    }


def _check_shape_constraints(
    spec: TensorSpec, shape: tuple[int, ...], sizes: Mapping[str, int]
) -> None:
    if not spec.shape_constraints:
        return
    broken = _broken(spec.shape_constraints, tuple(sizes.items()))
    if broken is not None:
        constraint, left, right = broken
        said = f"the model takes only sizes with {constraint.words}"
        if constraint.is_equation:
            said += f"; here that is {left} == {right}"
        if (name := constraint.to_be_fixed(sizes)) is not None:
            said += (
                f": compile with dims={{{name!r}: 1}}, in a session's options "
                f"add_free_dimension_override_by_name({name!r}, 1)"
            )
        raise SizesError(f"{expected(spec)}, found {shape}: {said}")


@functools.lru_cache(maxsize=1024)
def _broken(
    constraints: tuple[ShapeConstraint, ...], sizes: tuple[tuple[str, int], ...]
) -> tuple[ShapeConstraint, int, int] | None:
    """Return what does not hold, and its sides; to compute some programs' takes 1 ms."""
    known = dict(sizes)
    for constraint in constraints:
        left, right = (computed(side, known) for side in (constraint.left, constraint.right))
        if left != right:
            return constraint, left, right
    return None
