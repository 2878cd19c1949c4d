"""Operators that move elements, pick them, and combine them along axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch_modules import compiled_as_eager

import tvmfuse


def as_eager(*functions: Callable[..., Any], inputs: Any, **options: Any) -> None:
    """Compare several functions in one model."""
    compiled_as_eager(lambda *given: [f(*given) for f in functions], *inputs, **options)


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape)))


def test_views() -> None:
    as_eager(
        lambda x: x.view(6, 20), lambda x: x.flatten(1), lambda x: x.unsqueeze(-1),
        lambda x: x[:, :1].squeeze(1), lambda x: x.transpose(0, -1), lambda x: x.permute(2, 0, 1, 3),
        lambda x: x[0, 0].t(), lambda x: x.diagonal(1, -2, -1), lambda x: x.diagonal(-1, 0, 2),
        lambda x: x.unfold(-1, 2, 3), lambda x: x.as_strided((2, 3), (1, 7), 3),
        lambda x: x.expand(2, -1, -1, -1, -1),
        inputs=[drawn(2, 3, 4, 5)], level="none",
    )  # fmt: skip


def test_parts() -> None:
    as_eager(
        lambda x: x[1:, ::2], lambda x: x[-1], lambda x: x[:, -2:-1], lambda x: x[..., 2],
        lambda x: x.split(2, 1)[1], lambda x: x.chunk(3, -1)[2], lambda x: x.unbind(1)[2],
        lambda x: x.flip(0, -1), lambda x: x.roll((1, -2), (0, 2)), lambda x: x.roll(3),
        lambda x: x.repeat(2, 1, 1, 3), lambda x: functional.pad(x, (1, -1, 0, 2), value=3),
        lambda x: torch.stack([x, x + 1], 2), lambda x: torch.cat([x, x[:1]], 0),
        lambda x: x.tril(-1), lambda x: x.triu(1),
        inputs=[drawn(2, 3, 4, 5)], level="none",
    )  # fmt: skip


def test_elements_by_indices() -> None:
    rows, columns = torch.tensor([[0, 2], [-1, 1]]), torch.tensor([1, -2])
    as_eager(
        lambda x, r, c: x[r], lambda x, r, c: x[:, c], lambda x, r, c: x[r, c],
        lambda x, r, c: x[:, r, c], lambda x, r, c: x.index_select(1, c % 3),
        lambda x, r, c: x.gather(0, (r % 3)[:, :, None]), lambda x, r, c: x.topk(2, 0)[0],
        lambda x, r, c: torch.index_put(x, (r, c), x[r, c] * 2),
        lambda x, r, c: x.scatter(0, (r % 3)[:, :, None], 7.0),
        lambda x, r, c: x.scatter_add(0, (r % 3)[:, :, None], x[:2, :2, :1]),
        lambda x, r, c: x.masked_fill(x > 0, 5), lambda x, r, c: functional.embedding(r % 3, x[:, 0]),
        lambda x, r, c: x.select_scatter(x[0], 0, 2), lambda x, r, c: x.slice_scatter(x[:1], 0, 1, 2),
        inputs=[drawn(3, 4, 5), rows, columns], level="none",
    )  # fmt: skip


def test_combined_elements() -> None:
    as_eager(
        lambda x: x.sum(), lambda x: x.mean((0, -1), keepdim=True), lambda x: x.amax(1),
        lambda x: x.max(1), lambda x: x.min(0, keepdim=True), lambda x: x.argmax(),
        lambda x: x.argmin(-1), lambda x: x.var(1), lambda x: x.std((0, 2), correction=0),
        lambda x: torch.var_mean(x, 1, keepdim=True), lambda x: x.prod(2), lambda x: x.cumsum(1),
        lambda x: x.cumprod(-1), lambda x: (x > 0).any(1), lambda x: (x > -9).all(),
        lambda x: x.softmax(1), lambda x: x.log_softmax(0), lambda x: x.logsumexp(1),
        lambda x: x.norm(dim=1),
        inputs=[drawn(3, 4, 5)], level="none",
    )  # fmt: skip


def test_products() -> None:
    as_eager(
        lambda a, b, v: a @ b, lambda a, b, v: b @ v, lambda a, b, v: v @ v,
        lambda a, b, v: torch.addmm(a[0], a[1], a[1, :, :3].T @ a[1], alpha=2, beta=0.5)
        if a.shape[1] == a.shape[2] else a.sum(),
        lambda a, b, v: torch.baddbmm(v[:1], a, b, beta=2), lambda a, b, v: torch.addmv(v[:4], b[0].T, a[0, 0]),
        lambda a, b, v: torch.addbmm(v[:1], a, b), lambda a, b, v: torch.einsum("bij,bjk->ik", a, b),
        lambda a, b, v: functional.linear(a, b[0].T, v[:4]),
        inputs=[drawn(2, 3, 5), drawn(2, 5, 4), drawn(4)], level="none",
    )  # fmt: skip


def test_pools_and_norms() -> None:
    as_eager(
        lambda x: functional.max_pool2d(x, 3, 2, 1, ceil_mode=True),
        lambda x: functional.max_pool2d(x[0], (2, 3), dilation=2),
        lambda x: functional.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
        lambda x: functional.avg_pool1d(x[0], 3, 2), lambda x: functional.avg_pool3d(x, (1, 2, 3)),
        lambda x: functional.adaptive_avg_pool2d(x, (4, 3)),
        lambda x: functional.adaptive_avg_pool2d(x[0], (4, 3)),
        lambda x: functional.layer_norm(x, (8, 9)), lambda x: functional.group_norm(x, 2),
        lambda x: functional.instance_norm(x), lambda x: functional.normalize(x, dim=1),
        lambda x: functional.pixel_shuffle(x, 2),
        lambda x: functional.pad(x, (1, 2, 3, 0), mode="reflect"),
        inputs=[drawn(2, 4, 8, 9)], level="none",
    )  # fmt: skip


def test_numbers_made() -> None:
    as_eager(
        lambda x: x + torch.arange(5), lambda x: x + torch.arange(1, 10, 2),
        lambda x: torch.full_like(x, 3) + torch.ones(5), lambda x: x * torch.linspace(0, 1, 5),
        lambda x: torch.zeros(3, dtype=torch.int32), lambda x: x.new_full((2,), 7),
        inputs=[drawn(5)], level="none",
    )  # fmt: skip


def test_sizes_of_the_run() -> None:
    """What a size is computed of, and tensors made of sizes."""
    batch, length = torch.export.Dim("batch", min=2), torch.export.Dim("length", min=3)

    def sized(x: torch.Tensor) -> list[torch.Tensor]:
        rows, columns, _ = x.shape
        return [
            x.reshape(rows * columns, -1), x + torch.arange(columns)[:, None], x.sum() / columns,
            torch.ones(rows, columns).tril(), x[:, 1:], x.mean(1), torch.zeros(rows, 2) + rows,
        ]  # fmt: skip

    compiled_as_eager(
        sized, drawn(3, 4, 5), others=[(drawn(2, 7, 5),)],
        dynamic_shapes=(({0: batch, 1: length},),),
    )  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("pad", "sizes"),
    [
        (nn.ReflectionPad2d((1, 2, 3, 0)), (6, 7)), (nn.ReplicationPad2d(2), (3, 4)),
        (nn.ReflectionPad1d(3), (9,)), (nn.ReplicationPad3d(1), (3, 4, 2)),
    ],
)  # fmt: skip
def test_pads_that_repeat_elements_of_any_size(pad: nn.Module, sizes: tuple[int, ...]) -> None:
    dims = [torch.export.Dim(f"size{axis}", min=4) for axis in range(len(sizes))]
    inputs = [drawn(2, 3, *(size + more for size in sizes)) for more in (2, 3, 20)]
    shapes = ({0: torch.export.Dim("batch"), **{2 + n: dim for n, dim in enumerate(dims)}},)
    artifact = compiled_as_eager(
        pad, inputs[0], others=[(x,) for x in inputs[1:]], dynamic_shapes=shapes
    )
    assert len(artifact.manifest.kernels) == 1


@pytest.mark.parametrize("known", [True, False], ids=["known sizes", "any size"])
def test_negative_pads_take_elements_off_that_the_other_end_repeats(known: bool) -> None:
    height, width = (torch.export.Dim(name, min=4) for name in ("height", "width"))
    compiled_as_eager(
        lambda x: [
            functional.pad(x, pads, mode=mode)
            for mode in ("reflect", "replicate")
            for pads in ((-2, 3, 1, -1), (-1, -1, -2, 0), (2, -3, 3, 3))
        ],
        drawn(1, 2, 5, 4),
        others=[] if known else [(drawn(1, 2, 9, 6),), (drawn(1, 2, 4, 17),)],
        dynamic_shapes=None if known else (({2: height, 3: width},),),
    )


class PartsOfAnyAxis(nn.Module):
    """What is written into parts of an axis whose size is symbolic, counted from both ends."""

    def forward(self, x: torch.Tensor, part: torch.Tensor) -> list[torch.Tensor]:
        length, scatter = x.shape[1], torch.ops.aten.slice_scatter
        back = torch.ops.aten.select_backward
        return [
            back(part, x.shape, 1, 0), back(part, x.shape, 1, -2),
            torch.select_scatter(x, part, 1, 2), scatter(x, x[:, :2], 1, -2),
            scatter(x, x[:, 1:], 1, 0, length - 1), scatter(x, x[:, :-1], 1, 1),
        ]  # fmt: skip


def test_parts_of_an_axis_of_any_size() -> None:
    length = torch.export.Dim("length", min=3)
    others = [(drawn(2, size, 4), drawn(2, 4)) for size in (3, 4, 9)]
    compiled_as_eager(
        PartsOfAnyAxis(), drawn(2, 6, 4), drawn(2, 4), others=others,
        dynamic_shapes=({1: length}, {}),
    )  # fmt: skip


def test_circular_pads_of_any_size() -> None:
    height, width = (torch.export.Dim(name, min=3) for name in ("height", "width"))
    others = [(drawn(2, 3, *size),) for size in ((3, 3), (4, 17))]
    compiled_as_eager(
        nn.CircularPad2d((1, 2, 2, 0)), drawn(2, 3, 6, 7), others=others,
        dynamic_shapes=({2: height, 3: width},),
    )  # fmt: skip


def test_rolled_by_more_than_there_is() -> None:
    """Shifts are taken modulo the size, known or not, and may be sizes themselves."""
    height, width = (torch.export.Dim(name, min=2) for name in ("height", "width"))

    def rolled(x: torch.Tensor) -> list[torch.Tensor]:
        return [x.roll((3, -4), (1, 2)), x.roll(-7), x.roll(x.shape[2] // 2, 2), x.roll(11, -1)]

    compiled_as_eager(
        rolled, drawn(2, 6, 7, 3), others=[(drawn(2, 2, 9, 3),), (drawn(2, 40, 3, 3),)],
        dynamic_shapes=(({1: height, 2: width},),),
    )  # fmt: skip


def test_a_roll_by_what_a_run_knows_is_one_kernel() -> None:
    """Another one is another: where both cut an axis, which cut comes first is not known."""
    size = torch.export.Dim("size", min=2)

    class Rolled(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x = x.roll((3, -1, 2), (1, 2, 1)).relu()
            return x.roll((1, 2), (2, 3))

    dims = ({1: size, 2: size},)
    program = torch.export.export(Rolled(), (drawn(2, 6, 6, 5),), dynamic_shapes=dims)
    compiled = tvmfuse.compile(program, target="llvm -mcpu=haswell")
    assert len(compiled.manifest.kernels) == 2


def test_diagonals_and_windows_of_any_size() -> None:
    height, width = (torch.export.Dim(name, min=7) for name in ("height", "width"))

    def viewed(x: torch.Tensor) -> list[torch.Tensor]:
        windows = [x.unfold(1, 4, 3), x.unfold(-1, 2, 1)]
        return [x.diagonal(offset, 2, 1) for offset in (0, 2, -3)] + windows

    compiled_as_eager(
        viewed, drawn(2, 8, 9), others=[(drawn(2, 7, 13),), (drawn(2, 20, 7),)],
        dynamic_shapes=(({1: height, 2: width},),),
    )  # fmt: skip
