"""schedules.cpu.gemm.tile: the register tile fits, and leaves little over."""

from typing import Any

import pytest
from tvm import tirx

from tvmfuse.schedules.cpu.gemm.tile import best_tile
from tvmfuse.schedules.kernels import Axis
from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine


def axis(extent: Any) -> Any:
    value = tirx.Var("n", "int64") if extent is None else tirx.const(extent, "int64")
    return Axis(tirx.Var("i", "int64"), value)


@pytest.mark.parametrize("machine", [SSE2, AVX2, AVX512], ids=lambda machine: machine.name)
@pytest.mark.parametrize("rows", [1, 2, 7, 64, 197, None])
@pytest.mark.parametrize("columns", [1, 7, 14, 56, 3072, None])
@pytest.mark.parametrize("shared", [True, False])
def test_fits_the_registers(machine: Machine, rows: Any, columns: Any, shared: bool) -> None:
    tile = best_tile(machine, machine.isa.float_lanes, axis(rows), axis(columns), shared=shared)
    loaded = tile.vectors if shared else 1
    assert tile.rows * tile.vectors + loaded + 1 <= machine.isa.registers
    assert tile.rows <= (rows or 100)


@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=lambda machine: machine.name)
def test_large_products_keep_both_multipliers_busy(machine: Machine) -> None:
    tile = best_tile(machine, machine.isa.float_lanes, axis(1000), axis(3000), shared=True)
    products, loads = tile.rows * tile.vectors, tile.rows + tile.vectors
    assert products >= loads, "loads would hold up the multiply-adds"
    assert products / 2 >= 4, "each multiply-add would wait for the last"


def test_a_narrow_image_has_many_rows_of_one_vector() -> None:
    tile = best_tile(AVX2, 8, axis(512), axis(7), shared=True)
    assert tile.vectors == 1
    assert tile.rows >= 8


def test_one_row_takes_many_vectors() -> None:
    assert best_tile(AVX2, 8, None, axis(3072), shared=True).vectors >= 6
