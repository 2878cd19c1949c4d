"""Random programs that pick and write elements by tensors of indices, and indices good and bad.

A program is one operator of torch's on tensors of random sizes. Several are computed by one
function, so that they are compiled at once; of its inputs one program's indices are bad at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

Compute = Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class Program:
    """One operator.

    Attributes:
        name: Says which, and of what.
        compute: Takes numbers and indices.
        numbers: Of the former's shape.
        shape: Of the indices.
        size: Of how many elements they are.
        dtype: Of them.
        masked: An index that is none, and allowed.
    """

    name: str
    compute: Compute
    numbers: Tensor
    shape: tuple[int, ...]
    size: int
    dtype: torch.dtype
    masked: int | None = None

    def good(self, rng: np.random.Generator) -> Tensor:
        """Draw indices in range."""
        drawn = rng.integers(0, self.size, self.shape)
        if self.masked is not None:
            drawn[..., :1] = self.masked
        return torch.tensor(drawn, dtype=self.dtype)

    def others(self, rng: np.random.Generator) -> Iterator[Tensor]:
        """Draw indices of which one is the last, or counts from the back, or is of no element."""
        for wrong in (self.size - 1, self.size, -1, -self.size, -self.size - 1, 1 << 30):
            drawn = self.good(rng)
            place = int(rng.integers(drawn.numel()))
            drawn.view(-1)[place] = wrong
            yield drawn


def _rows(index: Tensor, x: Tensor, axis: int) -> Tensor:
    """Return indices of a vector as those of all elements along an axis."""
    along = [1] * x.ndim
    along[axis] = -1
    shape = [*x.shape]
    shape[axis] = index.shape[0]
    return index.reshape(along).expand(shape)


def _slices(index: Tensor, x: Tensor, axis: int) -> Tensor:
    """Return what is written to places along an axis: one number, since places may be the same."""
    shape = [*x.shape]
    shape[axis] = index.shape[0]
    return torch.full(shape, 3.0)


def _put(x: Tensor, i: Tensor, axis: int, *, accumulate: bool) -> Tensor:
    # The operator itself: the method takes no None.
    put: Tensor = torch.ops.aten.index_put(x, [*[None] * axis, i], torch.tensor(3.0), accumulate)
    return put


#: By name: given an axis, what is computed. The indices are a vector, of the axis's elements.
ALONG: Final[dict[str, Callable[[int], Compute]]] = {
    "gather": lambda a: lambda x, i: x.gather(a, _rows(i, x, a)),
    "index_select": lambda a: lambda x, i: x.index_select(a, i),
    "index": lambda a: lambda x, i: x.movedim(a, 0)[i].movedim(0, -1),
    "scatter": lambda a: lambda x, i: x.scatter(a, _rows(i, x, a), _slices(i, x, a)),
    "scatter of a number": lambda a: lambda x, i: x.scatter(a, _rows(i, x, a), 2.0),
    "scatter_add": lambda a: lambda x, i: x.scatter_add(a, _rows(i, x, a), _slices(i, x, a)),
    "scatter_reduce": lambda a: (
        lambda x, i: x.scatter_reduce(a, _rows(i, x, a), _slices(i, x, a), "amax")
    ),
    "index_add": lambda a: lambda x, i: x.index_add(a, i, _slices(i, x, a), alpha=2),
    "index_copy": lambda a: lambda x, i: x.index_copy(a, i, _slices(i, x, a)),
    "index_fill": lambda a: lambda x, i: x.index_fill(a, i, 2.0),
    "index_put": lambda a: lambda x, i: _put(x, i, a, accumulate=False),
    "index_put, added": lambda a: lambda x, i: _put(x, i, a, accumulate=True),
}

#: By name: what is computed of a matrix, and the indices' shape, of its rows or of its columns.
OF_MATRICES: Final[dict[str, tuple[Compute, Callable[[int, int], tuple[int, ...]], int]]] = {
    "embedding": (lambda x, i: F.embedding(i, x), lambda _r, _c: (2, 3), 0),
    "embedding with padding": (lambda x, i: F.embedding(i, x, 1), lambda _r, _c: (4,), 0),
    "index of a matrix": (lambda x, i: x[i], lambda _r, _c: (2, 2), 0),
    "index by both axes": (lambda x, i: x[i, i % x.shape[1]], lambda _r, _c: (3,), 0),
    "index by a row and a column": (
        lambda x, i: x[i[:, None], i[None] * 0],
        lambda _r, _c: (3,),
        0,
    ),
    "cross_entropy": (F.cross_entropy, lambda r, _c: (r,), 1),
    "cross_entropy, smoothed": (
        lambda x, i: F.cross_entropy(x, i, label_smoothing=0.1, reduction="sum"),
        lambda r, _c: (r,),
        1,
    ),
    "nll_loss": (lambda x, i: F.nll_loss(x, i, reduction="none"), lambda r, _c: (r,), 1),
    "multi_margin_loss": (F.multi_margin_loss, lambda r, _c: (r,), 1),
    "nll_loss of images": (
        lambda x, i: F.nll_loss(x[..., None, None], i[:, None, None]),
        lambda r, _c: (r,),
        1,
    ),
}

#: By name: what is computed of a tensor's elements in a row, by a vector of indices.
OF_ELEMENTS: Final[dict[str, Compute]] = {
    "take": lambda x, i: x.take(i),
    "put": lambda x, i: x.put(i, torch.full((3,), 3.0)),
    # Of one number, since places may be the same.
    "max_unpool1d": lambda x, i: F.max_unpool1d(
        x.reshape(1, 1, -1)[..., :3] * 0 + 2, i.reshape(1, 1, 3), [2]
    ),
}

#: Those that eager takes int32 for.
NARROW: Final = frozenset({"index_select", "index", "index_add", "embedding", "index_put"})

MASKED: Final = frozenset({"cross_entropy", "nll_loss"})


#: Divides by a size, which torch makes a number of its own where that is symbolic: not compiled.
BY_A_SIZE: Final = "cross_entropy, smoothed"


def drawn(rng: np.random.Generator, *, dynamic: bool = False) -> Program:
    """Draw a program, which is compiled whole where sizes are symbolic, too, if that is asked."""
    names = [n for n in (*ALONG, *OF_MATRICES, *OF_ELEMENTS) if not dynamic or n != BY_A_SIZE]
    name = names[rng.integers(len(names))]
    dtype = torch.int32 if name in NARROW and rng.random() < 0.3 else torch.int64
    masked, shape = None, tuple[int, ...]()
    if name in ALONG:
        sizes = [*map(int, rng.integers(2, 6, rng.integers(1, 4)))]
        axis = int(rng.integers(len(sizes)))
        compute, shape, size = ALONG[name](axis), (int(rng.integers(1, 4)),), sizes[axis]
        said = f"{name} along {axis} of {sizes}"
    elif name in OF_MATRICES:
        sizes = [*map(int, rng.integers(3, 7, 2))]
        compute, shaped, axis = OF_MATRICES[name]
        shape, size, said = shaped(*sizes), sizes[axis], f"{name} of {sizes}"
        masked = -100 if name in MASKED and rng.random() < 0.5 else None
    else:
        sizes = [*map(int, rng.integers(2, 5, 2))]
        size = 6 if name == "max_unpool1d" else sizes[0] * sizes[1]
        compute, shape = OF_ELEMENTS[name], (3,)
        said = f"{name} of {sizes}"
    if rng.random() < 0.5:
        compute, said = _of_computed(compute), f"{said}, computed"
    numbers = torch.tensor(rng.integers(-9, 9, sizes), dtype=torch.float32)
    return Program(said, compute, numbers, shape, size, dtype, masked)


def _of_computed(compute: Compute) -> Compute:
    """Return what takes indices from which others are computed first."""
    return lambda x, i: compute(x.relu(), (i * 2 - i).to(i.dtype))


def together(programs: Sequence[Program]) -> Callable[..., list[Tensor]]:
    """Return what computes several programs, given the numbers of each and its indices."""

    def compute(*given: Tensor) -> list[Tensor]:
        pairs = zip(programs, given[::2], given[1::2], strict=True)
        return [program.compute(x, i) for program, x, i in pairs]

    return compute


def inputs(programs: Sequence[Program], rng: np.random.Generator) -> Iterator[list[Any]]:
    """Yield inputs of several programs: all indices good, then those of one program are not."""
    given = [t for program in programs for t in (program.numbers, program.good(rng))]
    yield given
    for place, program in enumerate(programs):
        for other in program.others(rng):
            yield [*given[: 2 * place + 1], other, *given[2 * place + 2 :]]
