"""GroupNormalization as opsets 18 to 20 have it: one scale and one bias for each group.

ONNX deprecated it and refuses it, while exporters wrote it and onnxruntime runs it. Groups whose
scale is their own are InstanceNormalization's channels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import onnx

from tvmfuse.errors import MalformedModelError
from tvmfuse.frontend.onnx.graph import STANDARD, canonical, opset_of
from tvmfuse.frontend.onnx.inline import Nodes, inline

OPSETS: Final = range(18, 21)

BODY: Final = onnx.parser.parse_function(
    """
    <domain: "", opset_import: ["": 18]>
    GroupNormalization <num_groups> (X, scale, bias) => (Y) {
        number = Constant <value_int: int = @num_groups> ()
        one = Constant <value_ints: ints = [1]> ()
        groups = Reshape (number, one)
        sizes = Shape (X)
        batch = Shape <start = 0, end = 1> (X)
        channels = Shape <start = 1, end = 2> (X)
        rest = Shape <start = 2> (X)
        in_one = ReduceProd (rest)
        in_group = Div (channels, groups)
        length = Mul (in_group, in_one)
        grouped = Concat <axis = 0> (batch, groups, length)
        rows = Reshape <allowzero = 1> (X, grouped)
        normal = InstanceNormalization <epsilon: float = @epsilon> (rows, scale, bias)
        Y = Reshape <allowzero = 1> (normal, sizes)
    }
    """
)
BODY.attribute_proto.append(onnx.helper.make_attribute("epsilon", 1e-5))


def expand_first_group_norms(model: onnx.ModelProto) -> None:
    """Replace each such node by what it stands for, in the graph and in functions.

    Args:
        model: Its nodes have names. Is changed in place.

    Raises:
        MalformedModelError: One has no number of groups, or one that is not positive.
    """
    for nodes, imported in _parts(model):
        opsets = {canonical(o.domain): o.version for o in imported}

        def body(
            node: onnx.NodeProto, opsets: dict[str, int] = opsets
        ) -> onnx.FunctionProto | None:
            if node.op_type != "GroupNormalization" or node.domain not in STANDARD:
                return None
            if opset_of(node, opsets) not in OPSETS:
                return None
            _check_groups(node)
            return BODY

        inline(nodes, body, opsets)


def _parts(model: onnx.ModelProto) -> Iterator[tuple[Nodes, list[onnx.OperatorSetIdProto]]]:
    yield model.graph, [*model.opset_import]
    for function in model.functions:
        yield function, [*function.opset_import]


def _check_groups(node: onnx.NodeProto) -> None:
    stated = {a.name: a for a in node.attribute}
    groups = stated.get("num_groups")
    if groups is None or (groups.i < 1 and not groups.ref_attr_name):
        raise MalformedModelError(
            f"node {node.name!r} (GroupNormalization): expected num_groups of at least 1, found "
            f"{'none' if groups is None else groups.i}"
        )
