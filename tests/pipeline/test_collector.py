"""The collector of cyclic garbage waits while a model is compiled, and is left as it was found."""

import gc
from collections.abc import Iterator

import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.errors import MalformedModelError

MODEL = onnx_model(
    [helper.make_node("Relu", ["x"], ["y"])], {"x": ("float32", (2, 3))}, {"y": "float32"}
)


@pytest.fixture
def collects() -> Iterator[None]:
    yield
    gc.enable()


@pytest.mark.usefixtures("collects")
@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_waits_and_is_as_it_was(enabled: bool) -> None:
    if not enabled:
        gc.disable()
    seen = []
    tvmfuse.explain(MODEL, progress=lambda _: seen.append(gc.isenabled()))
    assert set(seen) == {False}
    assert gc.isenabled() is enabled


def test_it_goes_on_after_an_error() -> None:
    with pytest.raises(MalformedModelError):
        tvmfuse.compile(b"no model")
    assert gc.isenabled()
