"""schedules.groups: which stages finish a reduction's results while they are at hand."""

from typing import Any

from tvm import IRModule, te, tirx
from tvm.relax import op as R

from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read


def product(m: Any, n: Any, k: Any) -> Any:
    a, b = te.placeholder((m, k)), te.placeholder((k, n))
    r = te.reduce_axis((0, k))
    return a, b, te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], r), name="c")


def test_bias_and_activation_join_the_product(lab: Any) -> None:
    module = lab.lowered(
        lambda a, b, c: R.nn.relu(R.matmul(a, b) + c),
        ((9, 5), "float32"),
        ((5, 7), "float32"),
        ((7,), "float32"),
    )
    (function,) = lab.kernels(module).values()
    (group,) = groups(inline(read(function)))
    assert group.head.reduces
    assert len(group.epilogue) == 1
    assert group.epilogue[0].axes == group.head.spatial
    assert {b.name for b in group.stored} == {"compute_intermediate"}


def test_a_transposed_reader_joins_in_the_product_s_axes(lab: Any) -> None:
    a, b, c = product(9, 7, 5)
    function = lab.function_of(a, b, te.compute((7, 9), lambda j, i: c[i, j] * 2.0))
    (group,) = groups(read(function))
    assert len(group.epilogue) == 1
    lab.assert_same_numbers(IRModule({"main": function}))


def test_a_reader_of_other_elements_does_not_join(lab: Any) -> None:
    a, b, c = product(9, 7, 5)
    function = lab.function_of(a, b, te.compute((9, 7), lambda i, j: c[8 - i, j]))
    assert [len(g.epilogue) for g in groups(read(function))] == [0, 0]


def test_a_reader_of_part_of_it_does_not_join(lab: Any) -> None:
    a, b, c = product(9, 7, 5)
    function = lab.function_of(a, b, te.compute((4, 7), lambda i, j: c[i, j]))
    assert len(groups(read(function))) == 2


def test_what_the_epilogue_needs_runs_before_the_group(lab: Any) -> None:
    a, b, c = product(9, 7, 5)
    x = te.placeholder((7,))
    scale = te.compute((7,), lambda j: tirx.exp(x[j]), name="scale")
    function = lab.function_of(a, b, x, te.compute((9, 7), lambda i, j: c[i, j] * scale[j]))
    assert [g.head.name for g in groups(read(function))] == ["scale", "c"]


def test_a_result_read_elsewhere_is_stored(lab: Any) -> None:
    a, b, c = product(9, 7, 5)
    twice = te.compute((9, 7), lambda i, j: c[i, j] * 2.0, name="twice")
    r = te.reduce_axis((0, 7))
    rows = te.compute((9,), lambda i: te.sum(c[i, r], r), name="rows")
    first, second = groups(read(lab.function_of(a, b, twice, rows)))
    assert {b.name for b in first.stored} == {"c", "twice"}
    assert {b.name for b in second.stored} == {"rows"}
