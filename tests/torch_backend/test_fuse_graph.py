"""Groups of torch.fx graphs: right beside writes, views and cycles, and as large as they can be."""

from __future__ import annotations

import operator
from typing import Any

import pytest
import torch
from fused_graphs import but, computed, everything, fused_as_eager, groups, is_group
from torch.fx import Graph, GraphModule
from torch.fx.experimental.proxy_tensor import make_fx

from tvmfuse.errors import ConfigurationError
from tvmfuse.torch_backend import fuse_graph

aten = torch.ops.aten


def test_what_is_supported_is_one_group() -> None:
    fused = fused_as_eager(lambda x: (x.sin() + 1) * x, torch.randn(3))
    assert [computed(group) for group in groups(fused)] == [["sin", "add", "mul"]]
    assert computed(fused) == []
    assert groups(fused)[0].meta["tvmfuse_kind"] == "tvmfuse::group"


def test_a_write_between_members_divides_them() -> None:
    def written(x: torch.Tensor) -> torch.Tensor:
        before = torch.sin(x)
        x.mul_(2)
        return before + torch.cos(x)

    fused = fused_as_eager(written, torch.randn(4))
    assert [computed(group) for group in groups(fused)] == [["sin"], ["cos", "add"]]


def test_a_view_of_what_is_written_stays_a_view() -> None:
    def written(x: torch.Tensor) -> torch.Tensor:
        view = x.view(-1)
        before = view + 1
        x.add_(10)
        return before * (view + 2)

    fused = fused_as_eager(written, torch.randn(2, 2))
    assert computed(fused) == ["view", "add_"]
    assert [computed(group) for group in groups(fused)] == [["add"], ["add", "mul"]]


def test_parts_of_a_list_are_views() -> None:
    def written(x: torch.Tensor) -> torch.Tensor:
        left, right = aten.split.Tensor(x, 2)
        total: torch.Tensor = left + right
        left.mul_(3)
        return total + x.sum()

    assert "split" in computed(fused_as_eager(written, torch.randn(4)))


def test_arguments_may_share_memory_with_each_other() -> None:
    def written(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        before = y.sin()
        x.add_(1)
        return before + y.cos()

    module = make_fx(written)(torch.ones(3), torch.ones(3))
    fused = fuse_graph(module, everything)
    assert len(groups(fused)) == 2
    one, other = torch.ones(3), torch.ones(3)
    torch.testing.assert_close(fused(one, one), written(other, other), rtol=0, atol=0)


def test_a_buffer_that_is_written_is_no_constant() -> None:
    class Counter(torch.nn.Module):
        count: torch.Tensor

        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(1))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            before = x + self.count
            self.count.add_(1)
            return before * self.count

    wanted = Counter()
    fused = fuse_graph(make_fx(Counter())(torch.ones(1)), everything)
    fused.get_buffer("_tensor_constant0").zero_()
    for _ in range(3):
        torch.testing.assert_close(fused(torch.ones(1)), wanted(torch.ones(1)), rtol=0, atol=0)
    assert len(groups(fused)) == 2


def test_a_cycle_through_what_is_not_supported() -> None:
    def jumped(x: torch.Tensor) -> torch.Tensor:
        first = torch.sin(x)
        return torch.cos(first) + torch.tan(first)

    fused = fused_as_eager(jumped, torch.randn(4), supported=but(aten.tan.default))
    assert [computed(group) for group in groups(fused)] == [["sin", "cos"], ["add"]]
    assert computed(fused) == ["tan"]


@pytest.mark.parametrize(("inputs", "count"), [(127, 1), (128, 2)])
def test_at_most_128_arguments_each_counted_once(inputs: int, count: int) -> None:
    """Each input is read twice; the sum is the one output."""

    def total(*xs: torch.Tensor) -> torch.Tensor:
        result = xs[0] * xs[0]
        for x in xs[1:]:
            result = result + x * x
        return result

    fused = fused_as_eager(total, *(torch.randn(2) for _ in range(inputs)))
    calls = [node for node in fused.graph.nodes if node.op == "call_module"]
    assert len(calls) == count
    for call in calls:
        assert len(set(call.args)) == len(call.args)
        assert len(call.args) + len(call.users) <= 128


def test_a_node_with_more_arguments_than_a_group_has_stays_outside() -> None:
    fused = fused_as_eager(
        lambda *xs: torch.cat(xs).sin(), *(torch.randn(2) for _ in range(5)), arg_limit=4
    )
    assert computed(fused) == ["cat"]


def test_groups_that_do_not_read_from_each_other_are_joined_where_asked() -> None:
    def several(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return x.sin(), y.cos(), x.tan().exp()

    tensors, supported = (torch.randn(2), torch.randn(3)), but(aten.tan.default)
    apart = fused_as_eager(several, *tensors, supported=supported)
    assert [computed(group) for group in groups(apart)] == [["sin"], ["cos"], ["exp"]]
    joined = fused_as_eager(several, *tensors, supported=supported, joined=True)
    assert [computed(group) for group in groups(joined)] == [["sin", "cos"], ["exp"]]


def test_a_value_used_outside_is_an_output() -> None:
    def used(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        inner = x.sin()
        return inner.cos() + inner, inner.tan()

    fused = fused_as_eager(used, torch.randn(4), supported=but(aten.tan.default))
    assert [computed(group) for group in groups(fused)] == [["sin", "cos", "add"]]
    assert len(fused(torch.ones(1))) == 2


def test_parts_of_a_tuple_stay_with_what_makes_it() -> None:
    def parted(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        values, places = torch.max(x, 0)
        return values + 1, places

    x = torch.randn(3, 3)
    assert len(groups(fused_as_eager(parted, x, supported=but(operator.getitem)))) == 1
    outside = fused_as_eager(parted, x, supported=but(aten.max.dim))
    assert [computed(group) for group in groups(outside)] == [["add"]]


def test_blocks_of_control_flow_are_visited() -> None:
    class Branches(torch.nn.Module):
        def forward(self, p: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
            result: torch.Tensor = torch.cond(
                p, lambda x: x.sin() + 1, lambda x: x.cos() * 2, [x + 1]
            )
            return result

    example = (torch.tensor(True), torch.randn(3))
    module = torch.export.export(Branches(), example).graph_module
    fused = fuse_graph(module, everything)
    for p in (True, False):
        (found,) = fused(torch.tensor(p), example[1])
        torch.testing.assert_close(found, Branches()(torch.tensor(p), example[1]))
    blocks = [child for child in fused.children() if not is_group(child)]
    inner = [computed(g) for b in blocks if isinstance(b, GraphModule) for g in groups(b)]
    assert sorted(inner) == [["cos", "mul"], ["sin", "add"]]
    assert [computed(group) for group in groups(fused)] == [["add"]]


def test_random_numbers_are_drawn_as_often_and_in_order() -> None:
    def drawn(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return torch.rand_like(x) + 1, torch.rand_like(x) + 1, torch.bernoulli(x) * 2

    module = make_fx(drawn)(torch.rand(64))
    for supported in (everything, but(aten.bernoulli.default), but(aten.add.Tensor)):
        fused, x = fuse_graph(module, supported), torch.rand(64)
        torch.manual_seed(0)
        wanted = drawn(x)
        torch.manual_seed(0)
        torch.testing.assert_close(fused(x), wanted, rtol=0, atol=0)


def test_equal_is_what_has_one_type_and_bit_pattern() -> None:
    graph = Graph()
    x = graph.placeholder("x")
    full = [graph.call_function(aten.full.default, ([2], value)) for value in (1, True, 1.0)]
    zeros = [graph.call_function(aten.div.Tensor, (x, value)) for value in (0.0, -0.0)]
    sums = [
        graph.call_function(aten.sum.dim_IntList, (x, [0])),
        graph.call_function(aten.sum.dim_IntList, (x, [0]), {"dtype": torch.float64}),
    ]
    graph.output((*full, *zeros, *sums))
    module = GraphModule({}, graph)
    fused, ones = fuse_graph(module, everything), torch.ones(1)
    torch.testing.assert_close(fused(ones), module(ones), rtol=0, atol=0)
    assert sum(len(computed(group)) for group in groups(fused)) == 7


def test_what_is_computed_twice_is_computed_once() -> None:
    fused = fused_as_eager(lambda x: (x.sin() + 1) * (x.sin() + 1), torch.randn(3))
    assert computed(groups(fused)[0]) == ["sin", "add", "mul"]


def test_two_results_stay_two_tensors() -> None:
    fused = fused_as_eager(lambda x: (x + 1, x + 1, (x + 1).view(-1)), torch.randn(3))
    first, second, third = fused(torch.ones(3))
    first.zero_()
    assert second.sum() == third.sum() == 6


def test_what_nobody_needs_is_left_out_and_its_arguments() -> None:
    graph = Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    graph.call_function(aten.sin.default, (y,))
    graph.output(graph.call_function(aten.cos.default, (x,)))
    fused = fuse_graph(GraphModule({}, graph), everything)
    assert computed(groups(fused)[0]) == ["cos"]
    (call,) = (node for node in fused.graph.nodes if node.op == "call_module")
    assert [argument.name for argument in call.args] == ["x"]


def test_constants_are_the_groups_own_each_once() -> None:
    class Scaled(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(3))
            self.same = self.weight

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return (x + self.weight) * self.same

    module = torch.fx.symbolic_trace(Scaled())
    fused = fuse_graph(module, everything)
    (group,) = groups(fused)
    assert [p.data_ptr() for p in group.parameters()] == [p.data_ptr() for p in module.parameters()]
    assert len([node for node in group.graph.nodes if node.op == "get_attr"]) == 1
    assert len([node for node in group.graph.nodes if node.op == "placeholder"]) == 1
    torch.testing.assert_close(fused(torch.ones(3)), module(torch.ones(3)))


def test_sizes_are_arguments() -> None:
    class Reshaped(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.reshape(x.shape[0] * 2, -1).sin() + x.shape[0]

    batch = torch.export.Dim("batch", min=2)
    program = torch.export.export(
        Reshaped(), (torch.randn(4, 6),), dynamic_shapes={"x": {0: batch}}
    )
    sizes = (aten.sym_size.int, operator.mul)
    fused = fuse_graph(program.graph_module, but(*sizes))
    (group,) = groups(fused)
    assert len([node for node in group.graph.nodes if node.op == "placeholder"]) == 3
    for rows in (2, 7):
        x = torch.randn(rows, 6)
        torch.testing.assert_close(fused(x)[0], Reshaped()(x))


def test_once_more_after_a_refusal() -> None:
    """A node that turns out not to be supported leaves its group; the rest is divided again."""

    def several(x: torch.Tensor) -> torch.Tensor:
        return torch.cos(torch.tan(torch.sin(x))) + 1

    x = torch.randn(3)
    assert len(groups(fused_as_eager(several, x))) == 1
    again = fused_as_eager(several, x, supported=but(aten.tan.default))
    assert [computed(group) for group in groups(again)] == [["sin"], ["cos", "add"]]


def test_a_second_time_changes_nothing() -> None:
    def jumped(x: torch.Tensor) -> torch.Tensor:
        first = torch.sin(x)
        return torch.cos(first) + torch.tan(first)

    module = make_fx(jumped)(torch.randn(3))
    once = fuse_graph(module, but(aten.tan.default))
    twice = fuse_graph(once, but(aten.tan.default))
    assert [n.op for n in twice.graph.nodes] == [n.op for n in once.graph.nodes]
    assert [computed(g) for g in groups(twice)] == [computed(g) for g in groups(once)]
    x = torch.randn(3)
    torch.testing.assert_close(twice(x), jumped(x), rtol=0, atol=0)


def test_the_module_given_stays_as_it_is() -> None:
    module = make_fx(lambda x: x.sin() + 1)(torch.randn(3))
    before = module.code
    fuse_graph(module, everything)
    assert module.code == before
    assert not groups(module)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"kind": "my group"}, "expected a name"), ({"arg_limit": 0}, "expected a positive number")],
)
def test_wrong_options(options: dict[str, Any], words: str) -> None:
    module = make_fx(lambda x: x.sin())(torch.randn(3))
    with pytest.raises(ConfigurationError, match=words):
        fuse_graph(module, everything, **options)
