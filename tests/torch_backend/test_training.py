"""20 steps of training through `torch.compile`: they follow eager, and nothing stays in eager.

Networks with batch norms are slower to compile: `tests/architectures/test_training.py`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import torch
from torch import nn
from torch_backend.networks import OPTIMIZERS, STEPS, TOKENS, Transformer, tokens

import tvmfuse.torch_backend
from tvmfuse.torch_backend.backend import tvmfuse_backend
from tvmfuse.torch_backend.report import forget


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    forget()
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def compiled(model: nn.Module) -> Callable[..., Any]:
    made: Callable[..., Any] = torch.compile(
        model, backend=tvmfuse_backend, fullgraph=True, options={"num_threads": 1}
    )
    return made


def in_eager() -> dict[str, set[str]]:
    """Return the operators that stay in eager, by the kind of graph."""
    graphs = tvmfuse.torch_backend.report().graphs
    return {graph.kind: {node.operator for node in graph.eager} for graph in graphs}


@pytest.mark.parametrize("name", TOKENS)
@pytest.mark.sampled(3)
def test_steps_follow_eager(name: str) -> None:
    example = TOKENS[name]
    ours, first = example.network(), example.network().state_dict()
    call = compiled(ours)
    for optimizer in OPTIMIZERS:
        theirs = example.network()
        ours.load_state_dict(copy.deepcopy(first))
        wanted = example.losses(theirs, theirs, optimizer)
        found = example.losses(call, ours, optimizer)
        assert wanted[-1] < wanted[0]
        assert found == pytest.approx(wanted, rel=1e-5)
        others = theirs.state_dict()
        for key, one in ours.state_dict().items():
            scale = max(float(others[key].abs().max()), 0.1)
            assert float((one - others[key]).abs().max()) < 1e-5 * scale, key
    assert in_eager() == {"forward": set(), "backward": set()}


def test_dropout_stays_in_eager() -> None:
    """It draws from torch's generator: from one seed, the same numbers as in eager."""
    example = tokens(partial(Transformer, dropout=0.2))
    ours, theirs = example.network(), example.network()
    torch.manual_seed(0)
    wanted = example.losses(theirs, theirs, "sgd")
    torch.manual_seed(0)
    found = example.losses(compiled(ours), ours, "sgd")
    assert len(set(found)) == STEPS
    assert found == pytest.approx(wanted, rel=1e-5)
    assert in_eager() == {"forward": {"aten.native_dropout.default"}, "backward": set()}
