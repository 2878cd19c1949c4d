"""Whether a module's weights are still those that machine code computes with.

No one sign tells all that writes to a tensor. Its version counter is raised by its own in-place
operators and not by `.data`, numpy or fused optimizers; its address changes where its memory is
exchanged; optimizers say that they stepped. For the rest the memory itself is read: a part of it at
each call, and all of it in so many calls as `watched_memory` says. `refresh` saves waiting for it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from functools import cache
from typing import Any, Final

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from tvmfuse.frontend.torch.dtypes import memory_of
from tvmfuse.runtime.live_weights import LiveWeights
from tvmfuse.torch_backend.watched_memory import watched

_place: Final[Callable[[torch.Tensor], int]] = torch.Tensor.data_ptr
_version: Final[Callable[[torch.Tensor], int]] = torch.Tensor._version.__get__  # type: ignore[attr-defined]

_guards: Final = weakref.WeakSet["WeightsGuard"]()


class WeightsGuard:
    """Sees to it that machine code computes with a module's weights as they are.

    A check reads 8 kB of the weights that are held twice, or 1/512 of more than 4 MB: half a
    microsecond, and 0.05 for each weight. It must not happen while another thread computes.

    Args:
        programs: What the weights of machine code follow from.
        names: What they call the tensors that are handed to `check`, in order.
        tensors: Those that were compiled.
    """

    def __init__(
        self,
        programs: Sequence[LiveWeights],
        names: Sequence[str],
        tensors: Sequence[torch.Tensor],
    ) -> None:
        _watch_optimizers()
        self.is_stale = False
        self._programs = [program for program in programs if program.parameters]
        self._names = tuple(names)
        self._note(tensors)
        _guards.add(self)

    @property
    def copied_nbytes(self) -> int:
        """Bytes that are held beside the module's: what is packed, folded or aligned."""
        return sum(program.copied_nbytes for program in self._programs)

    @property
    def places(self) -> frozenset[int]:
        """The addresses of the weights."""
        return frozenset(self._places)

    @property
    def copied(self) -> AbstractSet[str]:
        """The names of weights that are held beside the module's."""
        return self._copied

    def holds(self, tensors: Sequence[torch.Tensor]) -> bool:
        """Whether these are the weights that machine code computes with, as they are.

        Where it reads all of them in their own memory, that is all there is to ask. Else another
        tensor of the same memory is not the same: what is written to that raises its own version.

        Args:
            tensors: See `check`.
        """
        return (
            self.are_unwritten()
            and [*map(_place, tensors)] == self._places
            and (not self._copied or [*map(id, tensors)] == self._ids)
        )

    def are_unwritten(self) -> bool:
        """Whether nothing shows that weights were written to, as far as that matters."""
        if self.is_stale or not self._copied:
            return not self.is_stale
        if [*map(_version, self._versioned)] == self._versions and self._is_as_before():
            return True
        self.is_stale = True  # for good: the next look is at another part of the memory
        return False

    def check(self, tensors: Sequence[torch.Tensor]) -> bool:
        """Follow weights that have changed; return whether some have.

        Args:
            tensors: The module's weights now, in the order of their names.

        Raises:
            StaleModelError: The new ones take another compilation.
        """
        if self.holds(tensors):
            return False
        changed = dict(self._changed(tensors))
        for program in self._programs:
            known = program.parameters
            program.rebind({name: memory_of(t) for name, t in changed.items() if name in known})
        self._note(tensors)
        return True

    def _changed(self, tensors: Sequence[torch.Tensor]) -> Iterator[tuple[str, torch.Tensor]]:
        """Yield weights that lie elsewhere, and those that may have been written to and matter."""
        for name, tensor, place in zip(self._names, tensors, self._places, strict=True):
            if tensor.data_ptr() != place or name in self._copied:
                yield name, tensor

    def _note(self, tensors: Sequence[torch.Tensor]) -> None:
        """Remember how the weights look now."""
        self._copied = {name for program in self._programs for name in program.copied}
        copied = [t for n, t in zip(self._names, tensors, strict=True) if n in self._copied]
        self._versioned = [t for t in copied if not t.is_inference()]
        self._versions = list(map(_version, self._versioned))
        self._is_as_before = watched(copied)
        self._places, self._ids = list(map(_place, tensors)), list(map(id, tensors))
        self.is_stale = False


def refresh(module: torch.nn.Module) -> None:
    """Let machine code follow a module's weights when it runs next, whatever wrote to them.

    To be called after writes to parts of large weights by `.data`, numpy or another library, which
    raise no version: they are seen without it, but only within the next 512 calls.
    """
    held = {t.data_ptr() for t in (*module.parameters(), *module.buffers())}
    for guard in list(_guards):
        if not guard.places.isdisjoint(held):
            guard.is_stale = True


@cache
def _watch_optimizers() -> None:
    register_optimizer_step_post_hook(_stepped)


def _stepped(optimizer: torch.optim.Optimizer, _args: Any, _kwargs: Any) -> None:
    """Mark what an optimizer has written to: a fused one leaves no other trace."""
    groups: Iterable[Mapping[str, Any]] = optimizer.param_groups
    held = {tensor.data_ptr() for group in groups for tensor in group["params"]}
    for guard in list(_guards):
        if not guard.places.isdisjoint(held):
            guard.is_stale = True
