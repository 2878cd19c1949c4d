"""What `bench.torch` times: a model's inference, or a step of its training, on one engine."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import torch
from torch import nn

from bench.models import MODELS, Size, Weights
from bench.models.torch_export import Positional
from bench.variants import Arrays

#: How each engine compiles a module; with parameters that may change, and with frozen ones.
ENGINES: Final[Mapping[str, Mapping[bool, Mapping[str, Any]]]] = {
    "tvmfuse": {
        False: {"backend": "tvmfuse"},
        True: {"backend": "tvmfuse", "options": {"freeze": True}},
    },
    "inductor": {
        False: {"backend": "inductor"},
        True: {"backend": "inductor", "options": {"freezing": True}},
    },
}

RATE: Final = 1e-6
"""Of training: small enough that all rounds compute on about the same numbers."""


@dataclass(frozen=True)
class Work:
    """A module and what it is called with.

    Attributes:
        make: Returns the module, in inference mode, always with the same weights.
        inputs: Its positional arguments.
    """

    make: Callable[[], nn.Module]
    inputs: tuple[torch.Tensor, ...]


class Encoder(nn.Module):
    """A transformer of two layers without dropout, which would be random.

    Args:
        width: Of its rows.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(
            width, width // 64 or 1, 4 * width, dropout=0.0, activation="gelu", batch_first=True
        )
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return rows of the same shape, [batch, sequence, width]."""
        found: torch.Tensor = self.layers(x)
        return found


def inferences(size: Size) -> dict[str, Work]:
    """Return the models whose inference is timed, by name."""
    return {
        name: _model(name, size) for name in ("resnet18", "resnet50", "mobilenetv2", "bert", "vit")
    }


def trainings(size: Size) -> dict[str, Work]:
    """Return the models of whose training a step is timed, by name."""
    width, rows = (512, 128) if size == "full" else (64, 8)
    tokens = torch.randn(4, rows, width, generator=torch.Generator().manual_seed(0))
    batch = 4 if size == "full" else 2
    return {
        # As it is when training begins.
        "resnet18": _model("resnet18", size, batch, "initial"),
        "transformer": Work(partial(_encoder, width), (tokens,)),
    }


def _model(name: str, size: Size, batch: int = 1, weights: Weights = "random") -> Work:
    model = MODELS[name]
    arrays = model.inputs(size, batch=batch)
    make = partial(_positional, name, size, tuple(arrays), weights)
    return Work(make, tuple(torch.from_numpy(array) for array in arrays.values()))


def _positional(name: str, size: Size, inputs: tuple[str, ...], weights: Weights) -> nn.Module:
    model = MODELS[name]
    return Positional(model.module(size, weights), inputs, tuple(model.outputs)).eval()


def _encoder(width: int) -> nn.Module:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return Encoder(width).eval()


def compiled(module: nn.Module, engine: str, *, frozen: bool = False) -> Callable[..., Any]:
    """Return a module as an engine runs it; "eager" is the module itself."""
    return module if engine == "eager" else torch.compile(module, **ENGINES[engine][frozen])


def inference(work: Work, engine: str, *, frozen: bool) -> Callable[[], Arrays]:
    """Return what runs a model once and returns its outputs."""
    call = compiled(work.make(), engine, frozen=frozen)

    def run() -> Arrays:
        with torch.no_grad():
            found = call(*work.inputs)
        return {str(place): tensor.numpy() for place, tensor in enumerate(_tensors(found))}

    return run


@dataclass(frozen=True)
class Training:
    """A model that is trained, on one engine.

    Attributes:
        module: Whose parameters follow the gradients.
        call: The module as the engine runs it.
        inputs: Its positional arguments.
        optimizer: Plain gradient descent.
    """

    module: nn.Module
    call: Callable[..., Any]
    inputs: tuple[torch.Tensor, ...]
    optimizer: torch.optim.Optimizer

    @classmethod
    def of(cls, work: Work, engine: str) -> Training:
        """Make one."""
        module = copy.deepcopy(work.make()).train()
        optimizer = torch.optim.SGD(module.parameters(), lr=RATE)
        return cls(module, compiled(module, engine), work.inputs, optimizer)

    def step(self) -> torch.Tensor:
        """Compute a loss, its gradients, and new parameters."""
        self.optimizer.zero_grad(set_to_none=True)
        loss = torch.stack([_loss(x) for x in _tensors(self.call(*self.inputs))]).sum()
        torch.autograd.backward(loss)
        self.optimizer.step()
        return loss.detach()

    def results(self) -> Arrays:
        """Return the outputs in training, before a step.

        Gradients are compared by the tests of the backend, on networks where rounding does not
        decide them: those of ResNet-18 differ by 6 % between eager and inductor, by 3 % between
        eager and tvmfuse.
        """
        outputs = _tensors(self.call(*self.inputs))
        self.step()
        return {str(place): tensor.detach().numpy() for place, tensor in enumerate(outputs)}


def _loss(x: torch.Tensor) -> torch.Tensor:
    """Return a mean whose weights differ: the mean square of what a norm makes has no gradient."""
    return (x * torch.linspace(-1, 1, x.numel()).view_as(x)).mean()


def _tensors(found: Any) -> tuple[torch.Tensor, ...]:
    return (found,) if isinstance(found, torch.Tensor) else tuple(found)
