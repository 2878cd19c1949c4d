"""schedules.cpu.group_nest: vectors of results, vectors of terms, or neither."""

from typing import Any

import pytest
from tvm.relax import op as R

from tvmfuse.schedules.cpu.group_nest import inner_nest
from tvmfuse.schedules.cpu.nest import Scope
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.loop_nests import LoopNestBuilder
from tvmfuse.target.machine import AVX2


@pytest.mark.parametrize(
    ("operator", "shape", "signs"),
    [
        (lambda a: R.exp(a), (5, 64), ["T.vectorized"]),
        (lambda a: R.sum(a, 0), (64, 40), ["T.vectorized", "T.unroll"]),
        (lambda a: R.sum(a, -1), (5, 640), ["_lanes", "T.vectorized"]),
        (lambda a: R.max(a, [1, 2]), (5, 7, 9), ["_lanes"]),
        (lambda a: R.sum(a, -1), (640, 3), ["T.vectorized"]),
    ],
    ids=["elements", "columns", "row", "image", "short rows"],
)
def test_finds_vectors(lab: Any, operator: Any, shape: tuple[int, ...], signs: list[str]) -> None:
    (function,) = lab.kernels(lab.lowered(operator, (shape, "float32"))).values()
    kernel = inline(read(function))
    builder = LoopNestBuilder(kernel)
    text = builder.function([inner_nest(builder, g, Scope(AVX2)) for g in groups(kernel)]).script()
    assert all(sign in text for sign in signs)


def test_tuples_are_reduced_one_by_one(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(lambda a: R.argmax(a, -1), ((5, 64), "float32"))).values()
    kernel = inline(read(function))
    builder = LoopNestBuilder(kernel)
    nests = [inner_nest(builder, g, Scope(AVX2)) for g in groups(kernel) if g.head.reduces]
    assert "T.vectorized" not in builder.function(nests).script()
