"""The first wrong tensor is one that a kernel is proven to write; of others nothing is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from firing import of
from planting import plant

from tvmfuse.manifest import Kernel, StoredValue
from tvmfuse.measure import bisect
from tvmfuse.measure.results.bisection import WrongTensor
from tvmfuse.measure.settings import MeasureSettings
from tvmfuse.measure.wrong_tensor import first_wrong_tensor
from tvmfuse.passes.selection import entries

ENTRIES = {entry.name: entry for _, entry in entries()}
IMAGE = np.arange(2 * 16 * 3 * 3, dtype="float32").reshape(2, 16, 3, 3)
BLOCKS = np.ascontiguousarray(np.moveaxis(IMAGE.reshape(2, 2, 8, 3, 3), 2, -1))
PLAIN = (StoredValue("a"),)
BLOCKED = (StoredValue("a", blocked=True),)


class Written:
    """A compiled model: what its kernels are said to write, and what they write."""

    def __init__(self, *kernels: tuple[tuple[StoredValue, ...], Any]) -> None:
        said = [Kernel(f"k{n}", (f"n{n}",), "", values=v) for n, (v, _) in enumerate(kernels)]
        self.manifest = SimpleNamespace(kernels=said)
        self.arrays = [array for _, array in kernels]

    def watch(self, _feeds: object, seen: Callable[[int, Sequence[Any]], None]) -> None:
        for place, array in enumerate(self.arrays):
            seen(place, [array])


class Expected:
    """A reference that knows some tensors."""

    def __init__(self, **arrays: Any) -> None:
        self.arrays = arrays

    def tensors(self, _graph: object, _feeds: object, names: Sequence[str]) -> Mapping[str, Any]:
        return {name: self.arrays[name] for name in names if name in self.arrays}


def first(before: Written, after: Written, **expected: Any) -> WrongTensor | None:
    trials: Any = SimpleNamespace(feeds={}, settings=MeasureSettings(tolerance=1e-4))
    graph: Any = None  # which only the reference reads
    reference: Any = Expected(**expected)
    both: Any = (before, after)
    return first_wrong_tensor(graph, reference, trials, *both)


@pytest.mark.parametrize(
    ("values", "right"), [(PLAIN, IMAGE), (BLOCKED, BLOCKS)], ids=["as it is", "in blocks"]
)
def test_it_is_named_however_the_kernel_holds_it(values: Any, right: Any) -> None:
    before = Written((values, right), ((StoredValue("b"),), IMAGE))
    after = Written((values, right + 1000), ((StoredValue("b"),), IMAGE + 1000))
    assert first(before, before, a=IMAGE, b=IMAGE) is None
    found = first(before, after, a=IMAGE, b=IMAGE)
    assert found is not None
    assert (found.name, found.nodes) == ("a", ("n0",))


def test_what_no_rewrite_proves_is_not_compared() -> None:
    """It has the nodes, the shape and the dtype of a tensor of the model, and is another."""
    right = Written(((), IMAGE), (PLAIN, IMAGE))
    assert first(right, Written(((), IMAGE + 1000), (PLAIN, IMAGE)), a=IMAGE) is None


def test_what_was_wrong_before_is_none_of_the_rewrite_s_doing() -> None:
    noisy = Written((PLAIN, IMAGE + 1000), ((StoredValue("b"),), IMAGE))
    after = Written((PLAIN, IMAGE + 1000), ((StoredValue("b"),), IMAGE + 1000))
    found = first(noisy, after, a=IMAGE, b=IMAGE)
    assert found is not None
    assert found.name == "b"


@pytest.mark.parametrize("other", [IMAGE.astype("float64") + 1000, IMAGE[:1] + 1000])
def test_another_dtype_or_shape_cannot_be_compared(other: Any) -> None:
    assert first(Written((PLAIN, IMAGE)), Written((PLAIN, other)), a=IMAGE) is None


def test_what_the_reference_does_not_show_is_not_compared() -> None:
    assert first(Written((PLAIN, IMAGE)), Written((PLAIN, IMAGE + 1000))) is None


def test_a_tensor_in_blocks_of_channels_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real one: behind the layout passes, whose arrays have other shapes than the model's."""
    weight = np.full((16, 16, 3, 3), 0.01, "float32")
    body = "a = Conv<pads=[1,1,1,1]>(x, w) r = Relu(a) b = Conv<pads=[1,1,1,1]>(r, w) y = Exp(b)"
    case = of("", body, "float[1,16,8,8] x", w=weight)
    plant(monkeypatch, ENTRIES["NchwcTransformer"])
    looked_at: list[Any] = []

    def noted(*given: Any) -> WrongTensor | None:
        looked_at.append(given[-1])
        return first_wrong_tensor(*given)

    monkeypatch.setattr("tvmfuse.measure.search.first_wrong_tensor", noted)
    found: Any = bisect(case.model())
    assert (found.culprit.name, found.levels[-1].level) == ("NchwcTransformer", "layout")
    kernels = looked_at[0].manifest.kernels
    held = {stored.name: stored for kernel in kernels for stored in kernel.values}
    assert found.tensor is not None
    assert held[found.tensor.name].blocked
