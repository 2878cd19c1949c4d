"""20 steps of training through `torch.compile`: they follow eager, and nothing stays in eager."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from tvmfuse.torch_backend import backend
from tvmfuse.torch_backend.compile_graph import compile_graph

STEPS: Final = 20

OPTIMIZERS: Final[dict[str, Callable[..., torch.optim.Optimizer]]] = {
    "sgd": lambda p: torch.optim.SGD(p, lr=1e-2),
    "adam": lambda p: torch.optim.Adam(p, lr=1e-3, eps=1e-3),
    "fused adam": lambda p: torch.optim.Adam(p, lr=1e-3, eps=1e-3, fused=True),
}


class Transformer(nn.Module):
    """Tokens, two layers of attention, and what comes next."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(50, 32), nn.Parameter(torch.randn(1, 10, 32))
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout, "gelu", batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(32, 50)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.head(self.layers(self.tokens(x) + self.places))
        return found


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    torch.manual_seed(0)
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.fixture
def in_eager(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The operators that stay in eager, of each graph that is compiled in a test."""
    found: dict[str, list[str]] = {}

    def kept(*arguments: Any, **options: Any) -> Any:
        made = compile_graph(*arguments, **options)
        found[f"graph {len(found)}"] = [node.operator for node in made.eager]
        return made

    monkeypatch.setattr(backend, "compile_graph", kept)
    return found


def compiled(model: nn.Module) -> Callable[..., Any]:
    made: Callable[..., Any] = torch.compile(
        model, backend=backend.tvmfuse_backend, fullgraph=True, options={"num_threads": 1}
    )
    return made


def tokens() -> tuple[Tensor, Tensor]:
    given = torch.randint(50, (2, 10))
    return given, given.roll(1, 1)


def losses(
    call: Callable[..., Tensor], optimizer: torch.optim.Optimizer, batch: tuple[Tensor, Tensor]
) -> list[float]:
    given, wanted = batch
    found = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = functional.cross_entropy(call(given).movedim(-1, 1), wanted)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        found.append(float(loss.detach()))
    return found


def test_steps_of_a_transformer_follow_eager(in_eager: dict[str, list[str]]) -> None:
    first, batch = Transformer().train(), tokens()
    model = copy.deepcopy(first)
    call, fresh = compiled(model), copy.deepcopy(first.state_dict())
    for optimizer in OPTIMIZERS.values():
        theirs = copy.deepcopy(first)
        model.load_state_dict(fresh)
        wanted = losses(theirs, optimizer(theirs.parameters()), batch)
        found = losses(call, optimizer(model.parameters()), batch)
        assert wanted[-1] < wanted[0]
        assert found == pytest.approx(wanted, rel=1e-5)
        for (key, one), other in zip(
            model.state_dict().items(), theirs.state_dict().values(), strict=True
        ):
            scale = max(float(other.abs().max()), 0.1)
            assert float((one - other).abs().max()) < 1e-5 * scale, key
    assert in_eager == {"graph 0": [], "graph 1": []}


def test_dropout_stays_in_eager(in_eager: dict[str, list[str]]) -> None:
    model = Transformer(dropout=0.2).train()
    found = losses(compiled(model), OPTIMIZERS["sgd"](model.parameters()), tokens())
    assert len(set(found)) == STEPS
    assert set(in_eager["graph 0"]) == {"aten.native_dropout.default"}
    assert in_eager["graph 1"] == []
