"""What the importer's tests share: import a model, compute it, compare with onnxruntime."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, run
from onnx import helper
from reference import assert_agrees, reference

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.runtime.feeds import check_feeds

Feeds = Mapping[str, np.ndarray]


def computed(imported: ImportedModel, feeds: Feeds) -> dict[str, np.ndarray]:
    """Return the outputs by name, computed by plain lowered kernels of inputs that are checked."""
    results = run(imported.module, *check_feeds(imported.inputs, feeds))
    return dict(zip((o.name for o in imported.outputs), results, strict=True))


@pytest.fixture
def agrees() -> Callable[..., ImportedModel]:
    """Return a function that imports a model and compares its numbers with onnxruntime's.

    ``agrees(model, *feeds, **options)``: for each feeds, with one module. Options are `import_model`'s.
    """

    def check(model: onnx.ModelProto, *feeds: Feeds, **options: Any) -> ImportedModel:
        imported = import_model(model, **options)
        for feed in feeds:
            assert_agrees(computed(imported, feed), reference(model, feed))
        return imported

    return check


@pytest.fixture
def node_agrees(agrees: Callable[..., ImportedModel]) -> Callable[..., ImportedModel]:
    """Return a function that does the same for a model of one node.

    ``node_agrees(op, *operands, fixed=(), dims={}, outputs=("float32",), opset=17, **attributes)``:
    operands at the positions `fixed` are initializers, the others inputs; None is an absent one;
    `dims` gives inputs symbolic shapes, by position.
    """

    def check(
        op: str,
        *operands: np.ndarray | None,
        fixed: Sequence[int] = (),
        dims: Mapping[int, Sequence[int | str]] | None = None,
        outputs: Sequence[str] = ("float32",),
        opset: int = 17,
        **attributes: Any,
    ) -> ImportedModel:
        arrays = {f"x{i}": np.asarray(a) for i, a in enumerate(operands) if a is not None}
        names = [f"x{i}" if a is not None else "" for i, a in enumerate(operands)]
        constants = {f"x{i}": arrays.pop(f"x{i}") for i in fixed}
        shapes = {f"x{i}": shape for i, shape in (dims or {}).items()}
        results = {f"y{i}": dtype for i, dtype in enumerate(outputs) if dtype}
        node = helper.make_node(
            op, names, [f"y{i}" if d else "" for i, d in enumerate(outputs)], "node", **attributes
        )
        inputs = {n: (str(a.dtype), shapes.get(n, a.shape)) for n, a in arrays.items()}
        return agrees(onnx_model([node], inputs, results, constants, opset=opset), arrays)

    return check
