"""On how many threads, and at which sizes, a model is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tvmfuse.measure.results.conditions import Conditions
from tvmfuse.measure.sizes import sizes_in
from tvmfuse.size_ranges import fixed_sizes
from tvmfuse.target.host_cpu import computing
from tvmfuse.tensor_spec import TensorSpec

if TYPE_CHECKING:
    from tvmfuse.measure.agreement import Array
    from tvmfuse.pipeline.settings import CompileSettings


def conditions_of(
    threads: Sequence[int | None],
    compiled_with: CompileSettings,
    specs: Sequence[TensorSpec],
    feeds: Mapping[str, Array],
    *,
    assumed: bool,
) -> Conditions:
    """Return under which conditions something runs.

    Args:
        threads: What was asked for, by each variant; None: one on each core.
        compiled_with: Has the sizes and shapes that somebody fixed.
        specs: The inputs.
        feeds: Their arrays.
        assumed: Whether nobody gave the arrays, and so the sizes that nobody fixed.
    """
    each = tuple(map(computing, threads))
    free = sizes_in(specs, feeds)
    return Conditions(
        threads=each[0] if len({*each}) == 1 else each,
        sizes={**fixed_sizes(compiled_with.dims), **free},
        shapes=_fixed_shapes(compiled_with),
        assumed=tuple(free) if assumed else (),
    )


def _fixed_shapes(compiled_with: CompileSettings) -> dict[str, Sequence[int]]:
    """Return the shapes that somebody gave without a range in them."""
    shapes = compiled_with.shapes or {}
    given = {name: shape for name, shape in shapes.items() if shape is not None}
    numbers = {n: [d for d in shape if isinstance(d, int)] for n, shape in given.items()}
    return {n: numbers[n] for n, shape in given.items() if len(numbers[n]) == len(shape)}
