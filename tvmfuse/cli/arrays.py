"""Reading the inputs that a user names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tvmfuse.measure.agreement import Array


def arrays_for(
    model: Path, sources: tuple[str, ...], settings: Mapping[str, Any]
) -> dict[str, Array] | None:
    """Read arrays; whose they are, where a file does not say so, is what the model says.

    Args:
        model: An ONNX model.
        sources: As `--inputs` takes them; None is returned where there are none.
        settings: ``shapes``, ``dims`` and ``limits``.

    Raises:
        InputError: A file is missing or no numpy file, or two files have the same input.
    """
    if not sources:
        return None
    from tvmfuse.limits import Limits
    from tvmfuse.measure.inputs import read_inputs
    from tvmfuse.pipeline.source import import_model

    limits = Limits.of(settings["limits"])
    found = import_model(model, shapes=settings["shapes"], dims=settings["dims"], limits=limits)
    return read_inputs(sources, found.inputs)
