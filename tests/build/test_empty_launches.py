"""empty_launches: a launch whose blocks may be none is asked for them first."""

from __future__ import annotations

from typing import Any

import pytest
import tvm
import tvm_ffi
from relax_models import N
from tvm import IRModule, relax, s_tir
from tvm.ir import Call, Expr
from tvm.relax import op as R
from tvm.tirx import IfThenElse, PrimFunc

from tvmfuse.build.empty_launches import LAUNCH, without_empty_launches
from tvmfuse.ir.dataflow import op_name
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.resolve import resolve

CUDA = resolve("cuda")
OPERATORS = {
    "elementwise": R.exp,
    "barriers": R.nn.softmax,
    "sum": lambda x: R.sum(x, axis=1),
    "loops": lambda x: R.scatter_elements(x, R.zeros((1, 4), "int64"), R.ones((1, 4), "float32")),
}


def split(operator: Any, *shape: int | Expr) -> IRModule:
    """Return an operator's kernels as TVM splits them between CPU and GPU."""
    builder, x = relax.BlockBuilder(), relax.Var("x", relax.TensorType(shape, "float32"))
    with CUDA, builder.function("main", [x]):
        with builder.dataflow():
            result = builder.emit_output(builder.normalize(operator(x)))
        builder.emit_func_output(result)
    module = schedule(relax.transform.LegalizeOps()(builder.get()), CUDA).module
    functions = {
        symbol: f.with_attr("global_symbol", symbol.name_hint)
        for symbol, f in module.functions_items()
        if isinstance(f, PrimFunc)
    }
    bound = tvm.tirx.transform.BindTarget(CUDA)(IRModule(functions))
    passes, _, _ = s_tir.pipeline.default_s_tir_pipeline()
    return passes(bound)


def launches(module: IRModule) -> tuple[int, int]:
    """Return how many launches there are, and before how many is asked."""
    found: list[Call] = []
    asked: list[IfThenElse] = []

    def launch(call: Call) -> None:
        if op_name(call) == LAUNCH:
            found.append(call)

    def condition(choice: IfThenElse) -> None:
        if op_name(getattr(choice.then_case, "value", None)) == LAUNCH:
            asked.append(choice)

    for _, function in module.functions_items():
        tvm_ffi.structural_walk(function.body, (Call, launch))
        tvm_ffi.structural_walk(function.body, (IfThenElse, condition))
    return len(found), len(asked)


@pytest.mark.parametrize("name", OPERATORS)
def test_a_size_that_may_be_0_is_asked(name: str) -> None:
    module = split(OPERATORS[name], N, 4)
    count, before = launches(module)
    assert (count > 0, before) == (True, 0)
    assert launches(without_empty_launches(module))[1] > 0


def test_a_constant_is_not() -> None:
    module = split(R.exp, 3, 4)
    assert launches(without_empty_launches(module)) == (1, 0)


def test_a_constant_of_0_is() -> None:
    module = split(R.exp, 0, 4)
    assert launches(without_empty_launches(module)) == (1, 1)
