"""Recurrent layers stay whole: one recurrence for each direction, not one kernel for each step."""

from __future__ import annotations

import itertools
import warnings

import pytest
import torch
from torch_modules import compiled_as_eager

import tvmfuse

STEPS, BATCH, INPUTS = 5, 3, 7


class Net(torch.nn.Module):
    """Layers one behind the other: each reads what the one before it wrote."""

    def __init__(self, *layers: torch.nn.RNNBase) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList(layers)

    def forward(self, *inputs: torch.Tensor) -> list[torch.Tensor]:
        x, *states = inputs
        seen = []
        for layer in self.layers:
            hx = tuple(states) if isinstance(layer, torch.nn.LSTM) and states else None
            y, last = layer(x.transpose(0, 1) if layer.batch_first else x, hx)
            seen += [y, *(last if isinstance(last, tuple) else [last])]
        return seen


@pytest.mark.parametrize("kind", [torch.nn.LSTM, torch.nn.GRU])
@pytest.mark.sampled(3)
def test_layers_directions_and_biases(kind: type[torch.nn.LSTM | torch.nn.GRU]) -> None:
    torch.manual_seed(0)
    flags = itertools.product([1, 2], [False, True], [False, True])
    layers = [
        kind(INPUTS, 4, num_layers=n, bidirectional=both, bias=bias, batch_first=both != bias)
        for n, both, bias in flags
    ]
    compiled_as_eager(Net(*layers).eval(), torch.randn(STEPS, BATCH, INPUTS), level="none")


def test_plain_cells() -> None:
    torch.manual_seed(0)
    layers = [torch.nn.RNN(INPUTS, 4, num_layers=2, nonlinearity=f) for f in ("tanh", "relu")]
    compiled_as_eager(Net(*layers).eval(), torch.randn(STEPS, BATCH, INPUTS), level="none")


def test_states_and_one_sequence_without_a_batch() -> None:
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(INPUTS, 4, num_layers=2)
    states = torch.randn(2, 2, BATCH, 4)
    compiled_as_eager(Net(lstm).eval(), torch.randn(STEPS, BATCH, INPUTS), *states, level="none")
    compiled_as_eager(Net(lstm).eval(), torch.randn(STEPS, INPUTS), level="none")


def test_projected_states_are_taken_apart() -> None:
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(INPUTS, 6, proj_size=4)
    compiled_as_eager(Net(lstm).eval(), torch.randn(STEPS, BATCH, INPUTS), level="none")


def test_a_layer_is_few_kernels() -> None:
    """Forty steps in two directions, at the level that folds the order of the gates."""
    torch.manual_seed(0)
    net = Net(torch.nn.LSTM(INPUTS, 8, bidirectional=True)).eval()
    x = torch.randn(40, 2, INPUTS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        artifact = tvmfuse.compile(net, example_inputs=(x,), level="all")
    found = artifact.load()({"inputs_0": x.numpy()})
    with torch.no_grad():
        for mine, theirs in zip(found.values(), net(x), strict=True):
            torch.testing.assert_close(torch.from_numpy(mine), theirs)
    assert len(artifact.manifest.kernels) < 10
