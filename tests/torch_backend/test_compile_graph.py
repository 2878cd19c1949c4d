"""Which nodes are compiled, and what happens to the others."""

from dataclasses import replace

import pytest
import torch
from failing import plant_in_schedule
from torch_backend.traced import compiled, traced, why_eager

from tvmfuse.errors import CompilationError, LeftOutWarning, ScheduleError
from tvmfuse.torch_backend import compile_graph as compiling
from tvmfuse.torch_backend.compile_graph import compile_graph
from tvmfuse.torch_backend.options import Options


def test_what_has_no_converter_stays_in_eager() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = torch.linalg.det(x + 1)
        return found * 2

    x = torch.randn(3, 3)
    made = compiled(function, x)
    assert why_eager(made) == {"_linalg_det": "tvmfuse has no converter for this operator"}
    assert [group.operators for group in made.groups] == [
        ("aten.add.Tensor",),
        ("aten.mul.Tensor",),
    ]
    torch.testing.assert_close(made.module(x), function(x))


def test_what_a_converter_refuses_stays_in_eager() -> None:
    """Its group is parted in two."""

    def function(x: torch.Tensor) -> torch.Tensor:
        values, places = torch.nn.functional.max_pool2d_with_indices(x * 2, (2, 2))
        return values + places

    x = torch.randn(1, 2, 4, 4)
    made = compiled(function, x)
    torch.testing.assert_close(made.module(x), function(x))
    if made.eager:
        assert why_eager(made) == {"max_pool2d_with_indices": "where its maxima stand is read"}
        assert len(made.groups) == 2


def test_random_numbers_stay_in_eager() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.rand_like(x + 1) * x

    x = torch.randn(4)
    made = compiled(function, x)
    assert why_eager(made) == {"rand_like": "it draws random numbers, which torch's generator does"}
    torch.manual_seed(3)
    wanted = function(x)
    torch.manual_seed(3)
    torch.testing.assert_close(made.module(x), wanted)


def test_dtypes_without_kernels_stay_in_eager() -> None:
    made = compiled(lambda x: (x * 1j).real + 1, torch.randn(4))
    assert why_eager(made)["mul"] == "tensors of torch.complex64 are not compiled"


def test_a_group_of_views_stays_in_eager() -> None:
    """Nothing is to be said of it, for nothing is computed."""
    x = torch.randn(4, 5)
    made = compiled(lambda x: x.t()[1:], x)
    assert not made.groups
    assert not made.eager
    assert made.module(x).data_ptr() == x[:, 1:].data_ptr()


def test_what_computes_is_one_group_and_views_beside_it_stay_in_eager() -> None:
    """Whatever reads from what, and however many arguments it has."""
    tensors = [torch.randn(2, 3) for _ in range(150)]
    made = compiled(lambda x, *others: [x.t(), *(other + 1 for other in others)], *tensors)
    assert [len(group.operators) for group in made.groups] == [149]
    turned, *others = made.module(*tensors)
    assert turned.data_ptr() == tensors[0].data_ptr()
    for found, given in zip(others, tensors[1:], strict=True):
        torch.testing.assert_close(found, given + 1)


def test_a_graph_that_writes_is_an_error() -> None:
    graph = traced(lambda x: x.add_(1), torch.randn(4))
    with pytest.raises(CompilationError, match="add_ .* writes to its arguments"):
        compile_graph(graph, Options().settings())


def test_constants_of_the_graph() -> None:
    table = torch.arange(12.0).reshape(3, 4)
    made = compiled(lambda x: x @ table, torch.randn(2, 3))
    x = torch.randn(2, 3)
    torch.testing.assert_close(made.module(x), x @ table)
    assert [len(group.compiled.artifact.manifest.inputs) for group in made.groups] == [1]


@pytest.mark.parametrize("sizes", [(3, 4), (7, 2), (2, 9)])
def test_sizes_that_no_argument_of_a_group_tells(sizes: tuple[int, int]) -> None:
    """The second group takes s0*s1 elements, and makes (s0, s1) of them."""

    def function(x: torch.Tensor) -> torch.Tensor:
        flat = torch.erfinv((x.sigmoid()).flatten())
        return (flat * 2).reshape(x.shape) + 1

    made = compiled(function, torch.randn(5, 6), mode="symbolic")
    x = torch.randn(sizes)
    assert len(made.groups) == 2
    torch.testing.assert_close(made.module(x), function(x))


def test_a_kernel_that_cannot_be_compiled_stays_in_eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its nodes alone, and the group is parted; where settings are strict, it is an error."""

    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.cumsum((x + 1) @ x, 0) @ x

    plant_in_schedule(monkeypatch, "as_written", "emit raises")
    x, words = torch.randn(3, 3), "the schedule as_written failed on the kernel cumsum"
    with pytest.warns(LeftOutWarning, match=f"^cumsum in eager: it cannot be compiled: {words}"):
        made = compiled(function, x, cache=False)
    (why,) = [node.why for node in made.eager]
    assert words in why
    assert len(made.groups) == 2
    torch.testing.assert_close(made.module(x), function(x))
    strict = replace(Options(cache=False).settings(), strict=True)
    with pytest.raises(ScheduleError, match=words) as error:
        compile_graph(traced(function, x), strict)
    assert error.value.nodes == ("cumsum",)


def test_a_group_whose_failure_names_no_node_stays_in_eager(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise CompilationError("by design")

    monkeypatch.setattr(compiling, "compile_imported", fails)
    with pytest.warns(LeftOutWarning, match="by design"):
        made = compiled(lambda x: x * 2 + 1, torch.randn(3))
    assert why_eager(made) == dict.fromkeys(("mul", "add"), "it cannot be compiled: by design")
