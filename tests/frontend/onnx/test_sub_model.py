"""The model of a group that goes to onnxruntime."""

import onnx
import pytest

from tvmfuse.frontend.onnx.partition.division import divide
from tvmfuse.frontend.onnx.partition.sub_model import OPSET, sub_model
from tvmfuse.frontend.onnx.partition.whole import whole_model

BRANCHES = """y = If(c) <then_branch: graph = t () => (float[N] u) { u = Sin(x) },
                           else_branch: graph = e () => (float[N] v) { v = Relu(x) }>"""


@pytest.mark.parametrize(
    ("opset", "node", "written"),
    [
        (27, "y = Relu(x)", OPSET),
        (27, "y = Sin(x)", 22),
        (27, "y = Range(a, a, a)", 27),
        (17, "y = Sin(x)", 17),
        (27, BRANCHES, 25),
        (27, "y = com.microsoft.QuickGelu(x)", OPSET),
    ],
)
def test_it_is_in_the_oldest_opset_that_says_the_same(opset: int, node: str, written: int) -> None:
    """onnxruntime refuses the newest, whatever the operators are."""
    model = onnx.parser.parse_model(f"""
        <ir_version: 10, opset_import: ["": {opset}, "com.microsoft": 1]>
        g (float[N] x, float a, bool c) => (float[M] y, float[N] z) {{ {node} z = Exp(x) }}""")
    whole = whole_model(model)
    first = whole.graph.nodes[0].name
    groups = divide(whole, {first: "refused"})
    [theirs] = [number for number, group in enumerate(groups) if not group.ours]
    part = sub_model(whole, groups[theirs], whole.types, theirs)
    assert {o.domain: o.version for o in part.opset_import} == {"": written, "com.microsoft": 1}
    [ours] = [number for number, group in enumerate(groups) if group.ours]
    assert sub_model(whole, groups[ours], whole.types, ours).opset_import[0].version == opset
