"""schedules.cpu.pointwise: the loops of one elementwise stage."""

import re
from typing import Any

from tvm import tirx
from tvm.relax import op as R

from tvmfuse.ops import to_blocked
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2


def text(lab: Any, operator: Any, *inputs: Any) -> Any:
    (function,) = lab.kernels(schedule(lab.lowered(operator, *inputs), AVX2.target).module).values()
    return function.script()


def test_no_loop_has_a_guard(lab: Any) -> None:
    found = text(lab, lambda a, b: a + b, ((33, 197), "float32"), ((197,), "float32"))
    assert "T.where" not in found
    assert "if " not in found
    assert "T.vectorized(T.int64(8))" in found
    assert "T.vectorized(T.int64(5))" in found


def test_padding_is_copied_in_vectors(lab: Any) -> None:
    found = text(lab, lambda a: R.nn.pad(a, [0, 0, 1, 1]), ((6, 64), "float32"))
    assert "T.vectorized(T.int64(8))" in found
    assert "T.if_then_else" not in found


def test_a_transposition_reads_cache_lines_to_their_end(lab: Any) -> None:
    found = text(lab, lambda a: R.permute_dims(a, [1, 0]), ((64, 96), "float32"))
    # The output is [96, 64]: squares along its columns, and inside that loop its rows.
    assert "T.grid(T.int64(8), T.int64(12))" in found


def test_heads_in_a_row_are_copied_head_by_head(lab: Any) -> None:
    """Halves that change places in each head, the heads in one row: none is a single number."""

    def turned(a: Any) -> Any:
        low, high = (R.strided_slice(a, [3], [n], [n + 16]) for n in (0, 16))
        heads = R.permute_dims(R.concat([high, R.negative(low)], 3), [0, 2, 1, 3])
        return R.reshape(heads, (18, 4 * 32))

    module = lab.lowered(turned, ((2, 4, 9, 32), "float32"))
    (function,) = lab.kernels(lab.assert_same_numbers(module).module).values()
    assert "T.vectorized(T.int64(8))" in function.script()
    assert "if_then_else" not in function.script()


def test_each_part_of_a_concatenation_is_written_as_if_it_were_alone(lab: Any) -> None:
    """Along an outer axis: a transposed part is made of squares, and no loop asks which it is."""
    columns = tirx.Var("m", "int64")
    for wide, sizes in ((96, ()), (columns, [{"m": m} for m in (1, 17, 40)])):

        def joined(a: Any, b: Any, c: Any) -> Any:
            return R.nn.relu(R.concat([R.permute_dims(a, [0, 2, 1]), b, c], 1))

        shapes = (2, wide, 32), (2, 24, wide), (2, 5, wide)
        module = lab.lowered(joined, *((shape, "float32") for shape in shapes))
        (function,) = lab.kernels(lab.assert_same_numbers(module, each=sizes).module).values()
        assert "T.Shuffle" in function.script()
        assert "if_then_else" not in function.script()


def test_what_is_joined_in_blocks_of_channels_is_made_of_vectors(lab: Any) -> None:
    """Whether the first tensor's last channels end a block, or others follow there."""

    def joined(a: Any, b: Any) -> Any:
        return to_blocked(R.concat([a, b], 1), 8)

    for channels in (16, 12):
        shapes = (2, channels, 5, 9), (2, 40 - channels, 5, 9)
        module = lab.lowered(joined, *((shape, "float32") for shape in shapes))
        (function,) = lab.kernels(lab.assert_same_numbers(module).module).values()
        assert "T.Shuffle" in function.script()
        assert "if_then_else" not in function.script()


def test_sizes_known_only_later_are_vectors_and_single_elements(lab: Any) -> None:
    found = text(lab, R.exp, ((tirx.Var("n", "int64"),), "float32"))
    assert "T.vectorized(T.int64(8))" in found
    assert "n // T.int64(8)" in found
    assert "n % T.int64(8)" in found


def test_where_a_step_begins_is_stored_before_its_vectors(lab: Any) -> None:
    """TVM puts a variable's value in its place, and simplifies that in each of nested maxima."""
    found = text(lab, lambda a: R.nn.relu(R.nn.relu(a)), ((tirx.Var("n", "int64"),), "float32"))
    begins = re.findall(r"start\[T.int64\(0\)\] = T.min\(", found)
    assert begins
    assert found.count("T.min(") == len(begins)


def test_what_whole_vectors_leave_of_a_size_known_only_later_comes_in_shorter_ones(
    lab: Any,
) -> None:
    n = tirx.Var("n", "int64")
    module = lab.lowered(R.exp, ((n,), "float32"))
    for size in (1, 3, 8, 11, 29):
        scheduled = lab.assert_same_numbers(module, n=size)
    (function,) = lab.kernels(scheduled.module).values()
    vectors = re.findall(r"T.vectorized\(T.int64\((\d+)\)\)", function.script())
    assert vectors == ["8", "8", "4"]
