"""Assertions for people who write passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import tvm
from tvm import IRModule, relax
from tvm.target import Target

from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.trace import Trace

#: For kernels that are asked for numbers only: LLVM optimizes nothing, in a third of the time.
QUICK: Final = Target({"kind": "llvm", "opt-level": 0})


def assert_rewrites(
    rule: GraphPass, before: IRModule, expected: IRModule, *, rtol: float = 1e-5
) -> None:
    """The pass turns `before` into `expected`, once, without changing what it computes.

    Args:
        rule: The pass.
        before: A module whose `main` takes tensors of static shape.
        expected: Compared structurally: constants bit by bit, the names of variables not at all.
        rtol: The relative tolerance of the computed numbers.
    """
    trace = Trace()
    after = rule(before, trace)
    tvm.ir.assert_structural_equal(after, expected, map_free_vars=True)
    assert trace.fired, f"{rule.name} never fired"
    again = Trace()
    tvm.ir.assert_structural_equal(rule(after, again), after)
    assert not again.fired, f"{rule.name} fires on its own result"
    assert_same_numbers(before, after, rtol=rtol)


def assert_declines(rule: GraphPass, module: IRModule, *, because: str) -> None:
    """The pass sees its pattern in `module` and leaves it alone, for this one reason."""
    trace = Trace()
    tvm.ir.assert_structural_equal(rule(module, trace), module)
    assert not trace.fired, f"{rule.name} fired"
    assert set(trace.reasons) == {because}


def assert_ignores(rule: GraphPass, module: IRModule) -> None:
    """The pass sees nothing of its kind in `module`."""
    trace = Trace()
    tvm.ir.assert_structural_equal(rule(module, trace), module)
    assert not trace.fired
    assert not trace.declined


def assert_same_numbers(a: IRModule, b: IRModule, *, rtol: float = 1e-5, seed: int = 0) -> None:
    """Both modules compute the same function on random inputs."""
    inputs = random_inputs(a, seed=seed)
    for left, right in zip(*_evaluate_both(a, b, inputs), strict=True):
        np.testing.assert_allclose(left, right, rtol=rtol, atol=rtol)


def random_inputs(module: IRModule, *, seed: int = 0) -> list[np.ndarray]:
    """Make inputs for `main`: normal floats, small integers, coin flips."""
    rng = np.random.default_rng(seed)

    def draw(shape: Sequence[int], dtype: str) -> np.ndarray:
        if dtype == "bool":
            return rng.integers(0, 2, shape).astype(dtype)
        if dtype.startswith(("int", "uint")):
            return rng.integers(0, 4, shape).astype(dtype)
        return rng.standard_normal(shape).astype(dtype)

    return [draw([int(d) for d in p.ty.shape], str(p.ty.dtype)) for p in module["main"].params]


def evaluate(module: IRModule, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Run `main` by TVM's own lowering: no pass or schedule of ours, no optimization of LLVM's."""
    return _run(_compiled(module), "main", inputs)


def _evaluate_both(
    a: IRModule, b: IRModule, inputs: Sequence[np.ndarray]
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Evaluate two modules, as two functions of one where each has only `main`: that is faster."""
    if len(a.functions) > 1 or len(b.functions) > 1:
        return evaluate(a, inputs), evaluate(b, inputs)
    mains = {"before": a["main"], "after": b["main"]}
    functions = {name: f.with_attr("global_symbol", name) for name, f in mains.items()}
    machine = _compiled(IRModule(functions))
    return _run(machine, "before", inputs), _run(machine, "after", inputs)


def _compiled(module: IRModule) -> relax.VirtualMachine:
    module = relax.transform.DecomposeOpsForInference()(module)
    return relax.VirtualMachine(tvm.compile(module, QUICK), tvm.cpu())


def _run(
    machine: relax.VirtualMachine, function: str, inputs: Sequence[np.ndarray]
) -> list[np.ndarray]:
    outputs = machine[function](*map(tvm.runtime.tensor, inputs))
    if isinstance(outputs, tvm.runtime.Tensor):
        outputs = [outputs]
    return [o.numpy() for o in outputs]
