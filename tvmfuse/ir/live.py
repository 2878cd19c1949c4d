"""Which constants follow from parameters, and how: a note beside each one's memory.

TVM's tensors carry no attributes, and its mutators make constants anew of the same tensor. So a
recipe is kept by the tensor's address, as long as its memory lives.
"""

from __future__ import annotations

import weakref
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr, GenericConst

from tvmfuse.arrays import aligned
from tvmfuse.ir.live_array import LiveArray, NumbersChangeError, applied
from tvmfuse.recipes import Parameter, Recipe
from tvmfuse.tensors import as_array, as_tensor, mapped_tensor

_RECIPES: Final[dict[int, Recipe]] = {}


def parameter(name: str, array: np.ndarray) -> GenericConst:
    """Return the constant that a parameter is, in its own memory where kernels can read it there.

    Args:
        name: What the caller calls it.
        array: Its numbers, where they lie; one without dimensions becomes a vector.
    """
    live = LiveArray(array, Parameter(name, array))
    return constant_of(live if array.ndim else applied(np.atleast_1d, live))


def constant_of(array: LiveArray) -> GenericConst:
    """Return an array that follows from parameters as a constant.

    Raises:
        NumbersChangeError: It has no dimensions: the compiler writes such numbers into the code.
    """
    if not array.ndim:
        raise NumbersChangeError
    found, dtype = aligned(array.now), array.dtype.name
    if not found.size:
        return relax.const(as_tensor(found))
    if found.ctypes.data in _RECIPES:  # another constant's
        found = aligned(found.copy())
    # Nobody holds this view but the tensor, and what is made of it.
    memory = found.reshape(-1).view(np.uint8)
    weakref.finalize(memory, _RECIPES.pop, memory.ctypes.data).atexit = False
    _RECIPES[memory.ctypes.data] = array.recipe
    return relax.const(mapped_tensor(memory, found.shape, dtype))


def live_array_of(constant: GenericConst) -> LiveArray | None:
    """Return a constant that follows from parameters; None for another one."""
    recipe = _RECIPES.get(constant.value.data_ptr())
    return None if recipe is None else LiveArray(as_array(constant.value), recipe)


def is_live(expr: Expr) -> bool:
    """Whether an expression is a constant that follows from parameters."""
    return isinstance(expr, GenericConst) and expr.value.data_ptr() in _RECIPES


def recipe_of(array: np.ndarray) -> Recipe | None:
    """Return how what lies in a constant's memory follows from parameters; None if it does not."""
    return _RECIPES.get(array.ctypes.data)
