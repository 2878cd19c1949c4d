"""schedules.cpu.axis_terms: what an epilogue computes of one axis is found once for all others."""

from typing import Any

import tvm
from tvm import relax, te, tirx
from tvm.relax import op as R

from tvmfuse.ops.lowering.averages import AVERAGE_POOLS
from tvmfuse.schedules.cpu.axis_terms import AxisTerms, axis_terms
from tvmfuse.schedules.cpu.window import window
from tvmfuse.schedules.expressions import loads, variables
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import Axis, read
from tvmfuse.target.machine import AVX2

N, H, W = (tirx.Var(name, "int64") for name in "nhw")


def found(lab: Any, operator: Any, width: Any = W) -> tuple[AxisTerms, Axis]:
    """Return the terms of a pool, whose counts are of floats, and its axis of columns."""
    builder, shape = relax.BlockBuilder(), relax.TensorType((N, 3, H, width), "float32")
    with builder.function("main", [x := relax.Var("x", shape)]):
        with builder.dataflow():
            pool = builder.normalize(operator(x))
            lowering = AVERAGE_POOLS.get(pool.op.name)
            result = builder.emit_output(lowering(builder, pool) if lowering else pool)
        builder.emit_func_output(result)
    fused = [relax.transform.AnnotateTIROpPattern(), relax.transform.FuseOps()]
    passes = [relax.transform.LegalizeOps(), *fused, relax.transform.FuseTIR()]
    passes.append(relax.transform.DeadCodeElimination())
    module = tvm.transform.Sequential(passes)(builder.get())
    (function,) = lab.kernels(module).values()
    pool = window(groups(inline(read(function))))
    assert pool is not None
    return axis_terms(pool.group, pool.column), pool.column


def test_the_columns_of_a_window_are_counted_for_all_lines(lab: Any) -> None:
    of, column = found(lab, lambda a: R.nn.avg_pool2d(a, (3, 3), (2, 2), (1, 1)))
    ((buffer, term),) = of.terms.items()
    assert {var.name for var in variables(term)} == {column.var.name, "w"}
    (stage,) = of.group.epilogue
    (read_,) = (load for load in loads(stage.store.value) if load.source.same_as(buffer))
    assert list(read_.indices) == [column.var]
    row = of.group.head.spatial[-2]
    both = axis_terms(of.group, row)
    ((_, term),) = both.terms.items()
    assert {var.name for var in variables(term)} == {row.var.name, "h"}
    (stage,) = both.group.epilogue
    assert str(stage.store.value).count("Cast") == 0


def test_what_is_the_same_for_all_columns_stays(lab: Any) -> None:
    of, _ = found(lab, lambda a: R.nn.max_pool2d(a, (3, 3), (2, 2), (1, 1)))
    assert of.terms == {}


def of_epilogue(lab: Any, factor: Any) -> int:
    """Return how many terms there are of sums of three columns, each times a factor."""
    taps = tirx.const(0, "int64"), tirx.const(3, "int64")
    x, k = te.placeholder((9, W), name="x"), te.reduce_axis(taps, "k")
    sums = te.compute((9, W - 2), lambda y, i: te.sum(x[y, i + k], k), name="sums")
    y = te.compute((9, W - 2), lambda y, i: sums[y, i] * factor(y, i, x), name="y")
    (group,) = groups(inline(read(lab.function_of(x, y))))
    *_, column = group.head.spatial
    return len(axis_terms(group, column).terms)


def test_a_term_is_a_float_of_an_integer_of_the_column_alone(lab: Any) -> None:
    def real(value: Any) -> Any:
        return value.astype("float32")

    assert of_epilogue(lab, lambda y, i, x: real(i + 1)) == 1
    assert of_epilogue(lab, lambda y, i, x: real(i + 1) * real(i + 1)) == 1, "once"
    assert of_epilogue(lab, lambda y, i, x: real(i + 1) * real(W - i)) == 2
    assert of_epilogue(lab, lambda y, i, x: real(y + i)) == 0
    assert of_epilogue(lab, lambda y, i, x: real(y)) == 0
    assert of_epilogue(lab, lambda y, i, x: real(x[0, i].astype("int32"))) == 0
    assert of_epilogue(lab, lambda y, i, x: real(tirx.floordiv(12, i + 1))) == 0, "by anything"


def test_an_axis_of_a_known_extent_has_terms_too(lab: Any) -> None:
    """The last of their vectors has room behind the last of them."""

    def pool(a: Any) -> Any:
        return R.nn.avg_pool2d(a, (3, 3), (2, 2), (1, 1))

    of, _ = found(lab, pool, 9)
    assert len(of.terms) == 1
    lab.assert_same_numbers(lab.lowered(pool, ((2, 3, 9, 9), "float32")), AVX2)
