"""Weights that are constants for the passes, written to in all ways, are those that compute."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn
from torch_writes import IMAGE, WAYS, filled, in_place, network

import tvmfuse
from tvmfuse.errors import StaleModelError
from tvmfuse.runtime.live_weights import LiveWeights
from tvmfuse.torch_backend import WeightsGuard, refresh
from tvmfuse.torch_backend.watched_memory import calls_until_all_is_read


class Guarded:
    """A module, what was compiled of it, and a guard as a backend has it."""

    def __init__(self) -> None:
        self.module = network()
        artifact = tvmfuse.compile(
            self.module, example_inputs=(IMAGE,), live_weights=True, strict=True
        )
        self.model = artifact.load(num_threads=1)
        assert artifact.live_weights is not None
        self.live: LiveWeights = artifact.live_weights
        self.names = sorted(self.live.parameters)
        self.guard = WeightsGuard([self.live], self.names, self.tensors())

    def tensors(self) -> list[torch.Tensor]:
        return list(map(self.tensor, self.names))

    def tensor(self, name: str) -> torch.Tensor:
        held = {**dict(self.module.named_parameters()), **dict(self.module.named_buffers())}
        return held[name]

    def check(self) -> bool:
        return self.guard.check(self.tensors())

    def assert_fresh(self) -> None:
        with torch.no_grad():
            (found,), wanted = self.model.call([IMAGE]), self.module(IMAGE)
        torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-3)


@pytest.fixture(scope="module")
def shared() -> Guarded:
    return Guarded()


@pytest.fixture
def guarded(shared: Guarded) -> Guarded:
    """Return the module with numbers that no other test has left."""
    torch.manual_seed(1)
    for name, tensor in zip(shared.names, shared.tensors(), strict=True):
        new = torch.rand_like if "running" in name else torch.randn_like
        tensor.data = new(tensor) / 3 + 0.1
    refresh(shared.module)
    shared.check()
    shared.assert_fresh()
    return shared


@pytest.mark.parametrize("way", WAYS)
def test_what_was_written_computes(guarded: Guarded, way: str) -> None:
    WAYS[way](guarded.module)
    assert guarded.check()
    guarded.assert_fresh()
    assert not guarded.check()


@pytest.mark.parametrize("number", [0.0, 1.0])
def test_a_model_compiled_of_zeros_or_ones_is_no_other(number: float) -> None:
    module = nn.Sequential(nn.Linear(4, 8), Scaled16(8)).eval()
    filled(number)(module)
    x = torch.randn(3, 4)
    artifact = tvmfuse.compile(module, example_inputs=(x,), live_weights=True, strict=True)
    model = artifact.load(num_threads=1)
    assert artifact.live_weights is not None
    in_place(module)
    artifact.live_weights.rebind(dict(module.named_parameters()))
    with torch.no_grad():
        torch.testing.assert_close(model.call([x])[0], module(x))


class Scaled16(nn.Module):
    """What a pass would leave out, were its weights the zeros or ones that they are now."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.by, self.shift = nn.Parameter(torch.ones(size)), nn.Parameter(torch.zeros(size))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.clamp_min(x * self.by + self.shift, 0) * self.shift


def test_what_no_pass_changes_is_read_where_it_lies(guarded: Guarded) -> None:
    packed = {name for name in guarded.names if guarded.live.copied.get(name)}
    assert {"0.weight", "1.running_var", "3.weight", "7.weight"} <= packed
    assert {"6.shift", "6.by"}.isdisjoint(packed)
    guarded.tensor("6.shift").data.add_(2)
    assert not guarded.check()
    guarded.assert_fresh()
    sizes = {n: t.numel() * 4 for n, t in zip(guarded.names, guarded.tensors(), strict=True)}
    assert 0 < guarded.guard.copied_nbytes <= 4 * sum(sizes[name] for name in packed)


def test_one_number_is_seen_once_all_is_read(guarded: Guarded) -> None:
    turns = calls_until_all_is_read([guarded.tensor(name).nbytes for name in guarded.guard.copied])
    assert turns > 1
    for name in sorted(guarded.guard.copied):
        guarded.tensor(name).data.view(-1)[-1] += 1
        assert not all(guarded.guard.are_unwritten() for _ in range(turns))
        assert not guarded.guard.are_unwritten()  # whatever else is read
        assert guarded.check()
        guarded.assert_fresh()


def test_refresh_waits_for_nothing(guarded: Guarded) -> None:
    refresh(nn.Linear(2, 2))
    assert not guarded.check()
    refresh(guarded.module)
    assert guarded.check()
    guarded.assert_fresh()


def test_another_tensor_of_the_same_memory_has_a_version_of_its_own(guarded: Guarded) -> None:
    weights = guarded.tensor("7.weight")
    others = [t.detach() if t is weights else t for t in guarded.tensors()]
    assert guarded.guard.holds(guarded.tensors())
    assert not guarded.guard.holds(others)
    in_place_alone = WeightsGuard([], guarded.names, guarded.tensors())
    assert in_place_alone.holds(others)
    others[0] = torch.zeros_like(others[0])
    assert not in_place_alone.holds(others)
    refresh(guarded.module)
    assert not in_place_alone.holds(guarded.tensors())
    assert in_place_alone.check(guarded.tensors())
    assert in_place_alone.holds(guarded.tensors())
    assert guarded.check()


def test_only_what_follows_from_a_weight_is_computed_again(guarded: Guarded) -> None:
    held = {place: guarded.live.arrays[place] for place in guarded.live._recipes}
    before = {place: array.copy() for place, array in held.items()}
    with torch.no_grad():
        guarded.tensor("7.weight").mul_(2)
    guarded.live.rebind({"7.weight": guarded.tensor("7.weight")})
    now = {p: guarded.live.arrays[p] for p in before}
    assert [p for p in before if not np.array_equal(before[p], now[p])] == guarded.live._readers[
        "7.weight"
    ]
    guarded.assert_fresh()


def test_inference_tensors_have_no_versions(guarded: Guarded) -> None:
    with torch.inference_mode():
        new = torch.randn(24, 16)
    guarded.module[7].weight = nn.Parameter(new, requires_grad=False)
    assert guarded.check()
    guarded.assert_fresh()
    assert not guarded.check()
    with torch.inference_mode():
        new.mul_(2)
    assert guarded.check()
    guarded.assert_fresh()
    guarded.module[7].weight = nn.Parameter(torch.randn(24, 16))


def test_numbers_for_which_a_fold_does_not_hold_take_another_compilation(guarded: Guarded) -> None:
    variance = guarded.tensor("1.running_var")
    with torch.no_grad():
        variance.fill_(-1)
    with pytest.raises(StaleModelError, match="not finite any more: compile the model again"):
        guarded.check()
    with torch.no_grad():
        variance.fill_(2)
    assert guarded.check()
    guarded.assert_fresh()
