"""Bombs and overflows: refused by a limit that is named, with the node, before anything grows."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from bombs import BOMBS, WRAPS, calls, doubled, sized
from graphs import onnx_model
from hostile import Outcome, outcomes
from malformed import X, Y, node

import tvmfuse
from tvmfuse.errors import ConfigurationError, LimitExceededError, TvmfuseError
from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.onnx.importer import prepared
from tvmfuse.limits import NAMES, Limits


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Outcome]:
    made = {name: bomb().SerializeToString() for name, bomb in {**BOMBS, **WRAPS}.items()}
    return outcomes(made, tmp_path_factory.mktemp("bombs"))


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_by_a_limit(name: str, ended: Mapping[str, Outcome]) -> None:
    found = ended[name]
    assert found.kind == "LimitExceededError", found
    names = "|".join(NAMES)
    by_a_limit = rf"the limit is ({names})=\d+: .*--limit \w+="
    beyond_all = rf"beside ({names})=\d+ a size is at most \d+"
    assert re.search(f"{by_a_limit}|{beyond_all}", found.said)
    assert re.search(r"'bomb|'x'|'eye'|'v\d+'", found.said)
    assert found.seconds < 2
    assert found.bytes < 256 << 20


@pytest.mark.parametrize("name", WRAPS)
def test_a_size_beyond_64_bits_is_malformed(name: str, ended: Mapping[str, Outcome]) -> None:
    assert ended[name].kind == "MalformedModelError", ended[name]
    assert ended[name].seconds < 2


@pytest.mark.parametrize(
    ("name", "enough", "bomb"),
    [
        ("nodes", 16, calls(5, 2)),
        ("nesting", 5, calls(5, 1)),
        ("rank", 4, sized("Reshape")(np.array([1, 1, 2, 3]))),
        ("elements", 12, sized("Tile")(np.array([1, 2]))),
        ("bytes", 48, sized("Tile")(np.array([1, 2]))),
        # 8 KiB, 16, 32 and 64, and eight times the 4 KiB of the file are free.
        ("constant_bytes", (8 + 16 + 32 + 64 - 8 * 4) * 1024 - 64, doubled(4)),
    ],
)
def test_each_limit_holds_to_the_number(name: str, enough: int, bomb: Any) -> None:
    with pytest.raises(LimitExceededError, match=f"limit is {name}={enough - 1}"):
        import_model(bomb(), limits=Limits(**{name: enough - 1}))
    import_model(bomb(), limits=Limits(**{name: enough}))


def test_what_functions_add_is_near_the_truth() -> None:
    model = calls(8, 2)()
    grown = sum(node.ByteSize() for node in prepared(model, Gate()).graph.node)
    with pytest.raises(LimitExceededError) as error:
        import_model(model, limits=Limits(inlined_bytes=1))
    asked = int(re.findall(r"to (\d+) bytes", str(error.value))[0])
    assert grown <= asked < 4 * grown
    import_model(model, limits=Limits(inlined_bytes=asked))


def test_the_message_says_what_was_asked_and_how_to_admit_it() -> None:
    with pytest.raises(LimitExceededError) as error:
        import_model(sized("Tile")(np.array([2**20, 2**20]))())
    assert str(error.value) == (
        "'y' of node 'bomb' (Tile) has the shape [2097152, 3145728], 6597069766656 elements; the "
        "limit is elements=2147483648: if you trust this model, compile with "
        "limits=tvmfuse.Limits(elements=...) or --limit elements=..."
    )


@pytest.mark.parametrize("given", [Limits(nodes=1), {"nodes": 1}])
def test_every_way_in_takes_limits(given: Any) -> None:
    model = onnx_model([node("Relu", ["x"], ["h"]), node("Exp", ["h"], ["y"])], X, Y)
    for enter in (tvmfuse.compile, tvmfuse.explain, tvmfuse.plan_kernels):
        with pytest.raises(LimitExceededError, match="nodes=1"):
            enter(model, limits=given)
    options = tvmfuse.SessionOptions()
    options.limits = given
    with pytest.raises(LimitExceededError, match="nodes=1"):
        tvmfuse.InferenceSession(model.SerializeToString(), options)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"node": 3}, "no limit is called 'node'; did you mean nodes?"),
        ({"nodes": 0}, "limit 'nodes': expected a number from 1 to"),
        ({"nodes": True}, "found True"),
        ({"rank": 65}, "expected a number from 1 to 64, found 65"),
        ({"bytes": "many"}, "found 'many'"),
        (3, "limits: expected tvmfuse.Limits or a mapping, found int"),
    ],
)
def test_limits_that_are_none(given: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(words)):
        Limits.of(given)


def test_a_fixed_dimension_is_held_to_the_limits() -> None:
    model = onnx_model([node("Relu", ["x"], ["y"], name="n")], {"x": ("float32", ("batch", 4))}, Y)
    with pytest.raises(LimitExceededError, match="input 'x' has the shape"):
        import_model(model, dims={"batch": 2**40})


@pytest.mark.parametrize("size", [2**62, 2**61, 2**63 - 1, 2**60 + 1, 2**34])
@pytest.mark.parametrize("op", ["ConstantOfShape", "Expand", "Tile"])
def test_sizes_that_are_fed_do_not_wrap_around(op: str, size: int) -> None:
    reads = ["s"] if op == "ConstantOfShape" else ["w", "s"]
    model = onnx_model(
        [node(op, reads, ["t"], name="n"), node("Exp", ["t"], ["y"])],
        {"s": ("int64", (1,))}, Y, {"w": np.zeros(1, "float32")},
    )  # fmt: skip
    run = tvmfuse.compile(model).load()
    with pytest.raises(TvmfuseError):
        run(s=np.array([size]))
    np.testing.assert_array_equal(run(s=np.array([3]))["y"], np.ones(3, "float32"))
