"""torch.compile under what programs put around a model."""

import copy
from collections.abc import Callable, Iterator

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from tvmfuse.errors import InputError
from tvmfuse.torch_backend.backend import tvmfuse_backend
from tvmfuse.torch_backend.report import forget, report

pytestmark = pytest.mark.sampled(5)


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def network() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(288, 4)
    )


def plain(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    found: torch.Tensor = model(x)
    return found


def mixed(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """Its convolutions are computed in bfloat16, its statistics are kept in float32."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return plain(model, x).float()


def again(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    """It is computed once more for its gradients, after its statistics have moved.

    Eager moves them once more then; a compiled graph does not.
    """
    found: torch.Tensor = checkpoint(model, x, use_reentrant=False)
    return found


@pytest.mark.parametrize(
    ("way", "like", "tolerance"),
    [(plain, plain, 1e-5), (again, plain, 1e-5), (mixed, mixed, 2e-2)],
)
def test_gradients_and_statistics_are_those_of_eager(
    way: Callable[[nn.Module, torch.Tensor], torch.Tensor],
    like: Callable[[nn.Module, torch.Tensor], torch.Tensor],
    tolerance: float,
) -> None:
    ours, x = network(), torch.randn(4, 3, 6, 6, generator=torch.Generator().manual_seed(1))
    theirs = copy.deepcopy(ours)
    call = torch.compile(way, backend=tvmfuse_backend)
    for _ in range(2):
        found, wanted = call(ours, x), like(theirs, x)
        torch.testing.assert_close(found, wanted, rtol=tolerance, atol=tolerance)
        found.square().mean().backward()  # type: ignore[no-untyped-call]
        wanted.square().mean().backward()  # type: ignore[no-untyped-call]
    for p, q in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(p.grad, q.grad, rtol=tolerance, atol=tolerance)
    for kept, expected in zip(ours.buffers(), theirs.buffers(), strict=True):
        assert kept.dtype == expected.dtype
        torch.testing.assert_close(kept, expected, rtol=tolerance, atol=tolerance)


def test_batches_of_any_size_are_compiled_whole() -> None:
    forget()
    ours = nn.Sequential(nn.Linear(5, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
    theirs = copy.deepcopy(ours)
    call = torch.compile(ours, backend=tvmfuse_backend, dynamic=True)
    for batch in (4, 7):
        x = torch.randn(batch, 5, generator=torch.Generator().manual_seed(batch))
        for model in (call, theirs):
            model(x).square().mean().backward()
    for p, q in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(p.grad, q.grad, rtol=1e-4, atol=1e-5)
    assert [graph.eager for graph in report().graphs] == [(), ()]


def test_a_mode_is_inductors() -> None:
    call = torch.compile(torch.sin, backend=tvmfuse_backend, mode="max-autotune")
    x = torch.randn(3)
    with pytest.warns(UserWarning, match="mode='max-autotune' is inductor's .* level, disabled"):
        torch.testing.assert_close(call(x), torch.sin(x))


@torch.library.custom_op("tvmfuse_tests::widened", mutates_args=())
def widened(x: torch.Tensor) -> torch.Tensor:
    return x.float()


@widened.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


def test_what_an_operator_gives_becomes_what_its_fake_kernel_told() -> None:
    """As torch's own norms of mixed precision do, one gives another dtype than it tells."""
    call = torch.compile(lambda x: widened(x + 1) * 3, backend=tvmfuse_backend)
    x = torch.randn(5, 7).bfloat16()
    for _ in range(3):
        found = call(x)
        assert found.dtype == torch.bfloat16
        torch.testing.assert_close(found, (x + 1) * 3)


def test_nested_tensors() -> None:
    """Torch knows no bounds of their sizes."""
    rows = [torch.randn(n, 4) for n in (3, 5)]
    nested = torch.nested.nested_tensor(rows, layout=torch.jagged)
    found = torch.compile(lambda x: x * 2 + 1, backend=tvmfuse_backend)(nested)
    torch.testing.assert_close(found.values(), torch.cat(rows) * 2 + 1)


@pytest.mark.parametrize("dim", [0, 2])
def test_weights_of_a_length_and_a_direction(dim: int) -> None:
    """As the positions of wav2vec 2.0 are convolved."""
    forget()
    ours = nn.utils.parametrizations.weight_norm(nn.Conv1d(4, 8, 3), dim=dim)
    theirs, x = copy.deepcopy(ours), torch.randn(2, 4, 16)
    for model in (torch.compile(ours, backend=tvmfuse_backend), theirs):
        model(x).square().mean().backward()
    for p, q in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(p.grad, q.grad, rtol=1e-4, atol=1e-5)
    assert [graph.eager for graph in report().graphs] == [(), ()]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_a_cache_that_begins_as_a_vector_of_nothing(dtype: torch.dtype) -> None:
    """As a decoder's does that is trained; what it is put together with is copied, and promoted."""
    forget()

    def cached(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        keys = torch.cat([torch.tensor([]), x * 2], dim=-2)
        return keys, (keys @ keys.mT).softmax(-1)

    x = torch.randn(2, 3, 4).to(dtype)
    found, wanted = torch.compile(cached, backend=tvmfuse_backend)(x), cached(x)
    torch.testing.assert_close(found, wanted)
    assert [graph.eager for graph in report().graphs] == [()]


@pytest.mark.parametrize("causal", [False, True])
def test_heads_of_queries_that_share_keys(*, causal: bool) -> None:
    """As those of Llama 3, Mistral and Qwen do."""
    forget()
    q, k, v = (torch.randn(2, heads, 5, 8) for heads in (6, 2, 2))

    def step(attend: Callable[..., torch.Tensor]) -> list[torch.Tensor]:
        given = [x.clone().requires_grad_() for x in (q, k, v)]
        result = attend(*given)
        result.square().sum().backward()  # type: ignore[no-untyped-call]
        return [result, *(x.grad for x in given if x.grad is not None)]

    def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        attention = nn.functional.scaled_dot_product_attention
        return attention(q, k, v, is_causal=causal, enable_gqa=True)

    found = step(torch.compile(attend, backend=tvmfuse_backend))
    torch.testing.assert_close(found, step(attend), rtol=1e-4, atol=1e-5)
    assert [graph.eager for graph in report().graphs] == [(), ()]


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_a_token_that_a_vocabulary_has_not(*, dynamic: bool, training: bool) -> None:
    """Eager raises an IndexError; a row of another token would be a wrong number in silence."""
    model = nn.Sequential(nn.Embedding(7, 4), nn.Linear(4, 2)).train(training)
    call = torch.compile(model, backend=tvmfuse_backend, dynamic=dynamic)
    for _ in range(3):  # some calls look at their arguments as a whole, later ones at a glance
        for tokens in ([[0, 6, 3]], [[1, 1, 1]]):
            torch.testing.assert_close(call(torch.tensor(tokens)), model(torch.tensor(tokens)))
        with pytest.raises(InputError, match="indices of 7 elements, .*; found 7"):
            call(torch.tensor([[0, 7, 1]]))
