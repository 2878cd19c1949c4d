"""work: operations and bytes of kernels, against what a hand computes."""

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import numpy_helper, parser
from relax_models import N
from tvm import IRModule, relax, topi
from tvm.ir import Call

from tvmfuse.build.kernels.work import work_of_launches
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.manifest import Work
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.target.resolve import resolve
from tvmfuse.tensor_spec import computed

SIZES = {"N": 5}


def kernels(
    body: str,
    level: str = "extended",
    enabled: str = "",
    target: str = "llvm",
    **constants: tuple[int, ...],
) -> IRModule:
    model = parser.parse_model(f'<ir_version: 8, opset_import: ["" : 20]> g {body}')
    for name, shape in constants.items():
        drawn = np.random.default_rng(0).standard_normal(shape, dtype="float32")
        drawn = drawn.astype("int8") if name == "bytes" else drawn
        model.graph.initializer.append(numpy_helper.from_array(drawn, name))
    onnx.checker.check_model(model)
    imported = import_model(model)
    selection = Selection.of(level, (), enabled)
    return optimize(imported.module, selection, target=resolve(target)).kernels


def numbers(works: list[Work | None]) -> list[tuple[int | None, int]]:
    return [
        (None if w.flop is None else computed(w.flop, SIZES), computed(w.nbytes, SIZES))
        for w in works
        if w is not None
    ]


def work(
    body: str, level: str = "extended", **constants: tuple[int, ...]
) -> list[tuple[int | None, int]]:
    return numbers(work_of_launches(kernels(body, level, "", "llvm", **constants)))


IMAGE = 2 * 4 * 6 * 6  # elements


@pytest.mark.parametrize(
    ("body", "narrow"),
    [
        ("(uint8[3,64] a) => (int32[3,32] y) {y = MatMulInteger(a, bytes)}", ["int8"]),
        ("(float[3,64] a) => (float[3,32] y) {y = MatMul(a, w)}", ["bfloat16"]),
        # What is reduced is no product.
        ("(uint8[1,4,6,6] a) => (uint8[1,4,5,5] y) {y = MaxPool<kernel_shape=[2,2]>(a)}", []),
    ],
)
def test_products_of_narrow_numbers_are_counted_and_named(body: str, narrow: list[str]) -> None:
    weights = {name: (64, 32) for name in ("w", "bytes") if f"(a, {name})" in body}
    module = kernels(body, "all", "AutoMixedPrecision", "znver4", **weights)
    works = [w for w in work_of_launches(module) if w is not None]
    found = [w for w in works if w.operands != "float32"]
    assert [w.operands for w in found] == narrow
    assert [w.flop for w in found] == [2 * 3 * 32 * 64] * len(narrow)


def test_the_steps_of_a_recurrence() -> None:
    """A step of N rows by 4 units: a product, two sums, a tanh; its matrix counts once."""
    body = "(float[9,N,3] x) => (float[9,1,N,4] y) {y = RNN<hidden_size=4>(x, w, r)}"
    *_, (flop, nbytes) = work(body, w=(1, 4, 3), r=(1, 4, 4))
    batch = SIZES["N"]
    assert flop == 9 * batch * 4 * (2 * 4 + 2)
    assert nbytes == 4 * (9 * batch * 4 * 2 + 4 * 4 + batch * 4)


@pytest.mark.parametrize(
    ("body", "constants", "flop", "elements"),
    [
        ("(float[3,7] a, float[3,7] b) => (float[3,7] y) {y = Add(a, b)}", {}, 21, 63),
        ("(float[3,7] a, float[7] b) => (float[3,7] y) {y = Mul(a, b)}", {}, 21, 49),
        ("(float[3,7] a) => (float[3,7] y) {y = Relu(a)}", {}, 21, 42),
        ("(float[3,7] a) => (float[3,7] y) {y = Erf(a)}", {}, 21, 42),
        ("(float[3,7] a, float[3,7] b) => (float[3,7] y) {y = Max(a, b)}", {}, 21, 63),
        # a product, erf, a multiply-add of it, a product
        ("(float[3,7] a) => (float[3,7] y) {y = Gelu(a)}", {}, 21 * 5, 42),
        ("(float[3,7] a) => (float[3,7] y) {b = Add(a, a) y = Mul(b, b)}", {}, 42, 42),
        ("(float[3,7] a) => (float[7,3] y) {y = Transpose(a)}", {}, 0, 42),
        # the peak, the difference from it, its exponential, their sum, a division
        ("(float[3,7] a) => (float[3,7] y) {y = Softmax(a)}", {}, 5 * 21, 42),
        ("(float[3,7] a) => (float[3] y) {y = ReduceSum<keepdims=0>(a, x)}", {"x": None}, 21, 24),
        ("(float[3,7] a) => (float[3,5] y) {y = MatMul(a, w)}", {"w": (7, 5)}, 2 * 3 * 5 * 7, 21 + 35 + 15),
        ("(float[3,7] a) => (float[3,5] y) {y = Gemm<transB=1>(a, w, b)}", {"w": (5, 7), "b": (5,)}, 2 * 3 * 5 * 7 + 15,
            21 + 35 + 5 + 15),
        (
            "(float[2,4,6,6] x) => (float[2,8,6,6] y) {c = Conv<pads=[1,1,1,1]>(x, w, b) y = Relu(c)}",
            {"w": (8, 4, 3, 3), "b": (8,)},
            2 * 8 * 36 * (2 * 4 * 9 + 1 + 1),
            IMAGE + 8 * 36 + 8 + 2 * IMAGE,
        ),
        (
            "(float[2,4,6,6] x) => (float[2,4,3,3] y) {y = Conv<group=4, strides=[2,2], pads=[1,1,0,0]>(x, w)}",
            {"w": (4, 1, 3, 3)},
            2 * 4 * 9 * 2 * 9,
            IMAGE + 36 + 72,
        ),
        ("(float[2,4,6,6] x) => (float[2,4,2,2] y) {y = MaxPool<kernel_shape=[3,3], strides=[3,3]>(x)}", {}, IMAGE,
            IMAGE + 32),
        # a sum and a division
        ("(float[2,4,6,6] x) => (float[2,4,1,1] y) {y = GlobalAveragePool(x)}", {}, IMAGE + 8, IMAGE + 8),
    ],
    ids=lambda value: str(value).partition("{")[2] if "=>" in str(value) else "",
)  # fmt: skip
def test_one_kernel_by_hand(body: str, constants: Any, flop: Any, elements: Any) -> None:
    if constants == {"x": None}:
        body, constants = body.replace("{", "{x = Constant<value_ints=[1]>() "), {}
    assert work(body, **constants) == [(flop, 4 * elements)]


def test_attention_by_hand() -> None:
    body = (
        "(float[2,3,5,8] q, float[2,3,8,7] k, float[2,3,7,4] v) => (float[2,3,5,4] y)"
        "{a = MatMul(q, k) s = Mul(a, c) p = Softmax<axis=-1>(s) y = MatMul(p, v)}"
    )
    attention, _ = work(body, c=())
    heads, queries, keys = 2 * 3, 5, 7
    # A score is scaled and takes part in a softmax.
    flop = heads * queries * keys * (2 * 8 + 1 + 5 + 2 * 4)
    nbytes = 4 * heads * (queries * 8 + 8 * keys + keys * 4 + queries * 4)
    assert attention == (flop, nbytes)


def test_sizes_known_at_run_time_stay_symbols() -> None:
    (found,) = work_of_launches(
        kernels("(float[N,7] a) => (float[N,5] y) {y = MatMul(a, w)}", w=(7, 5))
    )
    assert found is not None
    assert found.flop is not None
    assert [computed(found.flop, {"N": n}) for n in (1, 2, 100)] == [70, 140, 7000]
    assert computed(found.nbytes, {"N": 3}) == 4 * (3 * 7 + 7 * 5 + 3 * 5)


def test_only_the_rows_that_a_gather_reads_are_bytes() -> None:
    body = "(int64[N] i) => (float[N,8] y) {y = Gather(w, i)}"
    assert work(body, w=(1000, 8))[-1] == (0, 5 * (8 + 2 * 8 * 4))


def test_a_slice_reads_what_it_keeps() -> None:
    body = (
        "(float[10,4] x) => (float[2,4] y) {s = Constant<value_ints=[1]>() e = Constant<value_ints=[3]>() "
        "y = Slice(x, s, e)}"
    )
    assert work(body) == [(0, 4 * 2 * 8)]


def test_integers_are_no_floating_point_operations() -> None:
    body = "(int64[10] x, int64[10] z) => (int64[10] y) {y = Mul(x, z)}"
    assert work(body) == [(0, 240)]


def test_winograd_does_fewer_operations_than_the_direct_convolution() -> None:
    body = "(float[1,64,56,56] x) => (float[1,64,56,56] y) {y = Conv<pads=[1,1,1,1]>(x, w)}"
    module = kernels(body, "all", w=(64, 64, 3, 3))
    names = [name for name, _ in kernel_calls(module)]
    flop = {name: w[0] for name, w in zip(names, numbers(work_of_launches(module)), strict=True)}
    (winograd,) = (count for name, count in flop.items() if "winograd" in name)
    direct = 2 * 64 * 64 * 9 * 56 * 56
    products = 2 * 36 * 14 * 14 * 64 * 64  # F(4x4): 36 points of 14 x 14 tiles
    # Of its transforms: 2 x 36 values of each channel's tile, of up to 5 multiply-adds.
    assert isinstance(winograd, int)
    assert products < winograd < products + 2 * 14 * 14 * 64 * 2 * 36 * 10
    assert winograd < direct / 2


def test_what_is_no_loop_nest_has_bytes_alone() -> None:
    body = "(float[4,9] x) => (float[4,2] v, int64[4,2] i) {k = Constant<value_ints=[2]>() v, i = TopK(x, k)}"
    assert None in [flop for flop, _ in work(body)]
    assert all(nbytes > 0 for _, nbytes in work(body))


def test_a_kernel_called_with_other_sizes_is_counted_with_them() -> None:
    x, y = (relax.Var(n, relax.TensorType((s, 4), "float32")) for n, s in (("x", N), ("y", 3)))
    builder = relax.BlockBuilder()
    with builder.function("main", [x, y]):
        with builder.dataflow():
            first = builder.emit_te(topi.exp, x)
            assert isinstance(first, relax.Var)
            call = builder.lookup_binding(first)
            second = builder.emit(
                relax.call_tir(call.args[0], [y], relax.TensorType((3, 4), "float32"))
            )
            outputs = builder.emit_output(relax.Tuple([first, second]))
        builder.emit_func_output(outputs)
    assert isinstance(call, Call)
    found = work_of_launches(builder.get())
    assert [computed(w.flop, {"n": 10}) for w in found if w and w.flop] == [40, 12]
