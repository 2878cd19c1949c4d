"""Backward passes of images whose batch, height and width are symbolic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
import torch
from torch import nn
from torch_backend.traced import compiled, why_eager

from tvmfuse.torch_backend import report
from tvmfuse.torch_backend.backend import tvmfuse_backend
from tvmfuse.torch_backend.report import forget

aten = torch.ops.aten

SIZES = ((2, 15, 14), (3, 16, 17), (4, 21, 15), (3, 18, 19), (2, 17, 21))
"""Of images: with each remainder by the strides 2, 3 and 4."""


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    torch.manual_seed(0)
    torch._dynamo.reset()
    forget()
    yield
    torch._dynamo.reset()
    forget()


class Layers(nn.Module):
    """Layers of which each reads the same image of four channels."""

    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        return [layer(x) for layer in self.layers]


def gradients(
    module: nn.Module, call: Callable[..., Any], x: torch.Tensor, marked: float | None
) -> list[torch.Tensor]:
    """Return the gradients of an image and of all parameters.

    Args:
        module: Whose parameters they are.
        call: What computes it.
        x: The image.
        marked: What one number of each result's gradient is; None for none.
    """
    image = x.clone().requires_grad_()
    module.zero_grad(set_to_none=True)
    results: list[torch.Tensor] = call(image)
    given = [torch.linspace(-0.01, 0.01, r.numel()).view(r.shape) for r in results]
    if marked is not None:
        for gradient in given:
            gradient[0, 1, 2, 1] = marked
    torch.autograd.backward(results, given)
    assert image.grad is not None
    return [image.grad, *(p.grad for p in module.parameters() if p.grad is not None)]


def assert_as_eager(
    module: nn.Module, sizes: Sequence[Sequence[int]], *, marked: float | None = None
) -> None:
    """Compare one compilation with eager for images of several sizes; nothing stays in eager."""
    call = torch.compile(module, backend=tvmfuse_backend, dynamic=True)
    for batch, height, width in sizes:
        x = torch.randn(batch, 4, height, width)
        found, wanted = (gradients(module, one, x, marked) for one in (call, module))
        for one, other in zip(found, wanted, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5, equal_nan=True)
    assert [graph.kind for graph in report().graphs] == ["forward", "backward"]
    assert not any(graph.eager for graph in report().graphs)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "layer",
    [
        nn.Conv2d(4, 6, 3, padding=1), nn.Conv2d(4, 5, 3, stride=2, padding=1),
        nn.Conv2d(4, 3, (7, 5), stride=2, padding=(3, 0)), nn.Conv2d(4, 3, 1, stride=2, bias=False),
        nn.Conv2d(4, 6, 3, stride=(1, 3), padding=1, dilation=2, groups=2),
        nn.Conv2d(4, 8, 3, padding=1, groups=4),
    ],
    ids=str,
)  # fmt: skip
def test_convolutions(layer: nn.Module) -> None:
    assert_as_eager(Layers(layer), SIZES)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "layer", [nn.Conv2d(4, 3, 2, 2), nn.Conv2d(4, 3, 2, 4), nn.Conv2d(4, 3, 1, (3, 1))], ids=str
)
def test_pixels_behind_all_that_results_read(layer: nn.Module) -> None:
    """Of each remainder by the stride; of 16 phases one kernel computes all."""
    assert_as_eager(Layers(layer), SIZES)


def test_transposed_convolutions() -> None:
    assert_as_eager(
        Layers(
            nn.ConvTranspose2d(4, 3, 2, stride=2),
            nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2),
        ),
        SIZES,
    )


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "layer", [nn.MaxPool2d(3, 2, 1), nn.MaxPool2d(2), nn.MaxPool2d(3, 1, 1)], ids=str
)
def test_max_pools(layer: nn.Module) -> None:
    assert_as_eager(Layers(layer), SIZES)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("marked", [torch.inf, torch.nan])
def test_gradients_that_are_not_finite_reach_what_they_reach_in_eager(marked: float) -> None:
    assert_as_eager(
        Layers(nn.Conv2d(4, 3, 3, stride=2, padding=1), nn.MaxPool2d(3, 2, 1)),
        SIZES[:2],
        marked=marked,
    )


def test_weights_of_a_symbolic_shape_stay_in_eager() -> None:
    def backward(x: torch.Tensor, weight: torch.Tensor) -> list[torch.Tensor]:
        settings = [[2, 2], [0, 0], [1, 1], False, [0, 0], 1]
        gradient = aten.convolution(x, weight, None, *settings)
        mask = [True, True, False]
        return list(aten.convolution_backward(gradient, x, weight, None, *settings, mask)[:2])

    given = torch.randn(2, 4, 9, 8), torch.randn(3, 4, 3, 2)
    made = compiled(backward, *given, mode="symbolic")
    assert why_eager(made)["convolution_backward"] == "its weights' shape is symbolic"
    for found, wanted in zip(made.call([*given]), backward(*given), strict=True):
        torch.testing.assert_close(found, wanted)
