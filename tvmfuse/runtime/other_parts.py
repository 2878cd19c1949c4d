"""Parts of a model that are not compiled, whoever computes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias, Union

import numpy as np

from tvmfuse.manifest import TEXT
from tvmfuse.runtime.foreign import ForeignPart, RefusedError

if TYPE_CHECKING:
    from tvmfuse.text.part import TextPart

OtherPart: TypeAlias = Union[ForeignPart, "TextPart"]


def open_other(
    engine: str,
    model: bytes,
    weights: Mapping[str, np.ndarray],
    said: str,
    *,
    num_threads: int | None = None,
    spin: bool = True,
) -> OtherPart:
    """Return a part that is an ONNX model, ready to run.

    Args:
        engine: Who computes it; one of `manifest`'s, and not `OURS`.
        model: Serialized.
        weights: The tensors that are not in it, by name.
        said: What errors call it.
        num_threads: See `ForeignPart`.
        spin: The same.

    Raises:
        RefusedError: The engine does not take the model.
        ConfigurationError: `num_threads` is no number of threads.
    """
    if engine != TEXT:
        return ForeignPart(model, weights, said, num_threads=num_threads, spin=spin)
    from tvmfuse.text.part import NotTakenError, TextPart  # which imports onnx

    try:
        return TextPart(model, weights, said)
    except NotTakenError as error:
        raise RefusedError(str(error)) from error
