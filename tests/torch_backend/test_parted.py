"""What a forward pass keeps for the backward one, and what that computes again."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch._dynamo.backends.common import aot_autograd
from torch._functorch._aot_autograd.utils import make_boxed_func
from torch.fx import GraphModule

from tvmfuse.torch_backend.parted import parted

WEIGHTS = 4


def chain(x: Tensor, *weights: Tensor) -> Tensor:
    for weight in weights:
        x = torch.tanh(x * weight)
    return x


def given() -> list[Tensor]:
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(3, 4, generator=generator, requires_grad=True) for _ in range(WEIGHTS + 1)]


def gradients(function: Any, tensors: list[Tensor]) -> tuple[Tensor, ...]:
    return torch.autograd.grad(function(*tensors).square().sum(), tensors)


def test_cheap_values_are_computed_again_and_gradients_are_the_same() -> None:
    kept: list[int] = []

    def forward(module: GraphModule, _inputs: object) -> Any:
        results: Any = module.graph.output_node().args[0]
        kept.append(len(results))
        return make_boxed_func(module.forward)

    def backward(module: GraphModule, _inputs: object) -> Any:
        return make_boxed_func(module.forward)

    backend = aot_autograd(fw_compiler=forward, bw_compiler=backward, partition_fn=parted)
    tensors = given()
    ours = gradients(torch.compile(chain, backend=backend), tensors)
    torch.testing.assert_close(ours, gradients(chain, tensors))
    # The result, its inputs, and of what lies between but the last value.
    assert kept == [1 + len(tensors) + 1]


@pytest.mark.parametrize("detached", [False, True])
def test_what_a_user_detaches_is_a_tensor_of_its_own(detached: bool) -> None:
    def function(x: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
        y = torch.tanh(x * w)
        return y * 2, y.detach() if detached else y + 1

    x, w, *_ = given()
    compiled = torch.compile(function, backend="tvmfuse")
    for _ in range(2):
        for found, wanted in zip(compiled(x, w), function(x, w), strict=True):
            torch.testing.assert_close(found, wanted)
            assert found.requires_grad == wanted.requires_grad
        ours = torch.autograd.grad(compiled(x, w)[0].sum(), (x, w))
        torch.testing.assert_close(ours, torch.autograd.grad(function(x, w)[0].sum(), (x, w)))
