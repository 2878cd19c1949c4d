"""What the table says of operators is true: TVM's type inference, evaluation and fusion agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from named_calls import module
from tvm import relax
from tvm.ir import Call, Expr, Op
from tvm.relax import op
from tvm.relax.op import nn

from tvmfuse import ops
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ir.types import constant, dtype_of
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.ops.traits import Kind, operators, traits_of
from tvmfuse.passes.folding.evaluate import Evaluator

ELEMENTWISE = sorted(
    set(operators(lambda traits: traits.kind is Kind.ELEMENTWISE)) - {"relax.ewise_fma"}
)  # of which Relax has no Python function

RNG = np.random.default_rng(0)
PARAMETERS: dict[str, dict[str, Any]] = {
    "relax.astype": {"dtype": "int32"},
    "tvmfuse.bit_cast": {"dtype": "int32"},
    "tvmfuse.decode_minifloat": {"format": "float8_e4m3fn"},
    "tvmfuse.encode_minifloat": {
        "format": "float8_e5m2",
        "saturate": True,
        "round_mode": "nearest",
    },
    "tvmfuse.dropout": {"ratio": 0.5, "training": False},
    "tvmfuse.lookup": {"table": [*range(-128, 128)], "dtype": "int8"},
    "tvmfuse.quick_gelu": {"alpha": 1.7},
    "tvmfuse.requantize": {"zero_point": 1, "low": -5, "high": 6, "dtype": "int8", "small": True},
}
SPECIAL = np.array([[np.nan, np.inf, -np.inf, -0.0], [0.5, -1.5, 2, 0.25], [1, 3, -2, 7]])
PLAIN = np.nan_to_num(SPECIAL, posinf=3, neginf=-3)


def dtype_for(name: str, floating: str) -> str:
    """Return a dtype that an elementwise operator takes."""
    if "bitwise" in name or "shift" in name:
        return "int32"
    if "decode" in name or "lookup" in name:
        return "uint8"
    return "bool" if "logical" in name else floating


def call_of(name: str, array: np.ndarray) -> Call:
    """Return a call of an elementwise operator on constants of one dtype and shape."""
    count = 3 if name == "tvmfuse.requantize" else max(Op.get(name).num_inputs, 1)
    args: list[Expr] = [constant(array), constant(array[::-1].copy()), constant(array)][:count]
    if name == "relax.where":
        args[0] = constant(array > 0)
    if name == "relax.clip":
        args[1:] = [relax.prim_value(-1), relax.prim_value(1)]
    attrs = PARAMETERS.get(name, {})
    if name.startswith("tvmfuse."):
        return relax.BlockBuilder().normalize(Call(Op.get(name), args, attrs=attrs))
    function = op
    for part in name.split(".")[1:]:
        function = getattr(function, part)
    return relax.BlockBuilder().normalize(function(*args, **attrs))


def value_of(call: Call) -> np.ndarray:
    operands = [a.value.numpy() if hasattr(a.value, "numpy") else a.value for a in call.args]
    value: np.ndarray = Evaluator()(call, operands)
    return value


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_an_elementwise_operator_does_not_see_where_an_element_stands(name: str) -> None:
    dtype = dtype_for(name, "float32")
    array = (SPECIAL if dtype == "float32" else PLAIN).astype(dtype)
    if name in ("relax.astype", "tvmfuse.requantize"):
        array = PLAIN.astype(dtype)  # an integer of NaN is any
    as_it_is, order = value_of(call_of(name, array)), RNG.permutation(4)
    ordered = value_of(call_of(name, array[:, order]))
    np.testing.assert_allclose(ordered, as_it_is[:, order], rtol=1e-6)  # of vectors, of scalars
    deep = value_of(call_of(name, array.reshape(3, 2, 2)))
    np.testing.assert_allclose(deep, as_it_is.reshape(3, 2, 2), rtol=1e-6)


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_an_elementwise_operator_keeps_the_dtype_or_does_not(name: str) -> None:
    dtype = dtype_for(name, "float16")
    with np.errstate(invalid="ignore"):
        kept = dtype_of(call_of(name, PLAIN.astype(dtype))) == dtype
    assert kept == traits_of(name).keeps_dtype


IMAGE = np.ones((2, 16, 12, 12), "float32")


def ones(*shape: int) -> Expr:
    return constant(np.ones(shape, "float32"))


def skip_norm(x: Expr) -> Call:
    return ops.skip_layer_norm(x, ones(2, 8, 12, 12), ones(12), ones(12), epsilon=0.1, sums=False)


def gemm(x: Expr) -> Call:
    return ops.gemm(x, ones(12, 5), alpha=1.0, beta=1.0, trans_a=False, trans_b=False)


#: How each operator that reads memory reads a slice of shape (2, 8, 12, 12).
def few_bits(x: Expr) -> Call:
    stored = relax.const(np.ones((1, 16, 5), "uint8"))
    return ops.matmul_nbits(x, stored, ones(1, 5), bits=8, block_size=16)


READERS: dict[str, Callable[[Expr], Call]] = {
    "relax.argmax": lambda x: op.argmax(x, -1),
    "relax.argmin": lambda x: op.argmin(x, -1),
    "relax.cumprod": lambda x: op.cumprod(x, -1),
    "relax.cumsum": lambda x: op.cumsum(x, -1),
    "relax.einsum": lambda x: op.einsum([x, ones(12, 5)], "abcd,de->abce"),
    "relax.matmul": lambda x: op.matmul(x, ones(12, 5)),
    "relax.nn.layer_norm": lambda x: nn.layer_norm(x, ones(12), ones(12), -1),
    "relax.nn.log_softmax": lambda x: nn.log_softmax(x, -1),
    "relax.nn.rms_norm": lambda x: nn.rms_norm(x, ones(12), -1),
    "relax.nn.softmax": lambda x: nn.softmax(x, -1),
    "relax.topk": lambda x: op.topk(x, 2, -1, "values"),
    "tvmfuse.attention": lambda x: ops.attention(x, x, x, scale=1.0),
    "tvmfuse.batch_matmul": lambda x: ops.batch_matmul(x, ones(2, 8, 12, 5)),
    "tvmfuse.gemm": gemm,
    "tvmfuse.matmul_nbits": few_bits,
    "tvmfuse.quantize_blocks": lambda x: ops.quantize_blocks(x, block_size=4),
    "tvmfuse.skip_layer_norm": skip_norm,
}


def kernels_of(reader: Callable[[Expr], Call]) -> int:
    """Return how many kernels FuseOps leaves of a slice and what reads it."""

    def build(bb: relax.BlockBuilder, x: Expr) -> list[Expr]:
        part = bb.emit(op.strided_slice(x, [1], [0], [8]))
        return [bb.emit(reader(part))]

    lowered = lower(module(build, IMAGE)).module
    annotated = relax.transform.AnnotateTIROpPattern()(lowered)
    fused = relax.transform.FuseTIR()(relax.transform.FuseOps()(annotated))
    return len(kernel_calls(fused))


def test_every_reader_of_memory_is_tried() -> None:
    reads = operators(lambda traits: traits.reads_memory)
    assert {*READERS, "relax.reshape"} == set(reads)


@pytest.mark.parametrize("name", READERS)
def test_what_reads_memory_is_not_fused_to_what_it_reads(name: str) -> None:
    assert kernels_of(READERS[name]) == 2


@pytest.mark.parametrize("reader", [op.exp, lambda x: op.sum(x, [-1])])
def test_what_reads_no_memory_is_fused(reader: Callable[[Expr], Call]) -> None:
    assert kernels_of(reader) == 1
