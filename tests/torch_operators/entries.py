"""torch's own table of operators, op_db: each entry's samples, and how near results have to be."""

from __future__ import annotations

import functools
import random
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import torch
from torch.testing._internal.common_device_type import toleranceOverride
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import SampleInput

#: The dtypes that entries run in, where they have them.
DTYPES: Final[Mapping[str, torch.dtype]] = {
    "float32": torch.float32,
    "int64": torch.int64,
    "bool": torch.bool,
}

#: Entries whose numbers are whatever the memory held.
UNDEFINED: Final = frozenset(
    {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"}
)

#: Entry -> the relative error that its samples cause in any float32 arithmetic.
CONDITIONS: Final[Mapping[str, float]] = {
    # Its softmax is of numbers up to 7000, whose unit is 5e-4. Eager is 5 tolerances off itself.
    "nn.functional.multi_head_attention_forward": 5e-4,
}


@functools.cache
def entries() -> Mapping[str, Any]:
    """Return the entries by name, with the variant where there are several."""
    found = {".".join(filter(None, (op.name, op.variant_test_name))): op for op in op_db}
    assert len(found) == len(op_db), "two entries share a name"
    return found


@functools.cache
def names(dtype: str) -> Sequence[str]:
    """Return the names of the entries that have a dtype."""
    return sorted(
        (n for n, op in entries().items() if DTYPES[dtype] in op.supported_dtypes("cpu")),
        key=str.casefold,
    )


def samples(name: str, dtype: str) -> list[SampleInput]:
    """Return an entry's samples, the same at each call."""
    torch.manual_seed(0)
    np.random.seed(0)  # noqa: NPY002, torch draws from it
    random.seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(entries()[name].sample_inputs("cpu", DTYPES[dtype]))


def tolerances(name: str, dtype: torch.dtype) -> tuple[float, float]:
    """Return how near a result of this dtype has to be, by its size and at all.

    It is the widest that torch's own tests allow.
    What they allow another device counts, for it is another implementation.
    """
    stated = [
        override.d[dtype]
        for decorator in entries()[name].decorators
        for override in getattr(decorator, "decorators", ())
        if isinstance(override, toleranceOverride) and dtype in override.d
    ]
    rtol, atol = (1.3e-6, 1e-5) if dtype.is_floating_point else (0.0, 0.0)
    if dtype is torch.float64:
        rtol, atol = 1e-7, 1e-7
    if dtype is torch.float32:
        rtol = max(rtol, CONDITIONS.get(name, 0.0))
    return max([rtol, *(s.rtol for s in stated)]), max([atol, *(s.atol for s in stated)])


def is_defined(name: str) -> bool:
    """Whether an entry says what its numbers are."""
    return name.partition(".")[0] not in UNDEFINED
