"""schedules.collapse: which neighbouring axes become one."""

from typing import Any

from tvm import te, tirx
from tvm.relax import op as R

from tvmfuse.schedules.collapse import collapse
from tvmfuse.schedules.cpu.vectors import steps
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.kernels import read


def extents(lab: Any, operator: Any, *shapes: Any) -> Any:
    (function,) = lab.kernels(lab.lowered(operator, *[(s, "float32") for s in shapes])).values()
    (stage,) = collapse(read(function).stages)
    return [static(a.extent) for a in stage.axes]


def test_all_axes_of_a_chain_become_one(lab: Any) -> None:
    assert extents(lab, R.exp, (3, 5, 7)) == [105]


def test_a_channel_s_pixels_become_one_axis(lab: Any) -> None:
    assert extents(lab, R.add, (2, 3, 5, 7), (3, 1, 1)) == [2, 3, 35]


def test_a_broadcast_batch_keeps_its_axis(lab: Any) -> None:
    assert extents(lab, R.add, (2, 3, 5), (3, 5)) == [2, 15]


def test_a_transposition_keeps_what_it_swaps(lab: Any) -> None:
    assert extents(lab, lambda a: R.permute_dims(a, [1, 0, 2, 3]), (3, 4, 5, 7)) == [4, 3, 35]


def test_summed_axes_collapse_among_themselves(lab: Any) -> None:
    assert extents(lab, lambda a: R.sum(a, [2, 3]), (2, 3, 5, 7)) == [6, 35]


def test_an_index_used_as_a_number_keeps_its_axis(lab: Any) -> None:
    a = te.placeholder((3, 7))
    y = te.compute((3, 7), lambda i, j: a[i, j] + j.astype("float32"))
    (stage,) = collapse(read(lab.function_of(a, y)).stages)
    assert len(stage.axes) == 2


def test_sizes_known_only_later_collapse(lab: Any) -> None:
    n = tirx.Var("n", "int64")
    (function,) = lab.kernels(lab.lowered(R.exp, ((n, 3, 5), "float32"))).values()
    (stage,) = collapse(read(function).stages)
    assert len(stage.axes) == 1


def test_addresses_along_sizes_known_only_later_are_linear(lab: Any) -> None:
    """A quotient and a rest by such a size stay as they are, and no vector lies along them."""
    n, h, w = (tirx.Var(name, "int64") for name in "nhw")
    (function,) = lab.kernels(lab.lowered(R.exp, ((n, 3, h, w), "float32"))).values()
    (stage,) = collapse(read(function).stages)
    (axis,) = stage.axes
    assert steps(stage, axis) == [1, 1]
    module = lab.lowered(R.add, ((n, 3, h, w), "float32"), ((3, 1, 1), "float32"))
    for sizes in ({"n": 2, "h": 5, "w": 7}, {"n": 1, "h": 1, "w": 19}):
        lab.assert_same_numbers(module, **sizes)
