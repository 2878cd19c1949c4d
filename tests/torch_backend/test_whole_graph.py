"""Graphs that are one group: called without what torch.fx writes around it."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch_backend.traced import compiled

from tvmfuse.torch_backend.compiled_group import CompiledGroup

X, Y, Z = (torch.randn(3, 8, generator=torch.Generator().manual_seed(seed)) for seed in range(3))

WHOLE: dict[str, Callable[..., Any]] = {
    "all arguments in order": lambda x, y, z: ((x + y) * z,),
    "in another order": lambda x, y, z: (z / (y - x),),
    "one of them": lambda x, y, z: (y.exp(),),
    "a piece of them": lambda x, y, z: (z - y.exp(),),
    "several results": lambda x, y, z: (x + y, (x + y) * z),
    "transposed": lambda x, y, z: ((x + y).t(), z.t() * 2),
}
MORE: dict[str, Callable[..., Any]] = {
    "an argument is a result": lambda x, y, z: (x + y, z),
    "a result twice": lambda x, y, z: (lambda s: (s, s))(x + y * z),
    "a node in eager": lambda x, y, z: (x + y, torch.linalg.inv(z @ z.t())),
    "no group": lambda x, y, z: (x, y),
}


@pytest.mark.parametrize("kind", [*WHOLE, *MORE])
def test_numbers_are_those_of_the_graph(kind: str) -> None:
    function = (WHOLE | MORE)[kind]
    made = compiled(function, X, Y, Z)
    assert isinstance(made.call, CompiledGroup) == (kind in WHOLE)
    for given in ((X, Y, Z), (Z, X, Y)):
        found, wanted = made.call(*given), function(*given)
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            torch.testing.assert_close(one, other)
            assert one.stride() == other.stride()
