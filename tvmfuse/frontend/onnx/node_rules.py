"""What ONNX states of nodes in words, and its checker and shape inference do not look at.

A node that breaks such a rule would be compiled to something: a list of rank 2 read as one of rank
1, a part of the filters left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import onnx

from tvmfuse.errors import MalformedModelError
from tvmfuse.frontend.onnx.graph import STANDARD
from tvmfuse.frontend.onnx.without_weights import all_nodes

Dims = Sequence[int | None]


@dataclass(frozen=True)
class _Node:
    """A node with what is known of its operands.

    Attributes:
        attributes: By name.
        shapes: Of the operands, in order; None where a rank or a dimension is not known.
        outputs: How many it has.
    """

    attributes: Mapping[str, Any]
    shapes: Sequence[Dims | None]
    outputs: int

    def shape(self, position: int) -> Dims | None:
        return self.shapes[position] if position < len(self.shapes) else None


Rule = Callable[[_Node], Iterator[str]]
"""Yields what is wrong."""


def _lists(*positions: int) -> Rule:
    def rule(node: _Node) -> Iterator[str]:
        for position in positions:
            shape = node.shape(position)
            if shape is not None and len(shape) > 1:
                yield f"operand {position} has rank {len(shape)}; expected a list, of rank 1"

    return rule


def _number(position: int) -> Rule:
    def rule(node: _Node) -> Iterator[str]:
        shape = node.shape(position)
        if shape is not None and (len(shape) > 1 or shape not in ([], [1], [None])):
            yield f"operand {position} has the shape {[*shape]}; expected one number"

    return rule


def _channels(node: _Node) -> Iterator[str]:
    shape = node.shape(0)
    if shape is not None and len(shape) < 2:
        yield f"its input has rank {len(shape)}; expected a batch and channels, rank 2 or more"


def _one_of(name: str, *allowed: int, default: int) -> Rule:
    def rule(node: _Node) -> Iterator[str]:
        if (found := node.attributes.get(name, default)) not in allowed:
            yield f"{name} is {found}; expected {' or '.join(map(str, allowed))}"

    return rule


def _positive(name: str) -> Rule:
    def rule(node: _Node) -> Iterator[str]:
        if (found := node.attributes.get(name, 1)) < 1:
            yield f"{name} is {found}; expected 1 or more"

    return rule


def _all_positive(*names: str) -> Rule:
    def rule(node: _Node) -> Iterator[str]:
        for name in names:
            if min(found := node.attributes.get(name) or [1]) < 1:
                yield f"{name} are {found}; expected 1 or more"

    return rule


def _groups(node: _Node) -> Iterator[str]:
    weight, groups = node.shape(1), node.attributes.get("group", 1)
    if weight and weight[0] is not None and weight[0] % groups:
        yield f"its {weight[0]} filters do not make {groups} groups of one size"


def _fill(node: _Node) -> Iterator[str]:
    value = node.attributes.get("value")
    if value is not None and math.prod(value.dims) != 1:
        yield f"its value has the shape {list(value.dims)}; expected one number"


def _parts(node: _Node) -> Iterator[str]:
    parts = node.attributes.get("num_outputs", node.outputs)
    if parts != node.outputs:
        yield f"num_outputs is {parts}, and it has {node.outputs} outputs"


_REDUCTIONS: Final = (
    "L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare",
)  # fmt: skip

#: Operator -> what holds in every opset.
RULES: Final[Mapping[str, Sequence[Rule]]] = MappingProxyType(
    {
        **{f"Reduce{kind}": (_lists(1),) for kind in _REDUCTIONS},
        **{f"Global{kind}Pool": (_channels,) for kind in ("Average", "Max")},
        "Col2Im": (_all_positive("strides", "dilations"),),
        "ConstantOfShape": (_lists(0), _fill),
        "Conv": (_positive("group"), _groups),
        "ConvInteger": (_positive("group"),),
        "ConvTranspose": (_positive("group"),),
        "CumProd": (_number(1),),
        "CumSum": (_number(1),),
        "DeformConv": (_positive("group"), _positive("offset_group")),
        "Expand": (_lists(1),),
        "GlobalLpPool": (_channels, _positive("p")),
        "InstanceNormalization": (_channels,),
        "LRN": (_positive("size"),),
        "LpNormalization": (_one_of("p", 1, 2, default=2),),
        "LpPool": (_positive("p"),),
        "Pad": (_lists(1, 3),),
        "QLinearConv": (_positive("group"),),
        "Reshape": (_lists(1),),
        "Resize": (_lists(1, 2, 3),),
        "Slice": (_lists(1, 2, 3, 4),),
        "Split": (_lists(1), _parts),
        "Squeeze": (_lists(1),),
        "Tile": (_lists(1),),
        "TopK": (_number(1),),
        "Trilu": (_number(1),),
        "Unsqueeze": (_lists(1),),
        "Upsample": (_lists(1),),
    }
)


def check_rules(graph: onnx.GraphProto) -> None:
    """Check nodes, those in branches, too, as far as the shapes of their operands are known.

    Args:
        graph: Its attributes have the types that their operators state.

    Raises:
        MalformedModelError: A node breaks a rule.
    """
    shapes = _shapes(graph)
    for node in all_nodes(graph.node):
        rules = RULES.get(node.op_type, ()) if node.domain in STANDARD else ()
        if rules:
            attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            operands = [shapes.get(name) for name in node.input]
            seen = _Node(attributes, operands, len(node.output))
            for wrong in (words for rule in rules for words in rule(seen)):
                raise MalformedModelError(f"node {node.name!r} ({node.op_type}): {wrong}")


def _shapes(graph: onnx.GraphProto) -> dict[str, Dims]:
    """Return what is known of values, by their names."""
    shapes: dict[str, Dims] = {t.name: [*t.dims] for t in graph.initializer}
    for value in (*graph.input, *graph.value_info, *graph.output):
        tensor = value.type.tensor_type
        if tensor.HasField("shape"):
            known = [d.dim_value if d.HasField("dim_value") else None for d in tensor.shape.dim]
            shapes.setdefault(value.name, known)
    return shapes
