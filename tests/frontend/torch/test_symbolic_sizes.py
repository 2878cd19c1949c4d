"""Operators of tensors whose sizes are symbolic, at several sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.export import Dim
from torch.nn import functional
from torch.utils import _pytree as pytree

import tvmfuse
from tvmfuse.errors import InputError

pytestmark = pytest.mark.sampled(5)

Function = Callable[[torch.Tensor], Any]


def compiled(function: Function, *shape: int) -> tvmfuse.Executable:
    class Module(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return function(x)

    dims = (dict.fromkeys(range(len(shape)), Dim.AUTO),)
    program = torch.export.export(Module(), (torch.randn(shape),), dynamic_shapes=dims)
    return tvmfuse.compile(program, level="none").load()


def agree(function: Function, *shapes: tuple[int, ...]) -> None:
    """Compile at the first shape, and compare at all of them."""
    run = compiled(function, *shapes[0])
    assert all(isinstance(size, str) for size in run.inputs[0].shape[-2:])
    for shape in shapes:
        x = torch.randn(shape)
        wanted = pytree.tree_leaves(function(x))
        found = run({run.inputs[0].name: x.numpy()}).values()
        for ours, theirs in zip(found, wanted, strict=True):
            assert ours.shape == tuple(theirs.shape)
            np.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-5, atol=1e-5)


def replaced(x: torch.Tensor, rows: Any, by: Callable[[torch.Tensor], Any]) -> torch.Tensor:
    y = x.clone()
    y[rows] = by(x)
    return y


MATRICES = ((5, 6), (9, 4), (16, 7))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.as_strided((x.shape[0] - 1, x.shape[1]), (x.shape[1], 1), 1),
        lambda x: x.as_strided((x.shape[0] * x.shape[1] - 2, 3), (1, 1)),
        lambda x: x.chunk(2),
        lambda x: x.split([2, x.shape[0] - 2]),
        lambda x: replaced(x, slice(1, -1), lambda x: x[:-2] * 2),
        lambda x: replaced(x, slice(None, None, 2), lambda _: 7.0),
        lambda x: replaced(x, slice(1, 100, 3), lambda x: x[1::3] * 2),
        lambda x: replaced(x, slice(-3, None), lambda x: x[:3] * 2),
        lambda x: replaced(x, x.shape[0] // 2, lambda _: 1.0),
        lambda x: torch.select_scatter(x, x[0], 0, x.shape[0] - 1),
        lambda x: torch.select_scatter(x, x[0], 0, -2),
        lambda x: torch.arange(0, x.shape[0] * x.shape[1], x.shape[1]),
        lambda x: torch.arange(3, x.shape[0] * 5 + 3, x.shape[0]) * x.sum().sign().long(),
        lambda x: torch.arange(x.shape[0], -x.shape[1], -1),
        lambda x: torch.arange(x.shape[0], -x.shape[1], -2.0),
        lambda x: torch.arange(x.shape[0], dtype=torch.float32),
        lambda x: torch.arange(0.5, x.shape[0], dtype=torch.float32),
        lambda x: torch.arange(0, 2 * x.shape[0], 2, dtype=torch.float32),
        lambda x: x.index_fill(0, torch.tensor([1, 3]), 2.0),
        lambda x: x.topk(x.shape[0] // 2, 0),
        lambda x: x.topk(x.shape[1] - 1, largest=False),
    ],
)
def test_matrices(function: Function) -> None:
    agree(function, *MATRICES)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: functional.adaptive_avg_pool2d(x, 3),
        lambda x: functional.adaptive_avg_pool2d(x, (7, 1)),
        lambda x: functional.adaptive_avg_pool2d(x, (1, None)),
        lambda x: functional.adaptive_avg_pool2d(x, (x.shape[2] // 2, x.shape[3] + 1)),
        lambda x: functional.adaptive_avg_pool1d(x[0], 4),
        lambda x: functional.adaptive_avg_pool3d(x, 3),
        lambda x: functional.adaptive_max_pool2d(x, 3, return_indices=True),
        lambda x: functional.interpolate(x, size=(5, 6), mode="area"),
        lambda x: functional.interpolate(x, scale_factor=(1.25, 0.5), mode="bilinear"),
        lambda x: functional.interpolate(
            x, scale_factor=1.5, mode="bilinear", recompute_scale_factor=True
        ),
        lambda x: functional.avg_pool2d(x, 3, 2, 1, ceil_mode=True, divisor_override=4),
        lambda x: functional.avg_pool2d(x, (3, 2), 2, 1, divisor_override=5),
    ],
)
def test_images(function: Function) -> None:
    agree(function, (2, 3, 7, 9), (3, 2, 12, 15), (2, 4, 5, 6), (2, 2, 8, 8))


def test_an_infinite_pixel_is_in_its_windows_alone() -> None:
    run = compiled(lambda x: functional.adaptive_avg_pool2d(x, 3), 2, 3, 7, 9)
    x = torch.randn(2, 3, 7, 9)
    x[0, 0, 3, 4] = torch.inf
    [found] = run({run.inputs[0].name: x.numpy()}).values()
    np.testing.assert_allclose(found, functional.adaptive_avg_pool2d(x, 3).numpy(), rtol=1e-5)


def test_elements_beyond_the_tensor_are_refused() -> None:
    run = compiled(lambda x: x.as_strided((x.shape[0], 8), (x.shape[1], 1)), 5, 9)
    with pytest.raises(InputError, match="of 'as_strided'"):
        run({run.inputs[0].name: np.zeros((5, 6), "float32")})
