"""Programs are taken apart one operator at a time, as torch takes them apart as a whole."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn
from torch.export import Dim, ExportedProgram
from torch.export.graph_signature import InputKind
from torch.fx import Graph, GraphModule, Interpreter
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional
from torch.utils import _pytree as pytree
from torch_modules import Calls

from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.torch import taken_apart as taking
from tvmfuse.frontend.torch.convert.table import CONVERTED
from tvmfuse.frontend.torch.importer import import_program
from tvmfuse.frontend.torch.taken_apart import taken_apart


class Block(nn.Module):
    """What networks have again and again."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(4, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.linear, self.rows = nn.Linear(6, 6), nn.LayerNorm(6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + functional.silu(self.norm(self.conv(x)))
        queries = self.rows(self.linear(x))
        return x + functional.scaled_dot_product_attention(queries, x, x)


def exported(module: Any, *inputs: torch.Tensor, **options: Any) -> ExportedProgram:
    module = (module if isinstance(module, nn.Module) else Calls(module)).eval()
    with torch.no_grad():
        program: ExportedProgram = torch.export.export(module, inputs, strict=False, **options)
    return program


def results(program: ExportedProgram, graph: Graph, *inputs: torch.Tensor) -> list[torch.Tensor]:
    """Run a graph, operator by operator."""
    held, given = {**program.constants, **program.state_dict}, iter(inputs)
    fed = [
        next(given) if spec.kind is InputKind.USER_INPUT else held[str(spec.target)]
        for spec in program.graph_signature.input_specs
    ]
    with torch.no_grad():
        found = Interpreter(GraphModule(nn.Module(), graph)).run(*fed)
    return pytree.tree_leaves(found)


def assert_same(module: Any, *inputs: torch.Tensor, others: Any = (), **options: Any) -> Graph:
    """Take a module apart one operator at a time; its numbers stay."""
    program = exported(module, *inputs, **options)
    core, graph = taken_apart(program, CONVERTED)
    assert core is program, "it was traced as a whole"
    run = program.module()
    for given in (inputs, *others):
        wanted = pytree.tree_leaves(run(*given))
        torch.testing.assert_close(results(program, graph, *given), wanted)
    return graph


def names(graph: Graph) -> set[str]:
    return {str(node.target) for node in graph.nodes if node.op == "call_function"}


def test_what_comes_again_is_traced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    traced = list[Any]()

    def tracing(function: Any, **how: Any) -> Any:
        traced.append(function)
        return make_fx(function, **how)

    monkeypatch.setattr(taking, "make_fx", tracing)
    counts = []
    for blocks in (1, 8):
        traced.clear()
        network = nn.Sequential(*(Block() for _ in range(blocks))).double()
        graph = assert_same(network, torch.randn(2, 4, 6, 6, dtype=torch.float64))
        counts.append(len(traced))
    assert counts[0] == counts[1] > 4
    assert names(graph) - {"<built-in function getitem>"} <= set(CONVERTED)


def test_sizes_stay_symbolic() -> None:
    batch, length = Dim("batch", min=1, max=64), Dim("length", min=2, max=64)
    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    layer.self_attn.batch_first = False  # no fused layer, which one operator would be
    inputs, others = torch.randn(3, 7, 16), [(torch.randn(5, 13, 16),), (torch.randn(1, 2, 16),)]
    assert_same(layer, inputs, others=others, dynamic_shapes=({0: batch, 1: length},))


def test_one_tensor_twice_is_not_two_tensors() -> None:
    def similarities(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        similar = functional.cosine_similarity
        return similar(x, x), similar(x, y), similar(y, x), similar(y, y)

    assert_same(similarities, torch.randn(3, 8), torch.randn(3, 8))


def test_numbers_of_other_values_or_types_are_others() -> None:
    def scaled(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        norm = functional.layer_norm
        leaky = functional.rrelu
        return norm(x, [8], eps=1e-5), norm(x, [8], eps=0.5), leaky(x, 0.0, 1.0), leaky(x, 1, 1)

    assert_same(scaled, torch.randn(3, 8))


def test_types_and_strides_are_others() -> None:
    def softened(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(functional.log_softmax(y, -1) for y in (x, x.double(), x.t(), x.half()))

    assert_same(softened, torch.randn(4, 4))


def test_inputs_and_names_stay() -> None:
    class Named(nn.Module):
        def forward(self, input: torch.Tensor) -> torch.Tensor:  # noqa: A002
            return functional.dropout(input, training=self.training)

    graph = assert_same(Named(), torch.randn(3))
    assert [node.name for node in graph.find_nodes(op="placeholder")] == ["input"]
    assert names(graph) <= {"aten.clone.default"}


def test_layers_that_are_converted_stay_whole() -> None:
    graph = assert_same(nn.LSTM(4, 6), torch.randn(5, 2, 4))
    assert "aten.lstm.input" in names(graph)
    graph = assert_same(nn.LSTM(4, 6, proj_size=3), torch.randn(5, 2, 4))
    assert "aten.lstm.input" not in names(graph)


def test_what_is_detached_is_the_same() -> None:
    table = torch.arange(6.0)
    assert_same(lambda x: x + torch.tensor([1.0, 2.0]) * table[:2], torch.randn(3, 2))


def written(x: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    y[1].mul_(2)
    return functional.layer_norm(y, [4])


def branching(x: torch.Tensor) -> Any:
    return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))


def checked(x: torch.Tensor) -> Any:
    return torch.linalg.inv(x[:, :3] + 5 * torch.eye(3))


def fed_sizes(x: torch.Tensor) -> torch.Tensor:
    return torch.nonzero(x).float().softmax(0)


@pytest.mark.parametrize("function", [written, branching, checked, fed_sizes])
def test_what_is_no_pure_function_of_sizes_is_traced_as_a_whole(function: Any) -> None:
    program, x = exported(function, torch.randn(3, 4)), torch.randn(3, 4)
    core, graph = taken_apart(program, CONVERTED)
    assert core is not program
    assert graph is core.graph
    torch.testing.assert_close(core.module()(x), function(x))


@pytest.mark.parametrize("function", [functional.batch_norm, torch.native_batch_norm])
def test_what_writes_though_its_schema_says_nothing_of_it(function: Any) -> None:
    """Else running statistics were left as they are, and nobody was told."""

    class Norm(nn.BatchNorm1d):
        def forward(self, x: torch.Tensor) -> Any:
            mean, var = self.running_mean, self.running_var
            if function is functional.batch_norm:
                return function(x, mean, var, training=True)
            return function(x, None, None, mean, var, True, 0.1, 1e-5)

    program = exported(Norm(4), torch.randn(3, 4))
    assert taken_apart(program, CONVERTED)[0] is not program
    with pytest.raises(UnsupportedModelError, match="writes to 'running_mean', 'running_var'"):
        import_program(program)
