"""What the importer's tests share: import a model, compute it, compare with onnxruntime."""

from collections.abc import Callable, Mapping

import numpy as np
import onnx
import pytest
from graphs import run
from reference import assert_agrees, reference

from tvmfuse.frontend import ImportedModel, import_model

Feeds = Mapping[str, np.ndarray]


def computed(imported: ImportedModel, feeds: Feeds) -> dict[str, np.ndarray]:
    """Return the outputs by name, computed by plain lowered kernels."""
    results = run(imported.module, *(feeds[i.name] for i in imported.inputs))
    return dict(zip((o.name for o in imported.outputs), results, strict=True))


@pytest.fixture
def agrees() -> Callable[..., ImportedModel]:
    """Return a function that imports a model and compares its numbers with onnxruntime's.

    ``agrees(model, *feeds, **options)``: for each feeds, with one module. Options are `import_model`'s.
    """

    def check(model: onnx.ModelProto, *feeds: Feeds, **options: object) -> ImportedModel:
        imported = import_model(model, **options)
        for feed in feeds:
            assert_agrees(computed(imported, feed), reference(model, feed))
        return imported

    return check
