"""Whether tensors' memory is as it was, whatever wrote to it: see ``watched_memory.c``.

At each call a part of the memory is read, and another one at the next, so that all of it has been
after at most `TURNS` calls. The structures here are those of that file.
"""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Callable, Sequence
from ctypes import POINTER, c_char, c_int64, c_void_p
from functools import cache, partial
from typing import Final, TypeAlias

import torch

from tvmfuse.runtime.launcher import has_one
from tvmfuse.torch_backend.quick_call import method_of, method_with

GRANULE: Final = 1024
"""Bytes in one piece that a call reads; what it reads next lies further on."""

LEAST: Final = 8 * GRANULE
"""Bytes that each call reads, if there are so many: it takes half a microsecond."""

LANES: Final = 4
"""A digest has so many words of 64 bits."""

TURNS: Final = 512
"""After so many calls all memory has been read."""

IsAsBefore: TypeAlias = Callable[[], object]
"""Returns something true if the memory is as it was, as far as this call looks."""


def watched(tensors: Sequence[torch.Tensor]) -> IsAsBefore:
    """Return what tells whether tensors lie where they do, and their memory is as it is now.

    A change of one number of 32 bits, or fewer bits, is seen for sure, and any other one but for
    one in about 2^32, by the call that reads it. That is the next one if there are no more than
    `LEAST` bytes; with more, one of the next `calls_until_all_is_read`.

    Args:
        tensors: They are held.
    """
    held = [tensor for tensor in tensors if tensor.numel()]
    if not held:
        return lambda: True  # whether or not there is machine code yet
    regions = [(tensor.data_ptr(), _nbytes(tensor)) for tensor in held]
    turns = calls_until_all_is_read([size for _, size in regions])
    method = _method() if has_one() else None
    if method is None:
        return _Slowly(held, regions, turns)
    listed = [_Region(id(tensor), *region) for tensor, region in zip(held, regions, strict=True)]
    there, digests = (_Region * len(held))(*listed), (c_int64 * (LANES * turns))()
    look = method_with(method, _Watched(len(held), turns, 0, there, digests), held)
    look(None)
    return partial(look, True)  # noqa: FBT003 - what it returns


def calls_until_all_is_read(sizes: Sequence[int]) -> int:
    """Return how many calls it takes to read memory of these sizes, in bytes."""
    granules = sum(-(-size // GRANULE) for size in sizes)
    return min(TURNS, max(1, -(-granules * GRANULE // LEAST)))


class _Slowly:
    """The same in Python, where there is no code for it: as a file of an older version came first.

    Args:
        tensors: They are held.
        regions: Of each, its address and how many bytes it has.
        turns: How many calls read all of them.
    """

    def __init__(
        self, tensors: Sequence[torch.Tensor], regions: Sequence[tuple[int, int]], turns: int
    ) -> None:
        self._tensors, self._regions = tensors, regions
        self._turns, self._turn = turns, 0
        self._digests = [self._digest(turn) for turn in range(turns)]

    def __call__(self) -> bool:
        """See `IsAsBefore`."""
        if [t.data_ptr() for t in self._tensors] != [place for place, _ in self._regions]:
            return False
        turn, self._turn = self._turn, (self._turn + 1) % self._turns
        return self._digest(turn) == self._digests[turn]

    def _digest(self, turn: int) -> int:
        digest, start = 0, turn * GRANULE
        for place, size in self._regions:
            memory = memoryview((c_char * size).from_address(place))
            for begin in range(start, size, self._turns * GRANULE):
                digest = zlib.crc32(memory[begin : begin + GRANULE], digest)
                start = begin + self._turns * GRANULE
            start -= -(-size // GRANULE) * GRANULE
        return digest


class _Region(ctypes.Structure):
    _fields_ = (("tensor", c_void_p), ("data", c_void_p), ("byte_count", c_int64))


class _Watched(ctypes.Structure):
    _fields_ = (
        ("region_count", c_int64),
        ("turn_count", c_int64),
        ("turn", c_int64),
        ("regions", POINTER(_Region)),
        ("digests", POINTER(c_int64)),
    )


@cache
def _method() -> int | None:
    return method_of("tvmfuse_watched_memory")


def _nbytes(tensor: torch.Tensor) -> int:
    """Return how many bytes there are from a tensor's first element to its last one."""
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    return (sum((size - 1) * step for size, step in steps) + 1) * tensor.element_size()
