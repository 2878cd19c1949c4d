"""The cases of onnx's own backend suite: a model, what it is fed, and what it gives."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.test_case import TestCase
from onnx.backend.test.loader import load_model_tests

KINDS: Final = ("node", "simple", "pytorch-converted", "pytorch-operator", "real")
STANDARD: Final = ("", "ai.onnx")


@functools.cache
def cases() -> Mapping[str, TestCase]:
    """Return all cases by name; the numbers that onnx draws are the same in every process."""
    np.random.seed(0)  # noqa: NPY002, onnx draws from it
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [case for kind in KINDS for case in load_model_tests(kind=kind)]
    named = {case.name: case for case in found}
    assert len(named) == len(found), "two cases share a name"
    return named


def model_of(case: TestCase) -> onnx.ModelProto:
    return case.model if case.model is not None else onnx.load(_model_file(case))


def data_of(
    case: TestCase, model: onnx.ModelProto
) -> Iterator[tuple[Sequence[Any], Sequence[Any]]]:
    """Yield inputs and outputs: arrays, lists of them for sequences, None for empty optionals."""
    if case.data_sets is not None:
        for inputs, outputs in case.data_sets:
            yield [*map(_plain, inputs)], [*map(_plain, outputs)]
    elif case.model_dir is None:
        yield _ramps(model), [_light_output(case, i) for i in range(len(model.graph.output))]
    else:
        for folder in sorted(Path(case.model_dir).glob("test_data_set*")):
            yield (
                _read(folder, "input", model.graph.input),
                _read(folder, "output", model.graph.output),
            )


def operator_of(name: str) -> str:
    """Return the operator that a case is about, with its domain; of whole models, their kind.

    An operator that is written out by others (`_expanded`) is still that operator.
    """
    case = cases()[name]
    plain = cases().get(name.partition("_expanded")[0], case)
    if plain.model is None:
        return case.kind
    node = plain.model.graph.node[-1 if len(plain.model.graph.node) > 1 else 0]
    return node.op_type if node.domain in STANDARD else f"{node.domain}.{node.op_type}"


def _model_file(case: TestCase) -> Path:
    if case.model_dir is not None:
        return Path(case.model_dir, "model.onnx")
    assert case.url is not None
    assert case.url.startswith("onnx/backend/"), f"{case.name}: {case.url} is not in the package"
    return Path(onnx.__file__).parent.parent / case.url


def _light_output(case: TestCase, place: int) -> Any:
    file = _model_file(case)
    return _loaded(file.with_name(f"{file.stem}_output_{place}.pb"), onnx.TensorProto)


def _ramps(model: onnx.ModelProto) -> list[np.ndarray]:
    """Return what onnx's runner feeds a model without data: ``arange(n) / n``."""
    constants = {tensor.name for tensor in model.graph.initializer}
    ramps = []
    for value in model.graph.input:
        if value.name not in constants:
            dims = [d.dim_value or 1 for d in value.type.tensor_type.shape.dim]
            count = np.prod(dims)
            ramps.append((np.arange(count).reshape(dims) / count).astype(np.float32))
    return ramps


def _plain(value: Any) -> Any:
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def _read(folder: Path, what: str, declared: Sequence[onnx.ValueInfoProto]) -> list[Any]:
    protos = {
        "tensor_type": onnx.TensorProto,
        "sequence_type": onnx.SequenceProto,
        "optional_type": onnx.OptionalProto,
    }
    count = len(list(folder.glob(f"{what}_*.pb")))
    return [
        _loaded(folder / f"{what}_{i}.pb", protos[declared[i].type.WhichOneof("value")])
        for i in range(count)
    ]


def _loaded(file: Path, kind: Any) -> Any:
    proto = kind.FromString(file.read_bytes())
    if kind is onnx.SequenceProto:
        return numpy_helper.to_list(proto)
    return numpy_helper.to_optional(proto) if kind is onnx.OptionalProto else _plain(proto)
