"""`torch.compile(model, backend="tvmfuse")` against eager."""

import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from transformers import BertConfig, BertModel

from tvmfuse.errors import ConfigurationError
from tvmfuse.torch_backend import backend
from tvmfuse.torch_backend.compiled_graph import CompiledGraph
from tvmfuse.torch_backend.kept_graph import compiled_or_kept

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.fixture
def graphs(monkeypatch: pytest.MonkeyPatch) -> list[CompiledGraph]:
    """The graphs that are compiled in a test."""
    made: list[CompiledGraph] = []

    def kept(*arguments: Any, **options: Any) -> CompiledGraph:
        made.append(compiled_or_kept(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(backend, "compiled_or_kept", kept)
    return made


def compiled(model: Any, **options: Any) -> Callable[..., Any]:
    made: Callable[..., Any] = torch.compile(
        model, backend=backend.tvmfuse_backend, options=options
    )
    return made


def cnn() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(),
        nn.Conv2d(8, 12, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(108, 5),
    )  # fmt: skip


class Transformer(nn.Module):
    """A layer with attention, its norms before."""

    def __init__(self, width: int = 16, heads: int = 2, dropout: float = 0.0) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.heads, self.dropout = heads, dropout
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 2 * width), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * width, width)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in self.qkv(self.norms[0](x)).chunk(3, -1)
        )
        seen = nn.functional.scaled_dot_product_attention(q, k, v)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        result: torch.Tensor = x + self.mlp(self.norms[1](x))
        return result


def trained(
    model: nn.Module,
    call: Callable[..., torch.Tensor],
    x: torch.Tensor,
    optimizer: Callable[..., torch.optim.Optimizer],
    steps: int = 20,
) -> dict[str, torch.Tensor]:
    """Train for some steps, and return the parameters and buffers."""
    steps_of = optimizer(model.parameters())
    torch.manual_seed(1)
    for _ in range(steps):
        steps_of.zero_grad()
        (call(x) ** 2).mean().backward()  # type: ignore[no-untyped-call]
        steps_of.step()
    return model.state_dict()


OPTIMIZERS = {
    "sgd": lambda parameters: torch.optim.SGD(parameters, lr=0.05, momentum=0.9),
    # Its steps do not depend on a gradient's scale: what is 0 but for rounding would be a step.
    "adam": lambda parameters: torch.optim.Adam(parameters, lr=0.01, eps=1e-3),
}


@pytest.mark.parametrize(
    ("network", "shape"), [(cnn, (2, 3, 8, 8)), (Transformer, (2, 5, 16))], ids=["cnn", "layer"]
)
@pytest.mark.sampled(3)
def test_training_follows_eager(network: Callable[[], nn.Module], shape: tuple[int, ...]) -> None:
    x = torch.randn(shape, generator=torch.Generator().manual_seed(2))
    ours, theirs = network(), network()
    call = compiled(ours)
    for optimizer in OPTIMIZERS.values():
        found, wanted = trained(ours, call, x, optimizer), trained(theirs, theirs, x, optimizer)
        for name in wanted:
            torch.testing.assert_close(found[name], wanted[name], rtol=0, atol=1e-5)


def test_inference(graphs: list[CompiledGraph]) -> None:
    """One group each, and the next weights are taken as they are."""
    for network, shape in ((cnn(), (2, 3, 8, 8)), (Transformer(), (2, 5, 16))):
        network.eval()
        call, x = compiled(network), torch.randn(shape)
        with torch.no_grad():
            for _ in range(2):
                torch.testing.assert_close(call(x), network(x))
                for parameter in network.parameters():
                    parameter.data.mul_(0.9)
    assert [len(graph.groups) for graph in graphs] == [1, 1]
    assert [graph.eager for graph in graphs] == [(), ()]


def test_frozen_parameters_are_constants(graphs: list[CompiledGraph]) -> None:
    """Another module that looks alike has its own, though Dynamo runs the first one's graph."""
    networks = [cnn().eval() for _ in range(2)]
    networks[1].load_state_dict({k: v + 1 for k, v in networks[1].state_dict().items()})
    x = torch.randn(2, 3, 8, 8)
    calls = [compiled(network, freeze=True) for network in networks]
    with torch.no_grad():
        for network, call in zip([*networks, *networks], [*calls, *calls], strict=True):
            torch.testing.assert_close(call(x), network(x))
    assert len(graphs) == 2
    for graph in graphs:
        assert [len(group.compiled.artifact.manifest.inputs) for group in graph.groups] == [1]


def test_dropout_is_that_of_eager(graphs: list[CompiledGraph]) -> None:
    """Drawn by torch: from one seed, the same in both."""
    ours, theirs = Transformer(dropout=0.3), Transformer(dropout=0.3)
    x = torch.randn(2, 5, 16)
    found = trained(ours, compiled(ours), x, OPTIMIZERS["sgd"], steps=3)
    wanted = trained(theirs, theirs, x, OPTIMIZERS["sgd"], steps=3)
    for name in wanted:
        torch.testing.assert_close(found[name], wanted[name], rtol=0, atol=1e-5)
    assert "aten.native_dropout.default" in {node.operator for node in graphs[0].eager}


def test_ten_sizes_take_two_compilations(graphs: list[CompiledGraph]) -> None:
    network = Transformer().eval()
    call = compiled(network)
    with torch.no_grad():
        for batch, length in zip(range(2, 12), range(13, 3, -1), strict=True):
            x = torch.randn(batch, length, 16)
            torch.testing.assert_close(call(x), network(x))
    assert len(graphs) <= 2
    assert not any(graph.eager for graph in graphs)


@pytest.mark.long
def test_ten_sizes_of_bert_take_two_compilations(graphs: list[CompiledGraph]) -> None:
    """With a mask, whose sizes are arithmetic of the others, and nothing symbolic in eager."""
    config = BertConfig(
        vocab_size=97, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=64,
    )  # fmt: skip
    torch.manual_seed(0)
    network: torch.nn.Module = BertModel(config)
    network.eval()
    call = compiled(network)
    with torch.no_grad():
        for batch, length in zip(range(2, 12), range(13, 3, -1), strict=True):
            words, mask = torch.randint(97, (batch, length)), torch.ones(batch, length).long()
            mask[0, length // 2 :] = 0
            found, wanted = (f(words, mask).last_hidden_state for f in (call, network))
            torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)
    assert len(graphs) == 2
    assert not any(graph.eager for graph in graphs)


def test_the_line_of_a_node_in_eager(graphs: list[CompiledGraph]) -> None:
    compiled(lambda x: torch.linalg.det(x + 1) * 2)(torch.randn(3, 3))
    (node,) = graphs[0].eager
    assert node.where.startswith(__file__)


def test_constants_and_integers(graphs: list[CompiledGraph]) -> None:
    def function(x: torch.Tensor, times: int) -> tuple[torch.Tensor, int]:
        return x * times + torch.tensor([1.0, 2.0, 3.0]), times + 1

    call = compiled(function)
    for times in (2, 3, 4):
        found, more = call(torch.ones(2, 3), times)
        torch.testing.assert_close(found, function(torch.ones(2, 3), times)[0])
        assert more == times + 1


def test_aliases_and_writes_are_those_of_eager() -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x.add_(1)
        z = y * x
        return x.view(-1), z, z.t(), y

    call = compiled(function)
    x, y = torch.ones(2, 3), torch.full((2, 3), 2.0)
    flat, z, turned, same = call(x, y)
    assert x.tolist() == [[2] * 3] * 2
    assert same is y
    assert flat.data_ptr() == x.data_ptr()
    assert turned.data_ptr() == z.data_ptr()
    assert turned.stride() == (1, 3)
    torch.testing.assert_close(z, torch.full((2, 3), 4.0))


def negated(x: torch.Tensor) -> torch.Tensor:
    """Return the same numbers in rows, of the other sign in memory."""
    found = torch._neg_view(-x)
    assert found.is_neg()
    return found


@pytest.mark.parametrize("training", [False, True])
def test_numbers_of_another_sign_than_those_in_memory(training: bool) -> None:
    class Scaled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.randn(2, 3))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return (x * self.weight).exp()

    model = Scaled()
    call, x, gradient = compiled(model), torch.randn(2, 3), torch.randn(2, 3)
    weight = model.weight.detach().clone()
    for of_x, of_weight, of_gradient in ("   ", "-  ", " - ", "  -", "   "):
        model.weight.data = negated(weight) if of_weight == "-" else weight
        given = negated(x) if of_x == "-" else x
        with torch.set_grad_enabled(training):
            found = call(given)
            torch.testing.assert_close(found, (x * weight).exp())
        if training:
            model.weight.grad = None
            found.backward(negated(gradient) if of_gradient == "-" else gradient)
            torch.testing.assert_close(model.weight.grad, gradient * (x * weight).exp() * x)


def test_options() -> None:
    x = torch.randn(3, 4)
    call = compiled(
        lambda x: x * 2 + 1, level="none", num_threads=1, disabled_pass=["ConvBNFusion"]
    )
    torch.testing.assert_close(call(x), x * 2 + 1)


@torch.inference_mode()
def test_a_precision_follows_parameters_that_change() -> None:
    layer, x = nn.Linear(64, 96), torch.randn(13, 64)
    call = compiled(layer, precision="bf16")
    for factor in (1, 3):
        layer.weight.mul_(factor)
        expected = layer(x)
        torch.testing.assert_close(
            call(x), expected, rtol=0, atol=2e-2 * expected.abs().max().item()
        )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"levle": "all"}, "did you mean level"),
        ({"level": "most"}, "most"),
        ({"disabled_pass": ["ConvBNFuson"]}, "did you mean ConvBNFusion"),
        ({"freeze": 1}, "freeze: expected True or False, found 1"),
        ({"num_threads": 0}, "expected 1 or more"),
        ({"precision": "int4"}, "precision: expected one of f32, bf16, f16, found 'int4'"),
    ],
)
def test_options_that_there_are_not(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        backend.tvmfuse_backend(torch.fx.GraphModule({}, torch.fx.Graph()), [], options=options)


def test_torch_finds_the_backend_by_its_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    said = project["entry-points"]["torch_dynamo_backends"]
    assert list(said) == ["tvmfuse"]
    point = EntryPoint("tvmfuse", said["tvmfuse"], "torch_dynamo_backends")
    assert point.load() is backend.tvmfuse_backend
