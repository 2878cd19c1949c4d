"""Models in parts, some of which are not compiled: run one after the other."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from tvmfuse.arrays import stored
from tvmfuse.errors import ConfigurationError, DamagedArtifactError, InputError
from tvmfuse.manifest import OURS, Kernel, Manifest, Part
from tvmfuse.runtime.any_feeds import check_any_feeds, is_tensor
from tvmfuse.runtime.apart import check_shares
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.feeds import no_tensors
from tvmfuse.runtime.other_parts import OtherPart
from tvmfuse.runtime.results import Kind, as_kind, checked_kind, kind_of
from tvmfuse.runtime.timed_run import TimedRun

Runnable: TypeAlias = Executable | OtherPart
Values: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class PartTime:
    """How long one part took in one run, in milliseconds from the run's begin on."""

    part: Part
    begin: float
    milliseconds: float


class PartitionedExecutable(Executable):
    """A model in parts that can be called, from any number of threads at once.

    Values go from part to part as numpy's arrays, and are freed after the last part that reads
    them. What an input may be, beside tensors: strings, lists for sequences, None for optional
    values that are absent.

    Args:
        manifest: What the model says of itself.
        parts: What computes its parts, in order.
    """

    def __init__(self, manifest: Manifest, parts: Sequence[Runnable]) -> None:
        self.manifest = manifest
        self._parts = list(zip(manifest.parts, parts, strict=True))
        for number, (part, runs) in enumerate(self._parts):
            _check_names(manifest.name, number, part, runs)
        self._last_reads = _last_reads(manifest)

    def call(
        self,
        tensors: Sequence[Any] | Mapping[str, Any],
        /,
        *,
        like: Kind | None = None,
        share: bool = False,
    ) -> list[Any]:
        """Run the model on tensors on the CPU; see `Executable.call`.

        Raises:
            InputError: The tensors do not fit the model.
            ConfigurationError: `like` is no kind of tensors, or torch is not installed; or outputs
                are to share memory, which they cannot.
        """
        kind = kind_of(tensors) if like is None else checked_kind(like)
        if share:
            check_shares(self.manifest)
        outputs = self._steps(self._tensors(self._named(tensors)), None)
        return [_of_kind(output, kind) for output in outputs]

    def bound(self, feeds: Mapping[str, Any]) -> Callable[[], object]:
        """Check the inputs once, and return a function that runs the model on them.

        Raises:
            InputError: The inputs do not fit the model.
        """
        values = self._tensors(feeds)
        return lambda: self._steps(values, None)

    def timed(self, feeds: Mapping[str, Any]) -> TimedRun:
        """Run the model, and return each kernel with its time, a part that is not compiled as one.

        A part of ours runs twice: once for what it gives, and once for its times alone.

        Raises:
            InputError: The inputs do not fit the model.
        """
        launches: list[tuple[Kernel, float, float]] = []
        begin = 0.0

        def seen(number: int, part: Part, given: Values, milliseconds: float) -> None:
            nonlocal begin
            runs = self._parts[number][1]
            if isinstance(runs, Executable):
                run = runs.timed(given)
                milliseconds = run.milliseconds
                launches.extend(
                    (kernel_of_part(number, kernel), begin + start, took)
                    for kernel, start, took in run.launches
                )
            else:
                kernel = foreign_kernel(number, part)
                launches.append((kernel, begin, milliseconds))
            begin += milliseconds

        self._steps(self._tensors(feeds), seen)
        return TimedRun(begin, launches)

    def part_times(self, feeds: Mapping[str, Any]) -> list[PartTime]:
        """Run the model once, and return what each part took, in order.

        Raises:
            InputError: The inputs do not fit the model.
        """
        times: list[PartTime] = []
        start = time.perf_counter()

        def seen(_number: int, part: Part, _given: Values, milliseconds: float) -> None:
            end = 1e3 * (time.perf_counter() - start)
            times.append(PartTime(part, end - milliseconds, milliseconds))

        self._steps(self._tensors(feeds), seen)
        return times

    def sizes(self, feeds: Mapping[str, Any]) -> dict[str, int]:
        """Return what the symbolic dimensions are for some inputs, by their names.

        Raises:
            InputError: The inputs do not fit the model.
        """
        return {
            name: int(size)
            for spec, value in zip(self.inputs, self._tensors(feeds), strict=True)
            if is_tensor(spec)
            for name, size in zip(spec.shape, value.shape, strict=True)
            if isinstance(name, str)
        }

    def watch(
        self,
        feeds: Mapping[str, Any],
        seen: Callable[[int, Sequence[np.ndarray]], None],
    ) -> None:
        """Refuse to show what is inside: not all of it is compiled.

        Raises:
            ConfigurationError: Always.
        """
        del feeds, seen
        raise ConfigurationError(
            f"{self.manifest.name} has parts that are not compiled, into which nobody looks: ask "
            "for its outputs alone"
        )

    def __repr__(self) -> str:
        handed = self.manifest.handed_words
        others = f", in onnxruntime {handed}" if handed else ""
        return f"{super().__repr__()[:-1]}{others})"

    def _named(self, tensors: Sequence[Any] | Mapping[str, Any]) -> Mapping[str, Any]:
        if isinstance(tensors, Mapping):
            return tensors
        if not isinstance(tensors, list | tuple):
            raise no_tensors(tensors)
        names = [spec.name for spec in self.inputs]
        if len(tensors) != len(names):
            said = ", ".join(map(repr, names)) or "none"
            raise InputError(f"expected {len(names)} tensors ({said}), found {len(tensors)}")
        return dict(zip(names, tensors, strict=True))

    def _tensors(self, feeds: Any) -> list[Any]:
        return check_any_feeds(self.inputs, feeds)

    def _run(self, arrays: Sequence[Any], places: Sequence[int]) -> list[Any]:
        outputs = self._steps(arrays, None)
        return [outputs[place] for place in places]

    def _steps(
        self,
        tensors: Sequence[Any],
        seen: Callable[[int, Part, Values, float], None] | None,
    ) -> list[Any]:
        """Run the parts in order; tell what each was given, and what it took."""
        fed = dict(zip((spec.name for spec in self.inputs), tensors, strict=True))
        values = dict(fed)
        for number, (part, runs) in enumerate(self._parts):
            given = {name: values[name] for name in part.inputs}
            start = time.perf_counter()
            made = runs.run(None, given) if isinstance(runs, Executable) else runs.run(given)
            if seen is not None:
                seen(number, part, given, 1e3 * (time.perf_counter() - start))
            values.update(zip(part.outputs, made, strict=True))
            for name in self._last_reads[number]:
                del values[name]
        return _own([values[spec.name] for spec in self.outputs], fed.values())


def _of_kind(output: Any, kind: Kind) -> Any:
    if kind == "numpy" or not isinstance(output, np.ndarray) or output.dtype == object:
        return output
    return as_kind(stored(output), kind)


def kernel_of_part(number: int, kernel: Kernel) -> Kernel:
    """Return a kernel of a part, which other parts may have, too, as the whole model's."""
    return replace(kernel, symbol=f"part{number}/{kernel.symbol}")


def foreign_kernel(number: int, part: Part) -> Kernel:
    """Return what stands for a part that is not compiled in the list of kernels."""
    nodes = tuple(node.name for node in part.nodes)
    return Kernel(f"part{number}/{part.engine}", nodes, part.engine)


def _check_names(name: str, number: int, part: Part, runs: Runnable) -> None:
    """Compare what a part reads and gives with what is said of it.

    Raises:
        DamagedArtifactError: It is something else.
    """
    if isinstance(runs, Executable):
        found = {s.name for s in runs.inputs}, tuple(s.name for s in runs.outputs)
        fits = part.engine == OURS
    else:
        found = set(runs.inputs), runs.outputs
        fits = part.engine != OURS
    if not fits or found != (set(part.inputs), part.outputs):
        raise DamagedArtifactError(
            f"{name}: part {number} is not what is said of it: expected {part.engine} with "
            f"{', '.join(part.inputs)!r:.60} to {', '.join(part.outputs)!r:.60}; compile the model "
            "again"
        )


def _last_reads(manifest: Manifest) -> list[list[str]]:
    """Name for each part the values that no later part reads, and that are no outputs."""
    kept = {spec.name for spec in manifest.outputs}
    found: list[list[str]] = []
    for part in reversed(manifest.parts):
        done = [n for n in dict.fromkeys((*part.inputs, *part.outputs)) if n not in kept]
        found.append(done)
        kept.update(done)
    return found[::-1]


def _own(outputs: Sequence[Any], fed: Iterable[Any]) -> list[Any]:
    """Return the outputs, copies of those that are inputs of the caller's or stand there twice."""
    others, found = list(fed), list[Any]()
    for output in outputs:
        known = any(output is other for other in others)
        found.append(copy.deepcopy(output) if known else output)
        others.append(output)
    return found
