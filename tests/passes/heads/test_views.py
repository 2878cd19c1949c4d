"""passes.heads.views: what an operand of an attention is read off."""

import pytest
from graphs import graph, tensor
from tvm import relax, tirx
from tvm.relax.op import divide, exp, multiply, permute_dims, reshape

from tvmfuse.passes.dataflow import Dataflow
from tvmfuse.passes.facts import shape_of
from tvmfuse.passes.heads.views import view_of

N = tirx.Var("n", "int64")


def view(compute, *inputs, axes="bhsd"):
    """Return the view that the output of a graph is."""
    module = graph(lambda *a: compute(*a[:-1]), *(tensor(*shape) for shape in inputs))
    flow = Dataflow.of(module["main"])
    return view_of(flow.outputs[0], axes, flow.resolve)


def test_past_a_transpose() -> None:
    found = view(lambda x: permute_dims(x, [0, 2, 1, 3]), (2, 5, 3, 4))
    assert (found.order, shape_of(found.operand)) == ("bshd", (2, 5, 3, 4))


def test_past_heads_and_a_scale() -> None:
    found = view(
        lambda x: divide(multiply(relax.const(6.0), permute_dims(reshape(x, (2, 5, 3, 4)), [0, 2, 1, 3])), relax.const(2.0)),
        (2, 5, 12),
    )
    assert found.axes == ("b", "s", "hd")
    assert (found.order, found.factor) == ("bshd", 3.0)
    assert shape_of(relax.BlockBuilder().normalize(found.operand)) == (2, 5, 3, 4)
    assert len(found.passed) == 4


def test_past_batch_and_heads_joined() -> None:
    def keys(x):
        heads = permute_dims(reshape(x, (2, 5, 3, 4)), [0, 2, 1, 3])
        return reshape(permute_dims(reshape(heads, (6, 5, 4)), [0, 2, 1]), (2, 3, 4, 5))

    assert view(keys, (2, 5, 12), axes="bhds").axes == ("b", "s", "hd")


@pytest.mark.parametrize("batch", [1, 2])
def test_a_batch_of_one_may_stand_anywhere(batch) -> None:
    def keys(x):
        return reshape(permute_dims(reshape(x, (5, batch * 3, 4)), [1, 2, 0]), (batch, 3, 4, 5))

    found = view(keys, (batch, 5, 12), axes="bhds")
    expected = ("", "s", "hd") if batch == 1 else ("s", "bh", "d")
    assert found.axes == expected


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
def test_not_past_what_computes(compute) -> None:
    assert len(view(compute, (2, 3, 5, 4)).passed) <= 1
