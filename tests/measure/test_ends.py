"""Which tensor a kernel writes, by the nodes that it computes."""

from __future__ import annotations

from typing import Any

import onnx
import pytest
from onnx import helper

from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.manifest import Kernel
from tvmfuse.measure.ends import ends_of


def graph(*nodes: Any, outputs: Any) -> Any:
    """Read nodes written as `name: op reads -> makes`, called as what they make."""
    protos = []
    for line in nodes:
        op, *reads = line.split("->")[0].split()
        makes = line.split("->")[1].split()
        protos.append(helper.make_node(op, reads, makes, name=makes[0]))
    made = helper.make_graph(
        protos,
        "g",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, None)],
        [onnx.ValueInfoProto(name=o) for o in outputs],
    )
    return OnnxGraph.of(helper.make_model(made))


def ends(found: Any, *kernels: Any) -> Any:
    return ends_of(
        [Kernel(f"k{i}", tuple(nodes.split()), "") for i, nodes in enumerate(kernels)], found
    )


CHAIN = graph("Relu x -> a", "Exp a -> b", "Neg b -> y", outputs=["y"])


def test_one_kernel_for_each_node_writes_each_tensor() -> None:
    found = ends(CHAIN, "a", "b", "y")
    assert dict(found.of_kernel) == {0: ("a",), 1: ("b",), 2: ("y",)}
    assert (found.inside, found.nowhere) == ((), ())


@pytest.mark.parametrize("order", ["a b", "b a"])
def test_a_kernel_ends_in_what_others_read(order: str) -> None:
    found = ends(CHAIN, order, "y")
    assert dict(found.of_kernel) == {0: ("b",), 1: ("y",)}
    assert found.inside == ("a",)


def test_an_output_is_an_end_though_its_kernel_reads_it() -> None:
    both = graph("Relu x -> a", "Exp a -> y", outputs=["a", "y"])
    assert dict(ends(both, "a y").of_kernel) == {0: ("a", "y")}


def test_of_several_kernels_for_a_node_the_last_ends_in_it() -> None:
    found = ends(CHAIN, "a", "a", "a b", "y")
    assert dict(found.of_kernel) == {2: ("b",), 3: ("y",)}
    assert found.inside == ("a",)


def test_a_node_without_a_kernel_is_nowhere() -> None:
    found = ends(CHAIN, "a", "y")
    assert found.nowhere == ("b",)
    assert dict(found.of_kernel) == {0: ("a",), 1: ("y",)}


def test_asking_for_the_shape_is_no_reading() -> None:
    shaped = graph("Relu x -> a", "Shape a -> s", "Exp a -> y", outputs=["y"])
    assert dict(ends(shaped, "a y").of_kernel) == {0: ("y",)}
