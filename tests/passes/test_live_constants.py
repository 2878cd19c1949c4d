"""Constants that follow from parameters: passes compute with them, and decide nothing by them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from graphs import graph, tensor
from tvm import IRModule, relax
from tvm.ir import Expr, GenericConst
from tvm.relax import op
from tvm.relax.expr_functor import PyExprVisitor, visitor

from tvmfuse.ir.live import parameter, recipe_of
from tvmfuse.ir.live_array import CHANGES, LiveArray, NumbersChangeError, applied
from tvmfuse.ir.types import array_of, constant, numbers_of, scalar_of
from tvmfuse.ops import conv, gemm
from tvmfuse.passes.basic.constant_folding import ConstantFolding
from tvmfuse.passes.basic.constant_sharing import ConstantSharing
from tvmfuse.passes.basic.conv_bn_fusion import ConvBNFusion
from tvmfuse.passes.basic.conv_mul_fusion import ConvMulFusion
from tvmfuse.passes.basic.gather_to_slice_fusion import GatherToSliceFusion
from tvmfuse.passes.basic.noop_elimination import NoopElimination
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.extended.mat_mul_scale_fusion import MatMulScaleFusion
from tvmfuse.passes.layout.prepack_weights import PrepackWeights
from tvmfuse.passes.trace import Trace
from tvmfuse.recipes import NotFiniteError, Parameter, parameters_of, value_of
from tvmfuse.tensors import as_array

ROOT = Path(__file__).parents[2]


@visitor
class Constants(PyExprVisitor):
    """All constants of a function, in order."""

    def __init__(self) -> None:
        self.found: list[np.ndarray] = []

    def visit_generic_const_(self, op: GenericConst) -> None:
        self.found.append(as_array(op.value))


def constants(module: IRModule) -> list[np.ndarray]:
    walk = Constants()
    walk.visit_expr(module["main"])
    return walk.found


Make = Callable[[Callable[[str], Expr]], IRModule]

WEIGHTS = {
    "w": (4, 4, 3, 3),
    "s": (4,),
    "b": (4,),
    "m": (4,),
    "v": (4,),
    "p": (8, 32),
    "f": (4, 1, 1),
}


def numbers(seed: int) -> dict[str, np.ndarray]:
    draw = np.random.default_rng(seed)
    return {name: draw.random(shape, "float32") + 0.5 for name, shape in WEIGHTS.items()}


def convolved(x: Expr, weights: Expr) -> Expr:
    return conv(x, weights, strides=[1, 1], padding=[0] * 4, dilation=[1, 1])


def norm(k: Callable[[str], Expr]) -> IRModule:
    return graph(
        lambda x, emit: emit(
            op.nn.batch_norm(
                emit(convolved(x, k("w"))), k("s"), k("b"), k("m"), k("v"), 1, training=False
            )
        )[0],
        tensor(1, 4, 8, 8),
    )


FOLDS: dict[str, tuple[GraphPass, Make]] = {
    "numpy": (
        ConstantFolding(),
        lambda k: graph(
            lambda x, emit: x + emit(op.permute_dims(emit(op.exp(k("p"))))), tensor(32, 8)
        ),
    ),
    "parts": (
        ConstantFolding(),
        lambda k: graph(lambda x, emit: x + emit(op.split(k("p"), 4, 1))[1], tensor(8, 8)),
    ),
    "compiled": (
        ConstantFolding(),
        lambda k: graph(lambda x, emit: x + emit(op.nn.log_softmax(k("p"))), tensor(8, 32)),
    ),
    "ConvBNFusion": (ConvBNFusion(), norm),
    "ConvMulFusion": (
        ConvMulFusion(),
        lambda k: graph(lambda x, emit: emit(convolved(x, k("w"))) * k("f"), tensor(1, 4, 8, 8)),
    ),
    "PrepackWeights": (
        PrepackWeights(),
        lambda k: graph(lambda x, _: gemm(x, k("p")), tensor(6, 8)),
    ),
}


@pytest.mark.parametrize("name", FOLDS)
def test_a_fold_is_computed_again_as_if_it_were_compiled_again(name: str) -> None:
    entry, make = FOLDS[name]
    old, new = numbers(0), numbers(1)
    trace = Trace()
    live = constants(entry(make(lambda n: parameter(n, old[n])), trace))
    assert trace.fired
    wanted = constants(entry(make(lambda n: constant(new[n]))))
    assert len(live) == len(wanted)
    for found, expected in zip(live, wanted, strict=True):
        recipe = recipe_of(found)
        assert recipe is not None
        again = value_of(recipe, {n: new[n] for n in parameters_of(recipe)})
        assert again.dtype == expected.dtype
        np.testing.assert_array_equal(again, expected)


def live(array: np.ndarray) -> Expr:
    return parameter("w", array)


ONES = np.ones(4, "float32")
DECLINED: dict[str, tuple[GraphPass, Callable[[], IRModule], str]] = {
    "equal ones": (
        ConstantSharing(),
        lambda: graph(lambda x, emit: emit(x + live(ONES)) * live(ONES), tensor(4)),
        CHANGES,
    ),
    "zeros": (
        NoopElimination(),
        lambda: graph(lambda x, _: x + live(0 * ONES), tensor(4)),
        CHANGES,
    ),
    "a number": (
        ConstantFolding(),
        lambda: graph(lambda x, emit: x * emit(op.reshape(live(ONES[:1]), [])), tensor(4)),
        "the numbers are no parameter's, which may change",
    ),
    "a scale": (
        MatMulScaleFusion(),
        lambda: graph(lambda x, emit: emit(op.matmul(x, x)) * live(ONES[:1]), tensor(4, 4)),
        "the scale is one number, known before the model runs",
    ),
    "indices": (
        GatherToSliceFusion(),
        lambda: graph(lambda x, _: op.take(x, live(np.arange(3)), 0), tensor(4)),
        "the indices are known before the model runs",
    ),
}


@pytest.mark.parametrize("name", DECLINED)
def test_nothing_is_decided_by_numbers_that_change(name: str) -> None:
    entry, make, reason = DECLINED[name]
    trace, module = Trace(), make()
    assert len(constants(entry(module, trace))) == len(constants(module))
    assert not trace.fired
    assert reason in trace.reasons


def test_a_fold_that_holds_for_finite_numbers_says_when_they_are_not() -> None:
    old = numbers(0)
    folded = constants(ConvBNFusion()(norm(lambda n: parameter(n, old[n]))))
    (weights, _) = map(recipe_of, folded)
    assert weights is not None
    with pytest.raises(NotFiniteError):
        value_of(weights, old | {"v": -old["v"]})


def test_of_a_live_array_nobody_gets_a_number() -> None:
    array = LiveArray(ONES, Parameter("w", ONES))
    asked: list[Callable[[], object]] = [
        lambda: bool(array.any()), lambda: bool(array[0] > 0), lambda: float(array[0]),
        lambda: np.asarray(array), lambda: array.tolist(), lambda: array.flat[0],
        lambda: np.add(array, 1, out=np.zeros(4, "float32")), lambda: constant(array[0]),
        lambda: int(np.argmax(array)), lambda: ONES[array > 0],
    ]  # fmt: skip
    for ask in asked:
        with pytest.raises(NumbersChangeError):
            ask()


def test_only_constants_that_follow_from_parameters_are_unknown() -> None:
    plain, followed = constant(ONES[:1].copy()), parameter("w", ONES[:1])
    assert (scalar_of(plain), scalar_of(followed)) == (1, None)
    assert numbers_of(followed) is None
    assert isinstance(array_of(followed), LiveArray)


def test_a_parameter_is_a_constant_in_its_own_memory() -> None:
    memory = as_array(relax.const(np.zeros(32, "float32")).value)
    first, view, other = parameter("a", memory), parameter("b", memory[:8]), parameter("c", memory)
    assert as_array(first.value).ctypes.data == memory.ctypes.data
    for found, name in ((first, "a"), (view, "b"), (other, "c")):
        recipe = recipe_of(as_array(found.value))
        assert recipe is not None
        assert list(parameters_of(recipe)) == [name]


def test_what_was_noted_of_memory_goes_with_it() -> None:
    array = as_array(relax.const(np.zeros(32, "float32")).value)
    made = parameter("a", array)
    place = made.value.data_ptr()
    assert recipe_of(array) is not None
    del made
    assert array.ctypes.data == place
    assert recipe_of(array) is None


def test_results_that_are_several_are_followed_each() -> None:
    array = LiveArray(np.arange(4.0), Parameter("w", np.arange(4.0)))
    first, second = applied(np.split, array, 2)
    again = np.arange(4.0) * 2
    np.testing.assert_array_equal(value_of(second.recipe, {"w": again}), again[2:])
    assert first.shape == (2,)


def test_passes_read_constants_through_the_functions_that_know() -> None:
    """A look past them would decide by numbers that change."""
    read = re.compile(r"\.value\.numpy\(\)|\.value\.item\(")
    folders = (ROOT / "passes", ROOT / "tvmfuse" / "frontend", ROOT / "tvmfuse" / "ops")
    files = {f for folder in folders for f in folder.rglob("*.py") if read.search(f.read_text())}
    assert {f.name for f in files} == {"constant_sharing.py"}  # which has asked before
