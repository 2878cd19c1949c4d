"""schedules.cpu.gemm.panel_copy: a matrix is copied panel by panel, and the product stays the same."""

import re
from typing import Any

import pytest
from tvm import IRModule, te, tirx
from tvm.relax import op as R

from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, Machine

M, N, K, B = (tirx.Var(name, "int64") for name in "mnkb")


def scheduled(lab: Any, operator: Any, *shapes: Any, **sizes: Any) -> Any:
    """The kernel, after a comparison of its numbers."""
    module = lab.lowered(operator, *((s, "float32") for s in shapes))
    (function,) = lab.kernels(lab.assert_same_numbers(module, **sizes).module).values()
    return function


def written(lab: Any, *tensors: Any) -> Any:
    """The kernel of a function in TE, after a comparison of its numbers."""
    module = IRModule({"main": lab.function_of(*tensors)})
    return lab.assert_same_numbers(module).module["main"]


def copies(function: Any) -> bool:
    return "panel = T.alloc_buffer" in function.script()


@pytest.mark.parametrize("columns", [192, 197, 200, 209])
@pytest.mark.parametrize("rows", [32, 37])
def test_ragged_columns_and_rows(lab: Any, rows: int, columns: int) -> None:
    assert copies(scheduled(lab, R.matmul, (rows, 200), (200, columns)))


def test_a_batch_has_panels_of_its_own(lab: Any) -> None:
    assert copies(scheduled(lab, R.matmul, (2, 3, 40, 128), (2, 3, 128, 72)))


def test_parts_of_a_long_sum(lab: Any) -> None:
    function = scheduled(lab, R.matmul, (33, 4096), (4096, 200))
    assert copies(function)
    assert "for k_block in" in function.script()


def test_the_epilogue(lab: Any) -> None:
    shapes = (40, 128), (128, 200), (200,), (40, 200)
    assert copies(
        scheduled(lab, lambda a, b, c, z: R.add(R.nn.gelu(R.add(R.matmul(a, b), c)), z), *shapes)
    )


def test_a_transposed_operand(lab: Any) -> None:
    """Its copy with columns side by side is copied into panels."""
    a, b = te.placeholder((96, 128)), te.placeholder((200, 128))
    k = te.reduce_axis((0, 128))
    c = te.compute((96, 200), lambda i, j: te.sum(a[i, k] * b[j, k], axis=k))
    assert copies(written(lab, a, b, c))


def test_a_matrix_times_itself_is_not_copied(lab: Any) -> None:
    """One element of it gives a number and another one a vector."""
    a, k = te.placeholder((200, 200)), te.reduce_axis((0, 200))
    assert not copies(
        written(lab, a, te.compute((200, 200), lambda i, j: te.sum(a[i, k] * a[k, j], axis=k)))
    )


def test_a_convolution_without_a_window(lab: Any) -> None:
    """The pixels are copied, and all filters read them."""
    shapes = (1, 64, 20, 20), (64, 64, 1, 1)
    assert copies(scheduled(lab, lambda x, w: R.nn.conv2d(x, w), *shapes))


@pytest.mark.parametrize("size", [1, 7, 45, 200])
def test_sizes_known_later(lab: Any, size: int) -> None:
    for shapes, sizes in (
        (((M, 128), (128, 200)), {"m": size}),
        (((40, 128), (128, N)), {"n": size}),
        (((40, K), (K, 200)), {"k": size}),
        (((B, 40, 128), (B, 128, 200)), {"b": min(size, 7)}),
    ):
        assert copies(scheduled(lab, R.matmul, *shapes, **sizes))


@pytest.mark.parametrize(
    ("machine", "widths"),
    [(AVX2, [24, 8, 4, 1]), (AVX512, [80, 16, 8, 4, 1])],
    ids=["avx2", "avx512"],
)
def test_the_last_step_of_columns_known_later_overlaps_the_one_before_it(
    lab: Any, machine: Machine, widths: list[int]
) -> None:
    """Narrow ones are of what is narrow as a whole: vectors, and no column by column."""
    module = lab.lowered(R.matmul, ((40, 128), "float32"), ((128, N), "float32"))
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    found = re.findall(r"panel = T.alloc_buffer\(\(T.int64\((\d+)\)", function.script())
    assert [int(size) // 128 for size in found] == widths


def test_the_innermost_loop_is_that_of_panels(lab: Any) -> None:
    """All of a turn's vectors follow each other in memory; no accumulator is spilled."""
    function = scheduled(lab, R.matmul, (128, 768), (768, 768))
    block = "\n".join(lab.hottest_block(lab.assembly(function, AVX2), "vfmadd"))
    assert block.count("vfmadd") == 4 * 12
    assert "rsp" not in block
