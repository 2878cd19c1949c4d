"""Kernels of every kind read tensors wherever they begin."""

import pytest
import torch
from torch import nn
from torch_backend.traced import compiled

from tvmfuse.torch_backend.compiled_graph import CompiledGraph

LINE = 64  # bytes


def every_kind(
    image: torch.Tensor, rows: torch.Tensor, weights: torch.Tensor, places: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """Return what kernels of every kind compute: each reads an argument."""
    f = nn.functional
    filters = weights[: 64 * 16 * 9].reshape(64, 16, 3, 3)
    heads = rows[None, None, :, :32]
    return (
        f.conv2d(image, filters, padding=1),
        f.conv2d(image, filters[:, :1], stride=2, groups=16),
        f.conv2d(image, filters[:16, :1], padding=1, groups=16),
        f.conv_transpose2d(image, filters[:16], stride=2),
        f.max_pool2d(image, 3, 2, 1), f.avg_pool2d(image, 3, 2), image.mean((2, 3)),
        f.interpolate(image, scale_factor=2, mode="bilinear"),
        image.permute(0, 2, 3, 1).contiguous(), torch.cat([image, image * 2], 1),
        rows @ rows.T, rows[:1] @ rows.T, f.linear(rows, weights[: 48 * 7].reshape(7, 48)),
        f.layer_norm(rows, (48,)), f.softmax(rows, -1), rows.sum(0), rows.cumsum(0),
        rows.sort(-1)[0], rows.topk(5)[0], f.gelu(rows), torch.exp(rows), rows[places],
        rows.scatter(0, places[:, None].expand(-1, 48), 1.5), rows.argmax(1), places * 3,
        f.scaled_dot_product_attention(heads, heads, heads), heads.expand(2, -1, -1, -1) + 1,
        (rows > 0).to(torch.int32), torch.where(rows > 0, rows, -1.0),
    )  # fmt: skip


@pytest.fixture(scope="module")
def arguments() -> list[torch.Tensor]:
    drawn = torch.Generator().manual_seed(0)
    shapes = (1, 16, 13, 14), (21, 48), (64 * 16 * 9,)
    places = torch.randint(0, 21, (9,), generator=drawn)
    return [*(torch.randn(shape, generator=drawn) for shape in shapes), places]


@pytest.fixture(scope="module")
def graph(arguments: list[torch.Tensor]) -> CompiledGraph:
    return compiled(every_kind, *arguments)


def at_byte(offset: int, tensor: torch.Tensor) -> torch.Tensor:
    """Return a copy of a tensor that begins so many bytes behind a cache line's beginning."""
    room = torch.empty(tensor.nbytes + 2 * LINE, dtype=torch.uint8)
    first = -room.data_ptr() % LINE + offset
    there = room[first : first + tensor.nbytes].view(tensor.dtype).reshape(tensor.shape)
    return there.copy_(tensor)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("offset", range(0, LINE, 4))
def test_numbers_and_strides(
    offset: int, graph: CompiledGraph, arguments: list[torch.Tensor]
) -> None:
    # An element of eight bytes begins at a multiple of them.
    there = [at_byte(offset - offset % x.element_size(), x) for x in arguments]
    for found, wanted in zip(graph.module(*there), every_kind(*arguments), strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4, check_stride=True)
