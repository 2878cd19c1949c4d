"""A module whose weights are folded, packed and left alone, and all ways to write to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import nn

IMAGE = torch.linspace(-1, 1, 2 * 3 * 12 * 12).reshape(2, 3, 12, 12)


class Scaled(nn.Module):
    """A number that a parameter is, and one of many dimensions that no pass changes."""

    def __init__(self) -> None:
        super().__init__()
        self.by = nn.Parameter(torch.tensor(1.0))
        self.shift = nn.Parameter(torch.zeros(16))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sin(x * self.by) + self.shift


def network() -> nn.Sequential:
    """Return what is folded, packed by both layouts, transformed, and left alone."""
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
        nn.Conv2d(16, 16, 3, padding=1), nn.AdaptiveAvgPool2d(1), nn.Flatten(), Scaled(),
        nn.Linear(16, 24),
    ).eval()  # fmt: skip


def small_network() -> nn.Sequential:
    """Return what is folded, packed and left alone, and computes next to nothing."""
    torch.manual_seed(0)
    return nn.Sequential(
        nn.AdaptiveAvgPool2d(1), nn.BatchNorm2d(3), nn.Flatten(), nn.Linear(3, 16), Scaled(),
        nn.Linear(16, 24),
    ).eval()  # fmt: skip


def optimized(
    make: Callable[[Sequence[nn.Parameter]], torch.optim.Optimizer],
) -> Callable[[nn.Module], None]:
    def write(module: nn.Module) -> None:
        optimizer = make(list(module.parameters()))
        module(IMAGE).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()

    return write


def in_place(module: nn.Module) -> None:
    with torch.no_grad():
        for tensor in module.parameters():
            tensor.copy_(torch.randn_like(tensor))


def by_foreach(module: nn.Module) -> None:
    with torch.no_grad():
        torch._foreach_add_(list(module.parameters()), 0.3)


def by_data(module: nn.Module) -> None:
    for tensor in module.parameters():
        tensor.data.add_(0.3)


def exchanged(module: nn.Module) -> None:
    for tensor in module.parameters():
        tensor.data = torch.randn_like(tensor)


def swapped(module: nn.Module) -> None:
    for owner in module.modules():
        for name, tensor in list(owner.named_parameters(recurse=False)):
            # torch's export leaves weak references to what it saw, which forbid the exchange.
            unseen = nn.Parameter(tensor.data)
            setattr(owner, name, unseen)
            new = nn.Parameter(torch.randn_like(tensor))
            torch.utils.swap_tensors(unseen, new)  # type: ignore[no-untyped-call]


def loaded(*, assign: bool) -> Callable[[nn.Module], None]:
    def write(module: nn.Module) -> None:
        torch.manual_seed(7)
        state = {
            n: torch.rand_like(t) if t.is_floating_point() else t
            for n, t in module.state_dict().items()
        }
        module.load_state_dict(state, assign=assign)

    return write


def by_numpy(module: nn.Module) -> None:
    for tensor in module.parameters():
        tensor.detach().numpy()[...] += 0.3


def filled(number: float) -> Callable[[nn.Module], None]:
    def write(module: nn.Module) -> None:
        with torch.no_grad():
            for tensor in module.parameters():
                tensor.fill_(number)

    return write


def misaligned(module: nn.Module) -> None:
    for tensor in module.parameters():
        memory = torch.randn(tensor.numel() + 1)
        tensor.data = memory[1:].view(tensor.shape)


WAYS: dict[str, Callable[[nn.Module], None]] = {
    "copy_": in_place,
    "foreach": by_foreach,
    "SGD": optimized(lambda ps: torch.optim.SGD(ps, lr=0.1)),
    "Adam": optimized(lambda ps: torch.optim.Adam(ps, lr=0.1)),
    "SGD(fused=True)": optimized(lambda ps: torch.optim.SGD(ps, lr=0.1, fused=True)),
    "Adam(fused=True)": optimized(lambda ps: torch.optim.Adam(ps, lr=0.1, fused=True)),
    ".data.add_": by_data,
    ".data =": exchanged,
    "swap_tensors": swapped,
    "load_state_dict": loaded(assign=False),
    "load_state_dict(assign=True)": loaded(assign=True),
    "numpy": by_numpy,
    "zeros": filled(0),
    "ones": filled(1),
    "misaligned": misaligned,
}
