"""CastChainElimination: a cast to a wider type that another cast follows is skipped."""

from typing import Any

import numpy as np
import pytest
import tvm
from graphs import graph, onnx_model, ops, run, tensor
from onnx import TensorProto, helper
from tvm import IRModule, tirx
from tvm.relax.op import astype, exp, expand_dims

from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.basic.cast_chain_elimination import CastChainElimination, holds
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = CastChainElimination()
LOSSY = "the first cast keeps every number"
UNLIKE = "the second cast treats both types alike"


def chain(*dtypes: str) -> IRModule:
    """Cast from the first dtype through all others."""

    def compute(x: Any, _: Any) -> Any:
        for dtype in dtypes[1:]:
            x = astype(x, dtype)
        return expand_dims(x, 0)

    return graph(compute, tensor(4, dtype=dtypes[0]))


def test_is_off_unless_asked_for() -> None:
    assert not RULE.default


@pytest.mark.parametrize(
    "dtypes",
    [
        ("float32", "float64", "float32"),
        ("float16", "float32", "float16"),
        ("int8", "int32", "int8"),
        ("int32", "float64", "int32"),
        ("uint8", "float16", "uint8"),
        ("bool", "float32", "bool"),
        ("int64", "int64", "int64"),
    ],
    ids="-".join,
)
def test_there_and_back_is_nothing(dtypes: tuple[str, ...]) -> None:
    assert_rewrites(
        RULE, chain(*dtypes), graph(lambda x, _: expand_dims(x, 0), tensor(4, dtype=dtypes[0]))
    )


@pytest.mark.parametrize(
    "dtypes",
    [
        ("int8", "int32", "int64"),
        ("int64", "int64", "int8"),
        ("int32", "int64", "uint8"),
        ("int32", "int64", "float32"),
        ("float32", "float64", "float16"),
        ("float16", "float32", "float64"),
        ("int8", "float32", "int32"),
        ("uint8", "int16", "float16"),
        ("bool", "int64", "float32"),
        ("int8", "float32", "bool"),
        ("float32", "float64", "bool"),
    ],
    ids="-".join,
)
def test_the_middle_one_goes(dtypes: tuple[str, ...]) -> None:
    assert_rewrites(RULE, chain(*dtypes), chain(dtypes[0], dtypes[2]))


def test_long_chains() -> None:
    assert_rewrites(RULE, chain("int8", "int16", "int32", "int64", "int8", "float32"),
                    chain("int8", "float32"))  # fmt: skip


def test_the_middle_one_stays_for_its_other_readers() -> None:
    def before(x: Any, emit: Any) -> Any:
        y = emit(astype(x, "int32"))
        return [exp(astype(y, "float32")), expand_dims(y, 0)]

    def after(x: Any, emit: Any) -> Any:
        y = emit(astype(x, "int32"))
        return [exp(astype(x, "float32")), expand_dims(y, 0)]

    x = tensor(4, dtype="int8")
    assert_rewrites(RULE, graph(before, x), graph(after, x))


def test_symbolic_shapes() -> None:
    x = tensor(tirx.Var("n", "int64"))
    tvm.ir.assert_structural_equal(
        RULE(graph(lambda x, _: exp(astype(astype(x, "float64"), "float32")), x)),
        graph(lambda x, _: exp(x), x),
    )


@pytest.mark.parametrize(
    "dtypes",
    [
        ("float32", "float16", "float32"),
        ("float32", "int32", "float32"),
        ("float64", "float32", "float16"),
        ("int32", "float32", "int32"),
        ("int64", "float64", "int64"),
        ("int64", "int32", "int64"),
        ("int8", "uint8", "int32"),
        ("uint8", "int8", "int32"),
        ("int16", "float16", "float32"),
        ("int32", "bool", "int32"),
        ("float16", "bfloat16", "float32"),
        ("bfloat16", "float16", "float32"),
    ],
    ids="-".join,
)
def test_declines_a_first_cast_that_loses_something(dtypes: tuple[str, ...]) -> None:
    assert_declines(RULE, chain(*dtypes), because=LOSSY)


@pytest.mark.parametrize(
    "dtypes",
    [
        ("float16", "float32", "int8"),  # out of range, nothing says what comes
        ("float32", "float64", "int64"),
        ("int16", "float32", "int8"),  # a float saturates or not, an integer wraps
        ("int32", "float64", "float16"),  # one rounding, or two where int -> half goes by float32
    ],
    ids="-".join,
)
def test_declines_where_the_second_cast_depends_on_the_type(dtypes: tuple[str, ...]) -> None:
    assert_declines(RULE, chain(*dtypes), because=UNLIKE)


def test_declines_where_a_graph_output_would_be_a_graph_input() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: astype(astype(x, "float64"), "float32"), tensor(4)),
        because="no graph output becomes a graph input or another output",
    )


def test_ignores_single_casts() -> None:
    assert_ignores(RULE, graph(lambda x, _: exp(astype(x, "float64")), tensor(4)))


INTEGERS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = ["float16", "float32", "float64"]


@pytest.mark.parametrize("narrow", INTEGERS + FLOATS)
@pytest.mark.parametrize("wide", INTEGERS + FLOATS)
def test_what_a_dtype_holds(wide: str, narrow: str) -> None:
    """The reference: the numbers at the edges survive the way there and back."""
    if narrow in INTEGERS:
        low, high = (0, 1) if narrow == "bool" else (np.iinfo(narrow).min, np.iinfo(narrow).max)
        edges = [int(low), int(high), int(high) - 1]
        kept = all(_python(wide, e) == e for e in edges)
    else:
        kept = wide in FLOATS and np.finfo(wide).bits >= np.finfo(narrow).bits
    assert holds(wide, narrow) == kept


def _python(dtype: str, number: int) -> int | None:
    """Store an integer in a dtype and read it again; None where it is out of range."""
    if dtype in FLOATS:
        fits = abs(number) <= float(np.finfo(dtype).max)
        return int(np.array(float(number)).astype(dtype)) if fits else None
    low, high = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return number if low <= number <= high else None


EDGES = {
    "float32": [np.nan, np.inf, -np.inf, -0.0, 65519.9, 65520.0, 1e-8, 3.4e38, 1 + 2**-11, 0.1],
    "int32": [-(2**31), 2**31 - 1, 2**24 + 1, 2**24 + 3, 255, 256, -129, 0, 1, 65535],
    "int8": [-128, 127, -1, 0, 1, 2, 3, 4, 5, 6],
}
LAST = ["bool", "uint8", "int16", "uint64", "float16", "float32"]


def collapses(*dtypes: str) -> bool:
    trace = Trace()
    RULE(chain(*dtypes), trace)
    return bool(trace.fired)


@pytest.mark.parametrize(
    ("source", "wide"),
    [("float32", "float64"), ("int32", "int64"), ("int32", "float64"), ("int8", "float16")],
)
def test_edge_numbers_are_treated_alike(source: str, wide: str) -> None:
    """Every chain from these dtypes that collapses gives the same bits, NaN and all."""
    lasts = [last for last in LAST if collapses(source, wide, last)]
    assert lasts

    def through(*middle: Any) -> Any:
        def compute(x: Any, emit: Any) -> Any:
            for dtype in middle:
                x = emit(astype(x, dtype))
            return [astype(x, last) for last in lasts]

        return graph(compute, tensor(10, dtype=source))

    x = np.array(EDGES[source], source)
    for last, long, short in zip(lasts, run(through(wide), x), run(through(), x), strict=True):
        np.testing.assert_array_equal(long, short, err_msg=last)


def test_a_whole_model() -> None:
    model = onnx_model(
        [
            helper.make_node("Cast", ["x"], ["wide"], to=TensorProto.DOUBLE),
            helper.make_node("Cast", ["wide"], ["back"], to=TensorProto.FLOAT),
            helper.make_node("Exp", ["back"], ["y"]),
        ],
        {"x": ("float32", ["n", 3])},
        {"y": "float32"},
    )
    assert ops(RULE(import_model(model).module)) == ["exp"]
