"""What a model takes and gives: names, dtypes, sizes, and what has to hold among the sizes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Size: TypeAlias = int | str | tuple[Any, ...]
"""A number, a symbolic dimension's name, or a sign and two sizes: ``("*", "n", 2)``."""

SIGNS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": lambda a, b: a // b if b else 0,
    "%": lambda a, b: a % b if b else 0,
    "min": min,
    "max": max,
}


GRANTED: Final = ", as torch.export took for granted"
"""Behind a condition in Python, which the program supposes of its sizes."""

CONDITIONS: Final = (GRANTED, " cannot follow", ": compile with dims= for that)")
"""Behind the words of conditions that may be no equations."""

ASSUMED: Final = " (a size of 1 is broadcast where dims= fixes it)"
"""Behind the words of equations that stand for a broadcast, which no kernel of all sizes does."""


@dataclass(frozen=True)
class ShapeConstraint:
    """Two sizes that have to be equal; `words` states the equation and who asks for it."""

    left: Size
    right: Size
    words: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "left", as_size(self.left))
        object.__setattr__(self, "right", as_size(self.right))

    @property
    def is_equation(self) -> bool:
        """Whether its words state one; another condition is 1 where it holds, and else 0."""
        return not self.words.endswith(CONDITIONS) or " == " in self.words

    def to_be_fixed(self, sizes: Mapping[str, int]) -> str | None:
        """Return the symbolic dimension that is to be fixed to 1, so that it is broadcast.

        Args:
            sizes: Of symbolic dimensions, for which the equation does not hold.

        Returns:
            None where ONNX broadcasts nothing either.

        >>> rows = ShapeConstraint("m", "n", "m == n, of 'Add_0'" + ASSUMED)
        >>> rows.to_be_fixed({"m": 5, "n": 1}), rows.to_be_fixed({"m": 5, "n": 3})
        ('n', None)
        """
        sides = (self.left, self.right) if self.words.endswith(ASSUMED) else ()
        return next((s for s in sides if isinstance(s, str) and sizes[s] == 1), None)

    def __hash__(self) -> int:
        """Return the words' hash: theirs is kept, and that of large sizes is not."""
        return hash(self.words)


@dataclass(frozen=True)
class IndexConstraint:
    """Of how many elements a tensor's numbers are indices; `words` states who picks them.

    Those below zero count from the back, as ONNX has it; without `from_back` there are none.
    """

    size: Size
    words: str
    from_back: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", as_size(self.size))


def as_size(size: Any) -> Any:
    """Return a size with tuples where JSON has lists."""
    if isinstance(size, tuple) and not any(isinstance(part, list) for part in size):
        return size
    return tuple(map(as_size, size)) if isinstance(size, list | tuple) else size


def computed(size: Size, sizes: Mapping[str, int]) -> int:
    """Return what a size is, given those of the symbolic dimensions.

    Raises:
        KeyError: One of them is not given.

    >>> computed(("*", "n", ("+", "m", 2)), {"n": 3, "m": 5})
    21
    """
    if isinstance(size, tuple):
        sign, left, right = size
        return SIGNS[sign](computed(left, sizes), computed(right, sizes))
    return sizes[size] if isinstance(size, str) else size


def symbols_in(*sizes: Size) -> set[str]:
    """Return the names of the symbolic dimensions in some sizes.

    >>> sorted(symbols_in(("*", "n", ("+", "m", 2))))
    ['m', 'n']
    """
    found = {size for size in sizes if isinstance(size, str)}
    return found.union(*(symbols_in(*size[1:]) for size in sizes if isinstance(size, tuple)))


@dataclass(frozen=True)
class TensorSpec:
    """One graph input or output; a dimension is a size, or the name of one known at run time.

    `min_sizes` has the smallest size of each dimension that the model takes, and `max_sizes` the
    largest, None for a dimension that has none; empty, it takes any.
    `shape_constraints` are equations between the sizes of this input and of those before it, and
    `index_constraints` say what its numbers pick.

    >>> str(TensorSpec("image", "float32", ("batch", 3, 224, 224)))
    'image: float32[batch, 3, 224, 224]'
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...]
    min_sizes: tuple[int, ...] = ()
    shape_constraints: tuple[ShapeConstraint, ...] = ()
    max_sizes: tuple[int | None, ...] = ()
    index_constraints: tuple[IndexConstraint, ...] = ()

    @property
    def type_words(self) -> str:
        """The dtype with the shape, ``float32[n, 4]``; a type in ONNX's words stands alone."""
        shape = ", ".join(map(str, self.shape))
        return self.dtype if "(" in self.dtype else f"{self.dtype}[{shape}]"

    def __str__(self) -> str:
        return f"{self.name}: {self.type_words}"
