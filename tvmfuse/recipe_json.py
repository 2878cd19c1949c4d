"""Recipes as JSON: what the passes made of parameters, for another process to do again.

A function is written as its module and its name there. Nothing is unpickled.
"""

from __future__ import annotations

import base64
import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from tvmfuse.arrays import numpy_dtype
from tvmfuse.recipes import Applied, Parameter, Recipe

PACKAGES: Final = frozenset({"numpy", "_operator", "tvmfuse"})
"""Whose functions recipes may call."""

LARGEST: Final = 1 << 16
"""Bytes of an array that stands in a recipe and follows from no parameter."""


class CannotBeWrittenError(Exception):
    """A recipe holds what JSON cannot, such as a function without a name."""


def to_json(recipes: Sequence[Recipe]) -> list[Any]:
    """Return recipes as JSON's types: all steps, each after those it reads, then the places.

    Raises:
        CannotBeWrittenError: One of them holds what cannot be written.

    >>> weight = Parameter("w", np.zeros((2, 3)))
    >>> to_json([Applied(np.transpose, (weight, (1, 0)))])
    [['w', ['numpy:transpose', [['step', 0], ['tuple', [1, 0]]], {}]], [1]]
    """
    steps: list[Any] = []
    places: dict[Recipe, int] = {}

    def place_of(recipe: Recipe) -> int:
        if recipe not in places:
            step: Any
            if isinstance(recipe, Parameter):
                step = recipe.name
            else:
                kwargs = {name: written(value) for name, value in recipe.kwargs.items()}
                step = [_name_of(recipe.function), [*map(written, recipe.args)], kwargs]
            places[recipe] = len(steps)
            steps.append(step)
        return places[recipe]

    def written(value: Any) -> Any:
        if isinstance(value, Recipe):
            return ["step", place_of(value)]
        if isinstance(value, (tuple, list)):
            return [type(value).__name__, [*map(written, value)]]
        if isinstance(value, slice):
            return ["slice", [*map(written, (value.start, value.stop, value.step))]]
        return _written(value)

    found = [place_of(recipe) for recipe in recipes]
    return [steps, found]


def from_json(said: Sequence[Any], parameters: Mapping[str, Parameter]) -> list[Recipe]:
    """Return the recipes that `to_json` took apart.

    Args:
        said: What it returned.
        parameters: What their names mean now.

    Raises:
        ValueError: These are no recipes, or of other parameters.
    """
    steps: list[Recipe] = []

    def read(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        kind, content = value
        if kind in _SEQUENCES:
            return _SEQUENCES[kind](map(read, content))
        if kind == "slice":
            return slice(*map(read, content))
        return steps[content] if kind == "step" else _READERS[kind](content)

    try:
        told, places = said
        for step in told:
            if isinstance(step, str):
                steps.append(parameters[step])
            else:
                name, args, kwargs = step
                named = {key: read(value) for key, value in kwargs.items()}
                steps.append(Applied(_function(name), tuple(map(read, args)), named))
        return [steps[place] for place in places]
    except (AttributeError, ImportError, LookupError, TypeError, ValueError) as error:
        raise ValueError(f"no recipe says {error!r}") from error


def _written(value: Any) -> Any:
    """Return what is no recipe and holds none."""
    if value is None or type(value) in {bool, int, str}:
        return value
    if type(value) is float:  # and not numpy's, which is one, too
        return ["float", value.hex()]
    if value is Ellipsis:
        return ["ellipsis", 0]
    if isinstance(value, np.dtype):
        return ["dtype", value.name]
    if isinstance(value, type) and issubclass(value, np.generic):
        return ["type", np.dtype(value).name]
    if isinstance(value, (np.ndarray, np.generic)) and value.nbytes <= LARGEST:
        kind = "array" if isinstance(value, np.ndarray) else "number"
        content = base64.b64encode(value.tobytes()).decode()
        return [kind, [value.dtype.name, list(value.shape), content]]
    raise CannotBeWrittenError(f"a recipe holds {value!r:.60}")


def _name_of(function: Callable[..., Any]) -> str:
    """Return where a function is found, as ``module:name``."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        path = f"numpy:{owner.__name__}.{function.__name__}"
    elif getattr(function, "__objclass__", None) is np.ndarray:
        path = f"numpy:ndarray.{function.__name__}"
    else:
        module, name = (getattr(function, n, "") for n in ("__module__", "__qualname__"))
        path = f"{module}:{name}"
    try:
        if _function(path) == function:
            return path
    except (AttributeError, ImportError, ValueError):
        pass
    raise CannotBeWrittenError(f"{path} is no function with a name")


def _function(path: str) -> Callable[..., Any]:
    module, _, name = path.partition(":")
    if module.partition(".")[0] not in PACKAGES:
        raise ValueError(f"{path} is no function of a recipe's")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return cast("Callable[..., Any]", found)


def _array(said: tuple[str, Sequence[int], str]) -> np.ndarray:
    dtype, shape, content = said
    return np.frombuffer(base64.b64decode(content), numpy_dtype(dtype)).reshape(shape)


_SEQUENCES: Final[Mapping[str, type[Any]]] = {"tuple": tuple, "list": list}
_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "float": float.fromhex,
    "ellipsis": lambda _: Ellipsis,
    "dtype": numpy_dtype,
    "type": lambda name: numpy_dtype(name).type,
    "array": _array,
    "number": lambda said: _array(said)[()],
}
