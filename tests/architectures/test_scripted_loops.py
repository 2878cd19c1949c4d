"""Loops as torch's classic exporter writes those of TorchScript: counts, conditions and lists."""

from pathlib import Path

import onnx
import pytest
import torch
from architectures.example import Example, numbers
from architectures.exporting import exported
from architectures.test_architectures import agreement
from torch import Tensor, nn

import tvmfuse


class Steps(nn.Module):
    """A cell over a sequence of any length, a list of what it made, and halving until it is small."""

    def __init__(self) -> None:
        super().__init__()
        self.given, self.kept, self.head = nn.Linear(6, 12), nn.Linear(12, 12), nn.Linear(12, 3)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        h = torch.zeros(x.size(1), 12)
        made: list[Tensor] = []
        for t in range(x.size(0)):
            h = torch.tanh(self.given(x[t]) + self.kept(h))
            made.append(self.head(h))
        small = h
        while bool(small.abs().sum() > 1.0):
            small = small / 2
        return torch.stack(made), h, small


class Greedy(nn.Module):
    """Tokens one after the other, each behind those before, until there are as many as asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.head = nn.Embedding(50, 16), nn.Linear(16, 50)

    def forward(self, tokens: Tensor, wanted: Tensor) -> Tensor:
        while tokens.size(1) < int(wanted):
            seen = self.embedding(tokens).cumsum(1)
            following = self.head(torch.tanh(seen[:, -1])).argmax(-1, keepdim=True)
            tokens = torch.cat([tokens, following], 1)
        return tokens


EXAMPLES = {
    "steps": Example(
        lambda: torch.jit.script(Steps()),
        lambda sizes: {"x": numbers(sizes["length"], sizes["batch"], 6)},
        {"x": {0: "length", 1: "batch"}},
        [{"length": n, "batch": b} for n, b in ((5, 2), (1, 1), (30, 3))],
    ),
    "greedy": Example(
        lambda: torch.jit.script(Greedy()),
        lambda sizes: {
            "tokens": torch.arange(2 * sizes["given"]).reshape(2, -1) % 50,
            "wanted": torch.tensor(sizes["wanted"]),
        },
        {"tokens": {0: "batch", 1: "length"}},
        [{"given": n, "wanted": w} for n, w in ((3, 8), (1, 20), (5, 4))],
    ),
}


@pytest.mark.architectures
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_scripted_loop(name: str, tmp_path: Path) -> None:
    exported(EXAMPLES[name], "classic", tmp_path / "network.onnx", symbolic=True)
    model = onnx.load(tmp_path / "network.onnx")
    assert "Loop" in {node.op_type for node in model.graph.node}
    agreement(EXAMPLES[name], model, tvmfuse.compile(model, strict=True).load(), symbolic=True)
