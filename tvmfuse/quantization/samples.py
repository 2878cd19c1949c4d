"""Calibration data: samples that are read one by one, checked, and a few of them kept."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from tvmfuse.errors import InputError, TvmfuseError, UncalibratedWarning, first_line
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.inputs import random_inputs, read_inputs
from tvmfuse.progress import Progress, Step, silent
from tvmfuse.runtime.feeds import check_feeds
from tvmfuse.size_ranges import GivenSizes
from tvmfuse.tensor_spec import TensorSpec

GivenSamples: TypeAlias = "Iterable[Mapping[str, Any]] | str | os.PathLike[str] | None"
"""Mappings from inputs to arrays; or a file, or a folder of files, of one sample each."""

RANDOM: Final = 8
"""Random samples, where none are given."""
KEPT: Final = 16
"""Samples on which the models are compared: the first ones, which stay in memory."""
SUFFIXES: Final = (".npz", ".npy")


@dataclass
class Samples:
    """Samples on their way to the quantizer, which asks for one after the other.

    Attributes:
        source: Where they come from.
        specs: The model's inputs.
        count: How many there are; None where only their end will tell.
        random: Whether they are random numbers.
        progress: Is told of each.
        kept: The first `KEPT` of those that were read.
        read: How many were.
        infinite: The first of them with a minus infinity, in words; empty where there is none.
    """

    source: Iterator[Mapping[str, Any]]
    specs: Sequence[TensorSpec]
    count: int | None
    random: bool
    progress: Progress
    kept: list[dict[str, Array]] = field(default_factory=list)
    read: int = 0
    infinite: str = ""

    def get_next(self) -> dict[str, Array] | None:
        """Return the next sample, None at the end: what `worker` asks for.

        Raises:
            InputError: It does not fit the model, has a NaN or an infinity (that of a mask, which
                is negative, is taken), or cannot be made; or there is none at all.
        """
        words = f"sample {self.read + 1}"
        try:
            given = next(self.source, None)
        except (TvmfuseError, MemoryError):
            raise
        except Exception as error:  # what makes samples may raise anything
            why = f"{type(error).__name__}: {first_line(error)}"
            raise InputError(f"calibration {words} cannot be made: {why}") from error
        if given is None:
            if not self.read:
                raise InputError(
                    "expected calibration data, found no sample: is an iterator used up?"
                )
            return None
        share = self.read / self.count if self.count else None
        self.progress(words if share is None else Step(words, share))
        try:
            arrays = check_feeds(self.specs, given)
        except InputError as error:
            raise InputError(
                f"calibration {words}: {error}; a sample is what one run takes"
            ) from error
        sample = {spec.name: array for spec, array in zip(self.specs, arrays, strict=True)}
        for name, array in sample.items():
            self._check_numbers(f"calibration {words}", name, array)
        if self.read < KEPT:
            self.kept.append(sample)
        self.read += 1
        return sample

    def _check_numbers(self, words: str, name: str, array: Array) -> None:
        """Refuse numbers that would leave a range without an end, or be left out of it."""
        if array.dtype.kind not in "fV":
            return
        numbers = array if array.dtype.kind == "f" else array.astype(np.float32)
        places = np.argwhere(np.isnan(numbers) | (numbers == np.inf))
        if len(places):
            found, index = numbers[tuple(places[0])], ", ".join(map(str, places[0]))
            raise InputError(
                f"{words}: input {name!r} has {found} at [{index}], the first of {len(places)} "
                "such numbers, which have no range: leave the sample out, or mend what makes it"
            )
        if not self.infinite and (numbers == -np.inf).any():
            self.infinite = f"{words} has a minus infinity in input {name!r}"

    def keep(self) -> None:
        """Read the samples that are kept, and no others.

        Raises:
            InputError: One does not fit the model, or there is none.
        """
        while len(self.kept) < KEPT and self.get_next() is not None:
            pass

    def replayed(self) -> Samples:
        """Return the samples that were kept, as ones that nobody has read yet."""
        count = len(self.kept)
        return replace(self, source=iter(self.kept), count=count, kept=[], read=0, progress=silent)


def samples_of(
    given: GivenSamples,
    specs: Sequence[TensorSpec],
    *,
    dims: GivenSizes | None,
    seed: int,
    progress: Progress,
) -> Samples:
    """Return the samples of calibration data; where it is None, random ones, with a warning.

    Args:
        given: See `quantize`.
        specs: The model's inputs.
        dims: Of random samples, the sizes of symbolic dimensions.
        seed: Of random samples.
        progress: Is told of each sample.

    Raises:
        InputError: It is no iterable, or there are no such files.
        ConfigurationError: `dims` do not fit the model.
    """
    if given is None:
        warnings.warn(
            f"no calibration data: {RANDOM} random inputs take its place, and what is measured on "
            "them says little about real data",
            UncalibratedWarning,
            stacklevel=3,
        )
        drawn = [random_inputs(specs, dims=dims, seed=seed + i) for i in range(RANDOM)]
        return Samples(iter(drawn), specs, RANDOM, random=True, progress=progress)
    if isinstance(given, str | os.PathLike):
        files = _files(Path(given))
        read = (read_inputs((str(file),), specs) for file in files)
        return Samples(read, specs, len(files), random=False, progress=progress)
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        found = "one mapping: put it into a list" if isinstance(given, Mapping) else repr(given)
        raise InputError(f"expected calibration data as an iterable of mappings, found {found}")
    count = len(given) if isinstance(given, Sequence) else None
    return Samples(iter(given), specs, count, random=False, progress=progress)


def _files(place: Path) -> list[Path]:
    """Return the files of samples, in the order of their names."""
    if place.is_file():
        return [place]
    try:
        found = sorted(file for file in place.iterdir() if file.suffix in SUFFIXES)
    except OSError as error:
        raise InputError(f"cannot read calibration data {place}: {error.strerror}") from error
    if not found:
        raise InputError(f"{place} has no file of calibration data, which end in .npz or .npy")
    return found
