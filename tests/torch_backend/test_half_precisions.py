"""bfloat16 and float16 in torch.compile: forward and backward are compiled, and nothing is said."""

import copy
import warnings
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from tvmfuse.torch_backend import report
from tvmfuse.torch_backend.report import forget

Function = Callable[[torch.Tensor], torch.Tensor]

OPERATORS: dict[str, Function] = {
    "max pool": lambda x: F.max_pool2d(x, 3, 2, 1),
    "mean": lambda x: x.mean((2, 3)),
    "adaptive max": lambda x: F.adaptive_max_pool2d(x, 1),
    "triangle": torch.tril,
    "is nan": lambda x: torch.isnan(x).float() + torch.isinf(x) + torch.isfinite(x),
    "nan to num": torch.nan_to_num,
    "running maximum": lambda x: x.cummax(1)[0],
    "maximum": lambda x: x.max(1)[0],
    "place of the minimum": lambda x: x.argmin(1).float(),
    "median": lambda x: x.median(1)[0],
    "attention": lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
    "rest": lambda x: torch.fmod(x, 0.3),
    "angle": lambda x: torch.atan2(x + 1, x.flip(-1)) * 2,
    "sign": lambda x: torch.signbit(x * 2).float(),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("name", OPERATORS)
def test_forward_and_backward(name: str, dtype: torch.dtype) -> None:
    """Within two roundings of what float32 gives, and eager's shape and dtype."""
    torch._dynamo.reset()
    operator = OPERATORS[name]
    drawn = torch.randn(2, 4, 8, 10, generator=torch.Generator().manual_seed(0)).to(dtype)
    x, eager = (drawn.clone().requires_grad_() for _ in range(2))
    expected = operator(eager)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = torch.compile(operator, backend="tvmfuse")(x)
        if expected.requires_grad:
            found.backward(torch.ones_like(found))  # type: ignore[no-untyped-call]
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    wide = operator(drawn.float()).float()
    torch.testing.assert_close(found.float(), wide, rtol=2e-2, atol=2e-2)
    if expected.requires_grad:
        expected.backward(torch.ones_like(expected))  # type: ignore[no-untyped-call]
        torch.testing.assert_close(x.grad, eager.grad, rtol=5e-2, atol=5e-2)


def test_a_network_trains_under_autocast() -> None:
    """Its pools' gradients go where the first maximum was, and nothing stays in eager."""
    torch.manual_seed(0)
    eager = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.MaxPool2d(2, ceil_mode=True),
        nn.Conv2d(8, 8, 3),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(8, 5),
    )
    assert_trains_under_autocast(eager, torch.randn(4, 3, 15, 16), torch.bfloat16)


#: Norms of eight channels, whose parameters stay in float32.
NORMS: dict[str, Callable[[], nn.Module]] = {
    "of rows": lambda: nn.LayerNorm([9, 10]),
    "of rows, without a shift": lambda: nn.LayerNorm([9, 10], bias=False),
    "of groups": lambda: nn.GroupNorm(2, 8),
    "of images": lambda: nn.InstanceNorm2d(8, affine=True),
    "of a batch": lambda: nn.BatchNorm2d(8),
    "of a batch alone": lambda: nn.BatchNorm2d(8, track_running_stats=False),
    "that is kept": lambda: nn.BatchNorm2d(8).eval(),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("norm", NORMS)
def test_norms_whose_parameters_have_more_bits(norm: str, dtype: torch.dtype) -> None:
    """Torch's kernels return statistics of float32; its fake tensors say that they are half."""
    torch.manual_seed(0)
    layers = nn.Conv2d(3, 8, 3, padding=1), NORMS[norm](), nn.ReLU(), nn.Conv2d(8, 4, 3)
    assert_trains_under_autocast(nn.Sequential(*layers), torch.randn(2, 3, 9, 10), dtype)


def assert_trains_under_autocast(eager: nn.Module, x: torch.Tensor, dtype: torch.dtype) -> None:
    """Compare a step with eager's; nothing stays in eager, and nothing is said."""
    torch._dynamo.reset()
    forget()
    own = copy.deepcopy(eager)
    losses = list[torch.Tensor]()
    compiled: Function = torch.compile(own, backend="tvmfuse")
    for model in (eager, compiled):
        with warnings.catch_warnings(), torch.autocast("cpu", dtype):
            warnings.simplefilter("error")
            losses.append(model(x).float().pow(2).mean())
            losses[-1].backward()  # type: ignore[no-untyped-call]
    torch.testing.assert_close(losses[1], losses[0], rtol=3e-2, atol=1e-2)
    ours, theirs = (next(model.parameters()).grad for model in (own, eager))
    assert isinstance(ours, torch.Tensor)
    assert isinstance(theirs, torch.Tensor)
    assert float((ours - theirs).norm() / theirs.norm()) < 0.05
    assert not any(graph.eager for graph in report().graphs)
