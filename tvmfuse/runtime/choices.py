"""Which of an artifact's functions a run calls: that for all sizes, or one for its own.

`tvmfuse.build.mains_of_sizes` says what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import tvm_ffi

from tvmfuse.runtime.quick_functions import functions
from tvmfuse.size_ranges import NamedSizes
from tvmfuse.tensor_spec import TensorSpec

InputSize: TypeAlias = tuple[int, int, int]
"""The place of an input, an axis, and its size."""

#: What the names of functions for some sizes begin with; a number follows.
PREFIX: Final = "main_of_sizes_"


def name_of(number: int) -> str:
    """Return what the function for some of the named sizes is called."""
    return f"{PREFIX}{number}"


def is_of_sizes(name: str) -> bool:
    """Whether a function is one for some sizes."""
    return name.startswith(PREFIX)


def input_sizes(specs: Sequence[TensorSpec], sizes: NamedSizes) -> Iterator[InputSize]:
    """Yield each size of an input that is named.

    Args:
        specs: The inputs.
        sizes: Of some of their symbolic dimensions.
    """
    for place, spec in enumerate(specs):
        for axis, dim in enumerate(spec.shape):
            if isinstance(dim, str) and dim in sizes:
                yield place, axis, sizes[dim]


def choosing(
    machine: Any,
    main: Callable[..., Any],
    sizes: Sequence[Sequence[InputSize]],
    weights: Sequence[tvm_ffi.Tensor],
) -> Callable[..., Any]:
    """Return what calls the function for a run's sizes: that for the most of them, or `main`.

    Args:
        machine: TVM's.
        main: Takes inputs of all sizes; the weights are bound.
        sizes: Those for which there may be a function.
        weights: What these take, too.
    """
    choices: list[object] = []
    for number, some in sorted(enumerate(sizes), key=lambda n: len(n[1]), reverse=True):
        name = name_of(number)
        if machine.implements_function(name):
            machine["save_function"](name, f"run_{name}", 1, *weights)
            choices.append(tvm_ffi.Shape(tuple(n for size in some for n in size)))
            choices.append(machine[f"run_{name}"])
    # A library of an earlier version, the first of this process, cannot choose.
    make = functions().chooser
    return main if make is None or not choices else make(main, *choices)
