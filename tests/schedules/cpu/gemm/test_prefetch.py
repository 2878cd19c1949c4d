"""schedules.cpu.prefetch: each tile asks for its part of the next panel, and computes the same."""

from typing import Any, cast

import numpy as np
import pytest
from tvm import relax, tirx
from tvm.target import Target

from tvmfuse.ir.types import constant
from tvmfuse.ops import conv_blocked, gemm, requantize
from tvmfuse.schedules.cpu.gemm.k_blocking import KBlock
from tvmfuse.schedules.cpu.gemm.panel_prefetch import PanelPrefetch
from tvmfuse.schedules.cpu.vectors import segments
from tvmfuse.schedules.expressions import substitute
from tvmfuse.schedules.kernels import Axis, analyzer
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, Machine


def product(lab: Any, rows: Any, depth: Any, panels: Any, width: int = 16) -> Any:
    shapes = ((rows, depth), "float32"), ((panels, depth, width), "float32")
    return lab.lowered(lambda a, p: gemm(a, p), *shapes)


@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=lambda machine: machine.name)
def test_requests_stand_between_the_steps(lab: Any, machine: Machine) -> None:
    scheduled = schedule(product(lab, 48, 64, 8), machine.target).module
    (function,) = lab.kernels(scheduled).values()
    code = lab.assembly(function, machine)
    assert "prefetcht1" in code
    hottest = "\n".join(lab.hottest_block(code, "vfmadd"))
    assert hottest.count("vfmadd") > 5 * hottest.count("prefetch")


@pytest.mark.parametrize("rows", [2, 6, 13, 48, 100])
@pytest.mark.parametrize("depth", [1, 7, 24, 64, 100])
def test_any_size(lab: Any, rows: int, depth: int) -> None:
    lab.assert_same_numbers(product(lab, rows, depth, 3))


def asked_for(lab: Any, rows: Any, depth: Any) -> Any:
    scheduled = schedule(product(lab, rows, depth, 4), AVX2.target).module
    (function,) = lab.kernels(scheduled).values()
    return "llvm.prefetch" in function.script()


def test_one_tile_below_another_is_enough(lab: Any) -> None:
    assert asked_for(lab, 48, 64)


def test_no_requests_where_one_tile_reads_each_panel(lab: Any) -> None:
    """It would have to ask for all of the next panel, as fast as it reads its own."""
    assert not asked_for(lab, 3, 64)


@pytest.mark.parametrize("n", [1, 5, 48, 127])
def test_rows_known_later_share_the_work(lab: Any, n: int) -> None:
    module = product(lab, tirx.Var("n", "int64"), 64, 32, 24)
    scheduled = lab.assert_same_numbers(module, n=n).module
    (function,) = lab.kernels(scheduled).values()
    assert "prefetcht1" in lab.assembly(function, AVX2)


@pytest.mark.parametrize("tiles", [1, 2, 9])
def test_of_tiles_known_later_the_first_ones_ask_for_all(tiles: int) -> None:
    """Of one tile alone nothing is asked: what it reads in order comes as fast without."""
    n, zero = tirx.Var("n", "int64"), tirx.const(0, "int64")
    i, k = Axis(tirx.Var("i", "int64"), n), Axis(tirx.Var("k", "int64"), tirx.const(64, "int64"))
    load = tirx.BufferLoad(tirx.decl_buffer((64, 16), "float32"), [k.var, zero])
    panel, builder, asking = PanelPrefetch(load, (k,), 16, AVX512, (i,)), Asked(), 0
    for tile in range(tiles):
        at, cuts = {i.var: tirx.const(tile, "int64")}, {i: segments(n, 14)}
        found = panel.requests(cast("Any", builder), cuts, at, at, KBlock(zero, 1))
        assert found is not None
        if analyzer().can_prove(substitute(found.asks, {n: tirx.const(14 * tiles, "int64")})):
            asking += 1
            for step in range(64 // found.every):
                found.before({k.var: tirx.const(step, "int64")})
    assert asking == (0 if tiles == 1 else 2)
    assert len({*builder.elements}) == len(builder.elements) == 64 * asking // 2


def test_no_requests_where_the_sum_cannot_be_divided(lab: Any) -> None:
    assert not asked_for(lab, 48, 63)


class Asked:
    """A builder that notes how far each request is from the beginning of the tile's own panel."""

    def __init__(self) -> None:
        self.elements: list[int] = []

    def prefetch(self, _buffer: Any, _indices: Any, _at: Any, further: Any, _hint: Any) -> None:
        self.elements.append(int(analyzer().simplify(further)))


@pytest.mark.parametrize("width", [8, 16, 24, 40, 48])
@pytest.mark.parametrize(("tiles", "depth"), [(8, 64), (24, 64), (32, 768), (33, 96)])
def test_all_tiles_together_ask_for_each_line_of_the_next_panel_once(
    width: int, tiles: int, depth: int
) -> None:
    j, i, k, c = (
        Axis(tirx.Var(name, "int64"), tirx.const(n, "int64"))
        for name, n in zip("jikc", (2, tiles, depth, width), strict=True)
    )
    load = tirx.BufferLoad(tirx.decl_buffer((2, depth, width), "float32"), [j.var, k.var, c.var])
    cuts, builder = {i: segments(i.extent, 1)}, Asked()
    for tile in range(tiles):
        at = {i.var: tirx.const(tile, "int64"), j.var: tirx.const(0, "int64")}
        asked = PanelPrefetch(load, (k,), width, AVX2, (i,)).requests(
            cast("Any", builder), cuts, at, at, KBlock(tirx.const(0, "int64"), 1)
        )
        for step in range(
            depth // asked.every
            if asked and tile < -(-asked.every // asked.lines * width // 16)
            else 0
        ):
            assert asked is not None
            asked.before({k.var: tirx.const(step, "int64")})
    lines = [element // 16 for element in builder.elements]
    assert len(lines) == len(set(lines))
    assert set(lines) >= set(range(depth * width // 16, 2 * depth * width // 16))


@pytest.mark.parametrize(("nth", "ahead"), [(0, 1), (1, 3)])
def test_where_blocks_of_panels_follow_each_other_the_next_ones_are_asked_for(
    nth: int, ahead: int
) -> None:
    """Of two panels side by side, of two blocks each: behind the last one lies the other panel."""
    j, i, k, c = (
        Axis(tirx.Var(name, "int64"), tirx.const(n, "int64"))
        for name, n in zip("jikc", (2, 16, 64, 16), strict=True)
    )
    load = tirx.BufferLoad(tirx.decl_buffer((2, 64, 16), "float32"), [j.var, k.var, c.var])
    cuts, builder = {i: segments(i.extent, 1)}, Asked()
    for tile in range(16):
        at = {i.var: tirx.const(tile, "int64"), j.var: tirx.const(0, "int64")}
        asked = PanelPrefetch(load, (k,), 16, AVX2, (i,), panels=2).requests(
            cast("Any", builder), cuts, at, at, KBlock(tirx.const(nth, "int64"), 2), by_panel=True
        )
        assert asked is not None
        for step in range(32 // asked.every):
            asked.before({k.var: tirx.const(step, "int64")})
    lines = {element // 16 for element in builder.elements}
    assert lines == {32 * ahead + line + panel * 64 for line in range(32) for panel in range(2)}


def requests(lab: Any, rows: Any, depth: Any, panels: Any) -> Any:
    """The requests of a product and the addition behind it."""
    shapes = [(rows, depth), (panels, depth, 16), (rows, panels * 16)]
    module = lab.lowered(
        lambda a, p, z: relax.op.add(gemm(a, p), z), *((s, "float32") for s in shapes)
    )
    lab.assert_same_numbers(module)
    (function,) = lab.kernels(schedule(module, AVX2.target).module).values()
    return [line for line in function.script().splitlines() if "llvm.prefetch" in line]


def test_what_is_added_and_what_is_written_is_asked_for_before_the_sum(lab: Any) -> None:
    """512 x 256 numbers: more than half of the second-level cache."""
    found = requests(lab, 512, 64, 16)
    assert sum("p2_flat" in line and "0, 3, 1)" in line for line in found) >= 4
    assert sum("1, 3, 1)" in line for line in found) >= 4


def test_rows_are_left_to_the_core(lab: Any) -> None:
    assert not any("p0_flat" in line for line in requests(lab, 512, 768, 32))


def test_what_is_near_is_not_asked_for(lab: Any) -> None:
    assert all("p1_flat" in line for line in requests(lab, 48, 64, 4))


def test_rows_of_one_line_are_asked_for_once(lab: Any) -> None:
    """A tile's 14 pixels of 16 bytes are four lines."""
    said: Any = {"strides": [1, 1], "dilation": [1, 1], "padding": [0] * 4}

    def product(x: Any, w: Any) -> Any:
        sums = conv_blocked(x, w, **said)
        return requantize(
            sums, constant(np.array(0, "int32")), constant(np.array(1, "float32")), zero_point=0, low=0, high=255,
            dtype="uint8",
        )  # fmt: skip

    module = lab.lowered(product, ((1, 1, 196, 200, 16), "uint8"), ((2, 1, 1, 1, 4, 16, 4), "int8"))
    target = Target({"kind": "llvm", "mcpu": "znver4"})
    (function,) = lab.kernels(schedule(module, target).module).values()
    assert sum("1, 3, 1)" in line for line in function.script().splitlines()) == 4
