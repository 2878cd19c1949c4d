"""Fixtures that several test files share."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def exported(request: pytest.FixtureRequest) -> Callable[..., Path]:
    """Return a function that exports a zoo model once and keeps it in pytest's cache."""
    from bench.models import onnx_file

    folder = request.config.cache.mkdir("models")
    return lambda name, exporter="classic", size="reduced", **options: onnx_file(
        name, exporter, size, folder, **options
    )


# Tests that show a defect which is known and not mended yet.
KNOWN_DEFECTS = {
    "test_resize_by_scales[scales2-pytorch_half_pixel-": "Resize: pytorch_half_pixel by scales to one pixel",
    "test_gemm_transpose_fusion[A, opset 7]": "the case builds a Gemm without C, which opset 7 does not have",
    "test_gemm_transpose_fusion[A is read by something else]": "GemmTransposeFusion declines a shared transpose",
    "test_real_optional_outputs_are_refused_by_name[9-": "training-mode batch norm of opset 9 is not refused",
    "test_constant_folding[string tensors]": "string constants are refused",
    "test_constant_folding[RandomUniform before Shape]": "random operators do not import, even where only Shape reads them",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of known defects."""
    for item in items:
        for name, reason in KNOWN_DEFECTS.items():
            if item.name.startswith(name):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=False))
