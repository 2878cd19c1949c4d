"""PrepackWeights: constant matrices in panels as wide as the register tile."""

from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, tensor
from onnx import helper
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check
from tvm import tirx
from tvm.ir import Expr, TupleGetItem
from tvm.relax.op import astype, matmul

import tvmfuse
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, dtype_of
from tvmfuse.ops import gemm, matmul_nbits, recurrence
from tvmfuse.ops.gemm import UNKNOWN
from tvmfuse.ops.recurrence import Applied
from tvmfuse.passes.layout.prepack_weights import PrepackWeights
from tvmfuse.passes.trace import Trace
from tvmfuse.target.machine import AVX2, AVX512, NEOVERSE_N1, SSE2, ZEN4, Machine
from tvmfuse.target.resolve import resolve
from tvmfuse.testing import assert_rewrites

pytestmark = pytest.mark.sampled(5)

packed = about("PrepackWeights")

DQ = "x = DequantizeLinear(q, s, z) w = DequantizeLinear(k, s, o)"
BYTES = {"s": np.float32(0.25), "z": np.uint8(7), "o": np.int8(0)}


def byte_weights(*shape: int, most: int = 64) -> np.ndarray:
    return np.random.default_rng(0).integers(-most, most + 1, shape).astype("int8")


@cases(
    packed("a product", "(float[7,5] x) => (float[] y) {y = MatMul(x, w)}", "gemm", w=(5, 48)),
    packed("leading dimensions", "(float[2,7,5] x) => (float[] y) {y = MatMul(x, w)}", "gemm", w=(5, 16)),
    packed("a gemm", "(float[7,5] x) => (float[] y) {y = Gemm<alpha=2.0, beta=0.5>(x, w, b)}", "gemm", w=(5, 32),
        b=(32,)),
    packed("a transposed one", "(float[7,5] x) => (float[] y) {y = Gemm<transB=1>(x, w, b)}", "gemm", w=(48, 5),
        b=(48,)),
    packed("both transposed", "(float[5,7] x) => (float[] y) {y = Gemm<transA=1, transB=1>(x, w)}", "gemm", w=(16, 5)),
    packed("a symbolic number of rows", "(float[n,5] x) => (float[] y) {y = MatMul(x, w)}", "gemm", w=(5, 64),
        feeds={"x": np.ones((3, 5), "float32")}),
    packed("ragged columns", "(float[7,5] x) => (float[] y) {y = MatMul(x, w)}", "matmul",
        "the columns are whole vectors, or many", w=(5, 13)),
    packed("many ragged columns", "(float[7,5] x) => (float[] y) {y = Gemm<beta=0.5>(x, w, b)}", "gemm", w=(5, 203),
        b=(203,)),
    packed("many, transposed", "(float[n,5] x) => (float[] y) {y = Gemm<transB=1>(x, w)}", "gemm", w=(131, 5),
        feeds={"x": np.ones((3, 5), "float32")}),
    packed("one row", "(float[1,5] x) => (float[] y) {y = MatMul(x, w)}", "gemm", w=(5, 13)),
    packed("one row and a bias", "(float[1,5] x) => (float[] y) {y = Gemm<alpha=2.0, beta=0.5>(x, w, b)}", "gemm",
        w=(5, 13), b=(13,)),
    packed("one row, by columns already", "(float[1,5] x) => (float[] y) {y = Gemm<transB=1>(x, w)}", "gemm",
        fires=False, w=(16, 5)),
    packed("no rows", "(float[0,5] x) => (float[] y) {y = MatMul(x, w)}", "gemm", w=(5, 48)),
    packed("nothing to sum up", "(float[7,0] x) => (float[] y) {y = MatMul(x, w)}", "matmul", fires=False, w=(0, 48)),
    packed("no columns of bytes", f"(uint8[7,12] q) => (float[] y) {{{DQ} y = MatMul(x, w)}}",
        "gemm add astype multiply", fires=False, **BYTES, k=byte_weights(12, 0)),
    packed("other dtypes", "(double[7,5] x) => (double[] y) {y = MatMul(x, w)}", "matmul", "it is in float32",
        w=np.ones((5, 16))),
    packed("a product of what is computed", "(float[7,5] x, float[5,16] w) => (float[] y) {y = MatMul(x, w)}", "matmul",
        fires=False),
    packed("batches of weights", "(float[2,7,5] x) => (float[] y) {y = MatMul(x, w)}", "matmul", fires=False,
        w=(2, 5, 16)),
    packed("bytes", f"(uint8[7,12] q) => (float[] y) {{{DQ} y = MatMul(x, w)}}", "gemm add astype multiply", **BYTES,
        k=byte_weights(12, 48)),
    packed("bytes, transposed", f"(uint8[n,12] q) => (float[] y) {{{DQ} y = Gemm<transB=1>(x, w)}}",
        "gemm add astype multiply", **BYTES, k=byte_weights(203, 12), feeds={"q": np.full((3, 12), 200, "uint8")}),
    packed("one row of bytes", f"(uint8[1,12] q) => (float[] y) {{{DQ} y = Gemm<transB=1>(x, w)}}",
        "gemm add astype multiply", **BYTES, k=byte_weights(16, 12)),
    packed("one row of full bytes", f"(uint8[1,12] q) => (float[] y) {{{DQ} y = MatMul(x, w)}}",
        "gemm add astype multiply", **BYTES, k=byte_weights(12, 48, most=127)),
    packed("rows of full bytes, widened", f"(uint8[7,12] q) => (float[] y) {{{DQ} y = MatMul(x, w)}}",
        "astype gemm add astype multiply", **{**BYTES, "z": np.uint8(80)}, k=byte_weights(12, 48, most=127)),
    packed("rows of full bytes near zero", f"(uint8[7,12] q) => (float[] y) {{{DQ} y = MatMul(x, w)}}",
        "gemm add astype multiply", **BYTES, k=byte_weights(12, 48, most=127)),
    packed("rows of full bytes, signed", f"(uint8[2,7,10] q) => (float[] y) {{{DQ} y = MatMul(x, w)}}",
        "add astype pad gemm add astype pad astype sum multiply add add add astype multiply",
        **{**BYTES, "z": np.uint8(128)}, k=byte_weights(10, 48, most=127)),
    packed("a sum that no groups divide", f"(uint8[2,7,5] q) => (float[] y) {{{DQ} y = MatMul(x, w)}}",
        "pad gemm add astype multiply", **BYTES, k=byte_weights(5, 48)),
    packed("ragged columns of bytes", f"(uint8[7,12] q) => (float[] y) {{{DQ} y = MatMul(x, w)}}",
        "gemm add astype multiply", "the columns are whole vectors, or many", **BYTES, k=byte_weights(12, 13)),
)  # fmt: skip
def test_prepack(case: Case, target: str) -> None:
    check(case, target=target)


@pytest.mark.parametrize(
    ("machine", "columns", "width"),
    [
        (AVX2, 48, 24),
        (AVX2, 32, 16),
        (AVX2, 24, 24),
        (AVX2, 1000, 40),
        (AVX2, 56, 8),
        (AVX512, 96, 48),
        (AVX512, 64, 64),
        (AVX512, 80, 80),
        (AVX512, 16, 16),
    ],
)
def test_panels_are_as_wide_as_the_register_tile(
    machine: Machine, columns: int, width: int
) -> None:
    w = np.random.default_rng(0).standard_normal((5, columns), "float32")
    panels = w.reshape(5, columns // width, width).transpose(1, 0, 2)
    before = graph(lambda x, _: matmul(x, constant(w)), tensor(7, 5))
    after = graph(lambda x, _: gemm(x, constant(panels.copy())), tensor(7, 5))
    assert_rewrites(PrepackWeights(machine), before, after)


@pytest.mark.parametrize(
    ("machine", "batch", "width"),
    [(AVX2, 1, 32), (AVX2, 4, 16), (AVX2, 8, 16), (AVX512, 1, 128), (AVX512, 8, 32)],
)
def test_few_rows_of_a_recurrence_pass_each_panel_once(
    machine: Machine, batch: int, width: int
) -> None:
    matrix = np.random.default_rng(0).standard_normal((128, 128), "float32")

    def rnn(x: Expr, weights: np.ndarray) -> Expr:
        call = recurrence(x, constant(weights), cell="rnn", activations=[Applied("tanh")])
        return TupleGetItem(call, 0)

    panels = np.ascontiguousarray(matrix.reshape(128, -1, width).transpose(1, 0, 2))
    before = graph(lambda x, _: rnn(x, matrix), tensor(5, batch, 128))
    after = graph(lambda x, _: rnn(x, panels), tensor(5, batch, 128))
    assert_rewrites(PrepackWeights(machine), before, after)


def test_both_matrices_of_a_recurrence() -> None:
    """A state that is the same constant as a matrix is none."""
    rng = np.random.default_rng(0)
    gates, candidate = (rng.standard_normal((16, n), "float32") for n in (32, 16))

    def gru(x: Expr, *weights: np.ndarray) -> Expr:
        first, second = map(constant, weights)
        state = constant(candidate) if weights[1] is not candidate else second
        activations = (Applied("sigmoid"), Applied("tanh"))
        call = recurrence(
            x, first, candidate_weights=second, initial_h=state, cell="gru", activations=activations
        )
        return TupleGetItem(call, 0)

    def panels(matrix: np.ndarray, width: int) -> np.ndarray:
        return np.ascontiguousarray(matrix.reshape(16, -1, width).transpose(1, 0, 2))

    x = tensor(5, 16, 48)
    before = graph(lambda x, _: gru(x, gates, candidate), x)
    after = graph(lambda x, _: gru(x, panels(gates, 16), panels(candidate, 16)), x)
    assert_rewrites(PrepackWeights(AVX2), before, after)


@pytest.mark.parametrize(
    ("machine", "width", "wide", "stored", "group"),
    [(ZEN4, 48, "uint8", "int8", 4), (AVX2, 24, "int16", "int16", 2)],
    ids=["zen4", "avx2"],
)
def test_weights_that_meet_bytes_lie_beside_their_neighbours(
    machine: Machine, width: int, wide: str, stored: str, group: int
) -> None:
    w = np.arange(8 * 48).reshape(8, 48).astype("int8")
    panels = w.reshape(8 // group, group, 48 // width, width).transpose(2, 0, 3, 1).astype(stored)

    def product(x: Expr, _: object) -> Expr:
        return gemm(x if wide == "uint8" else astype(x, wide), constant(panels))

    x = tensor(7, 8, dtype="uint8")
    before = graph(lambda x, _: gemm(x, constant(w)), x)
    assert_rewrites(PrepackWeights(machine), before, graph(product, x))


@pytest.mark.parametrize(
    ("rows", "shape", "stored"),
    [
        (7, (16, 48), (3, 2, 16, 8)),
        (30, (768, 768), (64, 96, 12, 8)),
        (tirx.Var("n", "int64"), (16, 48), (4, 2, 12, 8)),
        (7, (9, 48), (3, 2, 16, 8)),
        (1, (16, 48), (2, 4, 24, 4)),
        (7, (8, 48), (4, 2, 12, 4)),
        (7, (12, 48), (4, 3, 12, 4)),
    ],
    ids=["few rows", "many", "any", "filled up", "one row", "one word", "zeros only for it"],
)
def test_weights_lie_for_two_rows_at_once_where_that_takes_fewer_instructions(
    rows: Any, shape: tuple[int, int], stored: tuple[int, ...]
) -> None:
    weights = constant(np.ones(shape, "int8"))
    module = graph(lambda x, _: gemm(x, weights), tensor(rows, shape[0], dtype="uint8"))
    module = PrepackWeights(Machine.of(resolve("neoverse-v1")))(module, Trace())
    values = [binding.value for binding in module["main"].body.blocks[0].bindings]
    (product,) = (value for value in values if op_name(value) == "tvmfuse.gemm")
    assert tuple(map(int, product.args[1].ty.shape.values)) == stored


@pytest.mark.parametrize(
    ("machine", "zero", "rows", "types"),
    [
        (AVX2, 128, 7, ("int8", "uint8")),
        (AVX2, 9, 7, ("uint8", "int8")),
        (AVX2, 80, 7, ("int16", "int16")),
        (AVX2, UNKNOWN, 7, ("int16", "int16")),
        (AVX2, 128, tirx.Var("n", "int64"), ("int16", "int16")),
        (AVX2, 128, 1, ("uint8", "int8")),
        (ZEN4, 128, 7, ("uint8", "int8")),
        (SSE2, 128, 7, ("int16", "int16")),
        (NEOVERSE_N1, 128, 7, ("int8", "int8")),
    ],
    ids=str,
)
def test_several_rows_are_bytes_where_most_are_near_zero(
    machine: Machine, zero: int, rows: Any, types: tuple[str, str]
) -> None:
    weights = constant(np.random.default_rng(0).integers(-128, 128, (8, 48)).astype("int8"))
    module = graph(lambda x, _: gemm(x, weights, zero=zero), tensor(rows, 8, dtype="uint8"))
    module = PrepackWeights(machine)(module, Trace())
    values = [binding.value for binding in module["main"].body.blocks[0].bindings]
    (product,) = (value for value in values if op_name(value) == "tvmfuse.gemm")
    assert tuple(dtype_of(operand) for operand in product.args) == types


def test_a_machine_without_dot_products_reads_bytes_as_they_lie() -> None:
    trace, x = Trace(), tensor(7, 8, dtype="uint8")
    weights = constant(np.ones((8, 48), "int8"))
    module = graph(lambda x, _: gemm(x, weights), x)
    machine = Machine.of(resolve("cortex-a57"))
    assert PrepackWeights(machine)(module, trace).same_as(module)
    assert [reason for reason, _ in trace.declined] == [
        "the machine has dot products of what is multiplied"
    ]


def test_few_bits_come_in_panels_with_their_scales() -> None:
    rng = np.random.default_rng(0)
    words = rng.integers(0, 2**32, (2, 4, 96), "uint32")
    scales, zeros = rng.standard_normal((2, 96), "float32"), rng.integers(0, 256, (1, 96), "uint8")

    def product(x: Expr, *stored: np.ndarray) -> Expr:
        return matmul_nbits(x, *map(constant, stored), bits=4, block_size=32)

    def panels(stored: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(np.moveaxis(stored.reshape(*stored.shape[:-1], 2, 48), -2, 0))

    before = graph(lambda x, _: product(x, words, scales, zeros), tensor(7, 64))
    after = graph(lambda x, _: product(x, *map(panels, (words, scales, zeros))), tensor(7, 64))
    assert_rewrites(PrepackWeights(AVX512), before, after)


def test_the_last_panel_of_few_bits_is_filled_up() -> None:
    words = np.random.default_rng(0).integers(0, 2**32, (2, 4, 203), "uint32")
    scales = np.ones((2, 203), "float32")

    def product(x: Expr, columns: int, *stored: np.ndarray) -> Expr:
        return matmul_nbits(x, *map(constant, stored), bits=4, block_size=32, columns=columns)

    def panels(stored: np.ndarray) -> np.ndarray:
        padded = np.pad(stored, [(0, 0)] * (stored.ndim - 1) + [(0, 53)])
        return np.ascontiguousarray(np.moveaxis(padded.reshape(*stored.shape[:-1], 4, 64), -2, 0))

    before = graph(lambda x, _: product(x, 0, words, scales), tensor(7, 64))
    after = graph(lambda x, _: product(x, 203, *map(panels, (words, scales))), tensor(7, 64))
    assert_rewrites(PrepackWeights(AVX512), before, after)


@pytest.mark.parametrize(
    ("columns", "fed", "why"),
    [
        (96, True, "its scales and its zero points are constant"),
        (90, False, "the columns are whole vectors, or many"),
    ],
)
def test_few_bits_stay_as_they_are(columns: int, fed: bool, why: str) -> None:
    words = constant(np.zeros((2, 4, columns), "uint32"))
    scales = np.ones((2, columns), "float32")

    def product(x: Expr, s: Expr, _: Any) -> Expr:
        return matmul_nbits(x, words, s if fed else constant(scales), bits=4, block_size=32)

    trace = Trace()
    PrepackWeights(AVX512)(graph(product, tensor(7, 64), tensor(2, columns)), trace)
    assert [reason for reason, _ in trace.declined] == [why]


def test_the_last_of_ragged_panels_is_filled_up() -> None:
    """It has columns of zeros, which nobody reads; `columns` says how many there are."""
    w = np.random.default_rng(0).standard_normal((5, 203), "float32")
    panels = np.pad(w, [(0, 0), (0, 37)]).reshape(5, 5, 48).transpose(1, 0, 2)
    before = graph(lambda x, _: matmul(x, constant(w)), tensor(8, 5))
    after = graph(lambda x, _: gemm(x, constant(panels.copy()), columns=203), tensor(8, 5))
    assert_rewrites(PrepackWeights(AVX512), before, after)


@pytest.mark.parametrize("columns", [144, 201, 481])
@pytest.mark.parametrize("rows", [2, 7, 128])
def test_scheduled_numbers(rows: int, columns: int) -> None:
    rng = np.random.default_rng(0)
    weights = {
        "w": rng.standard_normal((70, columns), "float32"),
        "b": rng.standard_normal(columns, "float32"),
    }
    model = onnx_model(
        [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Add", ["p", "b"], ["y"])],
        {"x": ("float32", (rows, 70))},
        {"y": "float32"},
        weights,
    )
    x = np.random.default_rng(1).standard_normal((rows, 70), "float32")
    x[1, 3], x[0, 0] = np.nan, np.inf
    artifact = tvmfuse.compile(model)
    assert [k.schedule for k in artifact.manifest.kernels] == ["matmul"]
    assert_agrees(artifact.load()(x=x), reference(model, {"x": x}))
