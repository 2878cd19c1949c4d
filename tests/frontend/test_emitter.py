"""What every front end is built on, shown by one of thirty lines: a list of calls becomes a model."""

import gc
from typing import Any

import numpy as np
import pytest
from graphs import run
from tvm import relax

from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.main_function import MainFunction, main_function, spec_of
from tvmfuse.frontend.onnx.one_node import convert_one
from tvmfuse.frontend.onnx.values import of_elements
from tvmfuse.frontend.refusals import CannotConvertError, Refusal, refused
from tvmfuse.ir.provenance import nodes_of

RNG = np.random.default_rng(0)
WEIGHT = RNG.standard_normal((4, 3, 3, 3), dtype="float32")
BIAS = RNG.standard_normal(4, dtype="float32")


def imported(inputs: Any, calls: Any, outputs: Any) -> MainFunction:
    """Return the model of some calls: name, ONNX operator, operands, attributes.

    An operand is the name of an input or of a call, an array, None, or a function of the symbols.
    """

    def types(symbols: Any) -> Any:
        return {
            name: relax.TensorType(
                [symbols.dim(d) if isinstance(d, str) else d for d in shape], "float32"
            )
            for name, shape in inputs.items()
        }

    def body(emitter: Any, params: Any) -> Any:
        values, refusals = dict(params), []
        for name, operator, operands, attributes in calls:
            given = [
                values[o] if isinstance(o, str) else o(emitter.symbols) if callable(o) else o
                for o in operands
            ]
            try:
                (values[name],) = convert_one(emitter, name, operator, given, **attributes)
            except CannotConvertError as error:
                refusals.append(Refusal(name, f"{operator} {name!r}", str(error), error))
        if refusals:
            raise refused(refusals)
        return [values[name] for name in outputs]

    return main_function(types, body, Gate(), branching=False)


def calls_of(main: MainFunction) -> Any:
    return [
        (binding.value.op.name, nodes_of(binding.value))
        for block in main.module["main"].body.blocks
        for binding in block.bindings
        if hasattr(binding.value, "op")
    ]


def test_onnx_converters_serve_another_front_end() -> None:
    main = imported(
        {"x": ("n", 3, 8, 8)},
        [
            ("conv", "Conv", ["x", WEIGHT, BIAS], {"pads": [1, 1, 1, 1]}),
            ("relu", "Relu", ["conv"], {}),
            (
                "flat",
                "Reshape",
                ["relu", lambda s: of_elements([s.dim("n"), 256], (2,), "int64")],
                {},
            ),
        ],
        ["flat"],
    )
    assert calls_of(main) == [
        ("tvmfuse.conv", ("conv",)), ("relax.nn.relu", ("relu",)), ("relax.reshape", ("flat",)),
    ]  # fmt: skip
    assert [str(spec) for spec in main.inputs] == ["x: float32[n, 3, 8, 8]"]
    x = RNG.standard_normal((2, 3, 8, 8), dtype="float32")
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    expected = np.einsum("nchwij,ocij->nohw", windows, WEIGHT) + BIAS[:, None, None]
    (found,) = run(main.module, x)
    np.testing.assert_allclose(found, np.maximum(expected, 0).reshape(2, 256), rtol=1e-4, atol=1e-5)


def test_constraints_on_sizes_are_learned_and_noted() -> None:
    main = imported(
        {"x": ("n", "c", "h", 8)}, [("conv", "Conv", ["x", WEIGHT, None], {})], ["conv"]
    )
    (x,) = main.inputs
    assert x.shape == ("n", "c", "h", 8)
    assert [c.words for c in x.shape_constraints] == ["c == 3, of 'conv'"]
    assert x.min_sizes == (0, 0, 2, 0)
    assert str(spec_of("y", main.results[0])) == "y: float32[n, 4, h - 2, 6]"


def test_all_refusals_are_named(capfd: pytest.CaptureFixture[str]) -> None:
    calls: list[Any] = [
        ("a", "NoSuchOperator", ["x"], {}),
        ("b", "Relu", ["x"], {}),
        ("c", "Conv", ["b", WEIGHT, None], {}),
    ]
    with pytest.raises(UnsupportedModelError) as error:
        imported({"x": (2, 5, 8, 8)}, calls, ["c"])
    first, *lines = str(error.value).splitlines()
    assert first == "2 nodes cannot be compiled:"
    assert lines[0] == "  NoSuchOperator 'a': tvmfuse has no converter for ONNX's NoSuchOperator"
    assert lines[1].startswith("  Conv 'c': ")
    assert "5" in lines[1]
    del error
    gc.collect()
    assert capfd.readouterr().err == ""
