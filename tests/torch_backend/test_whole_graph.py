"""Graphs that are one group: called without what torch.fx writes around it."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch_backend.traced import compiled

from tvmfuse.torch_backend.whole_graph import as_group

X, Y, Z = (torch.randn(3, 8, generator=torch.Generator().manual_seed(seed)) for seed in range(3))

WHOLE: dict[str, Callable[..., Any]] = {
    "all arguments in order": lambda x, y, z: ((x + y) * z,),
    "in another order": lambda x, y, z: (z / (y - x),),
    "one of them": lambda x, y, z: (y.exp(),),
    "a piece of them": lambda x, y, z: (z - y.exp(),),
    "several results": lambda x, y, z: (x + y, (x + y) * z),
    "transposed": lambda x, y, z: ((x + y).t(), z.t() * 2),
    "an argument is a result": lambda x, y, z: (x + y, z),
    "arguments before, between and twice": lambda x, y, z: (z, x + y, x, (x + y) * z, z),
    "results in another order": lambda x, y, z: (lambda s: (s * z, s, z - s))(x + y),
    "a result twice": lambda x, y, z: (lambda s: (s, s))(x + y * z),
    "nothing for an argument": lambda x, y, z: (None, x + y, None),
    "one that is not the first": lambda x, y, z: (z, x + y),
}
MORE: dict[str, Callable[..., Any]] = {
    "a node in eager": lambda x, y, z: (x + y, torch.linalg.inv(z @ z.t())),
    "no group": lambda x, y, z: (x, y),
}


@pytest.mark.parametrize("kind", [*WHOLE, *MORE])
def test_numbers_are_those_of_the_graph(kind: str) -> None:
    function = (WHOLE | MORE)[kind]
    made = compiled(function, X, Y, Z)
    assert (as_group(made.module.graph) is not None) == (kind in WHOLE)
    for given in ((X, Y, Z), (Z, X, Y)):
        found, wanted = made.call([*given]), function(*given)
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert (one is None) == (other is None)
            if other is not None:
                torch.testing.assert_close(one, other)
                assert one.stride() == other.stride()
            assert [one is x for x in given] == [other is x for x in given]
