"""A graph for inference whose parameters are constants for the passes, and still fresh."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.fx import GraphModule

from tvmfuse.errors import StaleModelError
from tvmfuse.frontend.torch.dtypes import NAMES
from tvmfuse.torch_backend.boxed import boxed
from tvmfuse.torch_backend.compiled_graph import CompiledGraph
from tvmfuse.torch_backend.elements import elements
from tvmfuse.torch_backend.frozen import with_constants
from tvmfuse.torch_backend.quick_call import Call, Weight
from tvmfuse.torch_backend.weights import WeightsGuard

MOST: Final = 64
"""Modules that have machine code of their own; of more, one takes over another's."""

ROUNDS: Final = 4
"""So many rounds over all modules without a call, and one is taken to be gone."""


@dataclass
class _Entry:
    """The graph, compiled for some parameters.

    Attributes:
        made: What runs it; nodes in eager read parameters from its module's attributes.
        guard: Sees to it that they are fresh.
        used: Its last call, counted over all entries.
        quick: What runs it while they lie where they do, if anything does.
        is_tried: Whether a call has shown whether there can be such a thing.
    """

    made: CompiledGraph
    guard: WeightsGuard
    used: int
    quick: Call | None = None
    is_tried: bool = False


class LiveGraph:
    """Takes what its graph does, and follows the parameters that it is given.

    Dynamo runs one graph for all modules that look alike. Parameters that are other tensors than
    before have it compiled for them, too.

    Args:
        graph: Takes parameters and others.
        places: Of the parameters among the arguments.
        compiled: Compiles a graph that takes the same, and has the parameters as attributes.
    """

    def __init__(
        self,
        graph: GraphModule,
        places: Sequence[int],
        compiled: Callable[[GraphModule], CompiledGraph],
    ) -> None:
        self._graph, self._compiled = graph, compiled
        self._places = tuple(places)
        self._parameters = elements(places)
        self._entries: dict[tuple[int, ...], _Entry] = {}
        self._last: _Entry | None = None
        self._calls = 0

    @boxed
    def call(self, arguments: list[Any]) -> Any:
        """Run the graph."""
        entry = self._last
        if entry is None or entry.quick is None or not entry.guard.are_unwritten():
            return self._carefully(arguments)
        results = entry.quick(arguments)
        if results is None:
            return self._carefully(arguments)
        self._calls += 1
        entry.used = self._calls
        return results

    def _carefully(self, arguments: list[Any]) -> Any:
        given = self._parameters(arguments)
        entry = self._last
        if entry is None or not entry.guard.holds(given):
            entry = self._last = self._checked(given)
        self._calls += 1
        entry.used = self._calls
        results = entry.made.call(arguments)
        if not entry.is_tried:
            entry.quick, entry.is_tried = self._quickly(entry, given), True
        return results

    def _quickly(self, entry: _Entry, given: Sequence[torch.Tensor]) -> Call | None:
        """Return what runs the graph while parameters lie where they do, if anything can."""
        whole, copied = entry.made.whole, entry.guard.copied
        if whole is None or whole.asks:
            return None
        places = zip(self._places, given, strict=True)
        weights = [Weight(place, tensor, _name(place) in copied) for place, tensor in places]
        return whole.watching(weights)

    def _checked(self, given: Sequence[torch.Tensor]) -> _Entry:
        """Return what computes with parameters as they are now."""
        entry = self._entries.get(tuple(map(id, given))) or self.follow(given)
        try:
            if entry.guard.check(given):
                entry.quick, entry.is_tried = None, False
                self._told(entry, given)
        except StaleModelError:
            return self._compile(given)
        return entry

    def follow(self, tensors: Sequence[torch.Tensor]) -> _Entry:
        """Return what is compiled for parameters, in the order of their places."""
        oldest = self._calls - ROUNDS * len(self._entries)
        self._entries = {ids: e for ids, e in self._entries.items() if e.used >= oldest}
        if len(self._entries) < MOST:
            return self._compile(tensors)
        least = min(self._entries, key=lambda ids: self._entries[ids].used)
        entry = self._entries[tuple(map(id, tensors))] = self._entries.pop(least)
        return entry

    def _compile(self, tensors: Sequence[torch.Tensor]) -> _Entry:
        with unset_fake_temporarily():
            held = dict(zip(self._places, tensors, strict=True))
            live = {p: torch.nn.Parameter(t.detach(), requires_grad=False) for p, t in held.items()}
            made = self._compiled(with_constants(self._graph, live))
            found = [group.compiled.artifact.live_weights for group in made.groups]
            programs = [weights for weights in found if weights is not None]
            for group in made.groups:
                group.compiled.open()  # the code that looks at weights is in there
            guard = WeightsGuard(programs, list(map(_name, self._places)), tensors)
        entry = _Entry(made, guard, self._calls)
        self._entries[tuple(map(id, tensors))] = entry
        return entry

    def _told(self, entry: _Entry, tensors: Sequence[torch.Tensor]) -> None:
        """Let nodes in eager read parameters where they lie now."""
        for place, tensor in zip(self._places, tensors, strict=True):
            held = getattr(entry.made.module, _name(place), None)
            if isinstance(held, torch.Tensor):
                held.data = tensor.detach()


def can_be_followed(tensor: object) -> bool:
    """Whether an argument is a parameter whose memory machine code can read."""
    return (
        isinstance(tensor, torch.Tensor)
        and tensor.device.type == "cpu"
        and tensor.layout is torch.strided
        and tensor.dtype in NAMES
        and not tensor.is_neg()
    )


def _name(place: int) -> str:
    return f"frozen_{place}"
