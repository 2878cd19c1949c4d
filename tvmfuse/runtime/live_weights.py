"""The weights of a program that follow from parameters of the caller's."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tvmfuse.arrays import ALIGNMENT, address, aligned
from tvmfuse.errors import ConfigurationError, InputError, StaleModelError
from tvmfuse.recipes import NotFiniteError, Recipe, holds_for_finite, parameters_of, value_of
from tvmfuse.runtime.frame import Located
from tvmfuse.tensors import as_array


class LiveWeights:
    """Computes weights again when parameters have changed.

    What no pass changed lies in the parameter's own memory. The rest is the program's: packed,
    folded, or copied because kernels cannot read it where it lies.

    Args:
        arrays: All weights of the program, aligned.
        recipes: Place in the list -> how the weight follows from parameters.

    Attributes:
        version: How often a weight has got another place.
    """

    def __init__(self, arrays: list[np.ndarray], recipes: Mapping[int, Recipe]) -> None:
        self.version = 0
        self._arrays = arrays
        self.dtypes: Sequence[str] = [array.dtype.name for array in arrays]
        self._recipes = recipes
        self._needed = {place: parameters_of(recipe) for place, recipe in recipes.items()}
        self._readers: dict[str, list[int]] = defaultdict(list)
        self._parameters: dict[str, np.ndarray] = {}
        for place, needed in self._needed.items():
            for name, parameter in needed.items():
                self._readers[name].append(place)
                self._parameters[name] = parameter.array
        self._lock = threading.Lock()

    @property
    def arrays(self) -> Sequence[np.ndarray]:
        """All weights, where they lie now."""
        return self._arrays

    def located(self) -> list[Located]:
        """Return where they lie."""
        return [(address(array), array.shape) for array in self._arrays]

    @property
    def parameters(self) -> Mapping[str, np.ndarray]:
        """Their memory, by name."""
        return self._parameters

    @property
    def copied(self) -> Mapping[str, int]:
        """The parameters of which the program holds something of its own, and how many bytes.

        What is made of several counts for each.
        """
        found: dict[str, int] = defaultdict(int)
        for place in self._recipes:
            array = self._arrays[place]
            if not self._lies_in_parameter(place, array):
                for name in self._needed[place]:
                    found[name] += array.nbytes
        return found

    @property
    def copied_nbytes(self) -> int:
        """What the program holds beside the parameters."""
        arrays = {place: self._arrays[place] for place in self._recipes}
        return sum(a.nbytes for p, a in arrays.items() if not self._lies_in_parameter(p, a))

    def rebind(self, parameters: Mapping[str, Any]) -> None:
        """Follow parameters that were written to, or lie elsewhere now.

        What passes made of them is computed again, for these and no others. It must not happen
        while another thread runs the model.

        Args:
            parameters: By name: numpy arrays, or tensors with ``__dlpack__``. Where no pass has
                changed them, their memory is read from now on whenever the model runs.

        Raises:
            ConfigurationError: There is no such parameter.
            InputError: It has another shape or dtype.
            StaleModelError: A pass did what does not hold for these numbers, such as to scale
                weights by what is infinite now; nothing has changed.
        """
        changed = {name: _memory(value) for name, value in parameters.items()}
        self._check(changed)
        with self._lock:
            new = {**self._parameters, **changed}
            places = sorted({place for name in changed for place in self._readers[name]})
            for place in places:
                if holds_for_finite(self._recipes[place]):
                    self._value(place, new)
            self._parameters = new
            for place in places:
                self._bind(place, self._value(place, new))

    def _check(self, changed: Mapping[str, np.ndarray]) -> None:
        for name, array in changed.items():
            known = self._parameters.get(name)
            if known is None:
                listed = ", ".join(sorted(self._parameters)) or "none"
                raise ConfigurationError(f"no weight follows from {name!r}; known are {listed}")
            found, wanted = (f"{a.dtype.name}{list(a.shape)}" for a in (array, known))
            if found != wanted:
                raise InputError(f"parameter {name!r}: expected {wanted}, found {found}")

    def _value(self, place: int, parameters: Mapping[str, np.ndarray]) -> Any:
        try:
            return value_of(self._recipes[place], parameters)
        except NotFiniteError as error:
            raise StaleModelError(f"{error}: compile the model again") from error

    def _bind(self, place: int, value: np.ndarray) -> None:
        array = self._arrays[place]
        if self._lies_in_parameter(place, value) and _can_be_read(value):
            if value.ctypes.data != array.ctypes.data:
                self._put(place, value)
        elif self._lies_in_parameter(place, array) or array.ctypes.data == value.ctypes.data:
            self._put(place, aligned(value.copy()))
        else:
            np.copyto(array, value)

    def _put(self, place: int, array: np.ndarray) -> None:
        self._arrays[place] = array
        self.version += 1

    def _lies_in_parameter(self, place: int, array: np.ndarray) -> bool:
        return any(np.may_share_memory(array, self._parameters[n]) for n in self._needed[place])


def _memory(value: Any) -> np.ndarray:
    if isinstance(value, np.ndarray):
        return value
    return as_array(value.detach() if hasattr(value, "detach") else value)


def _can_be_read(array: np.ndarray) -> bool:
    """Whether kernels can read an array where it lies."""
    return bool(array.flags.carray) and array.ctypes.data % ALIGNMENT == 0
