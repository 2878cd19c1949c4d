"""Evaluating calls: numpy computes what TVM's own lowering of the same call computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import relax
from tvm.ir import Call, Expr
from tvm.relax.op import nn

from tvmfuse.ops import barrier, dropout, gemm, identity, lookup, write_rows
from tvmfuse.passes.folding.evaluate import KERNELS, CannotEvaluateError, Evaluator
from tvmfuse.testing import QUICK

RNG = np.random.default_rng(0)
op = relax.op


def floats(*shape: int, dtype: str = "float32") -> np.ndarray:
    return RNG.uniform(-3, 3, shape).astype(dtype)


X, Y = floats(2, 3, 4), floats(3, 4)
UNIT = RNG.uniform(-0.9, 0.9, (2, 3)).astype("float32")
POSITIVE = RNG.uniform(1.1, 3, (2, 3)).astype("float32")
SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1.5, -2.5], "float32")
INTEGERS = np.array([-7, -6, -1, 0, 5, 6, 7], "int32")
DIVISORS = np.array([3, -2, 5, 4, -3, -4, 2], "int32")
BOOLEANS = np.array([True, False, True]), np.array([True, True, False])
INDEX = np.array([[2, 0], [1, 1]], "int64")
CHANNEL = floats(3)

Case = tuple[str, Callable[..., Call], tuple[np.ndarray, ...]]


def on(*arrays: np.ndarray) -> Callable[[list[tuple[str, Any]]], list[Case]]:
    """Give the same operands to several operators."""
    return lambda named: [(name, build, arrays) for name, build in named]


UNARY = {
    "abs": X, "acos": UNIT, "acosh": POSITIVE, "asin": UNIT, "asinh": X, "atan": X, "atanh": UNIT,
    "ceil": SPECIAL, "cos": X, "cosh": X, "erf": X, "exp": SPECIAL, "floor": SPECIAL,
    "isfinite": SPECIAL, "isinf": SPECIAL, "isnan": SPECIAL, "log": SPECIAL, "negative": SPECIAL,
    "rsqrt": POSITIVE, "sigmoid": X, "sign": INTEGERS, "sin": X, "sinh": X, "sqrt": SPECIAL,
    "square": X, "tan": X, "tanh": X, "trunc": SPECIAL, "bitwise_not": INTEGERS,
    "logical_not": BOOLEANS[0],
}  # fmt: skip
BINARY = {
    "add": (X, Y), "subtract": (X, Y), "multiply": (X, Y), "divide": (SPECIAL, SPECIAL[::-1].copy()),
    "floor_divide": (X, Y), "mod": (X, Y), "floor_mod": (X, Y), "maximum": (X, Y),
    "minimum": (X, Y), "power": (POSITIVE, UNIT), "atan2": (X, Y), "equal": (INDEX, INDEX.T.copy()),
    "not_equal": (INDEX, INDEX.T.copy()), "greater": (SPECIAL, SPECIAL[::-1].copy()),
    "greater_equal": (X, Y), "less": (X, Y), "less_equal": (X, Y), "logical_and": BOOLEANS,
    "logical_or": BOOLEANS, "logical_xor": BOOLEANS, "bitwise_and": (INTEGERS, DIVISORS),
    "bitwise_or": (INTEGERS, DIVISORS), "bitwise_xor": (INTEGERS, DIVISORS),
    "left_shift": (INTEGERS, np.abs(DIVISORS)), "right_shift": (INTEGERS, np.abs(DIVISORS)),
}  # fmt: skip

CASES: list[Case] = [
    *((f"{n}", getattr(op, n), (x,)) for n, x in UNARY.items()),
    *((f"{n}", getattr(op, n), pair) for n, pair in BINARY.items()),
    *((f"{n} int32", getattr(op, n), (INTEGERS, DIVISORS))
      for n in ("add", "divide", "floor_divide", "mod", "floor_mod", "multiply", "maximum")),
    *((f"{n} float16", getattr(op, n), (X.astype("float16"),)) for n in ("exp", "sigmoid")),
    *on(X)([
        ("astype int", lambda x: op.astype(x, "int32")),
        ("astype bool", lambda x: op.astype(x, "bool")),
        ("astype half", lambda x: op.astype(x, "float16")),
        ("clip", lambda x: op.clip(x, -1.0, 0.5)),
        ("clip above", lambda x: op.clip(x, float("-inf"), 0.5)),
        ("concat", lambda x: op.concat([x, x], axis=-2)),
        ("cumsum", lambda x: op.cumsum(x, axis=1)),
        ("cumsum flat", lambda x: op.cumsum(x)),
        ("cumprod exclusive", lambda x: op.cumprod(x, axis=-1, exclusive=True)),
        ("expand_dims", lambda x: op.expand_dims(x, [0, -1])),
        ("flatten", op.flatten),
        ("flip", lambda x: op.flip(x, 1)),
        ("gelu", nn.gelu),
        ("gelu_tanh", nn.gelu_tanh),
        ("leakyrelu", lambda x: nn.leakyrelu(x, 0.1)),
        ("log_softmax", lambda x: nn.log_softmax(x, 1)),
        ("softmax", lambda x: nn.softmax(x, -1)),
        ("relu", nn.relu),
        ("silu", nn.silu),
        ("pad constant", lambda x: nn.pad(x, [1, 0, 0, 2, 1, 1], "constant", 2.5)),
        ("pad reflect", lambda x: nn.pad(x, [0, 0, 2, 1, 1, 2], "reflect")),
        ("pad replicate", lambda x: nn.pad(x, [0, 0, 2, 1, 1, 2], "replicate")),
        ("pad circular", lambda x: nn.pad(x, [0, 0, 2, 1, 1, 2], "circular")),
        ("permute_dims", lambda x: op.permute_dims(x, [2, 0, 1])),
        ("permute_dims all", op.permute_dims),
        ("repeat", lambda x: op.repeat(x, 2, 1)),
        ("repeat flat", lambda x: op.repeat(x, 2)),
        ("reshape", lambda x: op.reshape(x, (4, 6))),
        ("split", lambda x: op.split(x, 2, axis=2)),
        ("split at", lambda x: op.split(x, [1, 3], axis=-1)),
        ("stack", lambda x: op.stack([x, x], axis=1)),
        ("strided_slice", lambda x: op.strided_slice(x, [1, 2], [0, -2], [9, 9])),
        ("strided_slice back", lambda x: op.strided_slice(x, [0, 2], [1, 3], [-9, 0], [-1, -2])),
        ("tile", lambda x: op.tile(x, (2, 1, 3))),
        ("tile more", lambda x: op.tile(x, (2, 1, 1, 3))),
        ("tril", lambda x: op.tril(x, -1)),
        ("triu", lambda x: op.triu(x, 1)),
        ("ones_like", op.ones_like),
        ("zeros_like", op.zeros_like),
        ("identity", identity),
        ("barrier", barrier),
        ("dropout", lambda x: dropout(x, ratio=0.5, training=False)),
        *((f"{n} {axis} {keep}", lambda x, n=n, axis=axis, keep=keep: getattr(op, n)(x, axis, keep))
          for n in ("sum", "mean", "prod", "max", "min", "std", "variance")
          for axis, keep in (([-1, 0], True), (None, False))),
        ("argmax", lambda x: op.argmax(x, 1)),
        ("argmin", lambda x: op.argmin(x, -1, keepdims=True)),
        ("argmax all", op.argmax),
    ]),
    ("sum int8", lambda x: op.sum(x, [0]), (np.array([100, 100, 50], "int8"),)),
    ("broadcast_to", lambda x: op.broadcast_to(x, (2, 3, 4)), (Y,)),
    ("squeeze", lambda x: op.squeeze(x, [0]), (X.reshape(1, 6, 1, 4),)),
    ("squeeze all", op.squeeze, (X.reshape(1, 6, 1, 4),)),
    ("where", op.where, (np.array([[True], [False], [True]]), X, Y)),
    ("take", lambda x, i: op.take(x, i, 1), (X, INDEX)),
    ("take scalar", lambda x, i: op.take(x, i, 2), (X, np.array(1, "int64"))),
    ("take clip", lambda x, i: op.take(x, i, 0, mode="clip"), (X, INDEX)),
    ("take wrap", lambda x, i: op.take(x, i, 0, mode="wrap"), (X, INDEX)),
    ("gather_elements", lambda x, i: op.gather_elements(x, i, 1), (Y, INDEX)),
    ("gather_nd", op.gather_nd, (Y, INDEX)),
    ("gather_nd batch", lambda x, i: op.gather_nd(x, i, 1), (X, INDEX[:, :1])),
    ("scatter_elements", lambda x, i, u: op.scatter_elements(x, i, u, 1), (Y, INDEX, Y[:2, :2])),
    *((f"scatter_elements {r}", lambda x, i, u, r=r: op.scatter_elements(x, i, u, 0, r),
       (Y, INDEX, Y[:2, :2])) for r in ("add", "mul", "min", "max")),
    ("scatter_nd", op.scatter_nd, (Y, INDEX[:1], Y[0, :1])),
    ("scatter_nd add", lambda x, i, u: op.scatter_nd(x, i, u, "add"), (Y, INDEX[:, :1], Y[:2])),
    ("write_rows", lambda x, i, u: write_rows(x, i, u, 1), (Y, INDEX[0, :1], Y[:, :1] * 2)),
    ("sort", lambda x: op.sort(x, 1), (X,)),
    ("sort back", lambda x: op.sort(x, 0, descending=True), (X,)),
    ("argsort", lambda x: op.argsort(x, -1, dtype="int64"), (X,)),
    ("topk", lambda x: op.topk(x, 2, 1, dtype="int64"), (X,)),
    ("topk of equal ones", lambda x: op.topk(x, 2, 0), (np.array([1, 3, 3, 1], "int32"),)),
    ("smallest", lambda x: op.topk(x, 2, 2, "values", largest=False), (X,)),
    ("one_hot", lambda i: op.one_hot(i, relax.prim_value(5.0), relax.prim_value(2.0), 3, 1), (INDEX,)),
    ("matmul", op.matmul, (X, Y.T.copy())),
    ("matmul vector", op.matmul, (X, Y[0])),
    ("matmul half", op.matmul, (X.astype("float16"), Y.T.astype("float16"))),
    ("matmul wide", lambda a, b: op.matmul(a, b, "int32"),
     (INDEX.astype("int8"), INDEX.astype("int8"))),
    ("gemm", lambda a, b, c: gemm(a, b, c, trans_b=True, alpha=0.5, beta=2.0), (X, Y, CHANNEL)),
    ("gemm plain", lambda a, b: gemm(a, b, trans_a=True), (Y, floats(3, 5))),
    ("batch_norm", lambda *a: nn.batch_norm(*a, axis=1, training=False),
     (X, CHANNEL, CHANNEL, CHANNEL, np.abs(CHANNEL))),
    ("batch_norm plain", lambda *a: nn.batch_norm(*a, axis=1, center=False, scale=False, training=False),
     (X, CHANNEL, CHANNEL, CHANNEL, np.abs(CHANNEL))),
    ("quantize", lambda x, s, z: op.quantize(x, s, z, axis=1, out_dtype="int8"),
     (X, np.array([0.1, 0.01, 0.5], "float32"), np.array([1, 0, -3], "int8"))),
    ("lookup", lambda x: lookup(x, np.arange(256)[::-1].astype("uint8")), (INTEGERS.astype("int8"),)),
    ("dequantize", lambda x, s, z: op.dequantize(x, s, z, axis=0),
     (np.array([[-128, 127], [0, 5]], "int8"), np.array([0.5, 2], "float32"),
      np.array([1, -3], "int8"))),
    ("arange", lambda: op.arange(0, 10, 3, "int64"), ()),
    ("arange float", lambda: op.arange(1.0, 2.0, 0.3, "float32"), ()),
    ("full", lambda x: op.full((2, 3), x, "int64"), (np.array(7, "int64"),)),
    ("full_like", lambda x, v: op.full_like(x, v), (X, np.array(7, "float32"))),
    ("ones", lambda: op.ones((2, 2), "float16"), ()),
    ("zeros", lambda: op.zeros((0, 2), "bool"), ()),
    ("shape_to_tensor", lambda: op.shape_to_tensor(relax.ShapeExpr([4, 5])), ()),
]  # fmt: skip


def parameters(arrays: tuple[np.ndarray, ...]) -> list[relax.Var]:
    return [
        relax.Var(f"x{i}", relax.TensorType(a.shape, str(a.dtype))) for i, a in enumerate(arrays)
    ]


def value_of(
    build: Callable[..., Call], *arrays: np.ndarray, evaluator: Evaluator | None = None
) -> Any:
    """Evaluate a call of these operands."""
    params = parameters(arrays)
    given = dict(zip(params, arrays, strict=True))

    def value(expr: Expr) -> Any:
        if isinstance(expr, relax.Tuple):
            return tuple(value(f) for f in expr.fields)
        if isinstance(expr, relax.ShapeExpr):
            return tuple(int(d) for d in expr.values)
        return given[expr] if isinstance(expr, relax.Var) else expr.value

    call = relax.BlockBuilder().normalize(build(*params))
    return (evaluator or Evaluator())(call, [value(a) for a in call.args])


def test_sine_and_cosine_fold_to_the_nearest_numbers_as_kernels_round_them() -> None:
    angles = (np.arange(4096) * (2 * np.pi / 4096)).astype("float32")
    for build, exact in ((op.sin, np.sin), (op.cos, np.cos), (op.tanh, np.tanh), (op.exp, np.exp)):
        expected = exact(angles.astype("float64")).astype("float32")
        np.testing.assert_array_equal(value_of(build, angles), expected)


def test_powers_fold_to_c_s_at_the_ends() -> None:
    x = np.array([-0.0, 0.0, -np.inf, np.inf], "float32")
    for exponent, expected in ((0.5, [0, 0, np.inf, np.inf]), (-0.5, [np.inf, np.inf, 0, 0])):
        found = value_of(op.power, x, np.array(exponent, "float32"))
        np.testing.assert_array_equal(found, expected)
        assert not np.signbit(found).any()


def test_gelus_fold_to_no_more_than_their_formulas_give() -> None:
    x = np.array([-10, -1e13, 10, np.inf], "float32")
    for build in (nn.gelu, nn.gelu_tanh):
        found = value_of(build, x)
        np.testing.assert_array_equal(found, [0, 0, 10, np.inf])
        np.testing.assert_array_equal(np.signbit(found), [True, True, False, False])
        assert np.isnan(value_of(build, np.array([-np.inf, np.nan], "float32"))).all()


def test_computes_what_the_compiled_call_computes() -> None:
    # One module with all cases: compiling them one by one would take ten times as long.
    builder = relax.BlockBuilder()
    for place, (_, build, arrays) in enumerate(CASES):
        params = parameters(arrays)
        with builder.function(f"case{place}", params):
            builder.emit_func_output(builder.emit(build(*params)))
    module = relax.transform.DecomposeOpsForInference()(builder.get())
    machine = relax.VirtualMachine(tvm.compile(module, QUICK), tvm.cpu())
    for place, (name, build, arrays) in enumerate(CASES):
        compiled = machine[f"case{place}"](*map(tvm.runtime.tensor, arrays))
        assert_same(value_of(build, *arrays), compiled, name)


def assert_same(computed: Any, compiled: Any, name: str) -> None:
    if isinstance(computed, tuple):
        for ours, theirs in zip(computed, compiled, strict=True):
            assert_same(ours, theirs, name)
        return
    theirs = compiled.numpy()
    assert (computed.dtype, computed.shape) == (theirs.dtype, theirs.shape), name
    tolerance = 2e-3 if theirs.dtype == np.float16 else 1e-5
    np.testing.assert_allclose(computed, theirs, rtol=tolerance, atol=tolerance, err_msg=name)


def test_every_kernel_has_a_case() -> None:
    def op_of(case: Case) -> str:
        return str(case[1](*parameters(case[2])).op.name)

    assert KERNELS.keys() - {op_of(c) for c in CASES} == {
        "relax.nonzero",  # TVM finds the shape of its result when it runs
        "relax.round",  # TVM rounds in the CPU's rounding mode
        "relax.size",  # reads a type
        "relax.tensor_to_shape",  # makes no tensor
        "relax.unique",  # TVM finds the shapes of its results when it runs
    }


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (nn.relu, [np.nan, np.inf, 0, 0]),
        (lambda x: op.maximum(x, x), [np.nan, np.inf, -np.inf, -0.0]),
        (lambda x: op.clip(x, -1.0, 1.0), [np.nan, 1, -1, -0.0]),
        (lambda x: op.max(x, 0), np.nan),
    ],
)
def test_nan_propagates(build: Callable[..., Call], expected: list[float]) -> None:
    x = np.array([np.nan, np.inf, -np.inf, -0.0], "float32")
    np.testing.assert_array_equal(value_of(build, x), np.array(expected, "float32"))


def test_rounds_half_to_even() -> None:
    x = np.array([0.5, 1.5, -0.5, -1.5], "float32")
    np.testing.assert_array_equal(value_of(op.round, x), [0, 2, -0.0, -2])


def test_lists_the_places_that_are_not_zero() -> None:
    np.testing.assert_array_equal(value_of(op.nonzero, np.eye(2, dtype="int8")), [[0, 1], [0, 1]])


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((True, True, True, True), ([0, 1, 2, 3], [4, 1, 3, 0], [3, 1, 3, 2, 0, 2], [1, 1, 2, 2])),
        ((False, True, True, True), ([3, 1, 2, 0], [0, 1, 3, 4], [0, 1, 0, 2, 3, 2], [2, 1, 2, 1])),
        ((True, True, True, True, 1), ([[1, 3], [0, 2]], [1, 0], [1, 0, 1], [1, 2])),
        ((False, False, True, False, 1), ([[3, 1], [2, 0]], [0, 1, 0])),
    ],
)
def test_lists_what_occurs_as_onnx_does(options: Any, expected: Any) -> None:
    """In order, or as it comes; then the first places, the inverse and the counts."""
    x = np.array([[3, 1, 3], [2, 0, 2]], "float32")
    found = value_of(lambda x: op.unique(x, *options), x)
    assert [a.tolist() for a in found] == list(expected)


def test_lists_what_occurs_and_nothing_else() -> None:
    found = value_of(op.unique, np.array([2, 1, 2], "int32"))
    np.testing.assert_array_equal(found, [1, 2])


def test_keeps_bfloat16() -> None:
    x = np.array([1.5, -2.0], "bfloat16")
    for build in (op.exp, op.sigmoid, lambda x: op.add(x, x), lambda x: op.sum(x, 0)):
        assert value_of(build, x).dtype == x.dtype


def test_keeps_the_dtype_of_scalars() -> None:
    x = np.array(2.0, "float16")
    for build in (nn.silu, nn.gelu, op.rsqrt, nn.relu, lambda x: nn.leakyrelu(x, 0.1)):
        assert value_of(build, x).dtype == np.float16


def test_computes_on_no_elements() -> None:
    empty = np.zeros((0, 3), "float32")
    assert value_of(op.exp, empty).shape == (0, 3)
    np.testing.assert_array_equal(value_of(lambda x: op.sum(x, 0), empty), [0, 0, 0])
    assert value_of(lambda x: op.concat([x, x]), empty).shape == (0, 3)


@pytest.mark.parametrize(
    ("build", "arrays", "why"),
    [
        (op.divide, (INTEGERS, DIVISORS - DIVISORS), "an integer is divided by zero"),
        (op.floor_mod, (INTEGERS, DIVISORS - DIVISORS), "an integer is divided by zero"),
        (op.power, (INTEGERS, DIVISORS), "an integer has a negative exponent"),
        (lambda x, i: op.take(x, i, 1), (X, INDEX + 7), "out of bounds"),
        (lambda x, i: op.take(x, i, 1, "nan"), (X, INDEX), "take has no mode 'nan' here"),
        (lambda x: op.max(x, 0), (np.zeros((0, 3), "float32"),), "zero-size array"),
        (lambda x: op.slice_scatter(x, x, 0, 3, 1), (Y,), "no evaluator for relax.slice_scatter"),
        (lambda *a: nn.batch_norm(*a, axis=1), (X, *[CHANNEL] * 4), "in training mode"),
    ],
)  # fmt: skip
def test_says_why_there_is_no_value(
    build: Callable[..., Call], arrays: tuple[np.ndarray, ...], why: str
) -> None:
    with pytest.raises(CannotEvaluateError, match=why):
        value_of(build, *arrays)


def test_compiles_what_numpy_does_not_have() -> None:
    x = floats(1, 2, 4, 4)
    pooled = value_of(lambda x: nn.max_pool2d(x, (2, 2), (2, 2)), x)
    np.testing.assert_array_equal(pooled, x.reshape(1, 2, 2, 2, 2, 2).max((3, 5)))


def test_compiles_no_slow_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tvmfuse.passes.folding.evaluate.MAX_COMPILED_BYTES", 100)
    with pytest.raises(CannotEvaluateError, match=r"no fast evaluator for relax.nn.max_pool2d"):
        value_of(lambda x: nn.max_pool2d(x, (2, 2)), floats(1, 2, 4, 4))


def test_compiles_so_many_kernels_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tvmfuse.passes.folding.evaluate.MAX_COMPILED", 1)
    evaluator = Evaluator()
    for _ in range(2):
        value_of(lambda x: nn.max_pool2d(x, (2, 2)), floats(1, 2, 4, 4), evaluator=evaluator)
    with pytest.raises(CannotEvaluateError, match="more than 1 evaluators would be compiled"):
        value_of(lambda x: nn.max_pool2d(x, (3, 3)), floats(1, 2, 4, 4), evaluator=evaluator)


INTEGER = np.ones((2, 64), "int32"), np.ones((64, 3), "int32")


@pytest.mark.parametrize(
    ("build", "arrays", "least"),
    [
        (op.exp, (floats(8, 8),), 128),
        (op.erf, (floats(8, 8),), 128 * 128),
        (lambda x: op.sort(x, 0), (floats(8, 8),), 64 * 128),
        (op.matmul, INTEGER, 4 * 2 * 64 * 3 + 326),
        (op.matmul, tuple(a.astype("float32") for a in INTEGER), 2 * 64 * 3 // 8 + 326),
        (lambda *a: gemm(*a, trans_a=True), (floats(64, 2), floats(64, 3)), 2 * 64 * 3 // 8 + 326),
        (lambda x: nn.max_pool2d(x, (2, 2), (2, 2)), (floats(1, 2, 4, 4),), 1024 * 40),
    ],
)  # fmt: skip
def test_evaluates_what_takes_so_many_operations_and_no_more(
    build: Callable[..., Call],
    arrays: tuple[np.ndarray, ...],
    least: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limit = "tvmfuse.passes.folding.evaluate.MAX_OPERATIONS"
    monkeypatch.setattr(limit, least - 1)
    with pytest.raises(CannotEvaluateError, match="folding it would take minutes"):
        value_of(build, *arrays)
    monkeypatch.setattr(limit, least)
    evaluator = Evaluator()
    value_of(build, *arrays, evaluator=evaluator)
    with pytest.raises(CannotEvaluateError, match="folding it would take minutes"):
        value_of(build, *arrays, evaluator=evaluator)
