"""What passes compute with in place of a parameter's numbers: numpy's functions, recorded.

Whoever asks it for a number, be it in a condition, is told that nobody knows. So no pass can decide
by numbers that change.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn, cast

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from tvmfuse.recipes import Applied, Recipe, finite

CHANGES: Final = "the numbers are no parameter's, which may change"
"""The condition that fails where a pass would decide by numbers that change."""

WRITERS: Final = frozenset(
    {np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask}
)
"""Functions of numpy's that write to an operand, which would have to follow, too."""


class NumbersChangeError(Exception):
    """These numbers follow from parameters, and may be others when the model runs."""

    def __init__(self) -> None:
        super().__init__(CHANGES)


class LiveArray(NDArrayOperatorsMixin):
    """An array that follows from parameters.

    It stands in for an array wherever numpy's functions make an array of it; those are recorded.

    Args:
        array: Its value now.
        recipe: How it is computed again.
    """

    def __init__(self, array: np.ndarray, recipe: Recipe) -> None:
        self._array = array
        self.recipe = recipe

    # What its type tells.

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape."""
        return self._array.shape

    @property
    def ndim(self) -> int:
        """Its rank."""
        return self._array.ndim

    @property
    def size(self) -> int:
        """How many elements it has."""
        return self._array.size

    @property
    def nbytes(self) -> int:
        """What it takes."""
        return self._array.nbytes

    @property
    def dtype(self) -> np.dtype[Any]:
        """Its dtype."""
        return self._array.dtype

    def __len__(self) -> int:
        return len(self._array)

    # What numpy makes of it.

    @property
    def T(self) -> Any:  # noqa: N802
        """It, transposed."""
        return self.transpose()

    def __getitem__(self, index: Any) -> Any:
        return applied(operator.getitem, self, index)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "at":
            raise NumbersChangeError  # it writes to its operand
        return applied(getattr(ufunc, method), *inputs, **kwargs)

    def __array_function__(
        self, function: Any, types: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        del types
        if function in WRITERS:
            raise NumbersChangeError
        return applied(function, *args, **kwargs)

    def reshape(self, *shape: Any) -> Any:
        """Record ``ndarray.reshape``."""
        return applied(np.ndarray.reshape, self, *shape)

    def transpose(self, *axes: Any) -> Any:
        """Record ``ndarray.transpose``."""
        return applied(np.ndarray.transpose, self, *axes)

    def swapaxes(self, a: int, b: int) -> Any:
        """Record ``ndarray.swapaxes``."""
        return applied(np.ndarray.swapaxes, self, a, b)

    def astype(self, dtype: Any, **kwargs: Any) -> Any:
        """Record ``ndarray.astype``."""
        return applied(np.ndarray.astype, self, dtype, **kwargs)

    def ravel(self) -> Any:
        """Record ``ndarray.ravel``."""
        return applied(np.ndarray.ravel, self)

    def sum(self, **kwargs: Any) -> Any:
        """Record ``ndarray.sum``."""
        return applied(np.ndarray.sum, self, **kwargs)

    def assume_finite(self) -> bool:
        """Let the recipe hold for finite numbers only; return whether they are so now."""
        if not np.isfinite(self._array).all():
            return False
        self.recipe = Applied(finite, (self.recipe,))
        return True

    # What nobody knows.

    def _unknown(self, *_: Any, **__: Any) -> NoReturn:
        raise NumbersChangeError

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __array__ = _unknown
    __hash__ = object.__hash__
    any = all = item = tolist = tobytes = min = max = argmin = argmax = _unknown
    flat = property(_unknown)

    @property
    def now(self) -> np.ndarray:
        """Its value now, for what keeps it; nothing may be decided by it."""
        return self._array


def applied(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Return what a function makes of arrays, some of which follow from parameters.

    Args:
        function: Writes to none of its operands; returns arrays, or tuples or lists of them.
        args: Its operands, and what else it takes.
        kwargs: The same, by name.
    """
    if kwargs.get("out") is not None:
        raise NumbersChangeError  # an array that is written to would have to follow, too
    plain = {name: _each(value, _now) for name, value in kwargs.items()}
    return recorded(function(*_each(args, _now), **plain), function, *args, **kwargs)


def recorded(result: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
    """Return a result that follows from its operands by a function; see `applied`."""
    recipes = {name: _each(value, _recipe) for name, value in kwargs.items()}
    return _live(result, Applied(function, _each(args, _recipe), recipes))


def now(operands: Any) -> Any:
    """Return operands with the values that they have now."""
    return _each(operands, _now)


def _live(result: Any, recipe: Recipe) -> Any:
    if isinstance(result, (tuple, list)):
        parts = enumerate(result)
        return type(result)(_live(r, Applied(operator.getitem, (recipe, i))) for i, r in parts)
    return LiveArray(np.asarray(result), recipe) if _is_array(result) else result


def _is_array(result: Any) -> bool:
    return isinstance(result, (np.ndarray, np.generic))


def _now(given: Any) -> Any:
    return given.now if isinstance(given, LiveArray) else given


def _recipe(given: Any) -> Any:
    return given.recipe if isinstance(given, LiveArray) else given


def _each(given: Any, function: Any) -> Any:
    if isinstance(given, (tuple, list)):
        return type(given)(_each(one, function) for one in given)
    return function(given)


def is_live_array(given: Any) -> bool:
    """Whether an operand follows from parameters, or one inside a tuple or a list does."""
    if isinstance(given, (tuple, list)):
        return any(map(is_live_array, given))
    return isinstance(given, LiveArray)


def standing_in(array: LiveArray) -> np.ndarray:
    """Return it as what it stands in for."""
    return cast("np.ndarray", array)
