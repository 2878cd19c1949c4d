"""Models that are wrong by hand: refused in words that name the place, within 5 s and 1 GiB each."""

from collections.abc import Mapping

import onnx
import pytest
from hostile import BYTES, SECONDS, Outcome, outcomes
from malformed_functions import BRANCHES, FUNCTIONS
from malformed_graphs import ATTRIBUTES, NAMES, ODD, TENSORS, TYPES, VERSIONS, Wrong
from malformed_movements import CONTROL, MOVEMENTS, NORMS, QUANTIZED, RECURRENT, REDUCTIONS
from malformed_nodes import CASTS, CONVOLUTIONS, ELEMENTWISE, MATRICES

from tvmfuse.frontend.onnx import import_model

pytestmark = pytest.mark.sampled(5)

NODES: Mapping[str, onnx.ModelProto] = {
    **ELEMENTWISE, **CASTS, **MATRICES, **CONVOLUTIONS, **MOVEMENTS, **REDUCTIONS, **NORMS,
    **QUANTIZED, **RECURRENT, **CONTROL,
}  # fmt: skip
GRAPHS: Mapping[str, Wrong] = {
    **VERSIONS, **NAMES, **TYPES, **TENSORS, **ATTRIBUTES, **FUNCTIONS, **BRANCHES,
}  # fmt: skip
WRONG: Mapping[str, Wrong] = {**{n: (model, "culprit") for n, model in NODES.items()}, **GRAPHS}

REFUSALS = {
    *("MalformedModelError", "UnsupportedModelError", "TooNewModelError"),
    *("LimitExceededError", "ModelError"),
}


def serialized(model: onnx.ModelProto | bytes) -> bytes:
    return model if isinstance(model, bytes) else bytes(model.SerializeToString())


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Outcome]:
    models = {name: serialized(model) for name, (model, _) in WRONG.items()}
    return outcomes(models, tmp_path_factory.mktemp("wrong"))


def test_there_are_250_of_them_and_each_is_another() -> None:
    assert len(WRONG) == len(NODES) + len(GRAPHS)
    assert len({serialized(model) for model, _ in WRONG.values()}) == len(WRONG) >= 250


@pytest.mark.parametrize("name", WRONG)
def test_it_is_refused_in_words_that_name_the_place(
    name: str, ended: Mapping[str, Outcome]
) -> None:
    found = ended[name]
    assert found.kind in REFUSALS, found
    assert WRONG[name][1] in found.said, found.said
    assert found.seconds < SECONDS
    assert found.bytes < BYTES


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_and_does_no_harm_is_read(name: str) -> None:
    import_model(ODD[name])
