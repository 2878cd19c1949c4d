"""Artifacts in the kernel cache: all but the weights that follow from parameters.

Of those the recipes are kept, and what they give is computed again when an artifact is taken out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

import numpy as np

from tvmfuse.arrays import aligned, numpy_dtype
from tvmfuse.build.artifact import Artifact, LibraryCode
from tvmfuse.build.elf import check_whole
from tvmfuse.build.kernels.cache import Entry
from tvmfuse.errors import ArtifactError, first_line
from tvmfuse.format.faults import MalformedError
from tvmfuse.format.record import typed
from tvmfuse.manifest import Manifest
from tvmfuse.recipe_json import CannotBeWrittenError, from_json, to_json
from tvmfuse.recipes import Parameter, Recipe, value_of
from tvmfuse.report import OptimizationReport
from tvmfuse.runtime.failures import StoppedError
from tvmfuse.runtime.functions import MAIN

MOST: Final = 1 << 24
"""Bytes of the weights in an entry: those that follow from no parameter."""


@dataclass(frozen=True)
class _Weight:
    """A weight: of which dtype and shape, and whether it follows from parameters."""

    dtype: str
    shape: tuple[int, ...]
    follows: bool

    @property
    def nbytes(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64)) * numpy_dtype(self.dtype).itemsize


@dataclass(frozen=True)
class _Header:
    """What an entry says; the library and the other weights are its code, one behind the other."""

    manifest: Manifest
    report: Mapping[str, Any]
    launches: tuple[str, ...]
    aliased_outputs: tuple[int, ...]
    library: int
    weights: tuple[_Weight, ...]
    recipes: list[Any]


def entry_of(artifact: Artifact) -> Entry | None:
    """Return an artifact as the cache keeps it; None for one that it does not.

    It keeps none that no linker has linked, that has a GPU's code, more than `MOST` bytes of
    weights of its own, or a weight whose recipe cannot be written.
    """
    code = artifact.code
    if not isinstance(code, LibraryCode) or code.library is None or code.device_code is not None:
        return None
    own = [weight for place, weight in enumerate(code.weights) if place not in code.recipes]
    if code.defaults or sum(weight.nbytes for weight in own) > MOST:
        return None
    try:
        recipes = to_json([code.recipes[place] for place in sorted(code.recipes)])
    except CannotBeWrittenError:
        return None
    header = {
        "manifest": artifact.manifest.to_json(),
        "report": artifact.report.to_json(),
        "launches": artifact.launches,
        "aliased_outputs": code.aliased_outputs,
        "library": len(code.library),
        "weights": [
            {"dtype": w.dtype.name, "shape": w.shape, "follows": place in code.recipes}
            for place, w in enumerate(code.weights)
        ],
        "recipes": recipes,
    }
    return Entry(header, b"".join([code.library, *(weight.tobytes() for weight in own)]))


def artifact_of(entry: Entry, parameters: Mapping[str, Parameter]) -> Artifact:
    """Return the artifact of an entry, for the parameters as they are.

    Args:
        entry: As `entry_of` returned it.
        parameters: What its weights follow from, by name.

    Raises:
        MalformedError: It is no such entry, or of other parameters, or this system cannot load it.
        NotFiniteError: It holds for finite numbers only, and they are not.
    """
    said = typed(_Header, entry.header)
    recipes = _recipes(said, parameters)
    library = entry.code[: said.library]
    check_whole(library)
    code = LibraryCode(
        None,
        library,
        _weights(said, entry.code, recipes, parameters),
        (),
        None,
        said.aliased_outputs,
        recipes,
    )
    try:
        report = OptimizationReport.from_json(said.report)
    except (LookupError, TypeError) as error:
        raise MalformedError(f"no report says {error!r}") from error
    _load(code)
    return Artifact(said.manifest, report, said.launches, code)


def _load(code: LibraryCode) -> None:
    """Load a library now, while it can still be made anew."""
    try:
        code.functions.function(MAIN)
    except (ArtifactError, StoppedError) as error:
        raise MalformedError(first_line(error)) from error


def _recipes(said: _Header, parameters: Mapping[str, Parameter]) -> dict[int, Recipe]:
    places = [place for place, weight in enumerate(said.weights) if weight.follows]
    try:
        return dict(zip(places, from_json(said.recipes, parameters), strict=True))
    except ValueError as error:
        raise MalformedError(str(error)) from error


def _weights(
    said: _Header,
    content: bytes,
    recipes: Mapping[int, Recipe],
    parameters: Mapping[str, Parameter],
) -> Sequence[np.ndarray]:
    sizes = [0 if weight.follows else weight.nbytes for weight in said.weights]
    *begins, end = accumulate(sizes, initial=said.library)
    if end != len(content):
        raise MalformedError(f"its parts have {end} bytes, it has {len(content)}")
    arrays = {name: parameter.array for name, parameter in parameters.items()}
    weights = []
    for place, (weight, begin) in enumerate(zip(said.weights, begins, strict=True)):
        if weight.follows:
            array = _again(recipes[place], arrays)
        else:
            part = content[begin : begin + weight.nbytes]
            array = np.frombuffer(part, numpy_dtype(weight.dtype)).reshape(weight.shape)
        if (array.dtype.name, array.shape) != (weight.dtype, weight.shape):
            raise MalformedError(f"weight {place} is another one")
        weights.append(aligned(array))
    return weights


def _again(recipe: Recipe, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    try:
        array: np.ndarray = value_of(recipe, arrays)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise MalformedError(f"a recipe fails: {error!r:.200}") from error
    return array
