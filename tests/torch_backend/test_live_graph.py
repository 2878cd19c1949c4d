"""Weights under torch.compile: constants for the passes, and fresh whatever writes to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn
from torch_writes import IMAGE, WAYS, network, small_network

from tvmfuse.torch_backend import backend, refresh
from tvmfuse.torch_backend.live_graph import LiveGraph
from tvmfuse.torch_backend.watched_memory import calls_until_all_is_read


class Ends(nn.Module):
    """A network, and an operator that stays in eager and reads a weight."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.order = network(), nn.Parameter(torch.linspace(0, 2, 24))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.inner(x) + torch.special.i1(self.order)
        return found


class Small:
    """A graph that is one small group, and how many of its calls were looked at closely."""

    def __init__(self) -> None:
        self.module = small_network()
        self.call = torch.compile(self.module, backend=backend.tvmfuse_backend)
        self.careful = 0

    def is_quick(self) -> bool:
        """Whether the next call is a quick one; it and those before have to be right."""
        assert_fresh(self.module, self.call)
        assert_fresh(self.module, self.call)
        before = self.careful
        assert_fresh(self.module, self.call)
        return self.careful == before


Compiled = tuple[Ends, Callable[..., Any], list[int]]


@pytest.fixture(scope="module")
def compiled() -> Iterator[Compiled]:
    """Yield a module, what was compiled of it, and how many of its graphs were."""
    torch._dynamo.reset()
    counts: list[int] = []
    follow = LiveGraph._compile

    def counted(self: LiveGraph, tensors: Any) -> Any:
        counts.append(len(tensors))
        return follow(self, tensors)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LiveGraph, "_compile", counted)
        module = Ends().eval()
        yield module, torch.compile(module, backend=backend.tvmfuse_backend), counts
    torch._dynamo.reset()


@pytest.fixture(scope="module")
def small() -> Iterator[Small]:
    torch._dynamo.reset()
    made, carefully = Small(), LiveGraph._carefully

    def counted(self: LiveGraph, arguments: list[Any]) -> Any:
        made.careful += 1
        return carefully(self, arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LiveGraph, "_carefully", counted)
        yield made


def assert_fresh(module: nn.Module, call: Callable[..., Any]) -> None:
    with torch.no_grad():
        torch.testing.assert_close(call(IMAGE), module(IMAGE), rtol=1e-3, atol=1e-3, equal_nan=True)


@pytest.mark.parametrize("way", WAYS)
def test_what_was_written_computes(compiled: Compiled, way: str) -> None:
    module, call, _ = compiled
    torch.manual_seed(1)
    for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
        if tensor.is_floating_point():
            new = torch.rand_like if "running" in name or name == "order" else torch.randn_like
            tensor.data = new(tensor) / 3 + 0.1
    assert_fresh(module, call)
    WAYS[way](module)
    assert_fresh(module, call)


@pytest.mark.parametrize("way", WAYS)
def test_what_was_written_computes_in_quick_calls(small: Small, way: str) -> None:
    torch.manual_seed(1)
    for name, tensor in [*small.module.named_parameters(), *small.module.named_buffers()]:
        if tensor.is_floating_point():
            new = torch.rand_like if "running" in name else torch.randn_like
            tensor.data = new(tensor) / 3 + 0.1
    assert small.is_quick()
    WAYS[way](small.module)
    assert small.is_quick()


def test_a_write_that_quick_calls_see_without_being_told(small: Small) -> None:
    """A weight that is packed, by its version; one that is not, as it is read where it lies."""
    shift = small.module.get_parameter("4.shift")
    shift.data = torch.rand(16)
    assert small.is_quick()
    before = small.careful
    shift.data.add_(1)
    assert_fresh(small.module, small.call)
    assert small.careful == before
    with torch.no_grad():
        small.module.get_parameter("5.weight").add_(1)
    assert_fresh(small.module, small.call)
    assert small.careful == before + 1


def test_quick_calls_of_modules_that_look_alike(small: Small) -> None:
    blocks = [nn.Linear(8, 8) for _ in range(3)]
    x = torch.linspace(-1, 1, 32).view(4, 8)
    call = torch.compile(lambda block, x: block(x), backend=backend.tvmfuse_backend)
    with torch.no_grad():
        for block in (*blocks, *blocks, blocks[0], blocks[0], blocks[1], blocks[1]):
            torch.testing.assert_close(call(block, x), block(x))


def test_a_weight_that_is_written_to_compiles_nothing(compiled: Compiled) -> None:
    module, call, counts = compiled
    assert_fresh(module, call)
    before = len(counts)
    module.order.data = torch.rand(24)
    with torch.no_grad():
        module.get_parameter("inner.0.bias").add_(1)
    assert_fresh(module, call)
    module.get_parameter("inner.7.weight").detach().numpy()[0, 0] += 1
    refresh(module)
    assert_fresh(module, call)
    assert len(counts) == before


class Tied(nn.Module):
    """A table of words that is read by rows, and multiplied by, packed."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.inner = nn.Embedding(24, 16), nn.Linear(16, 16)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        inner: torch.Tensor = self.inner(self.table(words))
        return inner @ self.table.weight.t()


def a_row(module: Tied) -> None:
    module.inner.weight.data[3] = 0


def a_mask(module: Tied) -> None:
    module.inner.weight.data.mul_(torch.arange(256).view(16, 16) % 3 > 0)


def a_tied_row(module: Tied) -> None:
    module.table.weight.data[5] = 2


def a_number(module: Tied) -> None:
    module.inner.bias.detach().numpy()[7] += 1


@pytest.mark.parametrize("write", [a_row, a_mask, a_tied_row, a_number])
def test_writes_to_a_part_are_seen_by_the_next_call(write: Callable[[Tied], None]) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    module, words = Tied().eval(), torch.arange(8).view(2, 4)
    call = torch.compile(module, backend=backend.tvmfuse_backend)
    with torch.no_grad():
        for _ in range(3):
            torch.testing.assert_close(call(words), module(words))
        write(module)
        for _ in range(2):
            torch.testing.assert_close(call(words), module(words))


def test_a_row_of_many_is_seen_after_as_many_calls_as_are_said() -> None:
    torch._dynamo.reset()
    module, x = nn.Linear(512, 300).eval(), torch.linspace(-1, 1, 1024).view(2, 512)
    call = torch.compile(module, backend=backend.tvmfuse_backend)
    with torch.no_grad():
        torch.testing.assert_close(call(x), module(x), rtol=1e-4, atol=1e-5)
        for row in (0, 131, 299):
            module.weight.data[row] = 1
            for _ in range(calls_until_all_is_read([module.weight.nbytes, module.bias.nbytes])):
                call(x)
            torch.testing.assert_close(call(x), module(x), rtol=1e-4, atol=1e-5)
            module.weight.data[row] = 2
            refresh(module)
            torch.testing.assert_close(call(x), module(x), rtol=1e-4, atol=1e-5)


def test_numbers_for_which_a_fold_does_not_hold_are_compiled_for(compiled: Compiled) -> None:
    module, call, counts = compiled
    assert_fresh(module, call)
    before = len(counts)
    variance = module.inner[1].running_var
    assert isinstance(variance, torch.Tensor)
    for number in (-1.0, 2.0):
        variance.fill_(number)
        assert_fresh(module, call)
    assert len(counts) == before + 1


def test_modules_that_look_alike_have_weights_of_their_own(compiled: Compiled) -> None:
    """Dynamo runs one graph for all of them; what is not called any more is given up."""
    blocks = [nn.Linear(8, 8) for _ in range(3)]
    graphs: list[LiveGraph] = []
    begin = LiveGraph.__init__

    def kept(self: LiveGraph, *arguments: Any) -> None:
        begin(self, *arguments)
        graphs.append(self)

    with pytest.MonkeyPatch.context() as patch, torch.no_grad():
        patch.setattr(LiveGraph, "__init__", kept)
        call = torch.compile(lambda block, x: block(x), backend=backend.tvmfuse_backend)
        x, before = torch.randn(4, 8), len(compiled[2])
        for _ in range(3):
            for block in blocks:
                torch.testing.assert_close(call(block, x), block(x))
        assert len(compiled[2]) == before + 3
        blocks[1].weight.data = blocks[0].weight.data
        for block in (*blocks, *blocks):
            torch.testing.assert_close(call(block, x), block(x))
            block.weight.mul_(2)  # of two blocks, in memory that both have
        for block in blocks:
            torch.testing.assert_close(call(block, x), block(x))
        assert len(compiled[2]) == before + 3
        for _ in range(20):
            call(blocks[0], x)
        torch.testing.assert_close(call(nn.Linear(8, 8), x).shape, x.shape)
    assert sum(len(graph._entries) for graph in graphs) == 2
