"""Places of elements: where torch leaves open which of equal ones is named, any of them is right.

Sorting is stable only where it is asked to be, and of equal elements `topk`, `kthvalue`, `mode` and
`median` name what their algorithm finds first: eager's own places change with its version. What
stands at a place counts instead, and that no place is named twice where each is another element.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import torch
from torch.testing._internal.opinfo.core import SampleInput

#: Entry -> which of its positional arguments is the axis, the last one by default.
AXES: Final[Mapping[str, int]] = {
    "argsort": 0, "sort": 0, "topk": 1, "kthvalue": 1, "median": 0, "mode": 0, "nanmedian": 0,
}  # fmt: skip

#: Those that name each element of a row once.
ORDERS: Final = frozenset({"argsort", "sort", "topk"})


def with_elements(
    name: str, samples: Sequence[SampleInput], results: Sequence[Sequence[torch.Tensor]]
) -> list[torch.Tensor]:
    """Return the results of all samples, with elements instead of places that torch leaves open."""
    return [
        tensor
        for sample, found in zip(samples, results, strict=True)
        for tensor in (_elements(name, sample, found) if _is_open(name, sample, found) else found)
    ]


def _is_open(name: str, sample: SampleInput, found: Sequence[torch.Tensor]) -> bool:
    """Whether the last result is of places; a median of all elements has none."""
    return (
        name in AXES and not sample.kwargs.get("stable") and (name == "argsort" or len(found) > 1)
    )


def _elements(name: str, sample: SampleInput, found: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    *values, places = found
    given = sample.args[AXES[name] :]
    axis = sample.kwargs.get("dim", given[0] if given else -1)
    x = sample.input.detach()
    rows = places if places.ndim == x.ndim else places.unsqueeze(axis)
    repeated = (rows.sort(axis).values.diff(dim=axis) == 0 if x.ndim else rows != rows).any()
    once = [repeated] if name in ORDERS else []
    return [*values, torch.zeros_like(places), x.gather(axis, rows), *once]
