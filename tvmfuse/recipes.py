"""How constants follow from parameters: functions and their operands, to be computed again.

A parameter is memory of the caller's, who may write to it. What the passes made of it is a constant
that has a recipe, and is stale when the parameter has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np


@dataclass(frozen=True, eq=False)
class Parameter:
    """Memory that a caller may write to.

    Attributes:
        name: What the caller calls it.
        array: Its numbers, where they lie.
    """

    name: str
    array: np.ndarray


@dataclass(frozen=True, eq=False)
class Applied:
    """The value of a function.

    Attributes:
        function: Of arrays; it writes to none of them.
        args: Its operands, and what else it takes. Recipes may stand inside tuples and lists.
        kwargs: The same, by name.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


Recipe: TypeAlias = Parameter | Applied


def parameters_of(recipe: Recipe) -> dict[str, Parameter]:
    """Return the parameters that a constant follows from, by name."""
    return {step.name: step for step in steps_of(recipe) if isinstance(step, Parameter)}


def steps_of(recipe: Recipe) -> Collection[Recipe]:
    """Return a recipe and all that it is made of."""
    waiting, seen = [recipe], {recipe}
    while waiting:
        step = waiting.pop()
        if isinstance(step, Applied):
            operands = {*_operands((*step.args, *step.kwargs.values()))} - seen
            seen |= operands
            waiting += operands
    return seen


def _operands(given: Any) -> Iterator[Recipe]:
    if isinstance(given, Recipe):
        yield given
    elif isinstance(given, (tuple, list)):
        for one in given:
            yield from _operands(one)


def value_of(recipe: Recipe, parameters: Mapping[str, np.ndarray]) -> Any:
    """Return what a recipe gives; it may lie in a parameter's memory.

    Args:
        recipe: Of a constant.
        parameters: The numbers of all parameters that it follows from, by name.

    Raises:
        NotFiniteError: It holds for finite numbers only, and they are not.
    """
    made: dict[Recipe, Any] = {}

    def value(given: Any) -> Any:
        if isinstance(given, (tuple, list)):
            return type(given)(map(value, given))
        if isinstance(given, Parameter):
            return parameters[given.name]
        if not isinstance(given, Applied):
            return given
        if given not in made:  # each step once
            kwargs = {name: value(operand) for name, operand in given.kwargs.items()}
            made[given] = given.function(*map(value, given.args), **kwargs)
        return made[given]

    with np.errstate(all="ignore"):
        return value(recipe)


def holds_for_finite(recipe: Recipe) -> bool:
    """Whether a recipe holds for finite numbers only."""
    return any(isinstance(step, Applied) and step.function is finite for step in steps_of(recipe))


class NotFiniteError(Exception):
    """What a pass did holds for finite numbers, and a parameter's no longer give such."""


def finite(array: np.ndarray) -> np.ndarray:
    """Return an array all of whose numbers are finite.

    Raises:
        NotFiniteError: One of them is not.
    """
    if not np.isfinite(array).all():
        raise NotFiniteError("a constant computed from the parameters is not finite any more")
    return array
