"""Factors that all terms of a block share: which sums have them, and which tiles take them out."""

from typing import Any

import pytest
from tvm import te, tirx

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.cpu.gemm.block_sums import BlockSums, block_sums
from tvmfuse.schedules.cpu.gemm.contraction_nest import ContractionNest
from tvmfuse.schedules.cpu.nest import Scope
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernels import read
from tvmfuse.target.machine import AVX2, AVX512, Machine

ROWS, BLOCKS, BLOCK = 5, 3, 7


def scaled(lab: Any, rows: int, columns: int, *scales: str) -> Any:
    """Return a product whose matrix has factors over these axes, b the blocks and k inside them."""
    sizes = {"b": BLOCKS, "k": BLOCK, "n": columns}
    a = te.placeholder((rows, BLOCKS, BLOCK), name="a")
    w = te.placeholder((BLOCKS, BLOCK, columns), name="w")
    s = te.placeholder([sizes[axis] for axis in scales], name="s")
    b, k = te.reduce_axis((0, BLOCKS)), te.reduce_axis((0, BLOCK))

    def term(i: tirx.Var, n: tirx.Var) -> Any:
        at = {"b": b.var, "k": k.var, "n": n}
        return te.sum(a[i, b, k] * (w[b, k, n] * s(*(at[axis] for axis in scales))), axis=[b, k])

    return lab.function_of(a, w, s, te.compute((rows, columns), term, name="y"))


def found(function: Any) -> BlockSums | None:
    product = contraction(read(function).stages[0])
    assert product is not None
    return block_sums(product)


@pytest.mark.parametrize("scales", [("b", "n"), ("b",)], ids="".join)
def test_a_factor_of_each_block_is_found(lab: Any, scales: tuple[str, ...]) -> None:
    blocks = found(scaled(lab, ROWS, 48, *scales))
    assert blocks is not None
    assert [int(axis.extent) for axis in blocks.outer] == [BLOCKS]
    assert [int(axis.extent) for axis in blocks.inner] == [BLOCK]


@pytest.mark.parametrize(
    "scales", [("b", "k", "n"), ("n",)], ids=["one of each term", "one of the whole sum"]
)
def test_others_are_none(lab: Any, scales: tuple[str, ...]) -> None:
    assert found(scaled(lab, ROWS, 48, *scales)) is None


@pytest.mark.parametrize(
    ("machine", "rows", "columns", "most"),
    [
        (AVX2, 1, 32, 1),
        (AVX2, 1, 48, 0),
        (AVX2, 64, 48, 1),
        (AVX512, 1, 64, 1),
        (AVX512, 64, 48, 4),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_they_are_taken_out_where_the_registers_hold_both_sums(
    lab: Any, machine: Machine, rows: int, columns: int, most: int
) -> None:
    (group,) = groups(read(scaled(lab, rows, columns, "b", "n")))
    nest = ContractionNest.of(group, Scope(machine))
    assert isinstance(nest, ContractionNest)
    assert nest.plan().block_sum_rows == most
    without = ContractionNest.of(group, Scope(machine, frozenset({"BlockSums"})))
    assert isinstance(without, ContractionNest)
    assert without.plan().block_sum_rows == 0
