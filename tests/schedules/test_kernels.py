"""schedules.kernels: what is read as stages, and what is refused with which words."""

from typing import Any

import pytest
from tvm import te, tirx
from tvm.relax import op as R
from tvm.script import tirx as T

from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.kernels import UnreadableError, read
from tvmfuse.schedules.schedule import schedule_kernel
from tvmfuse.target.machine import AVX2


def test_reads_axes_values_and_initial_values(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(lambda a: R.sum(a, -1), ((3, 7), "float32"))).values()
    (stage,) = read(function).stages
    assert [static(a.extent) for a in stage.spatial] == [3]
    assert [static(a.extent) for a in stage.reduction] == [7]
    assert stage.reduces
    assert stage.store.initial is not None
    assert stage.store.initial.value == 0
    assert [load.source.name for load in stage.loads] == ["p0"]


def test_drops_axes_of_one(lab: Any) -> None:
    module = lab.lowered(lambda a: R.sum(a, -1), ((1, 3, 1, 7), "float32"))
    (function,) = lab.kernels(module).values()
    (stage,) = read(function).stages
    assert len(stage.spatial) == 1


def test_a_reduction_over_one_element_stays_a_reduction(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(lambda a: R.sum(a, -1), ((3, 1), "float32"))).values()
    (stage,) = read(function).stages
    assert stage.reduces
    assert not stage.reduction


def test_reads_an_argmax_as_one_stage_of_two_stores(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(lambda a: R.argmax(a, -1), ((3, 7), "float32"))).values()
    first = read(function).stages[0]
    assert len(first.stores) == 2
    assert all(s.initial is not None for s in first.stores)


def test_simplifies_addresses(lab: Any) -> None:
    module = lab.lowered(lambda a: R.reshape(a, (2, 4, 2, 5)), ((2, 8, 5), "float32"))
    (function,) = lab.kernels(module).values()
    (stage,) = read(function).stages
    (load,) = stage.loads
    assert str(load.indices[0]) == str(stage.axes[0].var)
    assert "//" not in str(load)


@T.prim_func(s_tir=True)
def called(a: T.Buffer((8,), "float32")) -> None:
    with T.sblock("opaque"):
        T.reads(a[0:8])
        T.writes(a[0:8])
        T.evaluate(T.call_extern("int32", "sort", a.data))


@T.prim_func(s_tir=True)
def scattered(
    a: T.Buffer((8,), "float32"), i: T.Buffer((8,), "int32"), b: T.Buffer((8,), "float32")
) -> None:
    for x in range(8):
        with T.sblock("scatter"):
            v = T.axis.spatial(8, x)
            b[i[v]] = a[v]


@T.prim_func(s_tir=True)
def parallel(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")) -> None:
    for x in T.parallel(8):
        with T.sblock("copy"):
            v = T.axis.spatial(8, x)
            b[v] = a[v]


@T.prim_func(s_tir=True)
def scanned(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")) -> None:
    for x in range(8):
        with T.sblock("scan"):
            v = T.axis.spatial(8, x)
            b[v] = a[v] + T.if_then_else(v > 0, b[v - 1], T.float32(0))


@T.prim_func(s_tir=True)
def repeated(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")) -> None:
    for _t, x in T.grid(3, 8):
        with T.sblock("again"):
            v = T.axis.spatial(8, x)
            b[v] = a[v]


@T.prim_func(s_tir=True)
def partial(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")) -> None:
    for x in range(4):
        with T.sblock("even"):
            v = T.axis.spatial(8, x * 2)
            b[v] = a[v]


@T.prim_func(s_tir=True)
def twice(
    a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((8,), "float32")
) -> None:
    for x in range(8):
        with T.sblock("two"):
            v = T.axis.spatial(8, x)
            b[v] = a[v]
            c[v] = b[v]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (called, "inside its loops stands a Evaluate, not one block"),
        (scattered, "writes at computed indices"),
        (parallel, "a loop of it is scheduled already"),
        (scanned, "reads the buffer that it writes"),
        (repeated, "is repeated by a loop around it"),
        (partial, "does not run over whole loops"),
        (twice, "stores twice"),
    ],
    ids=lambda x: getattr(x, "__name__", None) or str(x)[:12],
)
def test_refuses(function: Any, words: str) -> None:
    with pytest.raises(UnreadableError, match=words):
        read(function)


def test_reads_indices_of_any_width(lab: Any) -> None:
    a = te.placeholder((3, 7))
    function = lab.function_of(a, te.compute((3, 7), lambda i, j: a[i, j] + tirx.const(1.0)))
    (stage,) = read(function).stages
    assert str(stage.axes[0].var.ty.dtype) == "int32"


def test_a_temporary_without_elements_is_none(lab: Any) -> None:
    x, r = te.placeholder((3, 0), "float32"), te.reduce_axis((0, 0))
    doubled = te.compute((3, 0), lambda i, j: x[i, j] * 2.0)
    function = lab.function_of(x, te.compute((3,), lambda i: te.sum(doubled[i, r], r)))
    assert read(function).temporaries == ()
    _, decision = schedule_kernel("sums", function, AVX2.target)
    assert decision.schedule != "as_written"
