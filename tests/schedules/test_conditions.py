"""schedules.conditions: branches on an axis are cut away, or both sides computed."""

from typing import Any

import pytest
from tvm import te, tirx
from tvm.relax import op as R

from tvmfuse.schedules.conditions import branches_along, partition_axis, without_branches
from tvmfuse.schedules.expressions import branches, callee, calls, static
from tvmfuse.schedules.kernels import read


def stage_of(lab: Any, operator: Any, *inputs: Any) -> Any:
    (function,) = lab.kernels(lab.lowered(operator, *inputs)).values()
    (stage,) = read(function).stages
    return stage


def branching(lab: Any, shape: Any, condition: Any, value: Any, *inputs: Any) -> Any:
    """One stage: a value where a condition on the indices holds, else zero."""
    zero = tirx.const(0, inputs[0].dtype)
    y = te.compute(shape, lambda *i: tirx.if_then_else(condition(*i), value(*i), zero))
    (stage,) = read(lab.function_of(*inputs, y)).stages
    return stage


def test_padding_falls_into_edge_inside_edge(lab: Any) -> None:
    stage = stage_of(lab, lambda a: R.nn.pad(a, [0, 0, 2, 3]), ((4, 10), "float32"))
    pieces = partition_axis(stage, stage.axes[-1])
    assert [static(p.axes[-1].extent) for p in pieces] == [2, 10, 3]
    assert not any(branches(*p.parts) for p in pieces)
    assert [len(p.loads) for p in pieces] == [0, 1, 0]


def test_concatenation_falls_into_its_inputs(lab: Any) -> None:
    inputs = [((4, n), "float32") for n in (3, 5, 2)]
    stage = stage_of(lab, lambda *a: R.concat(a, 1), *inputs)
    pieces = partition_axis(stage, stage.axes[-1])
    assert [static(p.axes[-1].extent) for p in pieces] == [3, 5, 2]
    assert [[load.source.name for load in p.loads] for p in pieces] == [["p0"], ["p1"], ["p2"]]


def test_sizes_known_only_later_are_cut_where_the_order_is_certain(lab: Any) -> None:
    n = tirx.Var("n", "int64")
    stage = stage_of(lab, lambda a: R.nn.pad(a, [0, 0, 2, 2]), ((3, n), "float32"))
    pieces = partition_axis(stage, stage.axes[-1])
    assert [str(p.axes[-1].extent) for p in pieces] == ["T.int64(2)", "n", "T.int64(2)"]


def test_strided_conditions_are_cut_at_the_rounded_place(lab: Any) -> None:
    a = te.placeholder((9,))
    stage = branching(lab, (6,), lambda i: 2 * i + 1 < 9, lambda i: a[2 * i + 1], a)
    assert [static(p.axes[0].extent) for p in partition_axis(stage, stage.axes[0])] == [4, 2]


@pytest.mark.parametrize(
    ("channels", "pieces", "branching_blocks"), [(32, [2, 3], 0), (40, [2, 1, 2], 1)]
)
def test_channels_in_blocks_are_cut_between_two_or_around_one(
    lab: Any, channels: int, pieces: Any, branching_blocks: int
) -> None:
    """Channel 16 * o + c comes from another tensor from some place on, which may be in a block."""
    a = te.placeholder((channels,))
    stage = branching(
        lab, (5, 16), lambda o, c: 16 * o + c < channels, lambda o, c: a[16 * o + c], a
    )
    found = partition_axis(stage, stage.axes[0])
    assert [static(p.axes[0].extent) for p in found] == pieces
    assert sum(bool(list(branches(*p.parts))) for p in found) == branching_blocks


def test_a_condition_on_two_axes_is_not_cut(lab: Any) -> None:
    a = te.placeholder((9, 9))
    stage = branching(lab, (9, 9), lambda i, j: i < j, lambda i, j: a[i, j - 1], a)
    assert partition_axis(stage, stage.axes[1]) == (stage,)
    assert branches_along(stage, stage.axes[1].var)


def test_both_sides_are_computed_where_all_they_read_is_there(lab: Any) -> None:
    a = te.placeholder((9, 9))
    stage = branching(lab, (9, 9), lambda i, j: i < j, lambda i, j: a[i, j], a)
    assert isinstance(without_branches(stage).store.value, tirx.Select)


def test_a_choice_in_a_shape_is_no_branch(lab: Any) -> None:
    """As the size of a pool that is rounded up is one."""
    n = tirx.Var("n", "int64")
    x = te.placeholder((tirx.if_then_else(n > 1, n, n + 1), 4), name="x")
    y = te.compute((n, 4), lambda i, j: tirx.exp(x[i, j]), name="y")
    (stage,) = read(lab.function_of(x, y)).stages
    assert not branches(*stage.parts)
    assert [callee(call) for call in calls(stage.store.value)] == ["exp"]
    z = te.compute((n, 4), lambda i, j: x[tirx.if_then_else(i < 1, i, i - 1), j], name="z")
    (stage,) = read(lab.function_of(x, z)).stages
    assert branches(*stage.parts), "but one in an address is"


def test_a_branch_that_keeps_inside_the_buffer_stays(lab: Any) -> None:
    stage = stage_of(lab, lambda a: R.nn.pad(a, [2, 3]), ((10,), "float32"))
    assert not isinstance(without_branches(stage).store.value, tirx.Select)


def test_a_branch_that_keeps_from_dividing_by_zero_stays(lab: Any) -> None:
    a, b = te.placeholder((9,), dtype="int32"), te.placeholder((9,), dtype="int32")
    stage = branching(lab, (9,), lambda i: b[i] != 0, lambda i: tirx.floordiv(a[i], b[i]), a, b)
    assert not isinstance(without_branches(stage).store.value, tirx.Select)
