"""A group as machine code: torch's tensors in, torch's tensors out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import torch

from tvmfuse.arrays import ALIGNMENT
from tvmfuse.build.artifact import Artifact
from tvmfuse.frontend.torch.dtypes import NAMES
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.frame import Located
from tvmfuse.tensor_spec import TensorSpec
from tvmfuse.torch_backend.boxed import boxed
from tvmfuse.torch_backend.elements import elements
from tvmfuse.torch_backend.layouts import View, strides_of_rows
from tvmfuse.torch_backend.quick_call import (
    Call,
    Input,
    Result,
    Weight,
    is_light,
    never,
    quick_call,
)

_is_negated = torch.Tensor.is_neg
# What inductor's code calls, too.
_allocate = torch._C._dynamo.guards._empty_strided_cpu  # type: ignore[attr-defined]

LARGE: Final = 1 << 20
"""The largest size that is given as a tensor of so many bytes."""

_NOTHING: Final = torch.empty(64, dtype=torch.uint8)
_TORCH: Final = {name: dtype for dtype, name in NAMES.items()}


@dataclass(frozen=True)
class Taken:
    """Where an input of the machine code comes from.

    Attributes:
        place: Of the argument.
        order: Its dimensions as they lie in memory, where they are not in rows.
        is_number: Whether it is a number, and no tensor.
        is_size: Whether that is given as a tensor of so many elements, none of which is read.
        may_be_negated: Whether its numbers may have another sign than those in memory.
    """

    place: int
    order: tuple[int, ...] | None = None
    is_number: bool = False
    is_size: bool = False
    may_be_negated: bool = True

    def __call__(self, arguments: Sequence[Any]) -> torch.Tensor:
        """Return the input, in rows as far as it is known."""
        if self.is_size:
            return _so_many(arguments[self.place])
        if self.is_number:
            return torch.scalar_tensor(arguments[self.place], dtype=torch.int64)
        found: torch.Tensor = arguments[self.place]
        return found if self.order is None else found.permute(self.order)

    def quickly(self, spec: TensorSpec) -> Input:
        """Return the input, of fixed sizes, as a quick call takes it."""
        shape = tuple(map(int, spec.shape))
        axes = range(len(shape)) if self.order is None else self.order
        strides = strides_of_rows(shape)
        # Where each of the argument's dimensions lies among the input's.
        lies = [axes.index(axis) for axis in range(len(shape))]
        return Input(
            self.place, [shape[d] for d in lies], [strides[d] for d in lies], shape, spec.dtype
        )


class CompiledGroup:
    """One group, called as the module of its nodes is.

    Any number of threads may call it at once, and children of `os.fork`. It computes on as many
    threads as torch does at that moment; what takes microseconds, on the calling one. Results have
    the strides that torch's would have, and belong to the caller: no later call changes them.
    Gradients are not recorded.

    Args:
        name: What a graph calls it.
        artifact: The machine code; takes tensors only, in rows.
        takes: For each of its inputs, where it comes from.
        gives: For each of its outputs, how it is seen.
        num_threads: How many threads compute; by default as many as torch uses.
        returns: What a call returns, by places among its outputs, then the arguments; -1 for None.
            By default its outputs.
    """

    def __init__(
        self,
        name: str,
        artifact: Artifact,
        takes: Sequence[Taken],
        gives: Sequence[View],
        num_threads: int | None = None,
        returns: Sequence[int] | None = None,
    ) -> None:
        self.__name__ = self.__qualname__ = name
        self.artifact = artifact
        self._takes = tuple(takes)
        self._inputs = _inputs(self._takes)
        asked = [take.place for take in takes if take.may_be_negated and not take.is_number]
        self._asks, self._may_be_negated = bool(asked), elements(asked)
        self._gives = tuple(gives)
        self._as_written = all(view == View() for view in gives)
        self._num_threads = num_threads
        self._returns = None if returns is None else tuple(returns)
        self._dtypes = [_TORCH[spec.dtype] for spec in artifact.manifest.inputs]
        self._results = [*map(_as_allocated, artifact.manifest.outputs)]
        self._executables: dict[int, Executable] = {}
        self._quick: Call | None = None

    @property
    def count(self) -> int:
        """How many results it has."""
        return len(self._gives)

    def open(self) -> None:
        """Open the machine code, before it is called."""
        self._loaded(self._num_threads or torch.get_num_threads())

    def within(self, places: Sequence[int], returns: Sequence[int]) -> CompiledGroup:
        """Return the same for other arguments.

        Args:
            places: Where those that it has now lie among them.
            returns: See above.
        """
        takes = [replace(take, place=places[take.place]) for take in self._takes]
        return CompiledGroup(
            self.__name__, self.artifact, takes, self._gives, self._num_threads, returns
        )

    def __call__(self, *arguments: torch.Tensor | int) -> list[torch.Tensor]:
        """Compute the group; see `call`."""
        return self.call([*arguments])

    @boxed
    def call(self, arguments: list[Any]) -> list[Any]:
        """Compute the group.

        Raises:
            InputError: The arguments are of other shapes than those that it was compiled for, or
                an index is out of range.
        """
        quick = self._quick
        if quick is None:
            return self._first(arguments)
        results = None
        if not (self._asks and any(map(_is_negated, self._may_be_negated(arguments)))):
            results = quick(arguments)
        return self.carefully(arguments) if results is None else results

    def carefully(self, arguments: list[Any]) -> list[Any]:
        """Compute the group, whatever the arguments are like; see `call`."""
        results = self._computed(arguments)
        if not self._as_written:
            results = [view(result) for view, result in zip(self._gives, results, strict=True)]
        if self._returns is None:
            return results
        there = [*results, *arguments, None]
        return [there[place] for place in self._returns]

    def watching(self, weights: Sequence[Weight]) -> Call | None:
        """Return what computes the group as long as some arguments lie where they do now.

        Args:
            weights: Those arguments.

        Returns:
            What returns None where `carefully` has to be asked. None where there is no such
            function, or not before the first call.
        """
        executable = next(iter(self._executables.values()), None)
        if executable is None or any(take.is_number for take in self._takes):
            return None
        if not is_light(self.artifact.manifest.kernels):
            return None
        main = executable.on_cpu.of_fixed_sizes()
        if main is None:
            return None
        inputs, results = self.artifact.manifest.inputs, self.artifact.manifest.outputs
        return quick_call(
            main,
            [take.quickly(spec) for take, spec in zip(self._takes, inputs, strict=True)],
            weights,
            [_quickly(view, spec) for view, spec in zip(self._gives, results, strict=True)],
            range(self.count) if self._returns is None else self._returns,
        )

    @property
    def asks(self) -> bool:
        """Whether each call has to ask for sign bits, which `watching` does not."""
        return self._asks

    def _first(self, arguments: list[Any]) -> list[Any]:
        """Compute it, and find out how later calls may."""
        returned = self.carefully(arguments)
        # Where weights follow from parameters, somebody has to look at those before.
        is_live = self.artifact.live_weights is not None
        self._quick = never if is_live else self.watching(()) or never
        return returned

    def _computed(self, arguments: list[Any]) -> list[torch.Tensor]:
        """Return what the machine code gives."""
        tensors = self._inputs(arguments)
        threads = self._num_threads or torch.get_num_threads()
        executable = self._loaded(threads)
        lie = None
        if not (self._asks and any(map(_is_negated, self._may_be_negated(arguments)))):
            lie = self._located(tensors)
        if lie is not None:
            return executable.call_located(lie, self._make)
        # An operator's fake kernel may have told another dtype than the operator gives.
        told = zip(tensors, self._dtypes, strict=True)
        rows = [tensor.to(dtype).contiguous() for tensor, dtype in told]
        return executable.call(rows, like="torch")

    def _located(self, tensors: Sequence[torch.Tensor]) -> list[Located] | None:
        """Return where tensors lie; None where kernels cannot read one there."""
        found = list[Located]()
        for tensor, dtype in zip(tensors, self._dtypes, strict=True):
            begin = tensor.data_ptr()
            if not begin or begin % ALIGNMENT or tensor.dtype is not dtype:
                return None
            if not tensor.is_contiguous():
                return None
            found.append((begin, tensor.shape))
        return found

    def _make(self, place: int, shape: Sequence[int]) -> tuple[torch.Tensor, int]:
        """Return memory for a result of the machine code: what torch allocates, it frees soon."""
        known, strides, dtype = self._results[place]
        made = _allocate(known, strides, dtype) if strides else torch.empty(shape, dtype=dtype)
        return made, made.data_ptr()

    def _loaded(self, threads: int) -> Executable:
        if (found := self._executables.get(threads)) is not None:
            return found
        found = self.artifact.load(num_threads=threads)
        # Of two threads that come here at once, both take the first one's.
        return self._executables.setdefault(threads, found)


@dataclass(frozen=True)
class _Claimed:
    """Tells numpy of more bytes than there are, as nobody reads them."""

    __array_interface__: Mapping[str, Any]


def _so_many(count: int) -> torch.Tensor:
    """Return a tensor of a size that nobody reads; one that is large takes no memory for it."""
    if count <= LARGE:
        return torch.empty(count, dtype=torch.uint8)
    told = {"version": 3, "data": (_NOTHING.data_ptr(), False), "shape": (count,), "typestr": "|u1"}
    return torch.from_numpy(np.asarray(_Claimed(told)))


def _as_allocated(spec: TensorSpec) -> tuple[Any, ...]:
    """Return what a result is allocated by; of symbolic sizes, which none is, no strides."""
    shape = tuple(spec.shape)
    sizes = [size for size in shape if isinstance(size, int)]
    strides = strides_of_rows(sizes) if len(sizes) == len(shape) else ()
    return shape, strides, _TORCH[spec.dtype]


def _quickly(view: View, spec: TensorSpec) -> Result:
    """Return a result that is allocated as it is seen."""
    shape = tuple(map(int, spec.shape))
    seen, strides = shape, strides_of_rows(shape)
    if view.shape is not None:
        seen, strides = view.shape, view.strides
    elif view.order is not None:
        seen, strides = (tuple(s[axis] for axis in view.order) for s in (shape, strides))
    return Result((seen, strides, _TORCH[spec.dtype]), shape, spec.dtype)


def _inputs(takes: Sequence[Taken]) -> Callable[[Sequence[Any]], Sequence[torch.Tensor]]:
    """Return what makes inputs of arguments."""
    if any(take.order is not None or take.is_number for take in takes):
        return lambda arguments: [take(arguments) for take in takes]
    return elements([take.place for take in takes])
