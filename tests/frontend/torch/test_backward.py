"""Backward passes of single operators, as AOTAutograd's graphs have them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import pytest
import torch
from torch_modules import Calls, compiled_as_eager

import tvmfuse
from tvmfuse.errors import UnsupportedModelError

pytestmark = pytest.mark.sampled(5)

aten = torch.ops.aten

Tensors: TypeAlias = Sequence[torch.Tensor]
Case: TypeAlias = tuple[Callable[..., Any], Tensors]


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


def as_eager(*cases: Case, level: str = "none", **options: Any) -> tvmfuse.Artifact:
    """Compare several calls, each with tensors of its own, in one model."""
    places = [0]
    for _, tensors in cases:
        places.append(places[-1] + len(tensors))

    def all_of_them(*given: torch.Tensor) -> list[Any]:
        return [
            function(*given[begin:end])
            for (function, _), begin, end in zip(cases, places, places[1:], strict=False)
        ]

    inputs = [tensor for _, tensors in cases for tensor in tensors]
    return compiled_as_eager(all_of_them, *inputs, level=level, **options)


def convolution(
    x: Sequence[int],
    weight: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int = 1,
    transposed: Sequence[int] | None = None,
    mask: Sequence[bool] = (True, True, True),
) -> Case:
    """Return the backward pass of a convolution of these shapes.

    Args:
        x: Shape of the input.
        weight: Shape of the weights.
        stride: As torch has them, and what follows.
        padding: Likewise.
        dilation: Likewise.
        groups: Likewise.
        transposed: The output padding of one that is transposed.
        mask: Which gradients are wanted.
    """
    settings = [list(stride), list(padding), list(dilation), transposed is not None,
                list(transposed or [0] * len(stride)), groups]  # fmt: skip
    image, weights = torch.randn(x), torch.randn(weight)
    result = aten.convolution(image, weights, None, *settings)
    outs = [result.shape[1]]

    def backward(*given: torch.Tensor) -> list[torch.Tensor]:
        found = aten.convolution_backward(*given, outs, *settings, list(mask))
        return [gradient for gradient, wanted in zip(found, mask, strict=True) if wanted]

    return backward, [torch.randn_like(result), image, weights]


def test_convolutions_over_lines_images_and_volumes() -> None:
    as_eager(
        convolution((3, 8, 7), (5, 8, 3), (2,), (0,), (1,)),
        convolution((2, 4, 9, 8), (6, 4, 3, 3), (2, 2), (1, 1), (1, 1)),
        convolution((2, 6, 5, 6), (7, 6, 1, 1), (2, 2), (0, 0), (1, 1)),
        convolution((1, 3, 11, 12), (17, 3, 5, 4), (1, 3), (2, 0), (2, 1)),
        convolution((2, 3, 5, 6, 7), (4, 3, 2, 3, 3), (1, 2, 1), (0, 1, 1), (1, 1, 2)),
        rtol=1e-4,
    )


def test_strided_convolutions_of_few_phases_and_of_many() -> None:
    """Of an image's pixels some are read by other taps than their neighbours, some by none."""
    as_eager(
        convolution((2, 3, 11, 8), (5, 3, 7, 4), (2, 2), (3, 0), (1, 1)),
        convolution((2, 3, 13, 9), (4, 3, 3, 3), (2, 4), (1, 1), (1, 2)),
        convolution((1, 4, 10, 12), (4, 2, 2, 3), (2, 3), (0, 2), (2, 3), groups=2),
        convolution((2, 3, 8, 1), (4, 3, 1, 1), (3, 2), (0, 0), (1, 1)),
        convolution((1, 3, 16, 16), (4, 3, 4, 4), (4, 4), (0, 0), (1, 1)),
        rtol=1e-4,
    )


def test_a_gradient_that_is_infinite_reaches_what_it_reaches_in_eager() -> None:
    backward, given = convolution((1, 3, 9, 8), (4, 3, 3, 3), (2, 2), (1, 1), (1, 1))
    given[0][0, 1, 2, 1], given[0][0, 2, 4, 3] = torch.inf, torch.nan
    as_eager((backward, given), level="all", rtol=1e-4)


def test_convolutions_of_groups() -> None:
    as_eager(
        convolution((2, 4, 9, 8), (8, 2, 3, 3), (1, 2), (1, 0), (2, 1), groups=2),
        convolution((3, 8, 7, 7), (8, 1, 3, 3), (2, 2), (1, 1), (1, 1), groups=8),
        convolution((3, 5, 7, 6), (10, 1, 3, 3), (1, 1), (1, 1), (1, 1), groups=5),
        rtol=1e-4,
    )


def test_transposed_convolutions() -> None:
    as_eager(
        convolution((2, 6, 5, 6), (6, 4, 3, 3), (2, 2), (1, 1), (1, 1), transposed=(1, 0)),
        convolution((2, 6, 5, 6), (6, 2, 3, 2), (2, 3), (0, 1), (1, 1), 2, transposed=(1, 0)),
        rtol=1e-4,
    )


@pytest.mark.parametrize("level", ["none", "all"])
def test_gradients_that_nobody_wants_are_not_computed(level: str) -> None:
    layer = ((1, 4, 6, 6), (4, 4, 3, 3), (1, 1), (1, 1), (1, 1), 1, None)
    artifact = as_eager(
        convolution(*layer, mask=(False, True, False)),
        convolution(*layer, mask=(True, False, True)),
        level=level,
        rtol=1e-4,
    )
    names = [kernel.symbol for kernel in artifact.manifest.kernels]
    assert sum("conv_weight_gradient" in name for name in names) == 1
    assert sum("conv_transpose" in name for name in names) == 1


def test_weight_gradients_are_a_register_tile_of_the_gradients_channels() -> None:
    artifact = as_eager(
        convolution((2, 20, 9, 8), (33, 20, 3, 3), (2, 2), (1, 1), (1, 1), mask=(False, True, False)),
        convolution((2, 20, 9, 8), (33, 20, 1, 1), (1, 1), (0, 0), (1, 1), mask=(False, True, False)),
        rtol=1e-4,
        target={"kind": "llvm", "mcpu": "haswell"},
    )  # fmt: skip
    kernels = artifact.manifest.kernels
    assert sorted(kernel.schedule for kernel in kernels) == ["conv", "matmul"]


def test_gradients_stay_in_blocks_from_one_convolution_to_the_one_before() -> None:
    shape = ((4, 16, 12, 11), (16, 16, 3, 3), (1, 1), (1, 1), (1, 1))
    backward, (last, image, weights) = convolution(*shape, mask=(True, True, False))
    _, (_, hidden, others) = convolution(*shape)

    def both(*given: torch.Tensor) -> list[torch.Tensor]:
        last, hidden, others, image, weights = given
        gradient, of_others = backward(last, hidden, others)
        gradient = gradient.masked_fill(hidden <= 0, 0)
        return [of_others, gradient.sum([0, 2, 3]), *backward(gradient, image, weights)]

    artifact = as_eager(
        (both, [last, hidden, others, image, weights]),
        level="all",
        rtol=1e-4,
        atol=1e-4,
        disabled_pass=["WinogradConv"],
    )
    symbols = [kernel.symbol for kernel in artifact.manifest.kernels]
    assert sum("from_blocked" in symbol for symbol in symbols) == 1


def pool(x: torch.Tensor, window: Sequence[Any], axes: int = 2) -> Case:
    """Return a max pool with where its maxima are, and its backward pass."""
    forward, backward = (
        getattr(aten, f"max_pool{axes}d_with_indices{name}") for name in ("", "_backward")
    )
    maxima, _ = forward(x, *window)

    def both(x: torch.Tensor, gradient: torch.Tensor) -> tuple[torch.Tensor, ...]:
        found, places = forward(x, *window)
        return found, places, backward(gradient, x, *window, places)

    return both, [x, torch.randn_like(maxima)]


def test_max_pools() -> None:
    ties = torch.randint(0, 3, (2, 3, 9, 8)).float()
    as_eager(
        pool(ties, ([3, 3], [2, 2], [1, 1], [1, 1], False)),
        pool(ties, ([2, 3], [1, 2], [0, 1], [2, 1], True)),
        pool(ties[0], ([2, 2], [2, 2], [0, 0], [1, 1], False)),
        pool(torch.randn(1, 2, 5, 6, 7), ([3, 2, 2], [2, 2, 1], [1, 0, 1], [1, 1, 1], True), 3),
        pool(torch.full((1, 1, 4, 4), -math.inf), ([3, 3], [2, 2], [1, 1], [1, 1], False)),
    )


def test_a_max_pool_of_nan() -> None:
    x = torch.randn(1, 2, 6, 6)
    x[0, 0, 2, 2] = x[0, 0, 2, 3] = x[0, 1, 0, 0] = math.nan
    as_eager(pool(x, ([3, 3], [2, 2], [1, 1], [1, 1], False)))


def averages(x: Sequence[int], *window: Any) -> Case:
    """Return the backward pass of an average pool."""
    axes = len(x) - 2
    forward, backward = (getattr(aten, f"avg_pool{axes}d{name}") for name in ("", "_backward"))
    image = torch.randn(*x)
    result = forward(image, *window)
    return lambda g, x: backward(g, x, *window), [torch.randn_like(result), image]


def test_average_pools() -> None:
    as_eager(
        averages((2, 3, 8, 6), [2, 2], [2, 2], [0, 0], False, True, None),
        averages((2, 3, 9, 8), [3, 3], [2, 1], [1, 1], True, True, None),
        averages((2, 3, 9, 8), [3, 2], [2, 2], [1, 0], True, False, None),
        averages((2, 3, 9, 8), [3, 2], [2, 2], [1, 0], False, True, 5),
        averages((1, 2, 20, 20), [18, 18], [1, 1], [0, 0], False, True, None),
        averages((1, 2, 5, 6, 7), [2, 2, 3], [2, 1, 2], [1, 0, 1], False, True, None),
    )


def test_adaptive_average_pools() -> None:
    backward = aten._adaptive_avg_pool2d_backward
    x = torch.randn(2, 3, 7, 10)
    as_eager(*((backward, [torch.randn(2, 3, *sizes), x]) for sizes in ((1, 1), (3, 4), (7, 20))))


def test_upsamplings() -> None:
    shape, gradient = [2, 3, 5, 6], torch.randn(2, 3, 11, 12)
    sizes = ([11, 12], shape)
    as_eager(
        (lambda g: aten.upsample_nearest2d_backward(g, *sizes), [gradient]),
        (lambda g: aten.upsample_nearest2d_backward(g, *sizes, 2.2, 2.0), [gradient]),
        (lambda g: aten._upsample_nearest_exact2d_backward(g, *sizes), [gradient]),
        (lambda g: aten.upsample_bilinear2d_backward(g, *sizes, False), [gradient]),
        (lambda g: aten.upsample_bilinear2d_backward(g, *sizes, False, 2.2, 2.0), [gradient]),
        (lambda g: aten.upsample_bilinear2d_backward(g, *sizes, True), [gradient]),
        (lambda g: aten.upsample_linear1d_backward(g, [4], [2, 3, 9], False), [torch.randn(2, 3, 4)]),
    )  # fmt: skip


def test_batch_norm_in_training() -> None:
    def norm(*given: torch.Tensor) -> Any:
        return aten._native_batch_norm_legit_functional(*given, True, 0.1, 1e-5)

    def backward(*given: torch.Tensor) -> Any:
        return aten.native_batch_norm_backward(*given, True, 1e-5, [True, True, True])

    def without_training(*given: torch.Tensor) -> Any:
        return aten.native_batch_norm_backward(*given, False, 1e-5, [True, True, True])

    channels = [torch.rand(3) for _ in range(4)]
    statistics = [torch.randn(3), torch.rand(3)]
    x = torch.randn(2, 3, 5, 4) + 2
    as_eager(
        (norm, [x, *channels]),
        (backward, [torch.randn_like(x), x, channels[0], *channels[2:], *statistics]),
        (without_training, [torch.randn_like(x), x, channels[0], *channels[2:], *statistics]),
    )


@pytest.mark.parametrize("kind", ["plain", "causal", "masked"])
def test_attention(kind: str) -> None:
    q, k, v = (torch.randn(2, 3, length, 8) for length in (5, 7, 7))
    mask = torch.randn(2, 1, 5, 7).where(torch.rand(2, 1, 5, 7) < 0.7, -math.inf)
    mask[..., 0] = 0
    given = [mask] if kind == "masked" else []

    def both(g: torch.Tensor, *operands: torch.Tensor) -> list[torch.Tensor]:
        qkv, mask = operands[:3], operands[3] if kind == "masked" else None
        settings: dict[str, Any] = {"attn_mask": mask, "scale": 0.3}
        causal = kind == "causal"
        out, total = aten._scaled_dot_product_flash_attention_for_cpu(*qkv, 0.0, causal, **settings)
        gradients = aten._scaled_dot_product_flash_attention_for_cpu_backward(
            g, *qkv, out, total, 0.0, causal, **settings
        )
        return [out, total, *gradients]

    as_eager((both, [torch.randn(2, 3, 5, 8), q, k, v, *given]))


def test_what_is_written_along_axes_that_are_not_the_first_ones() -> None:
    rows, columns = torch.tensor([[0], [2], [2]]), torch.tensor([1, 1])
    index = [None, None, rows, columns]
    x, new = torch.randn(2, 3, 4, 5), torch.randn(2, 3, 3, 2)
    as_eager(
        (lambda x, new: aten.index_put(x, index, new, True), [x, new]),
        (lambda x, new: aten.index_put(x, [None, columns], new, True), [x, torch.randn(4, 5)]),
    )


def test_a_pad_of_known_widths_has_a_known_shape() -> None:
    artifact = compiled_as_eager(
        lambda x: torch.nn.functional.pad(x, [1, 0, 2, -1], value=3), torch.randn(2, 3, 4)
    )
    assert artifact.manifest.outputs[0].shape == (2, 4, 5)


def test_what_is_random_is_refused_by_name() -> None:
    module = Calls(lambda x: torch.nn.functional.dropout(x, 0.5, training=True))
    with pytest.raises(UnsupportedModelError, match="dropout"):
        tvmfuse.compile(module, example_inputs=(torch.ones(4),))
