"""AOTAutograd calls compiled graphs with one list, and wraps nothing around them for that."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch._functorch._aot_autograd.utils import make_boxed_func
from torch_backend.traced import compiled

from tvmfuse.torch_backend.backend import tvmfuse_backend
from tvmfuse.torch_backend.boxed import boxed

X = torch.linspace(-1, 1, 24).view(3, 8)


def test_a_method_is_marked_as_torch_marks_functions() -> None:
    class Sum:
        @boxed
        def call(self, numbers: list[int]) -> int:
            return sum(numbers)

    call = Sum().call
    assert call([1, 2]) == 3
    assert getattr(call, "_boxed_call", False) is make_boxed_func(sum)._boxed_call is True  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "function",
    [lambda x: (x + 1,), lambda x: (x + 1, x), lambda x: (torch.linalg.inv(x @ x.t()) + 1,)],
    ids=["one group", "one group and an argument", "nodes in eager"],
)
def test_graphs_are_marked(function: Callable[..., Any]) -> None:
    call = compiled(function, X).call
    assert getattr(call, "_boxed_call", False)
    torch.testing.assert_close(tuple(call([X])), function(X))


@pytest.mark.parametrize("options", [{}, {"freeze": True}], ids=["live", "frozen"])
def test_torch_wraps_nothing_around_them(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    torch._dynamo.reset()
    wrapped: list[object] = []

    def kept(call: Callable[..., Any]) -> Callable[..., Any]:
        wrapped.append(call)
        return make_boxed_func(call)

    monkeypatch.setattr("torch._functorch._aot_autograd.graph_compile.make_boxed_func", kept)
    module = torch.nn.Linear(8, 4)
    call = torch.compile(module, backend=tvmfuse_backend, options=options)
    with torch.no_grad():
        torch.testing.assert_close(call(X), module(X))
    assert not wrapped
