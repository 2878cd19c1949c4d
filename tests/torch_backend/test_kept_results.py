"""What a forward graph keeps: a value that a user sees, too, is kept as it is, and not copied."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch_backend.traced import traced

from tvmfuse.torch_backend.compile_graph import compile_graph
from tvmfuse.torch_backend.compiled_graph import CompiledGraph
from tvmfuse.torch_backend.kept_results import keep_values_themselves
from tvmfuse.torch_backend.options import Options

X = torch.randn(3, 8, generator=torch.Generator().manual_seed(0))

#: What training keeps beside the result, and whether that is the result itself.
KEPT: dict[str, tuple[Callable[[Tensor], tuple[Tensor, ...]], bool]] = {
    "detached": (lambda x: (lambda y: (y, y.detach()))(x.tanh()), True),
    "detached twice": (lambda x: (lambda y: (y, y.detach().detach()))(x.tanh()), True),
    "an alias": (lambda x: (lambda y: (y, torch.ops.aten.alias(y)))(x.tanh()), True),
    "another value": (lambda x: (lambda y: (y * 2, y.detach()))(x.tanh()), False),
    "a view of another shape": (lambda x: (lambda y: (y, y.view(-1)))(x.tanh()), False),
}


def made(function: Callable[[Tensor], tuple[Tensor, ...]], visible: int | None) -> CompiledGraph:
    settings = Options.of({"cache": False}).settings()
    return compile_graph(traced(function, X), settings, visible=visible)


@pytest.mark.parametrize("kind", KEPT)
def test_a_value_is_kept_as_it_is(kind: str) -> None:
    function, is_result = KEPT[kind]
    graph = made(function, 1)
    for _ in range(2):
        result, kept = graph.call([X])
        assert (result is kept) == is_result
        for found, wanted in zip((result, kept), function(X), strict=True):
            torch.testing.assert_close(found, wanted)


def test_results_that_a_user_sees_are_tensors_of_their_own() -> None:
    result, seen = made(KEPT["detached"][0], None).call([X])
    assert result is not seen
    assert result.data_ptr() == seen.data_ptr()


def test_it_is_idempotent_and_says_nothing_of_the_first_results() -> None:
    graph = traced(KEPT["detached"][0], X).graph
    for visible, there in ((2, 1), (2, 1), (1, 0), (1, 0)):
        keep_values_themselves(graph, visible)
        graph.lint()
        found = graph.find_nodes(op="call_function", target=torch.ops.aten.detach.default)
        assert len(found) == there


def test_who_writes_to_a_kept_result_is_told_so_as_in_eager() -> None:
    def step(call: Callable[[Tensor], Tensor]) -> None:
        result = call(X.clone().requires_grad_())
        result.mul_(2)
        torch.autograd.backward(result.sum())

    for call in (torch.tanh, torch.compile(torch.tanh, backend="tvmfuse", fullgraph=True)):
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            step(call)
