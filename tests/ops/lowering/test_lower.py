"""lower: each operator becomes one kernel, NaN stays NaN, names survive."""

from typing import Any

import numpy as np
import pytest
from named_calls import IMAGE, conv_relu_twice, emit, module
from tvm import relax, tirx

from tvmfuse.errors import CompilationError
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.testing import evaluate

NAN, INF = float("nan"), float("inf")

ODD = np.array([NAN, -INF, INF, -1, -0.0, 0.5, 2], "float32")


@np.errstate(all="ignore")
def quiet(function: Any, *operands: Any) -> Any:
    return function(*operands)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (relax.op.nn.relu, np.where(np.isnan(ODD), ODD, np.maximum(ODD, 0))),
        (lambda x: relax.op.clip(x, 0, 1), np.clip(ODD, 0, 1)),
        (lambda x: relax.op.clip(x, -INF, 1), np.clip(ODD, None, 1)),
        (lambda x: relax.op.clip(x, 3, 1), np.where(np.isnan(ODD), ODD, 1)),
        (lambda x: relax.op.maximum(x, relax.const(np.float32(0.25))), np.maximum(ODD, 0.25)),
        (lambda x: relax.op.minimum(relax.const(np.float32(0.25)), x), np.minimum(ODD, 0.25)),
        (lambda x: relax.op.maximum(x, relax.const(ODD[::-1].copy())), np.maximum(ODD, ODD[::-1])),
        (lambda x: relax.op.multiply(x, relax.const(np.float32(0))), quiet(np.multiply, ODD, 0)),
        (lambda x: relax.op.divide(relax.const(np.float32(0)), x), quiet(np.divide, 0, ODD)),
        (lambda x: relax.op.divide(x, relax.const(np.float32(-0.0))), quiet(np.divide, ODD, -0.0)),
    ],
    ids=[
        "relu",
        "clip",
        "clip-above",
        "crossed bounds",
        "maximum",
        "minimum",
        "nan on either side",
        "times zero",
        "zero divided",
        "divided by zero",
    ],
)
def test_nan_and_infinity_come_out_as_in_onnx(call: Any, expected: Any) -> None:
    mod = lower(module(lambda bb, x: [emit(bb, call(x), "n")], ODD)).module
    np.testing.assert_array_equal(evaluate(mod, [ODD])[0], expected)


def test_what_has_no_elements_is_not_computed() -> None:
    nothing = np.zeros((0, 7), "float32")

    def computed(bb: Any, x: Any) -> Any:
        root = emit(bb, relax.op.sqrt(x), "root")
        return [emit(bb, relax.op.cumsum(root, 1), "sums")]

    mod = lower(module(computed, nothing)).module
    assert len(list(kernel_calls(mod))) == 1
    assert evaluate(mod, [nothing])[0].shape == nothing.shape


@pytest.mark.parametrize(("scale", "center"), [(True, True), (False, True), (True, False)])
def test_batch_norm_is_one_kernel(scale: bool, center: bool) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 3, 4), "float32")
    gamma, beta, mean, var = (rng.random(3, "float32") + 0.5 for _ in range(4))

    def norm(bb: Any, x: Any) -> Any:
        constants = map(relax.const, (gamma, beta, mean, var))
        t = relax.op.nn.batch_norm(
            x, *constants, axis=1, epsilon=1e-3, scale=scale, center=center, training=False
        )
        return [bb.emit(relax.TupleGetItem(emit(bb, t, "bn"), 0))]

    lowered = lower(module(norm, x)).module
    assert kernel_calls(lowered) == [("batch_norm", ("bn",))]
    column = (slice(None), None)
    expected = (x - mean[column]) / np.sqrt(var[column] + 1e-3)
    expected = expected * (gamma[column] if scale else 1) + (beta[column] if center else 0)
    np.testing.assert_allclose(evaluate(lowered, [x])[0], expected, rtol=1e-5, atol=1e-6)


def test_unfused_kernels_name_their_node() -> None:
    lowered = lower(module(conv_relu_twice, IMAGE)).module
    assert kernel_calls(lowered) == [
        ("conv", ("conv0",)), ("relu", ("relu0",)), ("conv", ("conv1",)), ("relu", ("relu1",)),
    ]  # fmt: skip


def test_symbolic_dimensions_stay() -> None:
    n = tirx.Var("n", "int64")
    bb = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((n, 3), "float32"))
    with bb.function("main", [x]):
        with bb.dataflow():
            y = emit(bb, relax.op.nn.relu(x), "relu")
            outputs = bb.emit_output(relax.Tuple([emit(bb, relax.op.exp(y), "exp")]))
        bb.emit_func_output(outputs)
    lowered = lower(bb.get()).module
    for rows in (1, 5):
        ones = np.ones((rows, 3), "float32")
        np.testing.assert_allclose(evaluate(lowered, [ones])[0], np.exp(ones), rtol=1e-6)


def test_maxima_keep_nan_wherever_it_stands() -> None:
    """onnxruntime's answer depends on where: this is numpy's, and ONNX's reference's."""
    for place in (0, 1, 5, 31):
        x = np.arange(32, dtype="float32").reshape(1, 1, 32)
        x[0, 0, place] = NAN
        for call, expected in (
            (lambda x: relax.op.max(x, 2), x.max(2)),
            (lambda x: relax.op.min(x, 2), x.min(2)),
            (
                lambda x: relax.op.nn.max_pool1d(x, pool_size=8, strides=8, layout="NCW"),
                x.reshape(1, 1, 4, 8).max(3),
            ),
        ):
            mod = lower(module(lambda bb, x, call=call: [emit(bb, call(x), "n")], x)).module
            np.testing.assert_array_equal(evaluate(mod, [x])[0], expected)


def test_an_operator_whose_shape_is_lost_is_named() -> None:
    """The sizes of what is concatenated are not known to be equal, so that nothing is known of it."""
    n, m = tirx.Var("n", "int64"), tirx.Var("m", "int64")
    x, y = (relax.Var(s.name, relax.TensorType((s, 2), "float32")) for s in (n, m))
    builder = relax.BlockBuilder()
    with builder.function("main", [x, y]):
        with builder.dataflow():
            result = builder.emit_output(relax.op.concat([x, y], axis=1))
        builder.emit_func_output(relax.Tuple([result]))
    with pytest.raises(CompilationError, match=r"no lowering for: relax.concat .*does not know"):
        lower(builder.get())
