"""Networks of torch alone: recurrent ones, U-Nets, volumes, graphs, vocoders, tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import torch
from architectures.example import Example, Sizes, numbers, tokens
from torch import Tensor, nn

from bench.networks.modules import UNet


class LanguageModel(nn.Module):
    """Tokens, two bidirectional recurrent layers, and what comes next."""

    def __init__(self, kind: Callable[..., nn.Module]) -> None:
        super().__init__()
        self.embedding = nn.Embedding(97, 16)
        self.layers = kind(16, 24, num_layers=2, bidirectional=True, batch_first=True)
        self.head = nn.Linear(48, 97)

    def forward(self, ids: Tensor) -> Tensor:
        found: Tensor = self.head(self.layers(self.embedding(ids))[0])
        return found


class Graph(nn.Module):
    """Two layers of messages along the edges of a graph, summed where they arrive."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 16), nn.Linear(16, 4)

    @staticmethod
    def _passed(x: Tensor, edges: Tensor) -> Tensor:
        return torch.zeros_like(x).index_add(0, edges[1], x[edges[0]])

    def forward(self, nodes: Tensor, edges: Tensor) -> Tensor:
        return self._passed(self.second(self._passed(self.first(nodes), edges).relu()), edges)


class Windows(nn.Module):
    """Attention within windows of an image of any size, as Swin has it."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 16, 4, stride=4)
        self.attention = nn.MultiheadAttention(16, 4, batch_first=True)

    def forward(self, image: Tensor) -> Tensor:
        x: Tensor = self.patches(image).permute(0, 2, 3, 1)
        batch, height, width, _ = x.shape
        x = x.reshape(batch, height // 4, 4, width // 4, 4, 16).transpose(2, 3)
        x = x.reshape(-1, 16, 16)
        x = self.attention(x, x, x, need_weights=False)[0]
        x = x.reshape(batch, height // 4, width // 4, 4, 4, 16).transpose(2, 3)
        return x.reshape(batch, height, width, 16)


def volume() -> nn.Module:
    """Return a network for volumes."""
    return nn.Sequential(
        nn.Conv3d(2, 8, 3, padding=1), nn.BatchNorm3d(8), nn.ReLU(), nn.MaxPool3d(2),
        nn.Conv3d(8, 16, 3, stride=2, padding=1), nn.InstanceNorm3d(16, affine=True), nn.GELU(),
        nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(16, 5), nn.Softmax(-1),
    )  # fmt: skip


def vocoder() -> nn.Module:
    """Return a network that makes samples of spectra."""
    return nn.Sequential(
        nn.Conv1d(20, 32, 7, padding=3), nn.LeakyReLU(0.1), nn.ConvTranspose1d(32, 16, 16, 8, 4),
        nn.LeakyReLU(0.1), nn.Conv1d(16, 16, 3, dilation=3, padding=3), nn.LeakyReLU(0.1),
        nn.ConvTranspose1d(16, 8, 4, 2, 1), nn.LeakyReLU(0.1), nn.Conv1d(8, 1, 7, padding=3),
        nn.Tanh(),
    )  # fmt: skip


def table() -> nn.Module:
    """Return a network for rows of a table."""
    return nn.Sequential(
        nn.BatchNorm1d(12), nn.Linear(12, 32), nn.SELU(), nn.Linear(32, 32), nn.Hardswish(),
        nn.LayerNorm(32), nn.Linear(32, 3), nn.LogSoftmax(-1),
    )  # fmt: skip


def _ids(sizes: Sizes) -> dict[str, Tensor]:
    return {"ids": tokens(sizes["batch"], sizes["length"])}


def _shaped(*shape: int | str) -> partial[dict[str, Tensor]]:
    return partial(_filled, shape)


def _filled(shape: tuple[int | str, ...], sizes: Sizes) -> dict[str, Tensor]:
    return {"x": numbers(*(sizes[n] if isinstance(n, str) else n for n in shape))}


def _graph(sizes: Sizes) -> dict[str, Tensor]:
    edges = tokens(2, sizes["edges"], below=3 + sizes["nodes"]) - 3
    return {"nodes": numbers(sizes["nodes"], 8), "edges": edges}


def modules() -> Iterator[tuple[str, Example]]:
    """Yield each network."""
    texts = [{"batch": b, "length": n} for b, n in ((2, 8), (1, 1), (3, 17))]
    for kind in (nn.LSTM, nn.GRU, nn.RNN):
        name = f"{kind.__name__.lower()}-language-model"
        network = partial(LanguageModel, kind)
        yield name, Example(network, _ids, {"ids": {0: "batch", 1: "length"}}, texts)
    images = [
        {"batch": b, "height": h, "width": w} for b, h, w in ((2, 32, 32), (1, 64, 48), (3, 48, 80))
    ]
    image = _shaped("batch", 3, "height", "width")
    axes = {"x": {0: "batch", 2: "height", 3: "width"}}
    yield "u-net", Example(UNet, image, axes, images)
    yield "windows", Example(Windows, image, axes, images)
    batches = [{"batch": batch} for batch in (2, 1, 5)]
    yield "volume", Example(volume, _shaped("batch", 2, 8, 12, 10), {"x": {0: "batch"}}, batches)
    yield "table", Example(table, _shaped("batch", 12), {"x": {0: "batch"}}, batches)
    spectra = [{"batch": b, "frames": n} for b, n in ((2, 9), (1, 1), (3, 30))]
    axes = {"x": {0: "batch", 2: "frames"}}
    yield "vocoder", Example(vocoder, _shaped("batch", 20, "frames"), axes, spectra)
    graphs = [{"nodes": n, "edges": e} for n, e in ((7, 12), (1, 1), (20, 55))]
    axes = {"nodes": {0: "nodes"}, "edges": {1: "edges"}}
    yield "graph", Example(Graph, _graph, axes, graphs)
