"""Tensors that a run writes to: whether it may, and that they lie apart from all others."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tvmfuse.errors import ConfigurationError, InputError
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.frame import Located
from tvmfuse.tensor_spec import TensorSpec


def check_shares(manifest: Manifest) -> None:
    """Refuse to write to the inputs of a model none of whose outputs may take their memory.

    Raises:
        ConfigurationError: It is such a model.
    """
    if not manifest.shared:
        raise ConfigurationError(
            f"share: no output of {manifest.name} can take the memory of an input; "
            "manifest.shared names those that can"
        )


def check_apart(
    specs: Sequence[TensorSpec],
    extents: Sequence[tuple[Located, int]],
    written: Collection[int],
) -> None:
    """Refuse tensors that overlap with one that is going to be written to.

    Args:
        specs: What the model takes.
        extents: Of each tensor where it lies, and its bytes.
        written: The places of those that may be written to.

    Raises:
        InputError: Two of them share memory.
    """
    found = sorted(
        (begin, begin + nbytes, place) for place, ((begin, _), nbytes) in enumerate(extents)
    )
    last = (0, 0, 0)  # of those before, the one that ends last
    for begin, end, place in found:
        if begin < last[1] and begin < end and {place, last[2]} & set(written):
            one, other = (specs[p].name for p in sorted((place, last[2])))
            raise InputError(
                f"the inputs {one!r} and {other!r} lie in the same memory, and with share=True one "
                "of them is written to: expected tensors that lie apart, so copy one"
            )
        last = max(last, (begin, end, place), key=lambda extent: extent[1])
