"""What an optimized model leaves behind in memory: nothing."""

import gc
from typing import Any

import pytest

from tvmfuse.demo import wee_net
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.dataflow import Dataflow, remembering
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize


def dataflows() -> int:
    gc.collect()
    return sum(type(thing) is Dataflow for thing in gc.get_objects())


@pytest.fixture
def module() -> Any:
    return import_model(wee_net()).module


def test_no_dataflow_outlives_the_pipeline(module: Any) -> None:
    """Each would keep its function alive, and all of the model's constants with it."""
    before = dataflows()
    optimize(module, Selection.of("all"))
    assert dataflows() == before


def test_a_dataflow_is_made_once_while_it_is_remembered(module: Any) -> None:
    main = module["main"]
    with remembering():
        assert Dataflow.of(main) is Dataflow.of(main)
    assert Dataflow.of(main) is not Dataflow.of(main)


def test_only_the_last_ones_are_remembered(module: Any) -> None:
    functions = [import_model(wee_net()).module["main"] for _ in range(3)]
    with remembering():
        first = Dataflow.of(functions[0])
        assert Dataflow.of(functions[1]) is Dataflow.of(functions[1])
        assert Dataflow.of(functions[0]) is first
        Dataflow.of(functions[2])
        assert Dataflow.of(functions[0]) is not first
