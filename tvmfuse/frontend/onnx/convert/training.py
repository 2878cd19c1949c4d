"""One step of training: what ai.onnx.preview.training has for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.ir.types import dtype_of

Step = Callable[[Operation, Numbers, Numbers, Sequence[Numbers]], Sequence[Numbers]]


def step(one: Step, count: int) -> Callable[[Operation], Sequence[Expr]]:
    """Return the converter of an operator that steps several tensors, each with its state.

    Args:
        one: Takes the learning rate, the number of steps so far, and a tensor, its gradient and
            its state; gives the new tensor and its new state.
        count: How many operands there are for each tensor.
    """

    def convert(op: Operation) -> Sequence[Expr]:
        rate, steps = (Numbers(op, op.tensor(i)) for i in range(2))
        tensors = [Numbers(op, op.tensor(i)) for i in range(2, len(op))]
        op.require(len(tensors) % count == 0, f"{count} operands belong to each tensor")
        each = len(tensors) // count
        results = []
        for place in range(each):
            own = tensors[place::each]
            results.append(one(op, rate.astype(dtype_of(own[0].expr)), steps, own))
        return [result.expr for kind in zip(*results, strict=True) for result in kind]

    return convert


def _regularized(op: Operation, x: Numbers, gradient: Numbers) -> Numbers:
    return x * op.number("norm_coefficient", 0.0) + gradient


def momentum(
    op: Operation, rate: Numbers, steps: Numbers, operands: Sequence[Numbers]
) -> Sequence[Numbers]:
    """Step with momentum, of Nesterov's kind or the standard one."""
    x, gradient, velocity = operands
    slope, alpha = _regularized(op, x, gradient), op.number("alpha", 0.0)
    # In the first step there is nothing to damp.
    beta = (steps > 0).astype(dtype_of(x.expr)) * (op.number("beta", 0.0) - 1) + 1
    velocity = velocity * alpha + slope * beta
    nesterov = op.text("mode", "standard") == "nesterov"
    return x - (slope + velocity * alpha if nesterov else velocity) * rate, velocity


def adagrad(
    op: Operation, rate: Numbers, steps: Numbers, operands: Sequence[Numbers]
) -> Sequence[Numbers]:
    """Duchi, Hazan and Singer, "Adaptive subgradient methods" (2011)."""
    x, gradient, squares = operands
    decay = steps.astype(dtype_of(x.expr)) * op.number("decay_factor", 0.0) + 1
    slope = _regularized(op, x, gradient)
    squares = squares + slope * slope
    return x - slope * (rate / decay) / (squares.sqrt() + op.number("epsilon", 1e-6)), squares


def adam(
    op: Operation, rate: Numbers, steps: Numbers, operands: Sequence[Numbers]
) -> Sequence[Numbers]:
    """Kingma and Ba, "Adam: a method for stochastic optimization" (2015)."""
    x, gradient, mean, squares = operands
    alpha, beta = op.number("alpha", 0.9), op.number("beta", 0.999)
    slope = _regularized(op, x, gradient)
    mean = mean * alpha + slope * (1 - alpha)
    squares = squares * beta + slope * slope * (1 - beta)
    first, second = (
        -((steps * 0).astype("float64") + base).power(steps.astype("float64")) + 1
        for base in (alpha, beta)
    )
    begun = (second.sqrt() / first).astype(dtype_of(x.expr))
    rate = (steps > 0).where(rate * begun, rate)
    moved = x - mean / (squares.sqrt() + op.number("epsilon", 1e-6)) * rate
    return moved * (1 - op.number("norm_coefficient_post", 0.0)), mean, squares
