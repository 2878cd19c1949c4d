"""passes.heads.views: what an operand of an attention is read off."""

from typing import Any

import pytest
from graphs import graph, tensor
from tvm import relax, tirx
from tvm.relax.op import (
    broadcast_to,
    divide,
    exp,
    expand_dims,
    multiply,
    permute_dims,
    reshape,
    split,
)

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.types import shape_of
from tvmfuse.passes.attention.views import View, operands_of, view_of

N, S = (tirx.Var(name, "int64") for name in "ns")


def view(compute: Any, *inputs: Any, axes: str = "bhsd") -> Any:
    """Return the view that the output of a graph is."""
    module = graph(lambda *a: compute(*a[:-1]), *(tensor(*shape) for shape in inputs))
    flow = Dataflow.of(module["main"])
    return view_of(flow.outputs[0], axes, flow.resolve)


def test_past_a_transpose() -> None:
    found = view(lambda x: permute_dims(x, [0, 2, 1, 3]), (2, 5, 3, 4))
    assert (found.order, found.shape) == ("bshd", (2, 5, 3, 4))


def test_past_heads_and_a_scale() -> None:
    found = view(
        lambda x: divide(
            multiply(relax.const(6.0), permute_dims(reshape(x, (2, 5, 3, 4)), [0, 2, 1, 3])),
            relax.const(2.0),
        ),
        (2, 5, 12),
    )
    assert found.axes == ("b", "s", "hd")
    assert (found.order, found.factor) == ("bshd", 3.0)
    (operand,) = operands_of([found])
    assert shape_of(relax.BlockBuilder().normalize(operand)) == (2, 5, 3, 4)
    assert len(found.looked_through) == 4


@pytest.mark.parametrize(("batch", "length"), [(2, 5), (N, 5), (2, N), (N, S)], ids=str)
def test_past_batch_and_heads_joined(batch: Any, length: Any) -> None:
    def keys(x: Any) -> Any:
        heads = permute_dims(reshape(x, (batch, length, 3, 4)), [0, 2, 1, 3])
        joined = reshape(heads, (batch * 3, length, 4))
        return reshape(permute_dims(joined, [0, 2, 1]), (batch, 3, 4, length))

    assert view(keys, (batch, length, 12), axes="bhds").axes == ("b", "s", "hd")


@pytest.mark.parametrize("batch", [1, 2])
def test_a_batch_of_one_may_stand_anywhere(batch: int) -> None:
    def keys(x: Any) -> Any:
        return reshape(permute_dims(reshape(x, (5, batch * 3, 4)), [1, 2, 0]), (batch, 3, 4, 5))

    found = view(keys, (batch, 5, 12), axes="bhds")
    expected = ("", "s", "hd") if batch == 1 else ("s", "bh", "d")
    assert found.axes == expected


@pytest.mark.parametrize("axis", [2, -1])
def test_past_a_split_into_equal_parts(axis: int) -> None:
    def keys(x: Any) -> Any:
        return permute_dims(reshape(split(x, 3, axis)[1], (2, 5, 3, 4)), [0, 2, 1, 3])

    found = view(keys, (2, 5, 36))
    assert (found.axes, found.order, found.shape) == (("b", "s", "1hd"), "bs1hd", (2, 5, 3, 3, 4))


def test_not_past_a_split_into_others() -> None:
    def keys(x: Any) -> Any:
        return permute_dims(reshape(split(x, [12, 30], 2)[0], (2, 5, 3, 4)), [0, 2, 1, 3])

    assert view(keys, (2, 5, 36)).order == "bshd"


def test_what_is_read_three_times_is_made_once() -> None:
    base = relax.Var("x", tensor(2, 5, 36))
    views = [
        View(base, ("b", "s", f"{part}hd"), {"b": 2, "h": 3, "s": 5, "d": 4, part: 3})
        for part in "012"
    ]
    first, second, third = operands_of(views)
    assert first is second is third


def test_symbolic_sizes() -> None:
    found = view(lambda x: permute_dims(reshape(x, (2, N, 3, 4)), [0, 2, 1, 3]), (2, N, 12))
    assert found.axes == ("b", "s", "hd")


@pytest.mark.parametrize(
    "compute",
    [
        exp,
        lambda x: multiply(x, x),
        lambda x: divide(relax.const(1.0), x),
        lambda x: reshape(reshape(x, (5, 24)), (2, 3, 5, 4)),
    ],
    ids=["another operator", "a product of two", "a quotient of it", "a reshape across dimensions"],
)
def test_not_past_what_computes(compute: Any) -> None:
    assert len(view(compute, (2, 3, 5, 4)).looked_through) <= 1


def copied(x: Any, copies: tuple[int, ...] = (2, 3, 2, 5, 4)) -> Any:
    return reshape(broadcast_to(expand_dims(x, [2]), copies), (2, 6, 5, 4))


def test_past_heads_copied_for_their_neighbours() -> None:
    module = graph(lambda x, _: copied(x), tensor(2, 3, 5, 4))
    flow = Dataflow.of(module["main"])
    found = view_of(flow.outputs[0], "bhsd", flow.resolve, shared=True)
    assert (found.order, found.shape) == ("bhsd", (2, 3, 5, 4))
    assert len(found.looked_through) == 3


def test_not_past_copies_unless_asked() -> None:
    assert view(copied, (2, 3, 5, 4)).shape == (2, 6, 5, 4)


@pytest.mark.parametrize("shape", [(240,), (1, 240), (1, 1, 240)])
def test_not_past_copies_of_anything_else(shape: tuple[int, ...]) -> None:
    def other(x: Any) -> Any:
        return reshape(broadcast_to(x, shape), (2, 6, 5, 4))

    module = graph(lambda x, _: other(x), tensor(*shape[:-1], 1))
    flow = Dataflow.of(module["main"])
    found = view_of(flow.outputs[0], "bhsd", flow.resolve, shared=True)
    assert found.sizes["h"] == 6
