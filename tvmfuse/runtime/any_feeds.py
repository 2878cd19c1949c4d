"""Checking the inputs of a model in parts, which may be strings, sequences and optional values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmfuse.errors import InputError
from tvmfuse.runtime.described import expected, type_name
from tvmfuse.runtime.feeds import check_feeds, check_names, check_shapes
from tvmfuse.runtime.sharing import plain_array
from tvmfuse.tensor_spec import TensorSpec

STRING: Final = "string"
"""The dtype of a tensor of strings."""


OF_ANY_RANK: Final = "tensor(string)"
"""What a tensor of strings is whose rank nobody knows."""


def is_tensor(spec: TensorSpec) -> bool:
    """Whether an input or output is a tensor of numbers or strings, and has a shape."""
    return "(" not in spec.dtype


def check_any_feeds(specs: Sequence[TensorSpec], feeds: Mapping[str, Any]) -> list[Any]:
    """Return the inputs in the order of the specifications.

    Tensors of numbers are what `feeds.check_feeds` makes of them, strings are arrays of objects.
    A sequence is a list or a tuple; what an optional value holds is not looked at here.

    Raises:
        InputError: An input is missing, unknown, or no such value; or the shapes do not fit.
    """
    if not isinstance(feeds, Mapping):
        raise InputError(
            f"expected a mapping from names to inputs, a dict, found {type_name(feeds)}"
        )
    check_names([spec.name for spec in specs], feeds)
    numbers = [spec for spec in specs if is_tensor(spec) and spec.dtype != STRING]
    arrays = check_feeds(numbers, {spec.name: feeds[spec.name] for spec in numbers})
    checked: dict[str, Any] = {spec.name: a for spec, a in zip(numbers, arrays, strict=True)}
    for spec in specs:
        if spec.name not in checked:
            taken = _texts if spec.dtype in (STRING, OF_ANY_RANK) else _value
            checked[spec.name] = taken(spec, feeds[spec.name])
    tensors = [spec for spec in specs if is_tensor(spec)]
    check_shapes(tensors, [checked[spec.name].shape for spec in tensors])
    return [checked[spec.name] for spec in specs]


def _texts(spec: TensorSpec, value: Any) -> np.ndarray:
    if isinstance(value, np.ndarray):
        array = plain_array(spec, value)
    else:  # of a list numpy would make strings of its own, which lose NULs and take in numbers
        array = np.array(value, object if isinstance(value, list | tuple) else None)
    if array.size and array.dtype.kind not in "UOT":
        raise InputError(f"{expected(spec)}, found {type_name(value)} of {array.dtype.name}")
    texts = array.astype(object)
    if not all(isinstance(text, str) for text in texts.flat):
        place, other = next((i, t) for i, t in np.ndenumerate(texts) if not isinstance(t, str))
        kind = type(other).__name__
        raise InputError(f"{expected(spec)}, found {other!r:.60} ({kind}) at {[*place]}")
    return texts


def _value(spec: TensorSpec, value: Any) -> Any:
    if spec.dtype.startswith("seq") and not isinstance(value, list | tuple):
        raise InputError(f"expected {spec.name} to be a list of arrays, found {type_name(value)}")
    return list(value) if isinstance(value, tuple) else value
