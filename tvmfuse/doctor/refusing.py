"""Canaries of what has to be refused, or done in bounded time: models that once crashed or hung."""

from __future__ import annotations

from typing import Final

from tvmfuse.doctor.expect import refused
from tvmfuse.errors import ModelError

#: Functions that call the one before twice: 2^24 nodes where they are expanded.
NESTED: Final = 24
#: Sigmoids one after the other, whose argument was written out once more in each.
CHAINED: Final = 4
#: What 2^62 floats take wraps to 0 bytes.
OVERFLOWING: Final = 1 << 62
#: Floats that no address space holds.
BEYOND_MEMORY: Final = 1 << 50
RANK: Final = 65
#: Operands of one Concat, of which one kernel took all of LLVM's stack.
WIDE: Final = 5_000


def high_rank() -> str:
    """A tensor of more dimensions than DLPack and TVM have."""
    from onnx import helper

    from tvmfuse.doctor.models import compiled, onnx_model

    model = onnx_model(
        [helper.make_node("Relu", ["x"], ["y"])], inputs={"x": ("float32", [1] * RANK)}
    )
    return refused(lambda: compiled(model), ModelError)


def overflowing_pad() -> str:
    """A pad whose result has so many bytes that their number wraps."""
    import numpy as np
    from onnx import helper

    from tvmfuse.doctor.models import compiled, onnx_model

    pads = {"pads": np.array([0, OVERFLOWING])}
    model = onnx_model(
        [helper.make_node("Pad", ["x", "pads"], ["y"])], pads, {"x": ("float32", [1])}
    )
    return refused(lambda: compiled(model), ModelError)


def huge_constant() -> str:
    """A constant that no memory holds."""
    import numpy as np
    from onnx import helper

    from tvmfuse.doctor.models import compiled, onnx_model

    nodes = [
        helper.make_node("ConstantOfShape", ["size"], ["c"]),
        helper.make_node("Add", ["x", "c"], ["y"]),
    ]
    sizes = {"size": np.array([BEYOND_MEMORY])}
    model = onnx_model(nodes, sizes, {"x": ("float32", [1])})
    return refused(lambda: compiled(model), ModelError)


def nested_functions() -> str:
    """Functions that call functions, which expand to millions of nodes."""
    from onnx import helper

    from tvmfuse.doctor.models import compiled, onnx_model

    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("canary", 1)]
    functions = []
    for depth in range(NESTED):
        called, domain = (f"f{depth - 1}", "canary") if depth else ("Relu", "")
        body = [
            helper.make_node(called, ["a"], ["b"], domain=domain),
            helper.make_node(called, ["b"], ["c"], domain=domain),
        ]
        functions.append(helper.make_function("canary", f"f{depth}", ["a"], ["c"], body, opsets))
    call = helper.make_node(f"f{NESTED - 1}", ["x"], ["y"], domain="canary")
    return refused(lambda: compiled(onnx_model([call], functions=functions)), ModelError)


def chained_sigmoids() -> str:
    """Elementary functions of elementary functions: compiled, in bounded time."""
    from tvmfuse.doctor.models import chain, compiled

    artifact = compiled(chain(["Sigmoid"] * CHAINED))
    return f"{CHAINED} in {len(artifact.manifest.kernels)} kernels"


def wide_concat() -> str:
    """An operator of thousands of operands: compiled, in kernels of bounded size."""
    from onnx import helper

    from tvmfuse.doctor.models import compiled, onnx_model

    concat = helper.make_node("Concat", ["x"] * WIDE, ["y"], axis=0)
    artifact = compiled(onnx_model([concat], inputs={"x": ("float32", [1])}))
    return f"{WIDE} operands in {len(artifact.manifest.kernels)} kernels"
